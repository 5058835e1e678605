//! What the engine takes, what it returns, and why it stops.
//!
//! The bytes of an [`EngineInput`] have two parts. Those after the limit are never converted; they only decide what a
//! sequence at the limit is:
//!
//! ```text
//! bytes   61 62 E2 │ 82 AC 63      limit 3: `ab` is converted. E2 82 AC is a character, and is left for the next call
//! bytes   61 62 E2 │ 82 63         limit 3: `ab` is converted. 63 makes E2 82 ill-formed, which is the stop
//! ```
//!
//! Without the second part, both calls would end with an undecided E2.

use std::ops::Range;

use super::super::position::RunCounts;
use super::super::remedy::Remedies;
#[cfg(feature = "detection")]
pub(in super::super) use super::super::segments::interruptions::Around;
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{CodePoint, IllFormed};

/// Without detection, nothing looks for interrupted code units.
#[cfg(not(feature = "detection"))]
pub(in super::super) type Around<'a> = std::marker::PhantomData<&'a [u8]>;

#[derive(Clone, Copy)]
pub(in super::super) struct EngineInput<'a> {
    /// The bytes to convert, followed by bytes that are only lookahead.
    pub(in super::super) bytes: &'a [u8],
    /// How many of them to convert. The rest is lookahead, which decides how a sequence at the limit is read.
    pub(in super::super) limit: usize,
    /// Whether no byte follows `bytes` in the text.
    pub(in super::super) last: bool,
    /// Evidence on whether other bytes interrupt the code units, if that is still open.
    #[cfg_attr(not(feature = "detection"), expect(dead_code))]
    pub(in super::super) around: Option<Around<'a>>,
    /// Remedies for unmappable code points, if they may be applied inside a run because nobody wants their places.
    pub(in super::super) inline_remedies: Option<&'a Remedies>,
}

impl<'a> EngineInput<'a> {
    /// All of `bytes`; `last` says that they end the text.
    pub(in super::super) fn all(bytes: &'a [u8], last: bool) -> Self {
        Self { bytes, limit: bytes.len(), last, around: None, inline_remedies: None }
    }
}

/// What one call of [`Engine::advance`](super::Engine::advance) did.
#[derive(Debug)]
pub(in super::super) struct Advance {
    /// Bytes read. Those of a run count once all of it is written.
    pub(in super::super) read: usize,
    pub(in super::super) written: usize,
    /// What the converted text held.
    pub(in super::super) passed: RunCounts,
    /// The code points converted, as a range of the pivot; empty for what a kernel converted.
    pub(in super::super) code_points: Range<usize>,
    /// Why the engine stopped; `None` if the caller should just call again.
    pub(in super::super) stop: Option<EngineStop>,
}

impl Advance {
    /// Converts nothing: the code units within these bytes must be examined first.
    #[cfg(feature = "detection")]
    pub(super) fn unsettled(bytes: usize) -> Self {
        Self {
            read: 0,
            written: 0,
            passed: RunCounts::default(),
            code_points: 0..0,
            stop: Some(EngineStop::Unsettled(bytes)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum EngineStop {
    /// Everything is read, except for a truncated sequence at the end.
    InputEmpty,
    OutputFull,
    /// A stage must see the next code point of the held run.
    Stage,
    /// This code point of the held run cannot be represented in the target.
    Unmappable(CodePoint),
    /// An ill-formed subsequence is next.
    IllFormed(IllFormed),
    /// The next character has a value with more bits than a code point.
    Large {
        value: CodeValue,
        len: usize,
    },
    /// Code units within this many bytes are interrupted, or must be examined before they are decoded.
    #[cfg(feature = "detection")]
    Unsettled(usize),
}
