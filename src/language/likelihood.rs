//! How likely a text is in the language that fits it best.

use std::sync::atomic::{AtomicUsize, Ordering};

use unicode_normalization::char::decompose_compatible;

use super::fold::Character;
use super::model::{Model, Symbol, UNIT, models};
use super::script::Script;
use crate::unicode::CodePoint;

/// The cost in bits of a control that text never has, such as U+0000.
const CONTROL: u32 = 16;

/// Returns the cost of a text in bits: the binary logarithm of how unlikely it is in the language that fits it best. Costs
/// of two readings of the same bytes can be compared; the shorter one is not at an advantage, because each character costs
/// what it says less than chance would.
pub(crate) fn cost(text: &[CodePoint]) -> u32 {
    let controls = controls(text) * CONTROL;
    let characters: Vec<_> = text.iter().map(|cp| character(*cp)).collect();
    let script = main_script(text);
    let mut best = u32::MAX;
    for model in models().iter().filter(|model| model.script.includes(script)) {
        best = cost_in(model, &characters, best);
    }
    best / UNIT + controls
}

/// The pairs of characters in which readings of the same bytes differ: those with one beyond ASCII, or all if there are none.
pub(crate) struct TellingPairs {
    script: Script,
    pairs: Vec<[Character; 2]>,
}

impl TellingPairs {
    pub(crate) fn of(text: &[CodePoint]) -> Self {
        let characters = || text.iter().map(|cp| character(*cp));
        let before = std::iter::once(Character::from(CodePoint::from(b' '))).chain(characters());
        let mut pairs: Vec<_> = before.zip(characters()).map(|(a, b)| [a, b]).collect();
        let tells = |pair: &[Character; 2]| pair.iter().any(|character| character.cp >= 0x80);
        if pairs.iter().any(tells) {
            pairs.retain(tells);
        }
        Self { script: main_script(text), pairs }
    }

    /// Returns what one of them costs on average in the language that fits best, in sixteenths of a bit.
    pub(crate) fn mean_cost(&self) -> u32 {
        let costs = self.models().map(|(_, model)| self.mean_cost_in(model));
        costs.min().unwrap_or(u32::MAX)
    }

    /// Whether that is at most `most`. The language of the last text that was so is tried first: most files of a run are in
    /// one.
    pub(crate) fn cost_at_most(&self, most: u32) -> bool {
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

    pub(crate) const fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing in the text is beyond ASCII.
    pub(crate) fn are_ascii(&self) -> bool {
        self.pairs.iter().flatten().all(|character| character.cp < 0x80)
    }

    /// Whether the text is mostly in ideographs or syllables, each of which says more than a letter.
    pub(crate) const fn are_ideographic(&self) -> bool {
        matches!(self.script, Script::Han | Script::Kana | Script::Hangul)
    }

    fn models(&self) -> impl Iterator<Item = (usize, &'static Model)> + '_ {
        models().iter().enumerate().filter(|(_, model)| model.script.includes(self.script))
    }

    fn mean_cost_in(&self, model: &Model) -> u32 {
        let cost = |[a, b]: &[Character; 2]| model.cost(model.symbol(*a), model.symbol(*b));
        self.pairs.iter().map(cost).sum::<u32>() / (self.pairs.len() as u32).max(1)
    }
}

/// Returns what the characters cost in a language, in sixteenths of a bit, or `most` if that is not more.
fn cost_in(model: &Model, characters: &[Character], most: u32) -> u32 {
    let mut before = Symbol::default();
    let mut sum = 0;
    for character in characters {
        let symbol = model.symbol(*character);
        sum += model.cost(before, symbol);
        before = symbol;
        if sum >= most {
            return most;
        }
    }
    sum
}

/// Returns how many controls a text has that no text has. Several in a row are padding, and count as one.
fn controls(text: &[CodePoint]) -> u32 {
    let runs = text.chunk_by(|a, b| a == b);
    runs.filter(|run| is_control(run[0])).count() as u32
}

/// Returns a character, or the letter that it is a form of: charsets of some terminals have Arabic letters as they are drawn.
fn character(cp: CodePoint) -> Character {
    let mut letter = None;
    if let 0xFB50..=0xFDFF | 0xFE70..=0xFEFC = cp
        && let Some(c) = char::from_u32(cp)
    {
        decompose_compatible(c, |part| letter = letter.or(Some(CodePoint::from(part))));
    }
    Character::from(letter.unwrap_or(cp))
}

/// Returns the script of most letters beyond ASCII, or Latin if there are none.
fn main_script(text: &[CodePoint]) -> Script {
    let mut scripts: Vec<(Script, u32)> = Vec::new();
    for script in text.iter().filter_map(|cp| Script::of(*cp)) {
        match scripts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, times)) => *times += 1,
            None => scripts.push((script, 1)),
        }
    }
    scripts.into_iter().max_by_key(|(_, times)| *times).map_or(Script::Latin, |(script, _)| script)
}

/// Whether a code point has no place in a text: a control, or one without a character that everybody knows.
pub(crate) const fn is_foreign(cp: CodePoint) -> bool {
    is_control(cp) || matches!(cp, 0xD800..=0xF8FF | 0xFFF0..=0xFFFF | 0xF_0000..)
}

/// Whether a control has no place in a text: escape sequences colour the logs of programs.
const fn is_control(cp: CodePoint) -> bool {
    matches!(cp, 0..=0x08 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F..=0x84 | 0x86..=0x9F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_text_costs_less_than_the_same_bytes_read_otherwise() {
        for (right, wrong) in [
            ("Mädchen, Jungen", "M{dchen, Jungen"),
            ("if (x) { a[i] = 1; }", "if (x) ä aÄiÜ = 1; ü"),
            ("привет, мир", "оПХБЕР, ЛХП"),
            ("hello, world", "敨汬Ɐ眠牯摬"),
            ("中文文字", "-N噥嚇[W"),
            ("a & b", "a &amp; b"),
            ("hello", "h\0e\0l\0l\0o\0"),
        ] {
            let cost = |text: &str| cost(&text.chars().map(u32::from).collect::<Vec<_>>());
            assert!(cost(right) < cost(wrong), "{right}: {} {}", cost(right), cost(wrong));
        }
    }
}
