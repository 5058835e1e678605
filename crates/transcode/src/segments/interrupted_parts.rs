//! The segmenter of text in UTF-16 and UTF-32 that is interrupted by other bytes: text in single bytes, or bytes that
//! are no whole code unit. `interruptions.rs` finds them before the engine reaches them.
//!
//! ```text
//! look ─► units_to: the next interruption ─► the engine, up to it
//!      ─► convert: a finding, and its remedy; the wide units continue after it
//! ```
//!
//! An interruption is a fault like an ill-formed sequence. A part in single bytes is one finding, however long; each of
//! its lines is a segment. With `--repair`, its lines are read as UTF-8, and stray bytes are replaced by what they are
//! left of, if that is certain. What is not repaired remains ill-formed.

use std::ops::Range;

use super::super::pipeline_exit::Passed;
use super::super::policy::OnMojibake;
use super::super::remedy::Remedy;
use super::super::segment::{Beyond, SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use super::interruptions::{Around, Interruptions, NarrowPart};
use crate::diagnostic::{Finding, Kind, Outcome};
use crate::io::Chunk;
use oxiconv_detect::detection::{Interruption, Meant, NextNarrow, ShiftedStart, WideUnits};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, IllFormedKind};

/// If fewer bytes than this are settled, more text is judged before the engine continues. No sequence is longer, so the
/// engine always gets a whole one.
const NEAR: u64 = 64;

/// What is at a place of the text.
enum InterruptionCheck {
    /// Wide units.
    Units,
    /// Wide units, after a part in single bytes that has just ended.
    UnitsAgain,
    /// More of the text must be read to tell.
    Unknown,
    /// An interruption: these bytes of the chunk.
    At(Range<usize>),
}

impl Interruptions {
    /// Returns the code units of a text in `encoding`, if it may be interrupted.
    pub(in super::super) fn units(&self, encoding: &'static Encoding) -> Option<WideUnits> {
        if self.is_swapped { None } else { WideUnits::of(encoding) }
    }

    /// Returns how much of the chunk between `at` and `limit` the engine may convert: up to the next interruption, or
    /// what may be one. On the fast path, also returns what the engine has to judge the text by.
    ///
    /// The checks are ordered by what is known already, and each of them ends the search:
    ///
    /// 1. Inside a part in single bytes, nothing is for the engine. [`Self::place`] follows the part line by line.
    /// 2. An interruption was found, and the engine has not reached it. It is the limit.
    /// 3. Enough text is settled.
    /// 4. At the start of a text, bytes may be missing, so that all of its units are shifted. No sound text comes
    ///    before them, by which a sign could be judged, so this is examined separately.
    /// 5. The fast path: the engine may convert first.
    /// 6. The careful path: the next piece is judged now.
    fn units_to<'c>(
        &mut self,
        units: WideUnits,
        view: &View<'_, 'c>,
        at: usize,
        limit: usize,
    ) -> (usize, Option<Around<'c>>) {
        let View { chunk, base, .. } = *view;
        if self.narrow.is_some() {
            return (at, None);
        }
        match self.found {
            Some((offset, _)) if offset >= base + at as u64 => {
                return (limit.min((offset - base) as usize), None);
            }
            // The engine has passed it, since it begins inside of a character.
            Some(_) => {
                self.found = None;
                self.begin_units(base + at as u64);
            }
            None => {}
        }
        let offset = base + at as u64;
        if self.settled >= offset + NEAR {
            return (limit.min((self.settled - base) as usize), None);
        }
        if at >= limit {
            return (limit, None);
        }
        if self.settled == 0 {
            self.since = offset;
            let end = chunk.bytes.len().min(at + 2 * WideUnits::LOOK);
            let (start, last) = (&chunk.bytes[at..end], chunk.last && end == chunk.bytes.len());
            match units.shifted_start(start, offset > 0, last) {
                ShiftedStart::No => {}
                ShiftedStart::Unknown => return (at, None),
                ShiftedStart::Swapped => {
                    self.is_swapped = true;
                    return (limit, None);
                }
                ShiftedStart::Yes(stray) => {
                    self.settled = offset;
                    self.find(units, Interruption::Stray(stray), start, 0);
                    return (at, None);
                }
            }
        }
        // The start of a text is always judged first.
        if self.settled > 0
            && view.measures
            && let Some((limit, around)) = self.ahead(units, base, chunk, at..limit)
        {
            return (limit, Some(around));
        }
        (self.look_at(units, base, chunk, at..limit, view.goes_on), None)
    }

    /// Returns what is at byte `at` of the chunk. A part in single bytes is followed line by line until it ends: each
    /// line is a segment, and where no further line follows, the wide units begin anew.
    #[inline(never)]
    fn place(&mut self, units: WideUnits, view: &View<'_, '_>, at: usize) -> InterruptionCheck {
        let (chunk, offset) = (view.chunk, view.base + at as u64);
        if let Some((found, what)) = self.found
            && found == offset
        {
            match what {
                Interruption::Stray(stray) => {
                    let end = (at + stray.len).min(chunk.bytes.len());
                    return InterruptionCheck::At(at..end);
                }
                Interruption::Narrow { is_proved } => {
                    self.narrow.get_or_insert(NarrowPart { is_proved, is_reported: false });
                }
            }
        }
        if self.narrow.is_none() {
            return InterruptionCheck::Units;
        }
        match units.next_narrow(&chunk.bytes[at..], self.found.is_some(), chunk.last) {
            NextNarrow::Unknown => InterruptionCheck::Unknown,
            NextNarrow::Line(len) => self.line_at(at..at + len, true),
            NextNarrow::Unclear(len) => self.line_at(at..at + len, false),
            NextNarrow::End => {
                self.narrow = None;
                self.found = None;
                self.begin_units(offset);
                InterruptionCheck::UnitsAgain
            }
        }
    }

    /// Records a line of a part in single bytes, and whether it is certain to be one.
    fn line_at(&mut self, range: Range<usize>, is_clear: bool) -> InterruptionCheck {
        self.line_is_clear = is_clear;
        InterruptionCheck::At(range)
    }

    /// Takes the interruption that was found last. Its bytes reach up to the offset `end`. Only the first line of a
    /// part in single bytes was found by the search. For the lines after it `found` is empty, and they are proved if
    /// the part is and they are clearly lines of it.
    fn take(&mut self, end: u64) -> Interruption {
        let found = self.found.take();
        self.settled = end;
        match (self.narrow, found) {
            (None, Some((_, stray))) => stray,
            (narrow, _) => {
                let is_proved = narrow.is_some_and(|part| part.is_proved) && self.line_is_clear;
                Interruption::Narrow { is_proved }
            }
        }
    }
}

impl Segmenter for Interruptions {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        let Some(units) = self.units(view.encoding) else { return SegmentLookahead::Clear(limit) };
        let (clean, around) = self.units_to(units, view, at, limit);
        match self.place(units, view, at) {
            // Nothing is clear: the next units may belong to a line in single bytes that is not complete yet.
            InterruptionCheck::Units if clean == at && at < limit => SegmentLookahead::Wait,
            InterruptionCheck::Units => match around {
                Some(around) => SegmentLookahead::Likely(clean, around),
                None => SegmentLookahead::Clear(clean),
            },
            InterruptionCheck::UnitsAgain => SegmentLookahead::Again,
            InterruptionCheck::Unknown => SegmentLookahead::Wait,
            InterruptionCheck::At(range) => SegmentLookahead::Segment(range),
        }
    }

    /// Reports the interruption at `range` of the chunk, and applies its remedy. The text that was meant is written
    /// only if that is certain, and with `--repair`. Otherwise the bytes are ill-formed like any others: the conversion
    /// stops, or the remedy for ill-formed bytes is applied.
    ///
    /// Afterwards the position moves by the characters that the bytes stand for, if they stand for any, or by one per
    /// byte if they cannot be read.
    #[cold]
    #[inline(never)]
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        let bytes = &chunk.bytes[range.clone()];
        let end = walk.text.offset + range.end as u64;
        let what = self.take(end);
        let (kind, read, is_proved) = match what {
            Interruption::Narrow { is_proved } => {
                (IllFormedKind::OtherUnits, read_narrow(bytes), is_proved)
            }
            Interruption::Stray(stray) => {
                let meant = match stray.meant {
                    Meant::Unknown => None,
                    Meant::Nothing => Some(Vec::new()),
                    Meant::Character(cp) => Some(vec![cp]),
                };
                (IllFormedKind::Misaligned, meant, stray.is_proved)
            }
        };
        let kind = Kind::IllFormed(kind);
        // A part in single bytes is reported with its first line. The others get the same remedy without a finding,
        // unless the conversion stops at one: that one must be reported.
        let goes_on = matches!(what, Interruption::Narrow { .. })
            && self.narrow.is_some_and(|part| part.is_reported);
        let may_repair = walk.conversion.options.on_mojibake == OnMojibake::Repair;
        let meant = read.clone().filter(|_| is_proved && may_repair);
        let repairs = meant.is_some();
        let remedies = walk.remedies;
        let remedy = match &meant {
            Some(meant) => Remedy::Repair(meant.clone()),
            None => remedies.for_ill_formed(bytes),
        };
        let goes_on = goes_on && remedy != Remedy::Stop;
        walk.settle(FollowedBy::Break)?;
        if !goes_on {
            let fault = Finding::new(kind).stopping(remedy == Remedy::Stop);
            walk.report(fault.with(remedies.lacking(bytes)), chunk, range.clone())?;
            if let Some(part) = &mut self.narrow {
                part.is_reported = true;
            }
        }
        match remedy {
            Remedy::Repair(characters) => {
                walk.repaired(chunk, range, &characters)?;
                if repairs {
                    walk.text.findings.summary.repaired += u64::from(!goes_on);
                } else if !goes_on {
                    walk.text.findings.count_outcome(kind, Outcome::ReadByFallback);
                }
            }
            remedy if goes_on => drop(walk.exit().write(remedy)?),
            remedy => walk.apply(kind, remedy)?,
        }
        if let Interruption::Stray(_) = what {
            self.pass_stray(end, repairs);
        }
        // Line ends in single bytes count as line ends of the text.
        walk.pass(&read.unwrap_or_else(|| bytes.iter().map(|byte| (*byte).into()).collect()));
        Ok(bytes.len())
    }

    /// Bytes that have not been judged may not be wide units, so they are no lookahead.
    fn beyond(&self, view: &View<'_, '_>, _: usize, _: usize) -> Beyond {
        match self.found.is_none() && self.units(view.encoding).is_some() {
            true => Beyond::Unknown,
            false => Beyond::Text,
        }
    }

    fn pass(&mut self, bytes: &[u8], _: u64) {
        self.keep(bytes);
    }

    fn waits(&self) -> bool {
        self.is_in_part()
    }

    fn reaches(&self, end: u64) -> bool {
        self.is_in_part() || self.found.is_some_and(|(offset, _)| offset < end)
    }
}

/// Decodes a line in single bytes, if it is UTF-8.
fn read_narrow(bytes: &[u8]) -> Option<Vec<CodePoint>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.chars().map(CodePoint::from).collect())
}
