//! Recognizes encodings of seven bits by their escape sequences and shifts.

use super::answer::{Detection, Evidence};
use super::frequency;
use super::sample::Sample;
use crate::encoding::Encoding;

/// Returns the answer for a text with escape sequences.
pub(super) fn judge(sample: &Sample<'_>) -> Option<Detection> {
    (sample.bytes.is_ascii() && sample.bytes.contains(&0x1B)).then_some(())?;
    let guess = frequency::guess(sample.bytes, sample.whole);
    (guess == encoding_rs::ISO_2022_JP)
        .then(|| Detection::new(Encoding::ISO_2022_JP, 99, Evidence::Escapes))
}
