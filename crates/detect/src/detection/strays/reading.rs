//! The regions of a text, read with one charset.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::own::OwnPairs;
use super::region::Region;
use crate::language::{Case, Character, Model, Script, Symbol, UNIT};
use oxiconv_encodings::codec::{Known, Mixed};
use oxiconv_encodings::unicode::{
    CodePoint, is_alphabetic as is_letter, is_control, is_private_use,
};

/// What a byte costs that the charset lacks, or that is no character of text there, in bits.
const UNREAD: u32 = 40;

/// What it costs, in bits, that a sign or a foreign letter is inside a word.
const INSIDE: u32 = 9;

/// Regions as text in one charset.
pub(super) struct Reading {
    /// Its characters, each once.
    characters: Vec<Character>,
    /// Its pairs, by the places of their characters in that list, and how often each occurs.
    pairs: Vec<((u32, u32), u32)>,
    /// Bytes that are no characters of text.
    unread: u32,
    /// Characters inside words that are no letters of their script.
    inside: u32,
    /// The script of most letters that were in the charset.
    script: Option<Script>,
    /// The most adjacent characters in the charset.
    pub(super) longest: usize,
    /// Whether all that was in the charset are marks of punctuation.
    marks: bool,
}

impl Reading {
    /// Reads regions; `None` if nothing of them is in the charset.
    pub(super) fn of(regions: &[Region<'_>], mixed: &mut Mixed, of_text: &Known) -> Option<Self> {
        let mut pairs = HashMap::new();
        let mut scripts: BTreeMap<Script, u32> = BTreeMap::new();
        let (mut unread, mut inside, mut any) = (0, 0, false);
        let (mut marks, mut longest) = (true, 0);
        for region in regions {
            // Characters, and whether each is in a word that is compared.
            let mut text: Vec<(CodePoint, bool)> = vec![(region.before.into(), false)];
            let matters = words_that_matter(region.bytes, of_text);
            let mut at = 0;
            for part in mixed.split(region.bytes, of_text, false, &region.cuts) {
                unread += extend(&mut text, region.bytes, at..part.start, &matters);
                let units = mixed.units(&region.bytes[part.start..], part.len());
                for cp in units.characters() {
                    unread += u32::from(!is_text(*cp));
                    marks &= is_punctuation(*cp);
                    if let Some(script) = Script::of(*cp) {
                        *scripts.entry(script).or_default() += 1;
                    }
                }
                text.extend(units.characters().iter().map(|cp| (*cp, true)));
                at = part.end;
                any = true;
                longest = longest.max(units.characters().len());
            }
            unread += extend(&mut text, region.bytes, at..region.bytes.len(), &matters);
            // No charset reads what was cut off, so it tells nothing.
            unread = unread.saturating_sub(region.cut() as u32);
            text.push((region.after.into(), false));
            inside += text.windows(3).filter(|near| near[1].1 && is_inside(near)).count() as u32;
            for pair in text.windows(2).filter(|pair| pair[0].1 || pair[1].1) {
                *pairs.entry((pair[0].0, pair[1].0)).or_insert(0) += 1;
            }
        }
        any.then_some(())?;
        let script =
            scripts.into_iter().max_by_key(|(script, count)| (*count, *script == Script::Latin));
        let mut pairs: Vec<((CodePoint, CodePoint), u32)> = pairs.into_iter().collect();
        // Sums of fractions must not depend on the order of a table.
        pairs.sort_unstable();
        let mut characters: Vec<_> =
            pairs.iter().flat_map(|((one, two), _)| [*one, *two]).collect();
        characters.sort_unstable();
        characters.dedup();
        let place = |cp: CodePoint| characters.binary_search(&cp).unwrap_or_default() as u32;
        let pairs = pairs.iter().map(|((one, two), count)| ((place(*one), place(*two)), *count));
        let pairs = pairs.collect();
        let characters = characters.into_iter().map(Character::from).collect();
        let script = script.map(|(script, _)| script);
        Some(Self { characters, pairs, unread, inside, script, longest, marks })
    }

    /// Returns the script of most of its letters.
    pub(super) fn script(&self) -> Option<Script> {
        self.script
    }

    /// Whether all bytes are characters of text.
    pub(super) fn is_complete(&self) -> bool {
        self.unread == 0
    }

    /// Whether all characters that were in the charset are marks of punctuation, which any text may have.
    pub(super) fn is_of_marks(&self) -> bool {
        self.marks
    }

    /// Whether it has signs or foreign letters inside of words.
    pub(super) fn is_inside_words(&self) -> bool {
        self.inside > 0
    }

    /// Returns the models, at most `most`, in which it is cheapest by itself.
    pub(super) fn cheapest(
        &self,
        models: impl Iterator<Item = &'static Model>,
        most: usize,
    ) -> Vec<&'static Model> {
        let mut costs: Vec<_> = models
            .map(|model| {
                let symbols = self.symbols(model);
                let cost = |((before, now), count): &((u32, u32), u32)| {
                    let cost = model.cost(symbols[*before as usize], symbols[*now as usize]);
                    u64::from(cost) * u64::from(*count)
                };
                (self.pairs.iter().map(cost).sum::<u64>(), model)
            })
            .collect();
        costs.sort_by_key(|(cost, _)| *cost);
        costs.into_iter().take(most).map(|(_, model)| model).collect()
    }

    fn symbols(&self, model: &Model) -> Vec<Symbol> {
        self.characters.iter().map(|character| model.symbol(*character)).collect()
    }

    /// Returns what it costs in a language, in bits.
    pub fn cost(&self, own: &OwnPairs, model: &Model) -> f32 {
        let symbols = self.symbols(model);
        let unit = UNIT as f32;
        let costs = self.pairs.iter().map(|((before, now), count)| {
            let (before, now) = (*before as usize, *now as usize);
            let (first, second) = (self.characters[before].cp, self.characters[now].cp);
            // Case does not depend on the letters.
            let case = case(second).cost(case(first));
            let general = model.cost(symbols[before], symbols[now]).saturating_sub(case);
            let expected = libm::exp2f(-(general as f32) / unit);
            let likelihood = own.likelihood(first, second, expected);
            *count as f32 * (case as f32 / unit - libm::log2f(likelihood))
        });
        costs.sum::<f32>() + (self.unread * UNREAD + self.inside * INSIDE) as f32
    }
}

/// Whether the second of three characters is in a word to which it does not belong: a sign between two letters, a space
/// next to a space, or a letter of another script next to one.
fn is_inside(near: &[(CodePoint, bool)]) -> bool {
    const NO_BREAK_SPACE: CodePoint = 0xA0;
    // Apostrophes, hyphens, the middle dot of Catalan, and what joins or separates letters without a picture.
    let joins = |cp| matches!(cp, 0xAD | 0xB7 | 0x2019 | 0x2010 | 0x2011 | 0x200B..=0x200F);
    let &[(before, _), (now, _), (after, _)] = near else { return false };
    if now < 0x80 || joins(now) {
        return false;
    }
    let spaced = |script: Script| {
        !matches!(script, Script::Han | Script::Kana | Script::Hangul | Script::Thai | Script::Lao)
    };
    let script = |cp| Script::of(cp).filter(|_| is_letter(cp));
    let (first, last) = (script(before), script(after));
    match script(now) {
        Some(own) => {
            let differs = |other: Option<Script>| {
                other.is_some_and(|other| other != own && (spaced(own) || spaced(other)))
            };
            differs(first) || differs(last)
        }
        None if now == NO_BREAK_SPACE && (before == 0x20 || after == 0x20) => true,
        None => is_letter(before) && is_letter(after) && first.is_some_and(spaced) && !is_mark(now),
    }
}

/// Whether it belongs to the letter before it.
fn is_mark(cp: CodePoint) -> bool {
    matches!(cp, 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x900..=0xDFF)
}

/// Whether a character that is not ASCII in its charset may be one of text. Half-width kana may not: any byte could be
/// one.
fn is_text(cp: CodePoint) -> bool {
    cp >= 0x80 && !is_control(cp) && !is_private_use(cp) && !matches!(cp, 0xFF61..=0xFF9F)
}

/// Whether a character is a quotation mark, a dash, an ellipsis, or a Spanish mark at the start of a sentence.
fn is_punctuation(cp: CodePoint) -> bool {
    matches!(cp, 0xA1 | 0xAB | 0xBB | 0xBF | 0x2010..=0x201F | 0x2026 | 0x3001..=0x3011)
}

/// Returns for each byte of a region whether it is in a word that charsets are compared by: one with ill-formed bytes, or
/// with characters that the text does not have.
fn words_that_matter(region: &[u8], of_text: &Known) -> Vec<bool> {
    let mut matters = Vec::with_capacity(region.len());
    for word in region.split_inclusive(|byte| *byte < 0x30) {
        let is_known = |text: &str| text.chars().all(|c| c.is_ascii() || of_text.has(c.into()));
        let is_plain = std::str::from_utf8(word).is_ok_and(is_known);
        matters.resize(matters.len() + word.len(), !is_plain);
    }
    matters
}

/// Appends the UTF-8 in a range of a region; returns the number of bytes that are none.
fn extend(
    text: &mut Vec<(CodePoint, bool)>,
    region: &[u8],
    range: Range<usize>,
    matters: &[bool],
) -> u32 {
    let (mut at, mut unread) = (range.start, 0);
    for chunk in region[range].utf8_chunks() {
        let start = at;
        let valid = chunk.valid().char_indices();
        text.extend(valid.map(|(index, c)| (CodePoint::from(c), matters[start + index])));
        at += chunk.valid().len() + chunk.invalid().len();
        unread += chunk.invalid().len() as u32;
    }
    unread
}

fn case(cp: CodePoint) -> Case {
    match char::from_u32(cp) {
        Some(c) if c.is_lowercase() => Case::Lower,
        Some(c) if c.is_uppercase() => Case::Upper,
        _ => Case::None,
    }
}
