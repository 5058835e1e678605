//! The pairs of characters that tell which of two readings of the same bytes is text, and the characters that occur in
//! neither.
//!
//! Before a file is replaced, its text as the caller names it is compared with other readings. Most encodings read
//! ASCII alike, so pairs within ASCII cost the same in both readings and only dilute the mean. They are left out,
//! unless there is nothing else.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::fold::FoldedCharacter;
use super::likelihood::{character, is_control};
use super::pair_model::{Model, models};
use super::script::{Script, ScriptCounts};
use oxiconv_encodings::unicode::CodePoint;

/// The pairs in which readings of the same bytes differ: those with a character beyond ASCII, or all pairs if there are
/// none.
pub struct TellingPairs {
    script: Script,
    pairs: Vec<[FoldedCharacter; 2]>,
}

impl TellingPairs {
    /// Returns the telling pairs of a text.
    pub fn of(text: &[CodePoint]) -> Self {
        let characters = || text.iter().map(|cp| character(*cp));
        let before =
            std::iter::once(FoldedCharacter::from(CodePoint::from(b' '))).chain(characters());
        let mut pairs: Vec<_> = before.zip(characters()).map(|(a, b)| [a, b]).collect();
        let tells = |pair: &[FoldedCharacter; 2]| pair.iter().any(|character| character.cp >= 0x80);
        if pairs.iter().any(tells) {
            pairs.retain(tells);
            pairs.iter_mut().flatten().for_each(|character| *character = without_sign(*character));
        }
        Self { script: ScriptCounts::beyond_ascii(text).main().unwrap_or(Script::Latin), pairs }
    }

    /// Returns their mean cost in the language that fits best, in sixteenths of a bit.
    pub fn mean_cost(&self) -> u32 {
        let costs = self.models().map(|(_, model)| self.mean_cost_in(model));
        costs.min().unwrap_or(u32::MAX)
    }

    /// Returns their total cost, in sixteenths of a bit.
    pub fn cost(&self) -> u32 {
        self.mean_cost().saturating_mul(self.pairs.len() as u32)
    }

    /// Whether the mean cost is at most `most` in any language. The language of the last such text is tried first,
    /// since most files of a run are in one language. This changes only the time: any language that fits gives the same
    /// answer.
    pub fn cost_at_most(&self, most: u32) -> bool {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let fits = |model: &Model| self.mean_cost_in(model) <= most;
        let last = LAST.load(Ordering::Relaxed);
        let found = self.models().find(|(number, model)| *number == last && fits(model));
        let found = found.or_else(|| self.models().find(|(_, model)| fits(model)));
        if let Some((number, _)) = found {
            LAST.store(number, Ordering::Relaxed);
        }
        found.is_some()
    }

    /// Returns the number of pairs.
    pub const fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing in the text is beyond ASCII.
    pub fn are_ascii(&self) -> bool {
        self.pairs.iter().flatten().all(|character| character.cp < 0x80)
    }

    /// Whether the text is mostly ideographs or syllables, each of which says more than a letter.
    pub const fn are_ideographic(&self) -> bool {
        matches!(self.script, Script::Han | Script::Kana | Script::Hangul)
    }

    fn models(&self) -> impl Iterator<Item = (usize, &'static Model)> + '_ {
        models().iter().enumerate().filter(|(_, model)| model.script.includes(self.script))
    }

    fn mean_cost_in(&self, model: &Model) -> u32 {
        let cost = |[a, b]: &[FoldedCharacter; 2]| model.cost(model.symbol(*a), model.symbol(*b));
        self.pairs.iter().map(cost).sum::<u32>() / (self.pairs.len() as u32).max(1)
    }
}

/// Returns a space for ASCII that is not a letter: a tag or a quotation mark next to a word says nothing about the
/// word.
fn without_sign(character: FoldedCharacter) -> FoldedCharacter {
    let is_letter = |ascii: u8| ascii.is_ascii_alphabetic();
    match u8::try_from(character.cp) {
        Ok(ascii @ 0..0x80) if !is_letter(ascii) => FoldedCharacter::from(CodePoint::from(b' ')),
        _ => character,
    }
}

/// Whether a code point does not occur in text: a control, a surrogate, a private-use code point or a special from
/// U+FFF0 on.
pub const fn is_foreign(cp: CodePoint) -> bool {
    is_control(cp) || matches!(cp, 0xD800..=0xF8FF | 0xFFF0..=0xFFFF | 0xF_0000..)
}
