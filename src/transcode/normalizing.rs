//! What is held back for normalization: a letter and what may compose with it (see `normalize.rs`).

use super::conversion::Conversion;
use super::held::Held;
use crate::diagnostic::DeniedKind;
use crate::encoding::Encoding;
pub(super) use crate::normalization::Classes;
use crate::normalization::{Next, NormalizationForm, Piece, Sequence};
use crate::unicode::CodePoint;

/// Returns what finds the characters that a conversion may change, or must report; `None` if it cares for no form.
pub(super) fn classes_of(conversion: &Conversion) -> Option<Classes> {
    let forms: Vec<_> =
        [checked_form(conversion), conversion.options.form].into_iter().flatten().collect();
    (!forms.is_empty()).then(|| Classes::new(forms))
}

/// Returns the form that text must be in.
fn checked_form(conversion: &Conversion) -> Option<NormalizationForm> {
    conversion.options.denied.has(DeniedKind::NotNfc).then_some(NormalizationForm::Nfc)
}

/// The sequence that is held back.
#[derive(Debug)]
pub(super) struct Normalizing {
    /// It in the form that is denied to differ, and in the one that is written.
    checked: Option<Sequence>,
    written: Option<Sequence>,
    /// Its characters as they are in the text.
    pub(super) held: Vec<Held>,
    /// Whether the places of its characters may be reported.
    pub(super) needs_places: bool,
}

impl Normalizing {
    /// Creates the empty state, if the conversion cares for a form.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let checked = checked_form(conversion).map(Sequence::new);
        let written = conversion.options.form.map(Sequence::new);
        if checked.is_none() && written.is_none() {
            return None;
        }
        // A target that has these has all of Unicode.
        const ALL: [CodePoint; 5] = [0x301, 0x378, 0xAC00, 0xFFFF, 0x10_FFFE];
        let lacks = |to: &Encoding| ALL.iter().any(|cp| !to.encodes(&[*cp]));
        let needs_places = checked.is_some() || conversion.to.is_some_and(lacks);
        Some(Self { checked, written, held: Vec::new(), needs_places })
    }

    /// Whether nothing is held back.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Returns what `cp` would be to the sequence.
    pub(super) fn next(&mut self, cp: CodePoint) -> Next {
        let both = [&mut self.checked, &mut self.written];
        let answers = both.map(|it| it.as_mut().map_or(Next::Begins, |it| it.next(cp)));
        match answers {
            _ if answers.contains(&Next::TooMany) => Next::TooMany,
            _ if answers.contains(&Next::Continues) => Next::Continues,
            _ => Next::Begins,
        }
    }

    /// Holds back one more.
    pub(super) fn push(&mut self, held: Held) {
        for sequence in [&mut self.checked, &mut self.written].into_iter().flatten() {
            sequence.push(held.cp);
        }
        self.held.push(held);
    }

    /// Holds back nothing.
    pub(super) fn clear(&mut self) {
        for sequence in [&mut self.checked, &mut self.written].into_iter().flatten() {
            sequence.clear();
        }
        self.held.clear();
    }

    /// Whether the sequence differs from the form that it must be in.
    pub(super) fn is_denied(&mut self) -> bool {
        let Some(checked) = &mut self.checked else { return false };
        let normal = checked.finish().iter().map(|piece| piece.cp);
        !normal.eq(self.held.iter().map(|held| held.cp))
    }

    /// Returns what is written.
    pub(super) fn result(&mut self) -> Vec<Piece> {
        match &mut self.written {
            Some(written) => written.finish().to_vec(),
            None => (0..).zip(&self.held).map(|(at, held)| Piece::unchanged(held.cp, at)).collect(),
        }
    }
}
