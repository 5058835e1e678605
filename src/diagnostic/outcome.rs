//! What became of the faults that a conversion went past: counted where it is done, not by what was asked for.

use std::collections::BTreeMap;

/// What became of one fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Outcome {
    /// Its bytes were read by the fallback encoding.
    ReadByFallback,
    /// The replacement stands for it.
    Replaced,
    /// Its bytes or its code point were written out.
    Escaped,
    /// A character reference stands for it.
    Reference,
    /// The nearest text of the target stands for it.
    Transliterated,
    /// Nothing stands for it.
    Dropped,
}

/// How often each outcome was that of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes(BTreeMap<Outcome, u64>);

impl Outcomes {
    /// Counts as many faults.
    pub(crate) fn count(&mut self, outcome: Outcome, count: u64) {
        if count > 0 {
            *self.0.entry(outcome).or_default() += count;
        }
    }

    /// How many faults had this outcome.
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.0.get(&outcome).copied().unwrap_or(0)
    }

    /// The outcomes that there were, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> {
        self.0.iter().map(|(outcome, count)| (*outcome, *count))
    }

    /// Faults in whose place something was written.
    pub fn substituted(&self) -> u64 {
        self.iter()
            .filter(|(outcome, _)| *outcome != Outcome::Dropped)
            .map(|(_, count)| count)
            .sum()
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        for (outcome, count) in other.iter() {
            self.count(outcome, count);
        }
    }
}
