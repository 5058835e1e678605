//! Passes over words that cannot be damaged, with a table of characters. Nearly all text is passed over here, so this
//! is what sound text pays for `--repair` and `--fix`.
//!
//! `suspect.rs` asks precisely, with the characters around. What it finds has at least one of these marks, and each of
//! them shows in two adjacent characters:
//!
//! ```text
//! Ã©    a byte that begins a character of UTF-8 in some charset, and one that continues it in the same charset
//! рА    a lowercase letter of IBM866, and a continuation byte that is not one: most words have two of them in a row
//! ظپ    letters of windows-1256 or windows-874 that begin a letter of their own script: most words have others
//! x©    two characters of an unusual word: a letter and a sign, or letters of two scripts (`unusual_word.rs`)
//! a<92> any character and a C1 control code
//! 浣犲  an ideograph, and one with which it is UTF-8 in GB18030; 偙傟: two rare ones
//! Ïðè   three letters of windows-1252 without an ASCII character between them
//! ```
//!
//! So a character has two bit sets, one for each place in a pair. They have a bit per charset, one per rule of unusual
//! words, and some for letters of the charset's own script. A pair is tested for the first four marks with one AND.

use std::str::Chars;
use std::sync::OnceLock;

use super::double_byte;
use super::ideographs::{is_ideograph, is_rare};
use super::tables::{
    COUNT, IBM866, OWN_SCRIPT, SPACE, begins_own_letter, continues_own_letter, entry, follows,
    is_lowercase_cyrillic, is_own_letter, loses_a0_after,
};
use super::unusual_word::{PAIR_RULES, is_high_letter, is_unusual_ideograph, pair_rules};
use oxiconv_encodings::unicode::CodePoint;

/// The characters that have their sets in a table. From there to the private use area, no charset has any.
const TABLE: CodePoint = 0x2700;
const PRIVATE_USE: CodePoint = 0xE000;
/// The bit, among those before, of letters of windows-1252 beyond ASCII.
const HIGH_LETTER: u32 = 1 << COUNT;
/// The bit of lowercase letters of IBM866 before, and of what may be a part of a sequence with them.
const LOWERCASE: u32 = 1 << (COUNT + 1);
/// The bit of what may begin a letter of a script whose charset is in [`OWN_SCRIPT`], and of the letters that may
/// continue it.
const OWN_LETTER: u32 = 1 << (COUNT + 2);
/// The bit of lead bytes of such a charset that are no letters of its script (`â` in windows-1256), and of those
/// letters.
const BEFORE_OWN_LETTER: u32 = 1 << (COUNT + 4);
/// The bit of what may be a sequence with the space after it, and of the space.
const BEFORE_SPACE: u32 = 1 << (COUNT + 3);
/// The bit of all characters before, and of C1 control codes.
const BEFORE_CONTROL: u32 = 1 << (COUNT + 5);
/// The first bit of the rules of unusual words.
const UNUSUAL: usize = COUNT + 6;
const _: () = assert!(UNUSUAL as u32 + PAIR_RULES <= u32::BITS);
/// Where the characters begin that charsets of two bytes may have made of UTF-8.
pub(super) const FIRST_IDEOGRAPH: CodePoint = 0x2E80;
/// How many of these letters are suspicious.
const MANY_LETTERS: u32 = 3;

/// What a character may be the first or the second part of.
#[derive(Clone, Copy)]
struct PairMarks {
    first: u32,
    second: u32,
}

impl PairMarks {
    /// The sets of a character that no rule is about.
    const NONE: Self = Self { first: BEFORE_CONTROL, second: 0 };

    fn new(cp: CodePoint) -> Self {
        let bit = |is: bool, bit| if is { bit } else { 0 };
        let lead = if cp < 0x80 { 0 } else { entry(cp).lead };
        let (follows, is_lowercase) = (follows(cp), is_lowercase_cyrillic(cp));
        let unusual = pair_rules(cp);
        let continues_own = follows & OWN_SCRIPT != 0 && is_own_letter(cp);
        let begins_other = lead & OWN_SCRIPT != 0 && !is_own_letter(cp);
        Self {
            first: if is_lowercase { lead & !IBM866 | LOWERCASE } else { lead }
                | unusual.0 << UNUSUAL
                | bit(is_high_letter(cp), HIGH_LETTER)
                | bit(begins_own_letter(cp), OWN_LETTER)
                | bit(begins_other, BEFORE_OWN_LETTER)
                | bit(cp >= 0x80 && loses_a0_after(cp) != 0, BEFORE_SPACE)
                | BEFORE_CONTROL,
            second: match cp {
                SPACE => BEFORE_SPACE,
                _ if is_own_letter(cp) => follows & !OWN_SCRIPT,
                _ => follows,
            } | bit(continues_own && continues_own_letter(cp), OWN_LETTER)
                | bit(continues_own, BEFORE_OWN_LETTER)
                | bit(!is_lowercase && follows & IBM866 != 0, LOWERCASE)
                | bit(matches!(cp, 0x80..=0x9F), BEFORE_CONTROL)
                | unusual.1 << UNUSUAL,
        }
    }

    fn table() -> &'static [Self] {
        static MARKS: OnceLock<Vec<PairMarks>> = OnceLock::new();
        MARKS.get_or_init(|| (0..TABLE).map(Self::new).collect())
    }

    /// Returns the sets of a character, by their table.
    fn of(table: &[Self], cp: CodePoint) -> Self {
        match table.get(cp as usize) {
            Some(marks) => *marks,
            None if cp < PRIVATE_USE => Self::NONE,
            None => Self::new(cp),
        }
    }
}

/// Returns the offset up to which `text`, from byte `from` on, has no damage, whatever follows it. Where there is a
/// mark, that is the first character beyond ASCII of its word, and at the end of the text that of the last word. Of a
/// long word, only the last `reach` characters count.
pub(super) fn pass(text: &str, from: usize, reach: usize) -> usize {
    let table = PairMarks::table();
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += encoding_rs::Encoding::ascii_valid_up_to(&bytes[at..]);
        // What is before the text is not known here.
        let mut previous = at.checked_sub(1).map_or(b'a', |before| bytes[before]).into();
        let mut before = PairMarks::of(table, previous);
        let mut letters = 0;
        let mut rest = text[at..].chars();
        while let Some(c) = rest.next() {
            let cp = CodePoint::from(c);
            let after = PairMarks::of(table, cp);
            let is_letter = after.first & HIGH_LETTER != 0;
            letters = if cp < 0x80 { 0 } else { letters + u32::from(is_letter) };
            if before.first & after.second != 0
                || letters == MANY_LETTERS
                || cp >= FIRST_IDEOGRAPH && is_suspect_ideograph(previous, cp, &rest)
            {
                return word_start(text, from, bytes.len() - rest.as_str().len(), reach);
            }
            (before, previous) = (after, cp);
            if cp < 0x80 && begins_with_ascii(rest.as_str().as_bytes()) {
                break;
            }
        }
        at = bytes.len() - rest.as_str().len();
        if at == bytes.len() {
            return word_start(text, from, at, reach);
        }
    }
}

fn is_suspect_ideograph(previous: CodePoint, cp: CodePoint, rest: &Chars<'_>) -> bool {
    let follows_ideograph = is_ideograph(previous);
    if follows_ideograph && !is_rare(cp) {
        return false;
    }
    let next = rest.clone().next().map_or(SPACE, CodePoint::from);
    !follows_ideograph && double_byte::may_begin(cp, next)
        || is_unusual_ideograph(previous, cp)
        || is_unusual_ideograph(cp, next)
}

/// Whether the next bytes are all ASCII, so that a faster loop is worth its start.
fn begins_with_ascii(bytes: &[u8]) -> bool {
    let next = bytes.first_chunk().map(|next| u64::from_le_bytes(*next));
    next.is_some_and(|next| next & 0x8080_8080_8080_8080 == 0)
}

/// Returns where the first character beyond ASCII is in the word that ends at `end`. Only the last `reach` characters
/// before the end are looked at, and none before byte `from`.
fn word_start(text: &str, from: usize, end: usize, reach: usize) -> usize {
    let mut start = end;
    for (at, c) in text[from..end].char_indices().rev().take(reach) {
        // What ends there may be a mark that consists of a letter and the space after it.
        if c <= ' ' && from + at + 1 < end {
            break;
        }
        if !c.is_ascii() {
            start = from + at;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_character_of_a_charset_below_private_use() {
        for cp in TABLE..PRIVATE_USE {
            let PairMarks { first, second } = PairMarks::new(cp);
            assert_eq!((first, second), (BEFORE_CONTROL, 0), "{cp:X}");
        }
    }
}
