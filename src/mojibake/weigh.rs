//! What a text costs: how unlikely it is in the language that it fits best, in bits.

use std::collections::HashMap;
use std::iter;

use crate::language::{Character, Script, Symbol, UNIT, models};
use crate::unicode::{CodePoint, is_alphabetic};

/// Bits that a character beyond ASCII costs at most in sound text, whatever it is.
const ANY: u32 = 16;
/// Bits that a letter costs next to one in Latin script, if it is not.
const MIXED: f32 = 8.0;
/// Bits that a small letter costs after two capitals.
const CAPITALS: f32 = 10.0;
/// Bits that a capital letter beyond ASCII costs after a small one, more than one of ASCII.
const CAPITAL_INSIDE: f32 = 8.0;
/// Bits that a mark costs less after a word in capitals.
const CLOSING: f32 = 8.0;
/// Bits that a sign of a box costs less next to another.
const BOXES: f32 = 8.0;
/// Bits by which a sign inside a word is less likely than one next to a blank.
const INSIDE: f32 = 5.0;
/// Texts whose costs are remembered, and the most characters of one.
const MOST: usize = 4096;
const LONGEST: usize = 64;
/// Characters of which it is remembered what they are.
const CHARACTERS: usize = 2048;

#[cfg(test)]
thread_local! {
    /// How many characters were weighed in a language, for tests of what an option costs.
    pub static WEIGHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Weighs texts, and remembers what short ones cost.
#[derive(Default)]
pub(super) struct Scale {
    /// What texts cost, as they stand and as they were meant.
    known: [HashMap<Vec<CodePoint>, f32>; 2],
    /// The number of the language that the last text costs least in.
    language: usize,
    characters: Characters,
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
        let characters = self.characters.of(text);
        let cost = self.least(&characters, &Scripts::of(&characters), most);
        if text.len() <= LONGEST {
            let known = &mut self.known[known];
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(text.to_vec(), cost);
        }
        cost
    }

    /// Returns what a text costs as it stands in the languages of the scripts of `reading`.
    pub(super) fn cost_beside(&mut self, text: &[CodePoint], reading: &[CodePoint]) -> f32 {
        let scripts = Scripts::of(&self.characters.of(reading));
        let characters = self.characters.of(text);
        self.least(&characters, &scripts, ANY * UNIT)
    }

    /// Returns what characters cost in the language of these scripts that fits best.
    fn least(&mut self, characters: &[Traits], scripts: &Scripts, most: u32) -> f32 {
        // The language of the last text first: most others cost more before their end.
        let usual = self.language;
        let mut least = u32::MAX;
        for index in iter::once(usual).chain((0..models().len()).filter(|index| *index != usual)) {
            if !scripts.has(models()[index].script) {
                continue;
            }
            if let Some(cost) = self.characters.cost_below(least, index, characters, most) {
                (least, self.language) = (cost, index);
            }
        }
        least as f32 / UNIT as f32 + texture(characters)
    }
}

/// A character, and what matters of it.
#[derive(Clone, Copy)]
struct Traits {
    character: Character,
    script: Option<Script>,
    is_letter: bool,
    is_upper: bool,
    is_lower: bool,
    /// The place of its symbols.
    symbols: usize,
}

/// What is known of characters.
#[derive(Default)]
struct Characters {
    /// The places of those that are known.
    places: HashMap<CodePoint, usize>,
    known: Vec<Traits>,
    /// The symbols of each in one language after the other, as far as they were asked for: a character is weighed only in
    /// the languages of its script.
    symbols: Vec<Option<Symbol>>,
}

impl Characters {
    /// Returns what is known of the characters of a text.
    fn of(&mut self, text: &[CodePoint]) -> Vec<Traits> {
        if self.known.len() > CHARACTERS {
            *self = Self::default();
        }
        let of = |cp: &CodePoint| match self.places.get(cp) {
            Some(place) => self.known[*place],
            None => self.learn(*cp),
        };
        text.iter().map(of).collect()
    }

    fn learn(&mut self, cp: CodePoint) -> Traits {
        let is = |test: fn(char) -> bool| char::from_u32(cp).is_some_and(test);
        let known = Traits {
            character: Character::from(cp),
            script: Script::of(cp),
            is_letter: is_alphabetic(cp),
            is_upper: is(char::is_uppercase),
            is_lower: is(char::is_lowercase),
            symbols: self.symbols.len(),
        };
        self.symbols.resize(self.symbols.len() + models().len(), None);
        self.places.insert(cp, self.known.len());
        self.known.push(known);
        known
    }

    /// Returns the cost of a text in the language of a number, if it is below `limit`; each character beyond ASCII costs at most
    /// `most`, unless it is a control code.
    fn cost_below(
        &mut self,
        limit: u32,
        language: usize,
        text: &[Traits],
        most: u32,
    ) -> Option<u32> {
        #[cfg(test)]
        WEIGHED.with(|count| count.set(count.get() + text.len()));
        let model = &models()[language];
        let mut before = Symbol::default();
        let mut previous = Character::from(0x20);
        let mut sum = 0;
        for Traits { character, symbols, .. } in text {
            let symbol =
                *self.symbols[symbols + language].get_or_insert_with(|| model.symbol(*character));
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
}

/// What the pairs of a language do not say of signs: inside words they are unlikely, and those of boxes stand next to
/// each other.
fn texture(text: &[Traits]) -> f32 {
    let is_box = |known: &Traits| matches!(known.character.cp, 0x2500..=0x259F);
    let at = |place: usize| text.get(place);
    let is_letter = |known: Option<&Traits>| known.is_some_and(|known| known.is_letter);
    let is_upper = |known: Option<&Traits>| known.is_some_and(|known| known.is_upper);
    let is_latin = |known: Option<&Traits>| known.and_then(|it| it.script) == Some(Script::Latin);
    let mut sum = 0.0;
    for (place, known) in text.iter().enumerate() {
        let cp = known.character.cp;
        if cp < 0x80 {
            continue;
        }
        let (before, after) = (at(place.wrapping_sub(1)), at(place + 1));
        let in_capitals = is_upper(before) && is_upper(at(place.wrapping_sub(2)));
        if known.is_letter {
            // A word in capitals goes on in capitals.
            if in_capitals && known.is_lower {
                sum += CAPITALS;
            }
            if known.is_upper && before.is_some_and(|before| before.is_lower) {
                sum += CAPITAL_INSIDE;
            }
            let is_other = known.script.is_some_and(|script| script != Script::Latin);
            if is_other && (is_latin(before) || is_latin(after)) {
                sum += MIXED;
            }
            continue;
        }
        let is_free = !is_letter(before) && !is_letter(after);
        if is_free && is_box(known) && (before.is_some_and(is_box) || after.is_some_and(is_box)) {
            sum -= BOXES;
        }
        let closes = matches!(cp, 0xAE | 0xB4 | 0xBB | 0x2019 | 0x201D | 0x201E | 0x2026 | 0x2122);
        if closes && in_capitals && !is_letter(after) {
            sum -= CLOSING;
        }
        let joins = joins(cp);
        let is_inside = is_letter(before) && is_letter(after);
        if !joins && is_inside && before.is_some_and(|before| before.character.cp < 0x2E80) {
            sum += INSIDE;
        }
    }
    sum
}

/// Whether a character that is no letter may stand inside a word: a blank, a hyphen, an apostrophe or a mark.
pub(super) fn joins(cp: CodePoint) -> bool {
    matches!(cp, 0xA0 | 0xAD | 0xB7 | 0x2019 | 0x2010..=0x2012 | 0x200B..=0x200F | 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x900..=0x109F | 0x1780..=0x17FF)
}

/// The scripts of a text, a bit each.
struct Scripts(Vec<Script>);

impl Scripts {
    fn of(text: &[Traits]) -> Self {
        let mut scripts = Vec::new();
        for script in text.iter().filter_map(|known| known.script) {
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
