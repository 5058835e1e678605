//! The distinct pairs of characters of a text, each with its count. What a text costs in a language is the sum of what
//! they cost there, so the time to weigh it depends on how many distinct pairs it has, and not on its length.

use super::fold::FoldedCharacter;
use super::pair_model::{Model, Symbol};
use oxiconv_encodings::take_least;
use oxiconv_encodings::unicode::CodePoint;

/// Two adjacent characters, by their indices in a list, and their count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedPair {
    pub(crate) before: u16,
    pub(crate) after: u16,
    pub(crate) times: u32,
}

impl Model {
    /// Returns what pairs cost, in sixteenths of a bit. `symbols` are those of the characters, by index.
    pub fn cost_of_pairs(&self, pairs: &[CountedPair], symbols: &[Symbol]) -> u64 {
        let symbol = |at: u16| symbols[usize::from(at)];
        let cost = |pair: &CountedPair| self.cost(symbol(pair.before), symbol(pair.after));
        pairs.iter().map(|pair| u64::from(cost(pair)) * u64::from(pair.times)).sum()
    }
}

/// The distinct characters of a text, and its pairs.
pub struct TextPairs {
    characters: Vec<FoldedCharacter>,
    list: Vec<CountedPair>,
}

impl TextPairs {
    /// Creates it from counted pairs in any order, of at most 65,536 distinct characters. A sample of 128 KiB has no
    /// more: in charsets with more than 256 characters, each one beyond ASCII takes two bytes.
    pub fn of(mut counted: Vec<((CodePoint, CodePoint), u32)>) -> Self {
        // The counts come from a hash table. Sorted, they give the same floating-point sums in every run.
        counted.sort_unstable();
        let mut characters: Vec<_> =
            counted.iter().flat_map(|((before, after), _)| [*before, *after]).collect();
        characters.sort_unstable();
        characters.dedup();
        debug_assert!(characters.len() <= 1 << 16, "places are numbers of 16 bits");
        let place = |cp: CodePoint| characters.binary_search(&cp).unwrap_or_default() as u16;
        let list = counted.iter().map(|((before, after), times)| CountedPair {
            before: place(*before),
            after: place(*after),
            times: *times,
        });
        let list = list.collect();
        Self { characters: characters.into_iter().map(FoldedCharacter::from).collect(), list }
    }

    /// Returns the symbols of its characters in a language, by index.
    pub fn symbols(&self, model: &Model) -> Vec<Symbol> {
        self.characters.iter().map(|character| model.symbol(*character)).collect()
    }

    /// Iterates over the pairs: both characters with their symbols, and the count.
    pub fn iter<'a>(
        &'a self,
        symbols: &'a [Symbol],
    ) -> impl Iterator<Item = ([(FoldedCharacter, Symbol); 2], u32)> + 'a {
        let at = |place: u16| {
            let place = usize::from(place);
            (self.characters[place], symbols[place])
        };
        self.list.iter().map(move |pair| ([at(pair.before), at(pair.after)], pair.times))
    }

    /// Returns the models in which the text costs least, at most `most` of them, cheapest first.
    pub fn cheapest(
        &self,
        models: impl Iterator<Item = &'static Model>,
        most: usize,
    ) -> Vec<&'static Model> {
        let cost =
            |model: &'static Model| (model.cost_of_pairs(&self.list, &self.symbols(model)), model);
        let mut costs: Vec<_> = models.map(cost).collect();
        let cheapest = take_least(&mut costs, most, |(cost, _)| *cost);
        cheapest.into_iter().map(|(_, model)| model).collect()
    }
}
