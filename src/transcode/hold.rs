//! Characters that are held back, because what is written for them depends on what follows them.
//!
//! ```text
//! engine ─► CR, or what is invisible: is it a finding, is it left out? (characters.rs)
//!            ├─► a letter and what composes with it (normalize.rs) ─► a letter and its marks (marks.rs) ─► output
//!            └─► blanks at the end of a record (record_lines.rs) ────────────────────────────────────────► output
//! ```
//!
//! Each layer passes a character on when the next one is known, and the next layer may hold it back again. A character that
//! is left out settles no letter: what follows it may belong to what is before it.

use std::ops::Range;

use super::characters::Removed;
use super::error::Error;
use super::held::{Held, Place, bytes_of};
use super::remedy::Remedy;
use super::session::{Flow, Located, Session};
use crate::diagnostic::{Context, Finding, Kind};
use crate::io::Chunk;
use crate::unicode::CodePoint;

impl Session<'_, '_> {
    /// Whether any are held back.
    pub(super) fn holds_characters(&self) -> bool {
        self.text.undecided.is_some()
            || !self.text.cluster.is_empty()
            || self.text.normalizing.as_ref().is_some_and(|it| !it.is_empty())
            || self.text.records.as_ref().is_some_and(|it| it.blanks > 0)
    }

    /// Writes what is held back, as far as `cp`, which is written next, does not belong to it.
    pub(super) fn settle_before(&mut self, cp: CodePoint) -> Result<Flow, Error> {
        if !self.holds_characters() {
            return Ok(Flow::On);
        }
        if let stop @ Flow::Stop(_) = self.settle_sequence_before(cp)? {
            return Ok(stop);
        }
        // What `cp` becomes may extend the letter.
        if !(self.extends_cluster(cp) || self.changes(cp)) {
            self.settle_cluster()?;
        }
        self.put_blanks_before(cp)?;
        Ok(Flow::On)
    }

    /// Writes what is held back before `cp`, of which `remedy` says what becomes, as far as `cp` does not belong to it.
    pub(super) fn settle_for(
        &mut self,
        cp: CodePoint,
        remedy: Option<&Remedy<'_>>,
    ) -> Result<Flow, Error> {
        match remedy {
            // Blanks before it are not at the end of the record.
            Some(Remedy::LeaveOut) => self.put_blanks().map(|()| Flow::On),
            Some(_) => self.settle_held(),
            None => self.settle_before(cp),
        }
    }

    /// Writes what is held back in the layers after the first.
    pub(super) fn settle_held(&mut self) -> Result<Flow, Error> {
        let flow = self.settle_sequence()?;
        self.settle_cluster()?;
        self.put_blanks()?;
        Ok(flow)
    }

    /// Writes all that is held back: something follows that is no character.
    pub(super) fn settle_all(&mut self) -> Result<Flow, Error> {
        match self.settle_undecided(None)? {
            Flow::On => self.settle_held(),
            stop => Ok(stop),
        }
    }

    /// Holds back the next code point of the engine's run, at byte `at`, if it must be; `None` if not.
    pub(super) fn hold_back(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Option<Flow>, Error> {
        if self.hold_blanks(cp) {
            return Ok(Some(Flow::On));
        }
        if let Some(flow) = self.hold_in_sequence(cp, chunk, at)? {
            return Ok(Some(flow));
        }
        Ok(self.hold_in_cluster(cp, chunk, at)?.then_some(Flow::On))
    }

    /// Writes a character that does not come from the engine's run, or holds it back. `next` is the character after it, if
    /// that is known.
    pub(super) fn write_character(
        &mut self,
        held: Held,
        next: Option<CodePoint>,
    ) -> Result<Flow, Error> {
        if let stop @ Flow::Stop(_) = self.settle_before(held.cp)? {
            return Ok(stop);
        }
        match self.hold_one(held, next) {
            Some(held) => self.put_made(&[held.cp], |_| 0..1, &[held]),
            None => Ok(Flow::On),
        }
    }

    /// Writes the characters that the ill-formed subsequence at `range` is read as, except for those that are removed.
    pub(super) fn write_repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        characters: &[CodePoint],
        removed: Vec<Removed<'_>>,
    ) -> Result<Flow, Error> {
        let place = self.place_of(chunk, range.into());
        let mut removed = removed.into_iter().peekable();
        for (index, &cp) in characters.iter().enumerate() {
            let flow = match removed.next_if(|it| it.at == index) {
                Some(Removed { kind, remedy, .. }) => {
                    let flow = self.settle_for(cp, Some(&remedy))?;
                    self.apply(kind, remedy)?;
                    flow
                }
                None => {
                    let held = Held { cp, place: Some(place.clone()), counts: false };
                    self.write_character(held, characters.get(index + 1).copied())?
                }
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// Writes `run`, to the layer for letters and their marks if there is one. Each of its characters was made of those in
    /// `held` that `of` returns for its index.
    pub(super) fn put_made(
        &mut self,
        run: &[CodePoint],
        of: impl Fn(usize) -> Range<usize>,
        held: &[Held],
    ) -> Result<Flow, Error> {
        // Without that layer, all in one go.
        let most = if self.conversion.options.transliterates() { 1 } else { run.len() };
        let mut done = 0;
        while done < run.len() {
            let (cp, made_of) = (run[done], &held[of(done)]);
            let report = |session: &mut Self| session.report_lacking(cp, made_of, false).map(drop);
            if self.hold_result(cp, report)? {
                done += 1;
                continue;
            }
            let end = run.len().min(done + most);
            let Some(good) = self.put(&run[done..end])? else {
                done = end;
                continue;
            };
            done += good;
            let (cp, made_of) = (run[done], of(done));
            let remedies = self.remedies;
            let remedy = remedies.for_unmappable(cp.into());
            let stops = remedy == Remedy::Stop;
            if let stop @ Flow::Stop(_) = self.report_lacking(cp, &held[made_of.clone()], stops)? {
                self.uncount(&held[made_of.start..]);
                return Ok(stop);
            }
            self.apply(Kind::Unmappable, remedy)?;
            done += 1;
        }
        Ok(Flow::On)
    }

    /// Does not count characters that are held back in front of a stop.
    pub(super) fn uncount(&mut self, held: &[Held]) {
        let count = held.iter().filter(|held| held.counts).count() as u64;
        let characters = &mut self.text.findings.summary.characters;
        *characters = characters.saturating_sub(count);
    }

    /// Copies what is to be reported of a place.
    pub(super) fn place_of(&mut self, chunk: &Chunk<'_>, located: Located) -> Place {
        Place {
            offset: self.text.offset + located.range.start as u64,
            position: self.text.position,
            bytes: chunk.bytes[located.range.clone()].to_vec(),
            context: self.context_of(chunk, located),
        }
    }

    /// Reports that the target lacks `cp`, where the characters stand that it was made of.
    fn report_lacking(&mut self, cp: CodePoint, held: &[Held], stops: bool) -> Result<Flow, Error> {
        let Some(target) = self.conversion.to else { return Ok(Flow::On) };
        let fault = self.lacked(cp.into(), target);
        self.report_held(fault.stopping(stops), held)
    }

    /// Reports a fault at characters whose chunk may no longer be in memory.
    pub(super) fn report_held<'h>(
        &mut self,
        fault: Finding<'_>,
        held: &'h [Held],
    ) -> Result<Flow, Error> {
        let stops = fault.stops;
        let place = |held: Option<&'h Held>| held.and_then(|held| held.place.as_ref());
        let here = (self.text.offset, self.text.position);
        let (first, last) = (place(held.first()), place(held.last()));
        let (offset, position) = first.map_or(here, |first| (first.offset, first.position));
        if stops || self.reporter.wants_places() {
            let context = |place: Option<&'h Place>| {
                let context = place.and_then(|place| place.context.as_ref());
                context.map_or_else(Context::default, Context::borrowed)
            };
            let after = context(last);
            let context = Context {
                after: after.after,
                line_after: after.line_after,
                line_goes_on: after.line_goes_on,
                ..context(first)
            };
            self.prepared = false;
            let findings = &mut self.text.findings;
            let finding = findings.placed(fault, offset, position, bytes_of(held));
            findings.report(self.reporter, &Finding { context, ..finding })?;
        } else {
            self.text.findings.report_unplaced(self.reporter, fault.kind, 1);
        }
        if !stops {
            return Ok(Flow::On);
        }
        let place = usize::try_from(offset.saturating_sub(self.text.offset)).unwrap_or(usize::MAX);
        self.text.offset = self.text.offset.min(offset);
        Ok(Flow::Stop(place))
    }
}
