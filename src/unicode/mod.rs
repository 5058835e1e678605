//! The terms of the Unicode Standard, chapter 3.9: code points, scalar values, surrogates, and what makes a code unit
//! sequence ill-formed. Nothing here depends on a particular encoding.

mod invisible;
mod lookalikes;
mod properties;

pub use invisible::{Following, INVISIBLE_CONTEXT, is_invisible, is_stray};
pub use lookalikes::{
    Part, Parts, ScriptSet, continues_identifier, is_greek_symbol, lookalike, script_of_lookalikes,
};
#[cfg(feature = "detection")]
pub use properties::is_alphabetic;
#[cfg(feature = "normalization")]
pub use properties::is_letter;
#[cfg(feature = "character-names")]
pub use properties::name;
pub use properties::{
    is_bidi_control, is_control, is_noncharacter, is_private_use, is_reserved, is_unprintable,
};

/// A number that decoders produce and encoders consume: the pivot of every conversion.
///
/// It is not a `char`: the pivot also carries surrogate code points and values above U+10FFFF, because some encodings
/// have them. An encoder that cannot represent one reports it as unmappable.
pub type CodePoint = u32;

/// The last code point of the Unicode codespace, U+10FFFF (D9).
pub const MAX_CODE_POINT: CodePoint = 0x10_FFFF;
/// U+FEFF: the byte order mark, or inside a text ZERO WIDTH NO-BREAK SPACE (D93 to D101).
pub const BYTE_ORDER_MARK: CodePoint = 0xFEFF;
/// U+000A, LINE FEED, which ends a line.
pub const LINE_FEED: CodePoint = 0x0A;
/// U+0020, SPACE.
pub const BLANK: CodePoint = 0x20;
/// U+000D, CARRIAGE RETURN.
pub const CARRIAGE_RETURN: CodePoint = 0x0D;
/// U+0085, NEXT LINE, which ends a line in EBCDIC.
pub const NEXT_LINE: CodePoint = 0x85;
/// U+FFFD REPLACEMENT CHARACTER.
pub const REPLACEMENT_CHARACTER: CodePoint = 0xFFFD;

/// Whether `cp` is a surrogate code point, U+D800 to U+DFFF (D71, D73).
pub const fn is_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_F800 == 0xD800
}

/// Whether `cp` is a high surrogate code point, U+D800 to U+DBFF (D71).
pub const fn is_high_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_FC00 == 0xD800
}

/// Whether `cp` is a low surrogate code point, U+DC00 to U+DFFF (D73).
pub const fn is_low_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_FC00 == 0xDC00
}

/// Whether `cp` is a scalar value: in the codespace and not a surrogate (D76).
pub const fn is_scalar_value(cp: CodePoint) -> bool {
    cp <= MAX_CODE_POINT && !is_surrogate(cp)
}

/// Returns the scalar value of a surrogate pair (D91, Table 3-5).
pub const fn join_surrogates(high: u16, low: u16) -> CodePoint {
    0x1_0000 + (((high as u32 & 0x3FF) << 10) | (low as u32 & 0x3FF))
}

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

/// Why a subsequence is ill-formed. [`IllFormedKind::id`] is the stable name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IllFormedKind {
    /// A multi-byte sequence is cut short by a unit that cannot continue it.
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
    /// Text in code units of another width: of one byte among UTF-16 and UTF-32. It would be well-formed by chance, as
    /// other text.
    OtherUnits,
    /// Bytes between two code units that are none: without them, or with those that are lost, the text goes on.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_values_are_the_codespace_without_surrogates() {
        for (cp, expected) in [
            (0, true),
            (0xD7FF, true),
            (0xD800, false),
            (0xDBFF, false),
            (0xDC00, false),
            (0xDFFF, false),
            (0xE000, true),
            (0x10_FFFF, true),
            (0x11_0000, false),
            (0x1_D800, true),
            (u32::MAX, false),
        ] {
            assert_eq!(is_scalar_value(cp), expected, "{cp:X}");
        }
    }

    #[test]
    fn table_3_5_joins_d800_df02_to_10302() {
        assert_eq!(join_surrogates(0xD800, 0xDF02), 0x1_0302);
        assert_eq!(join_surrogates(0xD800, 0xDC00), 0x1_0000);
        assert_eq!(join_surrogates(0xDBFF, 0xDFFF), 0x10_FFFF);
    }
}
