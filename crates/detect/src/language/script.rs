//! The scripts that the languages of the model are written in, and how many letters of each a text has.
//!
//! Scripts are told by blocks and not by Unicode's property, which takes a few ranges instead of a table. Signs that
//! have no script of their own in Unicode belong to their block here, such as the danda of Devanagari (U+0964). Scripts
//! without a language in the model have no variant, so their letters have no script (`None`).

use oxiconv_encodings::unicode::CodePoint;

/// A script, or two that are used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// Latin letters.
    Latin,
    /// Greek letters.
    Greek,
    /// Cyrillic letters.
    Cyrillic,
    /// Armenian letters.
    Armenian,
    /// Hebrew letters.
    Hebrew,
    /// Arabic letters.
    Arabic,
    /// Thai letters.
    Thai,
    /// Lao letters.
    Lao,
    /// Georgian letters.
    Georgian,
    /// Ethiopic syllables.
    Ethiopic,
    /// Khmer letters.
    Khmer,
    /// Burmese letters.
    Myanmar,
    /// Korean syllables and letters.
    Hangul,
    /// Hiragana and katakana.
    Kana,
    /// Ideographs.
    Han,
    /// A script of India or Sri Lanka, by its block of 128 code points, counted from U+0900.
    Indic(u8),
}

impl Script {
    /// Returns the script of a letter or a mark, by its block (Unicode, Blocks.txt).
    pub(crate) fn of(cp: CodePoint) -> Option<Self> {
        Some(match cp {
            0x41..=0x5A | 0x61..=0x7A | 0xAA | 0xBA | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x24F => {
                Self::Latin
            }
            0x1E00..=0x1EFF => Self::Latin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => Self::Greek,
            0x400..=0x52F => Self::Cyrillic,
            0x530..=0x58F => Self::Armenian,
            0x590..=0x5FF | 0xFB1D..=0xFB4F => Self::Hebrew,
            0x600..=0x6FF | 0x750..=0x77F | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC => Self::Arabic,
            0x900..=0xDFF => Self::Indic(((cp - 0x900) / 128) as u8),
            0xE00..=0xE7F => Self::Thai,
            0xE80..=0xEFF => Self::Lao,
            0x1000..=0x109F => Self::Myanmar,
            0x10A0..=0x10FF => Self::Georgian,
            0x1200..=0x139F => Self::Ethiopic,
            0x1780..=0x17FF => Self::Khmer,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7A3 => Self::Hangul,
            0x3040..=0x30FF | 0xFF66..=0xFF9F => Self::Kana,
            0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Self::Han,
            _ => return None,
        })
    }

    /// Returns the script for a code of ISO 15924 that a language of the model is written in.
    pub(super) fn for_code(code: &str) -> Self {
        match code {
            "Grek" => Self::Greek,
            "Cyrl" => Self::Cyrillic,
            "Armn" => Self::Armenian,
            "Hebr" => Self::Hebrew,
            "Arab" => Self::Arabic,
            "Thai" => Self::Thai,
            "Laoo" => Self::Lao,
            "Geor" => Self::Georgian,
            "Ethi" => Self::Ethiopic,
            "Khmr" => Self::Khmer,
            "Mymr" => Self::Myanmar,
            "Kore" => Self::Hangul,
            "Jpan" => Self::Kana,
            "Hans" | "Hant" => Self::Han,
            "Deva" => Self::Indic(0),
            "Beng" => Self::Indic(1),
            "Guru" => Self::Indic(2),
            "Gujr" => Self::Indic(3),
            "Orya" => Self::Indic(4),
            "Taml" => Self::Indic(5),
            "Telu" => Self::Indic(6),
            "Knda" => Self::Indic(7),
            "Mlym" => Self::Indic(8),
            "Sinh" => Self::Indic(9),
            _ => Self::Latin,
        }
    }

    /// Returns a distinct bit, for sets of scripts. `Indic` goes up to block 9, so bits above 24 are free.
    pub(crate) const fn bit(self) -> u32 {
        let number = match self {
            Self::Latin => 0,
            Self::Greek => 1,
            Self::Cyrillic => 2,
            Self::Armenian => 3,
            Self::Hebrew => 4,
            Self::Arabic => 5,
            Self::Thai => 6,
            Self::Lao => 7,
            Self::Georgian => 8,
            Self::Ethiopic => 9,
            Self::Khmer => 10,
            Self::Myanmar => 11,
            Self::Hangul => 12,
            Self::Kana => 13,
            Self::Han => 14,
            Self::Indic(block) => 15 + block as u32,
        };
        1 << number
    }

    /// Whether its words are separated by spaces from those of other scripts. Korean is not: particles follow Latin
    /// words directly.
    pub(crate) const fn has_spaces(self) -> bool {
        !matches!(
            self,
            Self::Han
                | Self::Kana
                | Self::Hangul
                | Self::Thai
                | Self::Lao
                | Self::Khmer
                | Self::Myanmar
        )
    }

    /// Whether text in a language of this script may have letters of `other` as its own: Japanese and Korean have
    /// ideographs.
    pub(crate) fn includes(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Kana | Self::Hangul, Self::Han))
    }
}

/// The number of letters of each script in a text, in the order of their first letters. It is a list and not a hash
/// table: Japanese may have as many kana as ideographs, and which of them is the main script must not depend on the
/// order of a table.
#[derive(Debug, Default)]
pub struct ScriptCounts(Vec<(Script, u32)>);

impl ScriptCounts {
    /// Counts the letters of a text beyond ASCII.
    pub(crate) fn beyond_ascii(text: &[CodePoint]) -> Self {
        text.iter().filter(|cp| **cp >= 0x80).filter_map(|cp| Some((Script::of(*cp)?, 1))).collect()
    }

    /// Returns the script of most letters; Latin if it ties with another; `None` if there are no letters.
    pub(crate) fn main(&self) -> Option<Script> {
        let most = self.0.iter().max_by_key(|(script, times)| (*times, *script == Script::Latin));
        most.map(|(script, _)| *script)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Script, u32)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn letters(&self) -> u32 {
        self.iter().map(|(_, times)| times).sum()
    }
}

impl FromIterator<(Script, u32)> for ScriptCounts {
    fn from_iter<I: IntoIterator<Item = (Script, u32)>>(letters: I) -> Self {
        let mut counts: Vec<(Script, u32)> = Vec::new();
        for (script, times) in letters {
            match counts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, all)) => *all += times,
                None => counts.push((script, times)),
            }
        }
        Self(counts)
    }
}
