//! Upper and lower case: one rule for all languages, so that models need only lowercase letters.
//!
//! A square with both cases would have four times the costs, and learn for each letter anew that words begin with
//! capitals. But case must cost something, because wrong readings often swap it: upper and lower case are the other way
//! round in KOI8-R and windows-1251, so `Привет` in windows-1251 is `оПХБЕР` in KOI8-R.

use oxiconv_encodings::unicode::CodePoint;

/// The case of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LetterCase {
    /// Not a letter, or a letter of a script without case.
    #[default]
    None,
    /// A lowercase letter.
    Lower,
    /// An uppercase letter.
    Upper,
}

impl LetterCase {
    /// Returns what a character of this case costs, in sixteenths of a bit, after one of the case `before`. Inside a
    /// word, lower case hardly ever turns into upper case (9 bits), and a word in capitals is rarer than a capitalized
    /// one.
    ///
    /// The costs are those of shares: after a blank, five letters in six are lower case (4/16 of a bit) and one in six
    /// is a capital (40/16). A character without case costs nothing here, because the pairs of the model already say
    /// how likely a word is to end.
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

/// A character with the properties that do not depend on the language, computed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedCharacter {
    pub(crate) cp: CodePoint,
    /// The lowercase form if that is one code point, or else the character itself.
    pub(super) folded: CodePoint,
    pub(super) case: LetterCase,
}

impl FoldedCharacter {
    /// Returns the cost of its case after `before`, in sixteenths of a bit.
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

/// Returns the lowercase form of a code point, if that is one code point, and its case.
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
