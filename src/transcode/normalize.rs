//! The layer that normalizes: it holds back a letter and what may compose with it, and writes it in its form.
//!
//! ```text
//! engine:   … e ́ …          ─► may a character of the run change? stop before the letter that it belongs to
//! session:  hold e ─► hold ́  ─► the next begins another sequence ─► not in NFC? a finding ─► é ─► marks.rs, output
//! ```
//!
//! What stays as it is never stops the engine. A sequence may come from several chunks, and from ill-formed bytes that are
//! read in a fallback encoding. What the target lacks afterwards is reported where the characters stand that it is made of.

use super::error::Error;
use super::held::Held;
use super::normalizing::Normalizing;
use super::session::{Flow, Session};
use crate::diagnostic::{DeniedKind, Finding};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::normalization::{JOINER, Next};
use crate::unicode::CodePoint;

impl Session<'_, '_> {
    /// Whether characters are held back for normalization.
    pub(super) fn normalizes(&self) -> bool {
        self.text.normalizing.is_some()
    }

    /// Whether `cp` may change under normalization.
    pub(super) fn changes(&mut self, cp: CodePoint) -> bool {
        self.engine.classes().is_some_and(|classes| classes.changes(cp))
    }

    /// Whether `cp`, which begins a sequence, must be held back if `next` follows it.
    fn begins_sequence(&mut self, cp: CodePoint, next: Option<CodePoint>) -> bool {
        self.engine.classes().is_some_and(|classes| classes.holds(cp, next))
    }

    /// Holds back the next code point of the engine's run, at byte `at`, if it may change, or if it belongs to the
    /// sequence that is held back; `None` if not.
    pub(super) fn hold_in_sequence(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Option<Flow>, Error> {
        let Some(normalizing) = &self.text.normalizing else { return Ok(None) };
        let next = self.engine.pending_after();
        if normalizing.is_empty() && !self.begins_sequence(cp, next) {
            return Ok(None);
        }
        self.hold_next(cp, chunk, at);
        // If single characters do not matter, what is in memory is not looked at one by one.
        while self.text.watch.is_none() {
            let next = self.engine.pending().first().copied();
            let Some(next) = next.or_else(|| self.engine.after_run()) else { break };
            if let stop @ Flow::Stop(_) = self.settle_sequence_before(next)? {
                return Ok(Some(stop));
            }
            if self.engine.pending().is_empty() {
                break;
            }
            let goes_on = !self.text.normalizing.as_ref().is_none_or(Normalizing::is_empty);
            let after = self.engine.pending_after();
            let begins = self.text.cluster.is_empty() && self.begins_sequence(next, after);
            if !(goes_on || begins) {
                break;
            }
            self.hold_next(next, chunk, at);
        }
        Ok(Some(Flow::On))
    }

    /// Holds back the next code point of the engine's run.
    fn hold_next(&mut self, cp: CodePoint, chunk: &Chunk<'_>, at: usize) {
        let stops = self.conversion.stops_at_unmappable() || self.conversion.stops_at_denied();
        let needs_places = self.text.normalizing.as_ref().is_some_and(|it| it.needs_places)
            && (stops || self.reporter.wants_places());
        let located = if needs_places { self.locate(chunk, at) } else { None };
        let place = located.map(|located| self.place_of(chunk, located));
        self.prepared = false;
        self.engine.skip();
        self.pass(&[cp]);
        if let Some(normalizing) = &mut self.text.normalizing {
            normalizing.push(Held { cp, place, counts: true });
        }
    }

    /// Holds back a character that does not come from the engine's run, if it may change, or if it belongs to the sequence
    /// that is held back. Returns it if not. `next` is the character after it, if that is known.
    pub(super) fn hold_one(&mut self, held: Held, next: Option<CodePoint>) -> Option<Held> {
        let next = next.filter(|next| self.engine.keeps(*next));
        let begins = self.begins_sequence(held.cp, next);
        let Some(normalizing) = self.text.normalizing.as_mut() else { return Some(held) };
        if normalizing.is_empty() && !begins {
            return Some(held);
        }
        self.prepared = false;
        normalizing.push(held);
        None
    }

    /// Writes the sequence that is held back, if `cp` does not belong to it.
    pub(super) fn settle_sequence_before(&mut self, cp: CodePoint) -> Result<Flow, Error> {
        let Some(normalizing) = &mut self.text.normalizing else { return Ok(Flow::On) };
        if normalizing.is_empty() {
            return Ok(Flow::On);
        }
        let next = normalizing.next(cp);
        if next == Next::Continues {
            return Ok(Flow::On);
        }
        let flow = self.settle_sequence()?;
        let joiner_fits = |to: &Encoding| to.encodes(&[JOINER]);
        if flow == Flow::On
            && next == Next::TooMany
            && self.conversion.options.form.is_some()
            && self.conversion.to.is_some_and(joiner_fits)
        {
            self.settle_cluster()?;
            self.put(&[JOINER])?;
        }
        Ok(flow)
    }

    /// Writes the sequence that is held back, if any.
    pub(super) fn settle_sequence(&mut self) -> Result<Flow, Error> {
        let Some(mut normalizing) = self.text.normalizing.take() else { return Ok(Flow::On) };
        let mut flow = Ok(Flow::On);
        if !normalizing.is_empty() {
            self.prepared = false;
            flow = self.write_sequence(&mut normalizing);
            normalizing.clear();
        }
        self.text.normalizing = Some(normalizing);
        flow
    }

    fn write_sequence(&mut self, normalizing: &mut Normalizing) -> Result<Flow, Error> {
        if normalizing.is_denied() {
            let stops = self.conversion.stops_at_denied();
            let value = normalizing.held.first().map(|held| held.cp.into());
            let fault = Finding::denied(DeniedKind::NotNfc, value).stopping(stops);
            if let stop @ Flow::Stop(_) = self.report_held(fault, &normalizing.held)? {
                self.uncount(&normalizing.held);
                return Ok(stop);
            }
        }
        let pieces = normalizing.result();
        let run: Vec<CodePoint> = pieces.iter().map(|piece| piece.cp).collect();
        let of = |at: usize| pieces[at].first..pieces[at].last + 1;
        self.put_made(&run, of, &normalizing.held)
    }
}
