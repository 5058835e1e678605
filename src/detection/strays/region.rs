//! A region with stray bytes.

use std::ops::Range;

/// A region of a text, and the characters before and after it.
pub(super) struct Region<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) before: char,
    pub(super) after: char,
    /// Its characters that were cut off.
    pub(super) cuts: Vec<Range<usize>>,
}

impl Region<'_> {
    /// Returns the number of bytes of characters that were cut off.
    pub(super) fn cut(&self) -> usize {
        self.cuts.iter().map(Range::len).sum()
    }

    /// Whether it is more than a byte alone: several, or one next to a letter.
    pub(super) fn is_of_word(&self) -> bool {
        self.bytes.len() > 1 || self.before.is_alphabetic() || self.after.is_alphabetic()
    }

    /// Returns the number of other bytes that are ill-formed.
    pub(super) fn strays(&self) -> usize {
        let ill_formed = self.bytes.utf8_chunks().map(|chunk| chunk.invalid().len());
        ill_formed.sum::<usize>().saturating_sub(self.cut())
    }
}
