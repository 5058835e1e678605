//! The layer for UTF-16 that was appended to UTF-8: a check reports the first place where it begins (`foreign_units.rs`).

use super::error::Error;
use super::foreign_units::ENOUGH;
use super::policy::OnForeignMark;
use super::session::{Flow, Session};
use crate::diagnostic::{Finding, Kind};
use crate::io::Chunk;

impl Session<'_, '_> {
    /// Returns how much of the chunk before `limit` the engine may convert: up to where UTF-16 begins after byte `at`. There
    /// it is reported.
    pub(super) fn foreign_units_to(
        &mut self,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        // NUL is a signal: there is none in what is passed on as ASCII.
        if self.text.is_deferred() {
            return Ok((limit, Flow::On));
        }
        let base = self.text.offset;
        let Some(units) = self.text.foreign_units.as_mut() else { return Ok((limit, Flow::On)) };
        let clean = units.search(base, chunk, at, limit);
        if units.found != Some(base + at as u64) {
            return Ok((clean, Flow::On));
        }
        Ok((limit, self.report_foreign_units(chunk, at)?))
    }

    /// Reports that UTF-16 begins at byte `at` of the chunk.
    #[cold]
    #[inline(never)]
    fn report_foreign_units(&mut self, chunk: &Chunk<'_>, at: usize) -> Result<Flow, Error> {
        self.text.foreign_units = None;
        // Pictures say what a text as a whole is, which may begin with a mark.
        let is_whole = self.text.offset + at as u64 <= 2;
        if is_whole && self.conversion.options.on_foreign_mark == OnForeignMark::Ignore {
            return Ok(Flow::On);
        }
        let flow = self.settle_all()?;
        if flow == Flow::On {
            self.report(Finding::new(Kind::OtherEncoding), chunk, at..at + ENOUGH)?;
        }
        Ok(flow)
    }
}
