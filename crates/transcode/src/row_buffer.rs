//! What is known of the rows of adjacent ill-formed subsequences in one input.

use oxiconv_encodings::unicode::{IllFormed, IllFormedKind};

/// The rows of one input.
#[derive(Default)]
pub(super) struct RowBuffer {
    /// The present one, and whether each of its subsequences is ill-formed because of the byte after it.
    pub(super) subsequences: Vec<IllFormed>,
    pub(super) by_next: Vec<bool>,
    /// The offset before which none is taken.
    pub(super) none_before: u64,
    counts: [u64; IllFormedKind::ALL.len()],
}

impl RowBuffer {
    /// Counts the present row as taken.
    pub(super) fn count(&mut self) {
        for one in &self.subsequences {
            self.counts[one.kind as usize] += 1;
        }
    }

    /// Returns how many of each kind were taken in rows.
    pub(super) fn counts(&self) -> impl Iterator<Item = (IllFormedKind, u64)> {
        IllFormedKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }
}
