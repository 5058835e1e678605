//! The rule of the maximal subpart (D93b) for encodings whose bytes are the digits of a number: UTF-1 and UTF-EBCDIC.
//!
//! After each byte, the values that are still possible are an interval. The sequence is ill-formed as soon as the
//! interval has no scalar value, and the subsequence ends before that byte, but has at least the lead byte. For
//! example, in UTF-EBCDIC (as I8 bytes, five bits per byte after the lead byte):
//!
//! ```text
//! F1         [8000, FFFF]      has scalar values
//! F1 B6      [D800, DBFF]      only surrogates: F1 is ill-formed
//! ```

use super::Decoded;
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, MAX_CODE_POINT};

/// What the lead byte of a sequence determines.
pub(super) struct Lead {
    /// Bytes of the sequence, including the first; at least two.
    pub(super) len: usize,
    /// The value of the first byte, in units of `radix` to the power of the number of bytes that follow.
    pub(super) digit: u32,
    /// The radix of the digits that follow.
    pub(super) radix: u64,
    /// The number to add to the result.
    pub(super) base: u64,
    /// The least value with this length; lower ones have a shorter sequence.
    pub(super) least: u64,
}

/// Decodes or classifies the sequence at the start of `input` that begins with `lead`; `digit` returns the digit of a
/// trail byte, if it is one.
pub(super) fn decode_digits(
    lead: &Lead,
    input: &[u8],
    digit: impl Fn(u8) -> Option<u32>,
) -> Decoded {
    let mut number = u64::from(lead.digit);
    for at in 0..lead.len {
        if at > 0 {
            let Some(byte) = input.get(at) else { return Decoded::Incomplete };
            let Some(digit) = digit(*byte) else {
                return Decoded::IllFormed(IllFormed::new(at, IllFormedKind::Truncated));
            };
            number = number * lead.radix + u64::from(digit);
        }
        let span = lead.radix.pow((lead.len - 1 - at) as u32);
        let low = lead.base + number * span;
        if let Some(kind) = none_between(low, low + span - 1, lead.least) {
            return Decoded::IllFormed(IllFormed::new(at.max(1), kind));
        }
    }
    Decoded::Character { cp: (lead.base + number) as CodePoint, len: lead.len }
}

/// Returns why no value from `low` to `high` is a scalar value of a sequence whose least value is `least`; `None` if
/// one is.
fn none_between(low: u64, high: u64, least: u64) -> Option<IllFormedKind> {
    match (low, high) {
        (_, high) if high < least => Some(IllFormedKind::Overlong),
        (low, _) if low > u64::from(MAX_CODE_POINT) => Some(IllFormedKind::OutOfRange),
        (0xD800..=0xDFFF, 0xD800..=0xDFFF) => Some(IllFormedKind::Surrogate),
        _ => None,
    }
}
