//! Signs of windows-1252 among ASCII: `8.3 °C`, `30 m²`, `© 1998`, `— and —`, `Chapter 1 ……… 5`.
//!
//! Most bytes in such places are these signs, but each is a letter in other charsets. So where a text has no others, their
//! places tell more than the letters would.

use super::drawing;
use crate::codec::{ByteOrder, MIN_PIVOT};
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// Whether all bytes beyond ASCII of a text are where signs of windows-1252 would be.
pub(super) fn all_stand_as_signs(text: &[u8]) -> bool {
    let mut at = 0;
    for run in text.chunk_by(|one, next| one.is_ascii() == next.is_ascii()) {
        let range = at..at + run.len();
        at = range.end;
        let is_letter =
            |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphabetic);
        let (before, after) = (range.start.checked_sub(1), Some(range.end));
        let is_sign = || stand_as_signs(is_letter(before), run, is_letter(after));
        if !run[0].is_ascii() && !is_sign() {
            return false;
        }
    }
    true
}

/// Whether adjacent bytes beyond ASCII, with or without a letter before and after them, are one sign, a row of one that rows
/// are made of, or marks of punctuation, and none of them divides a word.
pub(super) fn stand_as_signs(follows_letter: bool, run: &[u8], precedes_letter: bool) -> bool {
    let is_row = || run.iter().all(|byte| *byte == run[0]) && makes_rows(run[0]);
    let is_inside = follows_letter && precedes_letter;
    run.iter().all(|byte| is_usual_sign(*byte))
        && (run.len() == 1 || is_row() || run.iter().all(|byte| is_punctuation(*byte)))
        && (!is_inside || run.iter().all(|byte| joins_words(*byte)))
        && !(follows_letter && opens(run[0]))
}

/// Whether a byte is a sign in windows-1252, as ¶ is, and the µ, ª and º of units and numbers.
pub(super) fn is_usual_sign(byte: u8) -> bool {
    let is_undefined = matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
    !is_undefined && (matches!(byte, 0xAA | 0xB5 | 0xBA) || is_sign(Encoding::WINDOWS_1252, byte))
}

/// Whether a byte is no letter in an encoding.
pub(super) fn is_sign(encoding: &Encoding, byte: u8) -> bool {
    !character(encoding, byte).and_then(char::from_u32).is_some_and(char::is_alphabetic)
}

/// Returns the character that a byte by itself is in an encoding.
pub(super) fn character(encoding: &Encoding, byte: u8) -> Option<CodePoint> {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, true);
    (decoded.written == 1).then_some(pivot[0])
}

/// Whether a sign of windows-1252 is a quotation mark, a dash, a bullet, a middle dot, an ellipsis or a space that does not
/// break.
const fn is_punctuation(byte: u8) -> bool {
    matches!(
        byte,
        0x82 | 0x84 | 0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xA0 | 0xA1 | 0xAB | 0xB7 | 0xBB | 0xBF
    )
}

/// Whether rules and leaders are made of a sign of windows-1252.
fn makes_rows(byte: u8) -> bool {
    character(Encoding::WINDOWS_1252, byte).is_some_and(drawing::makes_rows)
}

/// Whether a sign of windows-1252 may stand between two letters: the ellipsis, the apostrophe, dashes, spaces, the soft
/// hyphen, the middle dot and `×`.
const fn joins_words(byte: u8) -> bool {
    matches!(byte, 0x85 | 0x92 | 0x96 | 0x97 | 0xA0 | 0xAD | 0xB7 | 0xD7)
}

/// Whether a sign of windows-1252 stands before a word or a number and not after a letter: `„`, `«`, `¿`, `£`, `©`.
const fn opens(byte: u8) -> bool {
    matches!(byte, 0x82 | 0x84 | 0x8B | 0x93 | 0xA1 | 0xA3 | 0xA5 | 0xA9 | 0xAB | 0xBF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_beside_words_and_not_inside() {
        for text in [
            &b"8.3 \xB0C, 5 \xB5m, 30 m\xB2"[..],
            b"Name\xA0: \x93word\x94, it\x92s",
            b"Chapter \x85\x85\x85 5",
            b"\x97\x97\x97\x97\n\xA4\xA4\xA4",
            b"\xA9 1998 Word\x99 \x96 n.\xBA 5",
            b"plain",
        ] {
            assert!(all_stand_as_signs(text), "{}", text.escape_ascii());
        }
        for text in [
            // "fällt" and "für" in IBM850, "był" in windows-1250 with a letter after it, "да" and "ВНИМАНИЕ" in IBM866.
            &b"f\x84llt"[..],
            b"f\x81r",
            b"by\xB3a",
            b"\xA4\xA0",
            b"\x82\x8D\x88\x8C\x80\x8D\x88\x85",
            // A bar of ░ and a frame in IBM437.
            b"\xB0\xB0\xB0\xB0",
            b"\xC9\xCD\xBB",
            // "caf\xE9" in windows-1252, "cos\u{EC}" with its last letter read as an opening mark.
            b"caf\xE9",
            b"caf\x82",
        ] {
            assert!(!all_stand_as_signs(text), "{}", text.escape_ascii());
        }
    }
}
