//! Letters and their marks: what belongs to a letter, which marks may be dropped, and canonical equivalence (Unicode
//! 3.11, UAX 15).

use unicode_normalization::UnicodeNormalization;

use crate::normalization::class;
use oxiconv_encodings::unicode::{CodePoint, is_letter};

/// The vowels and trailing consonants of Hangul, which compose with the consonant before them.
const JAMO: [std::ops::RangeInclusive<CodePoint>; 2] = [0x1161..=0x1175, 0x11A8..=0x11C2];

/// Whether `cp` belongs to the letter before it: a mark, with a Canonical_Combining_Class other than 0, or a Hangul
/// vowel or trailing consonant.
pub fn extends(cp: CodePoint) -> bool {
    // Fast path: the blocks of the scripts in common use that have no marks.
    match cp {
        0..=0x2FF | 0x370..=0x482 | 0x48A..=0x590 | 0x620..=0x64A | 0x1E00..=0x20CF => false,
        0x3100..=0xA66E | 0xAC00..=0xFB1D => false,
        _ => class(cp) != 0 || JAMO.iter().any(|letters| letters.contains(&cp)),
    }
}

/// Whether `letter` is a letter, and is still the same letter without this mark. Accents may be dropped: `é` to `e`
/// loses little. These may not: marks that negate, strike out or enclose, vowel signs, and signs that change the
/// consonant, such as a virama, a nukta or the voicing of Kana. `∉` without its mark is `∈`, the opposite.
pub fn may_drop(letter: CodePoint, mark: CodePoint) -> bool {
    match mark {
        // Most of these have the class of accents (230), so the class does not tell. A line above negates in logic, and
        // the combining marks for symbols change them.
        0x305 | 0x33F | 0x20D0..=0x20FF => false,
        // Classes of the Hebrew and Arabic points (10 to 36), and of marks above, below or attached (202 to 240).
        _ => matches!(class(mark), 10..=36 | 202..=240) && is_letter(letter),
    }
}

/// Returns the canonical decomposition, with marks in canonical order (NFD); `None` if not all are scalar values.
pub(super) fn decomposed(cps: &[CodePoint]) -> Option<Vec<CodePoint>> {
    let chars: Option<Vec<char>> = cps.iter().copied().map(char::from_u32).collect();
    Some(chars?.into_iter().nfd().map(CodePoint::from).collect())
}

/// Returns the canonical composition (NFC).
pub fn composed(cps: &[CodePoint]) -> Vec<CodePoint> {
    cps.iter().copied().filter_map(char::from_u32).nfc().map(CodePoint::from).collect()
}

/// Returns the katakana for a half-width letter and a half-width sound mark: パ for ﾊﾟ. In Unicode these sound marks are
/// letters, so they do not compose canonically; NFKC turns both into full-width ones and then composes.
pub(super) fn voiced(letter: CodePoint, mark: CodePoint) -> Option<CodePoint> {
    if !(0xFF66..=0xFF9D).contains(&letter) || !matches!(mark, 0xFF9E | 0xFF9F) {
        return None;
    }
    let mut composed = [letter, mark].into_iter().filter_map(char::from_u32).nfkc();
    let first = composed.next()?;
    composed.next().is_none().then_some(first.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_extend_letters() {
        let extending =
            [0x300, 0x338, 0x34F + 1, 0x483, 0x5B0, 0x64B, 0x1161, 0x11A8, 0x3099, 0x20D7, 0x1D165];
        assert!(extending.into_iter().all(extends));
        let others = [
            0x41, 0xE9, 0x2BC, 0x3B1, 0x44F, 0x5D0, 0x1100, 0x2019, 0x20AC, 0x3042, 0x65E5, 0xAC00,
            0x1F600,
        ];
        assert!(!others.into_iter().any(extends));
        // The fast path leaves out no mark.
        for cp in (0..=0x2_FFFF).filter(|cp| class(*cp) != 0) {
            assert!(extends(cp), "{cp:X}");
        }
    }

    #[test]
    fn half_width_katakana_compose_with_their_marks() {
        for (text, composed) in [("ﾊﾟ", 'パ'), ("ｶﾞ", 'ガ'), ("ｳﾞ", 'ヴ'), ("ﾜﾞ", 'ヷ')]
        {
            let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
            assert_eq!(voiced(cps[0], cps[1]), Some(composed.into()), "{text}");
        }
        for text in ["ｱﾞ", "ｶﾟ", "ﾞﾞ", "カﾞ", "aﾞ", "ﾊ゜"] {
            let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
            assert_eq!(voiced(cps[0], cps[1]), None, "{text}");
        }
    }

    #[test]
    fn only_marks_that_change_no_meaning_may_be_dropped() {
        let kept = [0x305, 0x334, 0x338, 0x93C, 0x94D, 0xE38, 0x20D2, 0x20D7, 0x20E0, 0x3099];
        assert!(!kept.into_iter().any(|mark| may_drop(0x61, mark)));
        assert!(
            [0x300, 0x308, 0x323, 0x327, 0x328, 0x31B, 0x345, 0x5B0, 0x64B]
                .into_iter()
                .all(|mark| may_drop(0x61, mark))
        );
    }
}
