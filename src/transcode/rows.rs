//! Rows of adjacent ill-formed subsequences: a reporter may take one as a whole if it knows everything it would report.

use super::error::Error;
use super::policy::OnIllFormed;
use super::session::Session;
use crate::diagnostic::Row;
use crate::io::Chunk;

/// The most subsequences in one row.
const MOST: usize = 256;

impl Session<'_, '_> {
    /// Skips the row of ill-formed subsequences at byte `at` of the chunk, before `limit`, and returns its length in
    /// bytes. Returns 0 if it cannot: something is written for them, or the reporter does not take rows.
    pub(super) fn pass_row(
        &mut self,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Result<usize, Error> {
        // The first of them settles what is held back.
        let held = self.holds_characters();
        let Some(context) = &mut self.text.context else { return Ok(0) };
        let offset = self.text.offset + at as u64;
        let stops = self.conversion.options.on_ill_formed == OnIllFormed::Stop;
        let quiet =
            self.conversion.to.is_none() && self.conversion.options.fallback.is_none() && !stops;
        if !quiet || held || offset < context.no_row_before {
            return Ok(0);
        }
        context.row.clear();
        let input = &chunk.bytes[at..limit];
        let ends = self.engine.decoder().ill_formed_row(input, MOST, &mut context.row);
        let count = context.row.len();
        let len: usize = context.row.iter().map(|one| one.len).sum();
        let row = Row {
            subsequences: &context.row,
            bytes: &chunk.bytes[at..],
            offset,
            line: self.text.position.line,
            column: self.text.position.column.max(1),
            encoding: self.text.findings.encoding,
            ends,
        };
        self.prepared = false;
        if count == 0 || !self.reporter.row(&row).map_err(Error::Report)? {
            // They are taken one by one.
            context.no_row_before = offset + len as u64;
            return Ok(0);
        }
        let outcome = self.conversion.options.on_ill_formed.outcome();
        self.text.findings.summary.of_ill_formed.count(outcome, count as u64);
        self.text.position.pass_many(count as u64);
        context.pass_row();
        if let Some(trail) = &mut self.text.trail {
            trail.clear();
        }
        Ok(len)
    }
}
