//! The text around a finding, for reports that show it.

use crate::unicode::CodePoint;

/// What stands before and behind a finding. All of it is bounded, and does not depend on how the text arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around<'a> {
    /// The bytes before it; at most [`Around::BYTES`].
    pub before: &'a [u8],
    /// The bytes behind it; at most [`Around::BYTES`].
    pub after: &'a [u8],
    /// The characters of its line before it, at most [`Around::CHARACTERS`]; U+FFFD for each ill-formed subsequence.
    pub line_before: &'a [CodePoint],
    /// The characters of its line behind it, as far as `after` tells; U+FFFD for each ill-formed subsequence.
    pub line_after: &'a [CodePoint],
    /// Whether the line goes on behind that.
    pub line_goes_on: bool,
    /// The document that says what is well-formed in the encoding of the input.
    pub source: &'static str,
    /// The fallback encoding that was to read the bytes, and the first of them for which it has no character.
    pub lacks: Option<(&'static str, u8)>,
    /// For an unmappable character, the nearest text that the target has.
    pub transliteration: Option<&'a str>,
    /// Whether the target has the characters of which escapes are made.
    pub writes_escapes: bool,
}

impl Around<'_> {
    /// Bytes before and behind a finding, at most.
    pub const BYTES: usize = 128;
    /// Characters before a finding, at most.
    pub const CHARACTERS: usize = 128;
}
