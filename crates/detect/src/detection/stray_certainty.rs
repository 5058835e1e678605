//! Whether it is certain how each line of a text in UTF-8 with stray bytes is read.
//!
//! ```text
//! café au lait          UTF-8
//! 2024-03-14 r\xE9duit  stray bytes: "réduit" in the fallback
//! ред                   in IBM866, E0 A5 A4, is also ।, a sign of Devanagari in UTF-8
//! ```
//!
//! `strays/` names the likeliest encoding of all stray bytes together, which may be only a little likelier than others:
//! [`stray_confidence`] says how much. And every line has to agree, because each of them is about to be rewritten: no
//! word may be odd in that encoding (`odd_words.rs`), none may be UTF-8 by chance, and the stray lines by themselves
//! must be in it too, as far as their letters tell.

use std::collections::HashSet;

use super::charsets::decode;
use super::detector::Detector;
use super::odd_words::is_any_odd;
use super::strays;
use crate::language::Script;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// A word of UTF-8 with so many letters of one script is no chance: of 672,912 words of 24 languages in 26 encodings,
/// none has them.
const MIN_LETTERS: usize = 3;
/// With so many non-ASCII bytes, the stray lines by themselves must be in the fallback.
const MIN_NON_ASCII: usize = 24;
/// With so many, they must at least not clearly be in another encoding. Of 651 texts whose stray bytes were read
/// rightly, this would have left none.
const MIN_TO_REFUTE: usize = 8;

/// Whether it is certain that all stray bytes of a text in UTF-8 are in `fallback`, and all else is UTF-8.
///
/// `confidence` (in percent) is what the stray lines by themselves must have.
pub fn are_strays_sure(text: &[u8], fallback: &'static Encoding, confidence: u8) -> bool {
    let lines: Vec<&[u8]> =
        text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()).collect();
    let known: HashSet<char> = lines.iter().flat_map(|line| known_characters(line)).collect();
    let mut stray: Vec<u8> = Vec::new();
    for line in lines.into_iter().filter(|line| str::from_utf8(line).is_err()) {
        if !is_sure(line, fallback, &known) {
            return false;
        }
        if line.utf8_chunks().all(|chunk| chunk.valid().is_ascii()) {
            stray.extend_from_slice(line);
            stray.push(b'\n');
        }
    }
    let letters = stray.iter().filter(|byte| !byte.is_ascii()).count();
    letters < MIN_TO_REFUTE || {
        let detection = Detector::new().detect(&stray);
        let is_clear = detection.confidence >= confidence;
        let is_same = detection.encoding == fallback
            || read_all(&stray, detection.encoding) == read_all(&stray, fallback);
        if letters < MIN_NON_ASCII { is_same || !is_clear } else { is_same && is_clear }
    }
}

/// Returns the confidence, in percent, that the stray bytes of a text are what `fallback` makes of them. Encodings that
/// read all of them alike count together.
pub fn stray_confidence(text: &[u8], fallback: &'static Encoding) -> u8 {
    let mut strays = Vec::new();
    for chunk in text.utf8_chunks() {
        if !chunk.valid().is_empty() {
            strays.push(b'\n');
        }
        strays.extend_from_slice(chunk.invalid());
    }
    let own = read_all(&strays, fallback);
    let valid = str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    let line = memchr::memrchr2(b'\n', b'\r', &text[..valid]).map_or(0, |at| at + 1);
    let (start, rest) = text.split_at(line);
    let (ranked, _) = strays::ranking(start, rest, true).unwrap_or_default();
    let alike = ranked.iter().filter(|it| read_all(&strays, it.encoding) == own);
    alike.map(|it| it.confidence).sum::<u8>().min(99)
}

fn read_all(bytes: &[u8], encoding: &Encoding) -> Option<Vec<CodePoint>> {
    decode(encoding, bytes, usize::MAX).map(|(text, _)| text)
}

/// Returns the characters beyond ASCII that are certainly UTF-8: those of a line that is, and of words that are not so
/// by chance.
fn known_characters(line: &[u8]) -> Vec<char> {
    let is_utf8 = str::from_utf8(line).is_ok();
    let words = words(line).filter_map(|word| str::from_utf8(word).ok());
    let words = words.filter(|word| is_utf8 || is_no_chance(word));
    words.flat_map(str::chars).filter(|char| !char.is_ascii()).collect()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
}

/// Whether the form of a word of UTF-8 is no chance: it has letters enough in one script, or letters of ASCII besides
/// others of Latin, or only punctuation.
fn is_no_chance(word: &str) -> bool {
    let is_punctuation = |char| matches!(char, '«' | '»' | '–' | '—' | '‘'..='‟' | '…');
    let scripts: Vec<_> = word.chars().filter_map(|char| Script::of(char.into())).collect();
    let has_ascii = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    match scripts.first() {
        None => word.chars().all(is_punctuation),
        Some(first) => {
            scripts.iter().all(|script| script == first)
                && (has_ascii || scripts.len() >= MIN_LETTERS)
        }
    }
}

/// Whether each word of a line with stray bytes is certainly read as it was written.
fn is_sure(line: &[u8], fallback: &Encoding, known: &HashSet<char>) -> bool {
    let is_known = |word: &str| {
        is_no_chance(word) || word.chars().all(|char| char.is_ascii() || known.contains(&char))
    };
    if !fallback.single_byte {
        // Of the bytes of such an encoding, many are UTF-8 by chance, and some are ASCII. So words cannot be told
        // apart.
        return line.utf8_chunks().all(|chunk| {
            let mut words =
                words(chunk.valid().as_bytes()).filter_map(|word| str::from_utf8(word).ok());
            words.all(|word| word.is_ascii() || is_no_chance(word))
        });
    }
    let (mut is_latin, mut has_word) = (true, false);
    for word in words(line).filter(|word| !word.is_ascii()) {
        let valid: String = word.utf8_chunks().map(|chunk| chunk.valid()).collect();
        let stray: usize = word.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        let sound = valid.chars().filter(|char| !char.is_ascii()).count();
        // Stray bytes may be in a word of UTF-8, but a character of UTF-8 among stray bytes is chance.
        if sound > 0 && !(sound >= stray && is_known(&valid)) {
            return false;
        }
        has_word |= sound > 0;
        let Some(characters) = read(word, fallback) else { return false };
        if is_any_odd(&characters) {
            return false;
        }
        let scripts = characters.iter().filter(|cp| **cp >= 0x80).filter_map(|cp| Script::of(*cp));
        is_latin &= scripts.clone().all(|script| script == Script::Latin);
        has_word |= characters.len() > 1;
    }
    // A letter of another script among Latin words may be a letter of these.
    is_latin || has_word
}

/// Reads a word of UTF-8 whose stray bytes are in `fallback`.
fn read(word: &[u8], fallback: &Encoding) -> Option<Vec<CodePoint>> {
    let mut characters = Vec::new();
    for chunk in word.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(CodePoint::from));
        characters.extend(decode(fallback, chunk.invalid(), usize::MAX)?.0);
    }
    Some(characters)
}

#[cfg(test)]
mod tests;
