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

use std::collections::HashMap;

use super::charsets::{TrialCharset, charset, decode, is_error};
use super::sample_words::is_blank;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The most words that are remembered, and the longest one in bytes.
const MAX_WORDS: usize = 16 * 1024;
const MAX_WORD_LEN: usize = 64;
/// A word is trusted after this many lines, because the first lines of a text are judged by little evidence.
const MIN_LINES: u8 = 3;

/// Words with non-ASCII bytes.
#[derive(Default)]
pub(super) struct KnownWords {
    words: HashMap<Box<[u8]>, WordRecord>,
    /// The encodings of their lines. Bit `n` of [`WordRecord::readers`] is for entry `n`.
    encodings: Vec<(&'static Encoding, Option<&'static TrialCharset>)>,
}

#[derive(Debug, Default)]
struct WordRecord {
    first: u32,
    readers: u32,
    lines: u8,
}

impl KnownWords {
    /// Returns the encoding that reads all words of a line as they were read before, if all are known. Words that were
    /// read in two ways are skipped: the French à is the Russian а. `before` is the ASCII before the first non-ASCII
    /// byte.
    pub(super) fn encoding(&self, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
        let (mut readers, mut firsts) = (u32::MAX, 0);
        each_word(before, line, |word| {
            match self.words.get(word).filter(|known| known.lines >= MIN_LINES) {
                Some(WordRecord { readers: 0, .. }) => {}
                Some(known) => {
                    readers &= known.readers;
                    firsts |= 1 << known.first;
                }
                None => readers = 0,
            }
            readers != 0
        });
        if firsts == 0 {
            return None;
        }
        // Prefer an encoding that one of the lines before was judged to be in, over one that only reads the words
        // alike.
        let best = if readers & firsts == 0 { readers } else { readers & firsts };
        self.encodings.get(best.trailing_zeros() as usize).map(|(encoding, _)| *encoding)
    }

    /// Learns the words of a line that is in `encoding`.
    ///
    /// A new word gets the bits of all encodings so far that read it as this one does. A known word gets the bit of
    /// this encoding if it is read as it was read first. Otherwise its set becomes empty for good, and it is no
    /// evidence any more: E0 is the French `à` and the Russian `а`.
    pub(super) fn learn(&mut self, before: &[u8], line: &[u8], encoding: &'static Encoding) {
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
        each_word(before, line, |word| {
            if let Some(known) = words.get_mut(word) {
                if known.readers != 0 && known.readers & bit == 0 {
                    let is_same = read(encodings[known.first as usize], word) == read(own, word);
                    known.readers = if is_same { known.readers | bit } else { 0 };
                }
                known.lines = known.lines.saturating_add(1);
            } else if words.len() < MAX_WORDS && word.len() <= MAX_WORD_LEN {
                let text = read(own, word);
                let alike = encodings.iter().zip(0..);
                let alike = alike.filter(|(other, _)| read(**other, word) == text);
                let readers = alike.map(|(_, number)| 1_u32.checked_shl(number).unwrap_or(0)).sum();
                words.insert(word.into(), WordRecord { first: number, readers, lines: 1 });
            }
            true
        });
    }
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

/// Calls `see` with each non-ASCII word of a line, until it returns `false`.
fn each_word(before: &[u8], line: &[u8], mut see: impl FnMut(&[u8]) -> bool) {
    let start = before.iter().rposition(|byte| is_blank(*byte)).map_or(0, |at| at + 1);
    let mut words = line.split(|byte| is_blank(*byte));
    let first = words.next().unwrap_or_default();
    if see(&[&before[start..], first].concat()) {
        let _ = words.filter(|word| !word.is_ascii()).all(see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_after_a_few_lines_and_unless_it_was_read_in_two_ways() {
        let mut words = KnownWords::default();
        // "été" is the same in both, "œuf" is in one of them only.
        for _ in 0..MIN_LINES {
            assert_eq!(words.encoding(b"un ", b"\xE9t\xE9"), None);
            words.learn(b"un ", b"\xE9t\xE9", Encoding::ISO_8859_1);
            words.learn(b"", b"\x9Cuf", Encoding::WINDOWS_1252);
        }
        assert_eq!(words.encoding(b"l'", b"\xE9t\xE9 + x"), Some(Encoding::ISO_8859_1));
        assert_eq!(words.encoding(b"x", b"\xE9t\xE9"), None, "another word");
        words.learn(b"", b"\xE9t\xE9", Encoding::WINDOWS_1252);
        assert_eq!(words.encoding(b"", b"\xE9t\xE9 \x9Cuf"), Some(Encoding::WINDOWS_1252));
        // A word that was read in two ways stays unknown, whatever later lines are in.
        words.learn(b"", b"\xE9t\xE9", Encoding::KOI8_R);
        words.learn(b"", b"\xE9t\xE9", Encoding::WINDOWS_1252);
        assert_eq!(words.encoding(b"", b"\xE9t\xE9"), None);
        let other = words.encoding(b"", b"\xE9t\xE9 \x9Cuf");
        assert_eq!(other, Some(Encoding::WINDOWS_1252), "the other word tells");
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut words = KnownWords::default();
        for number in 0..2 * MAX_WORDS {
            words.learn(format!("x{number}").as_bytes(), b"\xE9", Encoding::ISO_8859_1);
        }
        words.learn(b"", &[0xE9; MAX_WORD_LEN + 1], Encoding::ISO_8859_1);
        assert_eq!(words.words.len(), MAX_WORDS);
    }
}
