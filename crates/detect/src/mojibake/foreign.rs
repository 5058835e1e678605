//! Whether a region is text in one charset that was read in another: `Ïðèâåò` was `Привет`.
//!
//! A single short word fits many charsets, so all words of a region vote. Each charset gets the bits that its reading
//! of each word saves over the word as it stands:
//!
//! ```text
//! Ïðèâåò, ìèð     as it stands: four accented letters in a row
//!   windows-1251  Привет, мир   Russian: both words save bits
//!   KOI8-R        оПХБЕР, ЛХП   a capital inside a word: this counts against KOI8-R
//! ```
//!
//! A charset is chosen if its sum is clearly positive and no charset that reads the words differently comes near. What
//! a single word may add or take is bounded, so that one odd word, such as a name or a code, cannot decide for the
//! line.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::controls;
use super::damage_judge::UNREADABLE;
use super::ideographs::is_wide;
use super::suspect_part::count_letters;
use super::swapped::{SwappedPair, pairs, readings, words};
use super::unusual_word::is_unusual;
use super::weigh::Scale;
use crate::language::{Script, joins_words};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// Upper bound, in bits, for what a word costs as it stands: this much per byte, and this much for the word.
const MAX_BYTE_COST: f32 = 6.5;
const MAX_WORD_COST: f32 = 12.0;
/// Upper bound, in bits, for what a word of one letter adds to a charset. It must count for something: in `‚ ìîðå`,
/// MacCyrillic reads `В море`, and windows-1251 leaves a stray quotation mark.
const MAX_ONE_LETTER: f32 = 4.0;
/// Upper bound, in bits, for what a word takes from a charset: the line may have a word in another charset, or a sound
/// one.
const MAX_AGAINST: f32 = 4.0;
/// Bits that a word takes from a charset whose reading puts a sign or a capital inside it. No word has these, so the
/// word was in another charset.
const TORN: f32 = 20.0;
/// A word stays as it is if the reading of the chosen charset costs this many bits more.
const SOUND: f32 = 24.0;
/// Lead, in bits, over the next charset that reads the words differently.
const APART: f32 = 3.0;
/// The most charsets of Latin letters in which a region is weighed as a whole, and how far below zero their sums may
/// be, in bits.
const MAX_LATIN_CHARSETS: usize = 6;
const NEAR: f32 = 24.0;
/// Extra lead, in bits, if no word of the region is suspicious as it stands.
const ALONE: f32 = 4.0;

/// The fewest letters of a word that is Cyrillic as it stands and evidence for another charset. KOI8-R has small
/// letters where windows-1251 has capitals, so an abbreviation such as `рРНК` is `Ттол`.
const MIN_CYRILLIC: usize = 6;
/// The characters of ASCII before and after the letters of a word that are weighed with it.
const AROUND: usize = 4;
/// The fewest letters of a word in which Greek letters and mathematical signs may have been Latin letters.
const MIN_AROUND_SIGN: usize = 4;
/// The fewest characters beyond ASCII among which lead bytes of UTF-8 are counted. Fewer may share one by chance.
const MIN_LEADS: usize = 5;
/// The number of cached words.
const MAX_CACHED_WORDS: usize = 1024;

/// What the text so far says about a charset.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharsetPrior {
    /// What text in this charset costs, in bits: the prior.
    pub(super) penalty: f32,
    /// Required lead over the text as it stands, in bits.
    pub(super) least: f32,
    /// Whether text in it was found often enough to be usual.
    pub(super) is_usual: bool,
}

/// The words of a region that are in another charset.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    /// The charsets, one of [`pairs`].
    pub(super) index: usize,
    /// Other charsets that read the words alike: lowercase letters except я are the same bytes in windows-1251 and
    /// MacCyrillic.
    pub(super) relatives: Vec<usize>,
    /// Lead over the text as it stands, in bits.
    pub(super) gain: f32,
    /// The same lead, with signs in the text as it stands at their capped cost ([`Scale::cost_as_is`]). It is what
    /// UTF-8 found in the same region competes with.
    pub(super) saved: f32,
    /// The ranges of the words, and what they meant.
    pub(super) words: Vec<(Range<usize>, Vec<CodePoint>)>,
}

/// The words of a region as one charset reads them.
#[derive(Default)]
struct CharsetReading {
    index: usize,
    /// The indices of the words that it reads differently.
    words: Vec<usize>,
    /// The bits that they save.
    gain: f32,
    /// Whether a word is evidence for the charset, and whether a word is suspicious as it stands.
    is_evidence: bool,
    is_suspicious: bool,
}

/// Sorts readings, the best one first.
fn rank(readings: &mut [CharsetReading]) {
    readings.sort_by(|one, other| other.gain.total_cmp(&one.gain));
}

/// What a word is in a charset.
#[derive(Clone)]
struct WordGain {
    text: Vec<CodePoint>,
    /// The bits saved, and whether they are evidence for the charset.
    bits: f32,
    is_evidence: bool,
    /// Whether the reading has a sign or a capital inside the word.
    is_torn: bool,
}

impl WordGain {
    fn text(&self) -> &[CodePoint] {
        &self.text
    }
}

/// The reading of a word in each charset; `None` where the charset cannot read it.
type WordGains = Vec<Option<WordGain>>;

/// Caches the readings of words, which do not depend on the text around them.
#[derive(Default)]
pub(super) struct GainCache(HashMap<Vec<CodePoint>, Arc<WordGains>>);

impl GainCache {
    /// Whether a word is better text in some charset than as it stands.
    pub(super) fn is_foreign(&mut self, word: &[CodePoint], scale: &mut Scale) -> bool {
        let gains = |gain: &WordGain| gain.is_evidence && gain.bits > 0.0;
        self.of(word, scale).iter().flatten().any(gains)
    }

    /// Returns the readings of a word in all charsets, and what each saves.
    ///
    /// A reading that is a word may save any number of bits. One that is none, such as signs for signs, saves nothing,
    /// and one of a single character saves [`MAX_ONE_LETTER`] at most. Any of them may cost more than the word as it
    /// stands.
    fn of(&mut self, word: &[CodePoint], scale: &mut Scale) -> Arc<WordGains> {
        if let Some(gains) = self.0.get(word) {
            return Arc::clone(gains);
        }
        let mut gains: WordGains = vec![None; pairs().len()];
        let (is_list, is_symbol, is_cyrillic) = (is_list(word), is_symbol(word), is_cyrillic(word));
        // Relatives read many words alike: a text that was weighed for one charset is not weighed again.
        let mut weighed: Vec<(usize, f32)> = Vec::new();
        for (index, text) in readings(word) {
            let is_torn = text != word && is_torn(&text);
            let pair = &pairs()[index];
            let is_reading = text != word
                && !is_list
                && !is_torn
                && is_word(&text, pair)
                && (!pair.has_script() || is_readable(scale, &text));
            let is_evidence = is_reading
                && !(is_symbol && pair.is_latin())
                && !(is_cyrillic && count_letters(&text) < MIN_CYRILLIC);
            let most = match text[..] {
                _ if is_reading => f32::INFINITY,
                [_] => MAX_ONE_LETTER,
                _ => 0.0,
            };
            let is_alike = |(other, _): &&(usize, f32)| {
                gains[*other].as_ref().is_some_and(|other| other.text == text)
            };
            let bits = match weighed.iter().find(is_alike) {
                _ if text == word => 0.0,
                Some((_, gained)) => gained.min(most),
                None => {
                    let gained = gain(scale, word, &text);
                    weighed.push((index, gained));
                    gained.min(most)
                }
            };
            gains[index] = Some(WordGain { text, bits, is_evidence, is_torn });
        }
        let gains = Arc::new(gains);
        if self.0.len() >= MAX_CACHED_WORDS {
            self.0.clear();
        }
        self.0.insert(word.to_vec(), Arc::clone(&gains));
        gains
    }
}

/// Finds the charset that the words of a region are in, if there is one. The region begins at `from`; what is before it
/// is context.
pub fn judge(
    scale: &mut Scale,
    gained: &mut GainCache,
    text: &[CodePoint],
    from: usize,
    known: impl Fn(usize) -> CharsetPrior,
) -> Option<Foreign> {
    let words = words(text, from);
    if words.is_empty() || lost_bytes(words.iter().map(|word| &text[word.clone()])) {
        return None;
    }
    let gains: Vec<_> = words.iter().map(|word| gained.of(&text[word.clone()], scale)).collect();
    // What a charset makes of a word; empty if it cannot read it.
    let read =
        |index: usize, word: usize| gains[word][index].as_ref().map_or(&[][..], WordGain::text);
    let reading = |index| CharsetReading { index, ..CharsetReading::default() };
    let mut all: Vec<CharsetReading> = (0..pairs().len()).map(reading).collect();
    // Every word votes for every charset. A charset that cannot read a word at all is not ruled out by that: the line
    // may have a word in another charset, or a sound one.
    for (number, (range, gains)) in words.iter().zip(&gains).enumerate() {
        let word = &text[range.clone()];
        let is_suspicious = is_suspicious(word);
        for (reading, gain) in all.iter_mut().zip(&**gains) {
            let Some(WordGain { text, bits, is_evidence, is_torn }) = gain else {
                reading.gain -= MAX_AGAINST;
                continue;
            };
            reading.gain += if *is_torn { -TORN } else { bits.max(-MAX_AGAINST) };
            if *bits > -SOUND && text != word {
                reading.words.push(number);
                reading.is_evidence |= is_evidence;
                reading.is_suspicious |= is_suspicious;
            }
        }
    }
    all.retain(|reading| reading.is_evidence);
    all.iter_mut().for_each(|reading| reading.gain -= known(reading.index).penalty);
    rank(&mut all);
    // Latin letters fit many languages: word by word, a Polish word in one charset and a Turkish one in another could
    // each look fine. So charsets of Latin letters are weighed again with the region as a whole, in which all words
    // must be of one language.
    let mut standing = None;
    let is_near = |reading: &&mut CharsetReading| {
        reading.gain > -NEAR
            && reading.words.iter().all(|word| is_latin(read(reading.index, *word)))
    };
    for reading in all.iter_mut().filter(is_near).take(MAX_LATIN_CHARSETS) {
        let signs = || controls::with_signs(text);
        let before = *standing
            .get_or_insert_with(|| scale.cost_as_is(&signs().as_deref().unwrap_or(text)[from..]));
        let read = reading.words.iter().map(|word| (&words[*word], read(reading.index, *word)));
        let meant = meant(&text[from..], from, read);
        reading.gain = before - scale.cost(&meant) - known(reading.index).penalty;
    }
    rank(&mut all);
    let (best, others) = all.split_first()?;
    let known = known(best.index);
    // A few letters or signs are evidence only if the same charset was found before.
    let least =
        if best.is_suspicious || known.is_usual { known.least } else { known.least + ALONE };
    if best.gain < least {
        return None;
    }
    // Relatives that read all of these words alike are no rivals: the text does not tell which one it was, and the
    // result is the same. The nearest other charset must be clearly behind.
    let is_alike = |other: &&CharsetReading| {
        let read_alike = |word: &usize| read(other.index, *word) == read(best.index, *word);
        other.words == best.words && best.words.iter().all(read_alike)
    };
    let next = others.iter().find(|other| !is_alike(other));
    if next.is_some_and(|next| next.gain + APART > best.gain) {
        return None;
    }
    // What UTF-8 in the same region competes with is the gain of the words alone. The gain of the charset includes
    // words that it leaves as they are.
    let place = |word: &usize| (words[*word].clone(), read(best.index, *word).to_vec());
    let found: Vec<_> = best.words.iter().map(place).collect();
    let before = found.iter().map(|(word, _)| scale.cost_as_is(&text[word.clone()])).sum::<f32>();
    let after = found.iter().map(|(_, meant)| scale.cost(meant)).sum::<f32>();
    let saved = before - after - known.penalty;
    let relatives = others.iter().filter(is_alike).map(|other| other.index).collect();
    Some(Foreign { index: best.index, relatives, gain: best.gain, saved, words: found })
}

/// Returns a text, which begins at `from`, with some of its words replaced by what they meant.
fn meant<'a>(
    text: &[CodePoint],
    from: usize,
    words: impl Iterator<Item = (&'a Range<usize>, &'a [CodePoint])>,
) -> Vec<CodePoint> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    for (range, word) in words {
        result.extend_from_slice(&text[at..range.start - from]);
        result.extend_from_slice(word);
        at = range.end - from;
    }
    result.extend_from_slice(&text[at..]);
    result
}

/// Whether a reading is evidence for its charset: a word of two letters or more, at least one of them in the script
/// that the charset is for, and no box drawing.
fn is_word(text: &[CodePoint], pair: &SwappedPair) -> bool {
    let is_letter = |cp: &&CodePoint| is_alphabetic(**cp);
    let is_box = |cp: &CodePoint| matches!(cp, 0x2500..=0x259F);
    text.iter().filter(is_letter).count() > 1
        && text.iter().any(|cp| pair.is_for(*cp))
        && !text.iter().any(is_box)
}

/// Whether a reading has a sign inside a word, as in `r‚f‚renc‚`, or a capital beyond ASCII after a lowercase letter,
/// as in `поставЯне`. Then the word was in another charset. `поставЯне` is MacCyrillic, whose я is Я in windows-1251.
pub(super) fn is_torn(text: &[CodePoint]) -> bool {
    let is = |cp: CodePoint, test: fn(char) -> bool| char::from_u32(cp).is_some_and(test);
    // Ideographs and their punctuation may be next to anything, but full-width letters may not.
    let is_letter = |cp: CodePoint| !matches!(cp, 0x2E80..=0xFEFF) && is_alphabetic(cp);
    let is_sign = |near: &[CodePoint]| {
        let [before, sign, after] = [near[0], near[1], near[2]];
        // Dashes and quotation marks may join two words, but with ASCII on one side they mostly touch a Latin word.
        let may_join = joins_words(sign)
            || matches!(sign, 0xAB | 0xBB | 0x2010..=0x2026) && before >= 0x80 && after >= 0x80;
        let is_between = is_letter(before) && is_letter(after);
        sign >= 0x80 && !is_alphabetic(sign) && !may_join && is_between
    };
    let is_capital = |near: &[CodePoint]| {
        near[1] >= 0x80 && is(near[0], char::is_lowercase) && is(near[1], char::is_uppercase)
    };
    text.windows(3).any(is_sign) || text.windows(2).any(is_capital)
}

/// Whether words are UTF-8 that lost bytes: two of five characters beyond ASCII are the same lead byte, before another
/// character beyond ASCII. In Cyrillic UTF-8 read as windows-1252, every other character is `Ð` or `Ñ`; even with the
/// sequences broken, such a text is in no single-byte charset.
fn lost_bytes<'a>(words: impl Iterator<Item = &'a [CodePoint]> + Clone) -> bool {
    let high = words.clone().flatten().filter(|cp| **cp >= 0x80).count();
    let is_lead = |pair: &&[CodePoint]| matches!(pair[0], 0xC3..=0xEF) && pair[1] >= 0x80;
    let leads: Vec<_> =
        words.flat_map(|word| word.windows(2).filter(is_lead)).map(|pair| pair[0]).collect();
    let count = |lead: &CodePoint| leads.iter().filter(|cp| *cp == lead).count();
    let most = leads.iter().take(MIN_LEADS).map(count).max().unwrap_or(0);
    high >= MIN_LEADS && 5 * most >= 2 * high
}

fn is_latin(text: &[CodePoint]) -> bool {
    text.iter().filter_map(|cp| Script::of(*cp)).all(|script| script == Script::Latin)
}

/// Whether a word is suspicious as it stands.
fn is_suspicious(word: &[CodePoint]) -> bool {
    word.iter().filter(|cp| **cp >= 0x80).count() > 2 || is_unusual(word)
}

/// Returns the bits that a word saves if it is read as `text`.
fn gain(scale: &mut Scale, word: &[CodePoint], text: &[CodePoint]) -> f32 {
    // What is around the letters is the same in both. It may be anything, such as an address in a link, so only some of
    // it is weighed.
    let is_same = |(one, other): &(&CodePoint, &CodePoint)| one == other && **one < 0x80;
    let front = word.iter().zip(text).take_while(is_same).count().saturating_sub(AROUND);
    let (word, text) = (&word[front..], &text[front..]);
    let back = word.iter().rev().zip(text.iter().rev()).take_while(is_same).count();
    let back = back.saturating_sub(AROUND);
    let (word, text) = (&word[..word.len() - back], &text[..text.len() - back]);
    // If the word is in fact other bytes, its cost as it stands is that of random letters: more than that is no
    // evidence.
    let bytes: usize = word.iter().map(|cp| if is_wide(*cp) { 2 } else { 1 }).sum();
    scale.cost_as_is(word).min(MAX_BYTE_COST * bytes as f32 + MAX_WORD_COST) - scale.cost_once(text)
}

/// Whether a word may be in a language of the model. Ideographs are not told by their cost: they are many.
fn is_readable(scale: &mut Scale, text: &[CodePoint]) -> bool {
    scale.cost_once(text) <= UNREADABLE * text.len() as f32
}

/// Whether a word has letters, all of them Cyrillic.
fn is_cyrillic(word: &[CodePoint]) -> bool {
    let mut letters = word.iter().filter(|cp| is_alphabetic(**cp)).peekable();
    letters.peek().is_some() && letters.all(|cp| Script::of(*cp) == Some(Script::Cyrillic))
}

/// Whether a word has Greek or Cyrillic letters or signs that need not be Latin letters: symbols (`μm`, `cosθ`, `λx.x`,
/// `T≤t`), abbreviations (`02dм`), endings (`GPSка`), or `ε` and `γ`, which some write in Kabyle.
///
/// Cyrillic letters may be Latin ones only between two letters of ASCII, and Greek letters and signs only in words that
/// begin and end with such letters.
fn is_symbol(word: &[CodePoint]) -> bool {
    let is_ascii_letter = |cp: &CodePoint| matches!(cp, 0x41..=0x5A | 0x61..=0x7A);
    let is_cyrillic = |cp: &CodePoint| Script::of(*cp) == Some(Script::Cyrillic);
    let is_sign = |cp: &CodePoint| {
        matches!(cp, 0xB5 | 0x2200..=0x22FF) || Script::of(*cp) == Some(Script::Greek)
    };
    let is_kabyle = |cp: &CodePoint| matches!(cp, 0x3B3 | 0x3B5);
    let may_be_latin = |part: &[CodePoint]| {
        let ends_in_ascii =
            [part.first(), part.last()].iter().flatten().all(|cp| is_ascii_letter(cp));
        let mut signs = part.iter().filter(|cp| is_sign(cp)).peekable();
        if signs.peek().is_some() {
            return part.len() >= MIN_AROUND_SIGN && ends_in_ascii && !signs.all(is_kabyle);
        }
        // The first and the last of these are before and after all letters of ASCII.
        let runs: Vec<_> = part.split(is_ascii_letter).collect();
        let inside = runs.get(1..runs.len() - 1).unwrap_or_default();
        !part.iter().any(is_cyrillic) || inside.iter().any(|run| !run.is_empty())
    };
    let is_of_part = |cp: &CodePoint| is_ascii_letter(cp) || is_cyrillic(cp) || is_sign(cp);
    word.split(|cp| !is_of_part(cp)).any(|part| !may_be_latin(part))
}

/// Whether most of a word lists characters in the order of their codes (`ÀÁÂÃÄÅ`), or repeats one. Tables of characters
/// are sound, whatever they look like in another charset.
fn is_list(word: &[CodePoint]) -> bool {
    let high = word.iter().filter(|cp| **cp >= 0x80).count();
    let follows = |at: usize| {
        at > 0 && word[at] >= 0x80 && matches!(word[at].wrapping_sub(word[at - 1]), 0 | 1)
    };
    let middle = |at: &usize| follows(*at) && follows(*at + 1);
    let listed = (1..word.len().saturating_sub(1)).filter(middle).count();
    // `åÅ`, `оОёЁ`: a letter in two cases, or twice.
    let folded = |cp: CodePoint| char::from_u32(cp).and_then(|c| c.to_lowercase().next());
    let letters: Vec<_> = word.iter().filter(|cp| is_alphabetic(**cp)).collect();
    let is_twice = |two: &[&CodePoint]| two.len() == 2 && folded(*two[0]) == folded(*two[1]);
    listed > 0 && 2 * (listed + 2) > high || !letters.is_empty() && letters.chunks(2).all(is_twice)
}
