//! In which language a text is, once its encoding is known. If several languages fit about as well, the answer is the
//! family that all of them are in, or nothing.
//!
//! ```text
//! costs of the text in each language ─► plus more, the less is written in it ─► those close to the least
//!   one is close: it is the language     several: their smallest common family     no family has all: nothing
//! ```
//!
//! A short text in Bosnian, Croatian or Serbian may be in any of the three, and a sentence of Russian has few letter
//! pairs that Rusyn lacks. `benches/languages` counts right, wrong and unclear answers, and compares with lingua.

use crate::language::{Language, LanguageFamily, UNIT};

/// A language is clear if every other one costs at least so many sixteenths of a bit more. So 26 of 661 texts of 20 to 60
/// bytes (the set `tune`) have a wrong language, and 75 a family. Without a lead, 54 were wrong; at twice the lead, about
/// half as many are, but half as many again have only a family.
const CLEAR: u64 = 3 * UNIT as u64;
/// What a language costs because less is written in it, in bits. That is far less than it is rarer than its relatives,
/// since whoever has a text in a rare language wants to be told.
const MOST_WRITTEN: (u64, &str) = (0, "de en es fr it ja ko nl pl pt ru tr zh-Hans");
const SELDOM_WRITTEN: (u64, &str) = (5, "an ast co dsb fo fur hsb ia lb nn oc rm rue sc se szl wa");
const OTHERS: u64 = 3;

/// The language of a text, as far as it is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LanguageAnswer {
    /// It is this one.
    Clear(Language),
    /// Of several languages, this one costs least; all are in the family, if there is one.
    Unclear(Language, Option<LanguageFamily>),
}

/// Returns the answer for languages with the costs of a text in them. `None` if there are none.
pub(super) fn judge(costs: impl Iterator<Item = (Language, u64)>) -> Option<LanguageAnswer> {
    let costs: Vec<_> =
        costs.map(|(language, cost)| (cost + price_of(language), language)).collect();
    let (least, best) = costs.iter().copied().min_by_key(|(cost, _)| *cost)?;
    let close = costs.iter().filter(|(cost, _)| *cost < least + CLEAR);
    let close: Vec<_> = close.map(|(_, language)| *language).collect();
    Some(match close[..] {
        [only] => LanguageAnswer::Clear(only),
        _ => LanguageAnswer::Unclear(best, LanguageFamily::of(&close)),
    })
}

/// Returns the price of a language, in sixteenths of a bit.
fn price_of(language: Language) -> u64 {
    let lists = [MOST_WRITTEN, SELDOM_WRITTEN];
    let listed = lists.iter().find(|(_, tags)| tags.split(' ').any(|tag| tag == language.tag()));
    u64::from(UNIT) * listed.map_or(OTHERS, |(bits, _)| *bits)
}

#[cfg(test)]
mod tests;
