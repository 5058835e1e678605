//! The hint on a file with findings: what it probably is, and what repairs it.

use std::path::Path;

use super::Guess;
use crate::command::{options as command_options, repairing};
use crate::{FormatOptions, Repair};

/// What a file with findings, or what is ill-formed in it, probably is.
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
    /// Creates the hint of a guess about the text as a whole.
    pub(super) fn of_whole(guess: &Guess) -> Self {
        Self {
            cause: guess.cause.id(),
            guess: guess.what.clone(),
            evidence: guess.evidence.clone(),
            repair: guess.repair.clone(),
            whole: true,
        }
    }

    /// Adds that only this many bytes of the text were examined.
    #[must_use]
    pub(crate) fn of_part(self, examined: usize) -> Self {
        let (size, unit) = match examined >> 20 {
            0 => (examined >> 10, "KiB"),
            size => (size, "MiB"),
        };
        let evidence = format!("in the {size} {unit} examined, {}", self.evidence);
        Self { evidence, ..self }
    }

    /// Returns the hint as a sentence without a full stop, with the options that repair the text:
    /// `looks like CESU-8: it has 1 surrogate pair (try -f cesu-8)`.
    #[must_use]
    pub fn message(&self) -> String {
        self.message_with(|repair| repair.options().join(" "))
    }

    /// Returns the same about a file that is only checked, with the whole command that repairs it:
    /// `looks like CESU-8: it has 1 surrogate pair (try oxiconv -f cesu-8 -i.bak dump.sql)`.
    #[doc(hidden)]
    #[must_use]
    pub fn message_about(&self, file: &Path, options: &FormatOptions) -> String {
        self.message_with(|repair| command_about(repair, file, options))
    }

    /// Returns the command alone, for a text of which a finding has already said what it is:
    /// `to convert it: oxiconv -f utf-16 -i.bak list.txt`.
    #[doc(hidden)]
    #[must_use]
    pub fn remedy_about(&self, file: &Path, options: &FormatOptions) -> String {
        match &self.repair {
            Some(repair) if repair.skip == 0 && repair.loss.is_none() => {
                let task = if repair.undoes_mojibake { "repair" } else { "convert" };
                format!("to {task} it: {}", command_about(repair, file, options))
            }
            _ => self.message_about(file, options),
        }
    }

    fn message_with(&self, command: impl FnOnce(&Repair) -> String) -> String {
        let mut message = match self.whole {
            true => format!("looks like {}: {}", self.guess, self.evidence),
            false => self.evidence.clone(),
        };
        if let Some(repair) = self.repair.as_ref().filter(|repair| repair.skip == 0) {
            let loss = repair.loss.map_or_else(String::new, |loss| format!("; {loss}"));
            message.push_str(&format!(" (try {}{loss})", command(repair)));
        }
        message
    }
}

fn command_about(repair: &Repair, file: &Path, options: &FormatOptions) -> String {
    repairing(&command_options(repair, options.asked()), 0, Some(file)).join(" ")
}
