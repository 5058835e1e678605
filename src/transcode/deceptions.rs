//! The layer for identifiers that look like others.
//!
//! ```text
//! convert: ─► honest_to: a finding for each such identifier of which a letter is here
//!          ─► the engine, up to the next of those letters; it converts them like any others
//! ```

use super::error::Error;
use super::identifiers::Deceptive;
use super::session::{Flow, Session};
use crate::diagnostic::{Details, Finding};
use crate::io::Chunk;
use std::borrow::Cow;

/// How far a text is known to be honest.
pub(super) enum Honest {
    /// The engine may convert up to this byte of the chunk.
    To(usize),
    /// The conversion stops here.
    Stopped(Flow),
}

impl Session<'_, '_> {
    /// Reports what is deceptive at byte `at` of the chunk, and returns how much of the chunk before `limit` the engine may
    /// convert then: up to the next letter of an identifier that is to be reported, or that may be.
    pub(super) fn honest_to(
        &mut self,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Result<Honest, Error> {
        let base = self.text.offset;
        let encoding = self.text.findings.encoding;
        loop {
            let Some(identifiers) = &mut self.text.identifiers else {
                return Ok(Honest::To(limit));
            };
            identifiers.begin(base + at as u64, encoding, self.engine.decoder());
            let honest = identifiers.settle(chunk, base, at, limit);
            // What is at the limit may be converted otherwise.
            if at == limit {
                return Ok(Honest::To(limit));
            }
            let Some(deceptive) = identifiers.take(base + at as u64) else {
                return Ok(Honest::To(honest));
            };
            if let stop @ Flow::Stop(_) = self.report_deception(&deceptive, chunk, at)? {
                return Ok(Honest::Stopped(stop));
            }
        }
    }

    /// Passes the bytes of the chunk from `at` to `end`, which the engine does not convert.
    pub(super) fn pass_identifiers(&mut self, chunk: &Chunk<'_>, at: usize, end: usize) {
        let base = self.text.offset;
        let encoding = self.text.findings.encoding;
        if let Some(identifiers) = &mut self.text.identifiers {
            identifiers.begin(base + at as u64, encoding, self.engine.decoder());
            identifiers.pass(chunk, base, end);
        }
    }

    /// Reports an identifier with a letter at byte `at` of the chunk.
    fn report_deception(
        &mut self,
        deceptive: &Deceptive,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Flow, Error> {
        let Deceptive { kind, range, letter, identifier } = deceptive;
        if let stop @ Flow::Stop(_) = self.settle_undecided(Some(*letter))? {
            return Ok(stop);
        }
        let stops = self.conversion.stops_at_denied();
        if stops && let stop @ Flow::Stop(_) = self.settle_held()? {
            return Ok(stop);
        }
        let fault = Finding::denied(*kind, Some((*letter).into()))
            .with(Details::Identifier(Cow::Borrowed(identifier)));
        let place = self.locate_next(chunk, at..at + (range.end - range.start) as usize);
        self.report(fault.stopping(stops), chunk, place)?;
        Ok(if stops { Flow::Stop(at) } else { Flow::On })
    }
}
