//! What something that is wrong probably is, what speaks for it, and the options that repair it.
//!
//! ```text
//! bytes of the text ──► Judge (what the text as a whole is) ──► Verdict ──► Guess of a single place
//! ```
//!
//! A guess is a value, which every report format can show. One file a thing to guess.

mod counts;
mod judge;
mod legacy;
mod mixture;
mod place;
mod sample;
mod stray;
mod twice;
mod wide_sequence;
mod zeros;

pub use judge::{Judge, Verdict};
pub use mixture::Mixture;
pub use place::GuessPlace;

use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// What kind of thing a guess is of. [`Cause::id`] is the stable name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// A character of a single-byte encoding amid UTF-8.
    SingleByte,
    /// A surrogate pair in two three-byte forms (CESU-8).
    Cesu8,
    /// C0 80, Java's form of U+0000 (MUTF-8).
    JavaNul,
    /// A surrogate without its other half (WTF-8, WTF-16).
    UnpairedSurrogate,
    /// A form longer than its value needs.
    Overlong,
    /// A form of RFC 2279 for a value past U+10FFFF.
    LongForm,
    /// A character of which only the start is there.
    Cut,
    /// A character of which only the end is there, at the start of the text.
    CutBefore,
    /// The whole text is in UTF-16 or UTF-32, or in the other byte order.
    WideUnits,
    /// The whole text is in an encoding older than Unicode.
    Legacy,
    /// The whole text is well-formed UTF-8.
    Utf8,
    /// The whole text was encoded in UTF-8 twice.
    Utf8Twice,
    /// A string as Java's DataOutput writes it: its length, then MUTF-8.
    JavaString,
}

impl Cause {
    /// The stable short id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SingleByte => "single-byte",
            Self::Cesu8 => "cesu-8",
            Self::JavaNul => "java-nul",
            Self::UnpairedSurrogate => "unpaired-surrogate",
            Self::Overlong => "overlong",
            Self::LongForm => "long-form",
            Self::Cut => "cut",
            Self::CutBefore => "cut-before",
            Self::WideUnits => "wide-units",
            Self::Legacy => "legacy",
            Self::Utf8 => "utf-8",
            Self::Utf8Twice => "utf-8-twice",
            Self::JavaString => "java-string",
        }
    }
}

/// What something probably is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The kind of thing.
    pub cause: Cause,
    /// What it is, in words, without a full stop.
    pub what: String,
    /// What speaks for it.
    pub evidence: String,
    /// The characters that the bytes stand for, where that can be said.
    pub characters: Vec<CodePoint>,
    /// What repairs the whole text.
    pub repair: Option<Repair>,
}

/// How a text is repaired: the options with which it is converted to UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The options, each a word: `--fallback`, `windows-1252`.
    pub options: Vec<String>,
    /// Bytes at the start of the text that are none of it, and are to be cut off first.
    pub skip: u64,
    /// What is lost by it, where something is.
    pub loss: Option<&'static str>,
}

impl Repair {
    pub(in crate::diagnostic) fn new(options: &[&str]) -> Self {
        let options = options.iter().map(|word| (*word).to_owned()).collect();
        Self { options, skip: 0, loss: None }
    }

    /// It is read in `encoding`.
    pub(in crate::diagnostic) fn from(encoding: &Encoding) -> Self {
        Self::new(&["-f", &encoding.name.to_lowercase()])
    }

    /// And written in `encoding`.
    pub(in crate::diagnostic) fn to(self, encoding: &Encoding) -> Self {
        self.and(&["-t", &encoding.name.to_lowercase()])
    }

    /// And with further options.
    fn and(mut self, options: &[&str]) -> Self {
        self.options.extend(options.iter().map(|word| (*word).to_owned()));
        self
    }

    fn losing(self, loss: &'static str) -> Self {
        Self { loss: Some(loss), ..self }
    }
}
