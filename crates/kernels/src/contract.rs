//! The types of the contract that the header of [`crate`] states: encoding forms, progress, and a set of kernels.

use crate::code_point::CodePoint;

/// How a text is stored in bytes: a Unicode encoding scheme (D94 to D101, without marks), or a single-byte character
/// set that is the start of Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingForm {
    /// US-ASCII: one byte, up to 7F.
    Ascii,
    /// ISO-8859-1: one byte per code point.
    Latin1,
    /// UTF-8 (D92).
    Utf8,
    /// UTF-16LE (D97).
    Utf16Le,
    /// UTF-16BE (D96).
    Utf16Be,
    /// UTF-32LE (D100).
    Utf32Le,
    /// UTF-32BE (D99).
    Utf32Be,
}

impl EncodingForm {
    /// The form of a slice of code points, seen as bytes.
    pub const PIVOT: Self = if cfg!(target_endian = "big") { Self::Utf32Be } else { Self::Utf32Le };

    /// Returns the bytes of a unit.
    pub const fn unit(self) -> usize {
        match self {
            Self::Ascii | Self::Latin1 | Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// Whether it can represent every scalar value.
    pub const fn is_unicode(self) -> bool {
        !matches!(self, Self::Ascii | Self::Latin1)
    }

    /// Returns an upper bound of the length, in bytes, of this many bytes of text in another form.
    pub const fn at_most(self, bytes: usize, to: Self) -> usize {
        // To UTF-8, Latin-1 grows most: two bytes for one. A unit of UTF-16 has two bytes and becomes three. From
        // UTF-32 to UTF-16, a value has at most two units, so four bytes stay four. In all other pairs, a unit
        // becomes at most one unit.
        match to {
            Self::Utf8 => bytes.saturating_mul(2),
            Self::Utf16Le | Self::Utf16Be if self.unit() == 4 => bytes,
            to => bytes.saturating_mul(to.unit()) / self.unit(),
        }
    }

    /// Returns the byte offset after the last U+000A in `text`, which consists of whole units; `None` if there is none.
    ///
    /// A byte 0A is not always a line feed: U+4E0A, U+0A15 and U+010A have one too. So each is examined in its unit,
    /// from the last one back, and every byte of the text is searched once at most.
    pub fn after_last_line_feed(self, text: &[u8]) -> Option<usize> {
        let unit = self.unit();
        let mut end = text.len();
        loop {
            let place = last_line_feed(&text[..end])?;
            let start = place - place % unit;
            let bytes = text.get(start..start + unit)?;
            let low = match self {
                Self::Utf16Be | Self::Utf32Be => unit - 1,
                _ => 0,
            };
            // The byte found is 0A, so the sum is 10 only if all others are 0.
            if place - start == low && bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>() == 10
            {
                return Some(start + unit);
            }
            end = place;
        }
    }

    /// All forms.
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

/// Finds the last byte that may be a line feed. It is mostly near the end, so the last bytes are searched by a plain
/// loop first: the first call of `memrchr` detects the CPU features, which takes longer than to convert a short text.
fn last_line_feed(text: &[u8]) -> Option<usize> {
    const NEAR: usize = 256;
    let (before, end) = text.split_at(text.len().saturating_sub(NEAR));
    let near = end.iter().rposition(|byte| *byte == b'\n').map(|place| before.len() + place);
    near.or_else(|| memchr::memrchr(b'\n', before))
}

/// The progress of a kernel, in elements of its two slices: bytes, or code points where a slice has those.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Elements of the input read.
    pub read: usize,
    /// Elements of the output written.
    pub written: usize,
}

/// What a kernel counts in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The number of characters.
    pub characters: usize,
    /// The number of U+000A.
    pub line_feeds: usize,
    /// In UTF-16 and UTF-32, the number of signs that the text is not all in these units (`interruption_signs.rs`).
    /// A unit counts as one if that depends on the text before or after the run.
    pub signs: usize,
}

impl Measured {
    /// Adds the counts of the run that follows.
    pub const fn and(self, more: Self) -> Self {
        Self {
            characters: self.characters + more.characters,
            line_feeds: self.line_feeds + more.line_feeds,
            signs: self.signs + more.signs,
        }
    }
}

/// Converts a run.
pub type Convert = fn(&[u8], &mut [u8]) -> Progress;
/// Returns the length in bytes of the run at the start of the input: what a [`Convert`] from this form would read if
/// the output were large enough and the other form had all characters.
pub type Validate = fn(&[u8]) -> usize;
/// Decodes bytes with a table of 256 codes, and returns how many. It stops in front of an undefined byte.
pub type Table = fn(&Codes, &[u8], &mut [CodePoint]) -> usize;
/// Counts in a run that is whole and well-formed. For other input the counts are arbitrary, but it does not panic.
pub type Measure = fn(&[u8]) -> Measured;

/// The characters of the 256 bytes of a single-byte character set.
#[derive(Clone, Debug)]
pub struct Codes {
    characters: [u16; 256],
    ascii: bool,
}

impl Codes {
    /// The entry of an undefined byte: a noncharacter, which is in no character set.
    pub const NONE: u16 = 0xFFFF;

    /// Creates the table from the character of each byte, or [`Codes::NONE`].
    pub const fn new(characters: [u16; 256]) -> Self {
        let (mut ascii, mut byte) = (true, 0);
        while byte < 0x80 {
            ascii &= characters[byte] == byte as u16;
            byte += 1;
        }
        Self { characters, ascii }
    }

    /// Returns the character of each byte, or [`Codes::NONE`].
    pub const fn characters(&self) -> &[u16; 256] {
        &self.characters
    }

    /// Whether bytes up to 7F are US-ASCII, which kernels then need not look up.
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Returns the character of a byte, if it is defined.
    #[inline]
    pub fn character(&self, byte: u8) -> Option<u16> {
        let character = self.characters[usize::from(byte)];
        (character != Self::NONE).then_some(character)
    }
}

/// A set of kernels for one kind of processor, all under the contract of [`crate`].
#[derive(Debug)]
pub struct Kernels {
    /// The name of the set.
    pub name: &'static str,
    /// Returns the kernel between two forms. If they are the same, it copies what is well-formed.
    pub convert: fn(EncodingForm, EncodingForm) -> Convert,
    /// Returns the kernel that validates a form.
    pub validate: fn(EncodingForm) -> Validate,
    /// Returns the kernel that counts in a form.
    pub measure: fn(EncodingForm) -> Measure,
    /// The kernel that skips blocks of bytes that are no evidence of any encoding: ASCII without NUL, ESC, `&`, `+`,
    /// `~` and DEL. It returns their length.
    pub skip_neutral: Validate,
    /// The kernel that decodes with a table of 256 codes.
    pub table: Table,
}

#[cfg(test)]
mod tests {
    use super::EncodingForm;

    #[test]
    fn the_last_line_feed_is_found_at_any_distance_from_the_end() {
        for (form, before, line_feed, other) in [
            (EncodingForm::Utf8, &b""[..], &b"\n"[..], &b"x"[..]),
            (EncodingForm::Utf16Le, b"", b"\n\0", b"\n\n"),
            (EncodingForm::Utf32Be, b"\0\0\0\n", b"\0\0\0\n", b"\0\n\0\0"),
        ] {
            for distance in 0..600 {
                let text = [before, line_feed, &other.repeat(distance)].concat();
                let after = before.len() + line_feed.len();
                assert_eq!(form.after_last_line_feed(&text), Some(after), "{form:?} {distance}");
            }
            assert_eq!(form.after_last_line_feed(&other.repeat(600)), None, "{form:?}");
        }
    }
}
