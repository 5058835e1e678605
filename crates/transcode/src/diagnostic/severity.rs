//! How severe a finding is.

use super::kind::Kind;

/// How severe a finding is. The default of a kind is [`Kind::severity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It is shown only.
    Note,
    /// It is counted, but does not make a check fail.
    Warning,
    /// It is counted, and makes a check fail.
    Error,
}

impl Severity {
    /// Returns its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Kind {
    /// Returns the severity of its findings, unless somebody says otherwise ([`Finding::severity`]).
    ///
    /// [`Finding::severity`]: super::Finding::severity
    #[must_use]
    pub const fn severity(self) -> Severity {
        if self.is_fault() { Severity::Error } else { Severity::Note }
    }
}
