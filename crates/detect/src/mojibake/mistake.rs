//! How text may have been damaged: what its bytes were, and what they were read in.

use super::sequences::{MisreadSequence, beginning, possible, sequences};
use super::suspect_part::{SuspectPart, is_beside_words};
use super::tables::{COUNT, MisreadCharset, SPACE, entry};
use super::{gb, swapped};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// Bits that damage costs: how much rarer it is than sound text; half as many for each layer after the first.
pub(super) const DAMAGED: f32 = 6.0;
/// The same for UTF-8 read as GB18030, in addition, and for text in one charset that was read in another.
const GB: f32 = 4.0;
const SWAPPED: f32 = 14.0;
/// Bits for each bit of rarity of a charset that text may be in.
const RARITY: f32 = 2.0;

/// How a part of a text was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// UTF-8 was read in a charset of one byte.
    Single(MisreadCharset),
    /// UTF-8 was read as GB18030.
    Gb,
    /// Text in this one of [`swapped::charsets`] was read as windows-1252.
    Swapped(usize),
}

impl Mistake {
    /// All that there are, in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let of_utf8 = MisreadCharset::all().map(Self::Single).chain([Self::Gb]);
        of_utf8.chain((0..swapped::charsets().len()).map(Self::Swapped))
    }

    /// Those that may have made a text of UTF-8, by the first two bytes of its sequences.
    pub(super) fn possible(text: &[CodePoint]) -> impl Iterator<Item = Self> {
        MisreadCharset::of(possible(text)).map(Self::Single).chain([Self::Gb])
    }

    /// Its number among all.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Single(set) => usize::from(set.0),
            Self::Gb => COUNT,
            Self::Swapped(index) => COUNT + 1 + index,
        }
    }

    pub(super) fn sequences(self, text: &[CodePoint]) -> Vec<MisreadSequence> {
        match self {
            Self::Single(set) => sequences(text, set),
            Self::Gb => gb::sequences(text),
            Self::Swapped(_) => Vec::new(),
        }
    }

    /// Whether a text has the same sequences as in another charset, because it is the same bytes and none of them was lost.
    pub(super) fn is_alike(self, other: Self, text: &[CodePoint]) -> bool {
        let (Self::Single(one), Self::Single(other)) = (self, other) else { return false };
        let is_same = |cp: &CodePoint| {
            let entry = entry(*cp);
            *cp != SPACE && *cp != REPLACEMENT_CHARACTER && entry.byte(one) == entry.byte(other)
        };
        text.iter().all(is_same)
    }

    /// Whether a character beyond ASCII is bytes in the charset that UTF-8 was read in.
    pub(super) fn has(self, cp: CodePoint) -> bool {
        match self {
            Self::Single(set) => entry(cp).byte(set).is_some(),
            Self::Gb => gb::is_ideograph(cp),
            Self::Swapped(_) => false,
        }
    }

    /// Whether sequences explain a word: where its bytes were read in a charset, all characters of the word that are in the
    /// charset are UTF-8. What is left would be half a word. Only marks that are typed next to a word may be left.
    pub(super) fn explains(self, part: SuspectPart<'_>, found: &[MisreadSequence]) -> bool {
        let SuspectPart { before, own, after, .. } = part;
        let ends = found.iter().map(|sequence| sequence.range.end);
        let starts = found.iter().map(|sequence| sequence.range.start);
        let gaps = [0].into_iter().chain(ends).zip(starts.chain([own.len()]));
        let left = gaps.map(|(end, start)| &own[end..start]);
        !left.chain([before, after]).any(|left| self.has_rest(left))
    }

    /// Whether what is left of a word is a part of it: a character of the charset that is no mark next to it, or is with the
    /// one after it the bytes of a letter that no language of the model has, as `“•` is ҥ in Mac Roman.
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

    /// Whether a part may be what it makes of sound text.
    pub(super) fn may_have_made(self, part: SuspectPart<'_>) -> bool {
        let found = self.sequences(part.own);
        !found.is_empty() && self.explains(part, &found)
    }

    /// Whether characters can not all be what it makes of UTF-8: a charset has no control code where it has a sign, so both
    /// are not of one charset.
    pub(super) fn is_ruled_out(self, own: &[CodePoint], found: &[MisreadSequence]) -> bool {
        let Self::Single(set) = self else { return false };
        let mut all = found.iter().flat_map(|sequence| &own[sequence.range.clone()]);
        let is_sign =
            |cp: &CodePoint| *cp >= 0xA0 && entry(*cp).byte(set).is_some_and(|byte| byte < 0xA0);
        all.clone().any(is_sign) && all.any(|cp| set.has_sign_for(*cp))
    }

    /// What it costs, in bits, as long as none was found.
    pub(super) fn penalty(self) -> f32 {
        match self {
            Self::Single(set) => DAMAGED + set.rarity(),
            Self::Gb => DAMAGED + GB,
            Self::Swapped(index) => SWAPPED + RARITY * swapped::charsets()[index].rarity,
        }
    }

    /// What the bytes were in, and what they were read in.
    pub(super) fn encodings(self) -> (&'static Encoding, &'static Encoding) {
        match self {
            Self::Single(set) => (Encoding::UTF_8, set.encoding()),
            Self::Gb => (Encoding::UTF_8, gb::encoding()),
            Self::Swapped(index) => (swapped::charsets()[index].encoding, Encoding::WINDOWS_1252),
        }
    }
}

/// A reading of a part, and the mistakes that made the part of it.
#[derive(Clone, Debug)]
pub(super) struct PartReading {
    /// What it costs with the words around it, in bits.
    pub(super) cost: f32,
    /// What the next best reading costs that is another text.
    pub(super) next: f32,
    pub(super) text: Vec<CodePoint>,
    /// The mistakes, the last one first.
    pub(super) mistakes: Vec<Mistake>,
    /// Others that the last one may have been: relatives read most bytes alike.
    pub(super) relatives: Vec<Mistake>,
}
