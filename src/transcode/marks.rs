//! The layer that holds back letters and their marks while a conversion transliterates: see [`super::clusters`].

use super::clusters::Clusters;
use super::error::Error;
use super::remedy::Remedy;
use super::session::Session;
use crate::diagnostic::{Kind, Outcome};
use crate::io::Chunk;
use crate::transliteration::{composed, may_drop};
use crate::unicode::CodePoint;

impl Session<'_, '_> {
    /// Whether `cp` belongs to the letter that is held back.
    pub(super) fn extends_cluster(&self, cp: CodePoint) -> bool {
        let cluster = &self.text.cluster;
        let pair =
            || matches!(*cluster.characters, [(first, true)] if self.remedies.is_pair(first, cp));
        cluster.has_room() && (Clusters::extends(cp) || pair())
    }

    /// Holds back the next code point of the engine's run, at byte `at`, if what is written for it may depend on what
    /// follows it, or if it belongs to a letter that is held back. Returns whether it did.
    pub(super) fn hold_in_cluster(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<bool, Error> {
        let next = self.engine.pending_after();
        let Some(clusters) = self.engine.clusters() else { return Ok(false) };
        if self.text.cluster.is_empty() {
            let pair = next.is_some_and(|next| self.remedies.is_pair(cp, next));
            if !(Clusters::holds(cp, next) || pair && clusters.lacks(cp)) {
                return Ok(false);
            }
        }
        self.hold(cp, chunk, at)?;
        // If single characters do not matter, what is in memory is not looked at one by one.
        while self.text.watch.is_none() && !self.normalizes() {
            match self.engine.pending() {
                [next, ..] if self.extends_cluster(*next) => self.hold(*next, chunk, at)?,
                [] if self.engine.after_run().is_none_or(|next| self.extends_cluster(next)) => {
                    break;
                }
                _ => {
                    self.settle_cluster()?;
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Holds back the next code point of the engine's run.
    fn hold(&mut self, cp: CodePoint, chunk: &Chunk<'_>, at: usize) -> Result<(), Error> {
        let lacks = self.engine.clusters().is_some_and(|clusters| clusters.lacks(cp));
        if lacks {
            let place = self.locate(chunk, at);
            self.report_unmappable(chunk, cp.into(), place, false)?;
        }
        self.text.cluster.characters.push((cp, lacks));
        self.prepared = false;
        self.engine.skip();
        self.pass(&[cp]);
        Ok(())
    }

    /// Holds back a character that does not come from the engine's run, if what is written for it may depend on what
    /// follows it, or if it belongs to a letter that is held back. `report` reports that the target lacks it. Returns
    /// whether it did.
    pub(super) fn hold_result(
        &mut self,
        cp: CodePoint,
        report: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        if !self.extends_cluster(cp) {
            self.settle_cluster()?;
        }
        let Some(clusters) = self.engine.clusters() else { return Ok(false) };
        let lacks = clusters.lacks(cp);
        if self.text.cluster.is_empty() && !lacks && !Clusters::holds(cp, None) {
            return Ok(false);
        }
        if lacks {
            report(self)?;
        }
        self.text.cluster.characters.push((cp, lacks));
        self.prepared = false;
        Ok(true)
    }

    /// Writes what stands for the letter and the marks that are held back, if any.
    pub(super) fn settle_cluster(&mut self) -> Result<(), Error> {
        if self.text.cluster.is_empty() {
            return Ok(());
        }
        self.prepared = false;
        let mut cluster = std::mem::take(&mut self.text.cluster);
        let cps: Vec<CodePoint> = cluster.characters.iter().map(|(cp, _)| *cp).collect();
        match cluster.characters.iter().filter(|(_, lacks)| *lacks).count() {
            0 => self.put_marked(&cps)?,
            lacking => match self.remedies.form(&cps) {
                Some(form) => self.stand_for(lacking, &form)?,
                None => self.put_in_parts(&cps, lacking)?,
            },
        }
        cluster.characters.clear();
        self.text.cluster = cluster;
        Ok(())
    }

    /// Writes characters that the target has.
    fn put_marked(&mut self, cps: &[CodePoint]) -> Result<(), Error> {
        let mut done = 0;
        while let Some(good) = self.put(&cps[done..])? {
            // It has this one, but not here.
            done += good;
            self.text.findings.report_unplaced(self.reporter, Kind::Unmappable, 1);
            let remedies = self.remedies;
            self.apply(Kind::Unmappable, remedies.for_unmappable(cps[done].into()))?;
            done += 1;
        }
        Ok(())
    }

    /// Writes `form`, which stands for this many unmappable characters, and counts them.
    fn stand_for(&mut self, lacking: usize, form: &[CodePoint]) -> Result<(), Error> {
        let remedy = Remedy::Write(form.into(), Outcome::Transliterated);
        self.apply(Kind::Unmappable, remedy)?;
        self.count_unmappable(lacking - 1, Outcome::Transliterated);
        Ok(())
    }

    fn count_unmappable(&mut self, count: usize, outcome: Outcome) {
        for _ in 0..count {
            self.text.findings.count_outcome(Kind::Unmappable, outcome);
        }
    }

    /// Writes a letter or a sign that has no form with all its marks: what composes as one character, and the other
    /// marks by themselves. So canonically equivalent texts are written alike.
    fn put_in_parts(&mut self, cps: &[CodePoint], lacking: usize) -> Result<(), Error> {
        let remedies = self.remedies;
        let lacks = |session: &mut Self, cp| {
            session.engine.clusters().is_some_and(|clusters| clusters.lacks(cp))
        };
        // One character is itself, even if it is composed of several: it may also come without having been held back.
        let mut parts = if cps.len() == 1 { cps.to_vec() } else { composed(cps) };
        // Composition takes characters such as U+095E apart. If that leaves more of them to replace, each is itself.
        if parts.iter().filter(|cp| lacks(self, **cp)).count() > lacking {
            parts = cps.to_vec();
        }
        let Some((&first, marks)) = parts.split_first() else { return Ok(()) };
        let marks: Vec<_> = marks.iter().map(|mark| (*mark, lacks(self, *mark))).collect();
        let apart = marks.iter().filter(|(_, lacks)| *lacks).count();
        let joined = lacking.saturating_sub(apart);
        let mut replaced = false;
        if lacks(self, first) {
            let remedy = remedies.for_unmappable(first.into());
            let outcome = match &remedy {
                Remedy::Write(_, outcome) => *outcome,
                _ => Outcome::Dropped,
            };
            replaced = outcome != Outcome::Transliterated;
            self.apply(Kind::Unmappable, remedy)?;
            self.count_unmappable(joined.saturating_sub(1), outcome);
        } else {
            self.put_marked(&[first])?;
            self.count_unmappable(joined, Outcome::Transliterated);
        }
        for (mark, lacks) in marks {
            if !lacks {
                self.put_marked(&[mark])?;
            } else if !replaced && may_drop(first, mark) {
                self.count_unmappable(1, Outcome::Transliterated);
            } else {
                self.apply(Kind::Unmappable, remedies.for_unmappable(mark.into()))?;
            }
        }
        Ok(())
    }
}
