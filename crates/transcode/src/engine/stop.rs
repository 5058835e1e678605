//! Why the engine stops.

use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{CodePoint, IllFormed};

/// What stopped the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Stop {
    /// Everything is read, except for a sequence that the end of the bytes cuts.
    InputEmpty,
    /// The output has no room for what comes next.
    OutputFull,
    /// A stage must see the next code point of the held run.
    Stage,
    /// This code point of the held run cannot be represented in the target.
    Unmappable(CodePoint),
    /// An ill-formed subsequence is next.
    IllFormed(IllFormed),
    /// The next character has a value with more bits than a code point.
    Large {
        /// Its value.
        value: CodeValue,
        /// Its length in bytes.
        len: usize,
    },
    /// Units are interrupted within these bytes, or must be looked at before they are decoded.
    #[cfg(feature = "detection")]
    Unsettled(usize),
}
