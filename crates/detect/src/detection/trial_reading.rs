//! A text as it reads in one charset, and what that costs in a language.
//!
//! The unit of work is a pair of adjacent characters with its number of occurrences. In a single-byte charset the pairs
//! of characters are the pairs of bytes, which are counted once for all charsets: [`PairCounts::of_bytes`]. Only the
//! table from byte to character differs. Multi-byte charsets decode the text and count pairs of their own.

use std::cell::OnceCell;

use super::box_drawing::{has_arm, is_drawing, joins, makes_rows};
use super::charsets::{TrialCharset, decode, is_error};
use crate::language::{
    CountedPair, FoldedCharacter, Model, Script, ScriptCounts, Symbol, UNIT, WordPart,
};
use oxiconv_encodings::unicode::CodePoint;

/// The pairs of a text, most frequent first. Characters are indices into a list: byte values, or places in the sorted
/// characters of a multi-byte text.
///
/// `times` says how often each character follows another one, and `present` lists those that do. `inside` has each
/// character that is between two ASCII letters and is not such a letter itself, once per occurrence.
#[derive(Debug, Default)]
pub(super) struct PairCounts {
    pub(super) list: Vec<CountedPair>,
    pub(super) all: u64,
    times: Vec<u32>,
    present: Vec<u16>,
    inside: Vec<u16>,
}

impl PairCounts {
    pub(super) fn of_bytes(text: &[u8]) -> Self {
        let places: Vec<u16> = text.iter().map(|byte| u16::from(*byte)).collect();
        Self::of(&places, 256, |byte| (byte as u8).is_ascii_alphabetic())
    }

    /// Counts pairs of characters, given as indices into a list of `len`.
    ///
    /// Each pair becomes one number of 32 bits, the first character in the upper half. Sorted, equal pairs are next to
    /// each other, and a run of them is a count. The second sort, by frequency, is stable, so pairs that occur equally
    /// often keep the order of their characters, and two readings of the same characters have the same list.
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

/// After this many pairs, a reading that is too expensive per pair is abandoned. Pairs are in order of frequency, so
/// the first few are representative.
const PAIRS_BEFORE_GIVING_UP: usize = 16;
/// The costs in bits of what does not depend on the language: a repeated mark, as in a rule of dashes, or a box-drawing
/// character that joins the one before; another box-drawing character, such as the side of a frame; and the fact that a
/// text has a drawing at all.
const REPEATED_MARK: u32 = 1;
const DRAWN_CHARACTER: u32 = 2;
const HAS_DRAWING: u64 = 16;
const MIN_JOINTS: u32 = 2;

#[cfg(test)]
thread_local! {
    /// The number of pairs weighed by this thread, for tests of the work per line.
    pub(super) static WEIGHED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A text as it reads in one charset. What does not depend on a language is known when it is made: the errors, and
/// whether the text has a drawing.
pub(super) struct TrialReading {
    pub(super) charset: &'static TrialCharset,
    /// The characters of the text and their pairs; `None` in a single-byte charset, where the pairs of bytes serve.
    own: Option<(Vec<FoldedCharacter>, PairCounts)>,
    pub(super) errors: usize,
    is_drawn: bool,
    keeps_symbols: bool,
    misplaced: OnceCell<u64>,
}

/// The cost at which a reading is abandoned, in sixteenths of a bit: per pair, among the first pairs, and in total.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) each: u64,
    pub(super) all: u64,
}

impl Limit {
    pub(super) const NONE: Self = Self { each: u64::MAX, all: u64::MAX };
}

impl TrialReading {
    /// Reads a text, whose pairs of bytes are `bytes`; `None` if more than `allowed` of its sequences are not
    /// characters of text.
    pub(super) fn of(
        charset: &'static TrialCharset,
        text: &[u8],
        bytes: &PairCounts,
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
        let pairs = PairCounts::of(&places, characters.len(), is_ascii_letter);
        let characters: Vec<_> = characters.into_iter().map(FoldedCharacter::from).collect();
        let is_drawn = is_drawn(&characters, &pairs);
        Some(Self::new(charset, Some((characters, pairs)), errors, is_drawn))
    }

    fn new(
        charset: &'static TrialCharset,
        own: Option<(Vec<FoldedCharacter>, PairCounts)>,
        errors: usize,
        is_drawn: bool,
    ) -> Self {
        Self { charset, own, errors, is_drawn, keeps_symbols: false, misplaced: OnceCell::new() }
    }

    pub(super) fn keep_symbols(self) -> Self {
        Self { keeps_symbols: true, ..self }
    }

    fn characters(&self) -> &[FoldedCharacter] {
        match (&self.own, &self.charset.table) {
            (Some((characters, _)), _) | (None, Some(characters)) => characters,
            (None, None) => &[],
        }
    }

    /// Returns the characters that occur after another one, with their indices.
    fn present<'a>(
        &'a self,
        bytes: &'a PairCounts,
    ) -> impl Iterator<Item = (usize, FoldedCharacter)> + 'a {
        let characters = self.characters();
        let places = self.pairs(bytes).present.iter().map(|at| usize::from(*at));
        places.map(|at| (at, characters[at]))
    }

    pub(super) fn pairs<'a>(&'a self, bytes: &'a PairCounts) -> &'a PairCounts {
        self.own.as_ref().map_or(bytes, |(_, pairs)| pairs)
    }

    /// Returns the scripts of its non-ASCII letters, with the number of occurrences.
    pub(super) fn scripts(&self, bytes: &PairCounts) -> ScriptCounts {
        let times = &self.pairs(bytes).times;
        let beyond_ascii = self.present(bytes).filter(|(_, character)| character.cp >= 0x80);
        beyond_ascii
            .filter_map(|(at, character)| Some((Script::of(character.cp)?, times[at])))
            .collect()
    }

    /// Returns the number of characters between two ASCII letters that do not belong there.
    pub(super) fn misplaced(&self, bytes: &PairCounts) -> u64 {
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

    /// Returns the cost in a language, in sixteenths of a bit, extrapolated from the `most` most frequent pairs; `None`
    /// if it exceeds the limit.
    ///
    /// The two loops differ in how a character becomes a symbol. If the symbols of the charset's bytes are cached, that
    /// is one lookup. Otherwise the model is asked for each character. A text with a drawing is in the second group as
    /// well: its box-drawing characters count as blanks, which a cache per charset cannot know.
    pub fn cost(
        &self,
        bytes: &PairCounts,
        model: &Model,
        most: usize,
        limit: Limit,
    ) -> Option<u64> {
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
        Some(cost + if self.is_drawn { HAS_DRAWING * u64::from(UNIT) } else { 0 })
    }

    fn kept_symbols(&self, model: &Model) -> Option<&'static [Symbol]> {
        let keeps = self.keeps_symbols && self.own.is_none() && !self.is_drawn;
        keeps.then(|| self.charset.symbols(model))
    }

    fn symbol(&self, at: u16, model: &Model) -> Symbol {
        let character = self.characters()[usize::from(at)];
        let is_blank = self.draws(character.cp);
        model.symbol(if is_blank { FoldedCharacter::from(0x20) } else { character })
    }

    /// Returns the total cost of some pairs and the number of their occurrences; `None` if it exceeds the limit. The
    /// total is checked at each pair. The mean is checked once, after [`PAIRS_BEFORE_GIVING_UP`]: over fewer pairs it
    /// means little.
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
            if all > limit.all
                || number == PAIRS_BEFORE_GIVING_UP && all > limit.each.saturating_mul(times)
            {
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

    fn draws(&self, cp: CodePoint) -> bool {
        self.is_drawn && is_drawing(cp)
    }

    /// Returns the cost of a character after `before`, in sixteenths of a bit, if it does not depend on the language:
    /// part of a drawing, or the same mark once more.
    fn cost_of_drawing(&self, before: CodePoint, cp: CodePoint) -> Option<u32> {
        if cp < 0x80 {
            return None;
        }
        if before == cp && makes_rows(cp) || self.draws(cp) && joins(before, cp) {
            return Some(REPEATED_MARK * UNIT);
        }
        (self.draws(cp) && !is_drawing(before)).then_some(DRAWN_CHARACTER * UNIT)
    }

    /// Whether two readings of the same bytes yield the same characters. Comparing pairs is enough: in single-byte
    /// charsets they are the same pairs of bytes in the same order, so equal characters in all places mean equal texts.
    /// Only the second characters are compared, because each character but the first one of the text is the second of
    /// some pair.
    pub(super) fn is_same(&self, other: &Self, bytes: &PairCounts) -> bool {
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

/// Whether a text with these pairs has a drawing: most characters that could join their neighbour do. A single
/// box-drawing character is more likely a letter that is misread.
fn is_drawn(characters: &[FoldedCharacter], pairs: &PairCounts) -> bool {
    let (mut joints, mut loose) = (0, 0);
    for pair in &pairs.list {
        let (before, after) =
            (characters[usize::from(pair.before)].cp, characters[usize::from(pair.after)].cp);
        if !is_drawing(after) {
            continue;
        }
        match joins(before, after) {
            true => joints += pair.times,
            // At the start of a row, nothing precedes.
            false if has_arm(after) && is_drawing(before) => loose += pair.times,
            false => {}
        }
    }
    joints >= MIN_JOINTS && joints > 2 * loose
}
