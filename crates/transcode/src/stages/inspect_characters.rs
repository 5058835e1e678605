//! Looks at single characters: denied ones, noted ones, and those that are shown.
//!
//! What an invisible character does may depend on the next one, so it is held until that is known. U+200D joins two
//! emoji, and between two Latin letters it does nothing.
//!
//! It may also depend on the characters before it, which have passed already. So the last few of them are remembered
//! (`trail`), but only if invisible characters are denied at all. A character is judged by the text as it was read,
//! including what is removed from it.

use std::slice;

use super::super::conversion::Conversion;
use super::super::denied_set::DeniedSet;
use super::super::origin::{HeldCharacter, Origin};
use super::super::pipeline_exit::{Passed, RemovedCharacter};
use super::super::policy::Detail;
use super::super::remedy::{Remedies, Remedy};
use super::super::stage::{FollowedBy, LaterStages, Stage};
use crate::diagnostic::{DeniedKind, Finding, Kind};
use oxiconv_encodings::unicode::{
    BYTE_ORDER_MARK, CodePoint, INVISIBLE_CONTEXT, NextCharacter, is_stray,
};

/// Code points below this are looked up in a table.
const LOW: usize = 128;

#[cfg(test)]
thread_local! {
    /// How many code points were examined, for tests of what an option costs.
    pub(in super::super) static LOOKED_AT: std::cell::Cell<usize> =
        const { std::cell::Cell::new(0) };
}

pub(in super::super) struct Inspect {
    denied: DeniedSet,
    removes: bool,
    notes_marks: bool,
    shows: bool,
    /// Which code points below [`LOW`] it looks for.
    low: [bool; LOW],
    /// The last characters passed, if invisible ones are judged by them.
    trail: Option<Vec<CodePoint>>,
    /// An invisible character, until the next one is known.
    held: Option<HeldCharacter>,
}

impl Inspect {
    /// Creates the stage, if single characters matter to the conversion.
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
        if !(denied.is_of_single_characters() || inspect.notes_marks || inspect.shows) {
            return None;
        }
        inspect.low = std::array::from_fn(|cp| inspect.judges(cp as CodePoint));
        Some(Box::new(inspect))
    }

    fn looks_for(&self, cp: CodePoint) -> bool {
        self.low.get(cp as usize).copied().unwrap_or_else(|| self.judges(cp))
    }

    fn judges(&self, cp: CodePoint) -> bool {
        self.denied.why(cp.into()).is_some() || self.notes_marks && cp == BYTE_ORDER_MARK
    }

    /// Returns why a character is denied, if it is. The outer `None` says that this depends on what follows it.
    ///
    /// A character may be of several denied kinds. If it is invisible but has an effect here, it may still be denied
    /// for another kind: U+E0041 is invisible and beyond the BMP.
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

    /// Reports, notes or shows a character. `why` is the reason if it is denied. Returns its remedy, unless it is
    /// passed on.
    fn look<'r>(
        &mut self,
        cp: CodePoint,
        why: Option<DeniedKind>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
        remedies: &'r Remedies,
    ) -> Passed<Option<Remedy<'r>>> {
        let remedy = why.and_then(|_| remedies.for_denied(cp.into()));
        // Later stages may hold characters before this one and still have findings about them. Findings must be in the
        // order of the text, so they are settled first. A character that is removed is a gap to them, and their letter
        // may continue after it.
        if why.is_some() || self.shows || self.notes_marks && cp == BYTE_ORDER_MARK {
            rest.settle(remedy.as_ref().map_or(FollowedBy::Character(cp), Remedy::comes_after))?;
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

    /// Passes on a character, or applies its remedy. `why` is the reason if it is denied.
    fn pass(
        &mut self,
        cp: CodePoint,
        why: Option<DeniedKind>,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let remedies = rest.exit.remedies;
        let remedy = self.look(cp, why, origin, rest, remedies)?;
        self.passed(&[cp]);
        match (why, remedy) {
            (Some(kind), Some(remedy)) => Ok(rest.exit.apply(Kind::Denied(kind), remedy)?),
            _ => rest.character(cp, next.filter(|next| self.keeps(*next)), origin),
        }
    }

    /// Passes on the held character, if any. `next` follows it; with `None`, nothing does.
    fn settle_invisible(&mut self, next: Option<CodePoint>, rest: &mut LaterStages<'_>) -> Passed {
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

    /// Conservative: whatever it looks for counts as if it were removed, even an invisible character that turns out to
    /// have an effect. The stages after it then only hold a letter that could have passed.
    fn keeps(&mut self, cp: CodePoint) -> bool {
        !(self.removes && self.looks_for(cp))
    }

    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        self.settle_invisible(Some(cp), rest)?;
        let following = next.map_or(NextCharacter::Unknown, NextCharacter::Character);
        match self.why(cp, following, origin.starts_text()) {
            Some(why) => self.pass(cp, why, next, origin, rest),
            None => {
                self.held = Some(HeldCharacter { cp, place: origin.resolve_owned() });
                Ok(())
            }
        }
    }

    /// All of them are examined before any is passed on, so that a stop at one of them leaves none of them written.
    /// That is also why none is held: the last one is judged as if nothing followed it.
    fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<RemovedCharacter<'_>>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let (remedies, mut removed) = (rest.exit.remedies, removed);
        for (at, cp) in characters.iter().enumerate() {
            let next = characters.get(at + 1).copied();
            let following = next.map_or(NextCharacter::Nothing, NextCharacter::Character);
            let why = self.why(*cp, following, origin.starts_text()).flatten();
            let remedy = why.and_then(|_| remedies.for_denied((*cp).into()));
            if remedy == Some(Remedy::Stop) {
                rest.settle(FollowedBy::Break)?;
            }
            if let Some(kind) = why {
                let fault = Finding::denied(kind, Some((*cp).into()));
                rest.exit.report(fault.stopping(remedy == Some(Remedy::Stop)), origin)?;
            }
            if let (Some(kind), Some(remedy)) = (why, remedy) {
                removed.push(RemovedCharacter { at, kind: Kind::Denied(kind), remedy });
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

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut LaterStages<'_>) -> Passed {
        if let FollowedBy::Character(next) = followed_by {
            return self.settle_invisible(Some(next), rest);
        }
        self.settle_invisible(None, rest)?;
        // What follows is not adjacent to what came before.
        if let Some(trail) = &mut self.trail {
            trail.clear();
        }
        Ok(())
    }
}

/// Returns the index of the first code point of `run` that `looks_for` accepts. All that it may accept are controls or
/// beyond ASCII.
///
/// A block of printable ASCII passes with one comparison: `cp - 0x20` wraps around for controls, so one maximum covers
/// both ends of the range, without a branch per character.
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
