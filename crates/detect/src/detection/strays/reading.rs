//! The regions of a text, read with one charset.

use std::collections::HashMap;
use std::ops::Range;

use super::own::OwnPairs;
use super::region::Region;
use crate::language::{MISPLACED, Model, Script, ScriptCounts, TextPairs, UNIT, WordPart};
use oxiconv_encodings::codec::{Mixed, TextRepertoire};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic, is_control, is_private_use};

/// What a byte costs that the charset lacks, or that is no character of text there, in bits.
const UNREAD: u32 = 40;

/// Regions as text in one charset.
pub(super) struct Reading {
    pairs: TextPairs,
    /// Bytes that are no characters of text.
    unread: u32,
    /// Characters that do not belong where they are in a word.
    misplaced: u32,
    /// The script of most letters that were in the charset.
    script: Option<Script>,
    /// The most adjacent characters in the charset.
    pub(super) longest: usize,
    /// Whether all that was in the charset are marks of punctuation.
    marks: bool,
}

impl Reading {
    /// Reads regions; `None` if nothing of them is in the charset.
    pub(super) fn of(
        regions: &[Region<'_>],
        mixed: &mut Mixed,
        of_text: &TextRepertoire,
    ) -> Option<Self> {
        let mut pairs = HashMap::new();
        let mut letters = Vec::new();
        let (mut unread, mut misplaced, mut any) = (0, 0, false);
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
                    letters.extend(Script::of(*cp).map(|script| (script, 1)));
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
            let near = text.windows(3).filter(|near| near[1].1 && is_misplaced(near));
            misplaced += near.count() as u32;
            for pair in text.windows(2).filter(|pair| pair[0].1 || pair[1].1) {
                *pairs.entry((pair[0].0, pair[1].0)).or_insert(0) += 1;
            }
        }
        any.then_some(())?;
        let pairs = TextPairs::of(pairs.into_iter().collect());
        let script = ScriptCounts::from_iter(letters).main();
        Some(Self { pairs, unread, misplaced, script, longest, marks })
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
        self.misplaced > 0
    }

    /// Returns the models, at most `most`, in which it is cheapest by itself.
    pub(super) fn cheapest(
        &self,
        models: impl Iterator<Item = &'static Model>,
        most: usize,
    ) -> Vec<&'static Model> {
        self.pairs.cheapest(models, most)
    }

    /// Returns what it costs in a language, in bits.
    pub fn cost(&self, own: &OwnPairs, model: &Model) -> f32 {
        let symbols = self.pairs.symbols(model);
        let unit = UNIT as f32;
        let costs = self.pairs.iter(&symbols).map(|([before, now], times)| {
            // Case does not depend on the letters.
            let case = now.0.case_after(before.0);
            let general = model.cost(before.1, now.1).saturating_sub(case);
            let expected = libm::exp2f(-(general as f32) / unit);
            let likelihood = own.likelihood(before.0.cp, now.0.cp, expected);
            times as f32 * (case as f32 / unit - libm::log2f(likelihood))
        });
        costs.sum::<f32>() + (self.unread * UNREAD + self.misplaced * MISPLACED) as f32
    }
}

/// Whether the second of three characters does not belong where it stands. A stray no-break space stands beside a mark or a
/// digit: next to a space, or between two letters, the byte is more often a letter of another charset.
fn is_misplaced(near: &[(CodePoint, bool)]) -> bool {
    const NO_BREAK_SPACE: CodePoint = 0xA0;
    let &[(before, _), (now, _), (after, _)] = near else { return false };
    let is_between_letters = || [before, after].into_iter().all(is_alphabetic);
    match now {
        NO_BREAK_SPACE => before == 0x20 || after == 0x20 || is_between_letters(),
        _ => WordPart::from(now).is_misplaced(before.into(), after.into()),
    }
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
fn words_that_matter(region: &[u8], of_text: &TextRepertoire) -> Vec<bool> {
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
