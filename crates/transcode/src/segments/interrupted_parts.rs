//! The segmenter of text in UTF-16 and UTF-32 with other bytes in it: text in units of one byte, and bytes that are no
//! whole unit. `detection/interrupted.rs` finds them, before the engine reaches them.
//!
//! ```text
//! look: ─► units_to: the next interruption ─► the engine, up to it
//!       ─► convert: a finding, and its remedy; the text goes on after it
//! ```
//!
//! Each is a fault like one that is ill-formed. A part in units of one byte is one finding, and its lines are one place
//! each. Under `--repair`, its bytes are read as UTF-8 and bytes that are no whole unit become what they stood for, if
//! that is certain; otherwise it stays ill-formed.

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

/// Bytes before what is known at which more is looked at: no sequence of characters is longer.
const NEAR: u64 = 64;

/// What is at a place.
enum Place {
    /// Text in wide units.
    Units,
    /// The same, after a part in units of one byte.
    UnitsAgain,
    /// More of the text must be read before that is known.
    Unknown,
    /// An interruption of these bytes.
    At(Range<usize>),
}

impl Interruptions {
    /// Returns the units of a text in `encoding`, if it may be interrupted.
    pub(in super::super) fn units(&self, encoding: &'static Encoding) -> Option<WideUnits> {
        if self.is_swapped { None } else { WideUnits::of(encoding) }
    }

    /// Returns how much of the chunk before `limit` the engine may convert, up to the first interruption after byte `at` or
    /// what may be one; or what the engine is to judge that by.
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
            // It began inside of a character.
            Some(_) => {
                self.found = None;
                self.begin_units(base + at as u64);
            }
            None => {}
        }
        let offset = base + at as u64;
        // What this cuts is whole a little later.
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
        // The start is always looked at.
        if self.settled > 0
            && view.measures
            && let Some((limit, around)) = self.ahead(units, base, chunk, at..limit)
        {
            return (limit, Some(around));
        }
        (self.look_at(units, base, chunk, at..limit, view.goes_on), None)
    }

    /// Returns what is at byte `at` of the chunk.
    #[inline(never)]
    fn place(&mut self, units: WideUnits, view: &View<'_, '_>, at: usize) -> Place {
        let (chunk, offset) = (view.chunk, view.base + at as u64);
        if let Some((found, what)) = self.found
            && found == offset
        {
            match what {
                Interruption::Stray(stray) => {
                    let end = (at + stray.len).min(chunk.bytes.len());
                    return Place::At(at..end);
                }
                Interruption::Narrow { is_proved } => {
                    self.narrow.get_or_insert(NarrowPart { is_proved, is_reported: false });
                }
            }
        }
        if self.narrow.is_none() {
            return Place::Units;
        }
        match units.next_narrow(&chunk.bytes[at..], self.found.is_some(), chunk.last) {
            NextNarrow::Unknown => Place::Unknown,
            NextNarrow::Line(len) => self.line_at(at..at + len, true),
            NextNarrow::Unclear(len) => self.line_at(at..at + len, false),
            NextNarrow::End => {
                self.narrow = None;
                self.found = None;
                self.begin_units(offset);
                Place::UnitsAgain
            }
        }
    }

    /// Takes note of a line of a part in units of one byte.
    fn line_at(&mut self, range: Range<usize>, is_clear: bool) -> Place {
        self.line_is_clear = is_clear;
        Place::At(range)
    }

    /// Takes the interruption of the bytes up to the offset `end`, which was found last.
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
            // What is next may belong to what follows it.
            Place::Units if clean == at && at < limit => SegmentLookahead::Wait,
            Place::Units => match around {
                Some(around) => SegmentLookahead::Likely(clean, around),
                None => SegmentLookahead::Clear(clean),
            },
            Place::UnitsAgain => SegmentLookahead::Again,
            Place::Unknown => SegmentLookahead::Wait,
            Place::At(range) => SegmentLookahead::Segment(range),
        }
    }

    /// Reports an interruption of the bytes at `range` of the chunk, and applies its remedy. What it stood for is written
    /// only if that is certain.
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
        // The lines of the part are lines of the text.
        walk.pass(&read.unwrap_or_else(|| bytes.iter().map(|byte| (*byte).into()).collect()));
        Ok(bytes.len())
    }

    /// Bytes that were not looked at yet may interrupt the units.
    fn beyond(&self, view: &View<'_, '_>, _: usize, _: usize) -> Beyond {
        match self.found.is_none() && self.units(view.encoding).is_some() {
            true => Beyond::Unknown,
            false => Beyond::Text,
        }
    }

    /// Keeps the end of the bytes that are passed, which the text after them is judged by.
    fn pass(&mut self, bytes: &[u8], _: u64) {
        self.keep(bytes);
    }

    /// Whether the text is inside a part in units of one byte, or all of it must be proved, which is no work for other threads.
    fn waits(&self) -> bool {
        self.is_in_part()
    }

    fn reaches(&self, end: u64) -> bool {
        self.is_in_part() || self.found.is_some_and(|(offset, _)| offset < end)
    }
}

/// Reads a line in units of one byte, if it is UTF-8.
fn read_narrow(bytes: &[u8]) -> Option<Vec<CodePoint>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.chars().map(CodePoint::from).collect())
}
