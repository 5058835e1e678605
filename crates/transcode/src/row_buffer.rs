//! The rows of adjacent ill-formed subsequences in one input: the current one, and the counts of all.

use oxiconv_encodings::unicode::{IllFormed, IllFormedKind};

/// See `ill_formed_rows.rs`.
#[derive(Default)]
pub(super) struct RowBuffer {
    /// The current row, and for each of its subsequences whether the byte after it makes it ill-formed.
    pub(super) subsequences: Vec<IllFormed>,
    pub(super) by_next: Vec<bool>,
    /// The offset before which the reporter is not asked for a row again.
    pub(super) none_before: u64,
    counts: [u64; IllFormedKind::ALL.len()],
}

impl RowBuffer {
    /// Counts the current row as taken.
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
