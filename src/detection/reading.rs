//! What a text says in one charset.

use std::cell::OnceCell;

use super::charsets::{Charset, decode, is_error};
use super::drawing::{has_arm, is_drawing, joins, makes_rows};
use crate::language::{Character, Model, Script, Symbol, UNIT};
use crate::unicode::CodePoint;

/// Two characters next to each other, by their places in a list, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) before: u16,
    pub(super) after: u16,
    pub(super) times: u32,
}

/// The pairs of a text, the most frequent ones first, and how often each character occurs after another one.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) list: Vec<Pair>,
    pub(super) all: u64,
    times: Vec<u32>,
    /// How often each character is between two letters of ASCII.
    inside: Vec<u32>,
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
        let mut inside = vec![0; len];
        for three in text.windows(3) {
            if is_ascii_letter(three[0]) && is_ascii_letter(three[2]) {
                inside[usize::from(three[1])] += 1;
            }
        }
        let key = |pair: &[u16]| u32::from(pair[0]) << 16 | u32::from(pair[1]);
        let mut both: Vec<u32> = text.windows(2).map(key).collect();
        both.sort_unstable();
        let mut times = vec![0; len];
        let mut list: Vec<Pair> = both
            .chunk_by(|one, next| one == next)
            .map(|same| {
                let (before, after) = ((same[0] >> 16) as u16, same[0] as u16);
                times[usize::from(after)] += same.len() as u32;
                Pair { before, after, times: same.len() as u32 }
            })
            .collect();
        list.sort_by_key(|pair| std::cmp::Reverse(pair.times));
        Self { list, all: both.len() as u64, times, inside }
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

/// A text in one charset.
pub(super) struct Reading {
    pub(super) charset: &'static Charset,
    /// The characters of the text and their pairs; `None` if they are those of its bytes.
    own: Option<(Vec<Character>, Pairs)>,
    /// Bytes or sequences that are no characters of text.
    pub(super) errors: usize,
    /// Whether part of it is drawn with characters.
    is_drawn: bool,
    /// What [`Reading::cuts`] counts, once it was asked for: it is the same in every language.
    cuts: OnceCell<u64>,
}

/// The symbols of characters in a language, as far as they were needed.
#[derive(Debug, Default)]
pub(super) struct Symbols(Vec<Option<Symbol>>);

impl Reading {
    /// Reads a text with these pairs of bytes; `None` if more than `allowed` of its sequences are no characters of text.
    pub(super) fn of(
        charset: &'static Charset,
        text: &[u8],
        bytes: &Pairs,
        allowed: usize,
    ) -> Option<Self> {
        if let Some(table) = &charset.table {
            let times = bytes.times.iter().zip(table);
            let errors = times.filter(|(_, character)| is_error(character.cp));
            let errors = errors.map(|(times, _)| *times as usize).sum();
            let is_drawn = is_drawn(table, bytes);
            return (errors <= allowed).then_some(Self::new(charset, None, errors, is_drawn));
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
        let characters: Vec<_> = characters.into_iter().map(Character::from).collect();
        let is_drawn = is_drawn(&characters, &pairs);
        Some(Self::new(charset, Some((characters, pairs)), errors, is_drawn))
    }

    fn new(
        charset: &'static Charset,
        own: Option<(Vec<Character>, Pairs)>,
        errors: usize,
        is_drawn: bool,
    ) -> Self {
        Self { charset, own, errors, is_drawn, cuts: OnceCell::new() }
    }

    fn characters(&self) -> &[Character] {
        match (&self.own, &self.charset.table) {
            (Some((characters, _)), _) | (None, Some(characters)) => characters,
            (None, None) => &[],
        }
    }

    /// Returns its pairs: its own, or those of bytes.
    pub(super) fn pairs<'a>(&'a self, bytes: &'a Pairs) -> &'a Pairs {
        self.own.as_ref().map_or(bytes, |(_, pairs)| pairs)
    }

    /// Returns the scripts of its letters beyond ASCII, and how often each occurs.
    pub(super) fn scripts(&self, bytes: &Pairs) -> Vec<(Script, u32)> {
        let mut scripts: Vec<(Script, u32)> = Vec::new();
        for (character, times) in self.characters().iter().zip(&self.pairs(bytes).times) {
            if *times == 0 || character.cp < 0x80 {
                continue;
            }
            let Some(script) = Script::of(character.cp) else { continue };
            match scripts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, all)) => *all += times,
                None => scripts.push((script, *times)),
            }
        }
        scripts
    }

    /// Returns how often something stands between two letters of ASCII that is neither a letter nor joins words.
    pub(super) fn cuts(&self, bytes: &Pairs) -> u64 {
        *self.cuts.get_or_init(|| {
            let inside = self.characters().iter().zip(&self.pairs(bytes).inside);
            inside
                .filter(|(character, times)| **times > 0 && cuts_words(**character))
                .filter(|(character, _)| !self.draws(character.cp))
                .map(|(_, times)| u64::from(*times))
                .sum()
        })
    }

    /// Returns what its `most` most frequent pairs cost in a language, in sixteenths of a bit, as if they were all;
    /// nothing if the first ones cost more than `worth` each.
    pub(super) fn cost(
        &self,
        bytes: &Pairs,
        model: &Model,
        most: usize,
        worth: u64,
    ) -> Option<u64> {
        self.cost_by(&mut Symbols::default(), bytes, model, most, worth)
    }

    /// The same with the symbols of the charset in this language, as far as they are known.
    pub(super) fn cost_by(
        &self,
        known: &mut Symbols,
        bytes: &Pairs,
        model: &Model,
        most: usize,
        worth: u64,
    ) -> Option<u64> {
        // The characters of a drawing, and those of several bytes, are of this text alone.
        let mut own = Symbols::default();
        let of_charset = self.own.is_none() && !self.is_drawn;
        let Symbols(symbols) = if of_charset { known } else { &mut own };
        let characters = self.characters();
        let pairs = self.pairs(bytes);
        let part = &pairs.list[..pairs.list.len().min(most)];
        symbols.resize(characters.len(), None);
        let mut symbol = |at: u16| {
            let at = usize::from(at);
            let character = characters[at];
            // What follows a drawing is the start of a word.
            let is_blank = self.draws(character.cp);
            let character = if is_blank { Character::from(0x20) } else { character };
            *symbols[at].get_or_insert_with(|| model.symbol(character))
        };
        let (mut cost, mut times) = (0, 0);
        for (number, pair) in part.iter().enumerate() {
            if number == AT_ONCE && cost > worth.saturating_mul(times) {
                return None;
            }
            let (first, second) =
                (characters[usize::from(pair.before)], characters[usize::from(pair.after)]);
            let one = self
                .cost_of_drawing(first.cp, second.cp)
                .unwrap_or_else(|| model.cost(symbol(pair.before), symbol(pair.after)));
            cost += u64::from(one) * u64::from(pair.times);
            times += u64::from(pair.times);
        }
        let is_part = part.len() < pairs.list.len();
        let cost = if is_part { cost * pairs.all / times.max(1) } else { cost };
        Some(cost + if self.is_drawn { DRAWING * u64::from(UNIT) } else { 0 })
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
        let after = |reading: &Self, pair: &Pair| reading.characters()[usize::from(pair.after)];
        own.list.len() == others.list.len()
            && own
                .list
                .iter()
                .zip(&others.list)
                .all(|(own, others)| after(self, own) == after(other, others))
    }
}

/// Whether a text with these pairs has a drawing: of the characters that could join another one, most do.
fn is_drawn(characters: &[Character], pairs: &Pairs) -> bool {
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

/// Whether a character beyond ASCII never stands inside a word.
fn cuts_words(character: Character) -> bool {
    match character.cp {
        // The soft hyphen, the middle dot, the apostrophe, dashes and the ellipsis may, as may a space that looks like
        // none.
        0..=0x7F | 0xA0 | 0xAD | 0xB7 | 0x2010..=0x2015 | 0x2019 | 0x2026 => false,
        cp => !matches!(Script::of(cp), Some(script) if script != Script::Han),
    }
}
