//! Judges the charsets of the registry by the letters that a text has in each of them.

use super::answer::{Detection, Evidence};
use super::frequency;
use super::sample::Sample;
use crate::encoding::Encoding;
use crate::language::Language;

/// Returns the most likely charset.
pub(super) fn judge(sample: &Sample<'_>, _language: Option<Language>) -> Detection {
    let guess = frequency::guess(sample.bytes, sample.whole);
    let encoding = frequency::of_the_web(guess).unwrap_or(Encoding::WINDOWS_1252);
    Detection::new(encoding, 70, Evidence::Letters)
}
