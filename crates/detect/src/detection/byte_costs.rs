//! What text costs in a charset of single bytes and a language.
//!
//! A [`Trial`](super::letters::Trial) weighs one text in many charsets. In a log it is the other way round: many lines are in
//! a few charsets, so the symbols of their bytes are kept.

use super::charsets::{Charset, is_error};
use crate::language::{Model, Symbol, UNIT};

/// The cost of a pair with a byte that is no character.
const NO_TEXT: u64 = 100 * UNIT as u64;

/// The symbol of each byte in a language, if it is a character.
pub(super) struct ByteCosts {
    model: &'static Model,
    symbols: Vec<Option<Symbol>>,
}

impl ByteCosts {
    /// Finds the symbols; `None` if the charset has characters of several bytes.
    pub(super) fn of(charset: &Charset, model: &'static Model) -> Option<Self> {
        let table = charset.table.as_ref()?.iter();
        let symbols =
            table.map(|character| (!is_error(character.cp)).then(|| model.symbol(*character)));
        Some(Self { model, symbols: symbols.collect() })
    }

    /// Returns what the bytes beyond ASCII of a line cost that follows the byte `before`, with the byte before and after each
    /// run of them, in sixteenths of a bit; `None` if that is more than `most`.
    pub fn cost(&self, before: u8, line: &[u8], most: u64) -> Option<u64> {
        let symbol = |byte: u8| self.symbols[usize::from(byte)];
        let (mut all, mut last, mut last_symbol) = (0, before, symbol(before));
        for byte in line {
            let symbol = symbol(*byte);
            if !(last.is_ascii() && byte.is_ascii()) {
                all += match (last_symbol, symbol) {
                    (Some(before), Some(symbol)) => u64::from(self.model.cost(before, symbol)),
                    _ => NO_TEXT,
                };
                if all > most {
                    return None;
                }
            }
            (last, last_symbol) = (*byte, symbol);
        }
        Some(all)
    }
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

    fn costs(encoding: &'static Encoding, language: &str) -> Option<ByteCosts> {
        let model = models().iter().find(|model| model.language().tag() == language).unwrap();
        ByteCosts::of(charset(encoding).unwrap(), model)
    }

    #[test]
    fn a_text_costs_least_in_its_charset() {
        // "сервер недоступен" in windows-1251.
        let text = b"\xF1\xE5\xF0\xE2\xE5\xF0 \xED\xE5\xE4\xEE\xF1\xF2\xF3\xEF\xE5\xED";
        let own = costs(Encoding::WINDOWS_1251, "ru").unwrap();
        let other = costs(Encoding::KOI8_R, "ru").unwrap();
        assert_eq!(pairs(b' ', text), 17, "with the blank before and those beside it");
        let cost = own.cost(b' ', text, u64::MAX).unwrap();
        assert!(other.cost(b' ', text, u64::MAX) > Some(2 * cost));
        assert_eq!((other.cost(b' ', text, cost), own.cost(b' ', text, cost)), (None, Some(cost)));
        assert!(costs(Encoding::CP932, "ja").is_none());
    }

    #[test]
    fn ascii_costs_nothing_and_what_is_no_character_too_much() {
        let costs = costs(Encoding::WINDOWS_1252, "fr").unwrap();
        assert_eq!((costs.cost(b'x', b"abc\n", 0), pairs(b'x', b"abc\n")), (Some(0), 0));
        // 81 is no character there.
        assert_eq!(costs.cost(b'a', b"\x81", u64::MAX), Some(NO_TEXT));
    }
}
