//! Judges the charsets of the registry by the letters that a text has in each of them.
//!
//! Each candidate reads the same words, and the model of letter pairs says how many bits they cost in each language of
//! its script. The reading with the least cost wins; how many bits it is ahead of the next one that differs says how
//! sure that is.

use super::answer::{Detection, Evidence, RunnerUp};
use super::charsets::{Charset, charsets};
use super::reading::{Pair, Pairs, Reading};
use super::sample::Sample;
use super::words::Words;
use crate::encoding::{Encoding, System};
use crate::language::{Character, Language, Model, Script, UNIT, models};

/// Bytes beyond ASCII for each that may be wrong.
const BYTES_PER_ERROR: usize = 200;
/// Bits that a byte of text costs at most in its own charset, and bits at which it is no text.
const FITS: f64 = 6.0;
const LOST: f64 = 8.5;
/// Bytes beyond ASCII that may be odd words of a text.
const FEW: usize = 24;
/// What an error costs, in bits.
const ERROR: u64 = 20;
/// What a mark inside a word costs, in bits.
const CUT: u64 = 8;
/// What it costs that a charset of another script holds text in the Latin one, in bits.
const FOREIGN: u64 = 10;
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

/// A reading in a language, and its costs in sixteenths of a bit.
#[derive(Clone, Copy)]
struct Scored<'r> {
    reading: &'r Reading,
    model: &'static Model,
    /// Those of the text.
    text: u64,
    /// Those of all else: of the charset, and of words of ASCII in the language.
    other: u64,
}

impl Scored<'_> {
    fn cost(&self) -> u64 {
        self.text + self.other
    }
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
            pairs: Pairs::of_bytes(text),
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
        let ascii: Vec<u64> = models().iter().map(|model| self.ascii.cost(model)).collect();
        let mut scored: Vec<Scored<'_>> = Vec::new();
        for reading in &readings {
            let mut own: Vec<_> = models_of(reading, &self.pairs, language)
                .map(|(number, model)| {
                    let other = ascii[number] + self.cost_of_charset(reading, model);
                    let text = reading.cost(&self.pairs, model, FIRST);
                    Scored { reading, model, text, other }
                })
                .collect();
            own.sort_by_key(Scored::cost);
            scored.extend(own.into_iter().take(LANGUAGES));
        }
        scored.sort_by_key(Scored::cost);
        scored.truncate(CLOSELY);
        for scored in &mut scored {
            scored.text = scored.reading.cost(&self.pairs, scored.model, usize::MAX);
        }
        scored.sort_by_key(Scored::cost);
        self.answer(&scored)
    }

    /// Returns what speaks against a charset besides its text, in sixteenths of a bit.
    fn cost_of_charset(&self, reading: &Reading, model: &Model) -> u64 {
        let Charset { rarity, system, is_latin, .. } = *reading.charset;
        let foreign = if model.script == Script::Latin && !is_latin { FOREIGN } else { 0 };
        let errors = ERROR * reading.errors as u64;
        let cuts = CUT * reading.cuts(&self.pairs);
        (u64::from(rarity) + self.line_ends.cost(system) + errors + cuts + foreign)
            * u64::from(UNIT)
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
        let ahead = |scored: &Scored<'_>| (scored.cost() - first.cost()) as f64 / f64::from(UNIT);
        let odds = |bits: f64| (-bits.min(500.0) / 4.0).exp2();
        let all = 1.0 + others.iter().map(|scored| odds(ahead(scored))).sum::<f64>();
        let bits = first.text as f64 / f64::from(UNIT);
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

/// Returns the languages in whose scripts a reading is, with their numbers.
fn models_of(
    reading: &Reading,
    bytes: &Pairs,
    language: Option<Language>,
) -> impl Iterator<Item = (usize, &'static Model)> + use<> {
    let mut scripts = reading.scripts(bytes);
    let all: u32 = scripts.iter().map(|(_, times)| times).sum();
    scripts.retain(|(_, times)| times * 4 >= all);
    if scripts.is_empty() {
        scripts.push((Script::Latin, 0));
    }
    models().iter().enumerate().filter(move |(_, model)| match language {
        Some(language) => model.language() == language,
        None => scripts.iter().any(|(script, _)| model.script.includes(*script)),
    })
}

/// What words of ASCII alone say of the language.
#[derive(Default)]
struct Ascii(Pairs);

impl Ascii {
    fn of(words: &Words) -> Self {
        Self(Pairs::of_bytes(&words.ascii))
    }

    /// Returns their cost in a language, in sixteenths of a bit, as if they were few.
    fn cost(&self, model: &Model) -> u64 {
        let Self(Pairs { list, all, .. }) = self;
        let symbols: Vec<_> = (0..128).map(|cp| model.symbol(Character::from(cp))).collect();
        let symbol = |at: u16| symbols[usize::from(at)];
        let cost = |pair: &Pair| u64::from(model.cost(symbol(pair.before), symbol(pair.after)));
        let cost: u64 = list.iter().map(|pair| cost(pair) * u64::from(pair.times)).sum();
        cost * all.min(&ASCII_PAIRS) / all.max(&1)
    }
}

/// The line ends of a text, as far as they tell a system.
#[derive(Clone, Copy, Default)]
enum LineEnds {
    /// None are seen, or LF, which tells nothing.
    #[default]
    Any,
    Cr,
    CrLf,
}

impl LineEnds {
    fn of(sample: &Sample<'_>) -> Self {
        let has = |byte| sample.head.contains(&byte) || sample.bytes.contains(&byte);
        match (has(b'\r'), has(b'\n')) {
            (true, false) => Self::Cr,
            (true, true) => Self::CrLf,
            (false, _) => Self::Any,
        }
    }

    /// Returns how unlikely they are in a file of a system, in bits.
    const fn cost(self, system: System) -> u64 {
        match (self, system) {
            (Self::Cr, System::Macintosh) => 0,
            (Self::Cr, _) => 6,
            (Self::CrLf, System::Macintosh) => 3,
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
