//! A segment: bytes that the engine must not convert as it converts the rest. A segmenter says where the next one
//! begins, and converts or reports it.
//!
//! ```text
//! text ─► look: │ clear: the engine converts it │ a segment: convert │ clear … │ ─► wait, if more must be read
//! ```
//!
//! It looks ahead of the engine, says up to where the text is clear, and deals with the segment when the engine has
//! reached it. It knows neither the engine nor another segmenter. To add one, write its file, and its line in
//! [`Segments::each`](super::segments::Segments).

use std::ops::Range;

use super::engine::Around;
use super::pipeline_exit::Passed;
use super::text_walk::TextWalk;
pub(super) use super::view::View;
use crate::io::Chunk;

/// What is ahead of a place.
#[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
pub(super) enum SegmentLookahead<'c> {
    /// The engine may convert what is before this byte of the chunk.
    Clear(usize),
    /// The same, if what it measures there confirms it.
    Likely(usize, Around<'c>),
    /// More of the text must be read before that is known.
    Wait,
    /// A segment of these bytes of the chunk begins here.
    Segment(Range<usize>),
    /// A segment has ended here: everything is to be looked at again.
    Again,
}

/// What is known of the bytes after those that the engine is to convert.
#[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// They are text, by which the bytes before them may be judged.
    Text,
    /// They may not be text: they must not be looked at.
    Unknown,
    /// They are no text: no sequence of bytes goes on there.
    Nothing,
}

/// Finds segments, and deals with them.
pub(super) trait Segmenter: Send {
    /// Looks at the text from byte `at` of the chunk on, which the engine may convert up to `limit` otherwise.
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c>;

    /// Deals with the segment at `range` of the chunk, which was found last. Returns how many of its bytes are converted; 0 if
    /// they are for the engine.
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize>;

    /// Takes note that the bytes of the chunk from `at` to `end` are a segment of somebody else.
    fn overtaken(&mut self, _view: &View<'_, '_>, _at: usize, _end: usize) {}

    /// Gives up the segment that was found last, if that is better than to convert it although one that comes first begins
    /// inside of it. Returns whether it does.
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

    /// Whether one thread must convert the text, because what becomes of it depends on all of the text before it.
    fn is_for_one_thread(&self) -> bool {
        false
    }

    /// Whether a segment begins before the offset `end`, as far as that is known: other threads do not know.
    fn reaches(&self, _end: u64) -> bool {
        false
    }

    /// Whether what follows is not for several threads now.
    fn waits(&self) -> bool {
        false
    }
}
