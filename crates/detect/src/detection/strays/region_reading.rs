//! The regions of a text as they read in one charset.
//!
//! ```text
//! Stra<DF>e   windows-1252  Straße   pairs "aß", "ße": usual in German text
//!             IBM850        Stra▀e   a block element within a word: misplaced
//!             ISO-8859-5    Straпe   a Cyrillic letter within a Latin word: misplaced
//! ```

use std::collections::HashMap;
use std::ops::Range;

use super::own_pairs::OwnPairs;
use super::stray_region::StrayRegion;
use crate::language::{MISPLACED, Model, Script, ScriptCounts, TextPairs, UNIT, WordPart};
use oxiconv_encodings::codec::{Mixed, TextRepertoire};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic, is_control, is_private_use};

/// The cost in bits of a byte that is not text in the charset.
const UNREAD_BYTE: u32 = 40;

/// The regions of a text as they read in one charset. `longest` is the number of characters in the longest part that is
/// not UTF-8, and `marks` says that all such characters are quotation marks, dashes and the like.
pub(super) struct RegionReading {
    pairs: TextPairs,
    unread: u32,
    misplaced: u32,
    script: Option<Script>,
    pub(super) longest: usize,
    marks: bool,
}

impl RegionReading {
    /// Reads regions; `None` if nothing in them is in the charset.
    pub(super) fn of(
        regions: &[StrayRegion<'_>],
        mixed: &mut Mixed,
        of_text: &TextRepertoire,
    ) -> Option<Self> {
        let mut pairs = HashMap::new();
        let mut letters = Vec::new();
        let (mut unread, mut misplaced, mut any) = (0, 0, false);
        let (mut marks, mut longest) = (true, 0);
        for region in regions {
            // Each character, and whether it is in a word that is compared. Words in which nothing is in doubt are left
            // out: they would cost the same in each charset. The character before the region and the one after it are
            // context, and count only as neighbours.
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
            // No charset reads truncated characters, so they are no evidence.
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

    pub(super) fn script(&self) -> Option<Script> {
        self.script
    }

    pub(super) fn is_complete(&self) -> bool {
        self.unread == 0
    }

    pub(super) fn is_of_marks(&self) -> bool {
        self.marks
    }

    pub(super) fn is_inside_words(&self) -> bool {
        self.misplaced > 0
    }

    pub(super) fn cheapest(
        &self,
        models: impl Iterator<Item = &'static Model>,
        most: usize,
    ) -> Vec<&'static Model> {
        self.pairs.cheapest(models, most)
    }

    /// Returns the cost in a language, in bits.
    ///
    /// [`OwnPairs`] folds case, so the cost of case, which is one rule for all letters, is taken out of the model's
    /// cost before it is blended with the text's own pairs, and added again. Blending needs probabilities, so the cost
    /// in bits becomes one (`exp2`), and the blend becomes bits again (`log2`).
    pub fn cost(&self, own: &OwnPairs, model: &Model) -> f32 {
        let symbols = self.pairs.symbols(model);
        let unit = UNIT as f32;
        let costs = self.pairs.iter(&symbols).map(|([before, now], times)| {
            let case = now.0.case_after(before.0);
            let general = model.cost(before.1, now.1).saturating_sub(case);
            let expected = libm::exp2f(-(general as f32) / unit);
            let likelihood = own.likelihood(before.0.cp, now.0.cp, expected);
            times as f32 * (case as f32 / unit - libm::log2f(likelihood))
        });
        costs.sum::<f32>() + (self.unread * UNREAD_BYTE + self.misplaced * MISPLACED) as f32
    }
}

/// Whether the second of three characters does not belong where it is. A stray no-break space is next to punctuation or
/// a digit. Next to a space or between two letters, the byte is more often a letter of another charset: A0 is á in
/// IBM850.
fn is_misplaced(near: &[(CodePoint, bool)]) -> bool {
    const NO_BREAK_SPACE: CodePoint = 0xA0;
    let &[(before, _), (now, _), (after, _)] = near else { return false };
    let is_between_letters = || [before, after].into_iter().all(is_alphabetic);
    match now {
        NO_BREAK_SPACE => before == 0x20 || after == 0x20 || is_between_letters(),
        _ => WordPart::from(now).is_misplaced(before.into(), after.into()),
    }
}

/// Whether a character of the charset's upper half is text. Half-width kana are not: in CP932, each byte from A1 to DF
/// is one by itself, so CP932 could read stray bytes of most other charsets.
fn is_text(cp: CodePoint) -> bool {
    cp >= 0x80 && !is_control(cp) && !is_private_use(cp) && !matches!(cp, 0xFF61..=0xFF9F)
}

/// Whether a character is a quotation mark, a dash, an ellipsis, or a Spanish mark at the start of a sentence.
fn is_punctuation(cp: CodePoint) -> bool {
    matches!(cp, 0xA1 | 0xAB | 0xBB | 0xBF | 0x2010..=0x201F | 0x2026 | 0x3001..=0x3011)
}

/// Returns for each byte of a region whether it is in a word by which charsets are compared: one with ill-formed bytes,
/// or with characters that the text does not have elsewhere.
fn words_that_matter(region: &[u8], of_text: &TextRepertoire) -> Vec<bool> {
    let mut matters = Vec::with_capacity(region.len());
    for word in region.split_inclusive(|byte| *byte < 0x30) {
        let is_known = |text: &str| text.chars().all(|c| c.is_ascii() || of_text.has(c.into()));
        let is_plain = std::str::from_utf8(word).is_ok_and(is_known);
        matters.resize(matters.len() + word.len(), !is_plain);
    }
    matters
}

/// Appends the UTF-8 in a range of a region. Returns the number of bytes that are not UTF-8.
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
