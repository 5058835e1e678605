//! The text around a finding, for reports that show it.

use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// What stands before and after a finding. All of it is bounded, and does not depend on how the text arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The bytes before it; at most [`Context::BYTES`].
    pub before: &'a [u8],
    /// The bytes after it; at most [`Context::BYTES`].
    pub after: &'a [u8],
    /// The characters of its line before it, at most [`Context::CHARACTERS`]; U+FFFD for each ill-formed subsequence.
    pub line_before: &'a [CodePoint],
    /// The characters of its line after it, as far as `after` tells; U+FFFD for each ill-formed subsequence.
    pub line_after: &'a [CodePoint],
    /// Whether the line goes on after that.
    pub line_goes_on: bool,
    /// The fallback encoding that was to read the bytes, and the first of them for which it has no character.
    pub lacks: Option<(&'static Encoding, u8)>,
    /// For an unmappable character, the nearest text that the target has.
    pub transliteration: Option<&'a str>,
    /// Whether the target has the characters of which escapes are made.
    pub writes_escapes: bool,
}

impl Context<'_> {
    /// Bytes before and after a finding, at most.
    pub const BYTES: usize = 128;
    /// Characters before a finding, at most.
    pub const CHARACTERS: usize = 128;
}
