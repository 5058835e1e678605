//! GB18030: one, two or four bytes, which cover every scalar value.
//!
//! ```text
//! 00..7F        81..FE, 40..7E or 80..FE: 23,940 characters of the BMP (`set/`)
//! 81..84 30..39 81..FE 30..39: the rest of the BMP, in order       90..E3 30..39 81..FE 30..39: U+10000 and above
//! ```
//!
//! There are three editions. The four-byte codes of the BMP are assigned, in code point order, to everything without a
//! two-byte code in the first edition. When a later edition reassigned the two-byte code of a private-use character to
//! a real one, the private-use character took over the four-byte code of the real one ([`EXCHANGED`]), so the encoding
//! remains a bijection:
//!
//! ```text
//!          A8 BC     81 35 F4 37
//! 2000     U+E7C7    U+1E3F
//! 2005     U+1E3F    U+E7C7
//! ```
//!
//! The Encoding Standard combines the two-byte codes of 2022 with the four-byte codes of 2005. It reads both codes of a
//! real character, and writes its private-use character as the two-byte code. It also reads the byte 80 as the euro
//! sign, and A3 A0 as U+3000.

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use super::pair_runs::one_by_one;
use super::set::{
    CodedSet, GB18030_PAIRS, GB18030_PAIRS_2000, GB18030_PAIRS_2005, GB18030_PAIRS_WHATWG,
    PairIndex,
};
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, MAX_CODE_POINT, is_surrogate};
use oxiconv_kernels::Progress;

/// An edition of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// GB 18030-2000.
    Of2000,
    /// GB 18030-2005: A8 BC is U+1E3F.
    Of2005,
    /// GB 18030-2022: 18 further two-byte codes mean real characters, not private ones.
    Of2022,
    /// The Encoding Standard's `gb18030`.
    OfTheWeb,
}

impl Edition {
    const fn pairs(self) -> CodedSet {
        match self {
            Self::Of2000 => GB18030_PAIRS_2000,
            Self::Of2005 => GB18030_PAIRS_2005,
            Self::Of2022 => GB18030_PAIRS,
            Self::OfTheWeb => GB18030_PAIRS_WHATWG,
        }
    }

    fn exchanged(self) -> &'static [(u16, u16)] {
        match self {
            Self::Of2000 => &[],
            Self::Of2005 | Self::OfTheWeb => &EXCHANGED[..1],
            Self::Of2022 => &EXCHANGED,
        }
    }
}

/// Each character that got its two-byte code in a later edition, and the private-use character that had it before. The
/// first is of the 2005 edition, the others are of 2022: [`Edition::exchanged`] returns as many as an edition has.
const EXCHANGED: [(u16, u16); 19] = [
    (0x1E3F, 0xE7C7),
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

/// The byte 80 on the web, as in Windows code page 936.
const EURO_SIGN: CodePoint = 0x20AC;

/// The number of 90 30 81 30, the four-byte code of U+10000.
const SUPPLEMENTARY: u32 = 189_000;

/// The number of four-byte codes for the BMP. Those from here up to [`SUPPLEMENTARY`] are unassigned.
const BMP_CODES: usize = 39_420;

/// The codes of the BMP. Four-byte codes are numbered in ascending order from 81 30 81 30, which is 0.
struct FourBytes {
    /// The character of each number, and a final 0 as the sentinel for all greater numbers.
    characters: Box<[u16; BMP_CODES + 1]>,
    /// The code of each character, of one, two or four bytes, the first byte lowest; 0 if it has none.
    codes: Box<[u32; 0x1_0000]>,
}

impl FourBytes {
    fn new(edition: Edition) -> Self {
        // The four-byte codes in order go to everything that had no two-byte code in the first edition, whatever the
        // edition. Then the exchanges are applied. Deriving the order from a later edition would shift all codes after
        // U+1E3F.
        let mut has_two_bytes = vec![false; 0x1_0000];
        Edition::Of2000.pairs().visit(|_, cp, _| has_two_bytes[cp as usize] = true);
        let four_bytes =
            (0x80..=0xFFFF).filter(|cp| !has_two_bytes[*cp as usize] && !is_surrogate(*cp));
        let mut characters: Vec<u16> = four_bytes.map(|cp| cp as u16).collect();
        let in_order = characters.clone();
        for (now_two_bytes, private) in edition.exchanged() {
            let at = in_order.binary_search(now_two_bytes).expect("it had four bytes");
            characters[at] = *private;
        }
        let mut codes = vec![0; 0x1_0000].into_boxed_slice();
        let short = edition.pairs().encoding();
        for (cp, code) in (0..).zip(&mut codes) {
            let bytes = short.get(cp).unwrap_or(0);
            *code = if bytes > 0xFF { bytes.swap_bytes() } else { bytes }.into();
        }
        for (number, cp) in (0..).zip(&characters) {
            let code = &mut codes[usize::from(*cp)];
            // In the Encoding Standard, some characters have a two-byte code too, which is the one to write.
            if *code == 0 {
                *code = code_of(number);
            }
        }
        characters.push(0);
        Self {
            characters: characters.try_into().expect("the standard has as many"),
            codes: codes.try_into().expect("as long as that"),
        }
    }

    /// Returns the tables of an edition. The first call builds them, in some tenths of a millisecond, so it should come
    /// only once a text has such a code.
    fn of(edition: Edition) -> &'static Self {
        static ALL: [OnceLock<FourBytes>; 4] = [const { OnceLock::new() }; 4];
        ALL[edition as usize].get_or_init(|| Self::new(edition))
    }

    /// Returns the character of a code, given with its first byte lowest, or anything and `true` if it has none. No
    /// branch depends on the code.
    #[inline(always)]
    fn look_up(&self, code: u32) -> (CodePoint, bool) {
        // Subtracting 81 30 81 30 turns the bytes into digits, the first of which may be up to 125, 9, 125 and 9. All
        // four are checked at once, with the high bit of each byte:
        //
        //   * A byte below its range borrows: 80 - 81 is FF. Only 00 - 81 is 7F, which the addition turns into 81.
        //   * To a byte above its range the addition carries into the high bit: 3A - 30 is 0A, plus 76 is 80.
        //
        // A borrow or a carry may spoil the bytes after it, but then the code is already out of range.
        let digits = code.wrapping_sub(0x3081_3081);
        let shapeless = (digits | digits.wrapping_add(0x7602_7602)) & 0x8080_8080 != 0;
        // A code is the number ((a * 10 + b) * 126 + c) * 10 + d of its digits. The two halves, a * 10 + b and c * 10 +
        // d, are computed in parallel in the two halves of the word: they are at most 1259, and do not carry.
        let halves = (digits & 0xFF_00FF) * 10 + (digits >> 8 & 0xFF_00FF);
        let number = (halves & 0xFFFF) * 1260 + (halves >> 16);
        let of_bmp = self.characters[(number as usize).min(BMP_CODES)];
        let past = number.wrapping_sub(SUPPLEMENTARY - 0x1_0000);
        let is_past = (0x1_0000..=MAX_CODE_POINT).contains(&past);
        let cp = select_unpredictable(is_past, past, of_bmp.into());
        (cp, shapeless | (cp == 0))
    }
}

fn code_of(number: u32) -> u32 {
    let [a, b, c, d] = [number / 12_600, number / 1260 % 10, number / 10 % 126, number % 10];
    0x3081_3081 + (a | b << 8 | c << 16 | d << 24)
}

fn supplementary(cp: CodePoint) -> Option<u32> {
    (cp <= MAX_CODE_POINT).then(|| code_of(SUPPLEMENTARY - 0x1_0000 + cp))
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

    /// Decodes a sequence that begins with a lead byte and a digit. An ill-formed one is just its lead byte, because
    /// the digits that follow may be characters by themselves.
    fn four_bytes(self, input: &[u8]) -> Decoded {
        let Some(&third) = input.get(2) else { return Decoded::Incomplete };
        if !(0x81..=0xFE).contains(&third) {
            return ill_formed(IllFormedKind::Truncated);
        }
        let Some(&fourth) = input.get(3) else { return Decoded::Incomplete };
        if !fourth.is_ascii_digit() {
            return ill_formed(IllFormedKind::Truncated);
        }
        let code = u32::from_le_bytes([input[0], input[1], third, fourth]);
        match FourBytes::of(self.edition).look_up(code) {
            (_, true) => ill_formed(IllFormedKind::UndefinedSequence),
            (cp, _) => Decoded::Character { cp, len: 4 },
        }
    }

    /// Decodes the character at the start of `input`. After a lead byte, the second byte gives the length: a digit
    /// means four bytes, any other trail byte two.
    #[inline]
    fn one(self, input: &[u8]) -> Decoded {
        let lead = input[0];
        match lead {
            0..=0x7F => return Decoded::Character { cp: lead.into(), len: 1 },
            0x80 if self.edition == Edition::OfTheWeb => {
                return Decoded::Character { cp: EURO_SIGN, len: 1 };
            }
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
                    // A trail byte of US-ASCII may be a character by itself.
                    None if trail < 0x80 => ill_formed(IllFormedKind::UndefinedSequence),
                    None => Decoded::IllFormed(IllFormed::new(2, IllFormedKind::UndefinedSequence)),
                }
            }
            Some(_) => ill_formed(IllFormedKind::Truncated),
        }
    }

    /// Decodes characters of one or four bytes, two at a time and without a branch that depends on the text, up to two
    /// characters of US-ASCII in a row, which the caller's loop decodes faster. If it cannot decode any that way, it
    /// decodes a few one by one.
    fn with_four_bytes(self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        // Building the table takes longer than decoding a short text, and most texts have no four-byte codes.
        let is_one = |at| matches!(input.get(at..), Some([0x81..=0xFE, b'0'..=b'9', ..]));
        if !(is_one(0) || is_one(1)) {
            return one_by_one(input, output, |input| self.one(input));
        }
        let (mut read, mut written) = (0, 0);
        let four_bytes = FourBytes::of(self.edition);
        // Returns the character, whether the code is invalid, and its length in bits.
        let look = |word: u64| {
            let single = word & 0x80 == 0;
            let (cp, none) = four_bytes.look_up(word as u32);
            let cp = select_unpredictable(single, word as u32 & 0x7F, cp);
            (cp, !single & none, select_unpredictable(single, 8, 32))
        };
        while let Some(from) = input[read..].first_chunk()
            && let Some(to) = output[written..].first_chunk_mut::<2>()
        {
            let word = u64::from_le_bytes(*from);
            let (first, no_first, first_bits) = look(word);
            let (second, no_second, second_bits) = look(word >> first_bits);
            *to = [first, second];
            // The position of the next two characters depends only on the bytes, not on what the lookups return. So the
            // processor can start on them while these lookups still wait for memory.
            if no_first {
                break;
            }
            if no_second {
                read += first_bits as usize / 8;
                written += 1;
                break;
            }
            let bits = first_bits + second_bits;
            read += bits as usize / 8;
            written += 2;
            if bits == 16 {
                break;
            }
        }
        match read {
            0 => one_by_one(input, output, |input| self.one(input)),
            _ => Progress { read, written },
        }
    }

    /// Encodes eight characters at a time, with no branch that depends on them within the BMP, as long as they take
    /// more than two bytes on average: otherwise the caller's loop is faster. Encodes a single character of four bytes
    /// if the input or the output is too short for eight.
    fn encode_with_four_bytes(self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        const CHARACTERS: usize = 8;
        let (mut read, mut written) = (0, 0);
        let codes = &FourBytes::of(self.edition).codes;
        while let Some(from) = input[read..].first_chunk::<CHARACTERS>()
            && let Some(to) = output[written..].first_chunk_mut::<{ 4 * CHARACTERS }>()
        {
            // Four bytes are stored for each character, and those in excess are overwritten by the next one.
            let (mut len, mut none) = (0, false);
            for cp in from {
                let code = match *cp {
                    0..=0xFFFF => codes[*cp as usize],
                    past => supplementary(past).unwrap_or(0),
                };
                to[len..len + 4].copy_from_slice(&code.to_le_bytes());
                len += 1 + usize::from(code > 0xFF) + 2 * usize::from(code > 0xFFFF);
                none |= code == 0;
            }
            if none {
                break;
            }
            read += CHARACTERS;
            written += len;
            if len <= 2 * CHARACTERS {
                return Progress { read, written };
            }
        }
        if read == 0
            && let Some(one) = input.first().and_then(|cp| self.as_four_bytes(*cp))
            && let Some(slot) = output.first_chunk_mut()
        {
            *slot = one;
            return Progress { read: 1, written: one.len() };
        }
        Progress { read, written }
    }

    fn as_four_bytes(self, cp: CodePoint) -> Option<[u8; 4]> {
        let code = match cp {
            0..=0xFFFF => Some(FourBytes::of(self.edition).codes[cp as usize]),
            past => supplementary(past),
        };
        code.filter(|code| *code > 0xFFFF).map(u32::to_le_bytes)
    }
}

fn ill_formed(kind: IllFormedKind) -> Decoded {
    Decoded::IllFormed(IllFormed::new(1, kind))
}

impl StatelessCodec for Gb18030 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        self.pairs.decode(input, output, |input, output| self.with_four_bytes(input, output))
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        self.one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let short = self.edition.pairs().encoding();
        let (mut read, mut written) = (0, 0);
        loop {
            let run = short.encode(&input[read..], &mut output[written..], |_| None);
            (read, written) = (read + run.read, written + run.written);
            // Without this, a text that has no four-byte code would still build the table of them.
            if read == input.len() {
                return Progress { read, written };
            }
            let some = self.encode_with_four_bytes(&input[read..], &mut output[written..]);
            (read, written) = (read + some.read, written + some.written);
            if some.read == 0 {
                return Progress { read, written };
            }
        }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let short = self.edition.pairs().encoding().bytes(cp);
        short.or_else(|| Some(Encoded::new(&self.as_four_bytes(cp)?)))
    }

    fn writes_utf8(&self) -> bool {
        true
    }

    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let has_four_bytes = |[lead, second]: [u8; 2]| lead >= 0x80 && second < 0x40;
        self.pairs.convert(input, output, has_four_bytes, |input, output| {
            self.with_four_bytes(input, output)
        })
    }

    fn reads_utf8(&self) -> bool {
        true
    }

    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let short = self.edition.pairs().encoding();
        short.convert(input, output, |cp| Some(Encoded::new(&self.as_four_bytes(cp)?)))
    }
}

#[cfg(test)]
mod tests;
