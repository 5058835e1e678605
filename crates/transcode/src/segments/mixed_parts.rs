//! The segmenter of UTF-8 with parts in another encoding. `mixture.rs` and `line_parts.rs` know what is a part; this
//! file goes through the text with them, and converts the parts.
//! A part is not simply decoded and written. Each ill-formed subsequence in it is still a fault, which is reported with
//! its place and counted, although a character of the other encoding is written for it. So a part comes in *units*,
//! each of which pairs characters of the other encoding with the subsequences that they replace. Where each line has an
//! encoding of its own (`-f auto-lines`), there is only one finding per line.

use std::ops::Range;

use super::super::origin::OriginBytes;
use super::super::pipeline_exit::Passed;
use super::super::segment::{Beyond, SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
#[cfg(feature = "detection")]
use super::escaped_parts::EscapedSplit;
use super::mixture::Mixture;
use crate::diagnostic::{Details, Finding, Kind, Outcome};
use crate::io::Chunk;
#[cfg(feature = "detection")]
use oxiconv_detect::detection::LOOK;
use oxiconv_encodings::codec::{NextRegion, REGION, next_region};
use oxiconv_encodings::encoding::Encoding;

/// What a part belongs to, which decides how it is reported.
enum PartOf {
    /// The text. Each fault in it is a finding.
    Text,
    /// A line in this encoding, of which nothing has been reported.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "lines are detected"))]
    NewLine(&'static Encoding),
    /// A line that was reported. One finding per line is enough.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "lines are detected"))]
    Line,
}

impl Mixture {
    /// Whether a text in `encoding` may have parts in another one.
    pub(in super::super) fn is_of(&self, encoding: &Encoding) -> bool {
        !self.given_up && *encoding == *Encoding::UTF_8
    }

    /// Returns how much of the chunk before `limit` the engine may convert: up to the first part after byte `at` that
    /// is in another encoding, or that may be.
    /// In each round, the next region is found and split into parts, unless the fallback has to be detected first. The
    /// rounds end at the first part, when the text is settled up to `limit`, or when more of it is needed.
    ///
    /// Only as much of the chunk is examined as `limit` requires, since a chunk may be much longer than what the engine
    /// converts next. A region that begins before `limit` is at most [`REGION`] bytes long, so twice as many bytes
    /// after `limit` always show its end, unless the chunk ends before.
    fn clean_to(&mut self, chunk: &Chunk<'_>, base: u64, at: usize, limit: usize) -> usize {
        #[cfg(feature = "detection")]
        if let Some(lines) = &mut self.lines {
            return lines.clean_to(chunk, base, at, limit, &mut self.parts);
        }
        loop {
            if let Some(part) = self.parts.front() {
                return limit.min((part.start - base) as usize);
            }
            let settled = self.settled.saturating_sub(base).max(at as u64) as usize;
            if settled >= limit && !self.within {
                return limit;
            }
            let end = chunk.bytes.len().min(limit.max(settled) + 2 * REGION);
            let last = chunk.last && end == chunk.bytes.len();
            let bytes = &chunk.bytes[settled..end];
            #[cfg(feature = "detection")]
            if let Some(len) = self.next_of_whole(bytes, base + settled as u64, last) {
                self.settled = base + (settled + len) as u64;
                if self.parts.is_empty() {
                    return limit.min(settled + len);
                }
                continue;
            }
            let region = match next_region(bytes, last, self.within) {
                NextRegion::None(clean) | NextRegion::From(clean) => {
                    self.settled = base + (settled + clean) as u64;
                    return limit.min(settled + clean);
                }
                NextRegion::At(region) => settled + region.start..settled + region.end,
            };
            self.learn(&chunk.bytes[..region.start], base);
            #[cfg(feature = "detection")]
            match self.escaped_in(chunk, base, &region) {
                EscapedSplit::Not => {}
                EscapedSplit::Settled(len) => {
                    self.settled = base + (region.start + len) as u64;
                    self.learned = self.learned.max(self.settled);
                    continue;
                }
                EscapedSplit::Unknown => {
                    self.settled = base + region.start as u64;
                    return limit.min(region.start);
                }
                EscapedSplit::Never => {
                    self.given_up = true;
                    return limit;
                }
            }
            #[cfg(feature = "detection")]
            if self.encoding.is_none() {
                // The fallback is detected by this much text from the region on, which must be in memory.
                let rest = &chunk.bytes[region.start..];
                if rest.len() < LOOK && !chunk.last {
                    self.settled = base + region.start as u64;
                    return limit.min(region.start);
                }
                self.judge(rest, chunk.last);
                if self.given_up {
                    return limit;
                }
                self.settled = base + region.start as u64;
                continue;
            }
            let ends = last && region.end == end;
            #[cfg(feature = "detection")]
            let cuts = self.not_letters(&chunk.bytes[..end], region.clone(), last);
            #[cfg(not(feature = "detection"))]
            let cuts = Vec::new();
            let offset = base + region.start as u64;
            let len = self.split(&chunk.bytes[region.clone()], &cuts, offset, ends);
            self.settled = base + (region.start + len) as u64;
            self.learned = self.learned.max(self.settled);
        }
    }

    /// Returns what the current part belongs to, and marks its line as reported.
    fn line_of_part(&mut self) -> PartOf {
        #[cfg(feature = "detection")]
        if let Some(lines) = &mut self.lines {
            return lines.report().map_or(PartOf::Line, PartOf::NewLine);
        }
        PartOf::Text
    }

    /// Reports what is ill-formed at `range` of the chunk, in a part that is read in another encoding.
    fn report_in_part(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        kind: Kind,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed {
        match self.line_of_part() {
            PartOf::Text => walk.report(Finding::new(kind), chunk, range)?,
            PartOf::NewLine(encoding) => {
                let fault = Finding::new(kind).with(Details::ReadAs(encoding));
                walk.report(fault, chunk, range)?;
                walk.text.findings.count_outcome(kind, Outcome::ReadByFallback);
                walk.text.findings.summary.count_lines(encoding, 1);
            }
            PartOf::Line => {}
        }
        Ok(())
    }
}

impl Segmenter for Mixture {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        if !self.is_of(view.encoding) {
            return SegmentLookahead::Clear(limit);
        }
        let clean = self.clean_to(view.chunk, view.base, at, limit);
        match self.parts.front() {
            Some(part) if part.start == view.base + at as u64 => {
                // The part is known, but its findings may have to show the text after it.
                let end = (part.end - view.base) as usize;
                if view.has_context(end) {
                    SegmentLookahead::Segment(at..end)
                } else {
                    SegmentLookahead::Wait
                }
            }
            _ => SegmentLookahead::Clear(clean),
        }
    }

    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        part: Range<usize>,
    ) -> Passed<usize> {
        self.parts.pop_front();
        #[cfg(feature = "detection")]
        if let Some(passed) = self.convert_escaped(walk, chunk, &part) {
            return passed;
        }
        walk.settle(FollowedBy::Gap)?;
        let reader = self.reader();
        let units = reader.map(|reader| reader.units(&chunk.bytes[part.start..], part.len()));
        let units = units.unwrap_or_default();
        let of_lines = self.is_of_lines();
        // Passing characters one by one takes many times as long as writing them, so it is done only if one needs
        // something else.
        let at_once = walk.text.pipeline.passes(units.characters())
            && walk.remedies.has_all(units.characters());
        for unit in units.iter() {
            let faults = unit.ill_formed.iter().map(|(at, one)| {
                let at = part.start + at;
                (at..at + one.len, Kind::IllFormed(one.kind))
            });
            for (index, (range, kind)) in faults.enumerate() {
                // Each subsequence is one column, so the position moves between two of them. The last one of the unit
                // is passed below, after its characters.
                if index > 0 {
                    walk.pass_fault();
                }
                self.report_in_part(walk, kind, chunk, range)?;
            }
            if !at_once {
                let range = part.start + unit.range.start..part.start + unit.range.end;
                walk.repaired(chunk, range, unit.characters)?;
            }
            for (_, one) in unit.ill_formed.iter().filter(|_| !of_lines) {
                let kind = Kind::IllFormed(one.kind);
                walk.text.findings.count_outcome(kind, Outcome::ReadByFallback);
            }
            if unit.ill_formed.is_empty() {
                // It is well-formed by chance, so there is nothing to report.
                walk.pass(unit.characters);
            } else {
                walk.pass_fault();
            }
        }
        if at_once {
            walk.text.pipeline.passed(units.characters());
            // The target can encode all of them, but perhaps only after a change of its state, which the exit handles.
            let (_, mut origin, mut exit) = walk.stages(chunk, OriginBytes::At(part.clone(), None));
            exit.run(units.characters(), &mut origin)?;
        }
        Ok(part.len())
    }

    fn next_known(&self) -> Option<u64> {
        self.parts.front().map(|part| part.start)
    }

    /// A part does not complete a truncated sequence of UTF-8 before it, so the text of the engine ends before such a
    /// part. If what comes before is complete, it does not matter that the engine sees the part.
    fn beyond(&self, view: &View<'_, '_>, at: usize, end: usize) -> Beyond {
        let begins = self.next_known() == Some(view.base + end as u64);
        let is_cut = || {
            let before = &view.chunk.bytes[at..end];
            let first = before.iter().rposition(|byte| byte & 0xC0 != 0x80);
            let sequence = &before[first.unwrap_or(0)..];
            std::str::from_utf8(sequence).is_err_and(|error| error.error_len().is_none())
        };
        if begins && is_cut() { Beyond::Nothing } else { Beyond::Text }
    }

    fn pass(&mut self, bytes: &[u8], offset: u64) {
        self.learn(bytes, offset);
        self.passed = bytes.last().copied().or(self.passed);
    }

    /// Whether a part is known, or likely, to begin before byte `end`. If the whole text is in the other encoding, or a
    /// part may continue, then whatever is not settled yet may be a part.
    fn reaches(&self, end: u64) -> bool {
        self.next_known().is_some_and(|start| start < end)
            || (self.whole || self.within) && self.settled < end
    }

    fn waits(&self) -> bool {
        self.whole || self.within || !self.parts.is_empty()
    }
}
