//! How much is reported.

/// How much of a text is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The findings.
    #[default]
    Findings,
    /// The findings, and from the first ill-formed one on the bytes of the text, by which its cause can be judged: see
    /// [`Reporter::text`](super::Reporter::text). A text without findings costs no more.
    Evidence,
    /// The findings with their context ([`Finding::context`](super::Finding::context)), and the bytes of the text. If
    /// the text arrives slowly, a few bytes are read ahead.
    Context,
    /// The findings, and every character.
    Characters,
}
