//! Judges the charsets of the registry by the letters that a text has in each of them.
//!
//! Each candidate reads the same words, and the model of letter pairs says how many bits they cost in each language of
//! its script. The reading with the least cost wins; how many bits it is ahead of the next one that differs says how
//! sure that is.

use super::answer::{Detection, Evidence, RunnerUp};
use super::charsets::{Charset, charsets};
use super::reading::{Pair, Pairs, Reading, byte_pairs};
use super::sample::Sample;
use super::words::Words;
use crate::encoding::{Encoding, System};
use crate::language::{Language, Model, Script, UNIT, models};

/// Bytes beyond ASCII for each that may be wrong.
const BYTES_PER_ERROR: usize = 200;
/// Bits that a byte of text costs at most in its own charset, and bits at which it is no text.
const FITS: f64 = 6.0;
const LOST: f64 = 8.5;
/// Bytes beyond ASCII that may be odd words of a text.
const FEW: usize = 24;
/// What an error costs, in bits.
const ERROR: u64 = 20;
/// The most frequent pairs, by which readings are chosen for a closer look.
const FIRST: usize = 64;
/// Readings that are looked at closely.
const CLOSELY: usize = 48;
/// Languages of each reading that are looked at closely.
const LANGUAGES: usize = 3;
/// Bytes from the first signal on that are tried in EBCDIC.
const EBCDIC: usize = 8 * 1024;
/// Bits of ASCII words that count at most, as so many pairs.
const ASCII_PAIRS: u64 = 40;

/// A reading in a language, and its cost in sixteenths of a bit.
#[derive(Clone, Copy)]
struct Scored<'r> {
    reading: &'r Reading,
    model: &'static Model,
    cost: u64,
}

/// Returns the most likely charset.
pub(super) fn judge(sample: &Sample<'_>, language: Option<Language>) -> Detection {
    if let Some(text) = ebcdic_text(sample) {
        let trial = Trial { charsets: Trial::EBCDIC, ..Trial::new(&text, text.len()) };
        if let Some(detection) = trial.judge(language) {
            return detection;
        }
    }
    let words = Words::of(sample);
    let trial = Trial {
        ascii: Ascii::of(&words),
        line_ends: LineEnds::of(sample),
        ..Trial::new(&words.beyond, words.high)
    };
    trial
        .judge(language)
        .unwrap_or_else(|| Detection::new(Encoding::WINDOWS_1252, 10, Evidence::Letters))
}

/// A text that is read in one charset after another.
struct Trial<'t> {
    text: &'t [u8],
    pairs: Pairs,
    /// Bytes beyond ASCII.
    high: usize,
    ascii: Ascii,
    line_ends: LineEnds,
    charsets: fn(&Charset) -> bool,
}

impl<'t> Trial<'t> {
    const EBCDIC: fn(&Charset) -> bool = |charset| !charset.has_ascii;

    fn new(text: &'t [u8], high: usize) -> Self {
        Self {
            text,
            pairs: byte_pairs(text),
            high,
            ascii: Ascii::default(),
            line_ends: LineEnds::Any,
            charsets: |charset| charset.has_ascii,
        }
    }

    /// Returns the most likely charset; `None` if the text is none in any.
    fn judge(&self, language: Option<Language>) -> Option<Detection> {
        let allowed = (self.high / BYTES_PER_ERROR).max(usize::from(self.high >= 20));
        let readings: Vec<_> = charsets()
            .iter()
            .filter(|charset| (self.charsets)(charset))
            .filter_map(|charset| Reading::of(charset, self.text, &self.pairs, allowed))
            .collect();
        let mut scored: Vec<Scored<'_>> = Vec::new();
        for reading in &readings {
            let mut own: Vec<_> = models_of(reading, &self.pairs, language)
                .map(|model| Scored { reading, model, cost: self.cost(reading, model, FIRST) })
                .collect();
            own.sort_by_key(|scored| scored.cost);
            scored.extend(own.into_iter().take(LANGUAGES));
        }
        scored.sort_by_key(|scored| scored.cost);
        scored.truncate(CLOSELY);
        for scored in &mut scored {
            scored.cost = self.cost(scored.reading, scored.model, usize::MAX);
        }
        scored.sort_by_key(|scored| scored.cost);
        self.answer(&scored)
    }

    /// Returns what a reading costs in a language, in sixteenths of a bit, by its `most` most frequent pairs.
    fn cost(&self, reading: &Reading, model: &Model, most: usize) -> u64 {
        let pairs = reading.pairs(&self.pairs);
        let part = &pairs[..pairs.len().min(most)];
        // The costs of a part stand for all.
        let times = |pairs: &[Pair]| pairs.iter().map(|pair| u64::from(pair.times)).sum::<u64>();
        let cost = reading.cost(part, model) * times(pairs) / times(part).max(1);
        let Charset { rarity, system, .. } = *reading.charset;
        let errors = ERROR * reading.errors as u64;
        let bits = u64::from(rarity) + self.line_ends.cost(system) + errors;
        cost + self.ascii.cost(model) + bits * u64::from(UNIT)
    }

    /// Makes the answer of readings, the least costly first.
    fn answer(&self, best: &[Scored<'_>]) -> Option<Detection> {
        let first = best.first()?;
        let pairs = &self.pairs;
        let mut others: Vec<Scored<'_>> = Vec::new();
        for scored in &best[1..] {
            let is_new = [*first]
                .iter()
                .chain(&others)
                .all(|known| !known.reading.is_same(scored.reading, pairs));
            if is_new && others.len() < 4 {
                others.push(*scored);
            }
        }
        let ahead = |scored: &Scored<'_>| (scored.cost - first.cost) as f64 / f64::from(UNIT);
        let odds = |bits: f64| (-bits.min(500.0) / 4.0).exp2();
        let all = 1.0 + others.iter().map(|scored| odds(ahead(scored))).sum::<f64>();
        let bits =
            first.reading.cost(first.reading.pairs(pairs), first.model) as f64 / f64::from(UNIT);
        let fit = (LOST - bits / self.text.len() as f64) / (LOST - FITS);
        // A few words may be odd.
        let fit = if self.high < FEW { 1.0 } else { fit.clamp(0.0, 1.0) };
        let percent = |odds: f64| (odds / all * fit * 99.0).round() as u8;
        let mut detection =
            Detection::new(first.reading.charset.encoding, percent(1.0), Evidence::Letters);
        detection.language = Some(first.model.language());
        detection.runners_up = others
            .iter()
            .map(|scored| RunnerUp {
                encoding: scored.reading.charset.encoding,
                confidence: percent(odds(ahead(scored))),
            })
            .collect();
        Some(detection)
    }
}

/// Returns the languages in whose scripts a reading is.
fn models_of<'a>(
    reading: &'a Reading,
    pairs: &'a [Pair],
    language: Option<Language>,
) -> impl Iterator<Item = &'static Model> + use<> {
    let scripts = reading.scripts(pairs);
    let all: u32 = scripts.iter().map(|(_, times)| times).sum();
    let mut wanted: Vec<Script> = scripts
        .into_iter()
        .filter(|(_, times)| times * 4 >= all)
        .map(|(script, _)| script)
        .collect();
    if wanted.is_empty() {
        wanted.push(Script::Latin);
    }
    models().iter().filter(move |model| match language {
        Some(language) => model.language() == language,
        None => wanted.iter().any(|script| model.script.includes(*script)),
    })
}

/// What words of ASCII alone say of the language.
#[derive(Default)]
struct Ascii {
    pairs: Vec<Pair>,
    all: u64,
}

impl Ascii {
    fn of(words: &Words) -> Self {
        let pairs = byte_pairs(&words.ascii);
        let all = pairs.iter().map(|pair| u64::from(pair.times)).sum();
        Self { pairs, all }
    }

    /// Returns their cost in a language, as if they were few.
    fn cost(&self, model: &Model) -> u64 {
        if self.all == 0 {
            return 0;
        }
        let symbols: Vec<_> = (0..128).map(|cp| model.symbol(cp)).collect();
        let cost: u64 = self
            .pairs
            .iter()
            .map(|pair| {
                let (before, after) =
                    (symbols[usize::from(pair.before)], symbols[usize::from(pair.after)]);
                u64::from(model.cost(before, after)) * u64::from(pair.times)
            })
            .sum();
        cost * self.all.min(ASCII_PAIRS) / self.all
    }
}

/// The line ends of a text, as far as they tell a system.
#[derive(Clone, Copy, Default)]
enum LineEnds {
    /// None are seen, or they tell nothing.
    #[default]
    Any,
    Cr,
    CrLf,
    Lf,
}

impl LineEnds {
    fn of(sample: &Sample<'_>) -> Self {
        let has = |byte| sample.head.contains(&byte) || sample.bytes.contains(&byte);
        match (has(b'\r'), has(b'\n')) {
            (false, false) => Self::Any,
            (true, false) => Self::Cr,
            (true, true) => Self::CrLf,
            (false, true) => Self::Lf,
        }
    }

    /// Returns how unlikely they are in a file of a system, in bits.
    const fn cost(self, system: System) -> u64 {
        match (self, system) {
            (Self::Cr, System::Macintosh) => 0,
            (Self::Cr, _) => 6,
            (Self::CrLf, System::Macintosh) => 3,
            (Self::Lf, System::Dos) => 1,
            _ => 0,
        }
    }
}

/// Returns the text that is tried in EBCDIC, if it may be: many bytes are its blank, and next to none that of ASCII.
fn ebcdic_text(sample: &Sample<'_>) -> Option<Vec<u8>> {
    let before = usize::try_from(sample.offset).ok()?;
    let mut text = sample.head.get(..before)?.to_vec();
    text.extend_from_slice(&sample.bytes[..sample.bytes.len().min(EBCDIC)]);
    let count = |byte| memchr::memchr_iter(byte, &text).count();
    let blanks = count(0x40);
    (blanks * 25 >= text.len() && count(b' ') * 50 <= blanks).then_some(text)
}
