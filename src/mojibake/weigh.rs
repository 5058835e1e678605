//! What a text costs: how unlikely it is in the language that it fits best, in bits.

use std::collections::HashMap;

use crate::language::{Character, Model, Script, Symbol, UNIT, models};
use crate::unicode::CodePoint;

/// What it costs at most that a piece of a text is in another language than the rest.
const OTHER_LANGUAGE_: f32 = 8.0;
fn p_other_language() -> f32 {
    static P: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *P.get_or_init(|| {
        std::env::var("P_OTHER_LANGUAGE")
            .ok()
            .and_then(|v| v.parse().ok())
            .unwrap_or(OTHER_LANGUAGE_)
    })
}
/// Bits that a letter costs next to one in Latin script, if it is not.
const MIXED_: f32 = 8.0;
fn p_mixed() -> f32 {
    static P: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *P.get_or_init(|| std::env::var("P_MIXED").ok().and_then(|v| v.parse().ok()).unwrap_or(MIXED_))
}
/// Bits that a small letter costs after two capitals.
const CAPITALS_: f32 = 10.0;
fn p_capitals() -> f32 {
    static P: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *P.get_or_init(|| {
        std::env::var("P_CAPITALS").ok().and_then(|v| v.parse().ok()).unwrap_or(CAPITALS_)
    })
}
/// Bits that a mark costs less after a word in capitals.
const CLOSING: f32 = 5.0;
/// Texts whose costs are remembered.
const MOST: usize = 4096;
/// Bits that a character beyond ASCII costs at most in sound text, whatever it is.
const ANY_: u32 = 16;
fn p_any() -> u32 {
    static P: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *P.get_or_init(|| std::env::var("P_ANY").ok().and_then(|v| v.parse().ok()).unwrap_or(ANY_))
}
/// Bits by which a sign inside a word is less likely than one next to a blank.
const INSIDE_: f32 = 5.0;
fn p_inside() -> f32 {
    static P: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *P.get_or_init(|| {
        std::env::var("P_INSIDE").ok().and_then(|v| v.parse().ok()).unwrap_or(INSIDE_)
    })
}

/// The languages, and how well each fits the text so far.
pub(super) struct Scale {
    /// The cost in bits of the text so far in each language, by which the cheapest one is cheaper.
    excess: Vec<f32>,
    /// What texts cost, as they stand and as they were meant.
    known: [HashMap<Vec<CodePoint>, f32>; 2],
}

impl Scale {
    pub(super) fn new() -> Self {
        Self { excess: vec![0.0; models().len()], known: Default::default() }
    }

    /// Returns what a text costs, in bits.
    pub(super) fn cost(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, u32::MAX)
    }

    /// Returns what a text costs as it stands, in bits: sound text may have any signs.
    pub(super) fn cost_of_any(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, p_any() * UNIT)
    }

    fn cost_at_most(&mut self, text: &[CodePoint], most: u32) -> f32 {
        let known = &mut self.known[usize::from(most == u32::MAX)];
        if let Some(cost) = known.get(text) {
            return *cost;
        }
        let characters: Vec<_> = text.iter().map(|cp| Character::from(*cp)).collect();
        let scripts = Scripts::of(text);
        let models = models().iter().zip(&self.excess);
        let costs = models.filter(|(model, _)| scripts.has(model.script)).map(|(model, excess)| {
            bits(model, &characters, most) + (excess / 8.0).min(p_other_language())
        });
        let cost = costs.fold(f32::INFINITY, f32::min) + texture(text);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.to_vec(), cost);
        cost
    }
}

/// Returns the cost of a text in a language; each character beyond ASCII costs at most `most`, unless it is a control code.
fn bits(model: &Model, text: &[Character], most: u32) -> f32 {
    let mut before = Symbol::default();
    let mut previous = Character::from(0x20);
    let mut sum = 0;
    for character in text {
        let symbol = model.symbol(*character);
        let cost = model.cost(before, symbol);
        let case = character.case_after(previous);
        sum += if character.cp < 0xA0 { cost } else { (cost - case).min(most) + case };
        previous = *character;
        before = symbol;
    }
    sum += model.cost(before, Symbol::default());
    sum as f32 / UNIT as f32
}

/// What the pairs of a language do not say of signs: inside words they are unlikely, and those of boxes stand next to
/// each other.
fn texture(text: &[CodePoint]) -> f32 {
    let is_letter = |cp: CodePoint| char::from_u32(cp).is_some_and(char::is_alphabetic);
    let is_box = |cp: CodePoint| matches!(cp, 0x2500..=0x259F);
    let at = |place: usize| text.get(place).copied().unwrap_or(0x20);
    let mut sum = 0.0;
    for (place, cp) in text.iter().enumerate() {
        if *cp < 0x80 {
            continue;
        }
        let (before, after) = (at(place.wrapping_sub(1)), at(place + 1));
        if is_letter(*cp) {
            // A word in capitals goes on in capitals.
            let is = |cp: CodePoint, test: fn(char) -> bool| char::from_u32(cp).is_some_and(test);
            let capitals =
                is(before, char::is_uppercase) && is(at(place.wrapping_sub(2)), char::is_uppercase);
            if capitals && is(*cp, char::is_lowercase) {
                sum += p_capitals();
            }
            let script = Script::of(*cp).filter(|script| *script != Script::Latin);
            let latin = |cp| Script::of(cp) == Some(Script::Latin);
            if script.is_some() && (latin(before) || latin(after)) {
                sum += p_mixed();
            }
            continue;
        }
        if is_box(*cp) && (is_box(before) || is_box(after)) {
            sum -= 8.0;
        }
        let is_capital = |cp: CodePoint| char::from_u32(cp).is_some_and(char::is_uppercase);
        let closes = matches!(*cp, 0xAE | 0xBB | 0x2019 | 0x201D | 0x2026 | 0x2122);
        if closes
            && is_capital(before)
            && is_capital(at(place.wrapping_sub(2)))
            && !is_letter(after)
        {
            sum -= CLOSING;
        }
        let joins = matches!(*cp, 0xAD | 0xB7 | 0x2019 | 0x2010..=0x2012 | 0x200B..=0x200F | 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x900..=0x109F | 0x1780..=0x17FF);
        if !joins && is_letter(before) && is_letter(after) && before < 0x2E80 {
            sum += p_inside();
        }
    }
    sum
}

/// The scripts of a text, a bit each.
struct Scripts(Vec<Script>);

impl Scripts {
    fn of(text: &[CodePoint]) -> Self {
        let mut scripts = Vec::new();
        for script in text.iter().filter_map(|cp| Script::of(*cp)) {
            if !scripts.contains(&script) {
                scripts.push(script);
            }
        }
        // Of several, Latin is the one that other languages have too.
        if scripts.len() > 1 {
            scripts.retain(|script| *script != Script::Latin);
        }
        if scripts.is_empty() {
            scripts.push(Script::Latin);
        }
        Self(scripts)
    }

    fn has(&self, script: Script) -> bool {
        self.0.iter().any(|own| script.includes(*own))
    }
}
