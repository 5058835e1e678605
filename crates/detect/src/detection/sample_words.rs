//! The words of a sample: those with a non-ASCII byte, which are evidence for the charset, and the others, which are
//! evidence for the language only.
//!
//! The two are kept apart because ASCII words are the same in all charsets. In a sum over the whole text, they would
//! tell charsets apart no better, and a long English page would outweigh its one foreign word.
//!
//! What is repeated is evidence once. A log or a table has the same few words in every line, and 20 lines with `20 °C`
//! in Latin-1 were once taken for Korean with 98 %: the pair B0 43 is a syllable there, and it occurred 20 times. So
//! each word counts a few times at most, and what may be a unit counts once.

use std::collections::HashMap;

use super::detection_sample::DetectionSample;

/// The most bytes of words that are taken: with non-ASCII bytes, and of ASCII letters.
const MAX_NON_ASCII_WORDS: usize = 16 * 1024;
const MAX_ASCII_WORDS: usize = 4 * 1024;
const MAX_TAG: usize = 256;
/// How often a word counts, and the most letters of what may be a unit, such as a currency sign or km² in each row of a
/// table. A unit counts once.
const MAX_REPEATS: u8 = 3;
const MAX_UNIT_LETTERS: usize = 3;

/// The words of a sample, each with a space before and after it.
#[derive(Debug, Default)]
pub(super) struct SampleWords {
    /// The words with non-ASCII bytes. A word runs from one byte below 30 to the next. Such a byte is never part of a
    /// multi-byte character, in any charset without shifts, so no charset divides the words differently (see
    /// `is_blank`).
    pub(super) non_ascii: Vec<u8>,
    /// The words of ASCII letters alone, as a sentence has them. Base64, hexadecimal numbers and identifiers are no
    /// evidence.
    pub(super) ascii: Vec<u8>,
    pub(super) high_bytes: usize,
    /// Whether the sample ends with the last of `non_ascii`, so that its end may truncate a character.
    pub(super) may_be_cut: bool,
}

impl SampleWords {
    pub(super) fn of(sample: &DetectionSample<'_>) -> Self {
        let mut words = Self { non_ascii: vec![b' '], ascii: vec![b' '], ..Self::default() };
        // The sample begins at its first non-ASCII byte, which may be in the middle of a word. So the last word of the
        // ASCII before it is completed, and the others are ASCII words.
        let ascii = sample.ascii();
        let start = ascii.iter().rposition(|byte| is_blank(*byte)).map_or(0, |at| at + 1);
        let (ascii, first) = ascii.split_at(start);
        words.take_ascii(ascii);
        let text = without_tags(&[first, sample.bytes].concat());
        let mut seen = [false; 256];
        let mut counts = HashMap::<Vec<u8>, u8>::new();
        for word in text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()) {
            if word.is_ascii() {
                words.take_ascii(word);
                continue;
            }
            // When there are enough words, only those with a new byte are taken: it may be the one that a charset
            // lacks. That is bounded, too, by twice the limit.
            let has_new = || word.iter().any(|byte| !byte.is_ascii() && !seen[usize::from(*byte)]);
            if words.non_ascii.len() >= MAX_NON_ASCII_WORDS
                && (words.non_ascii.len() >= 2 * MAX_NON_ASCII_WORDS || !has_new())
            {
                continue;
            }
            let word = &word[..word.len().min(MAX_NON_ASCII_WORDS)];
            // Rows of a table differ in their numbers only, so a word is counted by its letters: `£1` and `£344` are
            // the same word.
            let tells = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
            let letters: Vec<u8> = word.iter().copied().filter(tells).collect();
            let is_unit = letters.len() <= MAX_UNIT_LETTERS
                && word.iter().filter(|byte| !byte.is_ascii()).count() == 1;
            let most = if is_unit { 1 } else { MAX_REPEATS };
            let count = counts.entry(letters).or_default();
            if *count == most {
                continue;
            }
            *count += 1;
            word.iter().for_each(|byte| seen[usize::from(*byte)] = true);
            words.high_bytes += word.iter().filter(|byte| !byte.is_ascii()).count();
            words.non_ascii.extend_from_slice(word);
            words.non_ascii.push(b' ');
        }
        let last = text.split(|byte| is_blank(*byte)).next_back().unwrap_or_default();
        words.may_be_cut = !last.is_ascii()
            && words.non_ascii.strip_suffix(b" ").is_some_and(|it| it.ends_with(last));
        words
    }

    fn take_ascii(&mut self, text: &[u8]) {
        for word in of_sentences(text) {
            if self.ascii.len() < MAX_ASCII_WORDS {
                self.ascii.extend_from_slice(word);
                self.ascii.push(b' ');
            }
        }
    }
}

/// Replaces each ASCII tag of markup by a space, so that words next to it are separate. Otherwise the word in
/// `<b>Дом</b>` would be `<b>Дом<`, since `<` is not below 30, and the letters at its ends would be priced next to
/// signs instead of blanks.
fn without_tags(mut text: &[u8]) -> Vec<u8> {
    let mut words = Vec::with_capacity(text.len());
    while let Some(at) = memchr::memchr(b'<', text) {
        let (before, rest) = text.split_at(at);
        words.extend_from_slice(before);
        let len = tag(rest);
        words.push(if len.is_some() { b' ' } else { b'<' });
        text = &rest[len.unwrap_or(1)..];
    }
    words.extend_from_slice(text);
    words
}

fn tag(text: &[u8]) -> Option<usize> {
    let is_tag = text.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
    let end = text
        .iter()
        .skip(1)
        .take(MAX_TAG)
        .position(|byte| !matches!(byte, b' '..=b'~') || matches!(byte, b'<' | b'>'))?;
    (is_tag && text[1 + end] == b'>').then_some(end + 2)
}

/// Returns the ASCII words that a sentence may have, without surrounding punctuation: in lower case, in upper case, or
/// capitalized. Identifiers such as `getName` and `get_it` and base64 are not in any language, so they would only add
/// noise.
pub(super) fn of_sentences(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_mark = u8::is_ascii_punctuation;
    let words = text.split(u8::is_ascii_whitespace).map(move |token| {
        let start = token.iter().take_while(|byte| is_mark(byte)).count();
        let end = token.iter().rposition(|byte| !is_mark(byte)).map_or(start, |at| at + 1);
        &token[start..end]
    });
    words.filter(|word| is_of_sentence(word))
}

fn is_of_sentence(word: &[u8]) -> bool {
    let rest = word.get(1..).unwrap_or_default();
    let is_in_one_case =
        rest.iter().all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase);
    word.first().is_some_and(u8::is_ascii_alphabetic) && is_in_one_case
}

/// Whether a byte separates words: it is below 0x30, where it is a character by itself in every superset of ASCII
/// without shifts. Trail bytes of Shift_JIS and Big5 begin at 40, those of JOHAB at 31, and the second and fourth bytes
/// of GB18030 at 30. So `,` and `/` are safe places to divide a text of unknown encoding, and letters, digits, `@` and
/// `[` are not.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte < 0x30
}

#[cfg(test)]
mod tests;
