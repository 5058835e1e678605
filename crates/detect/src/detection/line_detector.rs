//! Detects the encoding of each line of a text whose lines are in different encodings: a log.
//!
//! ```text
//! a line that is not UTF-8 ─► 1  its words are known from earlier lines                        `known_words.rs`
//!                             2  it reads well in an encoding of many lines                    `line_costs.rs`
//!                             3  it reads well in an encoding of earlier lines
//!                             4  all charsets are tried                                        `letters.rs`
//! ```
//!
//! A log has few writers, and each of them writes one language in one encoding. So an encoding that is new to the text
//! costs something, and so does a language (`priors.rs`). A short line is thereby read like the lines before it.
//! Nothing depends on later lines: the engine converts a line before it has seen them.
//!
//! The steps are in the order of their cost, and the last one takes much longer than the first. Even the third one is
//! rare, because the lines of a log repeat the words and the few encodings of earlier ones. `benches/repair --set log`
//! measures how many lines are right.
//!
//! Each step but the last names an encoding or leaves the line to the next one, which knows more. So a fast step must
//! be strict, and need not be complete. The last step is given the best answer of the third one. It looks only for
//! readings that cost hardly more than that, so most charsets are abandoned after a few pairs.

use std::cmp::Reverse;

use super::charsets::TrialCharset;
use super::detection_sample::DetectionSample;
use super::expected::Expected;
use super::few_letters::are_signs;
use super::known_words::{self, KnownWords, LineWords};
use super::letters::{FEW_LETTERS, NOT_TEXT, Scored, SearchWidth, Trial};
use super::line_costs::{cost, pairs};
use super::priors::Priors;
use super::sample_words::SampleWords;
use super::strays::OwnPairs;
use crate::language::{Model, UNIT};
use oxiconv_encodings::encoding::Encoding;

/// A line is judged by at most this many bytes.
pub const LONGEST_LINE: usize = 64 * 1024;
/// The languages of a text are learned from this many bytes of its UTF-8 lines.
const MAX_LEARNED: usize = 64 * 1024;
/// When step 2 may decide: many lines were in the encoding, the line has more than one non-ASCII byte, a pair does not
/// cost much on average, and the line costs this much more in every other encoding that was seen. Costs are in
/// sixteenths of a bit. The lead is what keeps related encodings apart, and it leaves short lines to the later steps.
const MANY_LINES: u32 = 16;
const MIN_NON_ASCII: usize = 2;
const MAX_PAIR_COST: u64 = 7 * UNIT as u64;
const MIN_LEAD: u64 = 32 * UNIT as u64;
/// A line is sure to be in an encoding that was seen if its words cost at most this many bits per byte.
const SURE_BITS_PER_BYTE: f64 = 5.0;
/// What is remembered: the runners-up of a line, because other lines of the same writer may be in them; the languages
/// per encoding; and the pairs of an encoding and a language. All of these bound the work per line. A runner-up costs
/// at most `CLOSE` (in sixteenths of a bit) more than the line costs in the encodings of earlier ones. The value is a
/// compromise: with 16 bits, a log in windows-1252 and IBM850 had 40 wrong lines of 1,500 where 40 bits had no more
/// than 6. With unrelated encodings, 16 bits did slightly better.
const CLOSE: u64 = 40 * UNIT as u64;
/// A line is left as it is if it costs so much less, in sixteenths of a bit, in an encoding that lines cannot be in.
const LEAD_OF_OTHERS: u64 = 16 * UNIT as u64;
const MAX_CLOSE_READINGS: usize = 24;
const MAX_LANGUAGES: usize = 4;
const MAX_SEEN: usize = 16;
/// The encodings of the lines so far, and what they tell about the next line.
///
/// `seen` are the answers, and `rivals` also what came close to them. `own` has the letters of the first `learned`
/// bytes of UTF-8 lines; `languages` are the likely ones of these letters, as of `languages_as_of` bytes.
/// `close_trials` counts the lines that reached step 3.
#[derive(Default)]
pub struct LineDetector {
    expected: Expected,
    seen: Vec<SeenEncoding>,
    rivals: Vec<Rival>,
    known_words: KnownWords,
    own: OwnPairs,
    learned: usize,
    languages_as_of: usize,
    languages: Vec<&'static Model>,
    close_trials: usize,
}

/// An encoding, and the languages in which it was the answer for a line, or nearly.
struct Rival {
    charset: &'static TrialCharset,
    models: Vec<&'static Model>,
}

/// The best reading of a line, with its total cost and the cost of its characters, in sixteenths of a bit, and the
/// number of its pairs.
#[derive(Clone, Copy)]
struct BestReading {
    cost: u64,
    text: u64,
    pairs: u64,
    charset: &'static TrialCharset,
    model: &'static Model,
}

struct SeenEncoding {
    charset: &'static TrialCharset,
    model: &'static Model,
    lines: u32,
}

impl LineDetector {
    /// Creates a detector for a text of which only `expected` is known.
    pub fn new(expected: Expected) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Whether more UTF-8 lines are wanted.
    pub fn learns(&self) -> bool {
        self.learned < MAX_LEARNED
    }

    /// Learns the letters of a UTF-8 line, from its first non-ASCII character on.
    pub fn learn(&mut self, line: &str) {
        if self.learns() {
            let most =
                (0..=line.len().min(MAX_LEARNED)).rev().find(|at| line.is_char_boundary(*at));
            let line = &line[..most.unwrap_or(0)];
            self.own.look(line);
            self.learned += line.len();
        }
    }

    /// Returns the encoding of a line that is not UTF-8; `None` if no encoding reads it as text. `line` is at most
    /// [`LONGEST_LINE`] bytes from the first non-ASCII byte on, `before` is the end of the ASCII before that.
    pub fn judge(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        self.judge_by_words(before, line).or_else(|| self.judge_by_letters(before, line))
    }

    /// Step 1: returns the encoding of a line whose words are known.
    pub(super) fn judge_by_words(
        &mut self,
        before: &[u8],
        line: &[u8],
    ) -> Option<&'static Encoding> {
        let encoding = self.known_words.encoding(LineWords::non_ascii(before, line))?;
        // The line counts for one of the languages in that encoding; which one makes no difference.
        if let Some(seen) = self.seen.iter_mut().find(|seen| seen.charset.encoding == encoding) {
            seen.lines += 1;
        }
        Some(encoding)
    }

    /// Steps 2 to 4: returns the encoding of a line that has unknown words.
    pub(super) fn judge_by_letters(
        &mut self,
        before: &[u8],
        line: &[u8],
    ) -> Option<&'static Encoding> {
        let words = LineWords::non_ascii(before, line);
        if let Some(encoding) = self.judge_by_costs(before, line) {
            self.known_words.learn(words, encoding, known_words::MIN_LINES);
            return Some(encoding);
        }
        let encoding = self.judge_closely(before, line)?;
        self.known_words.learn(words, encoding, 1);
        Some(encoding)
    }

    /// Step 2 for a line that seems to be UTF-8 with stray bytes: returns the encoding of earlier lines that it is in
    /// as a whole. The later steps are not for such a line: they compare readings of all of it, and most of it may be
    /// UTF-8.
    pub(super) fn judge_before_strays(
        &mut self,
        before: &[u8],
        line: &[u8],
    ) -> Option<&'static Encoding> {
        self.judge_by_costs(before, line)
    }

    /// Returns the encoding of the stray bytes in a line of UTF-8 whose ill-formed words are known.
    pub(super) fn judge_strays_by_words(
        &self,
        before: &[u8],
        line: &[u8],
    ) -> Option<&'static Encoding> {
        self.known_words.encoding(LineWords::ill_formed(before, line))
    }

    /// Learns the ill-formed words of a line of UTF-8 with stray bytes in `encoding`.
    pub(super) fn learn_strays(&mut self, before: &[u8], line: &[u8], encoding: &'static Encoding) {
        self.known_words.learn(LineWords::ill_formed(before, line), encoding, 1);
    }

    /// Steps 2 and 3: returns the encoding of a line that has unknown words only if it is that of earlier lines.
    pub(super) fn judge_as_before(
        &mut self,
        before: &[u8],
        line: &[u8],
    ) -> Option<&'static Encoding> {
        self.judge_by_costs(before, line).or_else(|| {
            let words = words_of(before, line);
            let trial = Trial::with_ascii(&words);
            let best = self.best_rival(&trial)?;
            let (charset, model) = self.as_before(&trial, best)?;
            self.see(charset, model);
            Some(charset.encoding)
        })
    }

    /// Steps 3 and 4.
    ///
    /// The rivals are tried first, since there are few of them, and all charsets only if none of the rivals reads the
    /// line well. What comes close in that case becomes a rival itself: the next line of the same writer may be in it.
    /// For example, a short first line in ISO-8859-2 may be taken for windows-1250, with ISO-8859-2 close behind. A
    /// later line that reads best in ISO-8859-2 is then not taken for windows-1250 as well. No line was in that
    /// encoding yet, so all charsets are tried for it.
    fn judge_closely(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        self.close_trials += 1;
        let words = words_of(before, line);
        let trial = Trial::with_ascii(&words);
        let best = self.best_rival(&trial);
        if let Some((charset, model)) = best.and_then(|best| self.as_before(&trial, best)) {
            self.see(charset, model);
            return Some(charset.encoding);
        }
        self.look_at_languages();
        let priors = self.priors();
        let readings = trial.readings(self.expected);
        let all = SearchWidth::cheapest(MAX_CLOSE_READINGS);
        let width = best.map_or(all, |best| SearchWidth {
            most: best.cost + CLOSE,
            each: best.text / best.pairs.max(1),
            ..all
        });
        let mut scored = trial.scored(&readings, self.expected, width, &priors);
        let may_be_of_line = |one: &Scored<'_>| one.reading.charset.encoding.may_be_fallback();
        let best_of_others = scored.iter().find(|one| !may_be_of_line(one)).map(Scored::cost);
        scored.retain(may_be_of_line);
        let best = *scored.first()?;
        // A line that reads best in an encoding that only whole texts can be in is left as it is.
        if best_of_others.is_some_and(|other| other + LEAD_OF_OTHERS < best.cost()) {
            return None;
        }
        if words.high_bytes >= FEW_LETTERS && trial.bits(best.text) > NOT_TEXT {
            return None;
        }
        let (charset, model) = (best.reading.charset, best.model);
        if let Some(encoding) = self.encoding_of_signs(&[before, line].concat(), charset, model) {
            return Some(encoding);
        }
        for one in scored.iter().take(MAX_CLOSE_READINGS) {
            self.remember(one.reading.charset, one.model);
        }
        self.see(charset, model);
        Some(charset.encoding)
    }

    /// Whether many lines were in an encoding, in whatever language.
    fn is_usual(&self, encoding: &Encoding) -> bool {
        let same = self.seen.iter().filter(|seen| seen.charset.encoding == encoding);
        same.map(|seen| seen.lines).sum::<u32>() >= MANY_LINES
    }

    /// Step 2: returns the encoding of a line that reads well in an encoding of many lines, and clearly better than in
    /// all others that were seen.
    ///
    /// The ASCII words of the line are no evidence here, and nor are encodings that were never seen. So the least cost
    /// has to be low per pair, not only lower than the others: a line in an encoding that was never seen is expensive
    /// in all of them. And the lead must be large over every other encoding, but not over other languages in the same
    /// one, which give the same answer.
    fn judge_by_costs(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let before = before.last().copied().unwrap_or(b'\n');
        let high = line.iter().filter(|byte| !byte.is_ascii()).count();
        if high < MIN_NON_ASCII {
            return None;
        }
        let mut best: Option<(u64, usize)> = None;
        let mut costs = Vec::with_capacity(self.seen.len());
        for (number, seen) in self.seen.iter().enumerate() {
            // A cost beyond this bound is neither the best nor close to it.
            let bound = best.map_or(u64::MAX, |(cost, _)| cost.saturating_add(MIN_LEAD));
            let Some(cost) = cost(seen.charset, seen.model, before, line, bound) else { continue };
            if best.is_none_or(|best| (cost, number) < best) {
                best = Some((cost, number));
            }
            costs.push((cost, seen.charset.encoding));
        }
        let (cost, number) = best?;
        let encoding = self.seen[number].charset.encoding;
        let is_close =
            |(other, its): &(u64, &Encoding)| *its != encoding && other - cost < MIN_LEAD;
        let is_sure = self.is_usual(encoding)
            && cost <= MAX_PAIR_COST * pairs(before, line)
            && !costs.iter().any(is_close);
        self.seen[number].lines += u32::from(is_sure);
        is_sure.then_some(encoding)
    }

    /// Returns the cheapest reading of a line in any rival. Each is priced only as long as it is cheaper than the best
    /// one before it. So the rival that was best moves to the front: it is likely to be the best for the next line too.
    fn best_rival(&mut self, trial: &Trial<'_>) -> Option<BestReading> {
        let priors = self.priors();
        let mut best: Option<BestReading> = None;
        let mut of_best = 0..0;
        for (number, Rival { charset, models }) in self.rivals.iter().enumerate() {
            let Some(reading) = trial.reading(charset) else { continue };
            let so_far = best.map(|best| (best.cost, best.text));
            if let Some(scored) = trial.best_language(&reading, models, &priors, so_far) {
                let (cost, text, model) = (scored.cost(), scored.text, scored.model);
                let pairs = trial.pairs_of(&reading);
                best = Some(BestReading { cost, text, pairs, charset, model });
                of_best = 0..number + 1;
            }
        }
        if !of_best.is_empty() {
            self.rivals[of_best].rotate_right(1);
        }
        best
    }

    /// Accepts the best rival if it reads the line well and earlier lines were in it. If it was only close to an
    /// answer, a relative that was one may still yield the same text; then that is the encoding. So a log in
    /// windows-1252 does not switch to ISO-8859-15 for a line that reads alike in both.
    fn as_before(
        &self,
        trial: &Trial<'_>,
        best: BestReading,
    ) -> Option<(&'static TrialCharset, &'static Model)> {
        let BestReading { charset, model, text, .. } = best;
        if trial.bits(text) > SURE_BITS_PER_BYTE {
            return None;
        }
        let is_seen = self.seen.iter().any(|seen| seen.charset.encoding == charset.encoding);
        let charset = if is_seen { charset } else { self.seen_alike(trial, charset)? };
        Some((charset, model))
    }

    /// Returns a charset of earlier lines that reads this line as `other` does.
    fn seen_alike(
        &self,
        trial: &Trial<'_>,
        other: &'static TrialCharset,
    ) -> Option<&'static TrialCharset> {
        let other = trial.reading(other)?;
        let is_same = |seen: &&SeenEncoding| {
            trial
                .reading(seen.charset)
                .is_some_and(|reading| reading.is_same(&other, trial.pairs()))
        };
        self.seen.iter().find(is_same).map(|seen| seen.charset)
    }

    /// Returns the encoding of a line that has only signs, such as `°`, beyond ASCII: that of earlier lines, or
    /// windows-1252.
    ///
    /// Letter frequencies would be misled here. B0 43 (`°C`) is a syllable in code pages of Korea, and no earlier line
    /// contradicts that. So an encoding that is new to the text does not win a line by signs alone.
    fn encoding_of_signs(
        &self,
        line: &[u8],
        charset: &TrialCharset,
        model: &Model,
    ) -> Option<&'static Encoding> {
        let is_seen = self.seen.iter().any(|seen| seen.charset.encoding == charset.encoding);
        if is_seen || self.expected != Expected::default() {
            return None;
        }
        let are_signs =
            |encoding: &Encoding| are_signs(line, encoding, charset.encoding, model.language());
        // Of several with as many lines, the one that was seen first.
        let seen = self.seen.iter().rev().filter(|seen| are_signs(seen.charset.encoding));
        let most = seen.max_by_key(|seen| seen.lines).map(|seen| seen.charset.encoding);
        most.or_else(|| Some(Encoding::WINDOWS_1252).filter(|encoding| are_signs(encoding)))
    }

    /// Makes a charset and a language a rival of the next lines, unless there are enough. None is replaced.
    fn remember(&mut self, charset: &'static TrialCharset, model: &'static Model) {
        let is_same = |rival: &&mut Rival| rival.charset.encoding == charset.encoding;
        if let Some(rival) = self.rivals.iter_mut().find(is_same) {
            let is_known = rival.models.iter().any(|known| known.language() == model.language());
            if !is_known && rival.models.len() < MAX_LANGUAGES {
                rival.models.push(model);
            }
        } else if self.rivals.len() < 2 * MAX_SEEN {
            self.rivals.push(Rival { charset, models: vec![model] });
        }
    }

    /// Updates the languages of the UTF-8 lines when their length has doubled since the last time, so that comparing
    /// them with all languages stays rare.
    fn look_at_languages(&mut self) {
        if self.learned > 2 * self.languages_as_of {
            self.languages_as_of = self.learned;
            self.languages = self.own.languages();
        }
    }

    fn priors(&self) -> Priors {
        let languages =
            self.seen.iter().map(|seen| seen.model).chain(self.languages.iter().copied());
        Priors::new(
            self.seen.iter().map(|seen| seen.charset.encoding),
            languages.map(Model::language),
        )
    }

    /// Counts a line for a charset and a language. If there are too many of them, the one with the fewest lines gives
    /// way.
    fn see(&mut self, charset: &'static TrialCharset, model: &'static Model) {
        let is_same = |seen: &&mut SeenEncoding| {
            seen.charset.encoding == charset.encoding && seen.model.language() == model.language()
        };
        if let Some(seen) = self.seen.iter_mut().find(is_same) {
            seen.lines += 1;
        } else {
            if self.seen.len() == MAX_SEEN {
                let seen = self.seen.iter().enumerate();
                let least = seen.min_by_key(|(index, seen)| (seen.lines, Reverse(*index)));
                least.map(|(index, _)| index).map(|index| self.seen.remove(index));
            }
            self.seen.push(SeenEncoding { charset, model, lines: 1 });
        }
    }
}

fn words_of(before: &[u8], line: &[u8]) -> SampleWords {
    SampleWords::of(&DetectionSample::of(&[before, line].concat(), true))
}

#[cfg(test)]
mod tests;
