//! What one text held, in numbers.

use std::collections::BTreeMap;

use super::kind::Kind;
use super::outcome::{Outcome, Outcomes};

/// The count of what one text held, and of what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Characters decoded.
    pub characters: u64,
    /// Line ends (U+000A) decoded.
    pub lines: u64,
    /// Faults, by kind.
    pub found: BTreeMap<Kind, u64>,
    /// What became of the ill-formed subsequences that the conversion went past.
    pub of_ill_formed: Outcomes,
    /// What became of the unmappable characters that the conversion went past.
    pub of_unmappable: Outcomes,
    /// Whether the conversion stopped at a fault.
    pub stopped: bool,
}

impl Summary {
    /// Counts one finding, unless it is only a note.
    pub(crate) fn count(&mut self, kind: Kind) {
        self.count_many(kind, 1);
    }

    /// Counts as many findings, unless they are only notes.
    pub(crate) fn count_many(&mut self, kind: Kind, count: u64) {
        if kind.is_fault() {
            *self.found.entry(kind).or_default() += count;
        }
    }

    /// Counts what became of as many faults of a kind.
    pub(crate) fn count_outcome(&mut self, kind: Kind, outcome: Outcome, count: u64) {
        let outcomes = match kind {
            Kind::Unmappable => &mut self.of_unmappable,
            _ => &mut self.of_ill_formed,
        };
        outcomes.count(outcome, count);
    }

    /// Faults in whose place something was written: U+FFFD, an escape, a transliteration, a fallback character.
    pub fn substituted(&self) -> u64 {
        self.of_ill_formed.substituted() + self.of_unmappable.substituted()
    }

    /// Faults that were left out.
    pub fn dropped(&self) -> u64 {
        self.of_ill_formed.of(Outcome::Dropped) + self.of_unmappable.of(Outcome::Dropped)
    }

    /// All faults.
    pub fn total(&self) -> u64 {
        self.found.values().sum()
    }

    /// The unmappable characters among the faults.
    pub fn unmappable(&self) -> u64 {
        self.found.get(&Kind::Unmappable).copied().unwrap_or(0)
    }

    /// The ill-formed subsequences among the faults.
    pub fn ill_formed(&self) -> u64 {
        self.found
            .iter()
            .filter(|(kind, _)| matches!(kind, Kind::IllFormed(_)))
            .map(|(_, count)| count)
            .sum()
    }

    /// What is denied by a policy among the faults.
    pub fn denied(&self) -> u64 {
        let denied = self.found.iter().filter(|(kind, _)| matches!(kind, Kind::Denied(_)));
        denied.map(|(_, count)| count).sum()
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.characters += other.characters;
        self.lines += other.lines;
        self.of_ill_formed.add(&other.of_ill_formed);
        self.of_unmappable.add(&other.of_unmappable);
        self.stopped |= other.stopped;
        for (kind, count) in &other.found {
            *self.found.entry(*kind).or_default() += count;
        }
    }
}
