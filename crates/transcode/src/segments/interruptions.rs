//! What is known of what interrupts a text in UTF-16 or UTF-32: text in units of one byte, and bytes that are no whole
//! unit.
//!
//! Text is converted first, and judged after: the kernel that measures it counts the signs as well (`interruption_signs.rs` of the
//! kernels). Text with a sign that is judged to be an interruption is converted again, up to it. So sound text pays
//! nothing.

use std::borrow::Cow;
use std::ops::Range;

use super::super::context_buffer::keep_last;
use super::super::conversion::Conversion;
use super::super::policy::OnMojibake;
use crate::io::Chunk;
use oxiconv_detect::detection::{Interruption, NextInterruption, OrdinaryText, WideUnits};
use oxiconv_encodings::encoding::Encoding;

/// Bytes after a place that may be needed to judge it: a sign after it may belong to it.
const AHEAD: usize = 2 * WideUnits::LOOK + 64;
/// Bytes that are looked at before they are converted: they stay in the nearest caches.
const MOST: usize = if cfg!(fuzzing) { 128 } else { 128 * 1024 };
/// The same after an interruption, or if the text before must be copied to be at hand.
const LEAST: usize = if cfg!(fuzzing) { 16 } else { 4 * 1024 };
/// Bytes that are worth converting before they are looked at.
const WORTH: usize = if cfg!(fuzzing) { 16 } else { 256 };

/// What is known of the interruptions in one input.
pub(in super::super) struct Interruptions {
    /// The offset up to which all of them are known.
    pub(in super::super) settled: u64,
    /// The offset up to which signs of them are judged.
    judged: u64,
    /// The next one, with its offset.
    pub(in super::super) found: Option<(u64, Interruption)>,
    /// The part in units of one byte that the text is in.
    pub(in super::super) narrow: Option<NarrowPart>,
    /// Whether the text is in the other byte order, in which nothing interrupts it.
    pub(in super::super) is_swapped: bool,
    /// The offset where the units begin: that of the text, or of the end of the last interruption.
    pub(in super::super) since: u64,
    /// The last bytes before the present chunk.
    before: Vec<u8>,
    /// Bytes to look at next.
    step: usize,
    /// The offset up to which text is looked at before it is converted: there it is interrupted, or not all clean.
    closely_to: u64,
    /// Whether the line of a part in units of one byte, which was found last, is surely one.
    pub(in super::super) line_is_clear: bool,
    /// What repairs must be proved by, if there may be some.
    proof: Option<Proof>,
}

/// The text that repairs are proved by.
#[derive(Default)]
struct Proof {
    /// The text since the first byte that was repaired: from there on, all must be ordinary.
    text: Option<OrdinaryText>,
    /// The text around the last interruption.
    around: OrdinaryText,
    /// Whether something was not.
    has_failed: bool,
}

/// A part in units of one byte.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct NarrowPart {
    /// Whether its first line was reported.
    pub(in super::super) is_reported: bool,
    /// Whether it is proved where it begins.
    pub(in super::super) is_proved: bool,
}

impl Interruptions {
    /// Returns what is known of a text in `encoding` before it is read; `None` if that has no wide units, or if they are taken
    /// as they are.
    pub(in super::super) fn of(
        conversion: &Conversion,
        encoding: &'static Encoding,
    ) -> Option<Self> {
        let options = &conversion.options;
        let as_they_are = options.reading.keeps_units || options.reading.record_length.is_some();
        let repairs = options.on_mojibake == OnMojibake::Repair;
        WideUnits::of(encoding).filter(|_| !as_they_are).map(|_| Self {
            settled: 0,
            judged: 0,
            found: None,
            narrow: None,
            is_swapped: false,
            since: 0,
            before: Vec::new(),
            step: WideUnits::LOOK,
            closely_to: 0,
            line_is_clear: false,
            proof: repairs.then(Proof::default),
        })
    }

    /// Keeps the end of the bytes that are passed, which the text after them is judged by.
    pub(in super::super) fn keep(&mut self, bytes: &[u8]) {
        keep_last(&mut self.before, bytes, WideUnits::LOOK);
    }

    /// Returns what the text from byte `at` of the chunk on is judged by, and up to where, if it may be converted before it
    /// is looked at: that takes no time, since it is measured anyway, and what is interrupted is converted again.
    pub(in super::super) fn ahead<'c>(
        &self,
        units: WideUnits,
        base: u64,
        chunk: &Chunk<'c>,
        range: Range<usize>,
    ) -> Option<(usize, Around<'c>)> {
        let Range { start: at, end: limit } = range;
        let offset = base + at as u64;
        let limit =
            if chunk.last { limit } else { limit.min(chunk.bytes.len().saturating_sub(AHEAD)) };
        let start = at.checked_sub((offset - self.since).min(WideUnits::LOOK as u64) as usize)?;
        let judged = at - start + self.judged.saturating_sub(offset) as usize;
        (self.proof.is_none() && offset >= self.closely_to && limit >= at + WORTH).then(|| {
            let text = &chunk.bytes[start..];
            (limit, Around { units, text, at: at - start, judged, last: chunk.last })
        })
    }

    /// Looks at the text up to this offset before it is converted, or at least at some of it.
    pub(in super::super) fn look_closely(&mut self, offset: u64, bytes: usize) {
        self.closely_to = offset + bytes.max(LEAST) as u64;
    }

    /// Looks at the text at `range` of the chunk, whose start is at the offset `base`, for the next interruption. `is_cut` says
    /// that the text goes on after the last chunk. Returns up to where it may be converted.
    #[inline(never)]
    pub(in super::super) fn look_at(
        &mut self,
        units: WideUnits,
        base: u64,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        is_cut: bool,
    ) -> usize {
        let at = range.start;
        let before = (base + at as u64 - self.since).min(WideUnits::LOOK as u64) as usize;
        let start = at.checked_sub(before);
        let step = if start.is_some() { self.step } else { LEAST.min(self.step) };
        let limit = range.end.min(at + step);
        let end = chunk.bytes.len().min(limit + AHEAD);
        let text = match start {
            Some(start) => Cow::Borrowed(&chunk.bytes[start..end]),
            None => {
                let kept = self.before.len().saturating_sub(before - at);
                Cow::Owned([&self.before[kept..], &chunk.bytes[..end]].concat())
            }
        };
        let judged = before + self.judged.saturating_sub(base + at as u64) as usize;
        let ends = chunk.last && end == chunk.bytes.len();
        let last = ends && !is_cut;
        let next = match (Around { units, text: &text, at: before, judged, last }).look(limit - at)
        {
            // What would tell is not in this piece.
            NextInterruption::None { .. } if ends => {
                NextInterruption::None { clean: text.len(), judged: text.len() }
            }
            next => next,
        };
        self.step = (2 * self.step).min(MOST);
        let start = base + at as u64 - before as u64;
        let (clean, found) = match next {
            NextInterruption::None { clean, judged } => {
                self.judged = start + judged as u64;
                (clean, None)
            }
            NextInterruption::At(clean, what) => (clean, Some(what)),
        };
        // What was ordinary before is looked at once.
        let settled = before + self.settled.saturating_sub(base + at as u64) as usize;
        let proof = self.proof.as_mut();
        let strange = proof
            .and_then(|proof| proof.text.as_mut())
            .and_then(|ordinary| units.strange(ordinary, &text[settled.min(clean)..clean]));
        let (clean, found) = match strange {
            Some((in_text, what)) => (settled + in_text, Some(what)),
            None => (clean, found),
        };
        self.settled = start + clean as u64;
        if let Some(what) = found {
            self.find(units, what, &text, clean);
        }
        limit.min(at + clean.saturating_sub(before))
    }

    /// Takes note of what interrupts the text at the offset `settled`, which is byte `at` of `text`.
    #[cold]
    pub(in super::super) fn find(
        &mut self,
        units: WideUnits,
        what: Interruption,
        text: &[u8],
        at: usize,
    ) {
        let what = match &mut self.proof {
            Some(proof) if !proof.has_failed => {
                let (before, rest) = text.split_at(at);
                let before = &before[before.len().saturating_sub(WideUnits::LOOK)..];
                let (what, around) = units.prove(what, before, rest);
                proof.around = around;
                what
            }
            _ => what,
        };
        self.found = Some((self.settled, what));
    }

    /// Begins with the wide units at this offset.
    pub(in super::super) fn begin_units(&mut self, offset: u64) {
        (self.since, self.settled, self.judged) = (offset, offset, offset);
        self.step = LEAST;
    }

    /// Moves past bytes that are no whole unit, up to this offset.
    pub(in super::super) fn pass_stray(&mut self, offset: u64, is_repaired: bool) {
        self.begin_units(offset);
        if let Some(proof) = &mut self.proof {
            proof.has_failed |= !is_repaired;
            proof.text = (!proof.has_failed).then_some(proof.around);
        }
    }

    /// Whether the text is inside a part in units of one byte, or all of it must be proved, which is no work for other threads.
    pub(in super::super) fn is_in_part(&self) -> bool {
        self.narrow.is_some() || self.proof.as_ref().is_some_and(|proof| proof.text.is_some())
    }

    /// Whether other threads do not have enough of the text before byte `offset` to judge what follows.
    pub(in super::super) fn is_judged_alone(&self, offset: u64) -> bool {
        offset - self.since < WideUnits::LOOK as u64
    }
}

/// The text around bytes to convert, by which it is judged what interrupts them.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Around<'t> {
    units: WideUnits,
    text: &'t [u8],
    /// Where the bytes to convert begin in it.
    at: usize,
    /// Signs before this byte of it are judged.
    judged: usize,
    /// Whether nothing follows.
    last: bool,
}

impl<'t> Around<'t> {
    /// Returns the same for another thread, of a piece that begins at byte `at` of a text.
    pub(in super::super) fn of_piece(units: WideUnits, text: &Chunk<'t>, at: usize) -> Self {
        let start = at.saturating_sub(WideUnits::LOOK);
        let at = at - start;
        Self { units, text: &text.bytes[start..], at, judged: at, last: text.last }
    }

    /// Returns the same for what is left after so many of the bytes to convert.
    pub(in super::super) fn after(self, bytes: usize) -> Self {
        let at = self.at + bytes;
        Self { at, judged: self.judged.max(at), ..self }
    }

    /// Whether so many of the bytes to convert, which have these signs, can be converted: nothing interrupts them, and they
    /// belong to nothing that follows.
    pub(in super::super) fn goes_on_after(&self, bytes: usize, signs: usize) -> bool {
        let next = self.next(bytes, signs);
        let (NextInterruption::None { clean, .. } | NextInterruption::At(clean, _)) = next;
        clean >= self.at + bytes
    }

    /// Returns the number of bytes that can be converted, of at most so many.
    pub(in super::super) fn uninterrupted(&self, most: usize) -> usize {
        let next = self.look(most);
        let (NextInterruption::None { clean, .. } | NextInterruption::At(clean, _)) = next;
        clean.saturating_sub(self.at).min(most)
    }

    /// Returns what interrupts the text next, if so many of its bytes are to be converted.
    fn look(&self, bytes: usize) -> NextInterruption {
        let signs = self.units.measure(&self.text[self.at..self.at + bytes]).signs;
        self.next(bytes, signs)
    }

    /// The same of bytes that have these signs.
    fn next(&self, bytes: usize, signs: usize) -> NextInterruption {
        let from = self.at + bytes - bytes % self.units.width();
        let end = self.text.len().min(self.at + bytes + AHEAD);
        let is_quiet = signs + self.units.measure(&self.text[from..end]).signs == 0;
        let last = self.last && end == self.text.len();
        self.units.next(&self.text[..end], self.judged, last, is_quiet)
    }
}
