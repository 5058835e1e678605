//! Upper and lower case: one rule for all languages, so that models hold lower case alone.

use oxiconv_encodings::unicode::CodePoint;

/// The case of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LetterCase {
    /// It is no letter, or its script has no case.
    #[default]
    None,
    /// A small letter.
    Lower,
    /// A capital letter.
    Upper,
}

impl LetterCase {
    /// Returns what it costs, in sixteenths of a bit, that a character of this case follows one of the case `before`.
    /// In a word, lower case hardly ever turns into upper case; a word in capitals is rarer than one with a capital.
    pub const fn cost(self, before: Self) -> u32 {
        match (before, self) {
            (_, Self::None) => 0,
            (Self::None, Self::Lower) | (Self::Upper, Self::Lower) => 4,
            (Self::None, Self::Upper) => 40,
            (Self::Lower, Self::Lower) => 0,
            (Self::Lower, Self::Upper) => 144,
            (Self::Upper, Self::Upper) => 34,
        }
    }
}

/// A character, with what all languages have to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedCharacter {
    pub(crate) cp: CodePoint,
    /// In lower case, if that is one code point.
    pub(super) folded: CodePoint,
    pub(super) case: LetterCase,
}

impl FoldedCharacter {
    /// Returns what its case costs after `before`, in sixteenths of a bit.
    pub(crate) const fn case_after(self, before: Self) -> u32 {
        self.case.cost(before.case)
    }
}

impl From<CodePoint> for FoldedCharacter {
    fn from(cp: CodePoint) -> Self {
        let (folded, case) = fold(cp);
        Self { cp, folded, case }
    }
}

/// Returns a code point in lower case, if that is one code point, and its case.
fn fold(cp: CodePoint) -> (CodePoint, LetterCase) {
    let Some(c) = char::from_u32(cp) else { return (cp, LetterCase::None) };
    if c.is_ascii() {
        return match c {
            'A'..='Z' => (cp + 32, LetterCase::Upper),
            'a'..='z' => (cp, LetterCase::Lower),
            _ => (cp, LetterCase::None),
        };
    }
    // Kana, ideographs and Korean syllables have no case.
    if matches!(cp, 0x3000..=0xA63F | 0xAC00..=0xD7A3) {
        return (cp, LetterCase::None);
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(low), None) if low != c => (low.into(), LetterCase::Upper),
        _ if c.is_lowercase() => (cp, LetterCase::Lower),
        _ => (cp, LetterCase::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_fold_one_for_one() {
        let folded = |c: char| {
            let FoldedCharacter { folded, case, .. } = FoldedCharacter::from(CodePoint::from(c));
            (char::from_u32(folded).unwrap(), case)
        };
        assert_eq!(folded('A'), ('a', LetterCase::Upper));
        assert_eq!(folded('я'), ('я', LetterCase::Lower));
        assert_eq!(folded('Ж'), ('ж', LetterCase::Upper));
        assert_eq!(folded('ß'), ('ß', LetterCase::Lower));
        // Its lower case is two code points.
        assert_eq!(folded('İ'), ('İ', LetterCase::None));
        assert_eq!(folded('א'), ('א', LetterCase::None));
        assert_eq!(folded('7'), ('7', LetterCase::None));
        let has_case = |c: char| c.is_lowercase() || c.to_lowercase().ne([c]);
        let mut without = ('\u{3000}'..='\u{A63F}').chain('\u{AC00}'..='\u{D7A3}');
        assert_eq!(without.find(|c| has_case(*c)), None);
    }
}
