//! Characters that are held back, because what is written for them depends on what follows them.
//!
//! ```text
//! engine ─► a letter and what composes with it (normalize.rs) ─► a letter and its marks (marks.rs) ─► output
//!        ─► blanks at the end of a record (record_lines.rs) ────────────────────────────────────────► output
//! ```
//!
//! Each is held as a value, and not as bytes to read again: the next character may come any number of bytes later.

use super::error::Error;
use super::session::{Flow, Session};
use crate::io::Chunk;
use crate::unicode::CodePoint;

impl Session<'_, '_> {
    /// Whether any are held back.
    pub(super) fn holds_characters(&self) -> bool {
        !self.text.cluster.is_empty()
            || self.text.normalizing.as_ref().is_some_and(|it| !it.is_empty())
            || self.text.records.as_ref().is_some_and(|it| it.blanks > 0)
    }

    /// Writes what is held back, as far as `cp`, the next character, does not belong to it.
    pub(super) fn settle_before(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
    ) -> Result<Flow, Error> {
        if !self.holds_characters() {
            return Ok(Flow::On);
        }
        if let stop @ Flow::Stop(_) = self.settle_sequence_before(cp, chunk)? {
            return Ok(stop);
        }
        // What `cp` becomes may extend the letter.
        if !(self.extends_cluster(cp) || self.changes(cp)) {
            self.settle_cluster(chunk)?;
        }
        self.put_blanks_before(cp, chunk)?;
        Ok(Flow::On)
    }

    /// Writes all that is held back.
    pub(super) fn settle_held(&mut self, chunk: &Chunk<'_>) -> Result<Flow, Error> {
        let flow = self.settle_sequence(chunk)?;
        self.settle_cluster(chunk)?;
        self.put_blanks(chunk)?;
        Ok(flow)
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
}
