//! The layer that normalizes: it holds back a letter and what may compose with it, and writes it in its form.
//!
//! ```text
//! engine:   … e ́ …          ─► may a character of the run change? stop before the letter that it belongs to
//! session:  hold e ─► hold ́  ─► the next begins another sequence ─► not in NFC? a finding ─► é ─► marks.rs, output
//! ```
//!
//! What stays as it is never stops the engine. A sequence may come from several chunks, and from ill-formed bytes that are
//! read in a fallback encoding. What the target lacks afterwards is reported where the characters stand that it is made of.

use std::ops::Range;

use super::context_buffer::OwnedContext;
use super::error::Error;
use super::findings::{Fault, Found};
use super::normalizing::{Held, Normalizing, Place, bytes_of};
use super::policy::encodes;
use super::remedy::Remedy;
use super::session::{Flow, Located, Session};
use crate::diagnostic::{Context, DeniedKind, Kind};
use crate::io::Chunk;
use crate::normalization::{JOINER, Next, Piece};
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
            if let stop @ Flow::Stop(_) = self.settle_sequence_before(next, chunk)? {
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

    /// Copies what is to be reported of a place.
    fn place_of(&mut self, chunk: &Chunk<'_>, located: Located) -> Place {
        Place {
            offset: self.text.offset + located.range.start as u64,
            position: self.text.position,
            bytes: chunk.bytes[located.range.clone()].to_vec(),
            context: self.context_of(chunk, located),
        }
    }

    /// Writes the characters that the ill-formed subsequence at `range` is read as.
    pub(super) fn normalize_repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        characters: &[CodePoint],
    ) -> Result<Flow, Error> {
        let place = self.place_of(chunk, range.into());
        for (index, &cp) in characters.iter().enumerate() {
            if let stop @ Flow::Stop(_) = self.settle_before(cp, chunk)? {
                return Ok(stop);
            }
            let place = Some(place.clone());
            let held = Held { cp, place, counts: false };
            self.prepared = false;
            let next = characters.get(index + 1).copied();
            let is_empty = self.text.normalizing.as_ref().is_none_or(Normalizing::is_empty);
            let begins = self.begins_sequence(cp, next);
            let normalizing = self.text.normalizing.as_mut().filter(|_| !is_empty || begins);
            match normalizing {
                Some(normalizing) => normalizing.push(held),
                None => {
                    let one = [Piece::unchanged(cp, 0)];
                    if let stop @ Flow::Stop(_) = self.put_pieces(&one, &[held], chunk)? {
                        return Ok(stop);
                    }
                }
            }
        }
        Ok(Flow::On)
    }

    /// Writes the sequence that is held back, if `cp` does not belong to it.
    pub(super) fn settle_sequence_before(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
    ) -> Result<Flow, Error> {
        let Some(normalizing) = &mut self.text.normalizing else { return Ok(Flow::On) };
        if normalizing.is_empty() {
            return Ok(Flow::On);
        }
        let next = normalizing.next(cp);
        if next == Next::Continues {
            return Ok(Flow::On);
        }
        let flow = self.settle_sequence(chunk)?;
        let joiner_fits = |to| encodes(to, &[JOINER]);
        if flow == Flow::On
            && next == Next::TooMany
            && self.conversion.options.form.is_some()
            && self.conversion.to.is_some_and(joiner_fits)
        {
            self.settle_cluster(chunk)?;
            self.put(&[JOINER], chunk)?;
        }
        Ok(flow)
    }

    /// Writes the sequence that is held back, if any.
    pub(super) fn settle_sequence(&mut self, chunk: &Chunk<'_>) -> Result<Flow, Error> {
        let Some(mut normalizing) = self.text.normalizing.take() else { return Ok(Flow::On) };
        let mut flow = Ok(Flow::On);
        if !normalizing.is_empty() {
            self.prepared = false;
            flow = self.write_sequence(&mut normalizing, chunk);
            normalizing.clear();
        }
        self.text.normalizing = Some(normalizing);
        flow
    }

    fn write_sequence(
        &mut self,
        normalizing: &mut Normalizing,
        chunk: &Chunk<'_>,
    ) -> Result<Flow, Error> {
        if normalizing.is_denied() {
            let stops = self.conversion.stops_at_denied();
            let value = normalizing.held.first().map(|held| held.cp.into());
            let fault = Fault::denied(DeniedKind::NotNfc, value).stopping(stops);
            if let stop @ Flow::Stop(_) = self.report_sequence(fault, &normalizing.held, None)? {
                self.uncount(&normalizing.held);
                return Ok(stop);
            }
        }
        let pieces = normalizing.result();
        self.put_pieces(&pieces, &normalizing.held, chunk)
    }

    /// Does not count characters that are held back in front of a stop.
    fn uncount(&mut self, held: &[Held]) {
        let count = held.iter().filter(|held| held.counts).count() as u64;
        let characters = &mut self.text.findings.summary.characters;
        *characters = characters.saturating_sub(count);
    }

    /// Writes the pieces that the held characters became, to the layer for letters and their marks if there is one.
    fn put_pieces(
        &mut self,
        pieces: &[Piece],
        held: &[Held],
        chunk: &Chunk<'_>,
    ) -> Result<Flow, Error> {
        let mut run: Vec<CodePoint> = Vec::with_capacity(pieces.len());
        let mut done = 0;
        while done < pieces.len() {
            let piece = pieces[done];
            let report = |session: &mut Self| session.report_piece(piece, held, false).map(drop);
            if self.hold_result(piece.cp, chunk, report)? {
                done += 1;
                continue;
            }
            // Without that layer, all in one go.
            let rest = if self.transliterates() { &pieces[done..=done] } else { &pieces[done..] };
            run.clear();
            run.extend(rest.iter().map(|piece| piece.cp));
            let Some(good) = self.put(&run, chunk)? else {
                done += rest.len();
                continue;
            };
            let piece = rest[good];
            let remedies = self.remedies;
            let remedy = remedies.for_unmappable(piece.cp.into());
            if let stop @ Flow::Stop(_) = self.report_piece(piece, held, remedy == Remedy::Stop)? {
                self.uncount(&held[piece.first..]);
                return Ok(stop);
            }
            self.apply(Kind::Unmappable, remedy, chunk)?;
            done += good + 1;
        }
        Ok(Flow::On)
    }

    fn transliterates(&self) -> bool {
        self.conversion.options.transliterates()
    }

    /// Reports that the target lacks a piece, where the characters stand that it was made of.
    fn report_piece(&mut self, piece: Piece, held: &[Held], stops: bool) -> Result<Flow, Error> {
        let Some(target) = self.conversion.to else { return Ok(Flow::On) };
        let value = piece.cp.into();
        let fault = Fault::unmappable(value, target).stopping(stops);
        let held = &held[piece.first..=piece.last];
        let nearest = self.text.context.as_ref().and_then(|_| self.remedies.nearest(value));
        self.report_sequence(fault, held, nearest.as_deref())
    }

    /// Reports a fault at the characters of `held`.
    fn report_sequence<'h>(
        &mut self,
        fault: Fault,
        held: &'h [Held],
        nearest: Option<&str>,
    ) -> Result<Flow, Error> {
        let place = |held: Option<&'h Held>| held.and_then(|held| held.place.as_ref());
        let (Some(first), Some(last)) = (place(held.first()), place(held.last())) else {
            let here = Found {
                offset: self.text.offset,
                position: self.text.position,
                bytes: &[],
                next: None,
            };
            return self.report_held(fault, here, Context::default());
        };
        let before = first.context.as_ref().map_or_else(Context::default, OwnedContext::borrowed);
        let after = last.context.as_ref().map_or_else(Context::default, OwnedContext::borrowed);
        let context = Context {
            after: after.after,
            line_after: after.line_after,
            line_goes_on: after.line_goes_on,
            transliteration: nearest,
            writes_escapes: nearest.is_some() && self.remedies.writes_escapes(),
            ..before
        };
        let bytes = &bytes_of(held);
        let found = Found { offset: first.offset, position: first.position, bytes, next: None };
        self.report_held(fault, found, context)
    }
}
