//! GB18030: one, two or four bytes, which cover every scalar value.
//!
//! ```text
//! 00..7F        81..FE, 40..7E or 80..FE: 23,940 characters of the BMP (`set/`)
//! 81..84 30..39 81..FE 30..39: the rest of the BMP, in order       90..E3 30..39 81..FE 30..39: U+10000 and above
//! ```
//!
//! There are three editions. The four-byte codes of the BMP are assigned, in code point order, to everything without a
//! two-byte code in the first edition. When a later edition gave the two-byte code of a private-use character to a real
//! one, the private-use character took over the four-byte code of the real one ([`EXCHANGED`]), so the encoding stays a
//! bijection.

use std::sync::OnceLock;

use super::set::{GB18030_PAIRS, GB18030_PAIRS_2000, GB18030_PAIRS_2005, PairIndex, Set};
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::Progress;
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, MAX_CODE_POINT, is_surrogate};

/// An edition of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// GB 18030-2000.
    Of2000,
    /// GB 18030-2005: A8 BC is U+1E3F.
    Of2005,
    /// GB 18030-2022: 18 further two-byte codes mean real characters, not private ones.
    Of2022,
}

impl Edition {
    /// Returns the two-byte codes.
    const fn pairs(self) -> Set {
        match self {
            Self::Of2000 => GB18030_PAIRS_2000,
            Self::Of2005 => GB18030_PAIRS_2005,
            Self::Of2022 => GB18030_PAIRS,
        }
    }

    /// Returns the characters that were exchanged up to this edition.
    fn exchanged(self) -> &'static [(u16, u16)] {
        match self {
            Self::Of2000 => &[],
            Self::Of2005 => &EXCHANGED[..1],
            Self::Of2022 => &EXCHANGED,
        }
    }
}

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

/// The number of the first code that neither the BMP nor the rest of Unicode has.
const BMP_CODES: usize = 39_420;

/// The four-byte codes of the BMP, as numbers: 81 30 81 30 is 0.
struct FourBytes {
    /// The character of each number.
    characters: Vec<u16>,
    /// The number of each character; [`FourBytes::NONE`] if it has two bytes.
    numbers: Vec<u16>,
}

impl FourBytes {
    const NONE: u16 = u16::MAX;

    fn new(edition: Edition) -> Self {
        let mut numbers = vec![0; 0x1_0000];
        Edition::Of2000.pairs().visit(|_, cp, _| numbers[cp as usize] = Self::NONE);
        let four_bytes = (0x80..=0xFFFF)
            .filter(|cp| numbers[usize::from(*cp)] != Self::NONE && !is_surrogate((*cp).into()));
        let mut characters: Vec<u16> = four_bytes.collect();
        let in_order = characters.clone();
        for (now_two_bytes, private) in edition.exchanged() {
            let at = in_order.binary_search(now_two_bytes).expect("it had four bytes");
            characters[at] = *private;
        }
        numbers.fill(Self::NONE);
        for (number, cp) in (0..).zip(&characters) {
            numbers[usize::from(*cp)] = number;
        }
        debug_assert_eq!(characters.len(), BMP_CODES);
        Self { characters, numbers }
    }

    /// Returns those of an edition. The first call makes them, in some tenths of a millisecond: a text may need none.
    fn of(edition: Edition) -> &'static Self {
        static ALL: [OnceLock<FourBytes>; 3] = [const { OnceLock::new() }; 3];
        ALL[edition as usize].get_or_init(|| Self::new(edition))
    }
}

/// The codec of an edition.
#[derive(Clone, Copy, Debug)]
pub struct Gb18030 {
    edition: Edition,
    pairs: &'static PairIndex,
}

impl Gb18030 {
    /// Creates the codec of `edition`.
    pub fn new(edition: Edition) -> Self {
        Self { edition, pairs: edition.pairs().pair_index() }
    }

    fn character_of(self, number: u32) -> Option<CodePoint> {
        match number.checked_sub(SUPPLEMENTARY) {
            None => {
                FourBytes::of(self.edition).characters.get(number as usize).map(|cp| (*cp).into())
            }
            Some(past) => Some(0x1_0000 + past).filter(|cp| *cp <= MAX_CODE_POINT),
        }
    }

    /// Decodes a sequence that begins with a lead byte and a digit. Neither digit is ever part of an ill-formed
    /// subsequence.
    fn four_bytes(self, input: &[u8]) -> Decoded {
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
    fn one(self, input: &[u8]) -> Decoded {
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

    fn number_of(self, cp: CodePoint) -> Option<u32> {
        match cp {
            0..=0xFFFF => {
                let number = FourBytes::of(self.edition).numbers[cp as usize];
                (number != FourBytes::NONE).then(|| number.into())
            }
            0x1_0000..=MAX_CODE_POINT => Some(SUPPLEMENTARY + (cp - 0x1_0000)),
            _ => None,
        }
    }

    /// Encodes a character as four bytes.
    #[inline]
    fn as_four_bytes(self, cp: CodePoint) -> Option<Encoded> {
        let number = self.number_of(cp)?;
        let [a, b, c, d] = [number / 12_600, number / 1260 % 10, number / 10 % 126, number % 10];
        Some(Encoded::new(&[0x81 + a as u8, 0x30 + b as u8, 0x81 + c as u8, 0x30 + d as u8]))
    }
}

fn ill_formed(kind: IllFormedKind) -> Decoded {
    Decoded::IllFormed(IllFormed::new(1, kind))
}

impl StatelessCodec for Gb18030 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        self.pairs.decode(input, output, |input| self.one(input))
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        self.one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.edition.pairs().encoding().encode(input, output, |cp| self.as_four_bytes(cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.edition.pairs().encoding().bytes(cp).or_else(|| self.as_four_bytes(cp))
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
            assert_eq!(
                Gb18030::new(Edition::Of2022).decode_one(input),
                ill_formed(kind),
                "{input:X?}"
            );
        }
        for input in [&b"\x81"[..], b"\x81\x30", b"\x81\x30\x81"] {
            assert_eq!(
                Gb18030::new(Edition::Of2022).decode_one(input),
                Decoded::Incomplete,
                "{input:X?}"
            );
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
            assert_eq!(
                Gb18030::new(Edition::Of2022).decode_one(bytes),
                Decoded::Character { cp, len },
                "{bytes:X?}"
            );
            assert_eq!(
                Gb18030::new(Edition::Of2022).encode_one(cp),
                Some(Encoded::new(bytes)),
                "{cp:X}"
            );
        }
    }

    #[test]
    fn an_earlier_edition_has_private_characters_where_later_ones_have_real_ones() {
        for (bytes, cps) in [
            (&b"\xA8\xBC"[..], [0xE7C7, 0x1E3F, 0x1E3F]),
            (b"\x81\x35\xF4\x37", [0x1E3F, 0xE7C7, 0xE7C7]),
            (b"\xA6\xD9", [0xE78D, 0xE78D, 0xFE10]),
            (b"\x84\x31\x82\x36", [0xFE10, 0xFE10, 0xE78D]),
            (b"\xFE\x59", [0xE81E, 0xE81E, 0x9FB4]),
            (b"\x82\x35\x90\x37", [0x9FB4, 0x9FB4, 0xE81E]),
            (b"\x84\x31\xA4\x39", [0xFFFF; 3]),
        ] {
            for (edition, cp) in [Edition::Of2000, Edition::Of2005, Edition::Of2022].iter().zip(cps)
            {
                let (codec, len) = (Gb18030::new(*edition), bytes.len());
                assert_eq!(codec.decode_one(bytes), Decoded::Character { cp, len }, "{bytes:X?}");
                assert_eq!(codec.encode_one(cp), Some(Encoded::new(bytes)), "{cp:X}");
            }
        }
    }
}
