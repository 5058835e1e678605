//! The letters of the well-formed part of a text, and their pairs.

use std::collections::HashMap;

use crate::language::{Model, Script, TextPairs, models};
use oxiconv_encodings::unicode::CodePoint;

/// The most different pairs that are counted.
const MAX_PAIRS: usize = 1 << 16;
/// The most frequent pairs that tell the language.
const TOP_PAIRS: usize = 2048;
/// Languages that a text is compared with further.
pub(super) const TOP_LANGUAGES: usize = 3;
/// The number of times that a letter must occur until its own pairs count as much as the model's.
const PRIOR_COUNT: f32 = 6.0;
/// The share of the letter's own frequency in what is expected of a pair that the text does not have.
const UNIGRAM_SHARE: f32 = 0.3;

/// Counts of the pairs of a text. Case is left out; a blank is at both ends of every part.
#[derive(Debug, Default)]
pub(in crate::detection) struct OwnPairs {
    pairs: HashMap<(CodePoint, CodePoint), u32>,
    /// How often each is the first of a pair.
    firsts: HashMap<CodePoint, u32>,
    all: u32,
}

impl OwnPairs {
    /// Counts the pairs of a part of the text.
    pub(in crate::detection) fn look(&mut self, text: &str) {
        let mut before = folded(' ');
        for c in text.chars() {
            let now = folded(c);
            self.add(before, now);
            before = now;
        }
    }

    fn add(&mut self, before: CodePoint, now: CodePoint) {
        if let Some(count) = self.pairs.get_mut(&(before, now)) {
            *count += 1;
        } else if self.pairs.len() < MAX_PAIRS {
            self.pairs.insert((before, now), 1);
        } else {
            return;
        }
        *self.firsts.entry(before).or_default() += 1;
        self.all += 1;
    }

    /// Returns the number of different pairs.
    pub(super) fn different(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the Latin letters beyond ASCII that the text has.
    pub(super) fn latin_letters(&self) -> Vec<CodePoint> {
        let is_latin = |cp: &CodePoint| *cp >= 0x80 && Script::of(*cp) == Some(Script::Latin);
        let mut letters: Vec<_> = self.firsts.keys().copied().filter(is_latin).collect();
        letters.sort_unstable();
        letters
    }

    /// Returns how likely `now` is after `before`, if that is `expected` in general.
    pub(super) fn likelihood(&self, before: CodePoint, now: CodePoint, expected: f32) -> f32 {
        let (before, now) = (fold(before), fold(now));
        let count = |count: Option<&u32>| *count.unwrap_or(&0) as f32;
        let first = count(self.firsts.get(&before));
        let alone = count(self.firsts.get(&now)) / (self.all.max(1) as f32);
        // The fewer letters the text has, the less their frequency says.
        let share = UNIGRAM_SHARE * self.all as f32 / (self.all as f32 + 200.0);
        let general = (1.0 - share) * expected + share * alone;
        (count(self.pairs.get(&(before, now))) + PRIOR_COUNT * general) / (first + PRIOR_COUNT)
    }

    /// Returns the models of the languages that the text is most likely in, the best one first.
    pub(in crate::detection) fn languages(&self) -> Vec<&'static Model> {
        // The most frequent pairs tell.
        let mut pairs: Vec<_> = self.pairs.iter().map(|(pair, count)| (*count, *pair)).collect();
        pairs.sort_unstable_by(|one, other| other.cmp(one));
        pairs.truncate(TOP_PAIRS);
        let pairs = pairs.into_iter().map(|(count, pair)| (pair, count)).collect();
        TextPairs::of(pairs).cheapest(models().iter(), TOP_LANGUAGES)
    }
}

/// Returns what a character counts as: its lower case, one digit for all, one blank for all.
fn folded(c: char) -> CodePoint {
    if c.is_whitespace() || c.is_control() {
        return ' '.into();
    }
    if c.is_ascii_digit() {
        return '0'.into();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower.into(),
        _ => c.into(),
    }
}

fn fold(cp: CodePoint) -> CodePoint {
    char::from_u32(cp).map_or(cp, folded)
}
