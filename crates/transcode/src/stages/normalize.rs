//! Normalizes text, and finds text that is not normalized. It holds a letter and what may compose with it, and passes
//! on the result.
//!
//! ```text
//! x          not followed by a mark: passes in bulk
//! U+0065     may compose with what follows: held
//! U+0301     belongs to it: held
//! y          begins another sequence: U+00E9 is passed on, and y passes
//! ```
//!
//! What stays as it is passes in bulk; the quick check of UAX 15 tells (`QuickCheck`). A sequence may come from several
//! chunks, and from ill-formed bytes that are read in a fallback encoding. Each character of the result has the place
//! of those that it was made of.

use super::super::conversion::Conversion;
use super::super::origin::{HeldCharacter, Origin};
use super::super::pipeline_exit::Passed;
use super::super::stage::{FollowedBy, LaterStages, Stage};
use crate::diagnostic::{DeniedKind, Finding};
use crate::normalization::{
    ComposingSequence, JOINER, NormalizationForm, NormalizedCharacter, QuickCheck, SequenceStep,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

pub(in super::super) struct Normalize {
    classes: QuickCheck,
    /// The held sequence: in the form that the text must already have, and in the form that is written.
    checked: Option<ComposingSequence>,
    written: Option<ComposingSequence>,
    held: Vec<HeldCharacter>,
    needs_places: bool,
    /// Whether the conversion stops at denied characters, and whether it may stop at all.
    stops_at_denied: bool,
    stops: bool,
    /// Whether U+034F is written before a mark that is one too many.
    joins: bool,
}

impl Normalize {
    /// Creates the stage, if a form matters to the conversion.
    pub(in super::super) fn stage(conversion: &Conversion) -> Option<Box<dyn Stage>> {
        let denies = conversion.options.denied.has(DeniedKind::NotNfc);
        let checked = denies.then_some(NormalizationForm::Nfc);
        let written = conversion.options.form;
        let forms: Vec<_> = [checked, written].into_iter().flatten().collect();
        if forms.is_empty() {
            return None;
        }
        // A target that has these has all of Unicode, so no place can be needed for an unmappable character: a mark, an
        // unassigned code point, a Hangul syllable, and noncharacters near the ends of the BMP and of the last plane.
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

    /// Returns how `cp` relates to the held sequence. With two forms, it is held as long as `cp` belongs to it in
    /// either of them, and it ends as soon as it has too many marks in either.
    ///
    /// The two can differ: for NFD a Hangul vowel begins another sequence, and for NFC it belongs to the consonant.
    /// Both [`ComposingSequence`]s always have the same characters, so one list of places does for both.
    fn next(&mut self, cp: CodePoint) -> SequenceStep {
        let both = [&mut self.checked, &mut self.written];
        let answers = both.map(|it| it.as_mut().map_or(SequenceStep::Begins, |it| it.next(cp)));
        match answers {
            _ if answers.contains(&SequenceStep::TooMany) => SequenceStep::TooMany,
            _ if answers.contains(&SequenceStep::Continues) => SequenceStep::Continues,
            _ => SequenceStep::Begins,
        }
    }

    fn hold(&mut self, cp: CodePoint, origin: &mut Origin<'_>, rest: &LaterStages<'_>) {
        let needs_place = self.needs_places && (self.stops || rest.exit.reporter.wants_places());
        let place = if needs_place { origin.resolve_owned() } else { None };
        for sequence in [&mut self.checked, &mut self.written].into_iter().flatten() {
            sequence.push(cp);
        }
        self.held.push(HeldCharacter { cp, place });
    }

    /// Passes on the held sequence, unless `cp` belongs to it.
    fn settle_before(&mut self, cp: CodePoint, rest: &mut LaterStages<'_>) -> Passed {
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

    fn settle_sequence(&mut self, rest: &mut LaterStages<'_>) -> Passed {
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
    ///
    /// The report comes first, because it may stop the conversion before the sequence. Each character of the result
    /// then goes to the later stages with the place of the characters that it was made of. If the text is only checked,
    /// and not written in a form, it goes there as it was read.
    fn pass(&mut self, held: &[HeldCharacter], rest: &mut LaterStages<'_>) -> Passed {
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
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        self.settle_before(cp, rest)?;
        if self.holds() || self.classes.holds(cp, next) {
            self.hold(cp, origin, rest);
            return Ok(());
        }
        rest.character(cp, next.filter(|next| self.keeps(*next)), origin)
    }

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut LaterStages<'_>) -> Passed {
        match followed_by {
            FollowedBy::Character(cp) => self.settle_before(cp, rest),
            FollowedBy::Gap => Ok(()),
            FollowedBy::Break | FollowedBy::End => self.settle_sequence(rest),
        }
    }
}
