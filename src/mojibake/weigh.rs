//! What a text costs: how unlikely it is in the language that it fits best, in bits.

use std::collections::HashMap;

use crate::language::{Character, Model, Script, Symbol, UNIT, models};
use crate::unicode::CodePoint;

/// What it costs at most that a piece of a text is in another language than the rest.
const OTHER_LANGUAGE: f32 = 8.0;
/// Texts whose costs are remembered.
const MOST: usize = 4096;
/// Bits by which a sign inside a word is less likely than one next to a blank.
const INSIDE: f32 = 5.0;

/// The languages, and how well each fits the text so far.
pub(super) struct Scale {
    /// The cost in bits of the text so far in each language, by which the cheapest one is cheaper.
    excess: Vec<f32>,
    known: HashMap<Vec<CodePoint>, f32>,
}

impl Scale {
    pub(super) fn new() -> Self {
        Self { excess: vec![0.0; models().len()], known: HashMap::new() }
    }

    /// Learns from a piece of text that is sound.
    pub(super) fn learn(&mut self, text: &[CodePoint]) {
        let characters: Vec<_> = text.iter().map(|cp| Character::from(*cp)).collect();
        let scripts = Scripts::of(text);
        for (model, excess) in models().iter().zip(&mut self.excess) {
            let bits = if scripts.has(model.script) {
                bits(model, &characters)
            } else {
                // As if it were in another script.
                text.len() as f32 * 8.0
            };
            *excess += bits;
        }
        let least = self.excess.iter().copied().fold(f32::INFINITY, f32::min);
        // What was long ago tells less.
        self.excess.iter_mut().for_each(|excess| *excess = (*excess - least).min(400.0));
        self.known.clear();
    }

    /// Returns what a text costs, in bits.
    pub(super) fn cost(&mut self, text: &[CodePoint]) -> f32 {
        if let Some(cost) = self.known.get(text) {
            return *cost;
        }
        let characters: Vec<_> = text.iter().map(|cp| Character::from(*cp)).collect();
        let scripts = Scripts::of(text);
        let models = models().iter().zip(&self.excess);
        let costs = models
            .filter(|(model, _)| scripts.has(model.script))
            .map(|(model, excess)| bits(model, &characters) + (excess / 8.0).min(OTHER_LANGUAGE));
        let cost = costs.fold(f32::INFINITY, f32::min) + texture(text);
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(text.to_vec(), cost);
        cost
    }
}

/// Returns the cost of a text in a language.
fn bits(model: &Model, text: &[Character]) -> f32 {
    let mut before = Symbol::default();
    let mut sum = 0;
    for character in text {
        let symbol = model.symbol(*character);
        sum += model.cost(before, symbol);
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
        if *cp < 0x80 || is_letter(*cp) {
            continue;
        }
        let (before, after) = (at(place.wrapping_sub(1)), at(place + 1));
        if is_box(*cp) && (is_box(before) || is_box(after)) {
            sum -= 8.0;
        }
        let joins = matches!(*cp, 0xAD | 0xB7 | 0x2019 | 0x2010..=0x2012 | 0x200B..=0x200F | 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x900..=0x109F | 0x1780..=0x17FF);
        if !joins && is_letter(before) && is_letter(after) && before < 0x2E80 {
            sum += INSIDE;
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
