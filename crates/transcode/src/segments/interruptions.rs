//! Interruptions of text in UTF-16 and UTF-32: text in single bytes, and bytes that are no whole code unit. This file
//! keeps what is known of them in one text. `detection/unit_interruptions.rs` judges, and `interrupted_parts.rs` deals
//! with what is found.
//!
//! Text is searched on two paths:
//!
//! ```text
//! fast      `ahead`: the engine converts up to a limit, its kernel counts signs on the way
//!             ├─ no sign ───────────────────────► done: sound text costs nothing extra
//!             └─ a sign that interrupts it ─► output dropped, `look_closely` ─┐
//! careful   `look_at`: a piece is judged before it is converted  ◄────────────┘
//! ```
//! The kernel measures the text anyway, and a sign (`interruption_signs.rs` of the kernels) is a byte 0A in an unusual
//! unit, which a text hardly ever has. The careful path is also taken at the start of a text or a chunk, after an
//! interruption, for a piece that is too short, and with `--repair`, where text must be judged closely to prove
//! repairs.

use std::borrow::Cow;
use std::ops::Range;

use super::super::context_buffer::keep_last;
use super::super::conversion::Conversion;
use super::super::policy::OnMojibake;
use crate::io::Chunk;
use oxiconv_detect::detection::{Interruption, NextInterruption, OrdinaryText, WideUnits};
use oxiconv_encodings::encoding::Encoding;

/// The number of bytes after a sign that may be needed to judge it.
const LOOKAHEAD: usize = 2 * WideUnits::LOOK + 64;
/// The most bytes to judge at a time before they are converted. They then stay in the nearest caches.
const MAX_STEP: usize = if cfg!(fuzzing) { 128 } else { 128 * 1024 };
/// The bytes to judge at first, and after an interruption, where another one is likely; also if bytes of the previous
/// chunk must be copied in front of them.
const MIN_STEP: usize = if cfg!(fuzzing) { 16 } else { 4 * 1024 };
/// The fewest bytes for which the fast path is worthwhile.
const MIN_UNEXAMINED: usize = if cfg!(fuzzing) { 16 } else { 256 };

/// The interruptions in one input.
pub(in super::super) struct Interruptions {
    /// The offset up to which all interruptions are known.
    pub(in super::super) settled: u64,
    /// The offset up to which signs have been judged. Those behind `settled` interrupt nothing, but the text there may
    /// belong to one that follows.
    judged: u64,
    /// The next interruption, with its offset.
    pub(in super::super) found: Option<(u64, Interruption)>,
    /// The part in single bytes that the text is inside of.
    pub(in super::super) narrow: Option<NarrowPart>,
    /// Whether the text turned out to be in the other byte order. It is then not searched.
    pub(in super::super) is_swapped: bool,
    /// The offset where uninterrupted units begin: the start of the text, or the end of the last interruption.
    pub(in super::super) since: u64,
    /// The last bytes before the current chunk.
    before: Vec<u8>,
    /// The number of bytes to judge next. It doubles from piece to piece.
    step: usize,
    /// The offset up to which the careful path is taken.
    closely_to: u64,
    /// Whether the last line found in a part in single bytes is certain to be one.
    pub(in super::super) line_is_clear: bool,
    /// The evidence for repairs, with `--repair`.
    proof: Option<Proof>,
}

/// The text that must prove a repair. Ordinary text on both sides proves that the units are aligned where they are
/// taken to be. After a repair, the proof continues with all text that follows, which a wrong repair would have
/// shifted.
#[derive(Default)]
struct Proof {
    /// The text since the first repair, all of which must be ordinary.
    text: Option<OrdinaryText>,
    around: OrdinaryText,
    /// Whether an interruption was not repaired. Nothing is proved after that.
    has_failed: bool,
}

#[derive(Clone, Copy, Default)]
pub(in super::super) struct NarrowPart {
    pub(in super::super) is_reported: bool,
    pub(in super::super) is_proved: bool,
}

impl Interruptions {
    /// Creates the search in a text in `encoding`. `None` if that has no wide units, or if they are to be taken as they
    /// are.
    pub(in super::super) fn of(
        conversion: &Conversion,
        encoding: &'static Encoding,
    ) -> Option<Self> {
        let options = &conversion.options;
        let as_they_are = options.reading.keeps_units || options.reading.records.is_some();
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

    /// Remembers the end of `bytes`, which have been passed: the text after them is judged by it.
    pub(in super::super) fn keep(&mut self, bytes: &[u8]) {
        keep_last(&mut self.before, bytes, WideUnits::LOOK);
    }

    /// Returns what the engine judges the text in `range` by if it converts that before it is looked at, and up to
    /// where it may. `None` if the careful path must be taken:
    ///
    /// * The [`WideUnits::LOOK`] bytes before the range, by which its first units are judged, are not all in this
    ///   chunk. The careful path joins them to the chunk; here, the text is only borrowed. They need not go back beyond
    ///   `since`, where the units begin.
    /// * The range is too short, after the bytes are subtracted that are needed as lookahead.
    /// * The engine has found a sign here before (`closely_to`).
    /// * With `--repair`, all text is looked at anyway.
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
            if chunk.last { limit } else { limit.min(chunk.bytes.len().saturating_sub(LOOKAHEAD)) };
        let start = at.checked_sub((offset - self.since).min(WideUnits::LOOK as u64) as usize)?;
        let judged = at - start + self.judged.saturating_sub(offset) as usize;
        (self.proof.is_none() && offset >= self.closely_to && limit >= at + MIN_UNEXAMINED).then(
            || {
                let text = &chunk.bytes[start..];
                (limit, Around { units, text, at: at - start, judged, last: chunk.last })
            },
        )
    }

    /// Takes the careful path for the next `bytes` bytes from `offset` on, where the engine has found a sign.
    pub(in super::super) fn look_closely(&mut self, offset: u64, bytes: usize) {
        self.closely_to = offset + bytes.max(MIN_STEP) as u64;
    }

    /// Judges the text at `range` of the chunk, which is at the offset `base`, and returns up to where it may be
    /// converted: to the next interruption, or as far as it has been judged. `is_cut` says that the text continues
    /// after the last chunk, so its end is no evidence.
    /// ```text
    ///       before        limit      end
    /// ├───────┼─────────────┼─────────┤
    ///   LOOK   this piece    LOOKAHEAD     `text`, which may have to be joined from two chunks
    /// ```
    ///
    /// The piece grows from call to call (`step`). Near the start of a text or after an interruption, another one is
    /// likely, and measuring a long piece would often be for nothing, so the first pieces are short. In sound text they
    /// soon reach [`MAX_STEP`]. If the text has to be joined, the piece stays short, because all of it is copied.
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
        let step = if start.is_some() { self.step } else { MIN_STEP.min(self.step) };
        let limit = range.end.min(at + step);
        let end = chunk.bytes.len().min(limit + LOOKAHEAD);
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
            // No further chunk comes, although the text goes on after this one. What this piece leaves open is taken
            // for sound.
            NextInterruption::None { .. } if ends => {
                NextInterruption::None { clean: text.len(), judged: text.len() }
            }
            next => next,
        };
        self.step = (2 * self.step).min(MAX_STEP);
        let start = base + at as u64 - before as u64;
        let (clean, found) = match next {
            NextInterruption::None { clean, judged } => {
                self.judged = start + judged as u64;
                (clean, None)
            }
            NextInterruption::At(clean, what) => (clean, Some(what)),
        };
        // Only new text is examined: what was ordinary before stays so.
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

    /// Records what interrupts the text at the offset `settled`, which is byte `at` of `text`, and judges whether it is
    /// proved.
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

    /// Starts anew at `offset`, where wide units begin. They are not judged by the text before it, which belongs to an
    /// interruption or is not known here.
    pub(in super::super) fn begin_units(&mut self, offset: u64) {
        (self.since, self.settled, self.judged) = (offset, offset, offset);
        self.step = MIN_STEP;
    }

    /// Passes bytes that are no whole unit, up to `offset`. If they were repaired, all text after them has to stay
    /// ordinary (see [`Proof`]). If they were not, the alignment of the text after them is not certain, so nothing more
    /// is proved.
    pub(in super::super) fn pass_stray(&mut self, offset: u64, is_repaired: bool) {
        self.begin_units(offset);
        if let Some(proof) = &mut self.proof {
            proof.has_failed |= !is_repaired;
            proof.text = (!proof.has_failed).then_some(proof.around);
        }
    }

    /// Whether the text is inside a part in single bytes, or everything in it must be proved. Neither is work for other
    /// threads.
    pub(in super::super) fn is_in_part(&self) -> bool {
        self.narrow.is_some() || self.proof.as_ref().is_some_and(|proof| proof.text.is_some())
    }

    /// Whether the units begin so close before `offset` that they limit how far back the text is judged. Other threads
    /// do not know where they begin, and would look too far back.
    pub(in super::super) fn is_judged_alone(&self, offset: u64) -> bool {
        offset - self.since < WideUnits::LOOK as u64
    }
}

/// The surroundings of bytes to convert, by which the engine or another thread judges whether they are interrupted.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Around<'t> {
    units: WideUnits,
    text: &'t [u8],
    /// The index in `text` of the bytes to convert.
    at: usize,
    /// The index up to which signs have been judged.
    judged: usize,
    /// Whether the text ends with `text`.
    last: bool,
}

impl<'t> Around<'t> {
    /// Returns the surroundings of a piece for another thread. It begins at byte `at` of `text`.
    pub(in super::super) fn of_piece(units: WideUnits, text: &Chunk<'t>, at: usize) -> Self {
        let start = at.saturating_sub(WideUnits::LOOK);
        let at = at - start;
        Self { units, text: &text.bytes[start..], at, judged: at, last: text.last }
    }

    /// Returns the surroundings of what is left when `bytes` bytes have been converted.
    pub(in super::super) fn after(self, bytes: usize) -> Self {
        let at = self.at + bytes;
        Self { at, judged: self.judged.max(at), ..self }
    }

    /// Whether the first `bytes` bytes, which have `signs` signs, may be converted: they are not interrupted, and do
    /// not belong to a line in single bytes that continues after them.
    pub(in super::super) fn goes_on_after(&self, bytes: usize, signs: usize) -> bool {
        let next = self.next(bytes, signs);
        let (NextInterruption::None { clean, .. } | NextInterruption::At(clean, _)) = next;
        clean >= self.at + bytes
    }

    /// Returns how many of the next `most` bytes may be converted.
    pub(in super::super) fn uninterrupted(&self, most: usize) -> usize {
        let next = self.look(most);
        let (NextInterruption::None { clean, .. } | NextInterruption::At(clean, _)) = next;
        clean.saturating_sub(self.at).min(most)
    }

    /// Returns what interrupts the text next, if its next `bytes` bytes are to be converted.
    fn look(&self, bytes: usize) -> NextInterruption {
        let signs = self.units.measure(&self.text[self.at..self.at + bytes]).signs;
        self.next(bytes, signs)
    }

    /// The same, for bytes in which `signs` signs have been counted.
    ///
    /// If neither these bytes nor the lookahead have a sign, `is_quiet` spares the search through them, which is the
    /// usual case. The count covers whole units only, so measuring the lookahead begins with the unit that the bytes
    /// may end inside of.
    fn next(&self, bytes: usize, signs: usize) -> NextInterruption {
        let from = self.at + bytes - bytes % self.units.width();
        let end = self.text.len().min(self.at + bytes + LOOKAHEAD);
        let is_quiet = signs + self.units.measure(&self.text[from..end]).signs == 0;
        let last = self.last && end == self.text.len();
        self.units.next(&self.text[..end], self.judged, last, is_quiet)
    }
}
