//! What a text costs: how unlikely it is in the language that it fits best, in bits.

use std::collections::HashMap;
use std::iter;

use crate::language::{Character, Model, Script, Symbol, UNIT, models};
use crate::unicode::CodePoint;

/// Bits that a character beyond ASCII costs at most in sound text, whatever it is.
const ANY: u32 = 16;
/// Bits that a letter costs next to one in Latin script, if it is not.
const MIXED: f32 = 8.0;
/// Bits that a small letter costs after two capitals.
const CAPITALS: f32 = 10.0;
/// Bits that a mark costs less after a word in capitals.
const CLOSING: f32 = 8.0;
/// Bits that a sign of a box costs less next to another.
const BOXES: f32 = 8.0;
/// Bits by which a sign inside a word is less likely than one next to a blank.
const INSIDE: f32 = 5.0;
/// Texts whose costs are remembered, and the most characters of one.
const MOST: usize = 4096;
const LONGEST: usize = 64;

/// Weighs texts, and remembers what short ones cost.
#[derive(Default)]
pub(super) struct Scale {
    /// What texts cost, as they stand and as they were meant.
    known: [HashMap<Vec<CodePoint>, f32>; 2],
    /// The number of the language that the last text costs least in.
    language: usize,
}

impl Scale {
    /// Returns what a text costs, in bits.
    pub(super) fn cost(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, u32::MAX)
    }

    /// Returns what a text costs as it stands, in bits: sound text may have any signs.
    pub(super) fn cost_of_any(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, ANY * UNIT)
    }

    fn cost_at_most(&mut self, text: &[CodePoint], most: u32) -> f32 {
        let known = usize::from(most == u32::MAX);
        if let Some(cost) = self.known[known].get(text) {
            return *cost;
        }
        let characters: Vec<_> = text.iter().map(|cp| Character::from(*cp)).collect();
        let scripts = Scripts::of(text);
        // The language of the last text first: most others cost more before their end.
        let usual = self.language;
        let mut least = u32::MAX;
        for index in iter::once(usual).chain((0..models().len()).filter(|index| *index != usual)) {
            let model = &models()[index];
            if !scripts.has(model.script) {
                continue;
            }
            if let Some(cost) = cost_below(least, model, &characters, most) {
                (least, self.language) = (cost, index);
            }
        }
        let cost = least as f32 / UNIT as f32 + texture(text);
        if text.len() <= LONGEST {
            let known = &mut self.known[known];
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(text.to_vec(), cost);
        }
        cost
    }
}

/// Returns the cost of a text in a language, if it is below `limit`; each character beyond ASCII costs at most `most`, unless it
/// is a control code.
fn cost_below(limit: u32, model: &Model, text: &[Character], most: u32) -> Option<u32> {
    let mut before = Symbol::default();
    let mut previous = Character::from(0x20);
    let mut sum = 0;
    for character in text {
        let symbol = model.symbol(*character);
        let cost = model.cost(before, symbol);
        let case = character.case_after(previous);
        sum += if character.cp < 0xA0 { cost } else { (cost - case).min(most) + case };
        if sum >= limit {
            return None;
        }
        previous = *character;
        before = symbol;
    }
    sum += model.cost(before, Symbol::default());
    (sum < limit).then_some(sum)
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
                sum += CAPITALS;
            }
            let script = Script::of(*cp).filter(|script| *script != Script::Latin);
            let latin = |cp| Script::of(cp) == Some(Script::Latin);
            if script.is_some() && (latin(before) || latin(after)) {
                sum += MIXED;
            }
            continue;
        }
        let is_free = !is_letter(before) && !is_letter(after);
        if is_free && is_box(*cp) && (is_box(before) || is_box(after)) {
            sum -= BOXES;
        }
        let is_capital = |cp: CodePoint| char::from_u32(cp).is_some_and(char::is_uppercase);
        let closes = matches!(*cp, 0xAE | 0xB4 | 0xBB | 0x2019 | 0x201D | 0x201E | 0x2026 | 0x2122);
        if closes
            && is_capital(before)
            && is_capital(at(place.wrapping_sub(2)))
            && !is_letter(after)
        {
            sum -= CLOSING;
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
