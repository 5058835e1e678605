//! Which encoding a line is in that is not UTF-8, in a text whose lines are in different ones: a log.
//!
//! ```text
//! line: which encoding reads it well?
//!  1  its bytes beyond ASCII: the one that many lines before it were in, if it is clearly better
//!  2  its words beyond ASCII: those that were the answer for earlier lines, or came close
//!  3  all charsets of the registry: letters, and what was seen before
//! ```
//!
//! A log has few writers, and each writes one language in one encoding. So an encoding that is new in the text costs
//! something, and so does a language; a short line goes with the lines before it. Nothing depends on the lines after.
//!
//! Reading a line in all charsets takes a millisecond, which is why the readings that came close for earlier lines are
//! tried first, and why most lines need not even that: their words are known (`known_words.rs`), or a table of an
//! encoding that many lines were in (`byte_costs.rs`) reads them well. `benches/repair --set log` measures it.

use super::byte_costs::{cost, pairs};
use super::charsets::TrialCharset;
use super::charsets::charsets;
use super::detection_sample::DetectionSample;
use super::expected::Expected;
use super::few_letters::are_signs;
use super::known_words::KnownWords;
use super::letters::{FEW_LETTERS, NOT_TEXT, Trial};
use super::priors::Priors;
use super::sample_words::SampleWords;
use super::strays::OwnPairs;
use super::utf8_census::{Census, Utf8Form};
use crate::language::{Model, UNIT};
use oxiconv_encodings::encoding::Encoding;

/// The most bytes of a line that its encoding is judged by.
pub const LONGEST_LINE: usize = 64 * 1024;
/// Bytes of UTF-8 lines that tell the languages of a text.
const MAX_LEARNED: usize = 64 * 1024;
/// Lines in an encoding and a language after which others are judged by tables of the costs of all that was seen; the fewest
/// bytes beyond ASCII of a line that is judged so; what each pair of its bytes costs at most, in sixteenths of a bit; and bits
/// by which it must be less likely in the others.
const MANY_LINES: u32 = 16;
const MIN_NON_ASCII: usize = 12;
const MAX_PAIR_COST: u64 = 9 * UNIT as u64 / 2;
const MIN_LEAD: u64 = 24;
/// Bits for each byte of its words at which a line is sure to be in an encoding that was seen.
const SURE_BITS_PER_BYTE: f64 = 5.0;
/// Readings of a line that others of the same writer are compared with, and the most languages in one encoding.
const MAX_CLOSE_READINGS: usize = 24;
const MAX_LANGUAGES: usize = 4;
/// The most encodings and languages that are remembered.
const MAX_SEEN: usize = 16;
/// Lines that are judged closely before symbols are kept: finding those of all bytes pays only if more lines come.
const TRIALS_BEFORE_CACHING: usize = 8;

/// Bits by which the lines of each of two encodings must be likelier in their own one, so that a text has lines in both;
/// the same for the rarer one's lines without the longest of them; the least number of lines, and the most lines that are
/// looked at.
const MIN_LEAD_OF_LINES: f64 = 64.0;
const MIN_LEAD_WITHOUT_LONGEST: f64 = 32.0;
const MIN_LINES: usize = 2;
const MAX_LINES: usize = 256;

/// Characters of more than one byte for each ill-formed subsequence of a line in UTF-8 with stray bytes.
const CHARACTERS_PER_FAULT: usize = 4;

/// What a line is, as far as UTF-8 is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// UTF-8, but for a character that its end may cut.
    Utf8,
    /// UTF-8 in which other bytes are stray: nearly all characters beyond ASCII are well-formed.
    WithStrays,
    /// The same, unless that is chance: most of a few characters are well-formed.
    Unclear,
    /// Another encoding, in which UTF-8 occurs by chance.
    Other,
}

impl LineForm {
    /// Returns the form of a line from its first byte beyond ASCII on, or of the first part of it, which comes `after` a byte.
    pub fn of(line: &[u8], after: Option<u8>) -> Self {
        match characters_beyond_ascii(line) {
            (2.., 0) => Self::Utf8,
            (multi, ill_formed) if multi >= CHARACTERS_PER_FAULT * ill_formed.max(1) => {
                Self::WithStrays
            }
            // A few characters are UTF-8 by no chance if they are letters of the words around them.
            (1.., _) if Census::alone(line, after, true).form() == Utf8Form::WithOthers => {
                Self::WithStrays
            }
            (multi, ill_formed) if multi > ill_formed.max(1) => Self::Unclear,
            _ => Self::Other,
        }
    }
}

/// Returns how many characters of several bytes a line has, and how many ill-formed subsequences but for one that its end
/// may cut.
fn characters_beyond_ascii(line: &[u8]) -> (usize, usize) {
    let (mut multi, mut ill_formed, mut at) = (0, 0, 0);
    for chunk in line.utf8_chunks() {
        multi += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        at += chunk.valid().len() + chunk.invalid().len();
        let error = std::str::from_utf8(chunk.invalid()).err();
        let is_cut = at == line.len() && error.is_some_and(|error| error.error_len().is_none());
        ill_formed += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    (multi, ill_formed)
}

/// Returns the encodings of those lines of a text that are not UTF-8, and how many lines are in each, the most first;
/// `None` unless lines are clearly in several encodings, and have no more UTF-8 in them than chance gives.
pub fn encodings_of_lines(text: &[u8]) -> Option<Vec<(&'static Encoding, usize)>> {
    let mut lines = LineDetector::default();
    let mut found: Vec<(&'static Encoding, Vec<u8>, usize)> = Vec::new();
    let (mut judged, mut multi, mut ill_formed) = (0, 0, 0);
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let Some(start) = line.iter().position(|byte| !byte.is_ascii()) else { continue };
        let (before, line) = line.split_at(start);
        let line = &line[..line.len().min(LONGEST_LINE)];
        if let Ok(text) = std::str::from_utf8(line) {
            lines.learn(text);
            continue;
        }
        if LineForm::of(line, before.last().copied()) != LineForm::Other {
            continue;
        }
        let Some(encoding) = lines.judge(before, line) else { continue };
        let counts = characters_beyond_ascii(line);
        (multi, ill_formed) = (multi + counts.0, ill_formed + counts.1);
        let number = found.iter().position(|(known, ..)| *known == encoding);
        let number = number.unwrap_or_else(|| {
            found.push((encoding, Vec::new(), 0));
            found.len() - 1
        });
        let (_, all, count) = &mut found[number];
        all.extend_from_slice(line);
        all.push(b'\n');
        *count += 1;
        judged += 1;
        if judged == MAX_LINES {
            break;
        }
    }
    found.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    let [(first, of_first, _), (second, of_second, MIN_LINES..), ..] = &found[..] else {
        return None;
    };
    let is_clear = multi < ill_formed
        && is_likelier(of_first, first, second, MIN_LEAD_OF_LINES)
        && is_likelier(of_second, second, first, MIN_LEAD_OF_LINES)
        && is_likelier(&without_longest(of_second), second, first, MIN_LEAD_WITHOUT_LONGEST);
    is_clear.then(|| found.iter().map(|(encoding, _, count)| (*encoding, *count)).collect())
}

/// Returns lines without the longest of them. A single line may be in another encoding by chance: Russian in GB 2312, whose
/// Cyrillic letters are ideographs of Big5.
fn without_longest(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split_inclusive(|byte| *byte == b'\n');
    let longest = lines.clone().enumerate().max_by_key(|(_, line)| line.len());
    let longest = longest.map(|(number, _)| number);
    lines
        .enumerate()
        .filter(|(number, _)| Some(*number) != longest)
        .flat_map(|(_, line)| line)
        .copied()
        .collect()
}

/// Whether lines are likelier in their own encoding than in another, by some bits at least.
fn is_likelier(lines: &[u8], own: &Encoding, other: &Encoding, bits: f64) -> bool {
    let words = SampleWords::of(&DetectionSample::of(lines, true));
    let trial = Trial::with_ascii(&words);
    let cost = |encoding: &Encoding| {
        let charset = charsets().iter().find(|charset| charset.encoding == encoding)?;
        let readings = [trial.reading(charset)?];
        let scored = trial.scored(&readings, Expected::default(), 1, &Priors::default());
        scored.first().map(|least| least.cost() as f64 / f64::from(UNIT))
    };
    let Some(own) = cost(own) else { return false };
    cost(other).is_none_or(|other| other - own >= bits)
}

/// What the lines of a text have told.
#[derive(Default)]
pub struct LineDetector {
    expected: Expected,
    seen: Vec<SeenEncoding>,
    /// What came close to the answer for a line.
    rivals: Vec<Rival>,
    known_words: KnownWords,
    own: OwnPairs,
    /// Bytes of UTF-8 lines that are in `own`, and as many as `languages` are of.
    learned: usize,
    languages_as_of: usize,
    /// The languages of the lines in UTF-8, the likeliest first.
    languages: Vec<&'static Model>,
    /// How many lines were judged closely.
    close_trials: usize,
}

/// An encoding, and the languages in which it came close to the answer for a line.
struct Rival {
    charset: &'static TrialCharset,
    models: Vec<&'static Model>,
}

/// The best reading of a line, and its costs in sixteenths of a bit: all of them, and those of the text.
#[derive(Clone, Copy)]
struct BestReading {
    cost: u64,
    text: u64,
    charset: &'static TrialCharset,
    model: &'static Model,
}

/// An encoding and a language that lines were in.
struct SeenEncoding {
    charset: &'static TrialCharset,
    model: &'static Model,
    lines: u32,
}

impl LineDetector {
    /// Nothing is known yet but what the text is expected to be.
    pub fn new(expected: Expected) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Whether lines in UTF-8 may still tell something.
    pub fn learns(&self) -> bool {
        self.learned < MAX_LEARNED
    }

    /// Learns from a line in UTF-8, from its first character beyond ASCII on.
    pub fn learn(&mut self, line: &str) {
        if self.learns() {
            let most =
                (0..=line.len().min(MAX_LEARNED)).rev().find(|at| line.is_char_boundary(*at));
            let line = &line[..most.unwrap_or(0)];
            self.own.look(line);
            self.learned += line.len();
        }
    }

    /// Returns the encoding of a line that is not UTF-8: of at most [`LONGEST_LINE`] bytes, from the first one beyond
    /// ASCII on. `before` is the end of the ASCII before them. `None` if no encoding reads the line as text.
    pub fn judge(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let at_once = self.judge_at_once(before, line);
        at_once.or_else(|| {
            let encoding = self.judge_closely(before, line)?;
            self.known_words.learn(before, line, encoding);
            Some(encoding)
        })
    }

    /// The same, however long that takes.
    fn judge_closely(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        self.close_trials += 1;
        let words = words_of(before, line);
        let trial = self.trial(&words);
        let best = self.best_rival(&trial);
        if let Some((charset, model)) = best.and_then(|best| self.as_before(&trial, best)) {
            self.see(charset, model);
            return Some(charset.encoding);
        }
        self.look_at_languages();
        let priors = self.priors();
        let readings = trial.readings(self.expected);
        let mut scored = trial.scored(&readings, self.expected, MAX_CLOSE_READINGS, &priors);
        scored.retain(|one| one.reading.charset.encoding.may_be_fallback());
        let best = *scored.first()?;
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

    /// The same, but only an encoding that lines before it were in.
    pub fn judge_as_before(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let at_once = self.judge_at_once(before, line);
        at_once.or_else(|| {
            let words = words_of(before, line);
            let trial = self.trial(&words);
            let (charset, model) = self.as_before(&trial, self.best_rival(&trial)?)?;
            self.see(charset, model);
            Some(charset.encoding)
        })
    }

    /// Returns the trial of a line.
    fn trial<'w>(&self, words: &'w SampleWords) -> Trial<'w> {
        let trial = Trial::with_ascii(words);
        if self.close_trials > TRIALS_BEFORE_CACHING { trial.keep_symbols() } else { trial }
    }

    /// Returns the encoding of a line whose words are known, or that reads well in an encoding of many lines.
    fn judge_at_once(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let Some(encoding) = self.known_words.encoding(before, line) else {
            return self.judge_by_costs(before, line);
        };
        // In which of its languages does not matter.
        if let Some(seen) = self.seen.iter_mut().find(|seen| seen.charset.encoding == encoding) {
            seen.lines += 1;
        }
        Some(encoding)
    }

    /// Returns the encoding of a line that reads well in an encoding which many lines were in, and clearly better than in all
    /// others that were seen.
    fn judge_by_costs(&mut self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let before = before.last().copied().unwrap_or(b'\n');
        let high = line.iter().filter(|byte| !byte.is_ascii()).count();
        if high < MIN_NON_ASCII || self.seen.iter().all(|seen| seen.lines < MANY_LINES) {
            return None;
        }
        // The least cost, and the number of the encoding that it is of.
        let mut best = (u64::MAX, 0);
        let mut costs = Vec::with_capacity(self.seen.len());
        for (number, seen) in self.seen.iter().enumerate() {
            // What costs more is neither the best nor close to it.
            let most = best.0.saturating_add(MIN_LEAD * u64::from(UNIT));
            let Some(cost) = cost(seen.charset, seen.model, before, line, most) else { continue };
            best = best.min((cost, number));
            costs.push((cost, seen.charset.encoding));
        }
        let (cost, number) = best;
        let encoding = self.seen.get(number)?.charset.encoding;
        let is_close = |(other, its): &(u64, &Encoding)| {
            *its != encoding && other - cost < MIN_LEAD * u64::from(UNIT)
        };
        let is_usual = self.seen[number].lines >= MANY_LINES;
        if !is_usual || cost > MAX_PAIR_COST * pairs(before, line) || costs.iter().any(is_close) {
            return None;
        }
        let seen = &mut self.seen[number];
        seen.lines += 1;
        Some(encoding)
    }

    /// Returns what came close to the answer before and reads a text best.
    fn best_rival(&self, trial: &Trial<'_>) -> Option<BestReading> {
        let priors = self.priors();
        let mut best: Option<BestReading> = None;
        for Rival { charset, models } in &self.rivals {
            let Some(reading) = trial.reading(charset) else { continue };
            let so_far = best.map(|best| (best.cost, best.text));
            if let Some(scored) = trial.best_language(&reading, models, &priors, so_far) {
                let (cost, text, model) = (scored.cost(), scored.text, scored.model);
                best = Some(BestReading { cost, text, charset, model });
            }
        }
        best
    }

    /// Returns the encoding of the best reading, and the language, if it reads the text well and was seen.
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
        // A relative that is known in one more language may read it the same.
        let charset = if is_seen { charset } else { self.seen_alike(trial, charset)? };
        Some((charset, model))
    }

    /// Returns an encoding that was seen and reads a text as another one does.
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

    /// Returns the encoding whose signs are all that is beyond ASCII in a line, if they seem to be letters in an encoding
    /// that no line before it was in.
    fn encoding_of_signs(
        &self,
        line: &[u8],
        charset: &TrialCharset,
        model: &Model,
    ) -> Option<&'static Encoding> {
        let mut seen: Vec<&SeenEncoding> = self.seen.iter().collect();
        let is_seen = seen.iter().any(|seen| seen.charset.encoding == charset.encoding);
        if is_seen || self.expected != Expected::default() {
            return None;
        }
        seen.sort_by_key(|seen| std::cmp::Reverse(seen.lines));
        let mut encodings =
            seen.into_iter().map(|seen| seen.charset.encoding).chain([Encoding::WINDOWS_1252]);
        encodings.find(|encoding| are_signs(line, encoding, charset.encoding, model.language()))
    }

    /// Remembers an encoding and a language that came close.
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

    /// Finds the languages of the lines in UTF-8, if there are twice as many as the last time.
    fn look_at_languages(&mut self) {
        if self.learned > 2 * self.languages_as_of {
            self.languages_as_of = self.learned;
            self.languages = self.own.languages();
        }
    }

    /// Returns what encodings and languages cost besides the text.
    fn priors(&self) -> Priors {
        let languages =
            self.seen.iter().map(|seen| seen.model).chain(self.languages.iter().copied());
        Priors::new(
            self.seen.iter().map(|seen| seen.charset.encoding),
            languages.map(Model::language),
        )
    }

    fn see(&mut self, charset: &'static TrialCharset, model: &'static Model) {
        let is_same = |seen: &&mut SeenEncoding| {
            seen.charset.encoding == charset.encoding && seen.model.language() == model.language()
        };
        if let Some(seen) = self.seen.iter_mut().find(is_same) {
            seen.lines += 1;
        } else {
            if self.seen.len() == MAX_SEEN {
                self.seen.sort_by_key(|seen| std::cmp::Reverse(seen.lines));
                self.seen.pop();
            }
            self.seen.push(SeenEncoding { charset, model, lines: 1 });
        }
    }
}

/// Returns the words of a line, and of the ASCII before it.
fn words_of(before: &[u8], line: &[u8]) -> SampleWords {
    SampleWords::of(&DetectionSample::of(&[before, line].concat(), true))
}

#[cfg(test)]
mod tests {
    use super::super::charset_reading::WEIGHED;
    use super::*;

    fn judged(lines: &mut LineDetector, line: &[u8]) -> Option<&'static str> {
        lines.judge(b"", line).map(Encoding::name)
    }

    /// "нет": in windows-1251 ED E5 F2, in KOI8-R CE C5 D4. Each is letters in the other one too.
    #[test]
    fn a_short_line_goes_with_those_before_it() {
        let mut lines = LineDetector::default();
        let long = b"\xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5 \xDA\xC1\xCB\xD2\xD9\xD4\xCF";
        assert_eq!(judged(&mut lines, long), Some("KOI8-R"));
        assert_eq!(judged(&mut lines, b"\xCE\xC5\xD4"), Some("KOI8-R"));
        assert_eq!(judged(&mut lines, b"\xC4\xC1"), Some("KOI8-R"));
        // A long one in another encoding is clear enough.
        let other = b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED";
        assert_eq!(judged(&mut lines, other), Some("windows-1251"));
        assert_eq!(judged(&mut lines, b"\xED\xE5\xF2"), Some("windows-1251"));
        assert_eq!(judged(&mut lines, b"\xCE\xC5\xD4"), Some("KOI8-R"));
    }

    /// `8.3 °C` in the encoding of the lines before it, or else in windows-1252. F8 43 and B0 43 are in code pages of Korea.
    #[test]
    fn signs_are_those_of_the_lines_before_or_of_windows_1252() {
        let mut lines = LineDetector::default();
        assert_eq!(judged(&mut lines, b"8.3 \xB0C"), Some("windows-1252"));
        let text = b"\x92\xA5\xAC\xAF\xA5\xE0\xA0\xE2\xE3\xE0\xA0 \xA2\xAE\xA4\xEB";
        assert_eq!(judged(&mut lines, text), Some("IBM866"));
        assert_eq!(judged(&mut lines, b"8.3 \xF8C"), Some("IBM866"));
        assert_eq!(judged(&mut lines, b"8.3 \xB0C"), Some("windows-1252"));
    }

    /// A log says the same again and again, and its writers stay with their encodings.
    #[test]
    fn most_lines_of_a_log_are_judged_at_once() {
        let russian: [&[u8]; 3] = [
            b"\xCD\xE5 \xF3\xE4\xE0\xEB\xEE\xF1\xFC \xEE\xF2\xEA\xF0\xFB\xF2\xFC \xF4\xE0\xE9\xEB",
            b"\xC7\xE0\xEF\xF0\xEE\xF1 \xE2\xFB\xEF\xEE\xEB\xED\xE5\xED",
            b"\xEF\xEE\xEB\xFC\xE7\xEE\xE2\xE0\xF2\xE5\xEB\xFC \xE2\xEE\xF8\xE5\xEB",
        ];
        let french: [&[u8]; 2] = [b"\xE9chec de la requ\xEAte", b"\xE0 \xE9t\xE9 cr\xE9\xE9"];
        let mut lines = LineDetector::default();
        for _ in 0..100 {
            for line in russian {
                assert_eq!(judged(&mut lines, line), Some("windows-1251"));
            }
            for line in french {
                assert_eq!(judged(&mut lines, line), Some("windows-1252"));
            }
        }
        assert!(lines.close_trials <= 5 * 5, "{} of 500", lines.close_trials);
        // A new line of the same writer, whose words are not known: "которые могут быть на этом месте после того".
        let before = lines.close_trials;
        let words = b"\xEA\xEE\xF2\xEE\xF0\xFB\xE5 \xEC\xEE\xE3\xF3\xF2 \xE1\xFB\xF2\xFC \
            \xED\xE0 \xFD\xF2\xEE\xEC \xEC\xE5\xF1\xF2\xE5 \xEF\xEE\xF1\xEB\xE5 \xF2\xEE\xE3\xEE";
        assert_eq!(judged(&mut lines, words), Some("windows-1251"));
        assert_eq!(lines.close_trials, before);
    }

    /// A line that is unlike all before it and too short to be judged at once is weighed in each charset only until it is too
    /// unlikely.
    #[test]
    fn a_line_judged_closely_is_read_as_far_as_that_tells() {
        // "не", "ни", "но", "да", "что", "как", "или", "все", "при", "для", "без" and "над".
        let russian = b"\xED\xE5 \xED\xE8 \xED\xEE \xE4\xE0 \xF7\xF2\xEE \xEA\xE0\xEA \xE8\xEB\xE8 \xE2\xF1\xE5 \
            \xEF\xF0\xE8 \xE4\xEB\xFF \xE1\xE5\xE7 \xED\xE0\xE4";
        let russian: Vec<&[u8]> = russian.split(|byte| *byte == b' ').collect();
        let french: [&[u8]; 4] = [b"\xE9t\xE9", b"d\xE9j\xE0", b"apr\xE8s", b"o\xF9"];
        let mut lines = LineDetector::default();
        let before = WEIGHED.get();
        for (number, first) in russian.iter().enumerate() {
            for last in &russian {
                let line = [first, &b" "[..], last, b"\xFB\xE9"].concat();
                assert_eq!(judged(&mut lines, &line), Some("windows-1251"));
            }
            let word = french[number % french.len()];
            let line = [word, b" ", word, word].concat();
            assert_eq!(judged(&mut lines, &line), Some("windows-1252"));
        }
        let each = (WEIGHED.get() - before) / lines.close_trials as u64;
        assert!(
            lines.close_trials >= 50 && each < 400,
            "{each} pairs each in {} lines",
            lines.close_trials
        );
    }

    #[test]
    fn lines_in_utf8_tell_the_language() {
        // E1 is į in windows-1257, and á in the West.
        let line = b"pavasar\xE1";
        let mut lines = LineDetector::default();
        lines.learn(&"ąžuolas ir šermukšnis, kurie gražiai žydėjo vėlyvą pavasarį ".repeat(5));
        assert_eq!(judged(&mut lines, line), Some("windows-1257"));
        let mut lines = LineDetector::default();
        lines.learn(&"el camión está aquí, y mañana estará también en España ".repeat(5));
        assert_eq!(judged(&mut lines, line), Some("windows-1252"));
    }

    /// 236 of these lines, each by itself, are likeliest in IBM866 and 18 in a code page of Japan.
    #[test]
    fn lines_of_utf8_with_stray_bytes_are_in_no_other_encoding() {
        let line = |index: u16| {
            let strays = [0x80 + (index >> 6) as u8, 0x80 + (index & 63) as u8];
            [format!("line {index}: é € ").as_bytes(), &strays, b"A\n"].concat()
        };
        let text: Vec<u8> = (0..500).flat_map(line).collect();
        assert_eq!(encodings_of_lines(&text), None);
    }

    /// "русский" and "українська" in GB 2312 are ideographs of Big5.
    #[test]
    fn a_quotation_is_in_no_other_encoding() {
        let chinese = b"\xBB\xF0\xD0\xC7\xCA\xC7\xCC\xAB\xD1\xF4\xCF\xB5\xB5\xC4\xB5\xDA\xCB\xC4\xBF\xC5\xD0\xD0\xD0\xC7\n";
        let russian = b"[\xA7\xE2\xA7\xE5\xA7\xE3\xA7\xE3\xA7\xDC\xA7\xDA\xA7\xDB]\n";
        let dutch = b"Ze\xA8\xBAuws\n";
        let text = [&chinese.repeat(20)[..], russian, dutch].concat();
        assert_eq!(encodings_of_lines(&text), None);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut lines = LineDetector::default();
        let mut state = 1u32;
        for _ in 0..300 {
            let line: Vec<u8> = (0..12)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8 | 0x80
                })
                .collect();
            lines.judge(b"", &line);
            lines.learn(&"é".repeat(1000));
        }
        assert!(lines.seen.len() <= MAX_SEEN && lines.rivals.len() <= 2 * MAX_SEEN);
        assert!(lines.rivals.iter().all(|rival| rival.models.len() <= MAX_LANGUAGES));
        assert!(lines.learned <= 2 * MAX_LEARNED && !lines.learns());
    }
}
