//! Sets of names that only have to be recognized. Instead of the names of millions of files, a keyed digest of 16 bytes
//! is kept of each.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, RandomState};

/// Makes 128-bit digests. Their keys differ in every run, so nobody can choose names that collide. By chance, two of
/// ten million names collide in one of 10^24 runs.
#[derive(Debug, Default)]
pub(crate) struct Digester {
    low: RandomState,
    high: RandomState,
}

impl Digester {
    pub(crate) fn digest(&self, value: &(impl Hash + ?Sized)) -> u128 {
        u128::from(self.high.hash_one(value)) << 64 | u128::from(self.low.hash_one(value))
    }
}

/// Collects digests in the order in which they come. They are sorted once, at the end, into a multiset without
/// overhead.
#[derive(Debug, Default)]
pub(crate) struct DigestCollector(Vec<u128>);

impl DigestCollector {
    pub(crate) fn push(&mut self, digest: u128) {
        self.0.push(digest);
    }

    pub(crate) fn into_sorted(mut self) -> Digests {
        self.0.sort_unstable();
        self.0.shrink_to_fit();
        Digests(self.0)
    }
}

/// A multiset of digests, sorted.
#[derive(Debug, Default)]
pub(crate) struct Digests(Vec<u128>);

impl Digests {
    pub(crate) fn contains(&self, digest: u128) -> bool {
        self.0.binary_search(&digest).is_ok()
    }

    /// Returns the number of digests that are less than this one, which is different for each that was collected.
    pub(crate) fn place(&self, digest: u128) -> usize {
        self.0.partition_point(|other| *other < digest)
    }

    /// Returns how many digests were collected, equal ones included.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns those that were collected more than once.
    pub(crate) fn repeated(&self) -> HashSet<u128> {
        self.0.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_collected_is_recognized_and_what_came_twice_is_known() {
        let digester = Digester::default();
        let mut collected = DigestCollector::default();
        for name in ["c", "a", "b", "a", "c", "a"] {
            collected.push(digester.digest(name));
        }
        let set = collected.into_sorted();
        let has = ["a", "b", "c", "d"].map(|name| set.contains(digester.digest(name)));
        assert_eq!((has, set.len()), ([true, true, true, false], 6));
        // Before each are those of the two others that are less: a comes three times, b once and c twice.
        let [a, b, c] = ["a", "b", "c"].map(|name| digester.digest(name));
        let less = |one: u128, other: u128, count: usize| if other < one { count } else { 0 };
        assert_eq!(set.place(a), less(a, b, 1) + less(a, c, 2));
        assert_eq!(set.place(b), less(b, a, 3) + less(b, c, 2));
        assert_eq!(set.place(c), less(c, a, 3) + less(c, b, 1));
        let repeated = ["a", "b", "c"].map(|name| set.repeated().contains(&digester.digest(name)));
        assert_eq!(repeated, [true, false, true]);
    }
}
