//! The level of detail that a reporter needs.

/// How much of a text is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The findings.
    #[default]
    Findings,
    /// The findings, and the bytes of the text from the first ill-formed one on, from which its cause can be guessed:
    /// see [`Reporter::text`](super::Reporter::text). A text without findings takes no longer to convert.
    Evidence,
    /// The findings with their context ([`Finding::context`](super::Finding::context)), and the bytes of the text. The
    /// context needs a few bytes of lookahead, which matters if the text arrives slowly.
    Context,
    /// The findings, and every character.
    Characters,
}
