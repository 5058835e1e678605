//! Remembers the words of lines whose encoding is known. A log repeats itself, so most of its lines need no trial.
//!
//! ```text
//! "été"  E9 74 E9   read alike in windows-1252 and ISO-8859-1: both remain possible
//! "œuf"  9C 75 66   a word in windows-1252 only: so that is the encoding of a line with both words
//! ```
//!
//! A word records the encoding of the first line that had it (`first`), a bit set of the encodings that read it as that
//! one does (`readers`), and the number of its lines. The encoding of a new line is in the intersection of the sets of
//! its words. If a word was read in two ways, its set is empty, and it is no evidence any more.
//!
//! Whole words are remembered, and not lines, because lines of a log differ in numbers, paths and names. All non-ASCII
//! words of a line must be known: one that is not may be the one that the encoding of the others does not have.
//!
//! A word is kept by its hash of 64 bits. Chinese has no spaces, so its words are as long as its sentences, and their
//! bytes would fill the memory. Two words with the same hash are taken for one. Among as many words as are kept, that
//! happens in one log of 2³³.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::charsets::{TrialCharset, charset, decode, is_error};
use super::sample_words::is_blank;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The most words that are remembered. They take about 3 MB.
const MAX_WORDS: usize = 64 * 1024;
/// A word is trusted after this many lines, because the first lines of a text are judged by little evidence.
pub(super) const MIN_LINES: u8 = 3;

/// Words with non-ASCII bytes.
#[derive(Default)]
pub(super) struct KnownWords {
    words: HashMap<u64, WordRecord>,
    /// The encodings of their lines. Bit `n` of [`WordRecord::readers`] is for entry `n`.
    encodings: Vec<(&'static Encoding, Option<&'static TrialCharset>)>,
}

#[derive(Debug, Default)]
struct WordRecord {
    first: u32,
    readers: u32,
    lines: u8,
}

/// The words of a line that are looked at. `before` is the end of its ASCII, up to the first non-ASCII byte.
#[derive(Clone, Copy)]
pub(super) struct LineWords<'l> {
    before: &'l [u8],
    line: &'l [u8],
    includes: fn(&[u8]) -> bool,
}

impl<'l> LineWords<'l> {
    /// The words with non-ASCII bytes, of a line that is in one encoding.
    pub(super) const fn non_ascii(before: &'l [u8], line: &'l [u8]) -> Self {
        Self { before, line, includes: |word| !word.is_ascii() }
    }

    /// The words that are not UTF-8, of a line that is.
    pub(super) const fn ill_formed(before: &'l [u8], line: &'l [u8]) -> Self {
        Self { before, line, includes: |word| std::str::from_utf8(word).is_err() }
    }

    /// Calls `see` with each word, until it returns `false`.
    fn each(self, mut see: impl FnMut(&[u8]) -> bool) {
        let Self { before, line, includes } = self;
        let start = before.iter().rposition(|byte| is_blank(*byte)).map_or(0, |at| at + 1);
        let mut words = line.split(|byte| is_blank(*byte));
        let first = [&before[start..], words.next().unwrap_or_default()].concat();
        let mut words = std::iter::once(&first[..]).chain(words).filter(|word| includes(word));
        let _ = words.all(&mut see);
    }
}

impl KnownWords {
    /// Returns the encoding that reads all words of a line as they were read before, if all are known. Words that were
    /// read in two ways are skipped: the French à is the Russian а.
    pub(super) fn encoding(&self, line: LineWords<'_>) -> Option<&'static Encoding> {
        let (mut readers, mut firsts) = (u32::MAX, 0);
        line.each(|word| {
            match self.words.get(&hash(word)).filter(|known| known.lines >= MIN_LINES) {
                Some(WordRecord { readers: 0, .. }) => {}
                Some(known) => {
                    readers &= known.readers;
                    firsts |= 1 << known.first;
                }
                None => readers = 0,
            }
            readers != 0
        });
        if readers == 0 || firsts == 0 {
            return None;
        }
        // Prefer an encoding that one of the lines before was judged to be in, over one that only reads the words
        // alike.
        let best = if readers & firsts == 0 { readers } else { readers & firsts };
        self.encodings.get(best.trailing_zeros() as usize).map(|(encoding, _)| *encoding)
    }

    /// Learns the words of a line that is in `encoding`, as if they had been in `lines` of them.
    ///
    /// A new word gets the bits of all encodings so far that read it as this one does. A known word gets the bit of
    /// this encoding if it is read as it was read first. Otherwise its set becomes empty for good, and it is no
    /// evidence any more: E0 is the French `à` and the Russian `а`.
    pub(super) fn learn(&mut self, line: LineWords<'_>, encoding: &'static Encoding, lines: u8) {
        let number = self.encodings.iter().position(|(known, _)| *known == encoding);
        let number = number.unwrap_or_else(|| {
            self.encodings.push((encoding, charset(encoding)));
            self.encodings.len() - 1
        });
        let own = self.encodings[number];
        let number = number as u32;
        // A set has 32 bits. Words of the encodings after that are not remembered, and their lines are judged by the
        // later steps.
        let Some(bit) = 1_u32.checked_shl(number) else { return };
        let Self { words, encodings } = self;
        line.each(|word| {
            let is_full = words.len() == MAX_WORDS;
            let key = hash(word);
            if let Some(known) = words.get_mut(&key) {
                if known.readers != 0 && known.readers & bit == 0 {
                    let is_same = read(encodings[known.first as usize], word) == read(own, word);
                    known.readers = if is_same { known.readers | bit } else { 0 };
                }
                known.lines = known.lines.saturating_add(lines);
            } else if !is_full {
                let text = read(own, word);
                let alike = encodings.iter().zip(0..);
                let alike = alike.filter(|(other, _)| read(**other, word) == text);
                let readers = alike.map(|(_, number)| 1_u32.checked_shl(number).unwrap_or(0)).sum();
                words.insert(key, WordRecord { first: number, readers, lines });
            }
            true
        });
    }
}

/// Returns the hash of a word. It is the same in every run, so that no answer depends on chance.
fn hash(word: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(word);
    hasher.finish()
}

/// Decodes a word; `None` if it is not text in that encoding.
fn read(
    (encoding, charset): (&Encoding, Option<&TrialCharset>),
    word: &[u8],
) -> Option<Vec<CodePoint>> {
    match charset.and_then(|charset| charset.table.as_ref()) {
        Some(table) => {
            let text = word.iter().map(|byte| table[usize::from(*byte)].cp);
            text.map(|cp| (!is_error(cp)).then_some(cp)).collect()
        }
        None => decode(encoding, word, 0).map(|(text, _)| text),
    }
}

#[cfg(test)]
mod tests;
