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
/// Pairs within ASCII are apart if all charsets that are tried contain ASCII (`splits_ascii`), since they cost the same
/// in each: `ascii` has them by their ASCII codes, and `in_ascii` is their number. `list` has all others, and `all`
/// counts both. `times` says how often each character follows another one, and `present` lists those that do. `inside`
/// has each character that is between two ASCII letters and is not such a letter itself, once per occurrence.
#[derive(Debug, Default)]
pub(super) struct PairCounts {
    pub(super) list: Vec<CountedPair>,
    pub(super) ascii: Vec<CountedPair>,
    in_ascii: u64,
    splits_ascii: bool,
    pub(super) all: u64,
    times: Vec<u32>,
    present: Vec<u16>,
    inside: Vec<u16>,
}

impl PairCounts {
    /// Counts the pairs of bytes. `has_ascii` says that all charsets that are tried contain ASCII.
    pub(super) fn of_bytes(text: &[u8], has_ascii: bool) -> Self {
        let places: Vec<u16> = text.iter().map(|byte| u16::from(*byte)).collect();
        Self::of(&places, 256, has_ascii, &|byte| u8::try_from(byte).ok().filter(u8::is_ascii))
    }

    /// Counts pairs of characters, given as indices into a list of `len`. `ascii` returns the ASCII code of those that
    /// have one, and `splits` says that pairs of those are apart.
    ///
    /// Each pair becomes one number of 32 bits, the first character in the upper half. Sorted, equal pairs are next to
    /// each other, and a run of them is a count. The second sort, by frequency, is stable, so pairs that occur equally
    /// often keep the order of their characters, and two readings of the same characters have the same list.
    fn of(text: &[u16], len: usize, splits: bool, ascii: &dyn Fn(u16) -> Option<u8>) -> Self {
        let is_letter = |at: u16| ascii(at).is_some_and(|code| code.is_ascii_alphabetic());
        let is_inside =
            |three: &&[u16]| is_letter(three[0]) && is_letter(three[2]) && !is_letter(three[1]);
        let key = |pair: &[u16]| u32::from(pair[0]) << 16 | u32::from(pair[1]);
        let mut both: Vec<u32> = text.windows(2).map(key).collect();
        both.sort_unstable();
        let mut counts = Self {
            list: Vec::with_capacity(both.len()),
            all: both.len() as u64,
            splits_ascii: splits,
            times: vec![0; len],
            inside: text.windows(3).filter(is_inside).map(|three| three[1]).collect(),
            ..Self::default()
        };
        for same in both.chunk_by(|one, next| one == next) {
            let (before, after) = ((same[0] >> 16) as u16, same[0] as u16);
            let times = same.len() as u32;
            counts.times[usize::from(after)] += times;
            if let (Some(before), Some(after)) = (ascii(before), ascii(after))
                && splits
            {
                counts.in_ascii += u64::from(times);
                let (before, after) = (before.into(), after.into());
                counts.ascii.push(CountedPair { before, after, times });
            } else {
                counts.list.push(CountedPair { before, after, times });
            }
        }
        counts.list.sort_by_key(|pair| std::cmp::Reverse(pair.times));
        let times = (0..).zip(&counts.times);
        counts.present.reserve(counts.list.len());
        counts.present.extend(times.filter(|(_, times)| **times > 0).map(|(at, _)| at));
        counts
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
        let ascii = |place| u8::try_from(characters[usize::from(place)]).ok().filter(u8::is_ascii);
        let pairs = PairCounts::of(&places, characters.len(), bytes.splits_ascii, &ascii);
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
        Self { charset, own, errors, is_drawn, misplaced: OnceCell::new() }
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
    /// if it exceeds the limit. `ascii` is what the pairs within ASCII cost in the language if the pairs are those of the
    /// bytes, which is the same in all charsets.
    ///
    /// The two loops differ in how a character becomes a symbol. The symbols of a charset's bytes are known after their
    /// first use. A multi-byte text has other characters each time, and a text with a drawing has box-drawing
    /// characters that count as blanks, which the charset cannot know.
    pub fn cost(
        &self,
        bytes: &PairCounts,
        model: &Model,
        ascii: u64,
        most: usize,
        limit: Limit,
    ) -> Option<u64> {
        let pairs = self.pairs(bytes);
        let part = &pairs.list[..pairs.list.len().min(most)];
        let ascii = match &self.own {
            Some((_, pairs)) => model.cost_of_pairs(&pairs.ascii, model.ascii()),
            None => ascii,
        };
        let before = (ascii, pairs.in_ascii);
        let cost = match self.charset.symbols(model).filter(|_| !self.is_drawn) {
            Some(symbol) => self.sum(before, part, limit, |pair| {
                model.cost(symbol(pair.before as u8), symbol(pair.after as u8))
            }),
            None => self.sum(before, part, limit, |pair| {
                model.cost(self.symbol(pair.before, model), self.symbol(pair.after, model))
            }),
        };
        let (cost, times) = cost?;
        let is_part = part.len() < pairs.list.len();
        let cost = match is_part {
            true => {
                ascii
                    + (cost - ascii) * (pairs.all - pairs.in_ascii)
                        / (times - pairs.in_ascii).max(1)
            }
            false => cost,
        };
        Some(cost + if self.is_drawn { HAS_DRAWING * u64::from(UNIT) } else { 0 })
    }

    /// Returns a cost that it has at least in any language, without the pairs within ASCII, in sixteenths of a bit;
    /// `None` if that is not known.
    pub(super) fn least_cost(&self, bytes: &PairCounts) -> Option<u64> {
        let is_known = self.own.is_none() && !self.is_drawn;
        let least = |pair: &CountedPair| {
            let cost = match pair.before == pair.after {
                // It may be a mark that is repeated.
                true => REPEATED_MARK * UNIT,
                false if pair.after < 0x80 => 0,
                false => self.charset.least_cost(pair.after as u8),
            };
            u64::from(cost) * u64::from(pair.times)
        };
        is_known.then(|| bytes.list.iter().map(least).sum())
    }

    fn symbol(&self, at: u16, model: &Model) -> Symbol {
        let character = self.characters()[usize::from(at)];
        let is_blank = self.draws(character.cp);
        model.symbol(if is_blank { FoldedCharacter::from(0x20) } else { character })
    }

    /// Adds up the cost of some pairs and the number of their occurrences; `None` if it exceeds the limit. The total is
    /// checked at each pair. The mean is checked once, after [`PAIRS_BEFORE_GIVING_UP`]: over fewer pairs it
    /// means little.
    fn sum(
        &self,
        (mut all, mut times): (u64, u64),
        part: &[CountedPair],
        limit: Limit,
        cost: impl Fn(&CountedPair) -> u32,
    ) -> Option<(u64, u64)> {
        let characters = self.characters();
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
