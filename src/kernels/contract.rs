//! What kernels are made of: the forms, what a kernel returns, and a set of them. The contract itself is that of
//! [`crate::kernels`].

use crate::unicode::CodePoint;

/// How a text is laid out in bytes: an encoding scheme of Unicode (D94 to D101, without marks), or a set of one byte a
/// character that begins as Unicode does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingForm {
    /// US-ASCII: one byte up to 7F.
    Ascii,
    /// ISO-8859-1: one byte a code point.
    Latin1,
    /// UTF-8 (D92).
    Utf8,
    /// UTF-16LE (D98).
    Utf16Le,
    /// UTF-16BE (D97).
    Utf16Be,
    /// UTF-32LE (D100).
    Utf32Le,
    /// UTF-32BE (D99).
    Utf32Be,
}

impl EncodingForm {
    /// A slice of code points, as bytes.
    pub const PIVOT: Self = if cfg!(target_endian = "big") { Self::Utf32Be } else { Self::Utf32Le };

    /// Bytes of a unit.
    pub const fn unit(self) -> usize {
        match self {
            Self::Ascii | Self::Latin1 | Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// The most bytes that a text of so many bytes becomes in another form.
    pub const fn at_most(self, bytes: usize, to: Self) -> usize {
        // A unit of one byte becomes up to two bytes of UTF-8 (Latin-1), one of two bytes up to three.
        match to {
            Self::Utf8 => bytes.saturating_mul(2),
            Self::Utf16Le | Self::Utf16Be if self.unit() == 4 => bytes,
            to => bytes.saturating_mul(to.unit()) / self.unit(),
        }
    }

    /// The place in `text`, in bytes, after its last U+000A; `None` where it has none.
    pub fn after_last_line_feed(self, text: &[u8]) -> Option<usize> {
        let unit = self.unit();
        let mut end = text.len();
        loop {
            let place = memchr::memrchr(b'\n', &text[..end])?;
            let start = place - place % unit;
            let bytes = text.get(start..start + unit)?;
            let low = match self {
                Self::Utf16Be | Self::Utf32Be => unit - 1,
                _ => 0,
            };
            if place - start == low && bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>() == 10
            {
                return Some(start + unit);
            }
            end = place;
        }
    }

    /// All of them.
    #[cfg(any(test, feature = "internals"))]
    pub const ALL: [Self; 7] = [
        Self::Ascii,
        Self::Latin1,
        Self::Utf8,
        Self::Utf16Le,
        Self::Utf16Be,
        Self::Utf32Le,
        Self::Utf32Be,
    ];
}

/// How far a kernel came, in units of its slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units of the input read.
    pub read: usize,
    /// Units of the output written.
    pub written: usize,
}

/// What a run holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Its characters.
    pub characters: usize,
    /// How many of them are U+000A.
    pub line_feeds: usize,
}

/// Converts a run.
pub type Convert = fn(&[u8], &mut [u8]) -> Progress;
/// Returns how many bytes a run has: as [`Convert`] reads them, where any character has room.
pub type Validate = fn(&[u8]) -> usize;
/// Decodes bytes of a set of 256 codes, and returns how many; stops in front of those that stand for nothing.
pub type Table = fn(&Codes, &[u8], &mut [CodePoint]) -> usize;
/// Counts in a run that is well-formed and whole. In another one it counts something, and does no harm.
pub type Measure = fn(&[u8]) -> Measured;

/// What the bytes stand for in a set of 256 codes.
#[derive(Clone, Debug)]
pub struct Codes {
    characters: [u16; 256],
    ascii: bool,
}

impl Codes {
    /// Stands for nothing: a noncharacter, which no set has.
    pub const NONE: u16 = 0xFFFF;

    /// From the character of each byte, or [`Codes::NONE`].
    pub const fn new(characters: [u16; 256]) -> Self {
        let (mut ascii, mut byte) = (true, 0);
        while byte < 0x80 {
            ascii &= characters[byte] == byte as u16;
            byte += 1;
        }
        Self { characters, ascii }
    }

    /// The character of each byte, or [`Codes::NONE`].
    pub const fn characters(&self) -> &[u16; 256] {
        &self.characters
    }

    /// Whether bytes up to 7F are US-ASCII. Then kernels need not look them up.
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// The character of a byte, if it has one.
    #[inline]
    pub fn character(&self, byte: u8) -> Option<u16> {
        let character = self.characters[usize::from(byte)];
        (character != Self::NONE).then_some(character)
    }
}

/// One set of kernels, all of them on the contract above.
#[derive(Debug)]
pub struct Kernels {
    /// The name of the set.
    pub name: &'static str,
    /// From a form to a form. Where both are the same, it copies what is well-formed.
    pub convert: fn(EncodingForm, EncodingForm) -> Convert,
    /// What is well-formed.
    pub validate: fn(EncodingForm) -> Validate,
    /// What it holds.
    pub measure: fn(EncodingForm) -> Measure,
    /// From any set of 256 codes.
    pub table: Table,
}
