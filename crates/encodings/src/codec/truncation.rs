//! Truncated characters of UTF-8: a field was shortened to a number of bytes, or a text cut at either end.
//!
//! ```text
//! Grüße aus M<C3>⏎        C3 begins the other letters of this text, and a line ends after it: truncated
//! MA<C7><C3>O             C3 is Ã here: nothing ends after it
//! “A Streetcar<E2 80>...  E2 80 begins “ too: truncated
//! <BC>nchen               BC ends ü, and a lower-case letter follows: truncated at the start
//! ```
//!
//! The alternative is always that the bytes are letters of another encoding. Two things decide. The surroundings must
//! fit, which is known at once ([`Truncation`]). And the bytes must be usual for the text, which takes more of the text
//! to know ([`UsualBytes`]). Detection, hints and repair share these rules.

use std::ops::Range;

use super::{Decoded, LONGEST_FORM, StatelessCodec, Utf8Codec, WideSequence};

/// Bytes after a truncated start that must be clean UTF-8, as far as they are on the same line.
const LOOKAHEAD: usize = 24;

/// The bytes that the characters of a text begin and end with. Each field of bits is a set of bytes: the lead bytes C0
/// to FF and the continuation bytes 80 to BF each have 64 values, of which `bit` takes the low six bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct UsualBytes {
    firsts: u64,
    lasts: u64,
    /// Second bytes after C3: the letters À to ÿ of Latin-1.
    latin1: u64,
    /// Second bytes after E2, which begins punctuation and symbols.
    symbols: u64,
    /// The number of characters of more than one byte.
    all: u64,
    /// The number of three-byte characters that do not begin with E2.
    of_three: u64,
    /// Whether any two-byte character is a Latin letter.
    latin: bool,
}

impl UsualBytes {
    /// Records the bytes of well-formed text.
    pub fn look(&mut self, text: &[u8]) {
        for (at, &byte) in text.iter().enumerate().filter(|(_, byte)| **byte >= 0xC0) {
            // A byte order mark says nothing about the letters of the text.
            if text[at..].starts_with("\u{FEFF}".as_bytes()) {
                continue;
            }
            let next = |after: usize| text.get(at + after).copied().unwrap_or(0x80);
            let len = length(byte);
            self.firsts |= bit(byte);
            self.lasts |= bit(next(len - 1));
            self.latin |= matches!(byte, 0xC3..=0xC9);
            self.all += 1;
            match byte {
                0xC3 => self.latin1 |= bit(next(1)),
                0xE2 => self.symbols |= bit(next(1)),
                0xE0..=0xEF => self.of_three += 1,
                _ => {}
            }
        }
    }

    /// Whether bytes of this shape are a truncated character of this text.
    pub fn explain(&self, cut: Truncation) -> bool {
        match cut {
            // A text that was cut by another program, such as `tail -c`, may begin within any character.
            Truncation::Start { of_text: true, .. } => self.all > 0,
            Truncation::Start { last, .. } => self.lasts & bit(last) != 0,
            Truncation::End { first, second, before } => {
                let is_usual = self.firsts & bits_like(first) != 0;
                match second {
                    Some(second) => self.explains_two(first, second, is_usual),
                    None => is_usual && self.explains_one(first, before),
                }
            }
        }
    }

    /// Returns the surrogate, overlong form or other sequence of RFC 2279 at the start of `bytes`, which come after
    /// `before`.
    ///
    /// `None` if the bytes are more likely letters of a charset: next to other ill-formed bytes, or as an overlong form
    /// of two bytes in East Asian text. There C0 AF may be an ideograph or a syllable, such as 유 in EUC-KR.
    pub fn longer_form(&self, before: Preceding, bytes: &[u8]) -> Option<WideSequence> {
        let form = WideSequence::at(&bytes[..bytes.len().min(LONGEST_FORM)]);
        if !form.is_whole() || before == Preceding::IllFormed {
            return None;
        }
        let rest = &bytes[form.len()..];
        let is_apart = match rest {
            [] | [0..=0x7F, ..] => true,
            _ if matches!(Utf8Codec.decode_one(rest), Decoded::Character { .. }) => true,
            _ => WideSequence::at(&rest[..rest.len().min(LONGEST_FORM)]).is_whole(),
        };
        let may_be_character = matches!(form, WideSequence::Overlong { len: 2, .. })
            && 4 * self.of_three >= self.all.max(1);
        (is_apart && !may_be_character).then_some(form)
    }

    /// Whether two bytes are the start of a character of at least three bytes.
    fn explains_two(&self, first: u8, second: u8, is_usual: bool) -> bool {
        match first {
            // Texts in any script have quotation marks and dashes (E2 80), currency signs (E2 82) and emoji (F0 9F).
            0xE2 => matches!(second, 0x80 | 0x82) || self.symbols & bit(second) != 0,
            0xF0 => second == 0x9F || is_usual,
            // Other lead bytes count only if a quarter of the characters have three bytes. A text in another script has
            // a few such characters, and a stray pair of bytes would match one of them by chance.
            _ => is_usual && 4 * self.of_three >= self.all,
        }
    }

    /// Whether a single first byte is the start of a character, and not a letter of another encoding.
    ///
    /// The byte could also be a stray letter of Latin-1, such as Ã, â or ð. So it does not count if the text has that
    /// letter in UTF-8. E2 after ASCII is likely the apostrophe of "don’t", except in a text with other Latin letters
    /// beyond ASCII, which may have an â too.
    fn explains_one(&self, first: u8, before: Preceding) -> bool {
        let is_letter = self.latin1 & bit(first & 0x3F | 0x80) != 0;
        match first {
            _ if is_letter => false,
            ..=0xDF => true,
            0xE2 if before == Preceding::Ascii => !self.latin,
            0xE0..=0xEF => 4 * self.of_three >= self.all,
            _ => true,
        }
    }
}

/// What precedes a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preceding {
    /// The start of the text.
    Start,
    /// The end of a field or a line.
    Border,
    /// Any other character of ASCII.
    Ascii,
    /// A character of this many bytes.
    Character(u8),
    /// Something ill-formed.
    IllFormed,
}

impl Preceding {
    /// Classifies the single byte before another one; `None` is the start of the text. A byte beyond ASCII counts as
    /// ill-formed, because what it belongs to is not known.
    pub fn of_byte(byte: Option<u8>) -> Self {
        match byte {
            None => Self::Start,
            Some(byte) if separates(byte) => Self::Border,
            Some(0..=0x7F) => Self::Ascii,
            Some(_) => Self::IllFormed,
        }
    }
}

/// Ill-formed bytes whose surroundings allow that they are a truncated character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The end is missing.
    End {
        /// The first byte.
        first: u8,
        /// The second byte, unless it is missing.
        second: Option<u8>,
        /// What precedes the character.
        before: Preceding,
    },
    /// The start is missing, at the start of a text or a field.
    Start {
        /// The last byte.
        last: u8,
        /// Whether it is the start of the text.
        of_text: bool,
    },
}

impl Truncation {
    /// Classifies the ill-formed bytes at the start of `bytes`, and returns their number. `last` says that the text
    /// ends with `bytes`.
    pub fn at(before: Preceding, bytes: &[u8], last: bool) -> Option<(Self, usize)> {
        let first = *bytes.first()?;
        if first < 0xC0 {
            return Self::start(before, bytes);
        }
        if before == Preceding::IllFormed || !(0xC2..=0xF4).contains(&first) {
            return None;
        }
        // Two things rule a truncation out. The character may have all of its bytes, and be ill-formed for another
        // reason. Or more bytes beyond ASCII follow, as letters of another encoding do.
        let continues = bytes[1..].iter().take(3).take_while(|byte| continues(**byte)).count();
        let has = 1 + continues;
        let after = &bytes[has..];
        if has >= length(first)
            || after.first().is_some_and(|next| *next >= 0x80 && !is_quote(after))
        {
            return None;
        }
        let ends = if after.is_empty() { last } else { ends_field(after) };
        // A single byte counts only before the end of a field. Two fitting bytes are no accident, whatever follows. At
        // the end of `bytes` nothing is decided, unless it is the end of the text.
        if !ends && has == 1 || after.is_empty() && !last {
            return None;
        }
        let second = (has > 1).then(|| bytes[1]);
        Some((Self::End { first, second, before }, has))
    }

    /// Returns the bytes that matter, and their number.
    pub fn bytes(self) -> ([u8; 2], usize) {
        match self {
            Self::Start { last, .. } => ([last, 0], 1),
            Self::End { first, second: None, .. } => ([first, 0], 1),
            Self::End { first, second: Some(second), .. } => ([first, second], 2),
        }
    }

    /// Returns what precedes it.
    pub fn before(self) -> Preceding {
        match self {
            Self::Start { of_text: true, .. } => Preceding::Start,
            Self::Start { .. } => Preceding::Border,
            Self::End { before, .. } => before,
        }
    }

    fn start(before: Preceding, bytes: &[u8]) -> Option<(Self, usize)> {
        if !matches!(before, Preceding::Start | Preceding::Border) {
            return None;
        }
        let of_text = before == Preceding::Start;
        let has = bytes.iter().take(4).take_while(|byte| continues(**byte)).count();
        // In another encoding, the same bytes would be the first signs of a line or field. So what follows must look
        // like the rest of a word: a lower-case letter, or a well-formed character. Even then, a single byte must not
        // be one that opens a quotation.
        //
        // At the start of the text the rule is wider. Of 242 lines cut by `tail -c`, 131 had a letter of another
        // encoding invented for their first byte; with this rule 20 do.
        let goes_on = match bytes.get(has)? {
            b'a'..=b'z' => has > 1 || !opens(bytes[0]),
            // Two bytes are no accident there, and one byte is not if it does not usually begin a line.
            0..=0x7F => of_text && (has > 1 || !begins_line(bytes[0])),
            _ if matches!(Utf8Codec.decode_one(&bytes[has..]), Decoded::Character { .. }) => {
                of_text || has > 1 || !opens(bytes[0])
            }
            _ => false,
        };
        // A line in another encoding would have more ill-formed bytes.
        let near = &bytes[has..bytes.len().min(has + LOOKAHEAD)];
        let line = near.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(near.len());
        let is_clean = std::str::from_utf8(&near[..line])
            .map_or_else(|error| error.error_len().is_none(), |_| true);
        let is = (1..=3).contains(&has) && goes_on && is_clean;
        is.then(|| (Self::Start { last: bytes[has - 1], of_text }, has))
    }
}

/// Whether a byte is an opening quotation mark, `¡`, `¿` or a bullet in windows-1252 and its relatives, as at the start
/// of lines.
const fn opens(byte: u8) -> bool {
    matches!(byte, 0x84 | 0x8B | 0x91 | 0x93 | 0x95 | 0xA1 | 0xAB | 0xBF)
}

/// Whether a byte is one of these, or a sign of windows-1252 before a number, a name or a space: `€`, `§`, `©`, `–`.
const fn begins_line(byte: u8) -> bool {
    let is_sign = matches!(
        byte,
        0x80 | 0x85..=0x87 | 0x89 | 0x96 | 0x97 | 0x99 | 0xA0 | 0xA2..=0xA9 | 0xAC | 0xAE | 0xB0 | 0xB1
            | 0xB6 | 0xB7 | 0xBB..=0xBE
    );
    opens(byte) || is_sign
}

/// Returns the ill-formed bytes in `range` of `bytes` that are no letters of another encoding: truncated characters,
/// and longer sequences of RFC 2279, such as surrogates. `before` is what precedes the range, and `last` says that the
/// text ends with `bytes`.
pub fn not_letters(
    bytes: &[u8],
    range: Range<usize>,
    before: Preceding,
    last: bool,
    usual: &UsualBytes,
) -> Vec<Range<usize>> {
    let (mut before, mut at, mut found) = (before, range.start, Vec::new());
    while at < range.end {
        let byte = bytes[at];
        if byte < 0x80 {
            before = Preceding::of_byte(Some(byte));
            at += 1;
            continue;
        }
        if let Decoded::Character { len, .. } = Utf8Codec.decode_one(&bytes[at..]) {
            before = Preceding::Character(len as u8);
            at += len;
            continue;
        }
        if let Some(form) = usual.longer_form(before, &bytes[at..range.end]) {
            found.push(at..at + form.len());
            before = Preceding::Character(form.len() as u8);
            at += form.len();
            continue;
        }
        match Truncation::at(before, &bytes[at..], last).filter(|(cut, _)| usual.explain(*cut)) {
            Some((cut, len)) => {
                found.push(at..at + len);
                before = match cut {
                    Truncation::Start { .. } => Preceding::Ascii,
                    Truncation::End { .. } => Preceding::IllFormed,
                };
                at += len;
            }
            None => {
                before = Preceding::IllFormed;
                at += 1;
            }
        }
    }
    found
}

/// Whether these bytes begin with the end of a field, a quotation or a line, or with an ellipsis.
fn ends_field(after: &[u8]) -> bool {
    match after {
        [] => true,
        [b'"' | b'\'' | b'`' | b'<', ..] => true,
        [byte, ..] if separates(*byte) => true,
        _ => after.starts_with(b"...") || is_quote(after),
    }
}

/// Whether these bytes begin with an ellipsis or a closing quotation mark.
fn is_quote(bytes: &[u8]) -> bool {
    matches!(bytes, [0xE2, 0x80, 0xA6 | 0x99 | 0x9D | 0x9C, ..] | [0xC2, 0xBB, ..])
}

const fn separates(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\t' | 0 | b',' | b';' | b'|')
}

const fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the length of a character by its first byte, which is at least C0.
const fn length(first: u8) -> usize {
    match first {
        ..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

/// Returns the bits of all first bytes that are used together with this one, in the letters of one script: Latin with
/// marks, Greek, Cyrillic, Arabic, East Asian. A text that has one of them may well have the others. The bits of E3 to
/// ED are 23 to 2D, eleven in a row.
const fn bits_like(first: u8) -> u64 {
    match first {
        0xC3..=0xC5 => bit(0xC3) | bit(0xC4) | bit(0xC5),
        0xCE | 0xCF => bit(0xCE) | bit(0xCF),
        0xD0 | 0xD1 => bit(0xD0) | bit(0xD1),
        0xE3..=0xED | 0xEF => bit(0xEF) | 0x7FF << 0x23,
        0xD8..=0xDB => bit(0xD8) | bit(0xD9) | bit(0xDA) | bit(0xDB),
        _ => bit(first),
    }
}

const fn bit(byte: u8) -> u64 {
    1 << (byte & 0x3F)
}

#[cfg(test)]
mod tests;
