//! Whether a region is text in one charset that was read as windows-1252: `Ïðèâåò` was `Привет`.
//!
//! A short word fits many charsets, so the words of a region are judged together. For each charset, the bits that the
//! words gain over the words as they stand are added up. A charset is chosen if its sum is clear and no other reading
//! is nearly as likely.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::swapped::{self, SwappedCharset, charsets, readings, words};
use super::weigh::Scale;
use crate::language::{Script, joins_words};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// Bits that a word beyond ASCII costs at most for each byte, if it may be any, and for itself.
const MAX_BYTE_COST: f32 = 6.5;
const MAX_WORD_COST: f32 = 12.0;
/// Bits that a word of one letter counts for a charset at most: `‚ ìîðå` is `В море`, and no quotation mark is by itself.
const MAX_ONE_LETTER: f32 = 4.0;
/// Bits that a word counts against a charset at most: another may be next to it.
const MAX_AGAINST: f32 = 4.0;
/// Bits that a word counts against a charset that would tear it.
const TORN: f32 = 20.0;
/// Bits by which a word that stays as it is must be likelier than what the charset of the others makes of it.
const SOUND: f32 = 24.0;
/// Bits by which a charset must be likelier than the next one that reads the words differently.
const APART: f32 = 3.0;
/// The most charsets of Latin letters that a region is weighed in as a whole, and the bits that their words may lack.
const MAX_LATIN_CHARSETS: usize = 6;
const NEAR: f32 = 24.0;
/// Bits by which a charset must be likelier if no word is unusual as it stands.
const ALONE: f32 = 4.0;

/// Characters beyond ASCII from which on it shows whether the leads of UTF-8 are among them.
const MIN_LEADS: usize = 5;
/// Words of which it is remembered what they are.
const MAX_CACHED_WORDS: usize = 1024;

/// What was learned of a charset from the text before.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharsetPrior {
    /// What it costs in bits that text was in it.
    pub(super) penalty: f32,
    /// Bits by which it must be likelier than the text as it stands.
    pub(super) least: f32,
    /// Whether text in it was found before.
    pub(super) is_usual: bool,
}

/// The words of a region that are in another charset.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    /// The charset, one of [`charsets`].
    pub(super) index: usize,
    /// Others that read the words alike: small letters are the same in windows-1251 and MacCyrillic.
    pub(super) relatives: Vec<usize>,
    /// Bits by which it is likelier than the text as it stands.
    pub(super) gain: f32,
    /// The same, if any signs are taken for text that stands as it is.
    pub(super) saved: f32,
    /// The places of the words, and what they were.
    pub(super) words: Vec<(Range<usize>, Vec<CodePoint>)>,
}

/// The words of a region as one charset reads them.
#[derive(Default)]
struct CharsetReading {
    /// The charset.
    index: usize,
    /// The numbers of the words that it reads differently.
    words: Vec<usize>,
    /// Bits that they gain.
    gain: f32,
    /// Whether one of them says something for the charset, and whether one is unusual as it stands.
    says: bool,
    tells: bool,
}

/// What a word is in a charset.
#[derive(Clone)]
struct WordGain {
    text: Vec<CodePoint>,
    /// The bits gained, and whether that says something for the charset.
    bits: f32,
    says: bool,
    /// Whether signs or capitals stand inside it, where no word has any.
    is_torn: bool,
}

impl WordGain {
    fn text(&self) -> &[CodePoint] {
        &self.text
    }
}

/// What a word is in each charset; nothing where a charset does not read it.
type WordGains = Vec<Option<WordGain>>;

/// What words are, which is the same wherever they stand.
#[derive(Default)]
pub(super) struct GainCache(HashMap<Vec<CodePoint>, Arc<WordGains>>);

impl GainCache {
    fn of(&mut self, word: &[CodePoint], scale: &mut Scale) -> Arc<WordGains> {
        if let Some(gains) = self.0.get(word) {
            return Arc::clone(gains);
        }
        let mut gains: WordGains = vec![None; charsets().len()];
        let is_list = is_list(word);
        // Related charsets read many words alike.
        let mut weighed: Vec<(usize, f32)> = Vec::new();
        for (index, text) in readings(word) {
            let is_torn = text != word && is_torn(&text);
            let says = text != word && !is_list && !is_torn && is_word(&text, &charsets()[index]);
            let most = match text[..] {
                _ if says => f32::INFINITY,
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
            gains[index] = Some(WordGain { text, bits, says, is_torn });
        }
        let gains = Arc::new(gains);
        if self.0.len() >= MAX_CACHED_WORDS {
            self.0.clear();
        }
        self.0.insert(word.to_vec(), Arc::clone(&gains));
        gains
    }
}

/// Judges the words of a region, which begins at `from`.
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
    // The text of a word in a charset that reads it differently.
    let read =
        |index: usize, word: usize| gains[word][index].as_ref().map_or(&[][..], WordGain::text);
    let reading = |index| CharsetReading { index, ..CharsetReading::default() };
    let mut all: Vec<CharsetReading> = (0..charsets().len()).map(reading).collect();
    for (number, (range, gains)) in words.iter().zip(&gains).enumerate() {
        let word = &text[range.clone()];
        let tells = tells(word);
        for (reading, gain) in all.iter_mut().zip(&**gains) {
            let Some(WordGain { text, bits, says, is_torn }) = gain else {
                reading.gain -= MAX_AGAINST;
                continue;
            };
            reading.gain += if *is_torn { -TORN } else { bits.max(-MAX_AGAINST) };
            if *bits > -SOUND && text != word {
                reading.words.push(number);
                reading.says |= says;
                reading.tells |= tells;
            }
        }
    }
    all.retain(|reading| reading.says);
    all.iter_mut().for_each(|reading| reading.gain -= known(reading.index).penalty);
    all.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    // Latin letters fit many languages: there, all of the region must be in one.
    let mut standing = None;
    let is_near = |reading: &&mut CharsetReading| {
        reading.gain > -NEAR
            && reading.words.iter().all(|word| is_latin(read(reading.index, *word)))
    };
    for reading in all.iter_mut().filter(is_near).take(MAX_LATIN_CHARSETS) {
        let before = *standing.get_or_insert_with(|| scale.cost_of_any(&text[from..]));
        let read = reading.words.iter().map(|word| (&words[*word], read(reading.index, *word)));
        let meant = meant(&text[from..], from, read);
        reading.gain = before - scale.cost(&meant) - known(reading.index).penalty;
    }
    all.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    let (best, others) = all.split_first()?;
    let known = known(best.index);
    // A few letters or signs tell only more of what was found.
    let least = if best.tells || known.is_usual { known.least } else { known.least + ALONE };
    if best.gain < least {
        return None;
    }
    let is_alike = |other: &&CharsetReading| {
        let read_alike = |word: &usize| read(other.index, *word) == read(best.index, *word);
        other.words == best.words && best.words.iter().all(read_alike)
    };
    let next = others.iter().find(|other| !is_alike(other));
    if next.is_some_and(|next| next.gain + APART > best.gain) {
        return None;
    }
    let place = |word: &usize| (words[*word].clone(), read(best.index, *word).to_vec());
    let found: Vec<_> = best.words.iter().map(place).collect();
    let before = found.iter().map(|(word, _)| scale.cost_of_any(&text[word.clone()])).sum::<f32>();
    let after = found.iter().map(|(_, meant)| scale.cost(meant)).sum::<f32>();
    let saved = before - after - known.penalty;
    let relatives = others.iter().filter(is_alike).map(|other| other.index).collect();
    Some(Foreign { index: best.index, relatives, gain: best.gain, saved, words: found })
}

/// Returns a text, which begins at `from`, with some of its words as they were meant.
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

/// Whether text is a word of two letters or more, one of them of those that its charset is for, and no part of a box. What is
/// not says nothing for the charset.
fn is_word(text: &[CodePoint], charset: &SwappedCharset) -> bool {
    let is_letter = |cp: &&CodePoint| is_alphabetic(**cp);
    let is_box = |cp: &CodePoint| matches!(cp, 0x2500..=0x259F);
    text.iter().filter(is_letter).count() > 1
        && text.iter().any(|cp| charset.is_for(*cp))
        && !text.iter().any(is_box)
}

/// Whether a sign stands inside a word, as in `r‚f‚renc‚`, or a capital letter beyond ASCII after a small one, as in
/// `поставЯне`: a charset that makes this of a word is another one than the word was in.
fn is_torn(text: &[CodePoint]) -> bool {
    let is = |cp: CodePoint, test: fn(char) -> bool| char::from_u32(cp).is_some_and(test);
    // Ideographs and their punctuation stand next to anything, but full-width letters do not.
    let is_letter = |cp: CodePoint| !matches!(cp, 0x2E80..=0xFEFF) && is_alphabetic(cp);
    let is_sign = |near: &[CodePoint]| {
        let [before, sign, after] = [near[0], near[1], near[2]];
        // Dashes and quotation marks may join two words, but ASCII on one side is mostly a Latin word.
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

/// Whether words are UTF-8 that lost bytes: every second or third of their characters is the same lead, before another
/// character beyond ASCII.
fn lost_bytes<'a>(words: impl Iterator<Item = &'a [CodePoint]> + Clone) -> bool {
    let high = words.clone().flatten().filter(|cp| **cp >= 0x80).count();
    let is_lead = |pair: &&[CodePoint]| matches!(pair[0], 0xC3..=0xEF) && pair[1] >= 0x80;
    let leads: Vec<_> =
        words.flat_map(|word| word.windows(2).filter(is_lead)).map(|pair| pair[0]).collect();
    let count = |lead: &CodePoint| leads.iter().filter(|cp| *cp == lead).count();
    let most = leads.iter().take(MIN_LEADS).map(count).max().unwrap_or(0);
    high >= MIN_LEADS && 5 * most >= 2 * high
}

/// Whether all letters of a text are Latin.
fn is_latin(text: &[CodePoint]) -> bool {
    text.iter().filter_map(|cp| Script::of(*cp)).all(|script| script == Script::Latin)
}

/// Whether a word is unusual in windows-1252.
fn tells(word: &[CodePoint]) -> bool {
    word.iter().filter(|cp| **cp >= 0x80).count() > 2 || swapped::is_suspect(word)
}

/// Returns the bits that a word gains if it is read as `text`.
fn gain(scale: &mut Scale, word: &[CodePoint], text: &[CodePoint]) -> f32 {
    // Bytes that may be any cost less than text that they are not.
    scale.cost_of_any(word).min(MAX_BYTE_COST * word.len() as f32 + MAX_WORD_COST)
        - scale.cost_once(text)
}

/// Whether most of a word lists characters in the order of their codes, or one many times.
fn is_list(word: &[CodePoint]) -> bool {
    let high = word.iter().filter(|cp| **cp >= 0x80).count();
    let follows = |at: usize| {
        at > 0 && word[at] >= 0x80 && matches!(word[at].wrapping_sub(word[at - 1]), 0 | 1)
    };
    let middle = |at: &usize| follows(*at) && follows(*at + 1);
    let listed = (1..word.len().saturating_sub(1)).filter(middle).count();
    listed > 0 && 2 * (listed + 2) > high
}
