//! How text may have been damaged: what its bytes were, and what they were read in.

use super::double_byte::{self, DoubleByteCharset};
use super::sequences::{MisreadSequence, beginning, possible, sequences};
use super::suspect_part::{SuspectPart, is_beside_words};
use super::tables::{COUNT, MisreadCharset, SPACE, entry};
use super::{controls, swapped};
use crate::language::Script;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// How much rarer damage is than sound text, in bits; half of it for each layer below the first.
pub(super) const DAMAGED: f32 = 6.0;
/// Bits for text in one charset read in another. They are many, because any bytes are letters in some charset, but few
/// are UTF-8.
const SWAPPED: f32 = 14.0;
/// Bits for each bit of rarity of the charset that text may be in.
const RARITY: f32 = 2.0;

/// How a part of a text was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// UTF-8 was read in a single-byte charset.
    Single(MisreadCharset),
    /// UTF-8 was read in a charset of two bytes a character.
    DoubleByte(DoubleByteCharset),
    /// Signs of windows-1252 were read as control codes of ISO-8859-1.
    Controls,
    /// Text in one charset was read in another: one of [`swapped::pairs`].
    Swapped(usize),
}

impl Mistake {
    /// Iterates over all mistakes, in the order of their indices.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let single = MisreadCharset::all().map(Self::Single);
        let of_utf8 = single.chain(DoubleByteCharset::all().map(Self::DoubleByte));
        of_utf8.chain([Self::Controls]).chain((0..swapped::pairs().len()).map(Self::Swapped))
    }

    /// Iterates over the mistakes that may have made this text, by the first two characters of each sequence.
    pub(super) fn possible(text: &[CodePoint]) -> impl Iterator<Item = Self> {
        let single = MisreadCharset::of(possible(text)).map(Self::Single);
        let of_utf8 = single.chain(DoubleByteCharset::all().map(Self::DoubleByte));
        of_utf8.chain([Self::Controls])
    }

    /// Returns its index among all mistakes.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Single(set) => usize::from(set.0),
            Self::DoubleByte(set) => COUNT + set.index(),
            Self::Controls => COUNT + double_byte::COUNT,
            Self::Swapped(index) => COUNT + double_byte::COUNT + 1 + index,
        }
    }

    pub(super) fn sequences(self, text: &[CodePoint]) -> Vec<MisreadSequence> {
        match self {
            Self::Single(set) => sequences(text, set),
            Self::DoubleByte(set) => set.sequences(text),
            Self::Controls => controls::sequences(text),
            Self::Swapped(_) => Vec::new(),
        }
    }

    /// Whether a text has the same sequences in both charsets: it is the same bytes, and none of them was lost.
    pub(super) fn is_alike(self, other: Self, text: &[CodePoint]) -> bool {
        let (Self::Single(one), Self::Single(other)) = (self, other) else { return false };
        let is_same = |cp: &CodePoint| {
            let entry = entry(*cp);
            *cp != SPACE && *cp != REPLACEMENT_CHARACTER && entry.byte(one) == entry.byte(other)
        };
        text.iter().all(is_same)
    }

    /// Whether a character beyond ASCII is bytes of the wrong charset.
    pub(super) fn has(self, cp: CodePoint) -> bool {
        match self {
            Self::Single(set) => entry(cp).byte(set).is_some(),
            Self::DoubleByte(set) => set.has(cp),
            Self::Controls | Self::Swapped(_) => false,
        }
    }

    /// Whether sequences explain a word: no character of the word is left over that the charset has too. The bytes of a
    /// word were read in one charset, so leftovers would be half a character. Only marks that are typed next to words
    /// may be left over.
    pub(super) fn explains(self, part: SuspectPart<'_>, found: &[MisreadSequence]) -> bool {
        let SuspectPart { before, own, after, .. } = part;
        let ends = found.iter().map(|sequence| sequence.range.end);
        let starts = found.iter().map(|sequence| sequence.range.start);
        let gaps = [0].into_iter().chain(ends).zip(starts.chain([own.len()]));
        let left = gaps.map(|(end, start)| &own[end..start]);
        !left.chain([before, after]).any(|left| self.has_rest(left))
    }

    /// Whether what is left over belongs to the word: a character of the charset that is not a mark beside the word, or
    /// one that makes a letter with the next character. `“•` is ҥ in Mac Roman, which no language of the model has, so
    /// a word with it is left as it is.
    fn has_rest(self, left: &[CodePoint]) -> bool {
        let begins = |cp: CodePoint, next: Option<&CodePoint>| match (self, next) {
            (Self::Single(set), Some(next)) => {
                MisreadCharset::of(beginning([0; 2], cp, *next)).any(|other| other == set)
            }
            _ => false,
        };
        let is_rest = |(at, cp): (usize, &CodePoint)| {
            *cp >= 0x80 && self.has(*cp) && (!is_beside_words(*cp) || begins(*cp, left.get(at + 1)))
        };
        left.iter().enumerate().any(is_rest)
    }

    /// Whether this mistake may have turned sound text into the part.
    pub(super) fn may_have_made(self, part: SuspectPart<'_>) -> bool {
        let found = self.sequences(part.own);
        !found.is_empty() && self.explains(part, &found)
    }

    /// Whether the characters cannot all come from this mistake, or hardly can. A charset has either a sign or a
    /// control code at a byte, so text with both was not read in one charset. In IBM866, all characters may be letters
    /// (`тАК` is a space, U+200A), as in words with a capital in the wrong place, so these are only marks or words of
    /// letters.
    pub(super) fn is_ruled_out(self, own: &[CodePoint], found: &[MisreadSequence]) -> bool {
        let Self::Single(set) = self else { return false };
        let mut all = found.iter().flat_map(|sequence| &own[sequence.range.clone()]);
        if set.has_letters_alone(all.clone()) && !is_mark_or_word(found) {
            return true;
        }
        let is_sign =
            |cp: &CodePoint| *cp >= 0xA0 && entry(*cp).byte(set).is_some_and(|byte| byte < 0xA0);
        all.clone().any(is_sign) && all.any(|cp| set.has_sign_for(*cp))
    }

    /// Returns its penalty, in bits, before any was found.
    pub(super) fn penalty(self) -> f32 {
        match self {
            Self::Single(set) => DAMAGED + set.rarity(),
            Self::Controls => DAMAGED,
            Self::DoubleByte(_) => DAMAGED + double_byte::RARITY,
            Self::Swapped(index) => {
                let pair = swapped::pairs()[index];
                SWAPPED + RARITY * pair.rarity + pair.read_as.rarity()
            }
        }
    }

    /// Returns the encoding that the bytes were in, and the one that they were read in.
    pub(super) fn encodings(self) -> (&'static Encoding, &'static Encoding) {
        match self {
            Self::Single(set) => (Encoding::UTF_8, set.encoding()),
            Self::DoubleByte(set) => (Encoding::UTF_8, set.encoding()),
            Self::Controls => (MisreadCharset::WESTERN.encoding(), Encoding::ISO_8859_1),
            Self::Swapped(index) => {
                let pair = swapped::pairs()[index];
                (pair.written_in, pair.read_as.encoding())
            }
        }
    }
}

/// Whether sequences are all typographic marks or emoji, or several letters of one script.
fn is_mark_or_word(found: &[MisreadSequence]) -> bool {
    let first = |sequence: &MisreadSequence| sequence.reading.text.characters().first().copied();
    let is_mark = |cp: CodePoint| {
        matches!(cp, 0x2013 | 0x2014 | 0x2018..=0x201E | 0x2022 | 0x2026 | 0x2039 | 0x203A)
            || matches!(cp, 0x20AC | 0x2116 | 0x2122 | 0x1_F000..)
    };
    let script = |sequence: &MisreadSequence| first(sequence).and_then(Script::of);
    found.iter().filter_map(first).all(is_mark)
        || found.len() > 1
            && found.iter().all(|it| script(it).is_some() && script(it) == script(&found[0]))
}

/// A reading of a part, and the mistakes that it undoes.
#[derive(Clone, Debug)]
pub(super) struct PartReading {
    /// Its cost with the words around it, in bits.
    pub(super) cost: f32,
    /// The cost of the next best reading that is a different text.
    pub(super) next: f32,
    pub(super) text: Vec<CodePoint>,
    /// The mistakes, the last one first.
    pub(super) mistakes: Vec<Mistake>,
    /// Other mistakes that give the same text: relatives read most bytes alike.
    pub(super) relatives: Vec<Mistake>,
}

impl PartReading {
    /// Returns how many times its UTF-8 was misread.
    pub(super) fn layers(&self) -> usize {
        self.mistakes.iter().filter(|mistake| **mistake != Mistake::Controls).count()
    }
}
