//! The segmenters of a text, in order: [`Segments::each`] is the one list of them. Where two overlap, the first in the
//! list has precedence.
//!
//! Input whose encoding is not known yet (`deferred_detection.rs`) and records (`record_lines.rs`) are no segments: they are
//! parts of a text that are converted one after the other, each with the segments in it.

#[cfg(feature = "detection")]
mod damage;
mod deceptions;
#[cfg(feature = "detection")]
mod declarations;
mod foreign_units;
mod identifiers;
#[cfg(feature = "detection")]
mod interrupted_parts;
#[cfg(feature = "detection")]
pub(super) mod interruptions;
#[cfg(feature = "detection")]
mod line_parts;
mod mixture;
mod parts;

#[cfg(test)]
#[cfg(feature = "detection")]
pub(super) use damage::SEARCHED;
pub(super) use foreign_units::without_zeros;
pub(super) use mixture::clean_start;

use std::ops::Range;

#[cfg(feature = "detection")]
use self::damage::Damages;
#[cfg(feature = "detection")]
use self::declarations::Declarations;
use self::foreign_units::ForeignUnits;
use self::identifiers::Identifiers;
#[cfg(feature = "detection")]
use self::interruptions::Interruptions;
use self::mixture::Mixture;
use super::conversion::Conversion;
use super::engine::{Around, EngineInput};
use super::pipeline_exit::Passed;
use super::segment::{Beyond, SegmentLookahead, Segmenter, View};
use super::text_walk::TextWalk;
use crate::io::Chunk;
#[cfg(feature = "detection")]
use oxiconv_detect::detection::WideUnits;
use oxiconv_encodings::encoding::Encoding;

/// What is known of the segments of one text.
pub(super) struct Segments {
    /// What it says of its own encoding.
    #[cfg(feature = "detection")]
    pub(super) declarations: Declarations,
    /// The search for UTF-16 in it, until it is found.
    pub(super) foreign_units: Option<ForeignUnits>,
    /// Its parts in another encoding, if there may be any.
    pub(super) mixture: Option<Mixture>,
    /// Its parts that were damaged before, if they matter.
    #[cfg(feature = "detection")]
    damages: Option<Damages>,
    /// Its identifiers that look like others, if they matter.
    identifiers: Option<Identifiers>,
    /// What interrupts its wide units, unless they are taken as they are.
    #[cfg(feature = "detection")]
    pub(super) interruptions: Option<Interruptions>,
}

/// What is to be done next.
pub(super) enum Next<'c> {
    /// The engine converts these bytes.
    Convert(EngineInput<'c>),
    /// A segment was dealt with, up to this byte of the chunk.
    Passed(usize),
    /// More of the text must be read.
    Wait,
}

impl Segments {
    /// Returns what is known of a text in `encoding` before it is read.
    pub(super) fn of(conversion: &Conversion, encoding: &'static Encoding) -> Self {
        Self {
            #[cfg(feature = "detection")]
            declarations: Declarations::of(conversion),
            foreign_units: ForeignUnits::of(conversion, encoding),
            mixture: Mixture::of(conversion),
            #[cfg(feature = "detection")]
            damages: Damages::of(conversion),
            identifiers: Identifiers::of(conversion),
            #[cfg(feature = "detection")]
            interruptions: Interruptions::of(conversion, encoding),
        }
    }

    /// Begins at this offset of a longer text, after a line feed or a character that needs no memory.
    #[cfg(feature = "program")]
    pub(super) fn begin_at(&mut self, offset: u64) {
        self.declarations = Declarations::default();
        if let Some(interruptions) = &mut self.interruptions {
            interruptions.begin_units(offset);
        }
    }

    /// Whether more of the text is needed than `start` before it can be converted.
    #[cfg(feature = "detection")]
    pub(super) fn await_more(conversion: &Conversion, start: &Chunk<'_>) -> bool {
        Declarations::await_more(conversion, start)
    }

    /// Returns the end of the label that is to be rewritten, if this offset is inside of one; otherwise the offset.
    pub(super) fn after_label(&self, offset: u64) -> u64 {
        #[cfg(feature = "detection")]
        let offset = self.declarations.after_label(offset);
        offset
    }

    /// Goes on in another encoding, which was detected.
    #[cfg(feature = "detection")]
    pub(super) fn change_to(&mut self, conversion: &Conversion, encoding: &'static Encoding) {
        self.foreign_units = ForeignUnits::of(conversion, encoding);
    }

    /// Returns the segmenters, each of which comes before those after it.
    fn each(&mut self) -> impl Iterator<Item = &mut dyn Segmenter> {
        [
            #[cfg(feature = "detection")]
            Some(&mut self.declarations as &mut dyn Segmenter),
            self.foreign_units.as_mut().map(|it| it as &mut dyn Segmenter),
            self.mixture.as_mut().map(|it| it as &mut dyn Segmenter),
            #[cfg(feature = "detection")]
            self.damages.as_mut().map(|it| it as &mut dyn Segmenter),
            self.identifiers.as_mut().map(|it| it as &mut dyn Segmenter),
            #[cfg(feature = "detection")]
            self.interruptions.as_mut().map(|it| it as &mut dyn Segmenter),
        ]
        .into_iter()
        .flatten()
    }

    /// Does what is to be done at byte `at` of the chunk before the engine converts it up to `limit`.
    pub(super) fn next<'c>(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'c>,
        at: usize,
        limit: usize,
    ) -> Passed<Next<'c>> {
        let view = walk.view(chunk);
        let (mut clear, mut around) = (limit, None);
        let mut found = None;
        for (index, segmenter) in self.each().enumerate() {
            match segmenter.look(&view, at, clear) {
                SegmentLookahead::Clear(to) => clear = to,
                SegmentLookahead::Likely(to, by) => (clear, around) = (to, Some(by)),
                SegmentLookahead::Wait => return Ok(Next::Wait),
                SegmentLookahead::Again => return Ok(Next::Passed(at)),
                SegmentLookahead::Segment(range) => {
                    found = Some((index, range, clear));
                    break;
                }
            }
        }
        match found {
            None => Ok(Next::Convert(self.part(&view, at, clear, limit, around))),
            Some((index, range, clear)) => self.segment(walk, chunk, index, range, clear),
        }
    }

    /// Deals with the segment that a segmenter has found, unless a segmenter before it has one that begins inside of it: up to
    /// byte `clear`, none has.
    fn segment<'c>(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        index: usize,
        range: Range<usize>,
        clear: usize,
    ) -> Passed<Next<'c>> {
        let view = walk.view(chunk);
        let Range { start: at, end } = range;
        let earlier = if end > clear { index } else { 0 };
        let unclear = self.each().take(earlier).find_map(|earlier| {
            let ahead = earlier.look(&view, at, end);
            let is_clear = matches!(ahead, SegmentLookahead::Clear(clear) if clear == end);
            (!is_clear).then(|| earlier.next_known())
        });
        let overlaps = unclear.map(|next| next.is_some_and(|next| next < view.base + end as u64));
        if overlaps == Some(false) && !chunk.last {
            return Ok(Next::Wait);
        }
        self.each().skip(index + 1).for_each(|later| later.overtaken(&view, at, end));
        let Some(segmenter) = self.each().nth(index) else { return Ok(Next::Passed(at)) };
        if overlaps == Some(true) && segmenter.give_up() {
            return Ok(Next::Passed(at));
        }
        Ok(Next::Passed(at + segmenter.convert(walk, chunk, range)?))
    }

    /// Returns the bytes for the engine: those from `at` to `clear` of the chunk, and what they are judged by.
    fn part<'c>(
        &mut self,
        view: &View<'_, 'c>,
        at: usize,
        clear: usize,
        limit: usize,
        around: Option<Around<'c>>,
    ) -> EngineInput<'c> {
        let bytes = view.chunk.bytes;
        let beyond = self.each().map(|segmenter| segmenter.beyond(view, at, clear));
        let beyond = beyond.filter(|beyond| *beyond != Beyond::Text).last().unwrap_or(Beyond::Text);
        let (end, last) = match beyond {
            Beyond::Nothing => (clear, true),
            Beyond::Unknown if clear < limit && !view.chunk.last => (clear, false),
            Beyond::Unknown | Beyond::Text => (bytes.len(), view.chunk.last),
        };
        EngineInput {
            bytes: &bytes[at..end],
            limit: clear - at,
            last,
            around,
            inline_remedies: None,
        }
    }

    /// Moves past the next bytes of the text, which begin at `offset`.
    pub(super) fn pass(&mut self, bytes: &[u8], offset: u64) {
        self.each().for_each(|segmenter| segmenter.pass(bytes, offset));
    }

    /// Whether the text may have parts in another encoding.
    pub(super) fn is_mixture(&self, encoding: &Encoding) -> bool {
        self.mixture.as_ref().is_some_and(|mixture| mixture.is_of(encoding))
    }

    /// Whether each line has an encoding of its own.
    pub(super) fn is_of_lines(&self) -> bool {
        self.mixture.as_ref().is_some_and(Mixture::is_of_lines)
    }

    /// Whether UTF-16 is still searched for in UTF-8.
    pub(super) fn seeks_units(&self) -> bool {
        self.foreign_units.as_ref().is_some_and(ForeignUnits::seeks)
    }

    /// Returns the units of a text in `encoding`, if it may be interrupted.
    #[cfg(feature = "detection")]
    pub(super) fn units(&self, encoding: &'static Encoding) -> Option<WideUnits> {
        self.interruptions.as_ref()?.units(encoding)
    }

    /// Returns the offset where the units begin: that of the text, or of the end of the last interruption.
    #[cfg(feature = "detection")]
    pub(super) fn units_since(&self) -> Option<u64> {
        self.interruptions.as_ref().map(|interruptions| interruptions.since)
    }

    /// Whether other threads do not have enough of the text before byte `offset` to judge what follows.
    #[cfg(feature = "detection")]
    pub(super) fn is_judged_alone(&self, offset: u64) -> bool {
        self.interruptions
            .as_ref()
            .is_some_and(|interruptions| interruptions.is_judged_alone(offset))
    }

    /// Whether one thread must convert the text.
    pub(super) fn is_for_one_thread(&mut self) -> bool {
        self.each().any(|segmenter| segmenter.is_for_one_thread())
    }

    /// Whether what follows is not for several threads now.
    pub(super) fn waits(&mut self) -> bool {
        self.each().any(|segmenter| segmenter.waits())
    }

    /// Whether a segment begins before the offset `end`, as far as that is known.
    pub(super) fn reaches(&mut self, end: u64) -> bool {
        self.each().any(|segmenter| segmenter.reaches(end))
    }
}

#[cfg(test)]
mod tests;
