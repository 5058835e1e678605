//! The layer that looks at single characters: denied ones, noted ones, shown ones, and line ends. The engine stops in
//! front of each character that may be of interest ([`Watch`](super::watch::Watch)).

use std::ops::Range;

use super::error::Error;
use super::held::Held;
use super::newlines::{LineEnd, Newlines};
use super::policy::Detail;
use super::remedy::Remedy;
use super::session::{Flow, Session};
use crate::codec::Value;
use crate::diagnostic::{DeniedKind, Finding, Kind};
use crate::io::Chunk;
use crate::unicode::{
    BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, Following, LINE_FEED, NEXT_LINE, is_stray,
};

/// What becomes of a watched character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// It is passed to the output.
    Passed,
    /// It is left out, or something else was written for it.
    Replaced,
    /// It is held back.
    Held,
    /// The conversion stops in front of this byte of the chunk.
    Stopped(usize),
}

/// Why a character may be reported.
#[expect(clippy::large_enum_variant, reason = "it is never stored")]
enum Judged {
    Known(Option<Finding<'static>>),
    /// It depends on what follows.
    Unknown,
}

/// A denied character among those that an ill-formed subsequence is read as, which is not passed on.
pub(super) struct Removed<'s> {
    /// Its index.
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) remedy: Remedy<'s>,
}

impl<'s> Session<'s, '_> {
    /// Looks at `cp`, in front of which the engine stopped with the bytes from `at` on.
    pub(super) fn look_at(
        &mut self,
        cp: CodePoint,
        chunk: &Chunk<'_>,
        at: usize,
    ) -> Result<Looked, Error> {
        if let Flow::Stop(place) = self.settle_undecided(Some(cp))? {
            return Ok(Looked::Stopped(place));
        }
        let fault = match self.judge(cp) {
            Judged::Known(fault) => fault,
            Judged::Unknown => {
                if cp == CARRIAGE_RETURN
                    && let Flow::Stop(place) = self.settle_before(cp)?
                {
                    return Ok(Looked::Stopped(place));
                }
                self.leave_undecided(cp, chunk, at);
                return Ok(Looked::Held);
            }
        };
        let remedy = fault.as_ref().and_then(|fault| self.remedy_of(fault, cp.into()));
        if let Flow::Stop(place) = self.settle_for(cp, remedy.as_ref())? {
            return Ok(Looked::Stopped(place));
        }
        let mark = self.conversion.notes_marks() && cp == BYTE_ORDER_MARK;
        let shown = self.conversion.options.detail == Detail::Characters;
        if fault.is_none() && !mark && !shown {
            return Ok(Looked::Passed);
        }
        let Some(place) = self.locate(chunk, at) else { return Ok(Looked::Passed) };
        let range = place.range.clone();
        let kind = fault.as_ref().map(|fault| fault.kind);
        if let Some(fault) = fault {
            let stops = remedy == Some(Remedy::Stop);
            self.report(fault.stopping(stops), chunk, place)?;
            if stops {
                return Ok(Looked::Stopped(range.start));
            }
        } else if mark && self.text.offset + range.start as u64 > 0 {
            self.report(Finding::new(Kind::MarkInside), chunk, place)?;
        }
        if shown {
            self.report_character(cp.into(), chunk, range)?;
        }
        match (kind, remedy) {
            (Some(kind), Some(remedy)) => {
                self.apply(kind, remedy)?;
                Ok(Looked::Replaced)
            }
            _ => Ok(Looked::Passed),
        }
    }

    /// Returns why the character at which the engine stopped is reported, if it is.
    fn judge(&mut self, cp: CodePoint) -> Judged {
        let next = self.engine.pending().get(1).copied();
        if let Some(newlines) = &mut self.text.newlines {
            match cp {
                CARRIAGE_RETURN | LINE_FEED => {
                    let end = newlines.line_end(cp, next);
                    self.watch_newlines();
                    match end {
                        LineEnd::Unknown => return Judged::Unknown,
                        LineEnd::Known(Some(fault)) => return Judged::Known(Some(fault)),
                        LineEnd::Known(None) | LineEnd::Second => {}
                    }
                }
                NEXT_LINE => newlines.next_line(self.text.position.after(&[cp])),
                _ => {}
            }
        }
        self.denied(cp, next.map_or(Following::Unknown, Following::Character))
    }

    /// Returns why a character is denied, if it is.
    fn denied(&self, cp: CodePoint, next: Following) -> Judged {
        let denied = self.conversion.options.denied;
        let Some(mut kind) = denied.why(cp.into()) else { return Judged::Known(None) };
        if kind == DeniedKind::Invisible {
            let before = self.text.trail.as_ref().map_or(&[][..], |trail| trail.characters());
            match is_stray(before, cp, next) {
                None => return Judged::Unknown,
                Some(true) => {}
                Some(false) => match denied.without(kind).why(cp.into()) {
                    Some(other) => kind = other,
                    None => return Judged::Known(None),
                },
            }
        }
        // U+FEFF at the very start is a byte order mark, which has a policy of its own.
        let mark = cp == BYTE_ORDER_MARK && self.text.is_at_start();
        let is_fault = !mark || kind != DeniedKind::Bom;
        Judged::Known(is_fault.then(|| Finding::denied(kind, Some(cp.into()))))
    }

    /// Returns what becomes of the character with this fault; `None` if it is passed on.
    fn remedy_of(&self, fault: &Finding<'_>, value: Value) -> Option<Remedy<'s>> {
        let remedies = self.remedies;
        match fault.kind {
            Kind::Denied(kind) if kind.is_of_characters() => remedies.for_denied(value),
            _ => self.conversion.stops_at_denied().then_some(Remedy::Stop),
        }
    }

    /// Reports the denied ones among the characters that the ill-formed subsequence at `range` is read as. Also returns
    /// those that are not passed on.
    pub(super) fn look_at_repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
        characters: &[CodePoint],
    ) -> Result<(Flow, Vec<Removed<'s>>), Error> {
        let mut removed = Vec::new();
        if self.conversion.options.denied.is_empty() {
            return Ok((Flow::On, removed));
        }
        let mut trail = self.text.trail.take();
        let mut flow = Flow::On;
        for (at, cp) in characters.iter().enumerate() {
            let next = characters.get(at + 1).copied();
            std::mem::swap(&mut self.text.trail, &mut trail);
            let judged = self.denied(*cp, next.map_or(Following::Nothing, Following::Character));
            std::mem::swap(&mut self.text.trail, &mut trail);
            if let Some(trail) = &mut trail {
                trail.pass(&[*cp]);
            }
            let Judged::Known(Some(fault)) = judged else { continue };
            let remedy = self.remedy_of(&fault, (*cp).into());
            let (kind, stops) = (fault.kind, remedy == Some(Remedy::Stop));
            self.report(fault.stopping(stops), chunk, range.clone())?;
            if stops {
                flow = Flow::Stop(range.start);
                break;
            }
            removed.extend(remedy.map(|remedy| Removed { at, kind, remedy }));
        }
        // What they are read as is passed later.
        self.text.trail = trail;
        Ok((flow, removed))
    }

    /// Looks at a character that is too large for a run.
    pub(super) fn look_at_large(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        value: Value,
    ) -> Result<Looked, Error> {
        let why = self.conversion.options.denied.why(value);
        let fault = why.map(|kind| Finding::denied(kind, Some(value)));
        let kind = fault.as_ref().map(|fault| fault.kind);
        let remedy = fault.as_ref().and_then(|fault| self.remedy_of(fault, value));
        let stops = remedy == Some(Remedy::Stop);
        if let Some(fault) = fault {
            self.report(fault.stopping(stops), chunk, range.clone())?;
        }
        if stops {
            return Ok(Looked::Stopped(range.start));
        }
        if self.conversion.options.detail == Detail::Characters {
            self.report_character(value, chunk, range)?;
        }
        match (kind, remedy) {
            (Some(kind), Some(remedy)) => {
                self.apply(kind, remedy)?;
                Ok(Looked::Replaced)
            }
            _ => Ok(Looked::Passed),
        }
    }

    /// Reports the end of the text in `chunk`, if its last line must have a line end and does not. `after_return` says
    /// whether the last character is a carriage return.
    pub(super) fn look_at_end(
        &mut self,
        chunk: &Chunk<'_>,
        after_return: bool,
    ) -> Result<Flow, Error> {
        if !self.text.lacks_line_feed() {
            return Ok(Flow::On);
        }
        let newlines = self.text.newlines.as_ref();
        let end = chunk.bytes.len();
        let ended = after_return && newlines.is_some_and(Newlines::declares_return);
        if self.conversion.options.final_newline && !ended {
            self.report(Finding::new(Kind::MissingFinalNewline), chunk, end..end)?;
        } else if newlines.is_some_and(|it| it.lacks_last(self.text.position, after_return)) {
            let stops = self.conversion.stops_at_denied();
            let fault = Finding::denied(DeniedKind::NoFinalNewline, None).stopping(stops);
            self.report(fault, chunk, end..end)?;
            if stops {
                return Ok(Flow::Stop(end));
            }
        }
        Ok(Flow::On)
    }

    /// Holds back the character at which the engine stopped until the next one is known.
    fn leave_undecided(&mut self, cp: CodePoint, chunk: &Chunk<'_>, at: usize) {
        let place = self.locate(chunk, at).map(|located| self.place_of(chunk, located));
        self.text.undecided = Some(Held { cp, place, counts: true });
        self.prepared = false;
    }

    /// Decides what becomes of the character that is held back for that, if any, now that the character after it is known or
    /// none follows.
    pub(super) fn settle_undecided(&mut self, next: Option<CodePoint>) -> Result<Flow, Error> {
        let Some(held) = self.text.undecided.take() else { return Ok(Flow::On) };
        self.prepared = false;
        let cp = held.cp;
        let newlines = self.text.newlines.as_mut().filter(|_| cp == CARRIAGE_RETURN);
        let fault = newlines.and_then(|newlines| newlines.settle(next));
        self.watch_newlines();
        let fault = fault.or_else(|| {
            match self.denied(cp, next.map_or(Following::Nothing, Following::Character)) {
                Judged::Known(fault) => fault,
                Judged::Unknown => None,
            }
        });
        let remedy = fault.as_ref().and_then(|fault| self.remedy_of(fault, cp.into()));
        if let stop @ Flow::Stop(_) = self.settle_for(cp, remedy.as_ref())? {
            return Ok(stop);
        }
        let kind = fault.as_ref().map(|fault| fault.kind);
        if let Some(fault) = fault {
            let fault = fault.stopping(remedy == Some(Remedy::Stop));
            if let stop @ Flow::Stop(_) = self.report_held(fault, std::slice::from_ref(&held))? {
                return Ok(stop);
            }
        }
        if self.conversion.options.detail == Detail::Characters
            && let Some(place) = &held.place
        {
            self.report_character_at(cp.into(), place.offset, &place.bytes)?;
        }
        self.pass(&[cp]);
        if let (Some(kind), Some(remedy)) = (kind, remedy) {
            self.apply(kind, remedy)?;
            return Ok(Flow::On);
        }
        self.write_character(held, next)
    }
}
