//! GB18030: one, two or four bytes, which cover every scalar value.
//!
//! ```text
//! 00..7F        81..FE, 40..7E or 80..FE: 23,940 characters of the BMP, from encoding_rs
//! 81..84 30..39 81..FE 30..39: the rest of the BMP, in order       90..E3 30..39 81..FE 30..39: U+10000 and above
//! ```
//!
//! This is the 2022 edition. The four-byte codes of the BMP are assigned, in code point order, to everything without a
//! two-byte code in the first edition. When a later edition gave the two-byte code of a private-use character to a real
//! one, the private-use character took over the four-byte code of the real one ([`EXCHANGED`]), so the encoding stays a
//! bijection.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::codes::EncodeTable;
use super::set::{GB18030_PAIRS, PairIndex};
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::Progress;
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, MAX_CODE_POINT, is_surrogate};

/// Each character with a two-byte code since a later edition, and the private-use character that had the code before.
const EXCHANGED: [(u16, u16); 19] = [
    // The 2005 edition.
    (0x1E3F, 0xE7C7),
    // The 2022 edition.
    (0xFE10, 0xE78D),
    (0xFE11, 0xE78F),
    (0xFE12, 0xE78E),
    (0xFE13, 0xE790),
    (0xFE14, 0xE791),
    (0xFE15, 0xE792),
    (0xFE16, 0xE793),
    (0xFE17, 0xE794),
    (0xFE18, 0xE795),
    (0xFE19, 0xE796),
    (0x9FB4, 0xE81E),
    (0x9FB5, 0xE826),
    (0x9FB6, 0xE82B),
    (0x9FB7, 0xE82C),
    (0x9FB8, 0xE832),
    (0x9FB9, 0xE843),
    (0x9FBA, 0xE854),
    (0x9FBB, 0xE864),
];

/// The number of 90 30 81 30, the four-byte code of U+10000.
const SUPPLEMENTARY: u32 = 189_000;

/// Consecutive code points with consecutive four-byte codes. Codes are numbers: 81 30 81 30 is 0.
#[derive(Clone, Debug)]
struct Neighbours {
    cp: u32,
    number: u32,
    len: u32,
}

impl Neighbours {
    fn code_points(&self) -> Range<u32> {
        self.cp..self.cp + self.len
    }

    fn numbers(&self) -> Range<u32> {
        self.number..self.number + self.len
    }
}

/// The tables for decoding.
struct Gb18030DecodeTables {
    pairs: &'static PairIndex,
    by_number: Vec<Neighbours>,
}

static DECODE_TABLES: LazyLock<Gb18030DecodeTables> = LazyLock::new(|| {
    let mut has_pair = vec![false; 0x1_0000];
    GB18030_PAIRS.visit(|_, cp, _| has_pair[cp as usize] = true);
    Gb18030DecodeTables {
        pairs: GB18030_PAIRS.pair_index(),
        by_number: count(|cp| has_pair[cp as usize]),
    }
});

/// The tables for encoding.
struct Gb18030EncodeTables {
    pairs: &'static EncodeTable,
    /// The number of each code point of the BMP that has a four-byte code.
    numbers: EncodeTable,
}

static ENCODE_TABLES: LazyLock<Gb18030EncodeTables> = LazyLock::new(|| {
    let pairs = GB18030_PAIRS.encoding();
    let by_number = count(|cp| pairs.get(cp).is_some());
    let mut numbers = EncodeTable::empty();
    for some in by_number.iter().filter(|some| some.number < SUPPLEMENTARY) {
        for (cp, number) in some.code_points().zip(some.numbers()) {
            numbers.insert(cp as u16, number as u16);
        }
    }
    Gb18030EncodeTables { pairs, numbers }
});

/// Assigns numbers to everything without a two-byte code in the first edition.
fn count(has_pair: impl Fn(CodePoint) -> bool) -> Vec<Neighbours> {
    let had_none: HashSet<u32> = EXCHANGED.iter().map(|(cp, _)| u32::from(*cp)).collect();
    let had_one: HashSet<u32> = EXCHANGED.iter().map(|(_, cp)| u32::from(*cp)).collect();
    let four_bytes = (0x80..=0xFFFF).filter(|cp| {
        let now_one = has_pair(*cp);
        !is_surrogate(*cp) && !had_one.contains(cp) && (!now_one || had_none.contains(cp))
    });
    let mut all: Vec<Neighbours> = Vec::new();
    for (number, cp) in (0..).zip(four_bytes) {
        let exchanged = EXCHANGED.iter().find(|(new, _)| u32::from(*new) == cp);
        let cp = exchanged.map_or(cp, |(_, private)| u32::from(*private));
        match all.last_mut() {
            Some(last) if last.code_points().end == cp => last.len += 1,
            _ => all.push(Neighbours { cp, number, len: 1 }),
        }
    }
    let supplementary = MAX_CODE_POINT - 0xFFFF;
    all.push(Neighbours { cp: 0x1_0000, number: SUPPLEMENTARY, len: supplementary });
    all
}

impl Gb18030DecodeTables {
    fn character_of(&self, number: u32) -> Option<CodePoint> {
        let at = self.by_number.partition_point(|some| some.numbers().end <= number);
        let some = self.by_number.get(at).filter(|some| some.number <= number)?;
        Some(some.cp + (number - some.number))
    }

    /// Decodes a sequence that begins with a lead byte and a digit. Neither digit is ever part of an ill-formed
    /// subsequence.
    fn four_bytes(&self, input: &[u8]) -> Decoded {
        let Some(&third) = input.get(2) else { return Decoded::Incomplete };
        if !(0x81..=0xFE).contains(&third) {
            return ill_formed(IllFormedKind::Truncated);
        }
        let Some(&fourth) = input.get(3) else { return Decoded::Incomplete };
        if !fourth.is_ascii_digit() {
            return ill_formed(IllFormedKind::Truncated);
        }
        let [a, b, c, d] =
            [input[0] - 0x81, input[1] - 0x30, third - 0x81, fourth - 0x30].map(u32::from);
        match self.character_of(((a * 10 + b) * 126 + c) * 10 + d) {
            Some(cp) => Decoded::Character { cp, len: 4 },
            None => ill_formed(IllFormedKind::UndefinedSequence),
        }
    }

    #[inline]
    fn one(&self, input: &[u8]) -> Decoded {
        let lead = input[0];
        match lead {
            0..=0x7F => return Decoded::Character { cp: lead.into(), len: 1 },
            0x80 | 0xFF => return ill_formed(IllFormedKind::InvalidByte),
            _ => {}
        }
        match input.get(1) {
            None => Decoded::Incomplete,
            Some(0x30..=0x39) => self.four_bytes(input),
            Some(&trail @ (0x40..=0x7E | 0x80..=0xFE)) => {
                let code = u16::from_be_bytes([lead, trail]);
                match self.pairs.character(code) {
                    Some(cp) => Decoded::Character { cp, len: 2 },
                    // A US-ASCII trail may be a character itself.
                    None if trail < 0x80 => ill_formed(IllFormedKind::UndefinedSequence),
                    None => Decoded::IllFormed(IllFormed::new(2, IllFormedKind::UndefinedSequence)),
                }
            }
            Some(_) => ill_formed(IllFormedKind::Truncated),
        }
    }
}

impl Gb18030EncodeTables {
    fn number_of(&self, cp: CodePoint) -> Option<u32> {
        match cp {
            0..=0xFFFF => self.numbers.get(cp).map(u32::from),
            0x1_0000..=MAX_CODE_POINT => Some(SUPPLEMENTARY + (cp - 0x1_0000)),
            _ => None,
        }
    }

    /// Encodes a character as four bytes.
    #[inline]
    fn four_bytes(&self, cp: CodePoint) -> Option<Encoded> {
        let number = self.number_of(cp)?;
        let [a, b, c, d] = [number / 12_600, number / 1260 % 10, number / 10 % 126, number % 10];
        Some(Encoded::new(&[0x81 + a as u8, 0x30 + b as u8, 0x81 + c as u8, 0x30 + d as u8]))
    }
}

/// The codec. The first use of each direction builds its tables, in about a millisecond.
#[derive(Clone, Copy, Debug)]
pub struct Gb18030;

fn ill_formed(kind: IllFormedKind) -> Decoded {
    Decoded::IllFormed(IllFormed::new(1, kind))
}

impl StatelessCodec for Gb18030 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let tables = &*DECODE_TABLES;
        tables.pairs.decode(input, output, |input| tables.one(input))
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        DECODE_TABLES.one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let tables = &*ENCODE_TABLES;
        tables.pairs.encode(input, output, |cp| tables.four_bytes(cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        ENCODE_TABLES.pairs.bytes(cp).or_else(|| ENCODE_TABLES.four_bytes(cp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use IllFormedKind::{InvalidByte, Truncated, UndefinedSequence};

    #[test]
    fn the_digits_of_a_four_byte_code_are_never_part_of_an_ill_formed_subsequence() {
        for (input, kind) in [
            (&b"\x80"[..], InvalidByte),
            (b"\xFF\x30", InvalidByte),
            (b"\x81\x20", Truncated),
            (b"\x81\x7F", Truncated),
            (b"\x81\xFF", Truncated),
            (b"\x81\x30\x30", Truncated),
            (b"\x81\x30\x80", Truncated),
            (b"\x81\x30\x81\x40", Truncated),
            (b"\x81\x30\x81\x81", Truncated),
            // One above U+FFFF, one above U+10FFFF, and the last of all.
            (b"\x84\x31\xA5\x30", UndefinedSequence),
            (b"\xE3\x32\x9A\x36", UndefinedSequence),
            (b"\xFE\x39\xFE\x39", UndefinedSequence),
        ] {
            assert_eq!(Gb18030.decode_one(input), ill_formed(kind), "{input:X?}");
        }
        for input in [&b"\x81"[..], b"\x81\x30", b"\x81\x30\x81"] {
            assert_eq!(Gb18030.decode_one(input), Decoded::Incomplete, "{input:X?}");
        }
    }

    #[test]
    fn the_exchanged_characters_are_those_of_the_edition_of_2022() {
        for (bytes, cp) in [
            (&b"\xA8\xBC"[..], 0x1E3F),
            (b"\x81\x35\xF4\x37", 0xE7C7),
            (b"\xA6\xD9", 0xFE10),
            (b"\x84\x31\x82\x36", 0xE78D),
            (b"\xFE\x59", 0x9FB4),
            (b"\x82\x35\x90\x37", 0xE81E),
            (b"\xFE\x51", 0xE816),
            (b"\x95\x32\x90\x31", 0x2_0087),
            (b"\xA3\xA0", 0xE5E5),
            (b"\x84\x31\xA4\x39", 0xFFFF),
            (b"\x90\x30\x81\x30", 0x1_0000),
            (b"\xE3\x32\x9A\x35", 0x10_FFFF),
        ] {
            let len = bytes.len();
            assert_eq!(Gb18030.decode_one(bytes), Decoded::Character { cp, len }, "{bytes:X?}");
            assert_eq!(Gb18030.encode_one(cp), Some(Encoded::new(bytes)), "{cp:X}");
        }
    }
}
