//! How likely a text is in the language that fits it best.

use super::fold::FoldedCharacter;
use super::pair_model::{Language, Model, Symbol, UNIT, models};
use super::script::{Script, ScriptCounts};
use oxiconv_encodings::unicode::CodePoint;

/// The cost, in bits, of a control that text never contains, such as U+0000.
const CONTROL: u32 = 16;

/// Returns the cost of a text in bits: the binary logarithm of how unlikely it is in the language that fits it best.
///
/// Costs of two readings of the same bytes can be compared even if one has fewer characters. Fewer characters are not
/// cheaper: they are of larger sets, such as ideographs, and each of these says more and costs more.
///
/// Only languages of the main script are tried, and each is given up when it costs more than the best one before.
/// Languages of other scripts would see nothing but foreign letters.
pub fn cost(text: &[CodePoint]) -> u32 {
    let controls = controls(text) * CONTROL;
    let characters: Vec<_> = text.iter().map(|cp| character(*cp)).collect();
    let script = ScriptCounts::beyond_ascii(text).main().unwrap_or(Script::Latin);
    let mut best = u32::MAX;
    for model in models().iter().filter(|model| model.script.includes(script)) {
        best = cost_in(model, &characters, best);
    }
    best / UNIT + controls
}

/// Returns what the characters cost in a language, in sixteenths of a bit, or `most` as soon as the sum reaches it. The
/// text is followed in two languages at once, its own and English, since a pair needs the symbols of both of its
/// characters in the same language.
fn cost_in(model: &Model, characters: &[FoldedCharacter], most: u32) -> u32 {
    let english = Language::english();
    let mut before = (Symbol::default(), Symbol::default(), true);
    let mut sum = 0;
    for character in characters {
        let (symbol, of_english) = (model.symbol(*character), english.symbol(*character));
        let is_ascii = character.cp < 0x80;
        let cost = model.cost(before.0, symbol);
        // Keys, tags and names in ASCII are part of texts in any language, so a pair within ASCII costs what it costs
        // in English if that is less.
        let is_english = is_ascii && before.2;
        sum += if is_english { cost.min(english.cost(before.1, of_english)) } else { cost };
        before = (symbol, of_english, is_ascii);
        if sum >= most {
            return most;
        }
    }
    sum
}

/// Counts the controls that text never contains. Several equal ones in a row are padding, and count as one.
fn controls(text: &[CodePoint]) -> u32 {
    let runs = text.chunk_by(|a, b| a == b);
    runs.filter(|run| is_control(run[0])).count() as u32
}

/// Returns a character; for an Arabic presentation form, the letter. Charsets of some terminals encode Arabic letters
/// by their shapes.
pub(super) fn character(cp: CodePoint) -> FoldedCharacter {
    use unicode_normalization::char::decompose_compatible;
    let mut letter = None;
    if let 0xFB50..=0xFDFF | 0xFE70..=0xFEFC = cp
        && let Some(c) = char::from_u32(cp)
    {
        decompose_compatible(c, |part| letter = letter.or(Some(CodePoint::from(part))));
    }
    FoldedCharacter::from(letter.unwrap_or(cp))
}

/// Whether a code point is a control that text never contains. ESC is not: escape sequences colour the logs of
/// programs.
pub(super) const fn is_control(cp: CodePoint) -> bool {
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
