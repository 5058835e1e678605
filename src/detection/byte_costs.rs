//! What text costs in a charset of single bytes and a language, a lookup for each byte.
//!
//! A [`Trial`](super::letters::Trial) weighs one text in many charsets. In a log it is the other way round: many lines are in
//! a few charsets, and for each of these a table of the costs of all pairs of bytes pays.

use super::charsets::{Charset, is_error};
use crate::language::{Model, Symbol, UNIT};

/// The cost of a pair with a byte that is no character.
const NO_TEXT: u16 = 100 * UNIT as u16;

/// The costs of all pairs of bytes, in sixteenths of a bit.
pub(super) struct ByteCosts(Vec<u16>);

/// What the bytes beyond ASCII of a line cost, with the byte before and after each run of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// In sixteenths of a bit.
    pub(super) cost: u64,
    /// How many pairs of bytes it is of.
    pub(super) pairs: u64,
}

impl ByteCosts {
    /// Computes them; `None` if the charset has characters of several bytes.
    pub(super) fn of(charset: &Charset, model: &Model) -> Option<Self> {
        let table = charset.table.as_ref()?;
        let symbols: Vec<Option<Symbol>> = table
            .iter()
            .map(|character| (!is_error(character.cp)).then(|| model.symbol(*character)))
            .collect();
        let cost = |before: &Option<Symbol>, symbol: &Option<Symbol>| match (before, symbol) {
            (Some(before), Some(symbol)) => {
                u16::try_from(model.cost(*before, *symbol)).unwrap_or(NO_TEXT)
            }
            _ => NO_TEXT,
        };
        let of_first = |before| symbols.iter().map(move |symbol| cost(before, symbol));
        Some(Self(symbols.iter().flat_map(of_first).collect()))
    }

    /// Returns what a line costs that follows the byte `before`.
    pub(super) fn cost(&self, before: u8, line: &[u8]) -> Cost {
        let (mut all, mut last) = (Cost::default(), before);
        for byte in line {
            if !(last.is_ascii() && byte.is_ascii()) {
                all.cost += u64::from(self.0[usize::from(last) << 8 | usize::from(*byte)]);
                all.pairs += 1;
            }
            last = *byte;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::charsets::charset;
    use crate::encoding::Encoding;
    use crate::language::models;

    fn costs(encoding: &'static Encoding, language: &str) -> Option<ByteCosts> {
        let model = models().iter().find(|model| model.language().tag() == language).unwrap();
        ByteCosts::of(charset(encoding).unwrap(), model)
    }

    #[test]
    fn a_text_costs_least_in_its_charset() {
        // "сервер недоступен" in windows-1251.
        let text = b"\xF1\xE5\xF0\xE2\xE5\xF0 \xED\xE5\xE4\xEE\xF1\xF2\xF3\xEF\xE5\xED";
        let own = costs(Encoding::WINDOWS_1251, "ru").unwrap().cost(b' ', text);
        let other = costs(Encoding::KOI8_R, "ru").unwrap().cost(b' ', text);
        assert_eq!(own.pairs, 17, "with the blank before and those beside it");
        assert!(2 * own.cost < other.cost, "{own:?} {other:?}");
        assert!(costs(Encoding::CP932, "ja").is_none());
    }

    #[test]
    fn ascii_costs_nothing_and_what_is_no_character_too_much() {
        let costs = costs(Encoding::WINDOWS_1252, "fr").unwrap();
        assert_eq!(costs.cost(b'x', b"abc\n"), Cost::default());
        // 81 is no character there.
        assert_eq!(costs.cost(b'a', b"\x81").cost, u64::from(NO_TEXT));
    }
}
