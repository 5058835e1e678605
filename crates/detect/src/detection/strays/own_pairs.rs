//! The bigrams of the well-formed part of a text.
//!
//! They are blended with the model of the language by additive smoothing: a letter that occurred [`PRIOR_COUNT`] times
//! counts as much as the model. So a long text is judged by its own letters, names and spelling included, and a short
//! one by its language.

use std::collections::HashMap;

use crate::language::{Model, Script, TextPairs, models};
use oxiconv_encodings::unicode::CodePoint;

/// The most distinct pairs that are counted, the number of the most frequent ones that decide the language, and the
/// number of likely languages that readings are compared with.
const MAX_PAIRS: usize = 1 << 16;
const TOP_PAIRS: usize = 2048;
pub(super) const TOP_LANGUAGES: usize = 3;
/// How the text's own pairs are blended with the model: the weight of the model as a number of occurrences of the first
/// letter of a pair, and within it the weight of the letter's frequency in the text.
const PRIOR_COUNT: f32 = 6.0;
const UNIGRAM_SHARE: f32 = 0.3;

/// Counts of the pairs of a text. Case is folded, and each part begins with a space.
#[derive(Debug, Default)]
pub(in crate::detection) struct OwnPairs {
    pairs: HashMap<(CodePoint, CodePoint), u32>,
    firsts: HashMap<CodePoint, u32>,
    all: u32,
}

impl OwnPairs {
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

    pub(super) fn different(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the non-ASCII Latin letters of the text.
    pub(super) fn latin_letters(&self) -> Vec<CodePoint> {
        let is_latin = |cp: &CodePoint| *cp >= 0x80 && Script::of(*cp) == Some(Script::Latin);
        let mut letters: Vec<_> = self.firsts.keys().copied().filter(is_latin).collect();
        letters.sort_unstable();
        letters
    }

    /// Returns the likelihood of `now` after `before`, if it is `expected` in the language.
    ///
    /// This is additive smoothing with a prior that is itself a mixture: of the language's bigram and of the text's own
    /// unigram. The unigram matters for letters that the text has and its language model does not expect, such as those
    /// of a name.
    ///
    /// ```text
    /// p(now | before) = (count(before now) + 6 · prior) / (count(before) + 6)
    /// prior           = (1 - share) · expected + share · count(now) / all       share rises to 0.3 with the text
    /// ```
    ///
    /// In a text that never had `before`, the result is the prior. After a hundred times, the prior counts for about an
    /// 18th. The prior is never 0, so no pair is impossible, and the logarithm of the result is finite.
    pub(super) fn likelihood(&self, before: CodePoint, now: CodePoint, expected: f32) -> f32 {
        let (before, now) = (fold(before), fold(now));
        let count = |count: Option<&u32>| *count.unwrap_or(&0) as f32;
        let first = count(self.firsts.get(&before));
        let alone = count(self.firsts.get(&now)) / (self.all.max(1) as f32);
        // The unigram of a short text means little.
        let share = UNIGRAM_SHARE * self.all as f32 / (self.all as f32 + 200.0);
        let general = (1.0 - share) * expected + share * alone;
        (count(self.pairs.get(&(before, now))) + PRIOR_COUNT * general) / (first + PRIOR_COUNT)
    }

    /// Returns the models of the most likely languages of the text, best first.
    pub(in crate::detection) fn languages(&self) -> Vec<&'static Model> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(pair, count)| (*count, *pair)).collect();
        pairs.sort_unstable_by(|one, other| other.cmp(one));
        pairs.truncate(TOP_PAIRS);
        let pairs = pairs.into_iter().map(|(count, pair)| (pair, count)).collect();
        TextPairs::of(pairs).cheapest(models().iter(), TOP_LANGUAGES)
    }
}

/// Folds a character: to lower case, all ASCII digits to `0`, all white space and controls to a space.
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
