//! What the non-ASCII part of a line costs in a charset and a language.
//!
//! A [`Trial`](super::letters::Trial) prices one text in many charsets. A log is the other way round: many lines are in
//! a few charsets. So a line is priced directly, pair by pair: with a kept table from byte to symbol in a single-byte
//! charset, and decoded in a multi-byte one. Nothing is counted, sorted or kept for the line.
//!
//! Pairs within ASCII are left out. They cost the same in all charsets of a language, and keys and numbers would hide
//! how well the letters fit.

use super::charsets::{TrialCharset, decode, is_error};
use crate::language::{FoldedCharacter, Model, UNIT};
use oxiconv_encodings::unicode::CodePoint;

/// The cost of a pair with a byte that is not a character of text.
const NOT_TEXT: u64 = 100 * UNIT as u64;

/// Returns the cost of the non-ASCII bytes of a line, in sixteenths of a bit, with the pairs that connect each run of
/// them to its neighbours. `before` is the byte before the line. `None` if the cost exceeds `most`, or if the charset
/// is multi-byte and the line has an ill-formed sequence in it.
pub(super) fn cost(
    charset: &TrialCharset,
    model: &Model,
    before: u8,
    line: &[u8],
    most: u64,
) -> Option<u64> {
    let Some((characters, symbol)) = charset.table.as_ref().zip(charset.symbols(model)) else {
        let (text, _) = decode(charset.encoding, line, 0)?;
        let pairs = text.into_iter().map(|cp| (cp < 0x80, model.symbol(FoldedCharacter::from(cp))));
        let before = model.symbol(FoldedCharacter::from(CodePoint::from(before)));
        return sum(before, pairs, most, |before, after| u64::from(model.cost(before, after)));
    };
    let bytes = line.iter().map(|byte| (byte.is_ascii(), *byte));
    let is_text = |byte: u8| byte.is_ascii() || !is_error(characters[usize::from(byte)].cp);
    sum(before, bytes, most, |before, after| match is_text(before) && is_text(after) {
        true => u64::from(model.cost(symbol(before), symbol(after))),
        false => NOT_TEXT,
    })
}

/// Adds up what the pairs of a line cost that are not both ASCII. Each character says whether it is.
fn sum<C: Copy>(
    before: C,
    line: impl Iterator<Item = (bool, C)>,
    most: u64,
    cost: impl Fn(C, C) -> u64,
) -> Option<u64> {
    let (mut all, mut last) = (0, (true, before));
    for next in line {
        if !(last.0 && next.0) {
            all += cost(last.1, next.1);
            if all > most {
                return None;
            }
        }
        last = next;
    }
    Some(all)
}

/// Returns the number of pairs of bytes that [`cost`] adds up in a single-byte charset, by which costs in all charsets
/// are compared.
pub(super) fn pairs(before: u8, line: &[u8]) -> u64 {
    let befores = std::iter::once(&before).chain(line);
    befores.zip(line).filter(|(last, byte)| !(last.is_ascii() && byte.is_ascii())).count() as u64
}

#[cfg(test)]
mod tests;
