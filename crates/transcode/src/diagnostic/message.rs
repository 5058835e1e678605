//! Messages that are about no particular place in a text.

/// A message about a whole text, and who should read it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// The user should read it.
    Note(String),
    /// The conversion damages the text, so no file should be replaced by it without the user's consent.
    Warning(String),
    /// It is of minor interest.
    Remark(String),
}

impl Message {
    /// Returns its text.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Note(words) | Self::Warning(words) | Self::Remark(words) => words,
        }
    }
}
