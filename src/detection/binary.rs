//! Recognizes data that is no text: by NUL and other controls.

use super::answer::{Detection, Evidence};
use super::sample::{HEAD, Sample};
use crate::encoding::Encoding;

/// Of so many bytes, one may be such a control: some old charsets have letters there, and EBCDIC its line ends.
const ONE_IN: usize = 32;
/// The same for ASCII, which is read in the same way whatever it is: lists of names may have NUL between them.
const ONE_IN_ASCII: usize = 8;

/// Bytes that are added to those of a short text, in which a few controls are chance.
const FEW: usize = 64;

/// Returns the answer for data that is no text.
pub(super) fn judge(sample: &Sample<'_>) -> Option<Detection> {
    let start = &sample.bytes[..sample.bytes.len().min(HEAD)];
    let one_in = if start.is_ascii() { ONE_IN_ASCII } else { ONE_IN };
    let controls = start.iter().filter(|byte| is_control(**byte)).count();
    let is_binary = controls * one_in > start.len() + FEW;
    is_binary.then(|| Detection::new(Encoding::US_ASCII, 0, Evidence::Binary))
}

/// Whether a byte is a control that text never has, in ASCII or in EBCDIC, which has 05 as a tab, 15 and 25 as line ends,
/// and 0E and 0F as shifts.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=4 | 6..=8 | 0x0B | 0x10..=0x14 | 0x16..=0x19 | 0x1C..=0x1F)
}
