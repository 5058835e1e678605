//! Chooses a charset by letter frequencies: what does the text cost if it is read in each of them?
//!
//! ```text
//! F1 E5 F0 E2 E5 F0   windows-1251  сервер   few bits: a Russian word
//!                     KOI8-R        ЯЕПБЕП   more: rare pairs, and all in capitals
//!                     windows-1252  ñåðâåð   more: no language of Latin letters has such pairs
//! ```
//!
//! Every candidate reads the same words, those with a non-ASCII byte. A word runs from one byte below 30 to the next,
//! and no charset splits a character there (`sample_words.rs`). The bigram model says how many bits the word costs in
//! each language of the candidate's script. Because the bytes are the same, costs of single-byte and multi-byte
//! charsets can be compared directly.
//!
//! The rest of the evidence is added in bits as well: how rare the charset is, decoding errors, line ends, and the pure
//! ASCII words, which speak for a language only. If those are English, the text may still be in any language, as code
//! and logs are. The least cost wins. Confidence comes from how many bits the winner is ahead of the next reading that
//! yields *different* text: windows-1252 and ISO-8859-1 agree on most texts, and must not compete with each other.
//!
//! ```text
//! SampleWords ─► PairCounts of the bytes ─► TrialReading of each charset ─► Scored in each of its languages
//!                                           too many errors: dropped        80 pairs first, then the best by all
//!            ─► the cheapest, and the others whose text differs ─► Grounds ─► confidence
//! ```
//!
//! Everything is in bits because a bit means the same for all of it: a bit more, and the reading is half as likely. So
//! evidence of different kinds needs no weights besides, and a constant can be judged by itself: a charset with a
//! rarity of 6 is taken to be 64 times as rare as the most common ones.

use std::cell::OnceCell;

use super::answer::{Detection, Evidence, RunnerUp};
use super::ascii_costs::AsciiCosts;
use super::charsets::TrialCharset;
use super::confidence::{Grounds, percent};
use super::detection_sample::DetectionSample;
use super::expected::Expected;
use super::language_answer::{self, LanguageAnswer};
use super::line_end_evidence::LineEndEvidence;
use super::priors::Priors;
use super::sample_words::SampleWords;
use super::trial_reading::{Limit, PairCounts, TrialReading};
use crate::language::{Language, MISPLACED, Model, Script, UNIT};
use oxiconv_encodings::encoding::{Encoding, Usage};

/// How many errors a charset may have before it is ruled out: one per so many non-ASCII bytes, since a real text may
/// have an odd byte. From 20 bytes on, one error is always forgiven. A truncated character at the end is forgiven
/// besides, but not in a text with fewer non-ASCII bytes than the second number: there, one error refutes the charset.
const BYTES_PER_ERROR: usize = 200;
const MIN_BEFORE_CUT: usize = 8;
/// Above this many bits per byte, a line is not text in any charset. Fewer non-ASCII bytes than the second number may
/// be odd words or abbreviations, so the limit does not apply to them. A whole text needs no limit: the same bits per
/// byte lower its confidence.
pub(super) const NOT_TEXT: f64 = 8.5;
pub(super) const FEW_LETTERS: usize = 24;
/// The cost of a decoding error in bits, on top of what the model charges for an unknown character.
const ERROR_COST: u64 = 2;
/// What it costs in bits if charset and language do not belong together: Latin text in a charset that was made for
/// another script, a language that the charset was used for but not made for, and a language for which other charsets
/// were usual. Pairs that nobody ever used are not tried at all. Charsets of one region share most of their letters,
/// and then these bits and the rarity decide: the umlauts of German are the same bytes in windows-1252, which was made
/// for German, and in windows-1250, which was also used for it.
const FOREIGN_SCRIPT: u64 = 10;
const NOT_ITS_OWN: u64 = 3;
const UNUSUAL_CHARSET: u64 = 18;
/// The width of the search in [`Trial::scored`]: the most frequent pairs that the first pass looks at, the readings
/// that the second one prices exactly, and the languages of one reading among them. Without the last limit, a charset
/// that was used for dozens of languages would crowd out the others.
const TOP_PAIRS: usize = 80;
const SHORTLIST: usize = 96;
const LANGUAGES_PER_READING: usize = 6;
/// A reading of a short text that costs so much more than the best one is given up, in sixteenths of a bit. With 40
/// bits, texts in two encodings were given a confidence of 95 %, because the readings that spoke against it were missing.
const HOPELESS: u64 = 80 * UNIT as u64;
const EBCDIC_SAMPLE: usize = 32 * 1024;
pub(super) const MAX_RUNNERS_UP: usize = 4;
/// English words in a text in another language, as in code, logs and markup, cost only so many bits.
const ENGLISH_AMONG_OTHERS: u64 = 5;

/// A reading in one language, with its cost in sixteenths of a bit. `text` is the cost of its characters, and `other`
/// that of everything else: the charset, the language, and the ASCII words in that language.
#[derive(Clone, Copy)]
pub(super) struct Scored<'r> {
    pub(super) reading: &'r TrialReading,
    pub(super) model: &'static Model,
    pub(super) text: u64,
    other: u64,
}

/// Which readings a search is for: the `count` cheapest that cost at most `most` in total. `each` is the least cost per
/// pair of a reading that is known. Costs are in sixteenths of a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchWidth {
    pub(super) count: usize,
    pub(super) most: u64,
    pub(super) each: u64,
}

impl SearchWidth {
    /// The `count` cheapest, whatever they cost.
    pub(super) const fn cheapest(count: usize) -> Self {
        Self { count, most: u64::MAX, each: u64::MAX }
    }
}

impl Scored<'_> {
    pub fn cost(&self) -> u64 {
        self.text + self.other
    }

    /// Returns the odds of another reading, which costs no less, against this one. They are taken from half the bits;
    /// [`Grounds::confidence`] undoes that.
    ///
    /// Half the bits make the shares of the runners-up less steep: of two that are ten bits apart, the second one gets
    /// a 32nd of the share of the first, instead of a 1024th. And several rivals that are close together weigh more
    /// against the answer than the closest one alone.
    fn odds(&self, other: &Self) -> f64 {
        odds_of_lead(other.cost() - self.cost())
    }
}

/// Returns the odds of a reading that costs so much more than another, in sixteenths of a bit.
fn odds_of_lead(lead: u64) -> f64 {
    let ahead = lead as f64 / f64::from(UNIT);
    libm::exp2(-ahead.min(500.0) / 2.0)
}

/// Returns the most likely charset.
pub fn judge(sample: &DetectionSample<'_>, expected: Expected) -> Detection {
    ebcdic(sample, expected).unwrap_or_else(|| {
        let words = SampleWords::of(sample);
        let trial = Trial {
            line_ends: LineEndEvidence::of(sample),
            may_be_cut: words.may_be_cut,
            ..Trial::with_ascii(&words)
        };
        let nothing = || Detection::new(Encoding::UTF_8, 0, Evidence::Letters);
        trial.best(expected).map_or_else(nothing, |(_, detection)| detection)
    })
}

/// Returns the most likely charset if the text looks like EBCDIC and reads best in one of its code pages. Its bytes may
/// all be ASCII: the Hebrew letters of IBM424 are.
///
/// The code pages compete with all other charsets and must beat them. There are no words here, since the space of
/// EBCDIC is not the one of ASCII: the text is read as a whole, and any of its bytes may be a letter.
pub(super) fn ebcdic(sample: &DetectionSample<'_>, expected: Expected) -> Option<Detection> {
    let text = without_ascii(sample)?;
    let trial = Trial::new(&text, text.len(), true);
    let (charset, detection) = trial.best(expected)?;
    (!charset.has_ascii).then_some(detection)
}

/// Whether these ASCII words are likelier to be English than in `language`, by at least `by` bits.
pub(super) fn is_likelier_english(words: &[u8], language: Language, by: i64) -> bool {
    let ascii = AsciiCosts::of_words(words);
    let bits = by * i64::from(UNIT);
    ascii.cost(Language::english()).saturating_add_signed(bits) <= ascii.cost(language.model())
}

/// A text that is read in many charsets, and what else is known of it.
pub(super) struct Trial<'t> {
    /// The words that are read. In EBCDIC, which has other spaces, it is the text itself.
    text: &'t [u8],
    pairs: PairCounts,
    high_bytes: usize,
    /// What ASCII costs in each language: the pairs within ASCII in `text`, and the words of ASCII alone.
    inside: AsciiCosts,
    ascii: AsciiCosts,
    line_ends: LineEndEvidence,
    /// Whether the end may truncate a character. A line or a single word ends where it should; a sample may not.
    may_be_cut: bool,
    /// Whether EBCDIC is tried too. Otherwise only supersets of ASCII are.
    all_charsets: bool,
}

impl<'t> Trial<'t> {
    fn new(text: &'t [u8], high_bytes: usize, all_charsets: bool) -> Self {
        let mut pairs = PairCounts::of_bytes(text, !all_charsets);
        Self {
            text,
            inside: AsciiCosts::of(std::mem::take(&mut pairs.ascii), u64::MAX),
            pairs,
            high_bytes,
            ascii: AsciiCosts::default(),
            line_ends: LineEndEvidence::Any,
            may_be_cut: false,
            all_charsets,
        }
    }

    /// A trial of the non-ASCII words, in which the ASCII words add evidence for a language.
    pub(super) fn with_ascii(words: &'t SampleWords) -> Self {
        let ascii = AsciiCosts::of_words(&words.ascii);
        Self { ascii, ..Self::new(&words.non_ascii, words.high_bytes, false) }
    }

    fn best(&self, expected: Expected) -> Option<(&'static TrialCharset, Detection)> {
        let readings = self.readings(expected);
        let scored =
            self.scored(&readings, expected, SearchWidth::cheapest(SHORTLIST), &Priors::default());
        let first = scored.first()?;
        let mut detection = self.answer(&scored)?;
        match self.language_of(first.reading, expected) {
            Some(LanguageAnswer::Clear(language)) => detection.language = Some(language),
            Some(LanguageAnswer::Unclear(language, family)) => {
                detection.language = Some(language);
                detection.unclear = Some(family);
            }
            None => {}
        }
        Some((first.reading.charset, detection))
    }

    /// Returns the language of a reading, as far as it is clear.
    fn language_of(&self, reading: &TrialReading, expected: Expected) -> Option<LanguageAnswer> {
        let (width, none, mut least) =
            (SearchWidth::cheapest(SHORTLIST), Priors::default(), u64::MAX);
        let all = self.in_languages(reading, expected, width, &none, u64::MAX, &mut least);
        language_answer::judge(all.iter().map(|one| (one.model.language(), one.cost())))
    }

    pub(super) fn readings(&self, expected: Expected) -> Vec<TrialReading> {
        let charsets = expected.charsets().filter(|charset| self.all_charsets || charset.has_ascii);
        let mut readings = Vec::with_capacity(charsets.size_hint().1.unwrap_or_default());
        readings.extend(charsets.filter_map(|charset| self.reading(charset)));
        readings
    }

    pub(super) fn reading(&self, charset: &'static TrialCharset) -> Option<TrialReading> {
        let allowed = (self.high_bytes / BYTES_PER_ERROR).max(usize::from(self.high_bytes >= 20));
        // The last word is followed by a space, so a character that the end of the sample truncates is an error in a
        // multi-byte charset. A longer text has an error to spare for it. A shorter one is not refuted by it, provided
        // that the error is really at its end: an extra error anywhere would let arbitrary bytes pass for a multi-byte
        // charset.
        let is_cut =
            || self.may_be_cut && self.high_bytes >= MIN_BEFORE_CUT && charset.is_cut(self.text);
        let cut = usize::from(allowed == 0 && is_cut());
        TrialReading::of(charset, self.text, &self.pairs, allowed + cut)
    }

    /// Returns readings, cheapest first. `width` says which of those in encodings that a line may be in are among them;
    /// others may be missing. `priors` are additional costs of encodings and languages.
    ///
    /// Two passes keep this affordable. The first one prices every reading in every plausible language by its
    /// [`TOP_PAIRS`] most frequent pairs only, and scales up. It abandons a reading as soon as it is hopeless. The
    /// second pass prices the [`SHORTLIST`] by all pairs.
    ///
    /// Two bounds say when a reading is hopeless. The loose one is for long texts: a language whose first pairs cost
    /// twice the least average so far will not catch up. A tighter bound could lose the right answer there, because the
    /// first price is an estimate. Most texts of one line have no more than [`TOP_PAIRS`] pairs, so their first price
    /// is exact, and the bound can be tight: [`HOPELESS`], or the cost of the last reading that is wanted so far.
    /// Only readings in encodings that a line may be in move it, because the line detector, which
    /// asks for few, drops the others afterwards. A caller that knows a good reading gives a third bound, `width.most`.
    pub(super) fn scored<'r>(
        &self,
        readings: &'r [TrialReading],
        expected: Expected,
        width: SearchWidth,
        priors: &Priors,
    ) -> Vec<Scored<'r>> {
        let bounds = self.bounds(readings);
        let counts = |reading: &TrialReading| reading.charset.encoding.may_be_fallback();
        let (mut scored, mut best) = (Vec::new(), width.each);
        // The likeliest reading is priced first, so that the bound is tight at once.
        let likeliest = bounds.iter().zip(readings).filter(|(_, reading)| counts(reading));
        let likeliest = likeliest.filter_map(|(bound, reading)| Some(((*bound)?, reading)));
        let first = likeliest.min_by_key(|(bound, _)| *bound).and_then(|(_, reading)| {
            let mut each = width.each;
            let own = self.in_languages(reading, expected, width, priors, u64::MAX, &mut each);
            own.first().map(Scored::cost)
        });
        let mut most = first.map_or(u64::MAX, |first| first + HOPELESS);
        // The least costs so far in ascending order, at most `width.count`.
        let mut least = Vec::<u64>::new();
        for (bound, reading) in bounds.iter().zip(readings) {
            if bound.is_some_and(|bound| bound > most) {
                continue;
            }
            let own = self.in_languages(reading, expected, width, priors, most, &mut best);
            for cost in own.iter().filter(|_| counts(reading)).map(Scored::cost) {
                least.insert(least.partition_point(|it| *it <= cost), cost);
            }
            least.truncate(width.count);
            let last = least.get(width.count - 1).copied().unwrap_or(u64::MAX);
            most = least.first().map_or(most, |least| most.min(last).min(least + HOPELESS));
            scored.extend(own);
        }
        scored.sort_by_key(Scored::cost);
        scored.truncate(SHORTLIST);
        for scored in scored.iter_mut().filter(|scored| !self.is_short(scored.reading)) {
            let text = self.cost_of_text(scored.reading, scored.model, usize::MAX, Limit::NONE);
            scored.text = text.unwrap_or(scored.text);
        }
        scored.sort_by_key(Scored::cost);
        scored
    }

    /// Returns a cost that each reading of a short text has at least, in whatever language; `None` if none is known.
    /// Most readings are hopeless by that alone, and need not be priced in any language.
    fn bounds(&self, readings: &[TrialReading]) -> Vec<Option<u64>> {
        let ascii = OnceCell::new();
        let bound = |reading: &TrialReading| {
            let of_pairs = self.is_short(reading).then(|| reading.least_cost(&self.pairs))??;
            let ascii = ascii.get_or_init(|| self.inside.least());
            Some(self.cost_of_charset(reading) + ascii + of_pairs)
        };
        readings.iter().map(bound).collect()
    }

    /// Returns a reading in each of its languages that is not hopeless, cheapest first. `most` is the bound for a short
    /// text, and `best` the least cost per pair so far.
    fn in_languages<'r>(
        &self,
        reading: &'r TrialReading,
        expected: Expected,
        width: SearchWidth,
        priors: &Priors,
        most: u64,
        best: &mut u64,
    ) -> Vec<Scored<'r>> {
        let pairs = self.pairs_of(reading).max(1);
        let of_charset =
            self.cost_of_charset(reading) + priors.of_encoding(reading.charset.encoding);
        let most = if self.is_short(reading) { most } else { u64::MAX };
        let mut scored = Vec::new();
        for model in models_of(reading, &self.pairs, expected) {
            let other = self.cost_of_words(model)
                + of_charset
                + cost_of_language(reading.charset, model)
                + priors.of_language(model.language());
            let Some(most_of_text) = width.most.checked_sub(other) else { continue };
            // The `max` keeps the tight bound from abandoning a reading whose average would become the new least one,
            // which later readings are measured by.
            let all = most.saturating_sub(other).max(best.saturating_mul(pairs));
            let limit = Limit { each: best.saturating_mul(2), all: all.min(most_of_text) };
            let Some(text) = self.cost_of_text(reading, model, TOP_PAIRS, limit) else { continue };
            *best = (*best).min(text / pairs);
            scored.push(Scored { reading, model, text, other });
        }
        scored.sort_by_key(Scored::cost);
        scored.truncate(LANGUAGES_PER_READING);
        scored
    }

    /// Returns the cost of a reading in a language, in sixteenths of a bit (see [`TrialReading::cost`]).
    fn cost_of_text(
        &self,
        reading: &TrialReading,
        model: &Model,
        most: usize,
        limit: Limit,
    ) -> Option<u64> {
        reading.cost(&self.pairs, model, self.inside.cost(model), most, limit)
    }

    /// Returns the cost of the words of ASCII alone, in sixteenths of a bit.
    ///
    /// They are the same in every charset, so they cannot tell charsets apart directly. They tell the language, and the
    /// language tells the charset: German words around one byte E4 make it an ä. But code, logs and markup are in
    /// English whatever the language of the text in them is. So the words never cost more than English ones in a
    /// foreign text do: their cost in English, plus [`ENGLISH_AMONG_OTHERS`] bits.
    fn cost_of_words(&self, model: &Model) -> u64 {
        let english = self.ascii.cost(Language::english()) + ENGLISH_AMONG_OTHERS * u64::from(UNIT);
        self.ascii.cost(model).min(english)
    }

    fn is_short(&self, reading: &TrialReading) -> bool {
        reading.pairs(&self.pairs).list.len() <= TOP_PAIRS
    }

    /// Returns the cheapest of some languages of a reading. `best` holds the total cost and the text cost of the best
    /// reading so far. `None` if no language is cheaper, or if the text alone costs much more per pair than that of the
    /// best one.
    ///
    /// The costs of ASCII words come last, since they take a loop over other pairs: a language that is too expensive
    /// without them is not asked.
    pub(super) fn best_language<'r>(
        &self,
        reading: &'r TrialReading,
        languages: &[&'static Model],
        priors: &Priors,
        best: Option<(u64, u64)>,
    ) -> Option<Scored<'r>> {
        let of_charset =
            self.cost_of_charset(reading) + priors.of_encoding(reading.charset.encoding);
        let pairs = self.pairs_of(reading).max(1);
        let (mut least, mut text) = best.unwrap_or((u64::MAX, u64::MAX));
        let mut best = None;
        for model in languages {
            let other = of_charset
                + cost_of_language(reading.charset, model)
                + priors.of_language(model.language());
            let Some(all) = least.checked_sub(other) else { continue };
            let each = (text / pairs).saturating_mul(3) / 2;
            let limit = Limit { each: each.max(1), all };
            let Some(cost) = self.cost_of_text(reading, model, usize::MAX, limit) else { continue };
            let other = other + self.cost_of_words(model);
            if cost + other < least {
                (least, text) = (cost + other, cost);
                best = Some(Scored { reading, model, text, other });
            }
        }
        best
    }

    /// Converts a cost in sixteenths of a bit to bits per byte of the text.
    pub(super) fn bits(&self, cost: u64) -> f64 {
        cost as f64 / f64::from(UNIT) / self.text.len() as f64
    }

    pub(super) fn pairs(&self) -> &PairCounts {
        &self.pairs
    }

    pub(super) fn pairs_of(&self, reading: &TrialReading) -> u64 {
        reading.pairs(&self.pairs).all
    }

    /// Returns the cost of a charset apart from its text, in sixteenths of a bit.
    fn cost_of_charset(&self, reading: &TrialReading) -> u64 {
        let TrialCharset { rarity, system, .. } = *reading.charset;
        let errors = ERROR_COST * reading.errors as u64;
        let misplaced = u64::from(MISPLACED) * reading.misplaced(&self.pairs);
        (u64::from(rarity) + self.line_ends.cost(system) + errors + misplaced) * u64::from(UNIT)
    }

    fn answer(&self, best: &[Scored<'_>]) -> Option<Detection> {
        let first = best.first()?;
        let others = self.others(best);
        let grounds = self.grounds(first, &others);
        let sure = grounds.confidence();
        let mut detection =
            Detection::new(first.reading.charset.encoding, percent(sure), Evidence::Letters);
        detection.language = Some(first.model.language());
        // The runners-up share what the answer's confidence leaves, in proportion to their odds, and none may exceed
        // it.
        let share =
            |other: &Scored<'_>| ((1.0 - sure) * first.odds(other) / grounds.odds).min(sure);
        detection.runners_up = others
            .iter()
            .map(|other| RunnerUp {
                encoding: other.reading.charset.encoding,
                confidence: percent(share(other)),
            })
            .filter(|other| other.confidence > 0)
            .collect();
        Some(detection)
    }

    /// Returns the next readings whose text differs from that of the first one and from each other's. Charsets overlap
    /// so much that the runner-up by cost is nearly always the same text in a relative of the winner, which would make
    /// any answer look doubtful. The same holds among the runners-up: each is a different text, so a list of four
    /// offers four choices.
    fn others<'r>(&self, best: &[Scored<'r>]) -> Vec<Scored<'r>> {
        let mut known: Vec<Scored<'_>> = Vec::new();
        for scored in best {
            let is_same = |one: &Scored<'_>| one.reading.is_same(scored.reading, &self.pairs);
            if known.len() <= MAX_RUNNERS_UP && !known.iter().any(is_same) {
                known.push(*scored);
            }
        }
        known.drain(..1.min(known.len()));
        known
    }

    /// Returns the evidence for the first reading of several. In a short text, hopeless readings may be missing from
    /// the others. Their odds are unknown, so those of one that is just hopeless stand for them.
    fn grounds(&self, first: &Scored<'_>, others: &[Scored<'_>]) -> Grounds {
        let odds: f64 = others.iter().map(|other| first.odds(other)).sum();
        let hopeless = match self.is_short(first.reading) {
            true => odds_of_lead(HOPELESS),
            false => 0.0,
        };
        Grounds { odds: odds.max(hopeless), bits: self.bits(first.text) }
    }
}

/// Returns what speaks against a language in a charset, in sixteenths of a bit. The order of the arms matters: a
/// charset that was made for a language is never held to be foreign to it, and one of another script costs the same
/// whether it was used for the language also or rarely.
fn cost_of_language(charset: &TrialCharset, model: &Model) -> u64 {
    let bits = match charset.usage(model.language()) {
        Usage::Main => 0,
        _ if model.script == Script::Latin && !charset.is_latin => FOREIGN_SCRIPT,
        Usage::Also => NOT_ITS_OWN,
        Usage::Rarely | Usage::Never => UNUSUAL_CHARSET,
    };
    bits * u64::from(UNIT)
}

/// Returns the languages to try for a reading: those that the charset was used for and whose script is one of the main
/// scripts of its letters, or the expected ones.
fn models_of(
    reading: &TrialReading,
    bytes: &PairCounts,
    expected: Expected,
) -> impl Iterator<Item = &'static Model> + use<> {
    let charset = reading.charset;
    // The charset's own script counts even if it is rare: a Korean text that lists the names of other languages in
    // their scripts is still Korean if it has any Hangul.
    let is_own = |script: Script| {
        let is_main = |model: &&Model| charset.usage(model.language()) == Usage::Main;
        script != Script::Latin
            && charset.models().filter(is_main).any(|model| model.script.includes(script))
    };
    let counts = reading.scripts(bytes);
    let is_likely =
        |(script, times): &(Script, u32)| times * 4 >= counts.letters() || is_own(*script);
    let mut scripts: Vec<_> = counts.iter().filter(is_likely).map(|(script, _)| script).collect();
    if scripts.is_empty() {
        scripts.push(Script::Latin);
    }
    charset.models().filter(move |model| match expected.languages.is_empty() {
        true => scripts.iter().any(|script| model.script.includes(*script)),
        false => expected.languages.contains(model.language()),
    })
}

/// Returns the start of a text that looks like EBCDIC: it has no ASCII space or line feed, but an EBCDIC line end (15,
/// 25), or at least one byte in 25 is an EBCDIC space (40). ASCII text with so many `@` hardly ever has not a single
/// space, so the many code pages of EBCDIC are not tried on other texts.
///
/// The text is the head up to the sample, and the sample if it follows directly. The sample alone would not do: it
/// begins at the first byte beyond ASCII, and blanks, line ends and signs of EBCDIC are bytes of ASCII.
fn without_ascii(sample: &DetectionSample<'_>) -> Option<Vec<u8>> {
    let before = sample.head.len().min(usize::try_from(sample.offset).ok()?);
    let mut text = sample.head[..before].to_vec();
    if before as u64 == sample.offset {
        text.extend_from_slice(&sample.bytes[..sample.bytes.len().min(EBCDIC_SAMPLE)]);
    }
    let count = |byte| memchr::memchr_iter(byte, &text).count();
    let has_ascii = count(b' ') + count(b'\n') > 0;
    let has_ebcdic = count(0x40) * 25 >= text.len() || count(0x15) + count(0x25) > 0;
    (!has_ascii && has_ebcdic).then_some(text)
}

#[cfg(test)]
mod tests;
