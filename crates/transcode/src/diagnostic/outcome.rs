//! Outcomes: what was done about faults that did not stop the conversion.
//!
//! They are counted as they happen, not inferred from the options: a fallback encoding may lack a byte, and the target
//! a replacement, so the remedy that was asked for is not always the one that was applied.

/// The outcome of one fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Outcome {
    /// Its bytes were read in the fallback encoding.
    ReadByFallback,
    /// The replacement character was written.
    Replaced,
    /// Its bytes or its code point were written as an escape.
    Escaped,
    /// A character reference was written.
    Reference,
    /// The closest text that the target can encode was written.
    Transliterated,
    /// Nothing was written.
    Dropped,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::ReadByFallback,
        Self::Replaced,
        Self::Escaped,
        Self::Reference,
        Self::Transliterated,
        Self::Dropped,
    ];
}

/// The number of faults per outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes([u64; Outcome::ALL.len()]);

impl Outcomes {
    pub(crate) fn count(&mut self, outcome: Outcome, count: u64) {
        self.0[outcome as usize] += count;
    }

    /// Returns the number of faults with this outcome.
    #[must_use]
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.0[outcome as usize]
    }

    /// Iterates over the outcomes that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> {
        let counts = Outcome::ALL.into_iter().map(|outcome| (outcome, self.of(outcome)));
        counts.filter(|(_, count)| *count > 0)
    }

    /// Returns the number of faults for which something was written.
    #[must_use]
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
