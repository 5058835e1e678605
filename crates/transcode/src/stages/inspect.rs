//! The stage that looks at single characters: denied ones, noted ones, and those that are shown.
//!
//! What an invisible character does may depend on the next one, so it is held back until that is known.

use std::slice;

use super::super::conversion::Conversion;
use super::super::denied::Denied;
use super::super::exit::{Passed, Removed};
use super::super::origin::{Held, Origin};
use super::super::policy::Detail;
use super::super::remedy::{Remedies, Remedy};
use super::super::stage::{Before, Rest, Stage};
use crate::diagnostic::{DeniedKind, Finding, Kind};
use oxiconv_encodings::unicode::{
    BYTE_ORDER_MARK, CodePoint, INVISIBLE_CONTEXT, NextCharacter, is_stray,
};

/// Code points that are looked up in a table.
const LOW: usize = 128;

#[cfg(test)]
thread_local! {
    /// How many code points were searched, for tests of what an option costs.
    pub(in super::super) static LOOKED_AT: std::cell::Cell<usize> =
        const { std::cell::Cell::new(0) };
}

/// Looks at characters that are denied, noted or shown.
pub(in super::super) struct Inspect {
    denied: Denied,
    /// Whether denied characters are left out or replaced.
    removes: bool,
    /// Whether U+FEFF inside the text is noted.
    notes_marks: bool,
    /// Whether every character is shown.
    shows: bool,
    /// Which of the first code points are looked for.
    low: [bool; LOW],
    /// The characters passed last, if invisible ones are judged by them.
    trail: Option<Vec<CodePoint>>,
    /// An invisible character, until the next one is known.
    held: Option<Held>,
}

impl Inspect {
    /// Returns the stage, if characters matter to the conversion.
    pub(in super::super) fn stage(conversion: &Conversion) -> Option<Box<dyn Stage>> {
        let denied = conversion.options.denied;
        let mut inspect = Self {
            denied,
            removes: conversion.removes_denied(),
            notes_marks: conversion.notes_marks(),
            shows: conversion.options.detail == Detail::Characters,
            low: [false; LOW],
            trail: denied.has(DeniedKind::Invisible).then(Vec::new),
            held: None,
        };
        let looks = denied.is_of_single_characters() || inspect.notes_marks || inspect.shows;
        inspect.low = std::array::from_fn(|cp| inspect.judges(cp as CodePoint));
        looks.then(|| Box::new(inspect) as Box<dyn Stage>)
    }

    fn looks_for(&self, cp: CodePoint) -> bool {
        self.low.get(cp as usize).copied().unwrap_or_else(|| self.judges(cp))
    }

    fn judges(&self, cp: CodePoint) -> bool {
        self.denied.why(cp.into()).is_some() || self.notes_marks && cp == BYTE_ORDER_MARK
    }

    /// Returns why a character is denied, if it is; `None` if that depends on what follows it.
    fn why(
        &self,
        cp: CodePoint,
        next: NextCharacter,
        starts_text: bool,
    ) -> Option<Option<DeniedKind>> {
        let Some(mut kind) = self.denied.why(cp.into()) else { return Some(None) };
        if kind == DeniedKind::Invisible {
            let before = self.trail.as_deref().unwrap_or_default();
            if !is_stray(before, cp, next)? {
                match self.denied.without(kind).why(cp.into()) {
                    Some(other) => kind = other,
                    None => return Some(None),
                }
            }
        }
        // U+FEFF at the very start is a byte order mark, which has a policy of its own.
        let is_mark = kind == DeniedKind::Bom && starts_text;
        Some((!is_mark).then_some(kind))
    }

    /// Reports a character that is denied for this reason, notes or shows it. Returns what stands for it, if it is not
    /// passed on.
    fn look<'r>(
        &mut self,
        cp: CodePoint,
        why: Option<DeniedKind>,
        origin: &mut Origin<'_>,
        rest: &mut Rest<'_>,
        remedies: &'r Remedies,
    ) -> Passed<Option<Remedy<'r>>> {
        let remedy = why.and_then(|_| remedies.for_denied(cp.into()));
        // What is found before it is reported before it.
        if why.is_some() || self.shows || self.notes_marks && cp == BYTE_ORDER_MARK {
            rest.settle(remedy.as_ref().map_or(Before::Character(cp), Remedy::comes_after))?;
        }
        if let Some(kind) = why {
            let fault = Finding::denied(kind, Some(cp.into()));
            rest.exit.report(fault.stopping(remedy == Some(Remedy::Stop)), origin)?;
        } else if self.notes_marks
            && cp == BYTE_ORDER_MARK
            && origin.offset().is_some_and(|offset| offset > 0)
        {
            rest.exit.report(Finding::new(Kind::MarkInside), origin)?;
        }
        if self.shows {
            rest.exit.show(cp.into(), origin)?;
        }
        Ok(remedy)
    }

    /// Passes on a character that is denied for this reason, or what stands for it.
    fn pass(
        &mut self,
        cp: CodePoint,
        why: Option<DeniedKind>,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut Rest<'_>,
    ) -> Passed {
        let remedies = rest.exit.remedies;
        let remedy = self.look(cp, why, origin, rest, remedies)?;
        self.passed(&[cp]);
        match (why, remedy) {
            (Some(kind), Some(remedy)) => Ok(rest.exit.apply(Kind::Denied(kind), remedy)?),
            _ => rest.character(cp, next.filter(|next| self.keeps(*next)), origin),
        }
    }

    /// Passes on the character that is held back, if any: this character follows it, or none.
    fn settle_invisible(&mut self, next: Option<CodePoint>, rest: &mut Rest<'_>) -> Passed {
        let Some(held) = self.held.take() else { return Ok(()) };
        let following = next.map_or(NextCharacter::Nothing, NextCharacter::Character);
        let why = self.why(held.cp, following, false).flatten();
        self.pass(held.cp, why, next, &mut Origin::Held(slice::from_ref(&held)), rest)
    }
}

impl Stage for Inspect {
    fn holds(&self) -> bool {
        self.held.is_some()
    }

    fn first_in(&mut self, run: &[CodePoint], _: Option<CodePoint>) -> Option<usize> {
        if self.shows {
            return (!run.is_empty()).then_some(0);
        }
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + run.len()));
        first_but_plain(run, |cp| self.looks_for(cp))
    }

    fn keeps(&mut self, cp: CodePoint) -> bool {
        !(self.removes && self.looks_for(cp))
    }

    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut Rest<'_>,
    ) -> Passed {
        self.settle_invisible(Some(cp), rest)?;
        let following = next.map_or(NextCharacter::Unknown, NextCharacter::Character);
        match self.why(cp, following, origin.starts_text()) {
            Some(why) => self.pass(cp, why, next, origin, rest),
            None => {
                self.held = Some(Held { cp, place: origin.keep() });
                Ok(())
            }
        }
    }

    /// A character that stops the conversion stops it before any of them is passed on.
    fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<Removed<'_>>,
        origin: &mut Origin<'_>,
        rest: &mut Rest<'_>,
    ) -> Passed {
        let (remedies, mut removed) = (rest.exit.remedies, removed);
        for (at, cp) in characters.iter().enumerate() {
            let next = characters.get(at + 1).copied();
            let following = next.map_or(NextCharacter::Nothing, NextCharacter::Character);
            let why = self.why(*cp, following, origin.starts_text()).flatten();
            let remedy = why.and_then(|_| remedies.for_denied((*cp).into()));
            if remedy == Some(Remedy::Stop) {
                rest.settle(Before::Break)?;
            }
            if let Some(kind) = why {
                let fault = Finding::denied(kind, Some((*cp).into()));
                rest.exit.report(fault.stopping(remedy == Some(Remedy::Stop)), origin)?;
            }
            if let (Some(kind), Some(remedy)) = (why, remedy) {
                removed.push(Removed { at, kind: Kind::Denied(kind), remedy });
            }
            self.passed(&[*cp]);
        }
        rest.group(characters, removed, origin)
    }

    fn passed(&mut self, run: &[CodePoint]) {
        let Some(trail) = &mut self.trail else { return };
        trail.extend_from_slice(&run[run.len().saturating_sub(INVISIBLE_CONTEXT)..]);
        let too_many = trail.len().saturating_sub(INVISIBLE_CONTEXT);
        trail.drain(..too_many);
    }

    fn settle(&mut self, before: Before, rest: &mut Rest<'_>) -> Passed {
        if let Before::Character(next) = before {
            return self.settle_invisible(Some(next), rest);
        }
        self.settle_invisible(None, rest)?;
        // What follows is no neighbour of what came before.
        if let Some(trail) = &mut self.trail {
            trail.clear();
        }
        Ok(())
    }
}

/// Returns the index of the first code point of `run` that `looks_for` is true of, which are controls, or beyond ASCII. No
/// branch for each character of a block of letters, digits and signs of ASCII.
fn first_but_plain(run: &[CodePoint], looks_for: impl Fn(CodePoint) -> bool) -> Option<usize> {
    const BLOCK: usize = 32;
    let plain = |block: &[CodePoint]| {
        block.iter().fold(0, |most, cp| most.max(cp.wrapping_sub(0x20))) < 0x7F - 0x20
    };
    let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
    blocks
        .filter(|(block, _)| !plain(block))
        .find_map(|(block, start)| Some(start + block.iter().position(|cp| looks_for(*cp))?))
}
