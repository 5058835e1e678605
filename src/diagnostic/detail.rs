//! How much a reporter is told.

/// How much of a text its reporter is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The findings.
    #[default]
    Findings,
    /// The findings with the text around them ([`Finding::context`](super::Finding::context)), and the bytes of the text
    /// itself. Of a text that comes slowly, a few bytes are read ahead.
    Context,
    /// The findings, and every character.
    Characters,
}
