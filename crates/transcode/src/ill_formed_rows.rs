//! Rows of adjacent ill-formed subsequences. Binary data and text in the wrong encoding have thousands in a row, and a
//! finding for each costs much more than decoding it. A reporter may take a row as a whole if it knows everything that
//! it would report: if no picture will show the bytes, or if they are printed without the text around them.
//!
//! A row is an offer. The reporter may decline it, because it wants to show one of these findings. Then they are
//! handled one by one, and it is not asked again before the end of that row: it has decided about these bytes.

use super::error::Error;
use super::policy::OnIllFormed;
use super::text_walk::TextWalk;
use crate::diagnostic::Row;
use crate::io::Chunk;

/// The most subsequences in one row.
const MAX_ROW: usize = 256;

impl TextWalk<'_, '_> {
    /// Passes the row of ill-formed subsequences at byte `at` of the chunk, before `limit`, and returns its length in
    /// bytes. Returns 0 if they must be handled one by one: something is written for them, or the reporter does not
    /// take the row.
    pub(super) fn pass_row(
        &mut self,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Result<usize, Error> {
        // What a stage holds must be settled first. Only a subsequence that is handled by itself does that, so the
        // first one is.
        let held = self.text.pipeline.holds();
        let offset = self.text.offset + at as u64;
        let stops = self.conversion.options.substitution.on_ill_formed == OnIllFormed::Stop;
        let quiet = self.conversion.to.is_none()
            && self.conversion.options.substitution.fallback.is_none()
            && !stops;
        let refused = offset < self.text.rows.none_before || !self.reporter.wants_places();
        if !quiet || held || refused {
            return Ok(0);
        }
        self.show_text_before(at, chunk.bytes);
        let rows = &mut self.text.rows;
        rows.subsequences.clear();
        rows.by_next.clear();
        let decoder = self.engine.decoder();
        let ends = decoder.ill_formed_row(&chunk.bytes[at..limit], MAX_ROW, &mut rows.subsequences);
        let mut end = at;
        for one in &rows.subsequences {
            rows.by_next.push(decoder.judges_by_next(&chunk.bytes[end..end + one.len]));
            end += one.len;
        }
        let count = rows.subsequences.len();
        let row = Row {
            subsequences: &rows.subsequences,
            by_next: &rows.by_next,
            bytes: &chunk.bytes[at..],
            offset,
            line: self.text.position.line,
            column: self.text.position.column.max(1),
            encoding: self.text.findings.encoding,
            ends,
            declared: None,
            severity: None,
        };
        if count == 0 || !self.reporter.row(&row).map_err(Error::Report)? {
            // The reporter wants them one by one. It is not asked again before the end of this row.
            rows.none_before = self.text.offset + end as u64;
            return Ok(0);
        }
        if let Some(evidence) = &mut self.text.evidence {
            evidence.found(offset, self.text.findings.summary.characters, None);
        }
        rows.count();
        let outcome = self.conversion.options.substitution.on_ill_formed.outcome();
        self.text.findings.summary.of_ill_formed.count(outcome, count as u64);
        self.text.position.pass_many(count as u64);
        if let Some(context) = &mut self.text.context {
            context.pass_row(count);
        }
        Ok(end - at)
    }
}
