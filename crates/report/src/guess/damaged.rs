//! Text that was damaged by an earlier conversion: well-formed, but with `Ã©` instead of `é`.

use std::collections::BTreeSet;

use super::{Cause, Guess};
use crate::{Repair, counted};
use oxiconv_transcode::diagnostic::Finding;

#[derive(Clone, Debug, Default)]
pub(super) struct Damaged {
    parts: u64,
    /// The misreadings: the encoding of the text, and what it was read as.
    mistakes: BTreeSet<(&'static str, &'static str)>,
}

impl Damaged {
    pub(super) fn count(&mut self, finding: &Finding<'_>) {
        if let Some(mojibake) = finding.mojibake() {
            self.parts += 1;
            self.mistakes.insert((mojibake.written_in.name(), mojibake.read_as.name()));
        }
    }

    pub(super) fn guess(&self) -> Option<Guess> {
        let (written_in, read_as) = self.mistakes.first()?;
        let mistake = match self.mistakes.len() {
            1 => format!("{written_in} that was read as {read_as}"),
            _ => format!("{written_in} that was read as {read_as}, and others"),
        };
        let fit = if self.parts == 1 {
            "fits the letters around it"
        } else {
            "fit the letters around them"
        };
        Some(Guess {
            cause: Cause::Utf8Twice,
            what: format!("damaged text: {mistake}"),
            evidence: format!("{} that {fit}", counted(self.parts, "part")),
            characters: Vec::new(),
            repair: Some(Repair::of_mojibake()),
        })
    }
}
