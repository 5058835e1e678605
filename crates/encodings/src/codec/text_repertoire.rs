//! The characters of a text, by which a reader of UTF-8 mixed with another encoding tells what may be whose.

#[cfg(feature = "legacy")]
use super::UsualBytes;
use crate::unicode::{CodePoint, is_control, is_private_use};

/// A word that is well-formed UTF-8 stays UTF-8 if it has so many letters of one script, whatever the text has. Of
/// 672,912 words of 24 languages in their 26 legacy encodings, 11 are well-formed with two letters of one script (in
/// IBM866, щелчок is 饫箪), and none with three.
pub(super) const SURE_LETTERS: usize = 3;
/// The characters beyond ASCII that occur in a text, as evidence of what its ill-formed bytes may be. Only those of
/// the Basic Multilingual Plane are kept.
#[derive(Clone, Debug, Default)]
pub struct TextRepertoire {
    counts: [u32; ScriptGroup::COUNT],
    #[cfg(feature = "legacy")]
    usual: UsualBytes,
    /// Whether everything ill-formed is a letter of the other encoding, so that nothing is a truncated character.
    #[cfg(feature = "legacy")]
    all_are_letters: bool,
    /// A bitmap of code points; empty until the first character.
    characters: Vec<u64>,
}

/// A script, or several scripts that are used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptGroup {
    Latin,
    Greek,
    Cyrillic,
    /// Letters of languages that few encodings cover.
    RareCyrillic,
    RareLatin,
    Armenian,
    Hebrew,
    Arabic,
    Thai,
    Georgian,
    /// Ideographs, kana and Korean.
    EastAsian,
    /// All others, not distinguished.
    Other,
}

/// What kind of evidence a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvidenceClass {
    Letter(ScriptGroup),
    /// Punctuation common to all scripts.
    Punctuation,
    Sign,
    /// Hardly ever found in text: C1 controls, private use.
    Strange,
}

/// A set of scripts.
pub(super) type Scripts = [bool; ScriptGroup::COUNT];

impl ScriptGroup {
    pub(super) const COUNT: usize = Self::Other as usize + 1;
}

impl EvidenceClass {
    pub(super) fn of(cp: CodePoint) -> Self {
        Self::Letter(match cp {
            0xA0 | 0xAB | 0xBB | 0x2010..=0x201F | 0x2026 | 0x3001..=0x3011 | 0xFF01..=0xFF1F => {
                return Self::Punctuation;
            }
            0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x17F | 0x218..=0x21B => ScriptGroup::Latin,
            0x180..=0x24F | 0x1E00..=0x1EFF => ScriptGroup::RareLatin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => ScriptGroup::Greek,
            0x400..=0x45F | 0x490..=0x491 => ScriptGroup::Cyrillic,
            0x460..=0x52F => ScriptGroup::RareCyrillic,
            0x531..=0x58F => ScriptGroup::Armenian,
            0x591..=0x5F4 => ScriptGroup::Hebrew,
            0x600..=0x6FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC => ScriptGroup::Arabic,
            0xE01..=0xE5B => ScriptGroup::Thai,
            0x10A0..=0x10FF => ScriptGroup::Georgian,
            0x3041..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => {
                ScriptGroup::EastAsian
            }
            // Half-width katakana (FF61 to FF9F) count as signs and not as East Asian letters. In Shift_JIS they are
            // the single bytes A1 to DF, so every second byte of text in some other encoding could be one.
            0xA1..=0xBF
            | 0xD7
            | 0xF7
            | 0x2000..=0x20CF
            | 0x2100..=0x22FF
            | 0x2500..=0x27BF
            | 0x2B50..=0x2B55
            | 0x3000..=0x33FF
            | 0xFE00..=0xFE0F
            | 0xFF00..=0xFFEF
            | 0x1F000..=0x1FAFF => {
                return Self::Sign;
            }
            _ if is_control(cp) || is_private_use(cp) || cp >= 0xFFF0 => return Self::Strange,
            _ => ScriptGroup::Other,
        })
    }
}

impl TextRepertoire {
    /// A script with fewer than one in this many of the letters does not count as a script of the text.
    const RARE: u32 = 50;

    /// Records the characters of well-formed text.
    pub fn look(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_ascii()) {
            let cp = CodePoint::from(c);
            if let EvidenceClass::Letter(script) = EvidenceClass::of(cp) {
                self.counts[script as usize] = self.counts[script as usize].saturating_add(1);
            }
            self.remember(cp);
        }
    }

    fn remember(&mut self, cp: CodePoint) {
        if cp <= 0xFFFF {
            self.characters.resize(0x1_0000 / 64, 0);
            self.characters[cp as usize / 64] |= 1 << (cp % 64);
        }
    }

    /// Records what is certainly UTF-8 in a region with stray bytes: the words with three letters or more of one
    /// script. Where a word touches an ill-formed subsequence, the character beside that may be of the other encoding:
    /// of A6 E6 AC B0, 行為 in Big5, the last three bytes are 欰 in UTF-8.
    ///
    /// Text without spaces, such as Chinese, is one region from its first stray byte to the end of the line. Without
    /// this, nothing would be known of such a text. But only these characters count, and not their script: beside 日本語,
    /// other ideographs may still be letters of the other encoding, as 諨 is шли in IBM866.
    pub fn look_at_region(&mut self, region: &[u8]) {
        let mut touches_before = false;
        for chunk in region.utf8_chunks() {
            let mut characters = chunk.valid().chars();
            if touches_before {
                characters.next();
            }
            touches_before = !chunk.invalid().is_empty();
            if touches_before {
                characters.next_back();
            }
            let words = characters.as_str().split(|c: char| c.is_ascii() && !c.is_alphanumeric());
            let is_sure = |word: &&str| {
                letters_of_one_script(word).is_some_and(|(_, letters)| letters >= SURE_LETTERS)
            };
            words.filter(is_sure).flat_map(beyond_ascii).for_each(|cp| self.remember(cp));
        }
    }

    /// Records which bytes characters begin and end with, from the well-formed stretches of a text.
    #[cfg(feature = "legacy")]
    pub fn look_at_bytes(&mut self, text: &[u8]) {
        text.utf8_chunks().for_each(|chunk| self.usual.look(chunk.valid().as_bytes()));
    }

    /// From now on, treats everything ill-formed as letters of the other encoding, and nothing as truncated.
    #[cfg(feature = "legacy")]
    pub fn take_all_for_letters(&mut self) {
        self.all_are_letters = true;
    }

    /// Returns the bytes that characters begin and end with, which tell truncated characters from letters of the other
    /// encoding; `None` after [`Self::take_all_for_letters`].
    #[cfg(feature = "legacy")]
    pub fn usual(&self) -> Option<&UsualBytes> {
        (!self.all_are_letters).then_some(&self.usual)
    }

    /// Whether ideographs, kana or Hangul are among its letters.
    #[cfg(feature = "legacy")]
    pub fn has_east_asian(&self) -> bool {
        self.has_script(ScriptGroup::EastAsian)
    }

    /// Whether a character occurs in it.
    pub fn has(&self, cp: CodePoint) -> bool {
        self.characters.get(cp as usize / 64).is_some_and(|bits| bits >> (cp % 64) & 1 == 1)
    }

    pub(super) fn has_script(&self, script: ScriptGroup) -> bool {
        let all: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let count = u64::from(self.counts[script as usize]);
        script != ScriptGroup::Other && count > 0 && count * u64::from(Self::RARE) >= all
    }
}

pub(super) fn beyond_ascii(text: &str) -> impl Iterator<Item = CodePoint> {
    text.chars().filter(|c| !c.is_ascii()).map(CodePoint::from)
}

/// Returns the script of a word and the number of its letters beyond ASCII, if all of them are of one script that
/// [`ScriptGroup`] names. Punctuation and signs do not count.
pub(super) fn letters_of_one_script(word: &str) -> Option<(ScriptGroup, usize)> {
    let mut found: Option<(ScriptGroup, usize)> = None;
    for cp in beyond_ascii(word) {
        match EvidenceClass::of(cp) {
            EvidenceClass::Letter(ScriptGroup::Other) | EvidenceClass::Strange => return None,
            EvidenceClass::Letter(script) => match found {
                Some((known, letters)) if known == script => found = Some((script, letters + 1)),
                None => found = Some((script, 1)),
                Some(_) => return None,
            },
            EvidenceClass::Punctuation | EvidenceClass::Sign => {}
        }
    }
    found
}
