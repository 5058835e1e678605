//! Guesses what a fault probably is, with the evidence and the options that repair it.
//!
//! ```text
//! bytes of the text ──► TextJudge (what the text as a whole is) ──► Verdict ──► Guess of a single place
//! ```
//!
//! A guess is a value that every report format can show. There is one file per thing to guess.
//!
//! Hints must not contradict the commands that they suggest, so nothing is decided twice. Detection, as for `--detect`,
//! says whether a text is UTF-8 with stray bytes or another encoding that contains UTF-8 by chance, and which one. The
//! codec that the repair would use says which character a byte is. `tests/explain.rs` runs every suggested command.

mod causes;
mod damaged;
mod escaped;
mod form_counts;
mod guess_place;
mod hint;
mod hint_at_stop;
mod interruptions;
mod legacy;
mod mixed_lines;
mod neighbours;
mod readings;
mod stray;
mod superset;
mod text_judge;
mod wide_evidence;

pub use guess_place::GuessPlace;
pub use hint::Hint;
pub use readings::{LineCandidates, LineReading, undamaged};
pub use text_judge::{TextJudge, Verdict};

use crate::Repair;
use oxiconv_encodings::unicode::CodePoint;

/// Programs write buffers whose lengths are multiples of this, and may end one in the middle of a character. An
/// incomplete character that ends at such an offset was cut by a buffer.
///
/// Sizes of buffers are powers of two nearly everywhere (4096, 8192, 65536), and every multiple of one of them is a
/// multiple of 512 too. By chance, one place in 512 is.
const BUFFER: u64 = 512;

/// What a guess says that something is.
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
    /// A byte that Python's `surrogateescape` has escaped.
    SurrogateEscape,
    /// A sequence longer than necessary for its value.
    Overlong,
    /// A sequence of RFC 2279 for a value above U+10FFFF.
    LongForm,
    /// A truncated character.
    Cut,
    /// A character whose start is missing, at the start of the text.
    CutBefore,
    /// The whole text is in UTF-16 or UTF-32, or in the opposite byte order.
    WideUnits,
    /// UTF-16 or UTF-32 with other bytes in it.
    Interrupted,
    /// The whole text is in a legacy encoding.
    Legacy,
    /// Its lines are in several encodings.
    Lines,
    /// The whole text is well-formed UTF-8, but is read in another encoding.
    Utf8,
    /// The whole text was encoded in UTF-8 twice.
    Utf8Twice,
    /// A string as written by Java's `DataOutput`: its length, then MUTF-8.
    JavaString,
    /// Several of these.
    Several,
    /// Unknown, because the conversion stopped before enough was read.
    Unread,
}

impl Cause {
    /// Whether a place with this cause is text in some encoding.
    pub(crate) const fn is_of_text(self) -> bool {
        matches!(self, Self::SingleByte | Self::Cesu8 | Self::JavaNul | Self::SurrogateEscape)
    }

    /// Returns the stable short id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::SingleByte => "single-byte",
            Self::Cesu8 => "cesu-8",
            Self::JavaNul => "java-nul",
            Self::UnpairedSurrogate => "unpaired-surrogate",
            Self::SurrogateEscape => "surrogate-escape",
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
    /// What it says that the bytes are.
    pub cause: Cause,
    /// A description, without a full stop.
    pub what: String,
    /// The evidence.
    pub evidence: String,
    /// The characters that the bytes mean, if that can be determined.
    pub characters: Vec<CodePoint>,
    /// What repairs the whole text, if one command does.
    pub repair: Option<Repair>,
}
