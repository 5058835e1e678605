//! The layer that looks at single characters: denied ones, noted ones, shown ones, and line ends. The engine stops in
//! front of each character that may be of interest ([`Watch`](super::watch::Watch)).

use std::ops::Range;

use super::context_buffer::OwnedContext;
use super::error::Error;
use super::findings::{Fault, Found};
use super::newlines::{Held, LineEnd};
use super::policy::Detail;
use super::remedy::Remedy;
use super::session::{Flow, Session};
use crate::codec::Value;
use crate::diagnostic::{Context, DeniedKind, Kind};
use crate::io::Chunk;
use crate::unicode::{BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED};

/// What becomes of a watched character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// It is passed to the output.
    Passed,
    /// It is held back.
    Held,
    /// The conversion stops in front of this byte of the chunk.
    Stopped(usize),
}

impl Session<'_, '_> {
    /// Looks at `cp`, in front of which the engine stopped with the bytes from `at` on.
    pub(super) fn look_at(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Looked, Error> {
        if let Flow::Stop(place) = self.settle_before(cp, chunk)? {
            return Ok(Looked::Stopped(place));
        }
        if let Flow::Stop(place) = self.settle_return(chunk, Some(cp))? {
            return Ok(Looked::Stopped(place));
        }
        let fault = match self.line_end(cp) {
            LineEnd::Unknown => {
                self.hold_return(chunk, at);
                return Ok(Looked::Held);
            }
            LineEnd::Known(fault) => fault,
            LineEnd::Second => None,
        };
        let fault = fault.or_else(|| self.denied(cp));
        let mark = self.conversion.notes_marks() && cp == BYTE_ORDER_MARK;
        let shown = self.conversion.options.detail == Detail::Characters;
        if fault.is_none() && !mark && !shown {
            return Ok(Looked::Passed);
        }
        let Some(place) = self.locate(chunk, at) else { return Ok(Looked::Passed) };
        let range = place.range.clone();
        if let Some(fault) = fault {
            let stops = self.conversion.stops_at_denied();
            self.report(fault.stopping(stops), chunk, place)?;
            if stops {
                return Ok(Looked::Stopped(range.start));
            }
        } else if mark && self.text.offset + range.start as u64 > 0 {
            self.report(Fault::new(Kind::MarkInside), chunk, place)?;
        }
        if shown {
            self.report_character(cp.into(), chunk, range)?;
        }
        Ok(Looked::Passed)
    }

    /// Why a character is denied, if it is.
    fn denied(&self, cp: CodePoint) -> Option<Fault> {
        // U+FEFF at the very start is a byte order mark, which has a policy of its own.
        let mark = cp == BYTE_ORDER_MARK && self.text.is_at_start();
        let kind = self.conversion.options.denied.why(cp.into())?;
        (!mark || kind != DeniedKind::Bom).then(|| Fault::denied(kind, Some(cp.into())))
    }

    /// Reports the denied ones among the characters that the ill-formed subsequence at `range` is read as.
    pub(super) fn look_at_repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
        characters: &[CodePoint],
    ) -> Result<Flow, Error> {
        let denied =
            |cp: &CodePoint| Some((self.conversion.options.denied.why((*cp).into())?, *cp));
        match characters.iter().find_map(denied) {
            Some((kind, cp)) => self.report_denied(kind, cp.into(), chunk, range),
            None => Ok(Flow::On),
        }
    }

    /// Looks at a character that is too large for a run.
    pub(super) fn look_at_large(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        value: Value,
    ) -> Result<Flow, Error> {
        if let Some(kind) = self.conversion.options.denied.why(value)
            && let stop @ Flow::Stop(_) = self.report_denied(kind, value, chunk, &range)?
        {
            return Ok(stop);
        }
        if self.conversion.options.detail == Detail::Characters {
            self.report_character(value, chunk, range)?;
        }
        Ok(Flow::On)
    }

    /// Reports the end of the text in `chunk`, if its last line must end with a line feed and does not.
    pub(super) fn look_at_end(&mut self, chunk: &Chunk<'_>) -> Result<(), Error> {
        let missing = self.text.position.column > 1 && self.text.records.is_none();
        if self.conversion.options.final_newline && missing {
            let end = chunk.bytes.len();
            self.report(Fault::new(Kind::MissingFinalNewline), chunk, end..end)?;
        }
        Ok(())
    }

    fn report_denied(
        &mut self,
        kind: DeniedKind,
        value: Value,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
    ) -> Result<Flow, Error> {
        let stops = self.conversion.stops_at_denied();
        let fault = Fault::denied(kind, Some(value)).stopping(stops);
        self.report(fault, chunk, range.clone())?;
        Ok(if stops { Flow::Stop(range.start) } else { Flow::On })
    }

    /// Returns how a character affects the line that it may end.
    fn line_end(&mut self, cp: CodePoint) -> LineEnd {
        let Some(newlines) = &mut self.text.newlines else { return LineEnd::Known(None) };
        if !matches!(cp, CARRIAGE_RETURN | LINE_FEED) {
            return LineEnd::Known(None);
        }
        let end = newlines.line_end(cp, self.engine.pending().get(1).copied());
        self.watch_newlines();
        end
    }

    /// Holds back the carriage return at which the engine stopped.
    fn hold_return(&mut self, chunk: &Chunk<'_>, at: usize) {
        let Some(place) = self.locate(chunk, at) else { return };
        let offset = self.text.offset + place.range.start as u64;
        let bytes = chunk.bytes[place.range.clone()].to_vec();
        let context = self.context_of(chunk, place);
        if let Some(newlines) = &mut self.text.newlines {
            newlines.hold(Held { offset, bytes, context });
        }
    }

    /// Writes the carriage return that is held back, if any, now that the character after it is known or the text has
    /// ended.
    pub(super) fn settle_return(
        &mut self,
        chunk: &Chunk<'_>,
        next: Option<CodePoint>,
    ) -> Result<Flow, Error> {
        let settled = self.text.newlines.as_mut().and_then(|newlines| newlines.settle(next));
        let Some((held, fault)) = settled else { return Ok(Flow::On) };
        self.watch_newlines();
        if let Some(fault) = fault {
            let stops = self.conversion.stops_at_denied();
            if let stop @ Flow::Stop(_) = self.report_return(fault.stopping(stops), &held)? {
                return Ok(stop);
            }
        }
        let value = Value::from(CARRIAGE_RETURN);
        if self.conversion.options.detail == Detail::Characters {
            self.report_character_at(value, held.offset, &held.bytes)?;
        }
        let unmappable = self.put(&[CARRIAGE_RETURN], chunk)?.is_some();
        if let Some(target) = self.conversion.to.filter(|_| unmappable) {
            let remedies = self.remedies;
            let remedy = remedies.for_unmappable(value);
            let fault = Fault::unmappable(value, target).stopping(remedy == Remedy::Stop);
            if let stop @ Flow::Stop(_) = self.report_return(fault, &held)? {
                return Ok(stop);
            }
            self.apply(Kind::Unmappable, remedy, chunk)?;
        }
        self.pass(&[CARRIAGE_RETURN]);
        Ok(Flow::On)
    }

    /// Reports something at a carriage return that is held back.
    fn report_return(&mut self, fault: Fault, held: &Held) -> Result<Flow, Error> {
        let context = held.context.as_ref().map_or_else(Context::default, OwnedContext::borrowed);
        let position = self.text.position;
        let found = Found { offset: held.offset, position, bytes: &held.bytes, next: None };
        self.report_held(fault, found, context)
    }

    /// Reports something at a place whose chunk may no longer be in memory.
    pub(super) fn report_held(
        &mut self,
        fault: Fault,
        found: Found<'_>,
        context: Context<'_>,
    ) -> Result<Flow, Error> {
        let offset = found.offset;
        if fault.stops || self.reporter.wants_places() {
            self.prepared = false;
            self.text.findings.report(self.reporter, fault, found, context)?;
        } else {
            self.text.findings.report_unplaced(self.reporter, fault.kind, 1);
        }
        if !fault.stops {
            return Ok(Flow::On);
        }
        let place = usize::try_from(offset.saturating_sub(self.text.offset)).unwrap_or(usize::MAX);
        self.text.offset = self.text.offset.min(offset);
        Ok(Flow::Stop(place))
    }
}
