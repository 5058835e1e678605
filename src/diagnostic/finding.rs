//! A finding: a value that says what was found and where.

use super::context::Context;
use super::kind::Kind;
use super::severity::Severity;
use crate::encoding::Encoding;

/// One place in a text, and what was found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// What was found.
    pub kind: Kind,
    /// The offset in bytes from the start of the file, from 0.
    pub offset: u64,
    /// The line, from 1; lines end with U+000A.
    pub line: u64,
    /// The column, from 1, in characters. An ill-formed subsequence counts as one.
    pub column: u64,
    /// The bytes themselves.
    pub bytes: &'a [u8],
    /// The byte that follows them, if it makes them ill-formed.
    pub next: Option<u8>,
    /// The value of the character, if there is one: a code point, or a larger number in an extended encoding.
    pub value: Option<u128>,
    /// Whether the conversion stops in front of it.
    pub stops: bool,
    /// The encoding whose rule is broken: that of the input, or for an unmappable character the target.
    pub encoding: &'static Encoding,
    /// The text around it, if it was asked for.
    pub context: Context<'a>,
}

impl Finding<'_> {
    /// Returns how severe it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.context.severity.unwrap_or(self.kind.severity())
    }
}
