//! How likely a text is in the language that fits it best.

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
    let controls = text.iter().filter(|cp| is_control(**cp)).count() as u32 * CONTROL;
    let characters: Vec<_> = text.iter().map(|cp| Character::from(*cp)).collect();
    let script = main_script(text);
    let mut best = u32::MAX;
    for model in models().iter().filter(|model| model.script.includes(script)) {
        best = cost_in(model, &characters, best);
    }
    best / UNIT + controls
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
