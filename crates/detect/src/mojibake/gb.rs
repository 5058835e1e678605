//! UTF-8 that was read as GB18030: `caf茅` was `café`, `浣犲ソ` was `你好`. Two bytes make an ideograph, and the second may
//! be one of ASCII, so a run of them is read as a whole.

use std::ops::Range;
use std::sync::OnceLock;

use crate::language::Script;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

use super::sequences::{MisreadSequence, SequenceReading, SequenceText, is_plausible};

/// The longest run that is read, in characters.
const MAX_RUN: usize = 4096;

/// Returns the encoding.
pub(super) fn encoding() -> &'static Encoding {
    static GB18030: OnceLock<&Encoding> = OnceLock::new();
    GB18030.get_or_init(|| Encoding::for_name("GB18030").unwrap_or(Encoding::UTF_8))
}

/// Returns the two bytes of a character, or 0.
#[inline]
fn code(cp: CodePoint) -> u16 {
    static CODES: OnceLock<Vec<u16>> = OnceLock::new();
    let codes = CODES.get_or_init(|| {
        let mut codes = vec![0; 0x1_0000];
        let mut decoder = encoding().new_decoder(ByteOrder::Big);
        for lead in 0x81..=0xFE {
            for trail in 0x40..=0xFE {
                let mut pivot = [0; 8];
                let done = decoder.decode(&[lead, trail], &mut pivot, true);
                if (done.read, done.written) == (2, 1) {
                    codes[pivot[0] as usize & 0xFFFF] = u16::from_be_bytes([lead, trail]);
                }
            }
        }
        codes
    });
    codes.get(cp as usize).copied().unwrap_or(0)
}

/// Whether the bytes of a character and the one after it may be a sequence.
pub(super) fn may_begin(cp: CodePoint, next: CodePoint) -> bool {
    let [lead, trail] = code(cp).to_be_bytes();
    let continues = |byte: u8| byte & 0xC0 == 0x80;
    match lead {
        0xC2..=0xDF => continues(trail) && (!is_ideograph(next) || is_two_bytes(next)),
        0xE0..=0xF4 => {
            continues(trail) && {
                let [third, fourth] = code(next).to_be_bytes();
                continues(third) && (!(0x80..0xC2).contains(&fourth) || lead >= 0xF0)
            }
        }
        _ => false,
    }
}

/// Whether the bytes of a character are one character of UTF-8, which those of one ideograph in twelve are.
fn is_two_bytes(cp: CodePoint) -> bool {
    let [lead, trail] = code(cp).to_be_bytes();
    matches!((lead, trail), (0xC2..=0xDF, 0x80..=0xBF))
}

/// Whether ideographs are text next to it.
pub(super) fn is_ideograph(cp: CodePoint) -> bool {
    matches!(cp, 0x3400..=0x9FFF)
}

/// Where the ideographs stand that a part of a text was taken for damaged by; the first of these that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ideographs {
    /// Several in a row, all of which are UTF-8: `浣犲ソ`.
    InARow,
    /// One inside a word of Latin letters, where no language has any, or at its start: `M眉ller`, `脺bung`.
    InWord,
    /// One by itself, after a Latin word, or next to a sign, as it does in sound Chinese and Japanese: `Nyan猫` and `%d枚`,
    /// although the bytes of 猫 and 枚 are è and ö.
    Alone,
}

impl Ideographs {
    pub(super) fn of(text: &[CodePoint], part: &Range<usize>) -> Self {
        let found = sequences(&text[part.clone()]);
        if found.iter().any(|found| found.range.len() > 1) {
            Self::InARow
        } else if found.iter().any(|found| is_in_word(text, part.start + found.range.start)) {
            Self::InWord
        } else {
            Self::Alone
        }
    }
}

/// Whether a word of ASCII letters continues after the character at a place of a text. `Tom猫Jerry` is two words.
fn is_in_word(text: &[CodePoint], at: usize) -> bool {
    let letter = |at: usize| {
        let byte = u8::try_from(*text.get(at)?).ok()?;
        Some(byte).filter(u8::is_ascii_alphabetic)
    };
    let is_upper = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_uppercase());
    let (before, after) = (at.checked_sub(1).and_then(letter), letter(at + 1));
    after.is_some_and(|after| after.is_ascii_lowercase()) || is_upper(before) && is_upper(after)
}

/// Whether a character is one of Chinese, Japanese or Korean text.
pub(super) fn is_east_asian(cp: CodePoint) -> bool {
    matches!(Script::of(cp), Some(Script::Han | Script::Kana | Script::Hangul))
}

/// Returns the runs of a text that are UTF-8 as bytes of GB18030.
pub(super) fn sequences(text: &[CodePoint]) -> Vec<MisreadSequence> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = text.get(at + 1).copied().unwrap_or(0x20);
        let joins = at > 0 && is_ideograph(text[at - 1]);
        let may_begin = text[at] >= 0x2E80 && !joins && may_begin(text[at], next);
        match may_begin.then(|| sequence(&text[at..])).flatten() {
            // Of ideographs in a row that are two bytes by chance, the last ones are not.
            Some((len, _)) if is_two_bytes(text[at]) && goes_on(&text[at + len..]) => at += 1,
            Some((len, characters)) => {
                let reading =
                    SequenceReading { text: SequenceText::Several(characters), keeps_space: false };
                let range = at..at + len;
                found.push(MisreadSequence { range, reading, others: Vec::new(), is_cut: false });
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

fn goes_on(text: &[CodePoint]) -> bool {
    text.first().is_some_and(|cp| is_ideograph(*cp))
}

/// Reads the longest run at the start of a text: its length in characters, and what it stands for.
fn sequence(text: &[CodePoint]) -> Option<(usize, Vec<CodePoint>)> {
    let mut bytes = Vec::new();
    let mut valid = 0;
    for code in text.iter().take(MAX_RUN).map(|cp| code(*cp)).take_while(|code| *code != 0) {
        bytes.extend(code.to_be_bytes());
        valid += match std::str::from_utf8(&bytes[valid..]) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => {
                valid += error.valid_up_to();
                break;
            }
        };
    }
    let valid = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
    // Up to the last character that ends where an ideograph does.
    let ends = valid.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.rev().find(|end| end % 2 == 0)?;
    let characters: Vec<_> = valid[..end].chars().map(CodePoint::from).collect();
    characters
        .iter()
        .all(|cp| (0x20..0x7F).contains(cp) || is_plausible(*cp))
        .then_some((end / 2, characters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideographs_stand_in_latin_words_only_by_damage() {
        for (text, expected) in [
            ("Gr枚脽e", Ideographs::InARow),
            ("浣犲ソ", Ideographs::InARow),
            ("M眉ller", Ideographs::InWord),
            ("M脺LLER", Ideographs::InWord),
            ("d茅j脿", Ideographs::InWord),
            ("Nyan猫", Ideographs::Alone),
            ("脺bung", Ideographs::InWord),
            ("Tom猫Jerry", Ideographs::Alone),
            ("%d枚", Ideographs::Alone),
            ("20掳C", Ideographs::Alone),
            ("猫", Ideographs::Alone),
        ] {
            let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
            assert_eq!(Ideographs::of(&cps, &(0..cps.len())), expected, "{text}");
        }
    }
}
