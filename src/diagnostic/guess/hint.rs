//! The hint on a file with findings: what it probably is, and what repairs it.

use crate::diagnostic::Repair;

/// What a file with findings probably is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hint {
    /// A stable short id of the cause: `single-byte`, `wide-units`, `several`.
    pub cause: &'static str,
    /// What the text, or what is ill-formed in it, probably is; empty if several things are.
    pub guess: String,
    /// The evidence, as a clause: "all 12 stray bytes fit windows-1252, and the rest is valid UTF-8".
    pub evidence: String,
    /// What repairs the text, if one command does.
    pub repair: Option<Repair>,
    /// Whether the guess is about the text as a whole.
    pub whole: bool,
}

impl Hint {
    /// Returns the hint as a sentence without a full stop, with the options that repair the text:
    /// `looks like UTF-16, little-endian: it begins with the byte order mark FF FE (try -f utf-16)`.
    #[must_use]
    pub fn message(&self) -> String {
        let mut message = match self.whole {
            true => format!("looks like {}: {}", self.guess, self.evidence),
            false => self.evidence.clone(),
        };
        if let Some(repair) = self.repair.as_ref().filter(|repair| repair.skip == 0) {
            let loss = repair.loss.map_or_else(String::new, |loss| format!("; {loss}"));
            message.push_str(&format!(" (try {}{loss})", repair.options().join(" ")));
        }
        message
    }
}
