//! The charsets that UTF-8 is mistaken for, as maps from characters to bytes.
//!
//! Whether a character may begin or continue a sequence is asked for each character beyond ASCII of each text, and for
//! all charsets at once. So a character has one entry with its byte in each charset and three bit sets, one bit per
//! charset; a two-level table leads from the code point to the entry.
//!
//! ```text
//! Ã, U+00C3 ─► pages[00] ─► places[page][C3] ─► entry   bytes      C3 in windows-1252, CC in Mac Roman, 0 in KOI8-R …
//!                                                       lead       the charsets where it is C2 to F4
//!                                                       high       the charsets where it is C0 to FF
//!                                                       continues  the charsets where it is 80 to BF: none
//! ```
//!
//! Two adjacent characters are then tested for all charsets with one AND: the `lead` set of the first, and the
//! `continues` set of the second.

use std::sync::OnceLock;

use crate::language::Script;
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// The charsets, and how rare the mistake is: the binary logarithm of how much likelier the first one is.
const MISREAD_CHARSETS: [(&str, f32); COUNT] = [
    ("windows-1252", 0.0),
    ("macintosh", 4.0),
    ("windows-1251", 5.0),
    ("windows-1250", 4.0),
    ("windows-1254", 5.0),
    ("windows-1253", 5.0),
    ("windows-1257", 6.0),
    ("ISO-8859-2", 5.0),
    ("ISO-8859-15", 6.0),
    ("IBM437", 4.0),
    ("IBM850", 4.0),
    ("KOI8-R", 6.0),
    ("IBM866", 5.0),
    ("windows-1255", 5.0),
    ("windows-1256", 5.0),
    ("windows-1258", 6.0),
    ("windows-874", 5.0),
];
pub(super) const COUNT: usize = 17;
/// The charset in which lowercase letters alone may be a sequence, as a bit set. `рек` is E0 A5 AA, and many Russian
/// words have three such letters, so they are no sign of UTF-8, which has others as well.
pub(super) const IBM866: u32 = 1 << 12;
const WESTERN: u32 = 1;
const ARABIC: u32 = 1 << 14;
pub(super) const THAI: u32 = 1 << 16;
/// The charsets in which two letters of their own script begin a sequence only if it means a letter of that script, as
/// a bit set. In Thai and Persian words, nearly any two letters are a lead byte and a continuation byte.
pub(super) const OWN_SCRIPT: u32 = ARABIC | THAI;
/// The charsets of Windows that have another charset than that of the same number in ISO 8859 for their script.
const UNRELATED: [&str; 3] = ["windows-1250", "windows-1255", "windows-1256"];
/// Characters of Apple's own table of Mac Roman that other tables replace by similar ones, with the index of the
/// charset and the byte.
const APPLE: [(CodePoint, usize, u8); 2] = [(0x2206, 1, 0xC6), (0xF8FF, 1, 0xF0)];
/// A no-break space, and its byte in most charsets.
const NO_BREAK_SPACE: CodePoint = 0xA0;
pub(super) const A0: u8 = 0xA0;
pub(super) const SPACE: CodePoint = 0x20;
/// What programs write for a character that a charset does not have.
pub(super) const QUESTION_MARK: CodePoint = 0x3F;

/// A charset of [`MISREAD_CHARSETS`], by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MisreadCharset(pub(super) u8);

impl MisreadCharset {
    /// windows-1252, and with it ISO-8859-1.
    pub(super) const WESTERN: Self = Self(0);

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u8).map(Self)
    }

    /// Iterates over the charsets in a bit set.
    pub(super) fn of(mut bits: u32) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let lowest = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (lowest < u32::BITS).then_some(Self(lowest as u8))
        })
    }

    /// How much rarer the mistake is than the most common one, in bits.
    pub(super) fn rarity(self) -> f32 {
        MISREAD_CHARSETS[usize::from(self.0)].1
    }

    /// Whether its signs occur in sound text, so that short damage needs more evidence.
    pub(super) fn needs_more(self) -> bool {
        let name = MISREAD_CHARSETS[usize::from(self.0)].0;
        name == "macintosh" || name.starts_with("IBM")
    }

    /// Whether all characters are letters, in a charset in which these may be a sequence.
    pub(super) fn has_letters_alone<'a>(
        self,
        mut text: impl Iterator<Item = &'a CodePoint>,
    ) -> bool {
        match 1 << self.0 {
            IBM866 => text.all(|cp| matches!(cp, 0x400..=0x45F)),
            THAI => text.all(|cp| is_own_letter(*cp)),
            _ => false,
        }
    }

    /// Returns the charset of this name in [`MISREAD_CHARSETS`].
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::all().find(|set| MISREAD_CHARSETS[usize::from(set.0)].0 == name)
    }

    pub(super) fn encoding(self) -> &'static Encoding {
        tables().encodings[usize::from(self.0)]
    }

    /// Whether byte A0 is a no-break space, which programs turn into a space.
    pub(super) fn loses_a0(self) -> bool {
        losing_a0() >> self.0 & 1 == 1
    }

    /// Whether a character is a C1 control at a byte where the charset has a sign. Text with both the sign and the
    /// control was not read in this charset.
    pub(super) fn has_sign_for(self, cp: CodePoint) -> bool {
        matches!(cp, 0x80..0xA0) && !self.gaps().iter().any(|gap| CodePoint::from(*gap) == cp)
    }

    /// The bytes from 80 on that it does not define.
    pub(super) fn gaps(self) -> &'static [u8] {
        &tables().gaps[usize::from(self.0)]
    }
}

/// The byte of a character in each charset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CharsetBytes {
    /// Its byte from 80 on; 0 if it has none.
    bytes: [u8; COUNT],
    /// The charsets that have it, as a bit set.
    pub(super) sets: u32,
    /// The charsets in which it is a lead byte, as a bit set.
    pub(super) lead: u32,
    /// The charsets in which it is the first of two bytes.
    lead_of_two: u32,
    /// The charsets in which it is a byte from C0 on: if this is UTF-8, a continuation byte follows.
    pub(super) high: u32,
    /// The charsets in which it is a continuation byte.
    pub(super) continues: u32,
}

impl CharsetBytes {
    pub(super) fn is_in_any(&self) -> bool {
        self.bytes != [0; COUNT]
    }

    pub(super) fn byte(&self, set: MisreadCharset) -> Option<u8> {
        Some(self.bytes[usize::from(set.0)]).filter(|byte| *byte != 0)
    }
}

/// Whether a character is a lowercase letter of a Cyrillic charset.
pub(super) fn is_lowercase_cyrillic(cp: CodePoint) -> bool {
    matches!(cp, 0x430..=0x45F)
}

/// Whether a character is a letter or a mark of a script whose charset is in [`OWN_SCRIPT`].
pub(super) fn is_own_letter(cp: CodePoint) -> bool {
    matches!(Script::of(cp), Some(Script::Arabic | Script::Thai))
}

/// Whether a character may be the first byte of a letter of its own script: `ط` to `غ` are D8 to DB in windows-1256,
/// and `เ` is E0 in windows-874.
pub(super) fn begins_own_letter(cp: CodePoint) -> bool {
    matches!(cp, 0x637..=0x63A | 0xE40)
}

/// Whether a character may be the second byte of a letter of its own script: all of Arabic, and `ธ` and `น`, which are
/// B8 and B9, of Thai.
pub(super) fn continues_own_letter(cp: CodePoint) -> bool {
    match Script::of(cp) {
        Some(Script::Thai) => matches!(cp, 0xE18 | 0xE19),
        script => script == Some(Script::Arabic),
    }
}

/// Returns the charsets in which two characters may begin a sequence, as a bit set.
#[inline]
pub(super) fn pair(cp: CodePoint, next: CodePoint) -> u32 {
    if next == SPACE {
        return loses_a0_after(cp);
    }
    let sets = entry(cp).lead & follows(next);
    let are_letters = || is_own_letter(cp) && is_own_letter(next);
    let is_letter = || begins_own_letter(cp) && continues_own_letter(next);
    if sets & OWN_SCRIPT != 0 && are_letters() && !is_letter() {
        return sets & !OWN_SCRIPT;
    }
    sets
}

/// Returns the charsets in which a character and A0, which programs turn into a space, may be a sequence, as a bit set.
/// In the scripts of [`OWN_SCRIPT`], that would be nearly every last letter of a word.
#[inline]
pub(super) fn loses_a0_after(cp: CodePoint) -> u32 {
    entry(cp).lead_of_two & losing_a0() & !OWN_SCRIPT
}

struct CharsetTables {
    encodings: Vec<&'static Encoding>,
    gaps: Vec<Vec<u8>>,
    /// The page of each 256 code points of the Basic Multilingual Plane; page 0 is empty.
    pages: [u8; 256],
    /// Indices of entries; entry 0 is for characters in no charset.
    places: Vec<[u16; 256]>,
    entries: Vec<CharsetBytes>,
    /// The charsets in which byte A0 is a no-break space, as a bit set.
    losing_a0: u32,
    /// The charsets in which some bytes are control codes, as a bit set.
    losing_controls: u32,
}

#[inline]
pub(super) fn entry(cp: CodePoint) -> &'static CharsetBytes {
    let tables = tables();
    let page = tables.pages.get(cp as usize >> 8).copied().unwrap_or(0);
    &tables.entries[usize::from(tables.places[usize::from(page)][cp as usize & 255])]
}

/// Returns the charsets in which some bytes are control codes, as a bit set. Programs delete control codes, so
/// sequences lose bytes.
#[inline]
pub(super) fn losing_controls() -> u32 {
    tables().losing_controls
}

/// Returns the charsets in which a character may be a continuation byte, or what is left of one, as a bit set.
#[inline]
pub(super) fn follows(cp: CodePoint) -> u32 {
    match cp {
        SPACE => losing_a0(),
        QUESTION_MARK => WESTERN,
        REPLACEMENT_CHARACTER => u32::MAX,
        0..0x80 => 0,
        _ => entry(cp).continues,
    }
}

/// Returns the charsets in which byte A0 is a no-break space, as a bit set.
pub(super) fn losing_a0() -> u32 {
    tables().losing_a0
}

fn tables() -> &'static CharsetTables {
    static TABLES: OnceLock<CharsetTables> = OnceLock::new();
    TABLES.get_or_init(CharsetTables::new)
}

impl CharsetTables {
    fn new() -> Self {
        let mut tables = Self {
            encodings: Vec::new(),
            gaps: Vec::new(),
            pages: [0; 256],
            places: vec![[0; 256]],
            entries: vec![CharsetBytes::default()],
            losing_a0: 0,
            losing_controls: 0,
        };
        for (index, (name, _)) in MISREAD_CHARSETS.into_iter().enumerate() {
            let Ok(encoding) = Encoding::for_name(name) else { unreachable!("{name} is built in") };
            tables.encodings.push(encoding);
            let mut gaps = Vec::new();
            for byte in 0x80..=0xFF {
                let mut pivot = [0; MIN_PIVOT];
                let mut decoder = encoding.new_decoder(ByteOrder::Big);
                let is_defined = decoder.decode(&[byte], &mut pivot, true).written == 1;
                // Browsers and MySQL read an undefined byte as the control code of the same number, as ISO 8859 has it.
                // So a control code is a byte of the charset as well, wherever the charset has no other character.
                let control = CodePoint::from(byte);
                if byte == A0 && pivot[0] == NO_BREAK_SPACE {
                    tables.losing_a0 |= 1 << index;
                }
                if !is_defined {
                    gaps.push(byte);
                } else if pivot[0] != control {
                    tables.add(pivot[0], index, byte);
                }
                if !is_defined || pivot[0] == control {
                    tables.losing_controls |= 1 << index;
                }
                // The charsets of Windows are supersets of ISO 8859 in A0 to FF, and have signs where ISO 8859 has C1
                // controls. A program that means the ISO charset reads a control. Mac Roman and the charsets of DOS
                // have no such relatives, and ISO-8859-2, which is not quite one of windows-1250, has an entry of its
                // own.
                let has_relative =
                    byte < 0xA0 && name.starts_with("windows-") && !UNRELATED.contains(&name);
                if !is_defined || has_relative || pivot[0] == control {
                    tables.add(control, index, byte);
                }
            }
            tables.gaps.push(gaps);
        }
        APPLE.iter().for_each(|(cp, set, byte)| tables.add(*cp, *set, *byte));
        for entry in &mut tables.entries {
            for (set, byte) in entry.bytes.into_iter().enumerate() {
                let bit = 1 << set;
                if byte != 0 {
                    entry.sets |= bit;
                }
                if byte >= 0xC0 {
                    entry.high |= bit;
                }
                match byte {
                    0x80..=0xBF => entry.continues |= bit,
                    0xC2..=0xF4 => entry.lead |= bit,
                    _ => {}
                }
                if matches!(byte, 0xC2..=0xDF) {
                    entry.lead_of_two |= bit;
                }
            }
        }
        tables
    }

    /// Adds a character as a byte of a charset, with a new page and a new entry if it has none. If it is two bytes of
    /// the charset, the first one that is added counts.
    fn add(&mut self, cp: CodePoint, set: usize, byte: u8) {
        let page = &mut self.pages[cp as usize >> 8];
        if *page == 0 {
            *page = self.places.len() as u8;
            self.places.push([0; 256]);
        }
        let place = &mut self.places[usize::from(*page)][cp as usize & 255];
        if *place == 0 {
            *place = self.entries.len() as u16;
            self.entries.push(CharsetBytes::default());
        }
        let entry = &mut self.entries[usize::from(*place)];
        if entry.bytes[set] == 0 {
            entry.bytes[set] = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_places_of_their_charsets() {
        let name = |bit: u32| MISREAD_CHARSETS[bit.trailing_zeros() as usize].0;
        assert_eq!([IBM866, ARABIC, THAI].map(name), ["IBM866", "windows-1256", "windows-874"]);
        assert_eq!(MisreadCharset::named("windows-1252"), Some(MisreadCharset::WESTERN));
        assert!(APPLE.iter().all(|(_, set, _)| MISREAD_CHARSETS[*set].0 == "macintosh"));
    }
}
