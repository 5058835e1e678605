//! The reading of a text in one charset.

use std::cell::OnceCell;

use super::charsets::{Charset, decode, is_error};
use super::drawing::{has_arm, is_drawing, joins, makes_rows};
use crate::language::{
    CountedPair, FoldedCharacter, Model, Script, ScriptCounts, Symbol, UNIT, WordPart,
};
use oxiconv_encodings::unicode::CodePoint;

/// The pairs of a text, the most frequent ones first, and how often each character occurs after another one.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) list: Vec<CountedPair>,
    pub(super) all: u64,
    times: Vec<u32>,
    /// The characters that occur after another one.
    present: Vec<u16>,
    /// The characters between two letters of ASCII, other than such letters, once for each time that they occur there.
    inside: Vec<u16>,
}

impl Pairs {
    /// Counts the pairs of bytes of a text.
    pub(super) fn of_bytes(text: &[u8]) -> Self {
        let places: Vec<u16> = text.iter().map(|byte| u16::from(*byte)).collect();
        Self::of(&places, 256, |byte| (byte as u8).is_ascii_alphabetic())
    }

    /// Counts the pairs of characters that are given by their places in a list of `len`, some of which are letters of
    /// ASCII.
    fn of(text: &[u16], len: usize, is_ascii_letter: impl Fn(u16) -> bool) -> Self {
        let is_inside = |three: &&[u16]| {
            is_ascii_letter(three[0]) && is_ascii_letter(three[2]) && !is_ascii_letter(three[1])
        };
        let inside = text.windows(3).filter(is_inside).map(|three| three[1]).collect();
        let key = |pair: &[u16]| u32::from(pair[0]) << 16 | u32::from(pair[1]);
        let mut both: Vec<u32> = text.windows(2).map(key).collect();
        both.sort_unstable();
        let mut times = vec![0; len];
        let mut list: Vec<CountedPair> = both
            .chunk_by(|one, next| one == next)
            .map(|same| {
                let (before, after) = ((same[0] >> 16) as u16, same[0] as u16);
                times[usize::from(after)] += same.len() as u32;
                CountedPair { before, after, times: same.len() as u32 }
            })
            .collect();
        list.sort_by_key(|pair| std::cmp::Reverse(pair.times));
        let present = (0_u16..).zip(&times).filter(|(_, times)| **times > 0).map(|(at, _)| at);
        Self { list, all: both.len() as u64, present: present.collect(), times, inside }
    }
}

/// Pairs after which a reading is given up that costs too much.
const AT_ONCE: usize = 16;
/// What a mark costs after the same one, as in a rule of dashes, or a character of a drawing after one that it joins, in bits.
const REPEATED: u32 = 1;
/// What another character costs that belongs to a drawing, such as the side of a frame, and what it costs that there is
/// one, in bits.
const DRAWN: u32 = 2;
const DRAWING: u64 = 16;
/// The fewest joints of a drawing.
const JOINTS: u32 = 2;

#[cfg(test)]
thread_local! {
    /// How many pairs were weighed by this thread, for tests of what a line costs.
    pub(super) static WEIGHED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A text in one charset.
pub(super) struct Reading {
    pub(super) charset: &'static Charset,
    /// The characters of the text and their pairs; `None` if they are those of its bytes.
    own: Option<(Vec<FoldedCharacter>, Pairs)>,
    /// Bytes or sequences that are no characters of text.
    pub(super) errors: usize,
    /// Whether part of it is drawn with characters.
    is_drawn: bool,
    /// Whether many texts are read in the charset, so that the symbols of its bytes are kept.
    keeps_symbols: bool,
    /// What [`Reading::misplaced`] counts, once it was asked for: it is the same in every language.
    misplaced: OnceCell<u64>,
}

/// What a text may cost before it is given up, in sixteenths of a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Each of its first pairs.
    pub(super) each: u64,
    /// All of its pairs.
    pub(super) all: u64,
}

impl Limit {
    pub(super) const NONE: Self = Self { each: u64::MAX, all: u64::MAX };
}

impl Reading {
    /// Reads a text with these pairs of bytes; `None` if more than `allowed` of its sequences are no characters of text.
    pub(super) fn of(
        charset: &'static Charset,
        text: &[u8],
        bytes: &Pairs,
        allowed: usize,
    ) -> Option<Self> {
        if let Some(table) = &charset.table {
            let present = bytes.present.iter().map(|byte| usize::from(*byte));
            let errors = present.filter(|byte| is_error(table[*byte].cp));
            let errors = errors.map(|byte| bytes.times[byte] as usize).sum();
            let reading = || Self::new(charset, None, errors, is_drawn(table, bytes));
            return (errors <= allowed).then(reading);
        }
        let (text, errors) = decode(charset.encoding, text, allowed)?;
        let mut characters = text.clone();
        characters.sort_unstable();
        characters.dedup();
        let place = |cp| characters.binary_search(cp).unwrap_or_default() as u16;
        let places: Vec<u16> = text.iter().map(place).collect();
        let is_ascii_letter = |place| {
            let cp = characters[usize::from(place)];
            u8::try_from(cp).is_ok_and(|byte| byte.is_ascii_alphabetic())
        };
        let pairs = Pairs::of(&places, characters.len(), is_ascii_letter);
        let characters: Vec<_> = characters.into_iter().map(FoldedCharacter::from).collect();
        let is_drawn = is_drawn(&characters, &pairs);
        Some(Self::new(charset, Some((characters, pairs)), errors, is_drawn))
    }

    fn new(
        charset: &'static Charset,
        own: Option<(Vec<FoldedCharacter>, Pairs)>,
        errors: usize,
        is_drawn: bool,
    ) -> Self {
        Self { charset, own, errors, is_drawn, keeps_symbols: false, misplaced: OnceCell::new() }
    }

    /// Keeps the symbols of the bytes of its charset in each language that it is tried in.
    pub(super) fn keep_symbols(self) -> Self {
        Self { keeps_symbols: true, ..self }
    }

    fn characters(&self) -> &[FoldedCharacter] {
        match (&self.own, &self.charset.table) {
            (Some((characters, _)), _) | (None, Some(characters)) => characters,
            (None, None) => &[],
        }
    }

    /// Returns those of its characters that occur after another one, with their places.
    fn present<'a>(
        &'a self,
        bytes: &'a Pairs,
    ) -> impl Iterator<Item = (usize, FoldedCharacter)> + 'a {
        let characters = self.characters();
        let places = self.pairs(bytes).present.iter().map(|at| usize::from(*at));
        places.map(|at| (at, characters[at]))
    }

    /// Returns its pairs: its own, or those of bytes.
    pub(super) fn pairs<'a>(&'a self, bytes: &'a Pairs) -> &'a Pairs {
        self.own.as_ref().map_or(bytes, |(_, pairs)| pairs)
    }

    /// Returns the scripts of its letters beyond ASCII, and how often each occurs.
    pub(super) fn scripts(&self, bytes: &Pairs) -> ScriptCounts {
        let times = &self.pairs(bytes).times;
        let beyond_ascii = self.present(bytes).filter(|(_, character)| character.cp >= 0x80);
        beyond_ascii
            .filter_map(|(at, character)| Some((Script::of(character.cp)?, times[at])))
            .collect()
    }

    /// Returns how often something stands between two letters of ASCII that does not belong there.
    pub(super) fn misplaced(&self, bytes: &Pairs) -> u64 {
        *self.misplaced.get_or_init(|| {
            let characters = self.characters();
            let inside = self.pairs(bytes).inside.iter().map(|at| characters[usize::from(*at)].cp);
            let letter = WordPart::from(CodePoint::from(b'a'));
            let is = |cp: &CodePoint| {
                WordPart::from(*cp).is_misplaced(letter, letter) && !self.draws(*cp)
            };
            inside.filter(is).count() as u64
        })
    }

    /// Returns what its `most` most frequent pairs cost in a language, in sixteenths of a bit, as if they were all; `None` if
    /// they cost more than the limit. One of all its pairs holds only if these are all.
    pub fn cost(&self, bytes: &Pairs, model: &Model, most: usize, limit: Limit) -> Option<u64> {
        let pairs = self.pairs(bytes);
        let part = &pairs.list[..pairs.list.len().min(most)];
        let cost = match self.kept_symbols(model) {
            Some(symbols) => self.sum(part, limit, |pair| {
                let symbol = |byte| symbols[usize::from(byte)];
                model.cost(symbol(pair.before), symbol(pair.after))
            }),
            None => self.sum(part, limit, |pair| {
                model.cost(self.symbol(pair.before, model), self.symbol(pair.after, model))
            }),
        };
        let (cost, times) = cost?;
        let is_part = part.len() < pairs.list.len();
        let cost = if is_part { cost * pairs.all / times.max(1) } else { cost };
        Some(cost + if self.is_drawn { DRAWING * u64::from(UNIT) } else { 0 })
    }

    /// Returns the symbols of all bytes if they are kept and the text is not drawn.
    fn kept_symbols(&self, model: &Model) -> Option<&'static [Symbol]> {
        let keeps = self.keeps_symbols && self.own.is_none() && !self.is_drawn;
        keeps.then(|| self.charset.symbols(model))
    }

    /// Returns the symbol of a character, which is given by its place.
    fn symbol(&self, at: u16, model: &Model) -> Symbol {
        let character = self.characters()[usize::from(at)];
        // What follows a drawing is the start of a word.
        let is_blank = self.draws(character.cp);
        model.symbol(if is_blank { FoldedCharacter::from(0x20) } else { character })
    }

    /// Returns the sum of the costs of pairs, and how many they are; `None` if it is more than the limit.
    fn sum(
        &self,
        part: &[CountedPair],
        limit: Limit,
        cost: impl Fn(&CountedPair) -> u32,
    ) -> Option<(u64, u64)> {
        let characters = self.characters();
        let (mut all, mut times) = (0, 0);
        for (number, pair) in part.iter().enumerate() {
            #[cfg(test)]
            WEIGHED.set(WEIGHED.get() + 1);
            if all > limit.all || number == AT_ONCE && all > limit.each.saturating_mul(times) {
                return None;
            }
            let cp = |at: u16| characters[usize::from(at)].cp;
            let is_told = self.is_drawn || pair.before == pair.after;
            let told = || self.cost_of_drawing(cp(pair.before), cp(pair.after));
            let one = is_told.then(told).flatten().unwrap_or_else(|| cost(pair));
            all += u64::from(one) * u64::from(pair.times);
            times += u64::from(pair.times);
        }
        Some((all, times))
    }

    /// Whether a character is part of a drawing.
    fn draws(&self, cp: CodePoint) -> bool {
        self.is_drawn && is_drawing(cp)
    }

    /// Returns what a character costs after `before`, in sixteenths of a bit, if it does not depend on the language: part of
    /// a drawing, or the same mark once more.
    fn cost_of_drawing(&self, before: CodePoint, cp: CodePoint) -> Option<u32> {
        if cp < 0x80 {
            return None;
        }
        if before == cp && makes_rows(cp) || self.draws(cp) && joins(before, cp) {
            return Some(REPEATED * UNIT);
        }
        (self.draws(cp) && !is_drawing(before)).then_some(DRAWN * UNIT)
    }

    /// Whether two readings of the same text are the same.
    pub(super) fn is_same(&self, other: &Self, bytes: &Pairs) -> bool {
        let (own, others) = (self.pairs(bytes), other.pairs(bytes));
        let after =
            |reading: &Self, pair: &CountedPair| reading.characters()[usize::from(pair.after)];
        own.list.len() == others.list.len()
            && own
                .list
                .iter()
                .zip(&others.list)
                .all(|(own, others)| after(self, own) == after(other, others))
    }
}

/// Whether a text with these pairs has a drawing: of the characters that could join another one, most do.
fn is_drawn(characters: &[FoldedCharacter], pairs: &Pairs) -> bool {
    let (mut joints, mut loose) = (0, 0);
    for pair in &pairs.list {
        let (before, after) =
            (characters[usize::from(pair.before)].cp, characters[usize::from(pair.after)].cp);
        if !is_drawing(after) {
            continue;
        }
        match joins(before, after) {
            true => joints += pair.times,
            // A line begins somewhere.
            false if has_arm(after) && is_drawing(before) => loose += pair.times,
            false => {}
        }
    }
    joints >= JOINTS && joints > 2 * loose
}
