//! The inner loops. All vector code, and nearly all `unsafe`, is in this module.
//!
//! ```text
//! Kernels (a set, one for each kind of processor) ─► convert(from, to)   bytes to bytes
//!                                                 ─► validate(form)      bytes
//!                                                 ─► measure(form)       characters and line feeds of good bytes
//! ```
//!
//! The pivot of the codecs, a slice of code points, is one form among the others: UTF-32 in the byte order of the host
//! ([`EncodingForm::PIVOT`], [`decode`], [`encode`]).
//!
//! # The contract of a kernel
//!
//! A kernel converts a *well-formed run*: it starts at the first unit of `input`, and stops in front of the first thing
//! that it cannot convert, that is cut by the end of the input, or that has no room left in the output. It returns
//! ([`Progress`]) how many bytes of each side are done.
//!
//! * What it has read is exactly what it has written: no sequence is half read, none half written.
//! * It stops at nothing else: where the set has no vector code for the last few units, it calls the portable kernel.
//! * It never says what is wrong where it stopped. The scalar decoder does, so the rule of the maximal subpart is
//!   written once, and a finding cannot differ between processors.
//! * **What it writes is what it validated, from one read of its input.** The input may be a mapped file that another
//!   program changes meanwhile. So a kernel validates and converts a block in registers, or a copy of it (`once.rs`); a
//!   byte that it reads again may tell it where to go on, and nothing else. What it wrote is well-formed in any case. A
//!   kernel that only validates judges the bytes that it saw.
//! * It writes only to `output[..written]`, or leaves what it wrote past there to be overwritten; it never touches
//!   anything outside the two slices.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod compiled;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod measure;
#[cfg(target_arch = "aarch64")]
mod neon;
mod once;
pub mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod shuffle;
mod string;

pub use string::{as_str, into_string};

use std::sync::OnceLock;

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

/// The kernels that lead from one form to another, or only look at one.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The form that is read.
    pub from: EncodingForm,
    /// The form that is written, or `None`.
    pub to: Option<EncodingForm>,
    validate: Validate,
    convert: Convert,
    measure: Measure,
}

impl Pair {
    /// Those of the set in use.
    pub fn new(from: EncodingForm, to: Option<EncodingForm>) -> Self {
        let set = active();
        Self {
            from,
            to,
            validate: (set.validate)(from),
            convert: (set.convert)(from, to.unwrap_or(from)),
            measure: (set.measure)(from),
        }
    }

    /// Converts or validates a run.
    #[inline]
    pub fn run(&self, input: &[u8], output: &mut [u8]) -> Progress {
        match self.to {
            Some(_) => (self.convert)(input, output),
            None => Progress { read: (self.validate)(input), written: 0 },
        }
    }

    /// Counts in a run.
    #[inline]
    pub fn measure(&self, run: &[u8]) -> Measured {
        (self.measure)(run)
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

/// The sets that this processor can run, the best first.
pub fn available() -> Vec<&'static Kernels> {
    let mut sets = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if avx512::is_here() {
        sets.push(&avx512::KERNELS);
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::is_here() {
        sets.push(&avx2::KERNELS);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::is_here() {
        sets.push(&neon::KERNELS);
    }
    sets.push(&portable::KERNELS);
    sets
}

/// The set in use: the best that there is, or the one that the environment variable `OXICONV_KERNELS` names, for tests
/// and comparisons. Chosen once a process; a name that this processor has no set for changes nothing.
pub fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&'static Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let sets = available();
        let wanted = std::env::var("OXICONV_KERNELS").unwrap_or_default();
        sets.iter().find(|set| set.name == wanted).unwrap_or(&sets[0])
    })
}

/// Converts a run to code points by the set in use. `written` counts those.
pub fn decode(from: EncodingForm, input: &[u8], output: &mut [CodePoint]) -> Progress {
    let done =
        (active().convert)(from, EncodingForm::PIVOT)(input, bytemuck::cast_slice_mut(output));
    Progress { read: done.read, written: done.written / size_of::<CodePoint>() }
}

/// Converts a run of code points by the set in use. `read` counts those.
pub fn encode(to: EncodingForm, input: &[CodePoint], output: &mut [u8]) -> Progress {
    let done = (active().convert)(EncodingForm::PIVOT, to)(bytemuck::cast_slice(input), output);
    Progress { read: done.read / size_of::<CodePoint>(), written: done.written }
}

#[cfg(test)]
mod tests;
