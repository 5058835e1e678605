//! What a line costs in a single-byte charset and a language, straight from its bytes.
//!
//! A [`Trial`](super::letters::Trial) prices one text in many charsets. A log is the other way round: many lines are in
//! a few charsets. For those, a table from byte to symbol is kept, and a line costs one lookup per pair of bytes.

use super::charsets::{TrialCharset, is_error};
use crate::language::{Model, UNIT};

/// The cost of a pair with a byte that is not a character of text.
const NOT_TEXT: u64 = 100 * UNIT as u64;

/// Returns the cost of the non-ASCII bytes of a line, in sixteenths of a bit, with the pairs that connect each run of
/// them to its neighbours. `before` is the byte before the line. `None` if the cost exceeds `most`, or if the charset
/// is multi-byte.
///
/// Pairs within ASCII are left out. They cost the same in all charsets of a language, and keys and numbers would hide
/// how well the letters fit.
pub(super) fn cost(
    charset: &TrialCharset,
    model: &Model,
    before: u8,
    line: &[u8],
    most: u64,
) -> Option<u64> {
    let characters = charset.table.as_ref()?;
    let symbols = charset.symbols(model);
    let is_text = |byte: u8| byte.is_ascii() || !is_error(characters[usize::from(byte)].cp);
    let (mut all, mut last) = (0, before);
    for byte in line {
        if !(last.is_ascii() && byte.is_ascii()) {
            let [before, symbol] = [last, *byte].map(|byte| symbols[usize::from(byte)]);
            all += match is_text(last) && is_text(*byte) {
                true => u64::from(model.cost(before, symbol)),
                false => NOT_TEXT,
            };
            if all > most {
                return None;
            }
        }
        last = *byte;
    }
    Some(all)
}

/// Returns the number of pairs that [`cost`] adds up.
pub(super) fn pairs(before: u8, line: &[u8]) -> u64 {
    let befores = std::iter::once(&before).chain(line);
    befores.zip(line).filter(|(last, byte)| !(last.is_ascii() && byte.is_ascii())).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::charsets::charset;
    use crate::language::models;
    use oxiconv_encodings::encoding::Encoding;

    fn cost_in(
        (encoding, language): (&'static Encoding, &str),
        before: u8,
        line: &[u8],
        most: u64,
    ) -> Option<u64> {
        let model = models().iter().find(|model| model.language().tag() == language).unwrap();
        cost(charset(encoding).unwrap(), model, before, line, most)
    }

    #[test]
    fn a_text_costs_least_in_its_charset() {
        // "сервер недоступен" in windows-1251.
        let text = b"\xF1\xE5\xF0\xE2\xE5\xF0 \xED\xE5\xE4\xEE\xF1\xF2\xF3\xEF\xE5\xED";
        let (own, other) = ((Encoding::WINDOWS_1251, "ru"), (Encoding::KOI8_R, "ru"));
        assert_eq!(pairs(b' ', text), 17, "with the blank before and those beside it");
        let cost = cost_in(own, b' ', text, u64::MAX).unwrap();
        assert!(cost_in(other, b' ', text, u64::MAX) > Some(2 * cost));
        assert_eq!(cost_in(other, b' ', text, cost), None);
        assert_eq!(cost_in(own, b' ', text, cost), Some(cost));
        assert_eq!(cost_in((Encoding::CP932, "ja"), b' ', text, u64::MAX), None);
    }

    #[test]
    fn ascii_costs_nothing_and_what_is_no_character_too_much() {
        let french = (Encoding::WINDOWS_1252, "fr");
        assert_eq!(cost_in(french, b'x', b"abc\n", 0), Some(0));
        assert_eq!(pairs(b'x', b"abc\n"), 0);
        // 81 is undefined there.
        assert_eq!(cost_in(french, b'a', b"\x81", u64::MAX), Some(NOT_TEXT));
    }
}
