//! UTF-8 that was read as GB18030: `caf茅` was `café`, `浣犲ソ` was `你好`.
//!
//! GB18030 takes two bytes at a time, so characters of UTF-8 and ideographs begin and end at different places:
//!
//! ```text
//! UTF-8     E4 BD A0 | E5 A5 BD       你 好
//! GB18030   E4 BD | A0 E5 | A5 BD     浣 犲 ソ
//! ```
//!
//! A run of ideographs is therefore read as a whole, up to the last character of UTF-8 that ends where an ideograph
//! does. The second byte of an ideograph may also be one of ASCII.
//!
//! One ideograph of two UTF-8 bytes proves little: one in twelve is such a pair by chance, and sound text has
//! ideographs next to Latin words (`Nyan猫`). Where it is decides: see [`Ideographs`].

use std::ops::Range;
use std::sync::OnceLock;

use crate::language::Script;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

use super::sequences::{MisreadSequence, SequenceReading, SequenceText, is_plausible};

/// How much rarer the mistake is than the most common one, in bits.
pub(super) const RARITY: f32 = 4.0;
/// The longest run that is read, in characters.
const MAX_RUN: usize = 4096;

/// Returns GB18030.
pub(super) fn encoding() -> &'static Encoding {
    static GB18030: OnceLock<&Encoding> = OnceLock::new();
    GB18030.get_or_init(|| Encoding::for_name("GB18030").unwrap_or(Encoding::UTF_8))
}

/// Returns the two bytes of a character in GB18030; 0 if it has no such code.
#[inline]
pub(super) fn code(cp: CodePoint) -> u16 {
    static CODES: OnceLock<Vec<u16>> = OnceLock::new();
    let codes = CODES.get_or_init(|| {
        let mut codes = vec![0; 0x1_0000];
        // Windows has characters for private use where later editions of GB18030 have others.
        let windows = Encoding::for_name("CP936@windows").ok();
        let others = windows.map(|windows| (windows, 0xA1..=0xA9));
        for (encoding, leads) in [(encoding(), 0x81..=0xFE)].into_iter().chain(others) {
            let mut decoder = encoding.new_decoder(ByteOrder::Big);
            for (lead, trail) in leads.flat_map(|lead| (0x40..=0xFE).map(move |it| (lead, it))) {
                let mut pivot = [0; 8];
                let done = decoder.decode(&[lead, trail], &mut pivot, true);
                let code = &mut codes[pivot[0] as usize & 0xFFFF];
                if (done.read, done.written, *code) == (2, 1, 0) {
                    *code = u16::from_be_bytes([lead, trail]);
                }
            }
        }
        codes
    });
    codes.get(cp as usize).copied().unwrap_or(0)
}

/// Whether the bytes of a character and the next one may begin a sequence of UTF-8.
///
/// ```text
/// C3 A9            é    the character is a whole sequence, and so is the next one, if it is an ideograph
/// E4 BD │ A0 E5    你   the third byte begins the next character, whose other byte (E5) begins a sequence or is ASCII
/// F0 9F │ 98 80    😀   all four bytes of two characters
/// ```
///
/// `suspect` asks this of the first ideograph of each row in sound text, so it looks at no more than two characters,
/// and `sequence` reads the rest.
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

/// Whether the two bytes of a character are one character of UTF-8. They are for one ideograph in twelve.
fn is_two_bytes(cp: CodePoint) -> bool {
    let [lead, trail] = code(cp).to_be_bytes();
    matches!((lead, trail), (0xC2..=0xDF, 0x80..=0xBF))
}

pub(super) fn is_ideograph(cp: CodePoint) -> bool {
    matches!(cp, 0x3400..=0x9FFF)
}

/// Whether a character takes two bytes in all charsets of East Asia.
pub(super) fn is_wide(cp: CodePoint) -> bool {
    matches!(cp, 0x2E80..0xFF00)
}

/// Whether a character is hardly ever used, and its bytes are text in other charsets: a letter of windows-1252 and one
/// of ASCII, as in `f黵`, or kana of CP932, as in `偙傟偼`. The first are in GBK/4 and the second in GBK/3, which hold what
/// GB 2312 lacks.
pub(super) fn is_rare(cp: CodePoint) -> bool {
    static RARE: OnceLock<Vec<u64>> = OnceLock::new();
    let rare = || {
        let mut rare = vec![0; 0x1_0000 / 64];
        for cp in 0x3400..0xA000 {
            let [lead, trail] = code(cp).to_be_bytes();
            let is_letters = lead >= 0xC0 && trail.is_ascii_alphabetic();
            if is_letters || matches!(lead, 0x82 | 0x83) {
                rare[cp as usize / 64] |= 1 << (cp % 64);
            }
        }
        rare
    };
    is_ideograph(cp) && RARE.get_or_init(rare)[cp as usize / 64] >> (cp % 64) & 1 == 1
}

/// Where the ideographs are for which a part was taken for damage; the first of these that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ideographs {
    /// Several in a row whose bytes are all UTF-8: `浣犲ソ`.
    InARow,
    /// One inside a word of Latin letters or at its start, where no language has any: `M眉ller`, `脺bung`.
    InWord,
    /// One by itself, after a Latin word or next to a sign. Sound Chinese and Japanese have these: `Nyan猫` and `%d枚`,
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

/// Whether a word of ASCII letters continues after the character at an index. `Tom猫Jerry` is two words.
fn is_in_word(text: &[CodePoint], at: usize) -> bool {
    let letter = |at: usize| {
        let byte = u8::try_from(*text.get(at)?).ok()?;
        Some(byte).filter(u8::is_ascii_alphabetic)
    };
    let is_upper = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_uppercase());
    let (before, after) = (at.checked_sub(1).and_then(letter), letter(at + 1));
    after.is_some_and(|after| after.is_ascii_lowercase()) || is_upper(before) && is_upper(after)
}

pub(super) fn is_east_asian(cp: CodePoint) -> bool {
    matches!(Script::of(cp), Some(Script::Han | Script::Kana | Script::Hangul))
}

/// Returns the runs of a text whose bytes in GB18030 are UTF-8.
pub(super) fn sequences(text: &[CodePoint]) -> Vec<MisreadSequence> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = text.get(at + 1).copied().unwrap_or(0x20);
        let joins = at > 0 && is_ideograph(text[at - 1]);
        let may_begin = text[at] >= 0x2E80 && !joins && may_begin(text[at], next);
        match may_begin.then(|| sequence(&text[at..])).flatten() {
            // Sound Chinese: the first ideographs of a row are pairs of UTF-8 by chance, and the next one is not.
            Some((len, _))
                if is_two_bytes(text[at]) && begins_with_ideograph(&text[at + len..]) =>
            {
                at += 1
            }
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

fn begins_with_ideograph(text: &[CodePoint]) -> bool {
    text.first().is_some_and(|cp| is_ideograph(*cp))
}

/// Reads the longest run at the start of a text: its length in characters, and its reading.
///
/// Bytes are added two at a time and validated as they come. A run may stop inside a character of UTF-8, so it is cut
/// back to the last one that ends after an even number of bytes, and with that after an ideograph.
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
