//! What does not belong inside a word: a sign between two letters, or a letter next to one of another script.
//!
//! ```text
//! f„llt    „ between Latin letters: "fällt" in IBM850, read as windows-1252
//! aдb      a Cyrillic letter between Latin ones
//! 中かな   fine: Japanese mixes ideographs and kana
//! t’s      fine: an apostrophe joins
//! ```
//!
//! Sound text hardly ever has either; bytes that are read in the wrong encoding often do. Letter pairs do not show it,
//! because to them a sign after a letter looks like the end of a word. So it has a cost of its own, the same for every
//! judge.

use super::script::Script;
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// The cost of a misplaced character, in bits.
pub const MISPLACED: u32 = 8;

/// A character as part of a word.
#[derive(Clone, Copy, Debug)]
pub struct WordPart {
    cp: CodePoint,
    pub(crate) is_letter: bool,
    /// The script of a letter or a mark.
    pub(crate) script: Option<Script>,
}

impl WordPart {
    /// Whether it does not belong between two other characters. ASCII belongs anywhere, since nearly all charsets read
    /// it alike.
    pub fn is_misplaced(self, before: Self, after: Self) -> bool {
        if self.cp < 0x80 {
            return false;
        }
        let near = [before, after];
        if let Some(own) = self.script.filter(|_| self.is_letter) {
            return near.into_iter().any(|other| {
                let differs =
                    |script: Script| script != own && (own.has_spaces() || script.has_spaces());
                other.is_letter && other.script.is_some_and(differs)
            });
        }
        near.into_iter().all(|other| other.is_letter)
            && before.script.is_some_and(Script::has_spaces)
            && !joins_words(self.cp)
    }
}

impl From<CodePoint> for WordPart {
    fn from(cp: CodePoint) -> Self {
        Self { cp, is_letter: is_alphabetic(cp), script: Script::of(cp) }
    }
}

/// Whether a character beyond ASCII that is not a letter may be between two letters: the no-break space, the soft
/// hyphen, the middle dot of Catalan, `×`, hyphens and dashes, the apostrophe, the ellipsis, invisible joiners and
/// separators, and combining marks, which belong to the letter before them.
pub const fn joins_words(cp: CodePoint) -> bool {
    matches!(cp, 0xA0 | 0xAD | 0xB7 | 0xD7 | 0x200B..=0x200F | 0x2010..=0x2015 | 0x2019 | 0x2026)
        || matches!(cp, 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x900..=0x109F | 0x1780..=0x17FF)
}

#[cfg(test)]
mod tests;
