//! Extended UTF-8 (Dave Barber, "Extending UTF-8 to eight bytes"; RFC 2279): the scheme of UTF-8 for units of any size
//! and sequences of any length. It carries plain numbers, including D800 to DFFF and those above 10FFFF.
//!
//! ```text
//! units of n bits    first unit                                   extension units
//! 1                  0, then n-1 bits of data
//! k < n              k ones, a zero, then n-k-1 bits of data      k-1 of 10, then n-2 bits of data
//! n                  n ones                                       n-1 of the same
//! ```
//!
//! There is also the 65-bit variant (table ten), which has other first units and the extension unit `100ddddd`. A
//! [`Layout`] is the table of one such encoding; decoder and encoder are written once for all of them.
//!
//! A sequence is overlong if a shorter one can hold its value. So a length that holds no more bits than a shorter one,
//! as with units of four bits or less, is never used. An ill-formed subsequence is the longest prefix of a well-formed
//! sequence, as in UTF-8 (Unicode 3.9, D93b), or one unit.

use super::{CodeValue, Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// The sequences of one length.
#[derive(Clone, Copy, Debug)]
struct SequenceShape {
    first: u16,
    /// Data bits of the first unit.
    first_bits: u32,
    extensions: u32,
    /// Data bits of the whole sequence.
    bits: u32,
    /// The least value that no shorter sequence can hold.
    least: CodeValue,
}

/// The sequences of one encoding, shortest first. That of RFC 2279, with extension units 80 to BF of 6 bits:
///
/// ```text
/// first    first_bits    extensions    bits    least
/// 00       7             0              7      0
/// C0       5             1             11      80
/// E0       4             2             16      800
/// …
/// FC       1             5             31      4000000
/// ```
#[derive(Debug)]
struct Layout {
    /// Bits of a unit, at most 9.
    unit_bits: u32,
    /// The extension unit, with its data bits zero.
    extension: u16,
    /// Data bits of an extension unit.
    extension_bits: u32,
    forms: [SequenceShape; Self::MAX_FORMS],
    count: usize,
    /// Data bits of the largest sequence: the encoding holds all numbers of this many bits.
    bits: u32,
}

impl Layout {
    /// The 65-bit variant has the most forms.
    const MAX_FORMS: usize = 14;

    const fn new(unit_bits: u32, extension: u16, extension_bits: u32) -> Self {
        let none = SequenceShape { first: 0, first_bits: 0, extensions: 0, bits: 0, least: 0 };
        let forms = [none; Self::MAX_FORMS];
        Self { unit_bits, extension, extension_bits, forms, count: 0, bits: 0 }
    }

    /// Adds sequences of a length greater than those before.
    const fn with(mut self, first: u16, first_bits: u32, extensions: u32) -> Self {
        let bits = first_bits + extensions * self.extension_bits;
        let least = if self.count == 0 { 0 } else { 1 << self.bits };
        self.forms[self.count] = SequenceShape { first, first_bits, extensions, bits, least };
        self.count += 1;
        if bits > self.bits {
            self.bits = bits;
        }
        self
    }

    /// Tables one and nine: units of `n` bits, at most `longest` of them per sequence.
    const fn hunks(n: u32, longest: u32) -> Self {
        // With one-bit units, `10` is not a unit, so nothing can be mistaken for it.
        let extension_bits = n.saturating_sub(2);
        let mut layout = Self::new(n, 0b10 << extension_bits, extension_bits).with(0, n - 1, 0);
        let mut k = 2;
        while k <= longest {
            let ones = ((1 << k) - 1) << (n - k);
            layout = layout.with(ones, (n - k).saturating_sub(1), k - 1);
            k += 1;
        }
        layout
    }

    /// Table ten, left side.
    const fn of_65_bits() -> Self {
        Self::new(8, 0b1000_0000, 5)
            .with(0b0000_0000, 7, 0)
            .with(0b1010_0000, 5, 1)
            .with(0b1100_0000, 4, 2)
            .with(0b1101_0000, 4, 3)
            .with(0b1110_0000, 3, 4)
            .with(0b1110_1000, 3, 5)
            .with(0b1111_0000, 2, 6)
            .with(0b1111_0100, 2, 7)
            .with(0b1111_1000, 1, 8)
            .with(0b1111_1010, 1, 9)
            .with(0b1111_1100, 0, 10)
            .with(0b1111_1101, 0, 11)
            .with(0b1111_1110, 0, 12)
            .with(0b1111_1111, 0, 13)
    }

    fn forms(&self) -> &[SequenceShape] {
        &self.forms[..self.count]
    }

    const fn unit_len(&self) -> usize {
        self.unit_bits.div_ceil(8) as usize
    }

    /// Returns the unit at the start of `bytes`, big-endian; `None` if there are too few bytes.
    fn unit(&self, bytes: &[u8]) -> Option<u16> {
        match (self.unit_len(), bytes) {
            (1, [unit, ..]) => Some(u16::from(*unit)),
            (2, [high, low, ..]) => Some(u16::from_be_bytes([*high, *low])),
            _ => None,
        }
    }

    /// Returns the form of the sequences that begin with `unit`.
    fn form(&self, unit: u16) -> Option<&SequenceShape> {
        self.forms().iter().find(|form| unit >> form.first_bits == form.first >> form.first_bits)
    }

    /// Returns the data of `unit` if it is an extension unit.
    fn data(&self, unit: u16) -> Option<CodeValue> {
        (unit >> self.extension_bits == self.extension >> self.extension_bits)
            .then(|| CodeValue::from(unit ^ self.extension))
    }

    /// Reads the unit at the start of `bytes`, which should be an extension unit.
    fn next(&self, bytes: &[u8]) -> NextUnit {
        match (self.unit(bytes), bytes) {
            (Some(unit), _) => self.data(unit).map_or(NextUnit::Other, NextUnit::Data),
            (None, []) => NextUnit::Incomplete,
            // Half of a nine-bit unit. Its byte has only the highest bit of the unit. An extension unit begins with 10,
            // so a byte 00 already rules one out.
            (None, [high, ..]) if u16::from(*high) == self.extension >> 8 => NextUnit::Incomplete,
            (None, _) => NextUnit::Other,
        }
    }

    /// Whether it is a superset of UTF-8, for whose text there are kernels.
    const fn extends_utf8(&self) -> bool {
        self.unit_bits == 8 && self.extension_bits == 6
    }
}

/// The unit after a first unit.
enum NextUnit {
    Data(CodeValue),
    Other,
    /// Possibly an extension unit, of which the input has only the first half or nothing.
    Incomplete,
}

/// An extended UTF-8 encoding.
#[derive(Clone, Copy, Debug)]
pub struct Extended(&'static Layout);

impl Extended {
    /// RFC 2279: up to six bytes, 31 bits.
    pub const RFC_2279: Self = Self(&Layout::hunks(8, 6));
    /// Up to seven bytes, 36 bits.
    pub const SEVEN_BYTES: Self = Self(&Layout::hunks(8, 7));
    /// Up to eight bytes, 42 bits: tables two and three.
    pub const EIGHT_BYTES: Self = Self(&Layout::hunks(8, 8));
    /// Up to fourteen bytes, 65 bits: table ten.
    pub const OF_65_BITS: Self = Self(&Layout::of_65_bits());
    /// Units of one to nine bits: table nine. The first has one bit.
    pub const HUNKS: [Self; 9] = [
        Self(&Layout::hunks(1, 1)),
        Self(&Layout::hunks(2, 2)),
        Self(&Layout::hunks(3, 3)),
        Self(&Layout::hunks(4, 4)),
        Self(&Layout::hunks(5, 5)),
        Self(&Layout::hunks(6, 6)),
        Self(&Layout::hunks(7, 7)),
        Self(&Layout::hunks(8, 8)),
        Self(&Layout::hunks(9, 9)),
    ];

    /// Encodes in the first form, and so the shortest, that has enough bits. The first unit gets what is left of the
    /// value above the extension units, which fits into its data bits.
    fn encode(self, value: CodeValue) -> Option<Encoded> {
        let layout = self.0;
        let bits = CodeValue::BITS - value.leading_zeros();
        let form = layout.forms().iter().find(|form| form.bits >= bits)?;
        let (mut bytes, mut len) = ([0; Encoded::MAX_LEN], 0);
        for at in 0..=form.extensions {
            let rest = value >> ((form.extensions - at) * layout.extension_bits);
            let unit = match at {
                0 => form.first | rest as u16,
                _ => layout.extension | rest as u16 & ((1 << layout.extension_bits) - 1),
            };
            let unit = unit.to_be_bytes();
            let unit = &unit[unit.len() - layout.unit_len()..];
            bytes[len..len + unit.len()].copy_from_slice(unit);
            len += unit.len();
        }
        Some(Encoded::new(&bytes[..len]))
    }
}

impl StatelessCodec for Extended {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        if self.0.extends_utf8() {
            return decode(EncodingForm::Utf8, input, output);
        }
        let (mut read, mut written) = (0, 0);
        for slot in output {
            let Decoded::Character { cp, len } = self.decode_one(&input[read..]) else { break };
            *slot = cp;
            read += len;
            written += 1;
        }
        Progress { read, written }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        // Nine-bit units take two bytes, of which the first is 0 or 1. Any other has one of the seven unused bits set.
        let kind = match *rest {
            [high] if self.0.unit_len() == 2 && high > 1 => IllFormedKind::InvalidByte,
            _ => IllFormedKind::TruncatedAtEnd,
        };
        Decoded::IllFormed(IllFormed::new(rest.len(), kind))
    }

    #[inline]
    fn decode_one(&self, input: &[u8]) -> Decoded {
        let (layout, unit_len) = (self.0, self.0.unit_len());
        let ill_formed =
            |units: usize, kind| Decoded::IllFormed(IllFormed::new(units * unit_len, kind));
        let Some(unit) = layout.unit(input) else { return Decoded::Incomplete };
        let Some(form) = layout.form(unit) else {
            return ill_formed(
                1,
                match layout.data(unit) {
                    Some(_) => IllFormedKind::UnexpectedContinuation,
                    None => IllFormedKind::InvalidByte,
                },
            );
        };
        let mut value = CodeValue::from(unit ^ form.first);
        let mut bits_left = form.extensions * layout.extension_bits;
        // Whether the value stays below the least one even if all remaining bits are ones. Checking this after each
        // unit finds the maximal subpart: the sequence is ill-formed as soon as no continuation can save it.
        let overlong = |value: CodeValue, bits_left: u32| (value + 1) << bits_left <= form.least;
        if overlong(value, bits_left) {
            return ill_formed(1, IllFormedKind::Overlong);
        }
        let units = form.extensions as usize + 1;
        for at in 1..units {
            let data = match layout.next(input.get(at * unit_len..).unwrap_or_default()) {
                NextUnit::Data(data) => data,
                NextUnit::Other => return ill_formed(at, IllFormedKind::Truncated),
                NextUnit::Incomplete => return Decoded::Incomplete,
            };
            value = value << layout.extension_bits | data;
            bits_left -= layout.extension_bits;
            if overlong(value, bits_left) {
                return ill_formed(at, IllFormedKind::Overlong);
            }
        }
        let len = units * unit_len;
        match CodePoint::try_from(value) {
            Ok(cp) => Decoded::Character { cp, len },
            Err(_) => Decoded::Large { value, len },
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        if self.0.extends_utf8() {
            return encode(EncodingForm::Utf8, input, output);
        }
        let lone_bits = self.0.forms[0].bits;
        let (mut read, mut written) = (0, 0);
        for cp in input {
            let (lone, one);
            let bytes = if cp >> lone_bits == 0 {
                lone = (*cp as u16).to_be_bytes();
                &lone[lone.len() - self.0.unit_len()..]
            } else {
                let Some(encoded) = self.encode_one(*cp) else { break };
                one = encoded;
                one.as_slice()
            };
            let Some(slot) = output.get_mut(written..written + bytes.len()) else { break };
            slot.copy_from_slice(bytes);
            read += 1;
            written += bytes.len();
        }
        Progress { read, written }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.encode(cp.into())
    }

    fn encode_large(&self, value: CodeValue) -> Option<Encoded> {
        self.encode(value)
    }
}

#[cfg(test)]
mod tests;
