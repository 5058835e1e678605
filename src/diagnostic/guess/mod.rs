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
#[cfg(feature = "cli")]
mod mixture;
mod place;
mod sample;
mod stray;
mod twice;
mod wide_sequence;
mod zeros;

pub use judge::{Judge, Verdict};
#[cfg(feature = "cli")]
pub use mixture::Mixture;
pub use place::GuessPlace;

use crate::diagnostic::Repair;
use crate::unicode::CodePoint;

/// What kind of thing a guess is of.
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
