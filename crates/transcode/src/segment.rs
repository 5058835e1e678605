//! A segment: bytes that the engine must not convert like the rest. A segmenter says where the next one begins, and
//! converts or reports it.
//!
//! ```text
//! text ─► look: │ clear: the engine converts it │ a segment: convert │ clear … │ ─► wait, if more must be read
//! ```
//!
//! A segmenter looks ahead of the engine, says up to where the text is clear, and handles the segment once the engine
//! has reached it. It knows neither the engine nor another segmenter. To add one, write its file, and its line in
//! [`Segments::each`](super::segments::Segments).

use std::ops::Range;

use super::engine::Around;
use super::pipeline_exit::Passed;
use super::text_walk::TextWalk;
pub(super) use super::view::View;
use crate::io::Chunk;

/// What a segmenter found ahead of a place.
#[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
pub(super) enum SegmentLookahead<'c> {
    /// The engine may convert what is before this byte of the chunk.
    Clear(usize),
    /// The same, if what the engine measures there confirms it.
    Likely(usize, Around<'c>),
    /// More of the text must be read to tell.
    Wait,
    /// A segment of these bytes of the chunk begins here.
    Segment(Range<usize>),
    /// A segment has ended here: all segmenters must look again.
    Again,
}

/// What is known of the bytes after those that the engine is to convert.
#[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// They are text, and the bytes before them may be judged by them.
    Text,
    /// They may not be text, so they must not be looked at.
    Unknown,
    /// They are no text: no sequence continues there.
    Nothing,
}

pub(super) trait Segmenter: Send {
    /// Looks at the text from byte `at` of the chunk on. The engine may otherwise convert it up to `limit`.
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c>;

    /// Handles the segment at `range` of the chunk, which was found last. Returns how many of its bytes it converted; 0
    /// leaves them to the engine.
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize>;

    /// Takes note that the bytes of the chunk from `at` to `end` are a segment of another segmenter.
    fn overtaken(&mut self, _view: &View<'_, '_>, _at: usize, _end: usize) {}

    /// Gives up the segment found last, if that is better than converting it although an earlier one reaches into it.
    /// Returns whether it does.
    fn give_up(&mut self) -> bool {
        false
    }

    /// Returns the offset of the next segment, if it is known.
    fn next_known(&self) -> Option<u64> {
        None
    }

    /// Returns what is known of the bytes from `end` on, if the engine converts those from `at` to `end` of the chunk.
    fn beyond(&self, _view: &View<'_, '_>, _at: usize, _end: usize) -> Beyond {
        Beyond::Text
    }

    /// Moves past the next bytes of the text, which begin at `offset`.
    fn pass(&mut self, _bytes: &[u8], _offset: u64) {}

    /// Whether one thread must convert the text, because its treatment depends on all of the text before it.
    fn is_for_one_thread(&self) -> bool {
        false
    }

    /// Whether a segment begins before the offset `end`, as far as is known here. Other threads do not know.
    fn reaches(&self, _end: u64) -> bool {
        false
    }

    /// Whether what follows must not be converted by several threads now.
    fn waits(&self) -> bool {
        false
    }
}
