//! Letters that look like a letter or a digit of ASCII: Cyrillic а, Greek ο, Lisu ꓢ.
//!
//! The tables are part of confusables.txt (UTS 39) and Scripts.txt (UAX 24) of Unicode 18.0. They list the letters
//! whose skeleton (UTS 39, 4) is one letter or digit of ASCII, of scripts that are written from left to right and do
//! not share words with Latin letters. Left out are digits, marks, and what a compatibility normalization changes, such
//! as ligatures; of these, only full-width and mathematical letters are known ([`IdentifierClass::Styled`]). The tests
//! compare the tables with the crates `unicode-security` and `unicode-script`.

mod tables;

use std::ops::BitOrAssign;
use std::sync::LazyLock;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use self::tables::{LATIN, SCRIPTS, STYLED};
use super::CodePoint;

/// What a character is to an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifierClass {
    /// Not part of any.
    None,
    /// Of a script that is not in the tables: a letter, or something else. [`continues_identifier`] tells which.
    Other,
    /// A digit of ASCII, or a mark that letters of every script may have.
    Common,
    /// A Latin letter.
    Latin,
    /// A full-width or mathematical variant of a Latin letter.
    Styled,
    /// A letter that looks like ASCII, of the script with this index.
    Lookalike(u8),
    /// A letter that does not look like ASCII, of the script with this index.
    Own(u8),
}

/// The class of every character, prepared for looking up whole texts: most are in `low`, and most others in a page that
/// has nothing in the tables. Only the rest are searched for in the tables.
#[derive(Debug)]
pub struct IdentifierClasses {
    /// The classes of the first code points: ASCII, Latin, Greek, Cyrillic, Armenian.
    low: [IdentifierClass; LOW],
    /// For each 256 code points, whether any is in the tables. Characters of other scripts, such as Han, are not looked
    /// for.
    pages: [bool; PAGES],
    /// The scripts of the first code points, to be combined over a run.
    scripts: [ScriptSet; LOW],
}

/// The scripts of several letters, a bit each: Latin, and the first six scripts of the tables. All other scripts share
/// one bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptSet(u8);

impl ScriptSet {
    const NONE: Self = Self(0);
    const LATIN: Self = Self(1 << 7);
    const OTHERS: Self = Self(1 << 6);

    const fn of(part: IdentifierClass) -> Self {
        match part {
            IdentifierClass::None | IdentifierClass::Other | IdentifierClass::Common => Self::NONE,
            IdentifierClass::Latin => Self::LATIN,
            IdentifierClass::Lookalike(script @ 0..6) | IdentifierClass::Own(script @ 0..6) => {
                Self(1 << script)
            }
            IdentifierClass::Lookalike(_) | IdentifierClass::Own(_) | IdentifierClass::Styled => {
                Self::OTHERS
            }
        }
    }

    /// Whether it contains Latin letters.
    pub const fn has_latin(self) -> bool {
        self.0 & Self::LATIN.0 != 0
    }

    /// Whether it contains letters that must be looked at one by one.
    pub const fn has_others(self) -> bool {
        self.0 & Self::OTHERS.0 != 0
    }

    /// Returns a bit for each of the first six scripts, at its index in the tables.
    pub const fn of_lookalikes(self) -> u64 {
        (self.0 & !(Self::LATIN.0 | Self::OTHERS.0)) as u64
    }
}

impl BitOrAssign for ScriptSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The end of the Hebrew block.
const LOW: usize = 0x600;
/// Pages of 256 code points up to U+1FFFF. The tables have nothing beyond.
const PAGES: usize = 0x200;

static CLASSES: LazyLock<Box<IdentifierClasses>> = LazyLock::new(|| {
    let mut pages = [false; PAGES];
    let scripts = SCRIPTS.iter().map(|script| script.bounds);
    for bounds in scripts.chain([LATIN, STYLED]).flat_map(|bounds| bounds.chunks_exact(2)) {
        pages[bounds[0] as usize >> 8..=(bounds[1] - 1) as usize >> 8].fill(true);
    }
    let low = std::array::from_fn(|cp| look_up(cp as CodePoint));
    Box::new(IdentifierClasses { low, pages, scripts: low.map(ScriptSet::of) })
});

impl IdentifierClasses {
    /// Returns the classes, which are computed on first use.
    pub fn all() -> &'static Self {
        &CLASSES
    }

    /// Returns the class of `cp`.
    #[inline]
    pub fn of(&self, cp: CodePoint) -> IdentifierClass {
        match self.low.get(cp as usize) {
            Some(part) => *part,
            None if self.is_in_tables(cp) => look_up(cp),
            None => IdentifierClass::Other,
        }
    }

    /// Whether any of the 256 code points around `cp` is in the tables.
    fn is_in_tables(&self, cp: CodePoint) -> bool {
        self.pages.get(cp as usize >> 8) == Some(&true)
    }

    /// Returns the script of `cp`, if some of its letters look like ASCII. The set is empty for marks, digits and
    /// letters of other scripts.
    #[inline]
    pub fn scripts_of(&self, cp: CodePoint) -> ScriptSet {
        match self.scripts.get(cp as usize) {
            Some(scripts) => *scripts,
            // Punctuation, which is frequent in text, in pages that also have letters.
            None if matches!(cp, 0x2000..=0x206F | 0xFF00..=0xFF20) => ScriptSet::NONE,
            None if self.is_in_tables(cp) => ScriptSet::OTHERS,
            None => ScriptSet::NONE,
        }
    }
}

fn look_up(cp: CodePoint) -> IdentifierClass {
    match cp {
        0x30..=0x39 | 0x300..=0x36F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF => {
            return IdentifierClass::Common;
        }
        _ if is_within(STYLED, cp) => return IdentifierClass::Styled,
        _ if is_within(LATIN, cp) => return IdentifierClass::Latin,
        _ => {}
    }
    let script = script_with_lookalikes(cp).filter(|_| continues_identifier(cp));
    match script {
        Some(at) if SCRIPTS[at].lookalike(cp).is_some() => IdentifierClass::Lookalike(at as u8),
        Some(at) => IdentifierClass::Own(at as u8),
        None if continues_identifier(cp) => IdentifierClass::Other,
        None => IdentifierClass::None,
    }
}

/// Whether an identifier may continue with `cp` (UAX 31): a letter, a mark or a digit. Connectors such as the low line
/// do not count, because they separate the words of an identifier, and each word is judged by itself.
pub fn continues_identifier(cp: CodePoint) -> bool {
    use GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, NonspacingMark, OtherLetter,
        SpacingMark, TitlecaseLetter, UppercaseLetter,
    };
    let category = char::from_u32(cp).map(|c| c.general_category());
    matches!(
        category,
        Some(
            UppercaseLetter
                | LowercaseLetter
                | TitlecaseLetter
                | ModifierLetter
                | OtherLetter
                | NonspacingMark
                | SpacingMark
                | DecimalNumber
                | LetterNumber
        )
    )
}

/// Whether `cp` is a Greek small letter that formulas use as a symbol, as in αs and νmax: any but omicron.
pub const fn is_greek_symbol(cp: CodePoint) -> bool {
    matches!(cp, 0x3B1..=0x3BE | 0x3C0..=0x3C9)
}

/// Returns the name of the script of `cp`, if some of its letters look like ASCII.
pub fn script_of_lookalikes(cp: CodePoint) -> Option<&'static str> {
    Some(SCRIPTS[script_with_lookalikes(cp)?].name)
}

/// Returns the letter or digit of ASCII that `cp` looks like, if `cp` is a letter of another script or a styled one.
pub fn lookalike(cp: CodePoint) -> Option<char> {
    match (script_with_lookalikes(cp), cp) {
        (Some(at), _) => SCRIPTS[at].lookalike(cp),
        (None, 0xFF21..=0xFF5A) if is_within(STYLED, cp) => char::from_u32(cp - 0xFEE0),
        // The mathematical alphabets follow each other without a gap, each as A to Z and a to z.
        (None, 0x1_D400..) if is_within(STYLED, cp) => {
            let letter = ((cp - 0x1_D400) % 52) as u8;
            Some(char::from(if letter < 26 { b'A' + letter } else { b'a' + letter - 26 }))
        }
        _ => None,
    }
}

/// Returns the script of `cp` as an index of [`SCRIPTS`], if it is one of them.
fn script_with_lookalikes(cp: CodePoint) -> Option<usize> {
    SCRIPTS.iter().position(|script| is_within(script.bounds, cp))
}

/// Whether `cp` is in one of the ranges: behind an odd number of bounds, which begin and end ranges in turn.
fn is_within(bounds: &[CodePoint], cp: CodePoint) -> bool {
    bounds.partition_point(|bound| *bound <= cp) % 2 == 1
}

#[cfg(test)]
mod tests;
