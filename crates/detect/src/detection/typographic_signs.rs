//! Signs among ASCII: `8.3 °C`, `30 m²`, `© 1998`, `— and —`, `Chapter 1 ……… 5`.
//!
//! Most bytes in such places are signs in windows-1252, or in the encoding of the surrounding text. But each of them is
//! a letter in other charsets: ° is B0, which is А in ISO-8859-5. If a text has no other non-ASCII bytes, a letter
//! model has nothing to compare and is misled. The places of the bytes tell more: a sign is beside a word or a number,
//! and a letter is inside a word.

use super::box_drawing::{is_drawing, makes_rows};
use crate::language::joins_words;
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Whether all non-ASCII bytes of a text are where signs of an encoding would be.
pub(super) fn all_stand_as_signs(text: &[u8], encoding: &Encoding) -> bool {
    let mut at = 0;
    for run in text.chunk_by(|one, next| one.is_ascii() == next.is_ascii()) {
        let range = at..at + run.len();
        at = range.end;
        let is_letter =
            |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphabetic);
        let (before, after) = (range.start.checked_sub(1), Some(range.end));
        let is_sign = || stand_as_signs(is_letter(before), run, encoding, is_letter(after));
        if !run[0].is_ascii() && !is_sign() {
            return false;
        }
    }
    true
}

/// Whether a run of non-ASCII bytes, with or without a letter before and after it, is made of signs.
///
/// It must be a single sign, a row of one that forms rows (`……`), or punctuation marks (`»“`). It must not divide a
/// word, except for signs that join the parts of words, such as the apostrophe of `it’s`. And a sign that comes before
/// words, such as `„`, must not follow a letter.
///
/// The last two rules are what tells signs from letters of DOS, whose bytes are signs of windows-1252: `f<84>llt` is
/// `fällt` in IBM850, and `„` would divide a word; `caf<82>` is `café`, and `‚` would follow a letter.
pub(super) fn stand_as_signs(
    follows_letter: bool,
    run: &[u8],
    encoding: &Encoding,
    precedes_letter: bool,
) -> bool {
    let signs: Option<Vec<char>> = run.iter().map(|byte| usual_sign(encoding, *byte)).collect();
    let Some(signs) = signs else { return false };
    let first = signs[0];
    let is_row = || signs.iter().all(|sign| *sign == first) && makes_rows(first.into());
    let is_inside = follows_letter && precedes_letter;
    (signs.len() == 1 || is_row() || signs.iter().copied().all(is_punctuation))
        && (!is_inside || signs.iter().all(|sign| joins_words((*sign).into())))
        && !(follows_letter && opens(first))
}

/// Whether a byte is a sign in windows-1252, such as ¶, or the µ, ª or º of units and numbers.
pub(super) fn is_usual_sign(byte: u8) -> bool {
    usual_sign(Encoding::WINDOWS_1252, byte).is_some()
}

/// Whether a byte is not a letter in an encoding; also if it is no character there.
pub(super) fn is_sign(encoding: &Encoding, byte: u8) -> bool {
    !character(encoding, byte).and_then(char::from_u32).is_some_and(char::is_alphabetic)
}

pub(super) fn character(encoding: &Encoding, byte: u8) -> Option<CodePoint> {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, true);
    (decoded.written == 1).then_some(pivot[0])
}

/// Returns the sign that a byte is in an encoding: not a letter, except for those of units and numbers, and not a
/// box-drawing character.
fn usual_sign(encoding: &Encoding, byte: u8) -> Option<char> {
    let sign = character(encoding, byte).and_then(char::from_u32)?;
    let is_letter = sign.is_alphabetic() && !matches!(sign, 'ª' | 'µ' | 'º');
    (!is_letter && !sign.is_control() && !is_drawing(sign.into())).then_some(sign)
}

/// Whether a sign is a quotation mark, a dash, a bullet, a middle dot, an ellipsis or a no-break space.
const fn is_punctuation(sign: char) -> bool {
    matches!(
        sign,
        '\u{A0}' | '¡' | '«' | '·' | '»' | '¿' | '–' | '—' | '‘'..='‚' | '“'..='„' | '•' | '…' | '‹' | '›'
    )
}

/// Whether a sign comes before a word or a number and not after a letter: `„`, `«`, `¿`, `£`, `©`.
const fn opens(sign: char) -> bool {
    matches!(sign, '¡' | '£' | '¥' | '©' | '«' | '¿' | '‚' | '“' | '„' | '‹')
}

#[cfg(test)]
mod tests;
