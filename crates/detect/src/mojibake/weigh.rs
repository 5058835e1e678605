//! What a text costs: how unlikely it is in the language that it fits best, in bits. What short texts cost is
//! remembered.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::language::{FoldedCharacter, MISPLACED, Script, Symbol, UNIT, WordPart, models};
use oxiconv_encodings::unicode::CodePoint;

/// Bits that a character beyond ASCII costs at most in sound text, whatever it is.
const MAX_SIGN_COST: u32 = 16;
/// Bits that a small letter costs after two capitals.
const CAPITALS: f32 = 10.0;
/// Bits that a capital letter beyond ASCII costs after a small one, more than one of ASCII.
const CAPITAL_INSIDE: f32 = 8.0;
/// Bits that a mark costs less after a word in capitals.
const CLOSING: f32 = 8.0;
/// Bits that a sign of a box costs less next to another.
const BOXES: f32 = 8.0;
/// Texts whose costs are remembered, and the most characters of one.
const CACHE_ENTRIES: usize = 4096;
const MAX_CACHED_TEXT: usize = 64;
/// Slots for what is remembered of characters and of pairs.
const TRAIT_SLOTS: usize = 4096;
const PAIR_SLOTS: usize = 8192;
/// Costs of pairs are remembered for scripts with at least this many languages.
const MIN_BATCHED_LANGUAGES: usize = 6;
/// Languages that are weighed at once, and the most such groups of a script.
const LANES: usize = 16;
const MAX_LANE_GROUPS: usize = 4;
/// Pairs whose costs are summed in 16 bits: each costs less than 1024 sixteenths of a bit.
const CHUNK: usize = 64;

#[cfg(debug_assertions)]
thread_local! {
    /// How many characters were weighed, for tests of what an option costs.
    pub static WEIGHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Weighs texts, and remembers what short ones cost.
#[derive(Default)]
pub(super) struct Scale {
    /// What texts cost, as they stand and as they were meant.
    known: [HashMap<Vec<CodePoint>, f32>; 2],
    /// What pairs cost, in the same two cases, for each of [`scripts`].
    pairs: [Vec<PairCostCache>; 2],
    characters: TraitCache,
    /// The characters of the text that is weighed.
    text: Vec<Traits>,
}

impl Scale {
    /// Returns what a text costs, in bits.
    pub fn cost(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, u32::MAX)
    }

    /// The same of a text that is not weighed again.
    pub(super) fn cost_once(&mut self, text: &[CodePoint]) -> f32 {
        self.least(text, None, u32::MAX)
    }

    /// Returns what a text costs as it stands, in bits: sound text may have any signs.
    pub(super) fn cost_of_any(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, MAX_SIGN_COST * UNIT)
    }

    fn cost_at_most(&mut self, text: &[CodePoint], most: u32) -> f32 {
        let known = usize::from(most == u32::MAX);
        if let Some(cost) = self.known[known].get(text) {
            return *cost;
        }
        let cost = self.least(text, None, most);
        if text.len() <= MAX_CACHED_TEXT {
            let known = &mut self.known[known];
            if known.len() >= CACHE_ENTRIES {
                known.clear();
            }
            known.insert(text.to_vec(), cost);
        }
        cost
    }

    /// Returns what a text costs as it stands in the languages of the scripts of `reading`.
    pub(super) fn cost_beside(&mut self, text: &[CodePoint], reading: &[CodePoint]) -> f32 {
        self.characters.read(reading, &mut self.text);
        let scripts = ScriptBits::of(&self.text);
        self.least(text, Some(scripts), MAX_SIGN_COST * UNIT)
    }

    /// Returns what a text costs in the language that fits best, of these scripts or of its own.
    fn least(&mut self, text: &[CodePoint], scripts: Option<ScriptBits>, most: u32) -> f32 {
        #[cfg(debug_assertions)]
        WEIGHED.with(|count| count.set(count.get() + text.len()));
        self.characters.read(text, &mut self.text);
        let own = scripts.unwrap_or_else(|| ScriptBits::of(&self.text));
        let pairs = &mut self.pairs[usize::from(most == u32::MAX)];
        pairs.resize_with(self::scripts().len(), PairCostCache::default);
        let mut least = u32::MAX;
        for ((script, languages), pairs) in self::scripts().iter().zip(pairs) {
            if !own.has(*script) {
                continue;
            }
            if languages.len() >= MIN_BATCHED_LANGUAGES {
                least = least.min(pairs.least(languages, &self.text, &mut self.characters, most));
                continue;
            }
            for language in languages {
                least = least.min(self.characters.cost(*language, &self.text, most, least));
            }
        }
        least as f32 / UNIT as f32 + texture(&self.text)
    }
}

/// Returns the scripts, with the numbers of the languages in each.
fn scripts() -> &'static [(Script, Vec<usize>)] {
    static SCRIPTS: OnceLock<Vec<(Script, Vec<usize>)>> = OnceLock::new();
    SCRIPTS.get_or_init(|| {
        let mut scripts: Vec<(Script, Vec<usize>)> = Vec::new();
        for (number, model) in models().iter().enumerate() {
            match scripts.iter_mut().find(|(script, _)| *script == model.script) {
                Some((_, numbers)) => numbers.push(number),
                None => scripts.push((model.script, vec![number])),
            }
        }
        scripts
    })
}

/// What a character costs after another one in each of the many languages of a script. Text has few different pairs, so a
/// text costs hardly more in all languages than in one: the sum of the rows of its pairs.
#[derive(Default)]
struct PairCostCache {
    /// The pair in each slot. A hash gives a pair its slot, where it replaces the one before.
    pairs: Vec<[CodePoint; 2]>,
    /// A row for each slot: the costs of its pair in one language after the other.
    costs: Vec<[u16; LANES]>,
}

impl PairCostCache {
    /// Returns what a text costs in the language that fits best.
    fn least(
        &mut self,
        languages: &[usize],
        text: &[Traits],
        characters: &mut TraitCache,
        most: u32,
    ) -> u32 {
        let groups = languages.len().div_ceil(LANES);
        if self.pairs.is_empty() {
            self.pairs = vec![[CodePoint::MAX; 2]; PAIR_SLOTS];
            self.costs = vec![[0; LANES]; PAIR_SLOTS * groups];
        }
        let mut sums = [[0_u32; LANES]; MAX_LANE_GROUPS];
        let blank = characters.of(0x20);
        let mut before = blank;
        for chunk in text.chunks(CHUNK) {
            let mut part = [[0_u16; LANES]; MAX_LANE_GROUPS];
            for known in chunk {
                let row = self.row(languages, [before, *known], characters, most);
                for (sums, costs) in part.iter_mut().zip(row) {
                    sums.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
                }
                before = *known;
            }
            let parts = part.as_flattened().iter().map(|part| u32::from(*part));
            sums.as_flattened_mut().iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        let last = self.row(languages, [before, blank], characters, most).as_flattened();
        let sums = sums.as_flattened().iter().zip(last).map(|(sum, cost)| sum + u32::from(*cost));
        sums.take(languages.len()).min().unwrap_or(u32::MAX)
    }

    /// Returns the row of a pair.
    #[inline]
    fn row(
        &mut self,
        languages: &[usize],
        pair: [Traits; 2],
        characters: &mut TraitCache,
        most: u32,
    ) -> &[[u16; LANES]] {
        let [before, after] = [pair[0].character.cp, pair[1].character.cp];
        let slot = slot(before.wrapping_mul(0x9E37_79B1) ^ after, PAIR_SLOTS);
        let groups = languages.len().div_ceil(LANES);
        let row = &mut self.costs[slot * groups..][..groups];
        if self.pairs[slot] != [before, after] {
            self.pairs[slot] = [before, after];
            let [before, after] = pair;
            for (cost, language) in row.as_flattened_mut().iter_mut().zip(languages) {
                let before = (before, characters.symbol(*language, before));
                let after = (after, characters.symbol(*language, after));
                *cost = cost_after(*language, before, after, most) as u16;
            }
        }
        row
    }
}

/// Returns the slot of a number among so many, a power of two.
#[inline]
const fn slot(number: u32, slots: usize) -> usize {
    (number.wrapping_mul(0x85EB_CA6B) >> 16) as usize % slots
}

/// A character, and what matters of it.
#[derive(Clone, Copy)]
struct Traits {
    character: FoldedCharacter,
    part: WordPart,
    is_upper: bool,
    is_lower: bool,
}

impl Traits {
    fn of(cp: CodePoint) -> Self {
        let is = |test: fn(char) -> bool| char::from_u32(cp).is_some_and(test);
        Self {
            character: FoldedCharacter::from(cp),
            part: WordPart::from(cp),
            is_upper: is(char::is_uppercase),
            is_lower: is(char::is_lowercase),
        }
    }
}

/// What is known of characters.
#[derive(Default)]
struct TraitCache {
    /// The character in each slot, where it replaces the one before, and the place of its symbols.
    known: Vec<(Traits, Option<usize>)>,
    /// The symbols of each in one language after the other, as far as they were asked for: a character is weighed only in
    /// the languages of its script.
    symbols: Vec<Option<Symbol>>,
}

impl TraitCache {
    /// Reads what is known of the characters of a text.
    fn read(&mut self, text: &[CodePoint], known: &mut Vec<Traits>) {
        if self.known.is_empty() {
            self.known = vec![(Traits::of(CodePoint::MAX), None); TRAIT_SLOTS];
        }
        known.clear();
        known.extend(text.iter().map(|cp| self.of(*cp)));
    }

    #[inline]
    fn of(&mut self, cp: CodePoint) -> Traits {
        let (known, symbols) = &mut self.known[slot(cp, TRAIT_SLOTS)];
        if known.character.cp != cp {
            *known = Traits::of(cp);
            if let Some(at) = *symbols {
                self.symbols[at..][..models().len()].fill(None);
            }
        }
        *known
    }

    #[inline]
    fn symbol(&mut self, language: usize, known: Traits) -> Symbol {
        let of = || models()[language].symbol(known.character);
        let (own, symbols) = &mut self.known[slot(known.character.cp, TRAIT_SLOTS)];
        // Another character of the text may have replaced it.
        if own.character.cp != known.character.cp {
            return of();
        }
        let all = &mut self.symbols;
        let at = *symbols.get_or_insert_with(|| {
            all.resize(all.len() + models().len(), None);
            all.len() - models().len()
        });
        *all[at + language].get_or_insert_with(of)
    }

    /// Returns the cost of a text in the language of a number, or `limit` if that is not more.
    fn cost(&mut self, language: usize, text: &[Traits], most: u32, limit: u32) -> u32 {
        let mut sum = 0;
        let blank = (self.of(0x20), Symbol::default());
        let mut before = blank;
        for known in text {
            let after = (*known, self.symbol(language, *known));
            sum += cost_after(language, before, after, most);
            before = after;
            if sum >= limit {
                return limit;
            }
        }
        sum + cost_after(language, before, blank, most)
    }
}

/// Returns the cost of the second of two characters in the language of a number; if it is beyond ASCII and no control code, at
/// most `most` besides its case.
#[inline]
fn cost_after(
    language: usize,
    before: (Traits, Symbol),
    after: (Traits, Symbol),
    most: u32,
) -> u32 {
    let cost = models()[language].cost(before.1, after.1);
    let (before, after) = (before.0.character, after.0.character);
    let case = after.case_after(before);
    if after.cp < 0xA0 { cost } else { (cost - case).min(most) + case }
}

/// What the pairs of a language do not say of signs: inside words they are unlikely, and those of boxes stand next to
/// each other.
fn texture(text: &[Traits]) -> f32 {
    let is_box = |known: &Traits| matches!(known.character.cp, 0x2500..=0x259F);
    let at = |place: usize| text.get(place);
    let is_letter = |known: Option<&Traits>| known.is_some_and(|known| known.part.is_letter);
    let is_upper = |known: Option<&Traits>| known.is_some_and(|known| known.is_upper);
    let blank = WordPart::from(0x20);
    let part = |known: Option<&Traits>| known.map_or(blank, |known| known.part);
    let mut sum = 0.0;
    for (place, known) in text.iter().enumerate() {
        let cp = known.character.cp;
        if cp < 0x80 {
            continue;
        }
        let (before, after) = (at(place.wrapping_sub(1)), at(place + 1));
        let in_capitals = is_upper(before) && is_upper(at(place.wrapping_sub(2)));
        if known.part.is_misplaced(part(before), part(after)) {
            sum += MISPLACED as f32;
        }
        if known.part.is_letter {
            // A word in capitals goes on in capitals.
            if in_capitals && known.is_lower {
                sum += CAPITALS;
            }
            if known.is_upper && before.is_some_and(|before| before.is_lower) {
                sum += CAPITAL_INSIDE;
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
    }
    sum
}

/// The scripts of a text, a bit each.
#[derive(Clone, Copy)]
struct ScriptBits(u32);

impl ScriptBits {
    fn of(text: &[Traits]) -> Self {
        let all = text
            .iter()
            .filter_map(|known| known.part.script)
            .fold(0, |all, script| all | script.bit());
        // Of several, Latin is the one that other languages have too.
        let latin = Script::Latin.bit();
        Self(if all & !latin == 0 { latin } else { all & !latin })
    }

    /// Whether a text in these scripts may be in a language of this one.
    fn has(self, script: Script) -> bool {
        let han = if script.includes(Script::Han) { Script::Han.bit() } else { 0 };
        self.0 & (script.bit() | han) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_costs_in_all_languages_what_it_costs_in_the_best() {
        for text in ["", "été", "Ã©tÃ© â€\u{9D}", "привет, МИР", "مرحبا", &"Łódź ".repeat(40)]
        {
            let text: Vec<_> = text.chars().map(CodePoint::from).collect();
            for most in [MAX_SIGN_COST * UNIT, u32::MAX] {
                let (mut characters, mut known) = (TraitCache::default(), Vec::new());
                characters.read(&text, &mut known);
                for (_, languages) in
                    scripts().iter().filter(|it| it.1.len() >= MIN_BATCHED_LANGUAGES)
                {
                    assert!(languages.len() <= LANES * MAX_LANE_GROUPS);
                    let cost =
                        |language: &usize| characters.cost(*language, &known, most, u32::MAX);
                    let least = languages.iter().map(cost).min().unwrap();
                    let mut pairs = PairCostCache::default();
                    let mut weigh = || pairs.least(languages, &known, &mut characters, most);
                    // The second time, all pairs are known.
                    assert_eq!([weigh(), weigh()], [least; 2], "{text:?}");
                }
            }
        }
    }
}
