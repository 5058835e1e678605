//! The letters next to stray bytes. A stray byte is read as a letter only next to letters of its script: what an
//! encoding reads as a Latin letter is not one amid Japanese.
//!
//! ```text
//! na<EF>ve        EF is a letter in windows-1252, and its neighbours are Latin letters: they fit
//! 日<FF>本        FF is a Latin letter there, and its neighbours belong to a script that no single-byte encoding has
//! сказал <93>да   93 is a quotation mark, which is common to many scripts
//! ```
//!
//! Only counts are kept, per byte value and script of the neighbour: which encoding to test is known only at the end of
//! the text.

use std::ops::Range;

use super::form_counts::FormCounts;
use super::stray::{ByteSet, StrayEncoding};
use oxiconv_detect::detection::is_vowel;
use oxiconv_encodings::codec::{Decoded, StatelessCodec, Utf8Codec};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// The script of a letter next to a stray byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeighbourScript {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    /// A script of no single-byte encoding that can be guessed.
    Other,
}

impl NeighbourScript {
    const COUNT: usize = Self::Other as usize + 1;

    /// Returns the script of a letter; `None` for any other character.
    fn of(cp: CodePoint) -> Option<Self> {
        // U+00B5 is the micro sign of units, not a letter of a word.
        let is_letter = is_alphabetic(cp) && cp != 0xB5;
        is_letter.then_some(match cp {
            0..=0x24F | 0x1E00..=0x1EFF => Self::Latin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => Self::Greek,
            0x400..=0x52F => Self::Cyrillic,
            0x590..=0x5FF => Self::Hebrew,
            0x600..=0x77F => Self::Arabic,
            0xE00..=0xE7F => Self::Thai,
            _ => Self::Other,
        })
    }
}

/// What is next to a byte on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Letter(NeighbourScript),
    /// Not a letter, or the end of the text.
    Plain,
    Unknown,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sides {
    letters: [u64; NeighbourScript::COUNT],
    /// Times without a letter on either side.
    alone: u64,
}

/// Counts of the neighbours of the stray bytes of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    /// One entry per byte from 80 on; empty until there is a stray byte.
    sides: Vec<Sides>,
}

impl Neighbours {
    /// Examines both sides of the run of stray bytes at `run` of `bytes`. Only the first byte of a run has a known
    /// neighbour before it, and only the last one after it: the bytes in between are next to stray bytes, whose script
    /// is in question itself.
    pub(super) fn look(&mut self, bytes: &[u8], run: Range<usize>) {
        let (before, after) = (side_before(&bytes[..run.start]), side_after(&bytes[run.end..]));
        let (first, last) = (bytes[run.start], bytes[run.end - 1]);
        if run.len() == 1 && (before, after) == (Side::Plain, Side::Plain) {
            self.of(first).alone += 1;
        }
        for (byte, side) in [(first, before), (last, after)] {
            if let Side::Letter(script) = side {
                self.of(byte).letters[script as usize] += 1;
            }
        }
    }

    fn of(&mut self, byte: u8) -> &mut Sides {
        self.sides.resize(0x80, Sides::default());
        &mut self.sides[usize::from(byte & 0x7F)]
    }

    pub(super) fn have_letters(&self) -> bool {
        self.sides.iter().any(|sides| sides.letters.iter().any(|count| *count > 0))
    }

    /// Whether the characters of `bytes` in this encoding agree with the letters next to them, more often than not.
    ///
    /// Every neighbour votes. A letter next to the byte agrees if the byte is a letter of its script, or no letter at
    /// all; it never agrees if its script is one that no single-byte encoding has. Without any vote, the encoding is
    /// accepted only if the bytes are many enough to have been told apart by their frequencies.
    pub(super) fn allow(&self, stray: &StrayEncoding, bytes: ByteSet, counts: &FormCounts) -> bool {
        let (mut fit, mut differ) = (0, 0);
        for byte in bytes.iter().filter(|byte| *byte >= 0x80) {
            let Some(sides) = self.sides.get(usize::from(byte & 0x7F)) else { continue };
            let script = NeighbourScript::of(stray.character(byte));
            for (index, count) in sides.letters.iter().enumerate() {
                let other = index == NeighbourScript::Other as usize;
                let same = script.is_none_or(|script| script as usize == index);
                *(if same && !other { &mut fit } else { &mut differ }) += count;
            }
            // A Latin letter by itself can be a word if it is a vowel (`à`, `é`), in a text whose letters are Latin.
            // Other isolated letters speak against the encoding.
            let goes = match script {
                None => true,
                Some(NeighbourScript::Latin) => {
                    counts.has_latin_letters() && is_vowel(stray.character(byte))
                }
                Some(_) => false,
            };
            *(if goes { &mut fit } else { &mut differ }) += sides.alone;
        }
        differ < fit || (fit, differ) == (0, 0) && counts.have_frequency()
    }

    /// Whether the only stray byte follows a letter of its own script in this encoding. If the byte after it is
    /// unknown, its letter must also be a vowel, as most such letters are.
    pub(super) fn continues_word(&self, stray: &StrayEncoding, byte: u8, next: Option<u8>) -> bool {
        let character = stray.character(byte);
        let Some(script) = NeighbourScript::of(character) else { return false };
        let sides = self.sides.get(usize::from(byte & 0x7F));
        sides.is_some_and(|sides| sides.letters[script as usize] > 0)
            && (next.is_some() || is_vowel(character))
    }
}

fn side_before(bytes: &[u8]) -> Side {
    let Some(last) = bytes.last() else { return Side::Plain };
    if last.is_ascii() {
        return side((*last).into());
    }
    let len = bytes.iter().rev().take(4).take_while(|byte| **byte & 0xC0 == 0x80).count() + 1;
    let character = &bytes[bytes.len().saturating_sub(len)..];
    match Utf8Codec.decode_one(character) {
        Decoded::Character { cp, len } if len == character.len() => side(cp),
        _ => Side::Unknown,
    }
}

fn side_after(bytes: &[u8]) -> Side {
    if bytes.is_empty() {
        return Side::Plain;
    }
    match Utf8Codec.decode_one(bytes) {
        Decoded::Character { cp, .. } => side(cp),
        _ => Side::Unknown,
    }
}

fn side(cp: CodePoint) -> Side {
    NeighbourScript::of(cp).map_or(Side::Plain, Side::Letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;

    /// Whether windows-1252 agrees with the neighbours of the only stray byte of `bytes`.
    fn allows(bytes: &[u8]) -> bool {
        let at = std::str::from_utf8(bytes).unwrap_err().valid_up_to();
        let (mut neighbours, mut counts) = (Neighbours::default(), FormCounts::default());
        neighbours.look(bytes, at..at + 1);
        counts.look_at_text(&bytes[..at]);
        counts.look_at_text(&bytes[at + 1..]);
        let mut set = ByteSet::default();
        set.insert(&bytes[at..=at]);
        neighbours.allow(&StrayEncoding::new(Encoding::WINDOWS_1252), set, &counts)
    }

    #[test]
    fn a_letter_goes_with_letters_of_its_script() {
        for (before, byte, after, allowed) in [
            ("na", 0xEF, "ve", true),
            ("il va ", 0xE0, " Paris", true),
            ("“Où va-t-il\u{2009}?” ", 0xC0, " Noël", true),
            ("по-французски caf", 0xE9, " то же", true),
            ("сказал ", 0x93, "да", true),
            ("日本", 0xFF, "語", false),
            ("日本。", 0xFF, "語", false),
            ("日本 ", 0xFF, " 語", false),
            ("日本", 0x93, "語", false),
            ("при", 0xE9, "вет", false),
            ("привет, ", 0xE9, " мир", false),
            ("سلام ", 0xE9, " سلام", false),
        ] {
            let bytes = [before.as_bytes(), &[byte], after.as_bytes()].concat();
            assert_eq!(allows(&bytes), allowed, "{before}<{byte:02X}>{after}");
        }
    }
}
