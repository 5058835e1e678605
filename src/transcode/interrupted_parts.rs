//! The layer for text in UTF-16 and UTF-32 with other bytes in it: text in units of one byte, and bytes that are no whole
//! unit. `detection/interrupted.rs` finds them, before the engine reaches them.
//!
//! ```text
//! convert: ─► units_to: the next interruption ─► the engine, up to it
//!          ─► convert_interruption: a finding, and its remedy; the text goes on after it
//! ```
//!
//! Each is a fault like one that is ill-formed. A part in units of one byte is one finding, and its lines are one place
//! each. Under `--repair`, its bytes are read as UTF-8 and bytes that are no whole unit become what they stood for, if
//! that is certain; otherwise it stays ill-formed.

use std::ops::Range;

use super::error::Error;
use super::interruptions::{Around, NarrowPart};
use super::policy::OnMojibake;
use super::remedy::Remedy;
use super::session::{Flow, Session};
use crate::detection::{Interruption, Meant, NextNarrow, ShiftedStart, WideUnits};
use crate::diagnostic::{Finding, Kind, Outcome};
use crate::io::Chunk;
use crate::unicode::{CodePoint, IllFormedKind};

/// Bytes before what is known at which more is looked at: no sequence of characters is longer.
const NEAR: u64 = 64;

/// What is at the present place.
pub(super) enum NextPlace {
    /// Text in wide units.
    Units,
    /// The same, after a part in units of one byte.
    UnitsAgain,
    /// More of the text must be read before that is known.
    Unknown,
    /// An interruption of these bytes.
    At(Range<usize>, Interruption),
}

impl Session<'_, '_> {
    /// Returns the units of the text, if it may be interrupted.
    pub(super) fn units(&self) -> Option<WideUnits> {
        let as_they_are = self.conversion.options.keeps_units
            || self.text.records.is_some()
            || self.text.interruptions.is_swapped;
        (!as_they_are).then(|| WideUnits::of(self.text.findings.encoding)).flatten()
    }

    /// Returns how much of the chunk before `limit` the engine may convert, up to the first interruption after byte `at` or
    /// what may be one; or what the engine is to judge that by.
    pub(super) fn units_to<'c>(
        &mut self,
        chunk: &Chunk<'c>,
        at: usize,
        limit: usize,
    ) -> (usize, Option<Around<'c>>) {
        let Some(units) = self.units() else { return (limit, None) };
        let (base, is_cut) = (self.text.offset, self.text.goes_on());
        let interruptions = &mut self.text.interruptions;
        if interruptions.narrow.is_some() {
            return (at, None);
        }
        match interruptions.found {
            Some((offset, _)) if offset >= base + at as u64 => {
                return (limit.min((offset - base) as usize), None);
            }
            // It began inside of a character.
            Some(_) => {
                interruptions.found = None;
                interruptions.begin_units(base + at as u64);
            }
            None => {}
        }
        let offset = base + at as u64;
        // What this cuts is whole a little later.
        if interruptions.settled >= offset + NEAR {
            return (limit.min((interruptions.settled - base) as usize), None);
        }
        if at >= limit {
            return (limit, None);
        }
        if interruptions.settled == 0 {
            interruptions.since = offset;
            let end = chunk.bytes.len().min(at + 2 * WideUnits::LOOK);
            let (start, last) = (&chunk.bytes[at..end], chunk.last && end == chunk.bytes.len());
            match units.shifted_start(start, offset > 0, last) {
                ShiftedStart::No => {}
                ShiftedStart::Unknown => return (at, None),
                ShiftedStart::Swapped => {
                    interruptions.is_swapped = true;
                    return (limit, None);
                }
                ShiftedStart::Yes(stray) => {
                    interruptions.settled = offset;
                    interruptions.find(units, Interruption::Stray(stray), start, 0);
                    return (at, None);
                }
            }
        }
        // The start is always looked at.
        if interruptions.settled > 0
            && self.engine.takes_direct()
            && let Some((limit, around)) = interruptions.ahead(units, base, chunk, at..limit)
        {
            return (limit, Some(around));
        }
        (interruptions.look(units, base, chunk, at..limit, is_cut), None)
    }

    /// Returns the bytes that the engine may look at from byte `at` of the chunk on, if it converts those up to `clean`, and
    /// whether the text ends after them: those that are held back are not known yet.
    pub(super) fn ahead_of<'c>(
        &self,
        chunk: &Chunk<'c>,
        at: usize,
        clean: usize,
        limit: usize,
    ) -> (&'c [u8], bool) {
        let holds = self.text.interruptions.found.is_none() && self.units().is_some();
        match holds && clean < limit && !chunk.last {
            true => (&chunk.bytes[at..clean], false),
            false => (&chunk.bytes[at..], chunk.last),
        }
    }

    /// Returns what is at byte `at` of the chunk.
    #[inline(never)]
    pub(super) fn next_place(&mut self, chunk: &Chunk<'_>, at: usize) -> NextPlace {
        let base = self.text.offset;
        let offset = base + at as u64;
        let interruptions = &mut self.text.interruptions;
        if let Some((found, what)) = interruptions.found
            && found == offset
        {
            match what {
                Interruption::Stray(stray) => {
                    let end = (at + stray.len).min(chunk.bytes.len());
                    interruptions.found = None;
                    interruptions.settled = base + end as u64;
                    return NextPlace::At(at..end, what);
                }
                Interruption::Narrow { is_proved } => {
                    interruptions.narrow = Some(NarrowPart { is_proved, is_reported: false });
                }
            }
        }
        if interruptions.narrow.is_none() {
            return NextPlace::Units;
        }
        let begins = interruptions.found.is_some();
        let Some(units) = self.units() else { return NextPlace::Units };
        match units.next_narrow(&chunk.bytes[at..], begins, chunk.last) {
            NextNarrow::Unknown => NextPlace::Unknown,
            NextNarrow::Line(len) => self.line_at(at..at + len, true),
            NextNarrow::Unclear(len) => self.line_at(at..at + len, false),
            NextNarrow::End => {
                let interruptions = &mut self.text.interruptions;
                interruptions.narrow = None;
                interruptions.found = None;
                interruptions.begin_units(offset);
                NextPlace::UnitsAgain
            }
        }
    }

    /// Moves past a line of a part in units of one byte.
    fn line_at(&mut self, range: Range<usize>, is_clear: bool) -> NextPlace {
        let end = self.text.offset + range.end as u64;
        let interruptions = &mut self.text.interruptions;
        interruptions.found = None;
        interruptions.settled = end;
        let is_proved = is_clear && interruptions.narrow.is_some_and(|part| part.is_proved);
        NextPlace::At(range, Interruption::Narrow { is_proved })
    }

    /// Reports an interruption of the bytes at `range` of the chunk, and applies its remedy. What it stood for is written
    /// only if that is certain.
    #[cold]
    #[inline(never)]
    pub(super) fn convert_interruption(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        what: Interruption,
    ) -> Result<Flow, Error> {
        let (bytes, end) = (&chunk.bytes[range.clone()], range.end);
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
        let goes_on = matches!(what, Interruption::Narrow { .. })
            && self.text.interruptions.narrow.is_some_and(|part| part.is_reported);
        let may_repair = self.conversion.options.on_mojibake == OnMojibake::Repair;
        let meant = read.clone().filter(|_| is_proved && may_repair);
        let repairs = meant.is_some();
        let remedies = self.remedies;
        let remedy = match &meant {
            Some(meant) => Remedy::Repair(meant.clone()),
            None => remedies.for_ill_formed(bytes),
        };
        let goes_on = goes_on && remedy != Remedy::Stop;
        if let stop @ Flow::Stop(_) = self.settle_all()? {
            return Ok(stop);
        }
        if !goes_on {
            let fault = Finding::new(kind).stopping(remedy == Remedy::Stop);
            self.report(fault.with(remedies.lacking(bytes)), chunk, range.clone())?;
            if let Some(part) = &mut self.text.interruptions.narrow {
                part.is_reported = true;
            }
        }
        match remedy {
            Remedy::Stop => return Ok(Flow::Stop(range.start)),
            Remedy::Repair(characters) => {
                if let stop @ Flow::Stop(_) = self.repaired(chunk, range, &characters)? {
                    return Ok(stop);
                }
                if repairs {
                    self.text.findings.summary.repaired += u64::from(!goes_on);
                } else if !goes_on {
                    self.text.findings.count_outcome(kind, Outcome::ReadByFallback);
                }
            }
            remedy if goes_on => drop(self.write_remedy(remedy)?),
            remedy => self.apply(kind, remedy)?,
        }
        if let Interruption::Stray(_) = what {
            let end = self.text.offset + end as u64;
            self.text.interruptions.pass_stray(end, repairs);
        }
        // The lines of the part are lines of the text.
        self.pass(&read.unwrap_or_else(|| bytes.iter().map(|byte| (*byte).into()).collect()));
        Ok(Flow::On)
    }
}

/// Reads a line in units of one byte, if it is UTF-8.
fn read_narrow(bytes: &[u8]) -> Option<Vec<CodePoint>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.chars().map(CodePoint::from).collect())
}
