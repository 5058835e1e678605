//! Guesses what a fault probably is, with the evidence and the options that repair it.
//!
//! ```text
//! bytes of the text ──► Judge (what the text as a whole is) ──► Verdict ──► Guess of a single place
//! ```
//!
//! A guess is a value that every report format can show. There is one file for each thing to guess. Whether a text is
//! UTF-8 with stray bytes, or another encoding that contains UTF-8 by chance, and which one, detection says, as for
//! `--detect`; what a byte stands for, the codec that the repair would use says. So a hint cannot contradict the
//! command that it suggests. `tests/explain.rs` runs every suggested command.

mod causes;
mod damaged;
mod form_counts;
mod guess_place;
mod hint;
mod hint_at_stop;
mod interruptions;
mod legacy;
mod mixed_lines;
mod neighbours;
mod stray;
mod superset;
mod text_judge;
mod zeros;

pub use guess_place::GuessPlace;
pub use hint::Hint;
pub use text_judge::{TextJudge, Verdict};

use crate::Repair;
use oxiconv_encodings::unicode::CodePoint;

/// Programs write buffers whose lengths are multiples of this, and may end one in the middle of a character.
const BUFFER: u64 = 512;

/// What kind of thing a guess is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// A character of a single-byte encoding among UTF-8.
    SingleByte,
    /// A surrogate pair as two three-byte sequences (CESU-8).
    Cesu8,
    /// C0 80, Java's form of U+0000 (MUTF-8).
    JavaNul,
    /// A surrogate without its other half (WTF-8, WTF-16).
    UnpairedSurrogate,
    /// A sequence longer than its value needs.
    Overlong,
    /// A sequence of RFC 2279 for a value above U+10FFFF.
    LongForm,
    /// A character whose end is missing.
    Cut,
    /// A character whose start is missing, at the start of the text.
    CutBefore,
    /// The whole text is in UTF-16 or UTF-32, or in the opposite byte order.
    WideUnits,
    /// Text in UTF-16 or UTF-32 has other bytes in it.
    Interrupted,
    /// The whole text is in a legacy encoding.
    Legacy,
    /// Its lines are in several encodings.
    Lines,
    /// The whole text is well-formed UTF-8.
    Utf8,
    /// The whole text was encoded in UTF-8 twice.
    Utf8Twice,
    /// A string as Java's DataOutput writes it: its length, then MUTF-8.
    JavaString,
    /// Several of them.
    Several,
    /// Unknown, because the conversion stopped before enough was read.
    Unread,
}

impl Cause {
    /// Returns the stable short id.
    #[must_use]
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
            Self::Interrupted => "interrupted",
            Self::Legacy => "legacy",
            Self::Lines => "lines",
            Self::Utf8 => "well-formed",
            Self::Utf8Twice => "encoded-twice",
            Self::JavaString => "java-string",
            Self::Several => "several",
            Self::Unread => "unread",
        }
    }
}

/// What a fault probably is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The kind of the guess.
    pub cause: Cause,
    /// A description, without a full stop.
    pub what: String,
    /// The evidence.
    pub evidence: String,
    /// The characters that the bytes stand for, if they can be determined.
    pub characters: Vec<CodePoint>,
    /// What repairs the whole text.
    pub repair: Option<Repair>,
}
