//! Finds words that no writer would write, in a text that was read in an encoding.
//!
//! ```text
//! bekr‘ftelse   "bekræftelse" in IBM850, read as windows-1252: a sign divides the word
//! fŒr           "får" in Mac OS Roman, read as windows-1252: a capital letter between small ones
//! пО            "Он" in KOI8-R, read as windows-1251: a capital letter after a small one
//! mod่le        "modèle" in ISO-8859-1, read as windows-874: a mark of another script
//! n‚            "né" in IBM850, read as windows-1252: an opening sign ends the word
//! ```
//!
//! Detection weighs such words against all others, so one in a log of thousands does not change its answer. But it is a
//! word that would be written wrongly. So whoever replaces a file by what was read asks for every single one.

use super::charsets::decode;
use crate::language::{Script, WordPart};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Whether a text, read in `encoding`, has a word with a sign, a capital letter between small ones, or a letter or mark
/// of another script.
pub fn has_odd_word(text: &[u8], encoding: &Encoding) -> bool {
    decode(encoding, text, usize::MAX).is_some_and(|(characters, _)| is_any_odd(&characters))
}

/// Whether a character of a text beyond ASCII does not belong where it is.
pub(super) fn is_any_odd(characters: &[CodePoint]) -> bool {
    let space = CodePoint::from(' ');
    let before = std::iter::once(&space).chain(characters);
    let after = characters.iter().skip(1).chain([&space]);
    let mut three = before.zip(characters).zip(after).map(|((a, b), c)| [*a, *b, *c]);
    three.any(|three| three[1] >= 0x80 && is_odd(three))
}

fn is_odd([before, middle, after]: [CodePoint; 3]) -> bool {
    let part = WordPart::from;
    let is_small = |cp| is(char::is_lowercase, cp);
    let is_of_another_script = Script::of(middle)
        .filter(|_| !part(middle).is_letter)
        .is_some_and(|own| part(before).is_letter && Script::of(before) != Some(own));
    part(middle).is_misplaced(part(before), part(after))
        || is_of_another_script
        || is_small(before) && is(char::is_uppercase, middle) && (before >= 0x80 || is_small(after))
        || is_small(before) && OPENING.iter().any(|sign| CodePoint::from(*sign) == middle)
}

/// Signs before which a word never ends. Closing quotation marks of one language open in another, but not these.
const OPENING: [char; 8] = ['¡', '¨', '¿', '‚', '„', '¢', '£', '¥'];

fn is(kind: fn(char) -> bool, cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_belong_into_a_word_is_odd() {
        // "bekræftelse" and "né" in IBM850, "får" in Mac OS Roman, "Он" in KOI8-R, "modèle" in ISO-8859-1.
        for (text, encoding) in [
            (&b"en bekr\x91ftelse"[..], Encoding::WINDOWS_1252),
            (b"n\x82 un", Encoding::WINDOWS_1252),
            (b"f\x8Cr", Encoding::WINDOWS_1252),
            (b"\xEF\xCE", Encoding::WINDOWS_1251),
            (b"mod\xE8le", Encoding::for_name("windows-874").unwrap()),
        ] {
            assert!(has_odd_word(text, encoding), "{text:?}");
        }
        // "l'été, ÉTÉ, it’s, Ångström, 5°C, «mot», naïve" in windows-1252, "Имя" in windows-1251.
        for (text, encoding) in [
            (
                &b"l'\xE9t\xE9, \xC9T\xC9, it\x92s, \xC5ngstr\xF6m, 5\xB0C, \xABmot\xBB, na\xEFve"
                    [..],
                Encoding::WINDOWS_1252,
            ),
            (b"\xC8\xEC\xFF", Encoding::WINDOWS_1251),
            (b"a\xC5", Encoding::WINDOWS_1252),
        ] {
            assert!(!has_odd_word(text, encoding), "{text:?}");
        }
    }
}
