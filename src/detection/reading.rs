//! What a sample says in one charset.

use super::charsets::{Charset, decode, is_error};
use crate::language::{Model, Script, Symbol};
use crate::unicode::CodePoint;

/// Two characters next to each other, by their places in a list, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) before: u16,
    pub(super) after: u16,
    pub(super) times: u32,
}

/// The pairs of a text, the most frequent ones first.
pub(super) type Pairs = Vec<Pair>;

/// Counts the pairs of bytes of a text.
pub(super) fn byte_pairs(text: &[u8]) -> Pairs {
    let mut counts = vec![0u32; 1 << 16];
    for pair in text.windows(2) {
        counts[usize::from(pair[0]) << 8 | usize::from(pair[1])] += 1;
    }
    let counted = counts.iter().zip(0u32..).filter(|(times, _)| **times > 0);
    let mut pairs: Pairs = counted
        .map(|(times, pair)| Pair {
            before: (pair >> 8) as u16,
            after: pair as u16 & 0xFF,
            times: *times,
        })
        .collect();
    by_frequency(&mut pairs);
    pairs
}

fn by_frequency(pairs: &mut Pairs) {
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.times));
}

/// A sample as text in one charset.
pub(super) struct Reading {
    pub(super) charset: &'static Charset,
    /// The characters of the text once, if it has its own.
    characters: Vec<CodePoint>,
    /// Its own pairs; `None` if they are those of bytes.
    pairs: Option<Pairs>,
    /// Bytes or sequences that are no characters of text.
    pub(super) errors: usize,
}

impl Reading {
    /// Reads a text, of which `pairs` are the pairs of bytes; `None` if more than `allowed` sequences are no characters
    /// of text. Its last character may be cut.
    pub(super) fn of(
        charset: &'static Charset,
        text: &[u8],
        pairs: &[Pair],
        allowed: usize,
    ) -> Option<Self> {
        if let Some(table) = &charset.table {
            let errors = pairs.iter().filter(|pair| is_error(table[usize::from(pair.after)]));
            let errors = errors.map(|pair| pair.times as usize).sum();
            return (errors <= allowed).then_some(Self {
                charset,
                characters: Vec::new(),
                pairs: None,
                errors,
            });
        }
        let (text, errors) = decode(charset.encoding, text, false);
        (errors <= allowed).then_some(())?;
        let mut characters = text.clone();
        characters.sort_unstable();
        characters.dedup();
        let place = |cp: CodePoint| characters.binary_search(&cp).unwrap_or_default() as u32;
        let places: Vec<u32> = text.iter().map(|cp| place(*cp)).collect();
        let mut both: Vec<u32> = places.windows(2).map(|pair| pair[0] << 16 | pair[1]).collect();
        both.sort_unstable();
        let mut pairs: Pairs = both
            .chunk_by(|one, next| one == next)
            .map(|same| Pair {
                before: (same[0] >> 16) as u16,
                after: same[0] as u16,
                times: same.len() as u32,
            })
            .collect();
        by_frequency(&mut pairs);
        Some(Self { charset, characters, pairs: Some(pairs), errors })
    }

    fn characters(&self) -> &[CodePoint] {
        match &self.charset.table {
            Some(table) => table,
            None => &self.characters,
        }
    }

    /// Returns its pairs.
    pub(super) fn pairs<'a>(&'a self, of_bytes: &'a [Pair]) -> &'a [Pair] {
        self.pairs.as_deref().unwrap_or(of_bytes)
    }

    /// Returns the scripts of its letters beyond ASCII, the most frequent one first, and how often each occurs.
    pub(super) fn scripts(&self, of_bytes: &[Pair]) -> Vec<(Script, u32)> {
        let mut scripts: Vec<(Script, u32)> = Vec::new();
        for pair in self.pairs(of_bytes) {
            let cp = self.characters()[usize::from(pair.after)];
            let Some(script) = Script::of(cp).filter(|_| cp >= 0x80) else { continue };
            match scripts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, times)) => *times += pair.times,
                None => scripts.push((script, pair.times)),
            }
        }
        scripts.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        scripts
    }

    /// Returns what pairs of it cost in a language, in sixteenths of a bit.
    pub(super) fn cost(&self, pairs: &[Pair], model: &Model) -> u64 {
        let characters = self.characters();
        let mut symbols: Vec<Option<Symbol>> = vec![None; characters.len()];
        let mut symbol = |at: u16| {
            let at = usize::from(at);
            *symbols[at].get_or_insert_with(|| model.symbol(characters[at]))
        };
        let of = |pair: &Pair| {
            let (before, after) = (symbol(pair.before), symbol(pair.after));
            u64::from(model.cost(before, after)) * u64::from(pair.times)
        };
        pairs.iter().map(of).sum()
    }

    /// Whether two readings of the same text are the same.
    pub(super) fn is_same(&self, other: &Self, of_bytes: &[Pair]) -> bool {
        let (own, others) = (self.pairs(of_bytes), other.pairs(of_bytes));
        own.len() == others.len()
            && own.iter().zip(others).all(|(own, others)| {
                let after =
                    |reading: &Self, pair: &Pair| reading.characters()[usize::from(pair.after)];
                after(self, own) == after(other, others)
            })
    }
}
