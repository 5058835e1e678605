//! The finding, the only type for findings from the engine to the output formats.
//!
//! It is created where the text is read, without a place, which `InputFindings::placed` adds: most findings of a
//! conversion are only counted, and locating them costs time. It borrows from the chunk. A reporter that keeps it calls
//! `detached`, which drops the context, or `into_owned`, which copies it.

use std::borrow::Cow;
use std::fmt;

use super::context::Context;
use super::denied_kind::DeniedKind;
use super::details::Details;
use super::kind::Kind;
use super::mojibake::Mojibake;
use super::severity::Severity;
use oxiconv_encodings::encoding::Encoding;

/// One place in a text, and what was found there. It borrows from the text, until [`Finding::into_owned`] copies what
/// it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// What was found.
    pub kind: Kind,
    /// The offset from the start of the file in bytes, starting with 0.
    pub offset: u64,
    /// The line, starting with 1. Lines end with U+000A.
    pub line: u64,
    /// The column in characters, starting with 1. An ill-formed subsequence counts as one.
    pub column: u64,
    /// The bytes that the finding is about.
    pub bytes: Cow<'a, [u8]>,
    /// The byte after them, if it is what makes them ill-formed.
    pub next: Option<u8>,
    /// The value of the character, if there is one: a code point, or a larger number in an extended encoding.
    pub value: Option<u128>,
    /// Whether the conversion stops before it.
    pub stops: bool,
    /// The encoding whose rule is broken: that of the input, or for an unmappable character the target.
    pub encoding: &'static Encoding,
    /// What else is known, depending on the kind.
    pub details: Details<'a>,
    /// The declaration that the text contradicts: `.editorconfig:4 says charset = utf-8`.
    pub declared: Option<Cow<'a, str>>,
    /// A severity that overrides the default of its kind.
    pub severity_override: Option<Severity>,
    /// The text around it, if the [`Detail`](super::Detail) asks for it.
    pub context: Context<'a>,
}

impl<'a> Finding<'a> {
    /// Creates a finding without a place.
    #[doc(hidden)]
    pub const fn new(kind: Kind) -> Self {
        Self {
            kind,
            offset: 0,
            line: 1,
            column: 1,
            bytes: Cow::Borrowed(&[]),
            next: None,
            value: None,
            stops: false,
            encoding: Encoding::UTF_8,
            details: Details::None,
            declared: None,
            severity_override: None,
            context: Context::NONE,
        }
    }

    /// Creates a finding about a character, if there is one.
    #[doc(hidden)]
    pub fn of_character(kind: Kind, value: Option<u128>) -> Self {
        Self { value, ..Self::new(kind) }
    }

    /// Creates a finding about a denied character.
    pub(crate) fn denied(kind: DeniedKind, value: Option<u128>) -> Self {
        Self::of_character(Kind::Denied(kind), value)
    }

    pub(crate) fn with(self, details: Details<'a>) -> Self {
        Self { details, ..self }
    }

    /// Sets whether the conversion stops before it.
    pub(crate) fn stopping(self, stops: bool) -> Self {
        Self { stops, ..self }
    }

    /// Copies everything that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Finding<'static> {
        let context = self.context.clone().into_owned();
        Finding { context, ..self.detached() }
    }
}

impl Finding<'_> {
    /// Copies it, without the text around it.
    #[must_use]
    pub fn detached(&self) -> Finding<'static> {
        Finding {
            kind: self.kind,
            offset: self.offset,
            line: self.line,
            column: self.column,
            bytes: Cow::Owned(self.bytes.to_vec()),
            next: self.next,
            value: self.value,
            stops: self.stops,
            encoding: self.encoding,
            details: self.details.clone().into_owned(),
            declared: self.declared.as_ref().map(|declared| Cow::Owned(declared.to_string())),
            severity_override: self.severity_override,
            context: Context::NONE,
        }
    }

    /// Returns its severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity_override.unwrap_or(self.kind.severity())
    }

    /// Returns what a damaged part of the text was before, if the finding is about one.
    #[must_use]
    pub const fn mojibake(&self) -> Option<&Mojibake<'_>> {
        match &self.details {
            Details::Mojibake(mojibake) => Some(mojibake),
            _ => None,
        }
    }

    /// Returns the text that a repair writes for the bytes, if the finding is about a part that can be repaired.
    #[doc(hidden)]
    pub fn meant(&self) -> Option<&str> {
        match &self.details {
            Details::Mojibake(mojibake) => Some(&mojibake.meant),
            Details::Escaped(meant) => Some(meant),
            _ => None,
        }
    }

    /// Returns the deceptive identifier that the character belongs to, if the finding is about one.
    #[must_use]
    pub fn identifier(&self) -> Option<&str> {
        match &self.details {
            Details::Identifier(identifier) => Some(identifier),
            _ => None,
        }
    }

    /// Returns the encoding in which the line is read instead, if it is.
    #[must_use]
    pub const fn read_as(&self) -> Option<&'static Encoding> {
        match self.details {
            Details::ReadAs(encoding) => Some(encoding),
            _ => None,
        }
    }
}

/// Formats the fault and its place: `E9 begins a 3-byte character, but 74 ('t') follows, at byte 3, line 2, column 1`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, line, column, .. } = self;
        write!(f, "{}, at byte {offset}, line {line}, column {column}", self.sentence())
    }
}

#[cfg(feature = "character-names")]
impl Finding<'_> {
    /// Returns the name of the character in the Unicode Character Database, if the finding is about one. A control
    /// code, or another character without a name, has a label such as `<control-000A> LINE FEED`.
    #[must_use]
    pub fn character_name(&self) -> Option<String> {
        let code_point = u32::try_from(self.value?).ok()?;
        Some(oxiconv_encodings::unicode::name(code_point))
    }
}
