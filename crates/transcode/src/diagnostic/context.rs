//! The context of a finding, for reports that show it.

use std::borrow::Cow;

use oxiconv_encodings::unicode::CodePoint;

/// The text before and after a finding. It is bounded, and does not depend on how the text was split into chunks. For
/// that, a finding is reported only when the text after it has arrived, so the bound also limits how long a reader of a
/// slow input waits for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The bytes before the finding; at most [`Context::BYTES`].
    pub before: Cow<'a, [u8]>,
    /// The bytes after the finding; at most [`Context::BYTES`].
    pub after: Cow<'a, [u8]>,
    /// The characters before it in its line, at most [`Context::CHARACTERS`]; U+FFFD for each ill-formed subsequence.
    pub line_before: Cow<'a, [CodePoint]>,
    /// The characters after it in its line, as far as `after` has them; U+FFFD for each ill-formed subsequence.
    pub line_after: Cow<'a, [CodePoint]>,
    /// Whether the line continues after `line_after`.
    pub line_goes_on: bool,
}

impl Context<'_> {
    /// The most bytes before and after a finding.
    pub const BYTES: usize = 128;
    /// The most characters before a finding.
    pub const CHARACTERS: usize = 128;

    pub(super) const NONE: Context<'static> = Context {
        before: Cow::Borrowed(&[]),
        after: Cow::Borrowed(&[]),
        line_before: Cow::Borrowed(&[]),
        line_after: Cow::Borrowed(&[]),
        line_goes_on: false,
    };

    pub(crate) fn borrowed(&self) -> Context<'_> {
        Context {
            before: Cow::Borrowed(&self.before),
            after: Cow::Borrowed(&self.after),
            line_before: Cow::Borrowed(&self.line_before),
            line_after: Cow::Borrowed(&self.line_after),
            line_goes_on: self.line_goes_on,
        }
    }

    /// Copies everything that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Context<'static> {
        Context {
            before: Cow::Owned(self.before.into_owned()),
            after: Cow::Owned(self.after.into_owned()),
            line_before: Cow::Owned(self.line_before.into_owned()),
            line_after: Cow::Owned(self.line_after.into_owned()),
            line_goes_on: self.line_goes_on,
        }
    }
}
