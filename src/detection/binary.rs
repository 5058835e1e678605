//! Recognizes data that is no text: by NUL and other controls, among bytes that are no UTF-8.

use super::answer::{Detection, Evidence};
use super::sample::Sample;
use crate::encoding::Encoding;

/// Of so many bytes, one may be such a control: some old charsets have letters there, and EBCDIC its line ends.
const ONE_IN: usize = 32;

/// Returns the answer for data that is no text.
pub(super) fn judge(sample: &Sample<'_>) -> Option<Detection> {
    is_binary(sample.head).then(|| Detection::new(Encoding::US_ASCII, 0, Evidence::Binary))
}

fn is_binary(start: &[u8]) -> bool {
    let controls = start.iter().filter(|byte| is_control(**byte)).count();
    controls > 1 && controls * ONE_IN > start.len()
}

/// Whether a byte is a control that text never has, in ASCII or in EBCDIC, which has 05 as a tab, 15 and 25 as line ends,
/// and 0E and 0F as shifts.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=4 | 6..=8 | 0x0B | 0x10..=0x14 | 0x16..=0x19 | 0x1C..=0x1F | 0x7F)
}
