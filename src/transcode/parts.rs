//! The layer for text in UTF-8 with parts in another encoding: it finds the parts, and converts them.

use std::ops::Range;

use super::error::Error;
use super::mixture::Mixture;
use super::session::{Flow, Session};
use crate::codec::{NextRegion, REGION, next_region};
#[cfg(feature = "detection")]
use crate::detection::LOOK;
use crate::diagnostic::{Details, Finding, Kind, Outcome};
use crate::encoding::Encoding;
use crate::io::Chunk;

/// The part in another encoding that begins at the present place.
pub(super) enum NextPart {
    None,
    /// There is one, and more of the text must be read before it is converted.
    Unknown,
    At(Range<usize>),
}

/// What a part belongs to.
enum PartOf {
    /// The text: each fault in it counts.
    Text,
    /// A line of which no fault was reported, in this encoding.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "lines are detected"))]
    NewLine(&'static Encoding),
    /// A line that was reported: one finding is enough.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "lines are detected"))]
    Line,
}

impl Session<'_, '_> {
    /// Says what the present part belongs to, and that its line is now reported.
    fn line_of_part(&mut self) -> PartOf {
        #[cfg(feature = "detection")]
        if let Some(lines) = self.text.mixture.as_mut().and_then(|mixture| mixture.lines.as_mut()) {
            return lines.report().map_or(PartOf::Line, PartOf::NewLine);
        }
        PartOf::Text
    }

    /// Whether the text is UTF-8 that may have parts in another encoding.
    pub(super) fn is_mixture(&self) -> bool {
        self.text.mixture.as_ref().is_some_and(|mixture| !mixture.given_up)
            && self.text.findings.encoding == Encoding::UTF_8
    }

    /// Returns how much of the chunk before `limit` the engine may convert: up to the first part after byte `at` that is
    /// in another encoding, or that may be.
    pub(super) fn clean_to(&mut self, chunk: &Chunk<'_>, at: usize, limit: usize) -> usize {
        if !self.is_mixture() {
            return limit;
        }
        let base = self.text.offset;
        let Some(mixture) = &mut self.text.mixture else { return limit };
        #[cfg(feature = "detection")]
        if let Some(lines) = &mut mixture.lines {
            return lines.clean_to(chunk, base, at, limit, &mut mixture.parts);
        }
        loop {
            if let Some(part) = mixture.parts.front() {
                return limit.min((part.start - base) as usize);
            }
            let settled = mixture.settled.saturating_sub(base).max(at as u64) as usize;
            if settled >= limit && !mixture.within {
                return limit;
            }
            // No more than is needed: the rest of a chunk may be long.
            let end = chunk.bytes.len().min(limit.max(settled) + 2 * REGION);
            let last = chunk.last && end == chunk.bytes.len();
            let bytes = &chunk.bytes[settled..end];
            #[cfg(feature = "detection")]
            if let Some(len) = mixture.next_of_whole(bytes, base + settled as u64, last) {
                mixture.settled = base + (settled + len) as u64;
                if mixture.parts.is_empty() {
                    return limit.min(settled + len);
                }
                continue;
            }
            let region = match next_region(bytes, last, mixture.within) {
                NextRegion::None(clean) | NextRegion::From(clean) => {
                    mixture.settled = base + (settled + clean) as u64;
                    return limit.min(settled + clean);
                }
                NextRegion::At(region) => settled + region.start..settled + region.end,
            };
            mixture.learn(&chunk.bytes[..region.start], base);
            #[cfg(feature = "detection")]
            if mixture.encoding.is_none() {
                let rest = &chunk.bytes[region.start..];
                if rest.len() < LOOK && !chunk.last {
                    mixture.settled = base + region.start as u64;
                    return limit.min(region.start);
                }
                mixture.judge(rest, chunk.last);
                if mixture.given_up {
                    return limit;
                }
                mixture.settled = base + region.start as u64;
                continue;
            }
            let ends = last && region.end == end;
            #[cfg(feature = "detection")]
            let cuts = mixture.not_letters(&chunk.bytes[..end], region.clone(), last);
            #[cfg(not(feature = "detection"))]
            let cuts = Vec::new();
            let offset = base + region.start as u64;
            let len = mixture.split(&chunk.bytes[region.clone()], &cuts, offset, ends);
            mixture.settled = base + (region.start + len) as u64;
            mixture.learned = mixture.learned.max(mixture.settled);
        }
    }

    /// Whether a part in another encoding begins at byte `end` of the chunk, in front of which a sequence of UTF-8 lacks bytes.
    /// Those of the part do not continue it.
    pub(super) fn part_cuts_sequence(&self, chunk: &Chunk<'_>, at: usize, end: usize) -> bool {
        let part = self.text.mixture.as_ref().and_then(|mixture| mixture.parts.front());
        let begins = part.is_some_and(|part| part.start == self.text.offset + end as u64);
        begins && {
            let before = &chunk.bytes[at..end];
            let first = before.iter().rposition(|byte| byte & 0xC0 != 0x80);
            let sequence = &before[first.unwrap_or(0)..];
            std::str::from_utf8(sequence).is_err_and(|error| error.error_len().is_none())
        }
    }

    /// Takes the part at byte `at` of the chunk, if there is one.
    pub(super) fn next_part(&mut self, chunk: &Chunk<'_>, at: usize) -> NextPart {
        let base = self.text.offset;
        let next = self.text.mixture.as_ref().and_then(|mixture| mixture.parts.front());
        let Some(part) = next.filter(|part| part.start == base + at as u64) else {
            return NextPart::None;
        };
        let range = at..(part.end - base) as usize;
        if !self.has_context(chunk, range.end) {
            return NextPart::Unknown;
        }
        if let Some(mixture) = &mut self.text.mixture {
            mixture.parts.pop_front();
        }
        NextPart::At(range)
    }

    /// Reports what is ill-formed in a part of the chunk, and writes what it is read as.
    pub(super) fn convert_part(
        &mut self,
        chunk: &Chunk<'_>,
        part: Range<usize>,
    ) -> Result<Flow, Error> {
        if let stop @ Flow::Stop(_) = self.settle_undecided(None)? {
            return Ok(stop);
        }
        if !self.normalizes()
            && let stop @ Flow::Stop(_) = self.settle_held()?
        {
            return Ok(stop);
        }
        let reader = self.text.mixture.as_mut().and_then(|mixture| mixture.reader());
        let units = reader.map(|reader| reader.units(&chunk.bytes[part.start..], part.len()));
        let units = units.unwrap_or_default();
        let of_lines = self.text.mixture.as_ref().is_some_and(Mixture::is_of_lines);
        // To look at each character takes many times as long as to write it.
        let at_once = !self.normalizes()
            && self.conversion.options.denied.is_empty()
            && self.remedies.has_all(units.characters());
        for unit in units.iter() {
            let faults = unit.ill_formed.iter().map(|(at, one)| {
                let at = part.start + at;
                (at..at + one.len, Kind::IllFormed(one.kind))
            });
            for (index, (range, kind)) in faults.enumerate() {
                if index > 0 {
                    self.pass_fault();
                }
                match self.line_of_part() {
                    PartOf::Text => self.report(Finding::new(kind), chunk, range)?,
                    PartOf::NewLine(encoding) => {
                        let fault = Finding::new(kind).with(Details::ReadAs(encoding));
                        self.report(fault, chunk, range)?;
                        self.text.findings.count_outcome(kind, Outcome::ReadByFallback);
                        self.text.findings.summary.count_lines(encoding, 1);
                    }
                    PartOf::Line => {}
                }
            }
            let range = part.start + unit.range.start..part.start + unit.range.end;
            if !at_once
                && let stop @ Flow::Stop(_) = self.repaired(chunk, range, unit.characters)?
            {
                return Ok(stop);
            }
            for (_, one) in unit.ill_formed.iter().filter(|_| !of_lines) {
                let kind = Kind::IllFormed(one.kind);
                self.text.findings.count_outcome(kind, Outcome::ReadByFallback);
            }
            if unit.ill_formed.is_empty() {
                // Well-formed by chance.
                self.pass(unit.characters);
            } else {
                self.pass_fault();
            }
        }
        if at_once { self.put_repaired(chunk, &part, units.characters()) } else { Ok(Flow::On) }
    }
}
