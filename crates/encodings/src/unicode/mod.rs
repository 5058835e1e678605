//! The terms of the Unicode Standard, chapter 3.9: code points, scalar values, surrogates, and what makes a code unit
//! sequence ill-formed. Nothing here depends on a particular encoding.

mod invisible;
mod lookalikes;
mod properties;

pub use oxiconv_kernels::code_point::*;

pub use invisible::{INVISIBLE_CONTEXT, NextCharacter, is_invisible, is_stray};
pub use lookalikes::{
    IdentifierClass, IdentifierClasses, ScriptSet, continues_identifier, is_greek_symbol,
    lookalike, script_of_lookalikes,
};
#[cfg(feature = "legacy")]
pub use properties::is_alphabetic;
pub use properties::is_letter;
#[cfg(feature = "character-names")]
pub use properties::name;
pub use properties::{
    is_bidi_control, is_control, is_noncharacter, is_private_use, is_reserved, is_unprintable,
};

/// An ill-formed subsequence found by a decoder: its length, and why it is ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// Length in bytes: the maximal subpart for UTF-8 (D93b), one code unit for UTF-16 and UTF-32.
    pub len: usize,
    /// The reason.
    pub kind: IllFormedKind,
}

impl IllFormed {
    /// Creates an ill-formed subsequence of `len` bytes.
    pub const fn new(len: usize, kind: IllFormedKind) -> Self {
        Self { len, kind }
    }
}

/// Why a subsequence is ill-formed. [`IllFormedKind::id`] is the stable name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IllFormedKind {
    /// A multi-byte sequence is truncated: a unit follows that cannot continue it.
    Truncated,
    /// The input ends inside a sequence or a code unit.
    TruncatedAtEnd,
    /// The start of a sequence that is longer than its value needs (C0, C1, E0 80..9F, F0 80..8F).
    Overlong,
    /// The start of a sequence for a surrogate code point (ED A0..BF in UTF-8; 0000D800 to 0000DFFF in UTF-32).
    Surrogate,
    /// The start of a sequence for a value above U+10FFFF.
    OutOfRange,
    /// A continuation byte where a sequence must begin.
    UnexpectedContinuation,
    /// A byte that the encoding never uses, or does not allow here.
    InvalidByte,
    /// A sequence of the right shape to which the encoding assigns no character.
    UndefinedSequence,
    /// An escape sequence that the encoding does not define.
    InvalidEscape,
    /// A UTF-16 high surrogate not followed by a low surrogate.
    UnpairedHighSurrogate,
    /// A UTF-16 low surrogate not preceded by a high surrogate.
    UnpairedLowSurrogate,
    /// Text in code units of another width: of one byte in the middle of UTF-16 or UTF-32. By chance it would be
    /// well-formed, as other text.
    OtherUnits,
    /// Bytes between two code units that are not part of any, because bytes were inserted or lost. Without them, or
    /// with the missing bytes, the text continues.
    Misaligned,
}

impl IllFormedKind {
    /// All kinds; the index of each is its discriminant.
    pub const ALL: [Self; 13] = [
        Self::Truncated,
        Self::TruncatedAtEnd,
        Self::Overlong,
        Self::Surrogate,
        Self::OutOfRange,
        Self::UnexpectedContinuation,
        Self::InvalidByte,
        Self::UndefinedSequence,
        Self::InvalidEscape,
        Self::UnpairedHighSurrogate,
        Self::UnpairedLowSurrogate,
        Self::OtherUnits,
        Self::Misaligned,
    ];

    /// Returns the stable short id, as in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::TruncatedAtEnd => "truncated-at-end",
            Self::Overlong => "overlong",
            Self::Surrogate => "surrogate",
            Self::OutOfRange => "out-of-range",
            Self::UnexpectedContinuation => "unexpected-continuation",
            Self::InvalidByte => "invalid-byte",
            Self::UndefinedSequence => "undefined-sequence",
            Self::InvalidEscape => "invalid-escape",
            Self::UnpairedHighSurrogate => "unpaired-high-surrogate",
            Self::UnpairedLowSurrogate => "unpaired-low-surrogate",
            Self::OtherUnits => "other-units",
            Self::Misaligned => "misaligned",
        }
    }
}
