//! Checks how lines end: the first that ends differently from what is declared, or else from the first line; the first
//! that ends as none may; and the end of the last line.
//!
//! How a line with a carriage return ends depends on the next character, so a carriage return is held until that is
//! known.
//!
//! Each kind of fault is reported once, because a file with the wrong line ends has it in every line. That also makes
//! the check cheap: [`LineEndCheck::looks_for`] gives up a character as soon as nothing can be found by it any more,
//! and text that has nothing left to look for passes in bulk. Where lines must end with LF, the scan is for CR alone
//! from the start.

use std::slice;

use super::super::conversion::Conversion;
use super::super::line_end_converter::first_of;
use super::super::origin::{HeldCharacter, Origin};
use super::super::pipeline_exit::{Passed, RemovedCharacter};
use super::super::policy::Newline;
use super::super::position::Position;
use super::super::stage::{ConversionPath, FollowedBy, LaterStages, Stage, TextEnd};
use crate::diagnostic::{DeniedKind, Details, Finding, Kind};
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE};

impl Newline {
    fn name(self) -> &'static str {
        match self {
            Self::CarriageReturn => "CR",
            Self::LineFeed => "LF",
            Self::Both => "CRLF",
        }
    }

    /// The code point, if it is one.
    fn value(self) -> Option<CodeValue> {
        match self {
            Self::CarriageReturn => Some(CARRIAGE_RETURN.into()),
            Self::LineFeed => Some(LINE_FEED.into()),
            Self::Both => None,
        }
    }
}

/// Watches how the lines of one text end, up to the first fault of each kind.
pub(in super::super) struct LineEndCheck {
    /// How lines must end. If it is not declared, the first line decides.
    expected: Option<Newline>,
    declared: bool,
    /// Whether it still looks for a line that ends differently.
    compares: bool,
    /// Whether it still looks for a line that ends with CR LF, and for one that ends with LF alone.
    looks_for_both: bool,
    looks_for_line_feed: bool,
    /// Whether the last line must end with a line feed, or with a line end of any kind, and whether U+0085 is one.
    needs_line_feed: bool,
    needs_end: bool,
    next_line: bool,
    stops: bool,
    /// The position after the last U+0085 that ends a line.
    after_next_line: Option<Position>,
    /// Whether a line feed now would complete a CR LF. The pair was judged at its CR already, so that line feed is no
    /// line end of its own.
    completes: bool,
    /// A carriage return whose line feed may still come.
    held: Option<HeldCharacter>,
    /// Whether the text ended with it.
    ended_with_return: bool,
}

impl LineEndCheck {
    /// Creates the stage for a text in `encoding`, if its line ends matter to the conversion.
    pub(in super::super) fn stage(
        conversion: &Conversion,
        encoding: &Encoding,
    ) -> Option<Box<dyn Stage>> {
        let (expected, denied) = (conversion.options.line_ends.newline, conversion.options.denied);
        let needs_end = denied.has(DeniedKind::NoFinalNewline);
        let check = Self {
            expected,
            declared: expected.is_some(),
            compares: expected.is_some() || denied.has(DeniedKind::MixedNewlines),
            looks_for_both: denied.has(DeniedKind::Crlf),
            looks_for_line_feed: denied.has(DeniedKind::Lf),
            needs_line_feed: conversion.options.line_ends.final_newline,
            needs_end,
            next_line: needs_end && encoding.has_ebcdic_newlines(),
            stops: conversion.stops_at_denied(),
            after_next_line: None,
            completes: false,
            held: None,
            ended_with_return: false,
        };
        let matters = check.looks_for(CARRIAGE_RETURN) || check.needs_line_feed;
        matters.then(|| Box::new(check) as Box<dyn Stage>)
    }

    /// Whether this character can still be of interest.
    fn looks_for(&self, cp: CodePoint) -> bool {
        match cp {
            // It begins a line end whose kind the next character decides, and it may be the end of the text.
            CARRIAGE_RETURN => {
                self.compares
                    || self.looks_for_both
                    || self.looks_for_line_feed
                    || self.needs_end
                    || self.declares_return()
            }
            // Where lines must end with LF, only a carriage return can be wrong: line feeds pass in bulk, unless LF is
            // denied.
            LINE_FEED => {
                self.compares && self.expected != Some(Newline::LineFeed)
                    || self.looks_for_line_feed
            }
            NEXT_LINE => self.next_line,
            _ => false,
        }
    }

    fn declares_return(&self) -> bool {
        self.declared && self.expected == Some(Newline::CarriageReturn)
    }

    /// Takes note of a line end, and returns the finding about it, if any.
    ///
    /// Every kind of fault is found once per text, and its flag is cleared then. Once nothing is looked for any more,
    /// the stage lets all text pass in bulk.
    fn judge(&mut self, newline: Newline) -> Option<Finding<'static>> {
        self.completes = newline == Newline::Both;
        let expected = *self.expected.get_or_insert(newline);
        let differs = self.compares && expected != newline;
        self.compares &= !differs;
        let both = newline == Newline::Both && std::mem::take(&mut self.looks_for_both);
        let line_feed =
            newline == Newline::LineFeed && std::mem::take(&mut self.looks_for_line_feed);
        let denied = |kind| Finding::denied(kind, newline.value());
        // A line end gets one finding, even if it breaks several rules. The other rules count as found all the same.
        match (differs, self.declared) {
            (true, true) => Some(Finding::of_character(Kind::WrongNewline, newline.value())),
            (true, false) => {
                let fault = denied(DeniedKind::MixedNewlines);
                Some(fault.with(Details::FirstLineEnd(expected.name())))
            }
            (false, _) if both => Some(denied(DeniedKind::Crlf)),
            (false, _) => line_feed.then(|| denied(DeniedKind::Lf)),
        }
    }

    /// Passes on the held carriage return, if any. `next` follows it; with `None`, nothing does.
    fn settle_return(&mut self, next: Option<CodePoint>, rest: &mut LaterStages<'_>) -> Passed {
        let Some(held) = self.held.take() else { return Ok(()) };
        let newline = if next == Some(LINE_FEED) { Newline::Both } else { Newline::CarriageReturn };
        self.pass(newline, CARRIAGE_RETURN, next, &mut Origin::Held(slice::from_ref(&held)), rest)
    }

    /// Judges a line end and passes on its first character. If there is a finding, the stages after this one are
    /// settled first: they may hold characters before the line end with findings of their own, and findings come in the
    /// order of the text. If it stops the conversion, what they hold must be written too.
    fn pass(
        &mut self,
        newline: Newline,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        if let Some(fault) = self.judge(newline) {
            rest.settle(if self.stops { FollowedBy::Break } else { FollowedBy::Character(cp) })?;
            rest.exit.report(fault.stopping(self.stops), origin)?;
        }
        rest.character(cp, next, origin)
    }
}

impl Stage for LineEndCheck {
    fn path(&self) -> ConversionPath {
        if self.looks_for(CARRIAGE_RETURN) {
            ConversionPath::CodePoints
        } else {
            ConversionPath::Kernels
        }
    }

    fn holds(&self) -> bool {
        self.held.is_some()
    }

    fn first_in(&mut self, run: &[CodePoint], _: Option<CodePoint>) -> Option<usize> {
        if !self.looks_for(CARRIAGE_RETURN) {
            return None;
        }
        let or_return = |cp| if self.looks_for(cp) { cp } else { CARRIAGE_RETURN };
        first_of(run, [CARRIAGE_RETURN, or_return(LINE_FEED), or_return(NEXT_LINE)])
    }

    fn keeps(&mut self, _: CodePoint) -> bool {
        true
    }

    /// The cases, in their order: the line feed of a CR LF, which was judged with its carriage return; a line feed
    /// alone; a carriage return after which nothing is known yet, which is held with its place; CR LF; a carriage
    /// return alone; U+0085, of which only the place after it is noted, for the end of the text; and anything else.
    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        self.settle_return(Some(cp), rest)?;
        let completes = std::mem::take(&mut self.completes);
        match (cp, next) {
            (LINE_FEED, _) if completes => {}
            (LINE_FEED, _) => return self.pass(Newline::LineFeed, cp, next, origin, rest),
            (CARRIAGE_RETURN, None) => {
                self.held = Some(HeldCharacter { cp, place: origin.resolve_owned() });
                return Ok(());
            }
            (CARRIAGE_RETURN, Some(LINE_FEED)) => {
                return self.pass(Newline::Both, cp, next, origin, rest);
            }
            (CARRIAGE_RETURN, Some(_)) => {
                return self.pass(Newline::CarriageReturn, cp, next, origin, rest);
            }
            (NEXT_LINE, _) => {
                self.after_next_line = origin.position().map(|position| position.after(&[cp]));
            }
            _ => self.completes = completes,
        }
        rest.character(cp, next, origin)
    }

    /// Characters that ill-formed bytes are read as end no line.
    fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<RemovedCharacter<'_>>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        rest.group(characters, removed, origin)
    }

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut LaterStages<'_>) -> Passed {
        self.ended_with_return = self.held.is_some();
        match followed_by {
            FollowedBy::Character(next) => self.settle_return(Some(next), rest),
            FollowedBy::Gap | FollowedBy::Break | FollowedBy::End => self.settle_return(None, rest),
        }
    }

    /// Judges the last line, if it has characters and no line feed after them. Two rules may apply. `needs_line_feed`
    /// wants a line feed, or a carriage return where lines are declared to end so. `needs_end` takes any line end, also
    /// one that is none to the position: CR, and in EBCDIC U+0085, which ended the text if nothing has moved since.
    fn end(
        &mut self,
        end: &TextEnd,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        if !end.lacks_line_feed {
            return Ok(());
        }
        let returned = self.ended_with_return;
        if self.needs_line_feed && !(returned && self.declares_return()) {
            return rest.exit.report(Finding::new(Kind::MissingFinalNewline), origin);
        }
        if self.needs_end && !returned && self.after_next_line != origin.position() {
            let fault = Finding::denied(DeniedKind::NoFinalNewline, None);
            return rest.exit.report(fault.stopping(self.stops), origin);
        }
        Ok(())
    }
}
