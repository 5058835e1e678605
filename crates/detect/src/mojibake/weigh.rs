//! What a text costs: how unlikely it is, in bits, in the language that fits it best.
//!
//! Repair weighs each damaged phrase in many readings, and each reading in every language of its script: 62 for Latin.
//! Three caches keep that affordable.
//!
//! ```text
//! text         ─► cost          short texts: the same word comes back in reading after reading
//! pair         ─► 62 costs      a row of u16, one lane per language; a text is the sum of the rows of its pairs
//! code point   ─► traits        case, script, letter or not, and its symbol in each language
//! ```
//!
//! Text has few distinct pairs, so summing rows costs hardly more for all languages of a script than for one. A script
//! with fewer than `MIN_BATCHED_LANGUAGES` languages is weighed in one language after the other, which can stop as soon
//! as it is beaten.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::language::{FoldedCharacter, MISPLACED, Script, Symbol, UNIT, WordPart, models};
use oxiconv_encodings::unicode::CodePoint;

/// Upper bound, in bits, for a character beyond ASCII in text as it stands. Sound text may contain any sign (box
/// drawings, arrows, emoji) that no alphabet has; without the bound, one such sign would make any reading look cheaper.
/// Readings have no such bound: a reading that turns damage into a rare sign must pay for it.
const MAX_SIGN_COST: u32 = 16;
/// Penalty, in bits, for a lowercase letter after two capitals: `SELKä`.
const CAPITALS: f32 = 10.0;
/// Penalty, in bits, for a capital beyond ASCII after a lowercase letter. It comes on top of the penalty of the model,
/// which is the same for ASCII.
const CAPITAL_INSIDE: f32 = 8.0;
/// Rebate, in bits, for a closing mark after a word in capitals: `NESTLÉ®`.
const CLOSING: f32 = 8.0;
/// Rebate, in bits, for a box-drawing character next to another one: `├─────┤`.
const BOXES: f32 = 8.0;
/// Rebate, in bits, for an arrow, a star, a heart, a check mark or a bullet. They are commoner than other signs that the
/// texts of the model do not have: `✔ No problems`.
const PICTOGRAPH: f32 = 4.0;
/// Rebate, in bits, for a line under or through any character: it is how people cross out text where they cannot format.
const CROSSED_OUT: f32 = 10.0;
/// The number of cached texts, and the most characters of one.
const CACHE_ENTRIES: usize = 4096;
const MAX_CACHED_TEXT: usize = 64;
/// Slots of the direct-mapped caches. Powers of two, as [`slot`] requires.
const TRAIT_SLOTS: usize = 4096;
const PAIR_SLOTS: usize = 8192;
/// Scripts with at least this many languages get rows of pair costs.
const MIN_BATCHED_LANGUAGES: usize = 6;
/// Languages per group of lanes, and the most groups of one script. 16 lanes of u16 are one AVX2 register, or two of
/// SSE2 or NEON; 4 groups hold the 62 languages in Latin script.
const LANES: usize = 16;
const MAX_LANE_GROUPS: usize = 4;
/// Pairs whose costs are summed in u16 lanes before the sums are widened. A pair costs less than 1024 sixteenths of a
/// bit, and 64 × 1023 still fits.
const CHUNK: usize = 64;

#[cfg(debug_assertions)]
thread_local! {
    /// Counts weighed characters, for tests that pin the work of an option. A count does not depend on the machine,
    /// unlike a time.
    pub static WEIGHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Weighs texts, and caches what short ones cost.
#[derive(Default)]
pub(super) struct Scale {
    /// Costs of texts: as they stand (with [`MAX_SIGN_COST`]), and as readings (without).
    known: [HashMap<Vec<CodePoint>, f32>; 2],
    /// Costs of pairs in the same two cases, for each of [`scripts`].
    pairs: [Vec<PairCostCache>; 2],
    characters: TraitCache,
    /// The characters of the text that is weighed.
    text: Vec<CharacterTraits>,
}

impl Scale {
    /// Returns what a reading costs, in bits.
    pub fn cost(&mut self, text: &[CodePoint]) -> f32 {
        self.cost_at_most(text, u32::MAX)
    }

    /// The same, without the cache: for a text that is weighed only once.
    pub(super) fn cost_once(&mut self, text: &[CodePoint]) -> f32 {
        self.least(text, None, u32::MAX)
    }

    /// Returns what a text costs as it stands, in bits. Each sign costs at most [`MAX_SIGN_COST`].
    pub(super) fn cost_as_is(&mut self, text: &[CodePoint]) -> f32 {
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

    /// Returns what a text costs as it stands, weighed in the languages of the scripts of `reading` instead of its own.
    pub(super) fn cost_beside(&mut self, text: &[CodePoint], reading: &[CodePoint]) -> f32 {
        self.characters.read(reading, &mut self.text);
        let scripts = ScriptBits::of(&self.text);
        self.least(text, Some(scripts), MAX_SIGN_COST * UNIT)
    }

    /// Returns the index of the language in which a reading costs least.
    pub(super) fn language(&mut self, text: &[CodePoint]) -> usize {
        self.characters.read(text, &mut self.text);
        let own = ScriptBits::of(&self.text);
        let languages =
            scripts().iter().filter(|(script, _)| own.has(*script)).flat_map(|it| &it.1);
        let cost =
            |language: &&usize| self.characters.cost(**language, &self.text, u32::MAX, u32::MAX);
        languages.min_by_key(cost).copied().unwrap_or(0)
    }

    /// Returns what a reading costs in one language, in bits, without its signs and case.
    pub(super) fn cost_in(&mut self, language: usize, text: &[CodePoint]) -> f32 {
        self.characters.read(text, &mut self.text);
        let cost = self.characters.cost(language, &self.text, u32::MAX, u32::MAX);
        cost as f32 / UNIT as f32
    }

    /// Returns the cost of a text in the language that fits best. Only languages in `scripts` are tried, or in the
    /// scripts of the text if that is `None`.
    ///
    /// Languages of other scripts would see foreign letters only, so their costs would be high and meaningless. A
    /// script with many languages is weighed in all of them at once; of the others, each language is given up as soon
    /// as it is more expensive than the best one before.
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
        least as f32 / UNIT as f32 + sign_and_case_cost(&self.text)
    }
}

/// Returns each script with the indices of its languages.
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

/// Rows of pair costs: what a character costs after another one, in each of the many languages of one script.
/// Direct-mapped, since a row is cheap to make again and a lookup must be cheaper than that.
#[derive(Default)]
struct PairCostCache {
    /// The pair that occupies each slot. A colliding pair replaces it.
    pairs: Vec<[CodePoint; 2]>,
    /// One row per slot: the costs of its pair, one language after the other, padded to whole groups of lanes.
    costs: Vec<[u16; LANES]>,
}

impl PairCostCache {
    /// Returns what a text costs in the language that fits best.
    ///
    /// A space is assumed before and after the text. The inner loop adds one row per pair, lane by lane, which
    /// compilers turn into vector additions; the u16 sums are widened after each [`CHUNK`], before they can overflow.
    /// Padding lanes hold zeros and are dropped before the minimum is taken.
    fn least(
        &mut self,
        languages: &[usize],
        text: &[CharacterTraits],
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

    /// Returns the row of a pair, computing it if its slot holds another pair. `CodePoint::MAX` is no code point, so an
    /// empty slot never matches.
    #[inline]
    fn row(
        &mut self,
        languages: &[usize],
        pair: [CharacterTraits; 2],
        characters: &mut TraitCache,
        most: u32,
    ) -> &[[u16; LANES]] {
        let [before, after] = [pair[0].character.cp, pair[1].character.cp];
        // One of the two must be multiplied first, or a pair and its reverse would share a slot. The factor is a prime
        // near 2³² / φ.
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

/// Returns the slot of a number among `slots`, a power of two. The multiplier is that of MurmurHash3's finalizer. Bit
/// 16 of the product and those above depend on all lower bits of the number, so neighbours in a block of Unicode spread
/// over the slots.
#[inline]
const fn slot(number: u32, slots: usize) -> usize {
    (number.wrapping_mul(0x85EB_CA6B) >> 16) as usize % slots
}

/// A character with its properties, looked up once for all languages.
#[derive(Clone, Copy)]
struct CharacterTraits {
    character: FoldedCharacter,
    part: WordPart,
    is_upper: bool,
    is_lower: bool,
}

impl CharacterTraits {
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

/// Traits of characters and their symbols in each language, in a direct-mapped cache. A character that takes over a
/// slot also takes over the range in `symbols`, which is cleared, so the table does not grow beyond one range per slot.
#[derive(Default)]
struct TraitCache {
    /// The traits in each slot, and where the symbols of that character begin in `symbols`, if any were needed.
    known: Vec<(CharacterTraits, Option<usize>)>,
    /// Symbols, `models().len()` per character. They are filled in on demand: a character is weighed only in the
    /// languages of its script, and the other lookups would be wasted.
    symbols: Vec<Option<Symbol>>,
}

impl TraitCache {
    /// Looks up the traits of the characters of a text.
    fn read(&mut self, text: &[CodePoint], known: &mut Vec<CharacterTraits>) {
        if self.known.is_empty() {
            self.known = vec![(CharacterTraits::of(CodePoint::MAX), None); TRAIT_SLOTS];
        }
        known.clear();
        known.extend(text.iter().map(|cp| self.of(*cp)));
    }

    #[inline]
    fn of(&mut self, cp: CodePoint) -> CharacterTraits {
        let (known, symbols) = &mut self.known[slot(cp, TRAIT_SLOTS)];
        if known.character.cp != cp {
            *known = CharacterTraits::of(cp);
            if let Some(at) = *symbols {
                self.symbols[at..][..models().len()].fill(None);
            }
        }
        *known
    }

    #[inline]
    fn symbol(&mut self, language: usize, known: CharacterTraits) -> Symbol {
        let of = || models()[language].symbol(known.character);
        let (own, symbols) = &mut self.known[slot(known.character.cp, TRAIT_SLOTS)];
        // A later character of the same text may have taken the slot.
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

    /// Returns the cost of a text in one language, in sixteenths of a bit, or `limit` as soon as the sum reaches it.
    fn cost(&mut self, language: usize, text: &[CharacterTraits], most: u32, limit: u32) -> u32 {
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

/// Returns the cost of a character after another one, in sixteenths of a bit. For a character beyond ASCII that is no
/// control, the cost without its case is capped at `most`: C1 controls stay expensive, since only wrong readings have
/// them.
#[inline]
fn cost_after(
    language: usize,
    before: (CharacterTraits, Symbol),
    after: (CharacterTraits, Symbol),
    most: u32,
) -> u32 {
    let cost = models()[language].cost(before.1, after.1);
    let (before, after) = (before.0.character, after.0.character);
    let case = after.case_after(before);
    if after.cp < 0xA0 { cost } else { (cost - case).min(most) + case }
}

/// Returns what letter pairs cannot tell, in bits: signs inside words and misplaced capitals cost extra, and box
/// drawings and closing marks cost less where they belong. To a pair, a sign after a letter looks like the end of a
/// word.
fn sign_and_case_cost(text: &[CharacterTraits]) -> f32 {
    let is_box = |known: &CharacterTraits| matches!(known.character.cp, 0x2500..=0x259F);
    let at = |place: usize| text.get(place);
    let is_letter =
        |known: Option<&CharacterTraits>| known.is_some_and(|known| known.part.is_letter);
    let is_upper = |known: Option<&CharacterTraits>| known.is_some_and(|known| known.is_upper);
    let blank = WordPart::from(0x20);
    let part = |known: Option<&CharacterTraits>| known.map_or(blank, |known| known.part);
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
            // The rest of a word in capitals is in capitals.
            if in_capitals && known.is_lower {
                sum += CAPITALS;
            }
            if known.is_upper && before.is_some_and(|before| before.is_lower) {
                sum += CAPITAL_INSIDE;
            }
            continue;
        }
        if matches!(cp, 0x2190..=0x2193 | 0x25A0..=0x25CF | 0x2605 | 0x2606 | 0x2660..=0x266B)
            || matches!(cp, 0x2713..=0x2718 | 0x2764)
        {
            sum -= PICTOGRAPH;
        }
        if matches!(cp, 0x332 | 0x336) {
            sum -= CROSSED_OUT;
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

/// The scripts of a text as a bit set.
#[derive(Clone, Copy)]
struct ScriptBits(u32);

impl ScriptBits {
    /// Returns the scripts of a text; only Latin if it has no others.
    fn of(text: &[CharacterTraits]) -> Self {
        let all = text
            .iter()
            .filter_map(|known| known.part.script)
            .fold(0, |all, script| all | script.bit());
        // Among several scripts, Latin is the one that texts in other scripts contain anyway: names, units, tags.
        let latin = Script::Latin.bit();
        Self(if all & !latin == 0 { latin } else { all & !latin })
    }

    /// Whether a text in these scripts may be in a language of `script`. Japanese and Korean text may be all
    /// ideographs.
    fn has(self, script: Script) -> bool {
        let han = if script.includes(Script::Han) { Script::Han.bit() } else { 0 };
        self.0 & (script.bit() | han) != 0
    }
}

#[cfg(test)]
mod tests;
