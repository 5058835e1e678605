//! Whether a word is unusual in the script that it is in, so that it may be text in one charset that was read in
//! another.
//!
//! ```text
//! Ïðèâåò    four characters beyond ASCII in a row, three of them letters of windows-1252
//! m”glich   a sign between letters, or a control code after one
//! crÚer     a capital beyond ASCII after a lowercase letter
//! dйjа      letters of two scripts next to each other
//! f黵       a rare ideograph beside a letter or another rare one
//! Τ瑿      a letter of another script before an ideograph
//! ```
//!
//! Sound text has such words too: `iФирма`, `cosθ`, `foo“bar”`. So a word that is unusual is then read in all charsets.

use super::ideographs::is_rare;
use oxiconv_encodings::unicode::CodePoint;

/// The number of rules that ask for two adjacent characters.
pub(super) const PAIR_RULES: u32 = 4;

/// What a character may be in an unusual word: a bit for each rule by which it and the next character make a word
/// unusual, and one for each by which it and the character before do. If two characters have no bit in common, no rule
/// applies to them. A word without such a pair is unusual only if it has three letters of windows-1252 without an ASCII
/// character between them.
pub(super) fn pair_rules(cp: CodePoint) -> (u32, u32) {
    let bits = |are: [bool; PAIR_RULES as usize]| {
        are.into_iter().enumerate().fold(0, |bits, (rule, is)| bits | u32::from(is) << rule)
    };
    let first = [is_letter(cp), is_lowercase(cp), is_latin(cp), is_other_script(cp)];
    let second = [is_sign(cp), is_capital(cp), is_other_script(cp), is_latin(cp)];
    (bits(first), bits(second))
}

/// Whether a word is unusual. `word` begins with the character before the word.
pub(super) fn is_unusual(word: &[CodePoint]) -> bool {
    let in_a_row = |four: &[CodePoint]| {
        four.iter().all(|cp| *cp >= 0x80)
            && four.iter().filter(|cp| is_high_letter(**cp)).count() >= 3
    };
    let is_unusual_pair = |pair: &[CodePoint]| {
        let [one, other] = [pair[0], pair[1]];
        let is_control_after = is_letter(one) && matches!(other, 0x80..=0x9F);
        let is_capital_inside = is_lowercase(one) && is_capital(other);
        let is_other_after = is_latin(one) && is_other_script(other);
        let is_latin_after = is_other_script(one) && is_latin(other);
        is_control_after
            || is_capital_inside
            || is_other_after
            || is_latin_after
            || is_unusual_ideograph(one, other)
    };
    let is_sign_between =
        |near: &[CodePoint]| is_letter(near[0]) && is_sign(near[1]) && is_letter(near[2]);
    word.windows(4).any(in_a_row)
        || word.windows(2).any(is_unusual_pair)
        || word.windows(3).any(is_sign_between)
}

/// Whether two adjacent characters are unusual in East Asian text: a rare ideograph and a letter, two rare ideographs,
/// or a letter of another script and an ideograph.
#[inline]
pub(super) fn is_unusual_ideograph(one: CodePoint, other: CodePoint) -> bool {
    let is_beside = |cp: CodePoint| is_latin(cp) || is_rare(cp);
    // Bopomofo, and characters for private use that GB18030 has for pairs of bytes without one.
    let is_foreign =
        |cp: CodePoint| is_other_script(cp) || matches!(cp, 0x3105..=0x3129 | 0xE000..=0xE4C5);
    is_rare(other) && is_beside(one)
        || is_rare(one) && is_beside(other)
        || is_foreign(one) && matches!(other, 0x3040..=0x30FF | 0x3400..=0x9FFF)
}

/// Whether a character is a letter of windows-1252 beyond ASCII.
pub(super) fn is_high_letter(cp: CodePoint) -> bool {
    matches!(cp, 0xC0..=0xFF | 0x160 | 0x161 | 0x178 | 0x17D | 0x17E)
}

fn is_latin(cp: CodePoint) -> bool {
    matches!(cp, 0x41..=0x5A | 0x61..=0x7A) || is_high_letter(cp)
}

/// Whether a character is a letter of Greek or Cyrillic.
fn is_other_script(cp: CodePoint) -> bool {
    matches!(cp, 0x386..=0x3CE | 0x400..=0x491)
}

fn is_letter(cp: CodePoint) -> bool {
    is_latin(cp) || is_other_script(cp)
}

fn is_lowercase(cp: CodePoint) -> bool {
    matches!(cp, 0x61..=0x7A | 0xDF..=0xF6 | 0xF8..=0xFF | 0x161 | 0x17E | 0x430..=0x45F | 0x491)
}

/// Whether a character is a capital of windows-1252 beyond ASCII, or of Cyrillic.
fn is_capital(cp: CodePoint) -> bool {
    matches!(cp, 0xC0..=0xD6 | 0xD8..=0xDE | 0x152 | 0x160 | 0x178 | 0x17D | 0x400..=0x42F | 0x490)
}

/// Whether a character is a control code, or a sign of ISO-8859-1, windows-1252 or DOS that hardly ever occurs inside a
/// word. `’`, dashes and `…` do.
fn is_sign(cp: CodePoint) -> bool {
    matches!(cp, 0x80..=0x9F | 0xA1..=0xA9 | 0xAB..=0xAC | 0xAE..=0xB1 | 0xB3 | 0xB5 | 0xB6 | 0xB8 | 0xB9 | 0xBB..=0xBF)
        || matches!(cp, 0x192 | 0x2C6 | 0x2DC | 0x2018 | 0x201A | 0x201C..=0x201E | 0x2020..=0x2022 | 0x2030)
        || matches!(
            cp,
            0x2039 | 0x203A | 0x207F | 0x20A7 | 0x2116 | 0x2122 | 0x2219 | 0x221A | 0x2229 | 0x2248
        )
        || matches!(cp, 0x2261 | 0x2264 | 0x2265 | 0x2310 | 0x2320 | 0x2321 | 0x2500..=0x25A0)
}
