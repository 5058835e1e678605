//! How faults are handled: each is reported, and its remedy applied.

use std::ops::Range;

use super::characters::{Looked, Removed};
use super::error::Error;
use super::remedy::Remedy;
use super::session::{Flow, Located, Session};
use crate::codec::Value;
use crate::diagnostic::{Details, Finding, Kind, Outcome};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::unicode::{CodePoint, IllFormedKind};

impl Session<'_, '_> {
    /// Handles the unmappable `cp`, at which the engine stopped at byte `at`.
    pub(super) fn unmappable_character(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Flow, Error> {
        if let Some(flow) = self.hold_back(cp, chunk, at)? {
            return Ok(flow);
        }
        let place = self.locate(chunk, at);
        if let stop @ Flow::Stop(_) = self.unmappable(chunk, cp.into(), place)? {
            return Ok(stop);
        }
        self.engine.skip();
        self.pass(&[cp]);
        Ok(Flow::On)
    }

    /// Reports an unmappable character, and applies its remedy.
    fn unmappable(
        &mut self,
        chunk: &Chunk<'_>,
        value: Value,
        place: Option<Located>,
    ) -> Result<Flow, Error> {
        let remedies = self.remedies;
        let remedy = remedies.for_unmappable(value);
        let start = place.as_ref().map_or(0, |place| place.range.start);
        self.report_unmappable(chunk, value, place, remedy == Remedy::Stop)?;
        if remedy == Remedy::Stop {
            return Ok(Flow::Stop(start));
        }
        self.apply(Kind::Unmappable, remedy)?;
        Ok(Flow::On)
    }

    pub(super) fn report_unmappable(
        &mut self,
        chunk: &Chunk<'_>,
        value: Value,
        place: Option<Located>,
        stops: bool,
    ) -> Result<(), Error> {
        match (place, self.conversion.to) {
            (Some(place), Some(target)) => {
                let fault = self.lacked(value, target).stopping(stops);
                self.report(fault, chunk, place)
            }
            _ => {
                self.text.findings.report_unplaced(self.reporter, Kind::Unmappable, 1);
                Ok(())
            }
        }
    }

    /// Returns the finding of a character that the target lacks; if findings are shown in their text, with what the target has
    /// instead.
    pub(super) fn lacked(&self, value: Value, target: &'static Encoding) -> Finding<'static> {
        let shown = self.text.context.as_ref();
        let details = shown.map_or(Details::None, |_| self.remedies.offers(value));
        let finding = Finding::of_character(Kind::Unmappable, Some(value));
        Finding { encoding: target, ..finding.with(details) }
    }

    /// Handles the character of the bytes at `range` of the chunk, whose value is too large for a run.
    pub(super) fn large(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        value: Value,
    ) -> Result<Flow, Error> {
        if let stop @ Flow::Stop(_) = self.settle_all()? {
            return Ok(stop);
        }
        let looked = self.look_at_large(chunk, range.clone(), value)?;
        if let Looked::Stopped(place) = looked {
            return Ok(Flow::Stop(place));
        }
        self.prepared = false;
        if looked == Looked::Passed
            && !self.output.put_large(self.engine, value)?
            && let stop @ Flow::Stop(_) = self.unmappable(chunk, value, Some(range.into()))?
        {
            return Ok(stop);
        }
        self.text.findings.summary.characters += 1;
        self.pass_fault();
        Ok(Flow::On)
    }

    /// Reports the ill-formed subsequence at `range` of the chunk, and applies its remedy.
    pub(super) fn ill_formed(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        kind: IllFormedKind,
    ) -> Result<Flow, Error> {
        if let stop @ Flow::Stop(_) = self.settle_undecided(None)? {
            return Ok(stop);
        }
        let bytes = &chunk.bytes[range.clone()];
        let remedies = self.remedies;
        let remedy = remedies.for_ill_formed(bytes);
        // What follows what is left out may belong to what is before it.
        let goes_on = self.normalizes() && matches!(remedy, Remedy::LeaveOut | Remedy::Repair(_));
        if goes_on {
            self.put_blanks()?;
        } else if let stop @ Flow::Stop(_) = self.settle_held()? {
            return Ok(stop);
        }
        let kind = Kind::IllFormed(kind);
        let fault = Finding::new(kind).stopping(remedy == Remedy::Stop);
        self.report(fault.with(remedies.lacking(bytes)), chunk, range.clone())?;
        match remedy {
            Remedy::Stop => return Ok(Flow::Stop(range.start)),
            Remedy::Repair(characters) => {
                if let stop @ Flow::Stop(_) = self.repaired(chunk, range, &characters)? {
                    return Ok(stop);
                }
                self.text.findings.count_outcome(kind, Outcome::ReadByFallback);
            }
            remedy => self.apply(kind, remedy)?,
        }
        // However it is read, it counts as one place of the text.
        self.pass_fault();
        Ok(Flow::On)
    }

    /// Writes the characters that the bytes at `range` are read as.
    pub(super) fn repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        characters: &[CodePoint],
    ) -> Result<Flow, Error> {
        let (flow, removed) = self.look_at_repaired(chunk, &range, characters)?;
        if flow != Flow::On {
            return Ok(flow);
        }
        if self.normalizes() {
            return self.write_repaired(chunk, range, characters, removed);
        }
        // A stop at one of them is a stop at the whole subsequence: nothing of it is written.
        let kept = |(at, cp)| (!removed.iter().any(|it| it.at == at)).then_some(cp);
        let kept = characters.iter().copied().enumerate().filter_map(kept);
        if let Some(cp) = self.remedies.stops_at(kept) {
            let start = range.start;
            self.report_unmappable(chunk, cp.into(), Some(range.into()), true)?;
            return Ok(Flow::Stop(start));
        }
        let mut done = 0;
        for Removed { at, kind, remedy } in removed {
            if let stop @ Flow::Stop(_) = self.put_repaired(chunk, &range, &characters[done..at])? {
                return Ok(stop);
            }
            self.apply(kind, remedy)?;
            done = at + 1;
        }
        self.put_repaired(chunk, &range, &characters[done..])
    }

    /// Writes characters that the bytes at `range` are read as.
    pub(super) fn put_repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
        characters: &[CodePoint],
    ) -> Result<Flow, Error> {
        let mut rest = characters;
        while let Some(at) = self.put(rest)? {
            let place = Some(range.clone().into());
            if let stop @ Flow::Stop(_) = self.unmappable(chunk, rest[at].into(), place)? {
                return Ok(stop);
            }
            rest = &rest[at + 1..];
        }
        Ok(Flow::On)
    }
}
