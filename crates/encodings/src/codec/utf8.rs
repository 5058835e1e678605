//! UTF-8 (D92): Table 3-7 as code, and the kinds of faults.
//!
//! An ill-formed subsequence is one maximal subpart (D93b): the longest prefix of a well-formed sequence, or one byte.

use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// UTF-8: one to four bytes, scalar values only.
#[derive(Clone, Copy, Debug)]
pub struct Utf8Codec;

impl StatelessCodec for Utf8Codec {
    fn form(&self) -> Option<EncodingForm> {
        Some(EncodingForm::Utf8)
    }

    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode(EncodingForm::Utf8, input, output)
    }

    /// Accepts byte after byte, each in the range that Table 3-7 has for its place. So the bytes accepted before the
    /// first wrong one are the maximal subpart, and an input that ends among them is incomplete.
    fn decode_one(&self, input: &[u8]) -> Decoded {
        let first = input[0];
        if first < 0x80 {
            return Decoded::Character { cp: first.into(), len: 1 };
        }
        let row = match &LEAD_BYTES[usize::from(first)] {
            Ok(row) => row,
            Err(kind) => return Decoded::IllFormed(IllFormed::new(1, *kind)),
        };
        let mut cp = CodePoint::from(first & (0x7F >> row.len));
        for at in 1..row.len {
            let (low, high) = if at == 1 { row.second } else { (0x80, 0xBF) };
            match input.get(at) {
                None => return Decoded::Incomplete,
                Some(&byte) if (low..=high).contains(&byte) => {
                    cp = cp << 6 | CodePoint::from(byte & 0x3F);
                }
                Some(&byte) => {
                    let kind =
                        if at == 1 { wrong_second(first, byte) } else { IllFormedKind::Truncated };
                    return Decoded::IllFormed(IllFormed::new(at, kind));
                }
            }
        }
        Decoded::Character { cp, len: row.len }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode(EncodingForm::Utf8, input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let character = char::from_u32(cp)?;
        Some(Encoded::new(character.encode_utf8(&mut [0; 4]).as_bytes()))
    }
}

/// The row that each byte begins, or why it cannot be first. A table and not a `match`, because in text that is not
/// UTF-8 the branches would be unpredictable.
static LEAD_BYTES: [Result<LeadByte, IllFormedKind>; 256] = {
    let mut rows = [const { Err(IllFormedKind::InvalidByte) }; 256];
    let mut first = 0;
    while first < 256 {
        rows[first] = match LeadByte::of(first as u8) {
            Some(row) => Ok(row),
            None => Err(never_first(first as u8)),
        };
        first += 1;
    }
    rows
};

/// A row of Table 3-7 with more than one byte.
#[derive(Clone, Copy)]
struct LeadByte {
    len: usize,
    /// The range of the second byte. Later ones are 80 to BF.
    second: (u8, u8),
}

impl LeadByte {
    const fn of(first: u8) -> Option<Self> {
        let (len, second) = match first {
            0xC2..=0xDF => (2, (0x80, 0xBF)),
            0xE0 => (3, (0xA0, 0xBF)),
            0xE1..=0xEC | 0xEE..=0xEF => (3, (0x80, 0xBF)),
            0xED => (3, (0x80, 0x9F)),
            0xF0 => (4, (0x90, 0xBF)),
            0xF1..=0xF3 => (4, (0x80, 0xBF)),
            0xF4 => (4, (0x80, 0x8F)),
            _ => return None,
        };
        Some(Self { len, second })
    }
}

/// Returns why a byte that begins no row of Table 3-7 cannot be first.
const fn never_first(byte: u8) -> IllFormedKind {
    match byte {
        0x80..=0xBF => IllFormedKind::UnexpectedContinuation,
        0xC0..=0xC1 => IllFormedKind::Overlong,
        0xF5..=0xF7 => IllFormedKind::OutOfRange,
        _ => IllFormedKind::InvalidByte,
    }
}

/// Returns why `second` cannot follow `first`.
const fn wrong_second(first: u8, second: u8) -> IllFormedKind {
    match (first, second) {
        (0xE0, 0x80..=0x9F) | (0xF0, 0x80..=0x8F) => IllFormedKind::Overlong,
        (0xED, 0xA0..=0xBF) => IllFormedKind::Surrogate,
        (0xF4, 0x90..=0xBF) => IllFormedKind::OutOfRange,
        _ => IllFormedKind::Truncated,
    }
}
