//! The segmenters of a text, and how they share it.
//!
//! [`Segments::each`] is the only list of them, in order of precedence: where two segments overlap, the one that is
//! earlier in the list wins. For example, bytes that are read in a fallback encoding are not UTF-8, so they cannot be
//! damaged UTF-8 either, and `Mixture` comes before `Damages`.
//!
//! Before the engine converts anything, each segmenter says up to where the text is clear, and looks no further than
//! the ones before it:
//!
//! ```text
//! text                ├───────────────────────────────────────┤ limit
//! declarations        ├─ clear ───────────────────────────────┤
//! mixture             ├─ clear ──────────────┤ a part begins here
//! identifiers         ├─ clear ──────────────┤
//!                     └ the engine converts this; then the part is a segment at its start
//! ```
//! So the engine stops in front of every segment, and a segmenter handles it without undoing anything. The price is
//! lookahead: a segmenter that cannot tell yet makes the conversion wait for more input. What it decides must depend on
//! the text alone, never on where a chunk ends. Otherwise the same text would give different results from a file and
//! from a slow pipe.
//!
//! Interruptions of UTF-16 and UTF-32 are the exception. The kernel finds their signs while it measures the text
//! anyway, so there the engine goes first, and its output is dropped if there was a segment in it (`interruptions.rs`).
//!
//! Input whose encoding is not known yet (`deferred_detection.rs`) and records (`record_lines.rs`) are not segments.
//! They divide a text into parts that are converted one after the other, each with its own segments.

#[cfg(feature = "detection")]
mod damaged_parts;
mod deceptions;
#[cfg(feature = "detection")]
mod declarations;
#[cfg(feature = "detection")]
mod escaped_parts;
mod foreign_units;
mod identifiers;
#[cfg(feature = "detection")]
mod interrupted_parts;
#[cfg(feature = "detection")]
pub(super) mod interruptions;
#[cfg(feature = "detection")]
mod line_parts;
mod mixed_parts;
mod mixture;

#[cfg(test)]
#[cfg(feature = "detection")]
pub(super) use damaged_parts::SEARCHED;
pub(super) use foreign_units::without_zeros;
pub(super) use mixture::clean_start;

use std::ops::Range;

#[cfg(feature = "detection")]
use self::damaged_parts::Damages;
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

/// The segmenters of one text, each with what it knows so far. Those that cannot matter to the conversion are `None`.
pub(super) struct Segments {
    /// The encoding labels in it.
    #[cfg(feature = "detection")]
    pub(super) declarations: Declarations,
    /// The search for UTF-16 that was appended to UTF-8.
    pub(super) foreign_units: Option<ForeignUnits>,
    /// Its parts in a fallback encoding.
    pub(super) mixture: Option<Mixture>,
    /// Its parts that are mojibake.
    #[cfg(feature = "detection")]
    damages: Option<Damages>,
    /// Its deceptive identifiers.
    identifiers: Option<Identifiers>,
    /// Bytes between its 16- or 32-bit code units that do not belong there.
    #[cfg(feature = "detection")]
    pub(super) interruptions: Option<Interruptions>,
}

/// What to do at the current place of the text.
pub(super) enum SegmentStep<'c> {
    Convert(EngineInput<'c>),
    /// Continue at this byte of the chunk: a segment before it has been dealt with. It may be the same byte again, if
    /// the segment was only reported, or if the segmenters must look once more.
    Passed(usize),
    /// Leave the rest of the chunk. The source then presents it again with at least one more byte.
    Wait,
}

impl Segments {
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

    /// Starts at `offset` of a longer text, after a line feed or another character that leaves no state behind.
    #[cfg(feature = "program")]
    pub(super) fn begin_at(&mut self, offset: u64) {
        self.declarations = Declarations::default();
        if let Some(interruptions) = &mut self.interruptions {
            interruptions.begin_units(offset);
        }
    }

    /// Whether more of the text than `start` is needed before any of it can be converted.
    #[cfg(feature = "detection")]
    pub(super) fn await_more(conversion: &Conversion, start: &Chunk<'_>) -> bool {
        Declarations::await_more(conversion, start)
    }

    /// Returns the end of the label that contains `offset` if it is to be rewritten, and `offset` otherwise.
    pub(super) fn after_label(&self, offset: u64) -> u64 {
        #[cfg(feature = "detection")]
        let offset = self.declarations.after_label(offset);
        offset
    }

    /// Continues in `encoding`, which was detected.
    #[cfg(feature = "detection")]
    pub(super) fn change_to(&mut self, conversion: &Conversion, encoding: &'static Encoding) {
        self.foreign_units = ForeignUnits::of(conversion, encoding);
    }

    /// Iterates over the segmenters in order of precedence.
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

    /// Decides what to do at byte `at` of the chunk before the engine converts it up to `limit`.
    ///
    /// Each segmenter may only shorten `clear`, so at the end it is the bound that all of them agree on. A segment
    /// always begins at `at`, so the first one ends the search: a later segmenter could only find one that overlaps
    /// with it. But the segmenters before it have only vouched for the text up to `clear`, which is why `clear` goes
    /// along to [`Self::segment`].
    pub(super) fn next<'c>(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'c>,
        at: usize,
        limit: usize,
    ) -> Passed<SegmentStep<'c>> {
        let view = walk.view(chunk);
        let (mut clear, mut around) = (limit, None);
        let mut found = None;
        for (index, segmenter) in self.each().enumerate() {
            match segmenter.look(&view, at, clear) {
                SegmentLookahead::Clear(to) => clear = to,
                SegmentLookahead::Likely(to, by) => (clear, around) = (to, Some(by)),
                SegmentLookahead::Wait => return Ok(SegmentStep::Wait),
                SegmentLookahead::Again => return Ok(SegmentStep::Passed(at)),
                SegmentLookahead::Segment(range) => {
                    found = Some((index, range, clear));
                    break;
                }
            }
        }
        match found {
            None => Ok(SegmentStep::Convert(self.part(&view, at, clear, limit, around))),
            Some((index, range, clear)) => self.segment(walk, chunk, index, range, clear),
        }
    }

    /// Deals with `range`, which the segmenter at `index` has found, unless one that has precedence has a segment that
    /// begins inside of it. The earlier segmenters have only been asked about the text before `clear`:
    ///
    /// ```text
    ///      at        clear            end
    ///      ├───────────┼───────────────┤  segment of `index`
    ///      └─ asked ───┴─ not yet ─────┘  earlier segmenters
    /// ```
    ///
    /// So they are asked again, up to `end`, unless the segment ends before `clear`. There are three answers:
    ///
    /// * All of it is clear. The segment is converted.
    /// * One of them knows of a segment that begins before `end`. This one may give way ([`Segmenter::give_up`]); the
    ///   engine then converts the text up to the other segment. A segmenter that does not give way converts its segment
    ///   as found.
    /// * One of them cannot tell yet. More of the text must be read first, unless there is none.
    ///
    /// Later segmenters are told that they will not see these bytes converted by the engine.
    fn segment<'c>(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        index: usize,
        range: Range<usize>,
        clear: usize,
    ) -> Passed<SegmentStep<'c>> {
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
            return Ok(SegmentStep::Wait);
        }
        self.each().skip(index + 1).for_each(|later| later.overtaken(&view, at, end));
        let Some(segmenter) = self.each().nth(index) else { return Ok(SegmentStep::Passed(at)) };
        if overlaps == Some(true) && segmenter.give_up() {
            return Ok(SegmentStep::Passed(at));
        }
        Ok(SegmentStep::Passed(at + segmenter.convert(walk, chunk, range)?))
    }

    /// Returns what the engine gets: the bytes from `at` to `clear`, and after them as much lookahead as is text.
    ///
    /// Lookahead decides how a sequence at `clear` is read. For E2 82 at the end, it matters whether AC follows, which
    /// completes the character €. But the bytes after `clear` may be a segment in another encoding. If the engine saw
    /// those, it would take the first of them for the missing byte and move into the segment. So the segmenters say
    /// what is there:
    ///
    /// * `Nothing`: for the engine, the text ends at `clear`. What is truncated there is ill-formed.
    /// * `Unknown`: the engine gets no lookahead, but the text does not end there either, so it leaves a truncated
    ///   sequence unread. This holds only while there is more to look at: if the chunk is the last one, or all of it is
    ///   clear up to `limit`, the bytes count as text.
    /// * `Text`: the rest of the chunk is lookahead.
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

    /// Moves past `bytes`, the next ones of the text, at `offset`.
    pub(super) fn pass(&mut self, bytes: &[u8], offset: u64) {
        self.each().for_each(|segmenter| segmenter.pass(bytes, offset));
    }

    pub(super) fn is_mixture(&self, encoding: &Encoding) -> bool {
        self.mixture.as_ref().is_some_and(|mixture| mixture.is_of(encoding))
    }

    pub(super) fn is_of_lines(&self) -> bool {
        self.mixture.as_ref().is_some_and(Mixture::is_of_lines)
    }

    /// Whether UTF-16 is still being searched for in UTF-8.
    pub(super) fn seeks_units(&self) -> bool {
        self.foreign_units.as_ref().is_some_and(ForeignUnits::seeks)
    }

    /// Returns the code units of a text in `encoding`, if they may be interrupted.
    #[cfg(feature = "detection")]
    pub(super) fn units(&self, encoding: &'static Encoding) -> Option<WideUnits> {
        self.interruptions.as_ref()?.units(encoding)
    }

    /// Returns the offset from which on the code units are uninterrupted.
    #[cfg(feature = "detection")]
    pub(super) fn units_since(&self) -> Option<u64> {
        self.interruptions.as_ref().map(|interruptions| interruptions.since)
    }

    /// Whether the text at `offset` must be judged by bytes before it that other threads do not have.
    #[cfg(feature = "detection")]
    pub(super) fn is_judged_alone(&self, offset: u64) -> bool {
        self.interruptions
            .as_ref()
            .is_some_and(|interruptions| interruptions.is_judged_alone(offset))
    }

    /// Whether a single thread must convert the text. This and the next two are what `window.rs` asks before it lets
    /// other threads convert: whether they ever may, whether they may now, and whether what one of them has made of a
    /// piece can be used.
    pub(super) fn is_for_one_thread(&mut self) -> bool {
        self.each().any(|segmenter| segmenter.is_for_one_thread())
    }

    /// Whether a single thread must convert what comes next.
    pub(super) fn waits(&mut self) -> bool {
        self.each().any(|segmenter| segmenter.waits())
    }

    /// Whether a segment is known to begin before the offset `end`. A thread that has converted a piece up to there did
    /// not know of it, so its output is not used.
    pub(super) fn reaches(&mut self, end: u64) -> bool {
        self.each().any(|segmenter| segmenter.reaches(end))
    }
}

#[cfg(test)]
mod tests;
