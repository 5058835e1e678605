//! The stage that normalizes: it holds back a letter and what may compose with it, and passes it on in its form. It
//! also finds text that is not in a form.
//!
//! ```text
//! … e ́ …   may a character of the run change? ─► hold e ─► hold ́  ─► the next begins another sequence ─► é
//! ```
//!
//! What stays as it is passes in bulk: the quick check of UAX 15 tells (`QuickCheck`). A sequence may come from several
//! chunks, and from ill-formed bytes that are read in a fallback encoding. Each character that it becomes has the place
//! of those that it is made of.

use super::super::conversion::Conversion;
use super::super::origin::{HeldCharacter, Origin};
use super::super::pipeline_exit::Passed;
use super::super::stage::{FollowedBy, Rest, Stage};
use crate::diagnostic::{DeniedKind, Finding};
use crate::normalization::{
    ComposingSequence, JOINER, NormalizationForm, NormalizedCharacter, QuickCheck, SequenceStep,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Normalizes, or finds what is not normalized.
pub(in super::super) struct Normalize {
    classes: QuickCheck,
    /// The sequence that is held back: in the form that is denied to differ, and in the one that is written.
    checked: Option<ComposingSequence>,
    written: Option<ComposingSequence>,
    /// Its characters as they are in the text.
    held: Vec<HeldCharacter>,
    /// Whether the places of its characters may be reported.
    needs_places: bool,
    /// Whether the conversion stops in front of what is denied, or of anything at all.
    stops_at_denied: bool,
    stops: bool,
    /// Whether a mark that is one too many begins with U+034F.
    joins: bool,
}

impl Normalize {
    /// Returns the stage, if the conversion cares for a form.
    pub(in super::super) fn stage(conversion: &Conversion) -> Option<Box<dyn Stage>> {
        let denies = conversion.options.denied.has(DeniedKind::NotNfc);
        let checked = denies.then_some(NormalizationForm::Nfc);
        let written = conversion.options.form;
        let forms: Vec<_> = [checked, written].into_iter().flatten().collect();
        if forms.is_empty() {
            return None;
        }
        // A target that has these has all of Unicode.
        const ALL: [CodePoint; 5] = [0x301, 0x378, 0xAC00, 0xFFFF, 0x10_FFFE];
        let lacks = |to: &Encoding| ALL.iter().any(|cp| !to.encodes(&[*cp]));
        let stops_at_denied = conversion.stops_at_denied();
        Some(Box::new(Self {
            classes: QuickCheck::new(forms),
            checked: checked.map(ComposingSequence::new),
            written: written.map(ComposingSequence::new),
            held: Vec::new(),
            needs_places: denies || conversion.to.is_some_and(lacks),
            stops_at_denied,
            stops: stops_at_denied || conversion.stops_at_unmappable(),
            joins: written.is_some() && conversion.to.is_some_and(|to| to.encodes(&[JOINER])),
        }))
    }

    /// Returns what `cp` would be to the sequence.
    fn next(&mut self, cp: CodePoint) -> SequenceStep {
        let both = [&mut self.checked, &mut self.written];
        let answers = both.map(|it| it.as_mut().map_or(SequenceStep::Begins, |it| it.next(cp)));
        match answers {
            _ if answers.contains(&SequenceStep::TooMany) => SequenceStep::TooMany,
            _ if answers.contains(&SequenceStep::Continues) => SequenceStep::Continues,
            _ => SequenceStep::Begins,
        }
    }

    fn hold(&mut self, cp: CodePoint, origin: &mut Origin<'_>, rest: &Rest<'_>) {
        let needs_place = self.needs_places && (self.stops || rest.exit.reporter.wants_places());
        let place = if needs_place { origin.keep() } else { None };
        for sequence in [&mut self.checked, &mut self.written].into_iter().flatten() {
            sequence.push(cp);
        }
        self.held.push(HeldCharacter { cp, place });
    }

    /// Passes on the sequence that is held back, unless `cp` belongs to it.
    fn settle_before(&mut self, cp: CodePoint, rest: &mut Rest<'_>) -> Passed {
        if self.held.is_empty() {
            return Ok(());
        }
        let next = self.next(cp);
        if next == SequenceStep::Continues {
            return Ok(());
        }
        self.settle_sequence(rest)?;
        if next == SequenceStep::TooMany && self.joins {
            rest.settle(FollowedBy::Break)?;
            rest.exit.put(&[JOINER])?;
        }
        Ok(())
    }

    /// Passes on the sequence that is held back, if any.
    fn settle_sequence(&mut self, rest: &mut Rest<'_>) -> Passed {
        if self.held.is_empty() {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        self.pass(&held, rest)?;
        for sequence in [&mut self.checked, &mut self.written].into_iter().flatten() {
            sequence.clear();
        }
        self.held = held;
        self.held.clear();
        Ok(())
    }

    /// Passes on this sequence, and reports it if it is not in the form that it must be in.
    fn pass(&mut self, held: &[HeldCharacter], rest: &mut Rest<'_>) -> Passed {
        let as_read = || held.iter().map(|held| held.cp);
        if let Some(checked) = &mut self.checked
            && !checked.finish().iter().map(|piece| piece.cp).eq(as_read())
        {
            if self.stops_at_denied {
                rest.settle(FollowedBy::Break)?;
            }
            let fault = Finding::denied(DeniedKind::NotNfc, Some(held[0].cp.into()));
            rest.exit.report(fault.stopping(self.stops_at_denied), &mut Origin::Held(held))?;
        }
        let unchanged: Vec<NormalizedCharacter>;
        let pieces = match &mut self.written {
            Some(written) => written.finish(),
            None => {
                unchanged = (0..)
                    .zip(as_read())
                    .map(|(at, cp)| NormalizedCharacter::unchanged(cp, at))
                    .collect();
                &unchanged
            }
        };
        for (at, piece) in pieces.iter().enumerate() {
            let next = pieces.get(at + 1).map(|next| next.cp);
            let mut origin = Origin::Held(&held[piece.first..=piece.last]);
            rest.character(piece.cp, next, &mut origin)?;
        }
        Ok(())
    }
}

impl Stage for Normalize {
    fn joins(&self) -> bool {
        true
    }

    fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize> {
        self.classes.first_in(run, next)
    }

    fn keeps(&mut self, cp: CodePoint) -> bool {
        !self.classes.changes(cp)
    }

    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut Rest<'_>,
    ) -> Passed {
        self.settle_before(cp, rest)?;
        if self.holds() || self.classes.holds(cp, next) {
            self.hold(cp, origin, rest);
            return Ok(());
        }
        rest.character(cp, next.filter(|next| self.keeps(*next)), origin)
    }

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut Rest<'_>) -> Passed {
        match followed_by {
            FollowedBy::Character(cp) => self.settle_before(cp, rest),
            FollowedBy::Gap => Ok(()),
            FollowedBy::Break | FollowedBy::End => self.settle_sequence(rest),
        }
    }
}
