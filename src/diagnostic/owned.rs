//! A finding that outlives its text.

use std::fmt;

use super::context::Context;
use super::finding::Finding;
use super::kind::Kind;
use super::mojibake::{Mojibake, OwnedMojibake};
use super::severity::Severity;
use crate::encoding::Encoding;

/// A [`Finding`] that owns its bytes, without the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedFinding {
    /// What was found.
    pub kind: Kind,
    /// The offset in bytes from the start of the input, from 0.
    pub offset: u64,
    /// The line, from 1; lines end with U+000A.
    pub line: u64,
    /// The column, from 1, in characters. An ill-formed subsequence counts as one.
    pub column: u64,
    /// The bytes themselves.
    pub bytes: Vec<u8>,
    /// The byte that follows them, if it makes them ill-formed.
    pub next: Option<u8>,
    /// The value of the character, if there is one: a code point, or a larger number in an extended encoding.
    pub value: Option<u128>,
    /// Whether the conversion stops in front of it.
    pub stops: bool,
    /// The encoding whose rule is broken: that of the input, or for an unmappable character the target.
    pub encoding: &'static Encoding,
    /// The encoding in which the line of the bytes is read instead, if each line has one of its own.
    pub read_as: Option<&'static Encoding>,
    /// How the first line of the text ends, if this one ends differently.
    pub first_line_end: Option<&'static str>,
    /// What a damaged part of the text was.
    pub mojibake: Option<OwnedMojibake>,
    /// The identifier that looks like another, of which the character is a part.
    pub identifier: Option<String>,
    /// The declaration that the text contradicts, if any.
    pub declared: Option<String>,
    /// How severe it is, if somebody said so.
    pub severity: Option<Severity>,
}

impl OwnedFinding {
    /// Borrows it as a finding, for reporters.
    #[must_use]
    pub fn as_finding(&self) -> Finding<'_> {
        Finding {
            kind: self.kind,
            offset: self.offset,
            line: self.line,
            column: self.column,
            bytes: &self.bytes,
            next: self.next,
            value: self.value,
            stops: self.stops,
            encoding: self.encoding,
            context: Context {
                read_as: self.read_as,
                first_line_end: self.first_line_end,
                mojibake: self.mojibake.as_ref().map(OwnedMojibake::borrowed),
                identifier: self.identifier.as_deref(),
                declared: self.declared.as_deref(),
                severity: self.severity,
                ..Context::default()
            },
        }
    }
}

impl Finding<'_> {
    /// Copies the bytes, and drops the text around them.
    #[must_use]
    pub fn into_owned(self) -> OwnedFinding {
        OwnedFinding {
            kind: self.kind,
            offset: self.offset,
            line: self.line,
            column: self.column,
            bytes: self.bytes.to_vec(),
            next: self.next,
            value: self.value,
            stops: self.stops,
            encoding: self.encoding,
            read_as: self.context.read_as,
            first_line_end: self.context.first_line_end,
            mojibake: self.context.mojibake.map(Mojibake::into_owned),
            identifier: self.context.identifier.map(str::to_owned),
            declared: self.context.declared.map(str::to_owned),
            severity: self.context.severity,
        }
    }
}

/// Formats the fault and its place: `a 3-byte UTF-8 sequence is cut short by 74, at byte 3, line 2, column 1`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, line, column, .. } = self;
        write!(f, "{}, at byte {offset}, line {line}, column {column}", self.sentence())
    }
}

impl fmt::Display for OwnedFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_finding().fmt(f)
    }
}

#[cfg(feature = "character-names")]
impl Finding<'_> {
    /// Returns the name of the character in the Unicode Character Database, if the finding is about one. A control
    /// code, or another character without a name, has a label such as `<control-000A> LINE FEED`.
    #[must_use]
    pub fn character_name(&self) -> Option<String> {
        let code_point = u32::try_from(self.value?).ok()?;
        Some(crate::unicode::name(code_point))
    }
}
