//! What becomes of ill-formed subsequences where nobody asks for the place of each: a substitute, and a count.

use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// What stands for ill-formed subsequences, and how many there were of each kind.
#[derive(Clone, Debug, Default)]
pub struct Lossy {
    substitute: Option<CodePoint>,
    /// Few kinds, the last one met in front: a text has mostly one.
    counts: Vec<(IllFormedKind, u64)>,
}

impl Lossy {
    /// `substitute` stands for each, or nothing does.
    pub fn new(substitute: Option<CodePoint>) -> Self {
        Self { substitute, counts: Vec::new() }
    }

    /// Whether the substitute goes into an output that has room for `left` code points.
    #[inline]
    pub(super) fn has_room(&self, left: usize) -> bool {
        left > 0 || self.substitute.is_none()
    }

    /// Counts one, and writes the substitute to `output`, which has room for it; returns the code points written.
    #[inline]
    pub(super) fn pass(&mut self, ill_formed: IllFormed, output: &mut [CodePoint]) -> usize {
        match self.counts.first_mut() {
            Some((kind, count)) if *kind == ill_formed.kind => *count += 1,
            _ => self.count_other(ill_formed.kind),
        }
        match self.substitute {
            Some(substitute) => {
                output[0] = substitute;
                1
            }
            None => 0,
        }
    }

    #[cold]
    fn count_other(&mut self, kind: IllFormedKind) {
        let known = self.counts.iter().position(|(one, _)| *one == kind);
        let place = known.unwrap_or_else(|| {
            self.counts.push((kind, 0));
            self.counts.len() - 1
        });
        self.counts[place].1 += 1;
        self.counts.swap(0, place);
    }

    /// The counts so far, which start anew.
    pub fn take(&mut self) -> impl Iterator<Item = (IllFormedKind, u64)> + '_ {
        self.counts.drain(..)
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
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
    fn kinds_are_counted_in_whatever_order_they_come() {
        let mut lossy = Lossy::new(Some(0xFFFD));
        let (a, b) = (IllFormedKind::Truncated, IllFormedKind::Surrogate);
        let mut output = [0; 2];
        for kind in [a, a, b, a, b, b, b] {
            assert_eq!(lossy.pass(IllFormed::new(1, kind), &mut output), 1);
        }
        assert_eq!(output, [0xFFFD, 0]);
        let mut counts: Vec<_> = lossy.take().collect();
        counts.sort();
        let mut expected = vec![(a, 3), (b, 4)];
        expected.sort();
        assert_eq!(counts, expected);
        assert!(lossy.is_empty());
        assert_eq!(Lossy::new(None).pass(IllFormed::new(1, a), &mut []), 0);
    }
}
