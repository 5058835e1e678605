//! Recognizes UTF-32 and UTF-16 without a mark.

use super::answer::{Detection, Evidence};
use super::sample::Sample;
use crate::encoding::Encoding;

/// Returns the answer for a text in wide units.
pub(super) fn judge(sample: &Sample<'_>) -> Option<Detection> {
    // The sample begins with the first signal, which may be the second byte of a unit.
    let bytes = if sample.offset < 4 && sample.head.len() >= sample.bytes.len() {
        sample.head
    } else {
        sample.bytes
    };
    Some(Detection::new(by_zeros(bytes)?, 95, Evidence::Units))
}

fn by_zeros(sample: &[u8]) -> Option<&'static Encoding> {
    /// Whether at least nine in ten units are zero in exactly the places that `zero` says.
    fn mostly<const N: usize>(sample: &[u8], zero: [bool; N]) -> bool {
        let units = sample.as_chunks::<N>().0;
        let fit = units.iter().filter(|unit| unit.map(|byte| byte == 0) == zero).count();
        !units.is_empty() && fit * 10 >= units.len() * 9
    }
    if mostly(sample, [true, true, true, false]) {
        Some(Encoding::UTF_32BE)
    } else if mostly(sample, [false, true, true, true]) {
        Some(Encoding::UTF_32LE)
    } else if mostly(sample, [true, false]) {
        Some(Encoding::UTF_16BE)
    } else if mostly(sample, [false, true]) {
        Some(Encoding::UTF_16LE)
    } else {
        None
    }
}
