//! ISCII (IS 13194:1991): the scripts of India in 8 bits, with codes that change the script.
//!
//! ```text
//! 00..7F US-ASCII   A1..FA letters, the same codes in every script   EF and 42..4B the script from here on
//! letter and E9 (nukta): one letter     E8 E8, E8 E9: virama and U+200C, U+200D     D9: U+200D     F0 B8, F0 BF: signs
//! ```
//!
//! The version of ISCII is the script in which a line begins. In Unicode the scripts have parallel blocks of 80 code
//! points (hexadecimal), in the order of ISCII. So one table serves for all: the offset of each letter in the block,
//! and the scripts that have it.
//!
//! ```text
//! B3          ka, offset 15      Devanagari U+0915, Bengali U+0995, Tamil U+0B95
//! EF 44 B3    ATR Tamil, ka      Tamil U+0B95, whatever the script was
//! ```
//!
//! As in ICU, the encoder writes the script before the first letter of each line and wherever it changes. It does not
//! write U+200C by itself.
//!
//! An ill-formed subsequence is one byte: one without a letter in the script, or EF or F0 without a valid second byte.

use std::sync::LazyLock;

use super::joining::WritesSequences;
use super::stateful_codec::{
    CharBytes, DecodeStep, EncodeState, StatefulCodec, encode, read_plain, write_plain,
};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CARRIAGE_RETURN, CodePoint, IllFormedKind, LINE_FEED};
use oxiconv_kernels::Progress;

/// The number of a script. Its block begins at U+0900 plus 80 (hexadecimal) times the number.
type IndicScript = u8;

const ATTRIBUTE: u8 = 0xEF;
const EXTENSION: u8 = 0xF0;
const NUKTA: u8 = 0xE9;
const VIRAMA: u8 = 0xE8;
const DANDA: u8 = 0xEA;
const INVISIBLE: u8 = 0xD9;
const FIRST: u8 = 0xA1;
const VIRAMA_OFFSET: u8 = 0x4D;
const NON_JOINER: CodePoint = 0x200C;
const JOINER: CodePoint = 0x200D;

/// The scripts after EF 42 and so on: Devanagari, Bengali, Tamil, Telugu, Assamese, Oriya, Kannada, Malayalam,
/// Gujarati, Gurmukhi.
const ATTRIBUTES: [IndicScript; 10] = [0, 1, 5, 6, 1, 4, 7, 8, 3, 2];

/// The letter of each byte from A1 on: its offset in a block, and a bitmap of the scripts that have it. Bit n is the
/// script with the number n, so 1FF is all nine scripts and 1DF all but Tamil. Bytes without a letter have no script.
const LETTERS: [(u8, u16); 90] = [
    (0x01, 0x01F),
    (0x02, 0x1FF),
    (0x03, 0x1FF),
    (0x05, 0x1FF),
    (0x06, 0x1FF),
    (0x07, 0x1FF),
    (0x08, 0x1FF),
    (0x09, 0x1FF),
    (0x0A, 0x1FF),
    (0x0B, 0x1DB),
    (0x0E, 0x1E1),
    (0x0F, 0x1FF),
    (0x10, 0x1FF),
    (0x0D, 0x009),
    (0x12, 0x1E1),
    (0x13, 0x1FF),
    (0x14, 0x1FF),
    (0x11, 0x009),
    (0x15, 0x1FF),
    (0x16, 0x1DF),
    (0x17, 0x1DF),
    (0x18, 0x1DF),
    (0x19, 0x1FF),
    (0x1A, 0x1FF),
    (0x1B, 0x1DF),
    (0x1C, 0x1FF),
    (0x1D, 0x1DF),
    (0x1E, 0x1FF),
    (0x1F, 0x1FF),
    (0x20, 0x1DF),
    (0x21, 0x1DF),
    (0x22, 0x1DF),
    (0x23, 0x1FF),
    (0x24, 0x1FF),
    (0x25, 0x1DF),
    (0x26, 0x1DF),
    (0x27, 0x1DF),
    (0x28, 0x1FF),
    (0x29, 0x021),
    (0x2A, 0x1FF),
    (0x2B, 0x1DF),
    (0x2C, 0x1DF),
    (0x2D, 0x1DF),
    (0x2E, 0x1FF),
    (0x2F, 0x1FF),
    (0x5F, 0x013),
    (0x30, 0x1FF),
    (0x31, 0x161),
    (0x32, 0x1FF),
    (0x33, 0x1FD),
    (0x34, 0x121),
    (0x35, 0x1FD),
    (0x36, 0x1DF),
    (0x37, 0x1FB),
    (0x38, 0x1FF),
    (0x39, 0x1FF),
    (0x00, 0x000),
    (0x3E, 0x1FF),
    (0x3F, 0x1FF),
    (0x40, 0x1FF),
    (0x41, 0x1FF),
    (0x42, 0x1FF),
    (0x43, 0x1DB),
    (0x46, 0x1E1),
    (0x47, 0x1FF),
    (0x48, 0x1FF),
    (0x45, 0x009),
    (0x4A, 0x1E1),
    (0x4B, 0x1FF),
    (0x4C, 0x1FF),
    (0x49, 0x009),
    (0x4D, 0x1FF),
    (0x3C, 0x017),
    (0x64, 0x001),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x66, 0x1FF),
    (0x67, 0x1FF),
    (0x68, 0x1FF),
    (0x69, 0x1FF),
    (0x6A, 0x1FF),
    (0x6B, 0x1FF),
    (0x6C, 0x1FF),
    (0x6D, 0x1FF),
    (0x6E, 0x1FF),
    (0x6F, 0x1FF),
];

/// Letters with a nukta: the byte before E9, the offset in a block, and the scripts.
const WITH_NUKTA: &[(u8, u8, u16)] = &[
    (0xA1, 0x50, 0x009),
    (0xA6, 0x0C, 0x1D3),
    (0xA7, 0x61, 0x1D3),
    (0xAA, 0x60, 0x1DB),
    (0xB3, 0x58, 0x001),
    (0xB4, 0x59, 0x005),
    (0xB5, 0x5A, 0x005),
    (0xBA, 0x5B, 0x005),
    (0xBF, 0x5C, 0x007),
    (0xC0, 0x5D, 0x013),
    (0xC9, 0x5E, 0x005),
    (0xDB, 0x62, 0x003),
    (0xDC, 0x63, 0x003),
    (0xDF, 0x44, 0x0CB),
    (0xEA, 0x3D, 0x001),
];

/// The signs of Devanagari that have two bytes.
const SIGNS: [([u8; 2], u8); 3] =
    [([DANDA, DANDA], 0x65), ([EXTENSION, 0xB8], 0x52), ([EXTENSION, 0xBF], 0x70)];

fn in_block(script: IndicScript, offset: u8) -> CodePoint {
    0x900 + 0x80 * CodePoint::from(script) + CodePoint::from(offset)
}

fn letter(script: IndicScript, byte: u8) -> Option<CodePoint> {
    let (offset, scripts) = LETTERS.get(usize::from(byte.checked_sub(FIRST)?))?;
    (scripts >> script & 1 == 1).then(|| in_block(script, *offset))
}

/// Returns the character of two bytes that are decoded together.
fn pair(script: IndicScript, bytes: [u8; 2]) -> Option<CodePoint> {
    if let Some((_, offset)) = SIGNS.iter().find(|(sign, _)| *sign == bytes) {
        return (script == 0).then(|| in_block(0, *offset));
    }
    let [first, NUKTA] = bytes else { return None };
    let (_, offset, scripts) = WITH_NUKTA.iter().find(|(byte, ..)| *byte == first)?;
    (scripts >> script & 1 == 1).then(|| in_block(script, *offset))
}

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone, Copy, Debug)]
pub struct Iscii {
    default: IndicScript,
    script: IndicScript,
}

impl Iscii {
    /// Creates the state at the start of a text whose lines begin in this script: 0 Devanagari, 1 Bengali, 2 Gurmukhi,
    /// 3 Gujarati, 4 Oriya, 5 Tamil, 6 Telugu, 7 Kannada, 8 Malayalam.
    pub const fn new(script: u8) -> Self {
        Self { default: script, script }
    }
}

impl StatefulCodec for Iscii {
    fn has_sequences(&self) -> bool {
        true
    }

    type Change = IndicScript;

    fn step(&self, input: &[u8], last: bool) -> DecodeStep<IndicScript> {
        let (first, second, change) = (input[0], input.get(1).copied(), self.script);
        if first <= 0xA0 {
            let cp = first.into();
            let ends = matches!(cp, LINE_FEED | CARRIAGE_RETURN);
            let change = if ends { self.default } else { change };
            return DecodeStep::Character { cp, len: 1, change };
        }
        // Whether a second byte could still change what the first one means.
        let continues = matches!(first, ATTRIBUTE | EXTENSION | VIRAMA | INVISIBLE | DANDA)
            || pair(self.script, [first, NUKTA]).is_some();
        if continues && second.is_none() && !last {
            return DecodeStep::Incomplete;
        }
        let virama = in_block(self.script, VIRAMA_OFFSET);
        match (first, second) {
            // Attributes 21 to 3F say what the letters look like, which is not part of the text. 40 is the default
            // script.
            (ATTRIBUTE, Some(0x21..=0x3F)) => DecodeStep::Shift { len: 2, change },
            (ATTRIBUTE, Some(0x40)) => DecodeStep::Shift { len: 2, change: self.default },
            (ATTRIBUTE, Some(code @ 0x42..=0x4B)) => {
                DecodeStep::Shift { len: 2, change: ATTRIBUTES[usize::from(code - 0x42)] }
            }
            (ATTRIBUTE, None) => DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, change),
            (ATTRIBUTE, _) => DecodeStep::bad(1, IllFormedKind::InvalidEscape, change),
            (VIRAMA, Some(VIRAMA)) => {
                DecodeStep::Sequence { cps: [virama, NON_JOINER], len: 2, change }
            }
            (VIRAMA, Some(NUKTA)) => DecodeStep::Sequence { cps: [virama, JOINER], len: 2, change },
            (INVISIBLE, Some(VIRAMA)) => {
                DecodeStep::Sequence { cps: [0x20, virama], len: 2, change }
            }
            (INVISIBLE, _) => DecodeStep::Character { cp: JOINER, len: 1, change },
            _ => {
                if let Some(cp) = second.and_then(|second| pair(self.script, [first, second])) {
                    return DecodeStep::Character { cp, len: 2, change };
                }
                match letter(self.script, first) {
                    Some(cp) => DecodeStep::Character { cp, len: 1, change },
                    None if first == EXTENSION && second.is_none() => {
                        DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, change)
                    }
                    None => DecodeStep::bad(1, IllFormedKind::InvalidByte, change),
                }
            }
        }
    }

    fn apply(&mut self, script: IndicScript) {
        self.script = script;
    }

    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        read_plain(input, output, |byte| !matches!(byte, b'\n' | b'\r'))
    }
}

/// A letter of a script, with its one or two bytes.
#[derive(Clone, Copy, Debug)]
pub struct IndicLetter {
    script: IndicScript,
    bytes: [u8; 2],
}

/// The letters, sorted. If there are two ways to write one, the list has the shorter.
static CODES: LazyLock<Vec<(CodePoint, IndicLetter)>> = LazyLock::new(|| {
    let mut codes = Vec::new();
    for script in 0..9 {
        let singles = (FIRST..=0xFA).map(|byte| [0, byte]);
        let nuktas = WITH_NUKTA.iter().map(|(byte, ..)| [*byte, NUKTA]);
        let signs = SIGNS.iter().map(|(bytes, _)| *bytes);
        for bytes in singles.chain(nuktas).chain(signs) {
            let cp = match bytes {
                [0, byte] => letter(script, byte),
                bytes => pair(script, bytes),
            };
            codes.extend(cp.map(|cp| (cp, IndicLetter { script, bytes })));
        }
    }
    codes.sort_by_key(|(cp, _)| *cp);
    codes.dedup_by_key(|(cp, _)| *cp);
    codes
});

/// The encoder, which is the same for all versions.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsciiEncoder {
    /// The script of the last letter of the line.
    script: Option<IndicScript>,
}

impl IsciiEncoder {
    fn add(&mut self, letter: IndicLetter, piece: &mut CharBytes) {
        if self.script != Some(letter.script) {
            let code = ATTRIBUTES.iter().position(|script| *script == letter.script);
            piece.add(&[ATTRIBUTE, 0x42 + code.unwrap_or(0) as u8]);
            self.script = Some(letter.script);
        }
        match letter.bytes {
            [0, byte] => piece.add(&[byte]),
            bytes => piece.add(&bytes),
        }
    }
}

impl EncodeState for IsciiEncoder {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        match cp {
            0..=0xA0 => piece.add(&[cp as u8]),
            JOINER => piece.add(&[INVISIBLE]),
            _ => {
                let Ok(at) = CODES.binary_search_by_key(&cp, |(cp, _)| *cp) else { return false };
                self.add(CODES[at].1, piece);
            }
        }
        if matches!(cp, LINE_FEED | CARRIAGE_RETURN) {
            self.script = None;
        }
        true
    }

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        write_plain(input, output, |byte| !matches!(byte, b'\n' | b'\r'))
    }
}

impl Encoder for IsciiEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(self, input, output)
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}

impl WritesSequences for IsciiEncoder {
    type Code = IndicLetter;

    fn sequences(&self) -> Vec<([CodePoint; 2], IndicLetter)> {
        let joined = |script, second, byte| {
            let letter = IndicLetter { script, bytes: [VIRAMA, byte] };
            ([in_block(script, VIRAMA_OFFSET), second], letter)
        };
        (0..9)
            .flat_map(|script| [joined(script, NON_JOINER, VIRAMA), joined(script, JOINER, NUKTA)])
            .collect()
    }

    fn write_sequence(&mut self, letter: IndicLetter, output: &mut [u8]) -> Option<usize> {
        let (mut after, mut piece) = (*self, CharBytes::default());
        after.add(letter, &mut piece);
        let len = piece.put(output)?;
        *self = after;
        Some(len)
    }
}

#[cfg(test)]
mod tests;
