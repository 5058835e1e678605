//! Recognizes lists of single letters: keyboard layouts, hyphenation codes, tables of characters.
//!
//! ```text
//! .hcode å å  Å å      <char-249>  " ù - shin
//! ```
//!
//! Each letter is a word there, and words of one letter are common in some languages, so such a list seems to be in one
//! of them: Swedish codes were taken for Bulgarian in KOI8-R with 99 %. But the letters of a list say nothing about the
//! language, and so nothing about the encoding. No prose has more single letters than words.

use std::collections::HashSet;

use super::detection_sample::DetectionSample;

/// Fewer letters than this are signs, initials or one-letter words.
const MIN_LETTERS: usize = 6;

/// Whether most of what is beyond ASCII in a sample is different single letters. In an encoding with several bytes per
/// character, none of them looks like one.
pub(super) fn is_letter_list(sample: &DetectionSample<'_>) -> bool {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let words = sample.bytes.split(|byte| !is_of_word(byte)).filter(|word| !word.is_ascii());
    let words: HashSet<&[u8]> = words.collect();
    let single = words.iter().filter(|word| word.len() == 1).count();
    single >= MIN_LETTERS && 2 * single > words.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_more_letters_than_words() {
        let is_list = |text: &[u8]| is_letter_list(&DetectionSample::of(text, true));
        assert!(is_list(b".hcode \xE5 \xE5  \xC5 \xE5\n.hcode \xE4 \xE4  \xC4 \xE4\n.hcode \xF6 \xF6  \xD6 \xF6\n"));
        // "à é ù: l'été à la mer, déjà" has three letters alone.
        assert!(!is_list(b"\xE0 \xE9 \xF9: l'\xE9t\xE9 \xE0 la mer, d\xE9j\xE0\n"));
        // Six letters alone, and seven words: "в и с у о к дом лес мир мы он она вот" in windows-1251.
        assert!(!is_list(
            b"\xE2 \xE8 \xF1 \xF3 \xEE \xEA \xE4\xEE\xEC \xEB\xE5\xF1 \xEC\xE8\xF0 \xEC\xFB \xEE\xED \xEE\xED\xE0 \xE2\xEE\xF2"
        ));
    }
}
