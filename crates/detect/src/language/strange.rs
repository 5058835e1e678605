//! What a character costs that is not in the alphabet of a language.
//!
//! In the square of the model, such a character is only `LETTER` or `OTHER`, which is the same for `“` and for `¦`. The
//! cost here says which one of them it is. It is the same for all languages of a script, since what is foreign to a
//! language is too rare in its texts to be counted. Quotation marks and dashes are cheap, because sound text has them.
//! Signs that mostly come from wrong readings, such as `¦` and `¨`, cost four times as much.

use super::script::Script;
use oxiconv_encodings::unicode::CodePoint;

/// Returns the cost, in bits, of a code point among all that are not in the alphabet of a language written in `script`.
///
/// The order of the arms matters: the first groups are exceptions to the ranges after them.
pub(super) fn strangeness(cp: CodePoint, script: Script) -> u32 {
    match cp {
        // Typography of any language: quotation marks, dashes, spaces, the ellipsis.
        0xA0 | 0xAB | 0xBB | 0x2010..=0x2015 | 0x2018..=0x201A | 0x201C..=0x201E | 0x2026 => 3,
        0xA3 | 0xA7 | 0xA9 | 0xB0 | 0xB7 | 0x20AC | 0x2022 | 0x2116 => 4,
        0xAD | 0xAE | 0x2122 | 0xB1 | 0xB2 | 0xB3 | 0xB4 | 0xBD | 0xD7 | 0x2039 | 0x203A | 0xAA
        | 0xBA | 0xA1 | 0xBF => 6,
        0x2020
        | 0x2021
        | 0x2030
        | 0x2032
        | 0x2033
        | 0x2190..=0x2193
        | 0xB5
        | 0xB9
        | 0xBC
        | 0xBE => 7,
        // Signs that hardly any text has, but many wrong readings do.
        0xA2 | 0xA4 | 0xA6 | 0xA8 | 0xAC | 0xAF | 0xB8 => 12,
        0xA1..=0xBF | 0xF7 => 8,
        0x80..=0x9F | 0..=8 | 0x0E..=0x1F | 0x7F => 15,
        0x300..=0x36F => 9,
        0x2500..=0x25FF => 7,
        0x2000..=0x2BFF => 9,
        0x3000..=0x303F | 0xFF00..=0xFF65 => match script {
            Script::Han | Script::Kana | Script::Hangul => 5,
            _ => 11,
        },
        // U+FFFF marks ill-formed bytes, which are also counted as errors.
        0xFFFF => 6,
        0xE000..=0xF8FF | 0xF0000.. | 0xFFF0..=0xFFFE => 16,
        0xD800..=0xDFFF => 20,
        _ => match Script::of(cp) {
            Some(own) if script.includes(own) => match own {
                Script::Latin => 8,
                Script::Han => 16,
                _ => 12,
            },
            // A few Greek letters are common as signs, such as π.
            Some(Script::Greek) => 10,
            Some(Script::Latin) => 9,
            Some(Script::Han) => 18,
            Some(_) => 12,
            None => 14,
        },
    }
}
