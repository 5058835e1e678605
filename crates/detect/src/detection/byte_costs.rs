//! What text costs in a charset of single bytes and a language: a table for encodings that many lines were in.
//!
//! A [`Trial`](super::letters::Trial) weighs one text in many charsets. In a log it is the other way round: many lines
//! are in a few charsets.

use super::charsets::{TrialCharset, is_error};
use crate::language::{Model, UNIT};

/// The cost of a pair with a byte that is no character.
const NOT_TEXT: u64 = 100 * UNIT as u64;

/// Returns what the bytes beyond ASCII of a line cost that follows the byte `before`, with the byte before and after each run of
/// them, in sixteenths of a bit; `None` if that is more than `most`, or if the charset has characters of several bytes.
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

/// Returns how many pairs of bytes such a cost is of.
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
        // 81 is no character there.
        assert_eq!(cost_in(french, b'a', b"\x81", u64::MAX), Some(NOT_TEXT));
    }
}
