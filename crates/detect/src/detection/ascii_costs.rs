//! What pairs of ASCII characters cost in each language. They are the same in every charset, and every charset asks for
//! the same languages, so each cost is computed once.

use std::cell::{Cell, OnceCell};

use super::trial_reading::PairCounts;
use crate::language::{CountedPair, Model, models};

/// ASCII words count as this many pairs at most: a long page in English around one foreign word must not outweigh it.
const MAX_ASCII_PAIRS: u64 = 40;

/// The costs of some pairs by the number of the language, in sixteenths of a bit.
#[derive(Default)]
pub(super) struct AsciiCosts {
    pairs: Vec<CountedPair>,
    all: u64,
    /// The cost is scaled down to this many pairs.
    most: u64,
    known: OnceCell<Vec<Cell<Option<u64>>>>,
}

impl AsciiCosts {
    /// Counts the pairs of words, whose cost is scaled down to [`MAX_ASCII_PAIRS`].
    pub(super) fn of_words(words: &[u8]) -> Self {
        Self::of(PairCounts::of_bytes(words, true).ascii, MAX_ASCII_PAIRS)
    }

    /// Takes counted pairs, whose cost is scaled down to `most`.
    pub(super) fn of(pairs: Vec<CountedPair>, most: u64) -> Self {
        let all = pairs.iter().map(|pair| u64::from(pair.times)).sum();
        Self { pairs, all, most, known: OnceCell::new() }
    }

    /// Returns the cost in the language in which it is least.
    pub(super) fn least(&self) -> u64 {
        models().iter().map(|model| self.cost(model)).min().unwrap_or_default()
    }

    /// Returns the cost in a language.
    pub(super) fn cost(&self, model: &Model) -> u64 {
        if self.pairs.is_empty() {
            return 0;
        }
        let known = self.known.get_or_init(|| vec![Cell::default(); models().len()]);
        let known = &known[model.language().number()];
        known.get().unwrap_or_else(|| {
            let cost = model.cost_of_pairs(&self.pairs, model.ascii());
            let cost = cost * self.all.min(self.most) / self.all;
            known.set(Some(cost));
            cost
        })
    }
}
