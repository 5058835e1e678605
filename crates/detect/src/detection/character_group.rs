//! Classifies characters by script and by how usual they are in it.
//!
//! The scripts are those of Scripts.txt of Unicode 16.0, joined where a language writes several, in ranges of blocks.
//! Kana are apart from ideographs, because Chinese has none. How usual a character is in its group is given in bits,
//! the negative binary logarithm of its share: about 6 in an alphabet, 11 among syllables and ideographs.

use super::usual_characters::{is_usual_ideograph, is_usual_syllable};
use oxiconv_encodings::unicode::{CodePoint, is_noncharacter, is_private_use, is_reserved};

/// The script of a character or, if it has none, its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterGroup {
    Blank,
    Digit,
    Punctuation,
    Typographic,
    EastAsian,
    Symbol,
    Emoji,
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    /// The Indic scripts from Devanagari to Sinhala, by the number of the block.
    Indic(u8),
    Thai,
    Armenian,
    Georgian,
    Kana,
    Han,
    Hangul,
    /// A script in which few texts are written, by its index in [`OTHER`].
    Other(u8),
}

/// The group of a character, or that text does not have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Classification {
    Of(CharacterGroup, f32),
    /// A control, a reserved code point, a noncharacter, or a private-use character.
    Foreign,
}

impl CharacterGroup {
    pub(super) const COUNT: usize = 20 + INDIC + OTHERS;

    /// Returns its index among all groups. Two callers rely on the order: groups up to `Emoji` stand between words
    /// (`Counter::is_of_text` in `wide.rs`), and those after `Latin` are scripts ([`Self::is_script`]). 18 and 19 are
    /// free.
    pub(super) const fn number(self) -> usize {
        match self {
            Self::Blank => 0,
            Self::Digit => 1,
            Self::Punctuation => 2,
            Self::Typographic => 3,
            Self::EastAsian => 4,
            Self::Symbol => 5,
            Self::Emoji => 6,
            Self::Latin => 7,
            Self::Greek => 8,
            Self::Cyrillic => 9,
            Self::Hebrew => 10,
            Self::Arabic => 11,
            Self::Thai => 12,
            Self::Armenian => 13,
            Self::Georgian => 14,
            Self::Kana => 15,
            Self::Han => 16,
            Self::Hangul => 17,
            Self::Indic(block) => 20 + block as usize,
            Self::Other(range) => 20 + INDIC + range as usize,
        }
    }

    /// Returns the initial weight of the group in the adaptive model of `wide.rs`, whose total is 4: a text that begins
    /// with Latin letters or ideographs is likelier than one that begins with symbols. The weights matter for the first
    /// characters only. One letter raises the share of a group with a weight of 0.01 from 0.25 % to 20 %.
    pub(super) const fn prior(self) -> f32 {
        match self {
            Self::Blank | Self::Latin | Self::Han => 0.5,
            Self::Punctuation => 0.4,
            Self::Kana | Self::Hangul | Self::Cyrillic | Self::Arabic => 0.25,
            Self::Digit | Self::EastAsian | Self::Greek | Self::Hebrew | Self::Thai => 0.15,
            Self::Indic(_) | Self::Typographic => 0.1,
            Self::Symbol | Self::Emoji | Self::Armenian | Self::Georgian => 0.05,
            Self::Other(_) => 0.01,
        }
    }

    /// Whether it is a script that a text has for its own. Latin is none in this sense: text in any script has names,
    /// units and tags in it.
    pub(super) const fn is_script(self) -> bool {
        self.number() > Self::Latin.number()
    }

    /// Whether it is an East Asian script. Japanese and Korean mix those freely.
    pub(super) const fn is_east_asian(self) -> bool {
        matches!(self, Self::Kana | Self::Han | Self::Hangul)
    }
}

const INDIC: usize = 10;
const OTHERS: usize = OTHER.len();

/// The ranges of scripts in which few texts are written, with the bits of a character.
const OTHER: [(CodePoint, CodePoint, f32); 37] = [
    (0x0700, 0x074F, 6.0),
    (0x0780, 0x07BF, 6.0),
    (0x07C0, 0x07FF, 6.5),
    (0x0800, 0x086F, 7.0),
    (0x0E80, 0x0EFF, 6.0),
    (0x0F00, 0x0FFF, 6.0),
    (0x1000, 0x109F, 6.0),
    (0x1200, 0x139F, 8.0),
    (0x13A0, 0x13FF, 7.0),
    (0x1400, 0x167F, 9.0),
    (0x1680, 0x169F, 6.0),
    (0x16A0, 0x16FF, 7.0),
    (0x1700, 0x177F, 7.0),
    (0x1780, 0x17FF, 6.0),
    (0x1800, 0x18AF, 7.0),
    (0x18B0, 0x18FF, 9.0),
    (0x1900, 0x197F, 7.0),
    (0x1980, 0x19FF, 7.0),
    (0x1A00, 0x1AAF, 7.0),
    (0x1B00, 0x1BFF, 7.0),
    (0x1C00, 0x1C7F, 7.0),
    (0x1CD0, 0x1CFF, 9.0),
    (0x2800, 0x28FF, 8.0),
    (0x2C00, 0x2C5F, 7.0),
    (0x2C80, 0x2CFF, 7.0),
    (0x2D30, 0x2D7F, 6.0),
    (0x2D80, 0x2DDF, 10.0),
    (0x3105, 0x312F, 6.0),
    (0xA000, 0xA4CF, 10.0),
    (0xA4D0, 0xA63F, 7.0),
    (0xA6A0, 0xA6FF, 6.5),
    (0xA800, 0xA95F, 7.0),
    (0xA980, 0xAAFF, 7.0),
    (0xAB00, 0xAB2F, 9.0),
    (0xAB70, 0xABBF, 7.0),
    (0xABC0, 0xABFF, 5.5),
    (0x1_0000, 0x1_CFFF, 12.0),
];

/// Returns the group of a character, and its bits within the group. A reserved code point is foreign although it is in
/// the block of a script: text in a wrong scheme often has some, and sound text has none.
pub(super) fn class(cp: CodePoint) -> Classification {
    match part(cp) {
        Some((part, bits)) if is_in_full_block(cp) || !is_reserved(cp) => {
            Classification::Of(part, bits)
        }
        _ => Classification::Foreign,
    }
}

/// Whether it is in a range whose code points are all assigned. A fast path before [`is_reserved`].
const fn is_in_full_block(cp: CodePoint) -> bool {
    matches!(cp, 0..=0x36F | 0x400..=0x52F | 0x900..=0x97F | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Returns the group of a code point and its bits. The first range that matches decides, so narrow ranges of usual
/// characters come before the wide ones around them.
fn part(cp: CodePoint) -> Option<(CharacterGroup, f32)> {
    Some(match cp {
        0x20 => (CharacterGroup::Blank, 0.3),
        0x0A | 0x0D => (CharacterGroup::Blank, 3.0),
        0x09 => (CharacterGroup::Blank, 5.0),
        0x0C => (CharacterGroup::Blank, 9.0),
        0x1B => (CharacterGroup::Punctuation, 8.0),
        0..=0x1F | 0x7F..=0x9F => return None,
        0x30..=0x39 => (CharacterGroup::Digit, 3.3),
        0x61..=0x7A => (CharacterGroup::Latin, 4.5),
        0x41..=0x5A => (CharacterGroup::Latin, 6.5),
        0x2C..=0x2E => (CharacterGroup::Punctuation, 2.5),
        0x21..=0x7E => (CharacterGroup::Punctuation, 5.0),
        0xA0..=0xBF | 0xD7 | 0xF7 => (CharacterGroup::Punctuation, 8.0),
        0xC0..=0xFF => (CharacterGroup::Latin, 7.5),
        0x100..=0x17F => (CharacterGroup::Latin, 8.5),
        0x180..=0x24F => (CharacterGroup::Latin, 11.0),
        0x250..=0x2FF => (CharacterGroup::Latin, 12.0),
        0x300..=0x36F => (CharacterGroup::Latin, 9.0),
        0x386..=0x3CE => (CharacterGroup::Greek, 5.5),
        0x370..=0x3FF => (CharacterGroup::Greek, 11.0),
        0x410..=0x44F => (CharacterGroup::Cyrillic, 5.3),
        0x400..=0x45F => (CharacterGroup::Cyrillic, 7.5),
        0x460..=0x52F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => {
            (CharacterGroup::Cyrillic, 10.0)
        }
        0x530..=0x58F => (CharacterGroup::Armenian, 6.0),
        0x5D0..=0x5EA => (CharacterGroup::Hebrew, 4.5),
        0x590..=0x5FF => (CharacterGroup::Hebrew, 8.0),
        0x621..=0x652 => (CharacterGroup::Arabic, 5.0),
        0x600..=0x6FF => (CharacterGroup::Arabic, 7.5),
        0x750..=0x77F | 0x870..=0x8FF => (CharacterGroup::Arabic, 11.0),
        0x900..=0xDFF => (CharacterGroup::Indic(((cp - 0x900) >> 7) as u8), 6.0),
        0xE00..=0xE7F => (CharacterGroup::Thai, 6.0),
        0x10A0..=0x10FF => (CharacterGroup::Georgian, 5.5),
        0x1C90..=0x1CBF | 0x2D00..=0x2D2F => (CharacterGroup::Georgian, 8.0),
        0x1100..=0x11FF | 0x3130..=0x318F => (CharacterGroup::Hangul, 12.0),
        0xA960..=0xA97F | 0xD7B0..=0xD7FF => (CharacterGroup::Hangul, 18.0),
        0x1E00..=0x1EFF => (CharacterGroup::Latin, 9.0),
        0x1D00..=0x1DFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F => {
            (CharacterGroup::Latin, 14.0)
        }
        0xFB00..=0xFB06 => (CharacterGroup::Latin, 12.0),
        0x1F00..=0x1FFF => (CharacterGroup::Greek, 8.0),
        0x2010..=0x2026 => (CharacterGroup::Typographic, 3.0),
        0x2000..=0x206F => (CharacterGroup::Typographic, 7.0),
        0x20A0..=0x20CF => (CharacterGroup::Typographic, 8.0),
        0x2070..=0x214F => (CharacterGroup::Symbol, 8.0),
        0x2190..=0x21FF | 0x2500..=0x25FF => (CharacterGroup::Symbol, 8.0),
        0x2150..=0x26FF => (CharacterGroup::Symbol, 9.0),
        0x2700..=0x27BF => (CharacterGroup::Symbol, 8.0),
        0x27C0..=0x27FF | 0x2900..=0x2BFF | 0x2E00..=0x2E7F => (CharacterGroup::Symbol, 12.0),
        0x2E80..=0x2FDF => (CharacterGroup::Han, 18.0),
        0x3000..=0x3002 | 0x300C..=0x300D => (CharacterGroup::EastAsian, 2.0),
        0x3003..=0x3011 | 0x3014..=0x301B => (CharacterGroup::EastAsian, 6.0),
        0x3000..=0x303F => (CharacterGroup::EastAsian, 9.0),
        0xFF0C => (CharacterGroup::EastAsian, 2.0),
        0xFF01 | 0xFF08 | 0xFF09 | 0xFF1A | 0xFF1B | 0xFF1F => (CharacterGroup::EastAsian, 5.0),
        0xFF02..=0xFF60 | 0xFFE0..=0xFFE6 => (CharacterGroup::EastAsian, 9.0),
        0x3041..=0x309F | 0x30FC => (CharacterGroup::Kana, 5.5),
        0x30A0..=0x30FF => (CharacterGroup::Kana, 6.5),
        0xFF61..=0xFF9F => (CharacterGroup::Kana, 9.0),
        0x31F0..=0x31FF => (CharacterGroup::Kana, 14.0),
        0x3190..=0x33FF => (CharacterGroup::Symbol, 11.0),
        0x4E00..=0x9FFF => (CharacterGroup::Han, if is_usual_ideograph(cp) { 10.5 } else { 18.5 }),
        0x3400..=0x4DBF => (CharacterGroup::Han, 20.0),
        0xF900..=0xFAFF => (CharacterGroup::Han, 18.0),
        0xAC00..=0xD7A3 => (CharacterGroup::Hangul, if is_usual_syllable(cp) { 9.5 } else { 18.0 }),
        0xFFA0..=0xFFDC => (CharacterGroup::Hangul, 18.0),
        0xFB1D..=0xFB4F => (CharacterGroup::Hebrew, 10.0),
        0xFB50..=0xFDFF | 0xFE70..=0xFEFC => (CharacterGroup::Arabic, 10.0),
        0xFE00..=0xFE0F => (CharacterGroup::Emoji, 4.0),
        0xFE20..=0xFE6F => (CharacterGroup::EastAsian, 11.0),
        0xFEFF | 0xFFFC | 0xFFFD => (CharacterGroup::Symbol, 12.0),
        0x1_D000..=0x1_DFFF => (CharacterGroup::Symbol, 11.0),
        0x1_F300..=0x1_F6FF | 0x1_F900..=0x1_F9FF => (CharacterGroup::Emoji, 8.5),
        0x1_F000..=0x1_FAFF => (CharacterGroup::Emoji, 10.0),
        0xE_0000..=0xE_0FFF => (CharacterGroup::Emoji, 14.0),
        0x2_0000..=0x3_FFFF => (CharacterGroup::Han, 22.0),
        _ if is_private_use(cp) || is_noncharacter(cp) => return None,
        _ => {
            let at = OTHER.iter().position(|(first, last, _)| (*first..=*last).contains(&cp))?;
            (CharacterGroup::Other(at as u8), OTHER[at].2)
        }
    })
}
