//! Replaces ill-formed subsequences in bulk, and counts them, when their positions are not needed.
//!
//! A decoder converts a whole buffer this way (`Decoder::convert_lossy`) if no fault can stop the conversion and the
//! reporter no longer wants positions (`Reporter::wants_places`). Text in the wrong encoding has a fault in every word,
//! and would leave the fast path at each otherwise.

use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{EncodingForm, Measured, encode};

/// The substitute for ill-formed subsequences, and how many there were of each kind.
#[derive(Clone, Debug, Default)]
pub struct Lossy {
    bytes: [u8; 4],
    len: usize,
    counts: [u64; IllFormedKind::ALL.len()],
    measured: Measured,
}

impl Lossy {
    /// Creates it with a `substitute`, or without one. `form` is the form of the output, if there is one, and can
    /// represent the substitute.
    pub fn new(substitute: Option<CodePoint>, form: Option<EncodingForm>) -> Self {
        let mut bytes = [0; 4];
        let len = match (substitute, form) {
            (Some(substitute), Some(form)) => encode(form, &[substitute], &mut bytes).written,
            _ => 0,
        };
        Self { bytes, len, ..Self::default() }
    }

    /// Counts an ill-formed subsequence, and writes the substitute. Returns the number of bytes written; `None`,
    /// changing nothing, if they do not fit.
    #[inline]
    pub(super) fn put(&mut self, ill_formed: IllFormed, output: &mut [u8]) -> Option<usize> {
        // A copy of constant length is faster than one of `len` bytes. The excess is overwritten later.
        match output.first_chunk_mut() {
            _ if self.len == 0 => {}
            Some(slot) => *slot = self.bytes,
            None => output.get_mut(..self.len)?.copy_from_slice(&self.bytes[..self.len]),
        }
        self.counts[ill_formed.kind as usize] += 1;
        Some(self.len)
    }

    #[inline]
    pub(super) fn measured(&mut self, measured: Measured) {
        self.measured = self.measured.and(measured);
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.measured(other.measured);
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// Returns the counts of the well-formed text in between.
    pub fn well_formed(&self) -> Measured {
        self.measured
    }

    /// Iterates over the counts that are not 0.
    pub fn counts(&self) -> impl Iterator<Item = (IllFormedKind, u64)> + '_ {
        IllFormedKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_at_its_index() {
        for (index, kind) in IllFormedKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index, "{}", kind.id());
        }
    }

    #[test]
    fn kinds_are_counted_in_whatever_order_they_come() {
        let (a, b) = (IllFormedKind::Truncated, IllFormedKind::Surrogate);
        let mut lossy = Lossy::new(Some(0xFFFD), Some(EncodingForm::Utf8));
        for (kind, room) in [(a, 3), (a, 4), (b, 5), (a, 3), (b, 100)] {
            let mut output = vec![0; room];
            assert_eq!(lossy.put(IllFormed::new(1, kind), &mut output), Some(3));
            assert_eq!(&output[..3], "\u{FFFD}".as_bytes());
        }
        assert_eq!(lossy.put(IllFormed::new(1, a), &mut [0; 2]), None);
        assert_eq!(lossy.counts().collect::<Vec<_>>(), [(a, 3), (b, 2)]);
        let mut lossy = Lossy::new(None, Some(EncodingForm::Utf8));
        assert_eq!(lossy.put(IllFormed::new(1, a), &mut []), Some(0));
        assert_eq!(lossy.counts().collect::<Vec<_>>(), [(a, 1)]);
    }
}
