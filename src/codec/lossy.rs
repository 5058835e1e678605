//! What becomes of ill-formed subsequences where nobody asks for the place of each: a substitute, and a count.

use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// What stands for ill-formed subsequences, and how many there were of each kind.
#[derive(Clone, Debug, Default)]
pub struct Lossy {
    substitute: Option<CodePoint>,
    counts: [u64; IllFormedKind::ALL.len()],
}

impl Lossy {
    /// `substitute` stands for each, or nothing does.
    pub fn new(substitute: Option<CodePoint>) -> Self {
        Self { substitute, ..Self::default() }
    }

    /// Whether the substitute goes into an output that has room for `left` code points.
    #[inline]
    pub(super) fn has_room(&self, left: usize) -> bool {
        left > 0 || self.substitute.is_none()
    }

    /// Counts one, and writes the substitute to `output`, which has room for it; returns the code points written.
    #[inline]
    pub(super) fn pass(&mut self, ill_formed: IllFormed, output: &mut [CodePoint]) -> usize {
        self.counts[ill_formed.kind as usize] += 1;
        match self.substitute {
            Some(substitute) => {
                output[0] = substitute;
                1
            }
            None => 0,
        }
    }

    /// The counts that are not 0.
    pub fn counts(&self) -> impl Iterator<Item = (IllFormedKind, u64)> + '_ {
        IllFormedKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// Code points written for as many.
    pub fn written_for(&self, ill_formed: u64) -> u64 {
        if self.substitute.is_some() { ill_formed } else { 0 }
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
        let mut lossy = Lossy::new(Some(0xFFFD));
        let (a, b) = (IllFormedKind::Truncated, IllFormedKind::Surrogate);
        let mut output = [0; 2];
        for kind in [a, a, b, a, b, b, b] {
            assert_eq!(lossy.pass(IllFormed::new(1, kind), &mut output), 1);
        }
        assert_eq!(output, [0xFFFD, 0]);
        assert_eq!(lossy.counts().collect::<Vec<_>>(), [(a, 3), (b, 4)]);
        assert_eq!(lossy.written_for(7), 7);
        let mut lossy = Lossy::new(None);
        assert_eq!(lossy.pass(IllFormed::new(1, a), &mut []), 0);
        assert_eq!((lossy.written_for(1), lossy.counts().count()), (0, 1));
    }
}
