//! Classifies bytes that are ill-formed in UTF-8 by the wider rule of RFC 2279: the number of leading ones in the first
//! byte is the length of the sequence.
//!
//! ```text
//! ED A0 BD ED B8 80    1110….    U+D83D, U+DE00    a surrogate pair, as in CESU-8
//! C0 AE                110…..    U+002E            overlong
//! F8 88 80 80 80       11111000  200000            too large for Unicode
//! ```
//!
//! All of the program uses this rule for surrogates and overlong forms: detection counts them (`utf8_census`), hints
//! name them, and `--fallback auto` leaves them out of its parts.

use crate::unicode::{
    CodePoint, MAX_CODE_POINT, is_high_surrogate, is_low_surrogate, is_surrogate, join_surrogates,
};

/// The most bytes that [`WideSequence::at`] looks at: two surrogates, each in its longest form.
pub const LONGEST_FORM: usize = 12;

/// The shape of the bytes at an ill-formed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WideSequence {
    /// A surrogate pair, each half in three bytes, with its character.
    Pair(CodePoint),
    /// A surrogate without its other half.
    Surrogate(CodePoint),
    /// C0 80, which Java writes for U+0000.
    JavaNul,
    /// More bytes than the value needs.
    Overlong {
        /// The value.
        value: u32,
        /// Length in bytes.
        len: usize,
    },
    /// The right number of bytes for a value above U+10FFFF.
    Long {
        /// The value.
        value: u32,
        /// Length in bytes.
        len: usize,
    },
    /// The start of a well-formed sequence.
    Cut {
        /// Bytes present.
        has: usize,
        /// Bytes that the first one announces.
        of: usize,
        /// Whether the text ends there.
        at_end: bool,
    },
    /// A single byte.
    Byte,
}

impl WideSequence {
    /// Classifies the start of `bytes`, which are not empty, and are at least [`LONGEST_FORM`] or end with the text.
    pub fn at(bytes: &[u8]) -> Self {
        let Some((value, of)) = sequence(bytes) else { return cut_or_byte(bytes) };
        match value {
            0 if of == 2 => Self::JavaNul,
            _ if of > bytes_needed(value) => Self::Overlong { value, len: of },
            _ if is_surrogate(value) => match sequence(&bytes[of..]) {
                Some((low, 3)) if is_high_surrogate(value) && is_low_surrogate(low) => {
                    // Both fit into 16 bits, as three bytes hold no more.
                    Self::Pair(join_surrogates(value as u16, low as u16))
                }
                _ => Self::Surrogate(value),
            },
            _ if value > MAX_CODE_POINT => Self::Long { value, len: of },
            _ => Self::Byte,
        }
    }

    /// Whether it is a complete sequence of more than one byte.
    pub const fn is_whole(self) -> bool {
        !matches!(self, Self::Cut { .. } | Self::Byte)
    }

    /// Returns its length in bytes.
    #[expect(clippy::len_without_is_empty, reason = "it has a byte at least")]
    pub const fn len(self) -> usize {
        match self {
            Self::Pair(_) => 6,
            Self::Surrogate(_) => 3,
            Self::JavaNul => 2,
            Self::Overlong { len, .. } | Self::Long { len, .. } => len,
            Self::Cut { has, .. } => has,
            Self::Byte => 1,
        }
    }
}

/// Decodes the whole sequence of two to six bytes at the start of `bytes`; returns its value and length.
fn sequence(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = *bytes.first()?;
    let len = length(first)?;
    let rest = bytes.get(1..len)?;
    if !rest.iter().all(|byte| continues(*byte)) {
        return None;
    }
    let head = u32::from(first) & (0x7F >> len);
    Some((rest.iter().fold(head, |value, byte| value << 6 | u32::from(byte & 0x3F)), len))
}

fn cut_or_byte(bytes: &[u8]) -> WideSequence {
    let first = bytes[0];
    let Some(of) = length(first).filter(|_| (0xC2..=0xF4).contains(&first)) else {
        return WideSequence::Byte;
    };
    let has = 1 + bytes[1..].iter().take_while(|byte| continues(**byte)).count();
    let at_end = has == bytes.len();
    if has > 1 || at_end { WideSequence::Cut { has, of, at_end } } else { WideSequence::Byte }
}

fn length(first: u8) -> Option<usize> {
    (0xC0..=0xFD).contains(&first).then_some(first.leading_ones() as usize)
}

const fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the length of the shortest sequence for a value of at most 31 bits.
const fn bytes_needed(value: u32) -> usize {
    match value {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_is_told_from_the_others() {
        for (bytes, expected) in [
            (&b"\xED\xA0\xBD\xED\xB8\x80x"[..], WideSequence::Pair(0x1_F600)),
            (b"\xED\xA0\x80\xED\xB0\x80", WideSequence::Pair(0x1_0000)),
            (b"\xED\xA0\xBDx", WideSequence::Surrogate(0xD83D)),
            (b"\xED\xB8\x80\xED\xA0\xBD", WideSequence::Surrogate(0xDE00)),
            (b"\xED\xA0\xBD\xED\x9F\xBF", WideSequence::Surrogate(0xD83D)),
            (b"\xC0\x80", WideSequence::JavaNul),
            (b"\xC0\xAF", WideSequence::Overlong { value: 0x2F, len: 2 }),
            (b"\xE0\x80\xAF", WideSequence::Overlong { value: 0x2F, len: 3 }),
            (b"\xE0\x80\x80", WideSequence::Overlong { value: 0, len: 3 }),
            (b"\xF0\x8F\xBF\xBF", WideSequence::Overlong { value: 0xFFFF, len: 4 }),
            (b"\xFC\x80\x80\x80\x80\xAF", WideSequence::Overlong { value: 0x2F, len: 6 }),
            (b"\xF4\x90\x80\x80", WideSequence::Long { value: 0x11_0000, len: 4 }),
            (b"\xF8\x88\x80\x80\x80", WideSequence::Long { value: 0x20_0000, len: 5 }),
            (b"\xFD\xBF\xBF\xBF\xBF\xBF", WideSequence::Long { value: 0x7FFF_FFFF, len: 6 }),
            (b"\xE2\x82 ", WideSequence::Cut { has: 2, of: 3, at_end: false }),
            (b"\xF0\x9F\x98", WideSequence::Cut { has: 3, of: 4, at_end: true }),
            (b"\xE9", WideSequence::Cut { has: 1, of: 3, at_end: true }),
            (b"\xE9 ", WideSequence::Byte),
            (b"\x93", WideSequence::Byte),
            (b"\xFF\xBF", WideSequence::Byte),
            (b"\xC0", WideSequence::Byte),
        ] {
            assert_eq!(WideSequence::at(bytes), expected, "{bytes:X?}");
        }
    }
}
