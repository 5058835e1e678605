//! What the engine takes, and what it returns.

use std::ops::Range;

use super::super::position::RunCounts;
use super::super::remedy::Remedies;
#[cfg(feature = "detection")]
pub(in super::super) use super::super::segments::interruptions::Around;
use oxiconv_encodings::codec::Value;
use oxiconv_encodings::unicode::{CodePoint, IllFormed};

/// Without detection, nothing interrupts the units.
#[cfg(not(feature = "detection"))]
pub(in super::super) type Around<'a> = std::marker::PhantomData<&'a [u8]>;

/// Bytes to convert.
#[derive(Clone, Copy)]
pub(in super::super) struct EngineInput<'a> {
    /// The bytes to convert, followed by bytes that are only lookahead.
    pub(in super::super) bytes: &'a [u8],
    /// How many of them to convert.
    pub(in super::super) limit: usize,
    /// Whether no byte follows `bytes` in the text.
    pub(in super::super) last: bool,
    /// What the units among them are judged by, if nobody knows yet whether other bytes interrupt them.
    #[cfg_attr(not(feature = "detection"), expect(dead_code))]
    pub(in super::super) around: Option<Around<'a>>,
    /// What is written for characters that the target lacks, if nobody asks for their places.
    pub(in super::super) inline_remedies: Option<&'a Remedies>,
}

impl<'a> EngineInput<'a> {
    /// All of these bytes; `last` says that none follow them in the text.
    pub(in super::super) fn all(bytes: &'a [u8], last: bool) -> Self {
        Self { bytes, limit: bytes.len(), last, around: None, inline_remedies: None }
    }
}

/// What one call of [`Engine::advance`](super::Engine::advance) did.
#[derive(Debug)]
pub(in super::super) struct Advance {
    /// Bytes read. The bytes of a run count as read once all of it is written.
    pub(in super::super) read: usize,
    /// Bytes written.
    pub(in super::super) written: usize,
    /// The characters converted.
    pub(in super::super) passed: RunCounts,
    /// Their range in the pivot; empty for what a kernel converted.
    pub(in super::super) code_points: Range<usize>,
    /// What the engine stopped at; `None` if the caller should call again.
    pub(in super::super) stop: Option<EngineStop>,
}

impl Advance {
    /// Nothing is converted before the units in these bytes are looked at.
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

/// What stopped the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum EngineStop {
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
        value: Value,
        /// Its length in bytes.
        len: usize,
    },
    /// Units are interrupted within these bytes, or must be looked at before they are decoded.
    #[cfg(feature = "detection")]
    Unsettled(usize),
}
