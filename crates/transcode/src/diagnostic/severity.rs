//! The severity of findings.

use super::kind::Kind;

/// The severity of a finding. [`Kind::severity`] is the default of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The finding is only shown.
    Note,
    /// The finding is counted, but does not make a check fail.
    Warning,
    /// The finding is counted, and makes a check fail.
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
    /// Returns the default severity of its findings, which may be overridden ([`Finding::severity`]).
    ///
    /// [`Finding::severity`]: super::Finding::severity
    #[must_use]
    pub const fn severity(self) -> Severity {
        if self.is_fault() { Severity::Error } else { Severity::Note }
    }
}
