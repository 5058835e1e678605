//! The context of a finding, for reports that show it.

use super::mojibake::Mojibake;
use super::severity::Severity;
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// The text before and after a finding. It is bounded, and does not depend on how the text was split into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The bytes before it; at most [`Context::BYTES`].
    pub before: &'a [u8],
    /// The bytes after it; at most [`Context::BYTES`].
    pub after: &'a [u8],
    /// The characters of its line before it, at most [`Context::CHARACTERS`]; U+FFFD for each ill-formed subsequence.
    pub line_before: &'a [CodePoint],
    /// The characters of its line after it that are in `after`; U+FFFD for each ill-formed subsequence.
    pub line_after: &'a [CodePoint],
    /// Whether the line continues after them.
    pub line_goes_on: bool,
    /// The fallback encoding that should have decoded the bytes, and the first of them that it does not define.
    pub lacks: Option<(&'static Encoding, u8)>,
    /// The encoding in which the line of the bytes is read instead.
    pub read_as: Option<&'static Encoding>,
    /// For an unmappable character, the closest text that the target can represent.
    pub transliteration: Option<&'a str>,
    /// Whether the target has the characters that escapes are made of.
    pub writes_escapes: bool,
    /// For a line that ends differently from the first one of the text, how that ends: `LF`, `CR` or `CRLF`.
    pub first_line_end: Option<&'static str>,
    /// For a damaged part of the text, what it was.
    pub mojibake: Option<Mojibake<'a>>,
    /// For a letter of an identifier that looks like another, the identifier.
    pub identifier: Option<&'a str>,
    /// The declaration that the text contradicts: `.editorconfig:4 says charset = utf-8`.
    pub declared: Option<&'a str>,
    /// How severe somebody says that the finding is; `None` is the default of its kind.
    pub severity: Option<Severity>,
}

impl Context<'_> {
    /// The most bytes before and after a finding.
    pub const BYTES: usize = 128;
    /// The most characters before a finding.
    pub const CHARACTERS: usize = 128;
}
