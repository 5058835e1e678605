//! What a format is told about the findings of one text.

use super::finding_group::FindingGroup;
use crate::guess::{Guess, Hint, LineReading};
use crate::output_format::Remainder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Finding;

#[derive(Clone, Copy)]
pub enum Shows {
    /// Each finding as soon as it is made.
    Findings,
    /// Each finding with what it probably is.
    Guesses,
    /// Groups of adjacent findings with one cause, equal groups once, and a conclusion.
    Groups,
}

/// Formats the findings of one text. It makes no decisions: whatever it is called for is shown.
pub trait FindingFormat {
    /// Returns what it shows. The diagnosis holds back as much as that requires, and no more.
    fn shows(&self) -> Shows {
        Shows::Findings
    }

    /// Called for each part of the text, with the encoding in force.
    fn read_in(&mut self, encoding: &'static Encoding) {
        let _ = encoding;
    }

    /// Formats one finding, including what separates it from its neighbours.
    fn finding(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        let _ = (finding, guessed);
        Vec::new()
    }

    /// Formats one finding that the baseline lists; nothing if the format leaves these out.
    fn known(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        let _ = (finding, guessed);
        Vec::new()
    }

    /// Formats a group of findings. The guess has a repair if the group should show one, and there are readings of its
    /// line if it should show these.
    fn group(
        &mut self,
        group: &FindingGroup,
        guess: Option<&Guess>,
        readings: &[LineReading],
    ) -> Vec<u8> {
        let _ = (group, guess, readings);
        Vec::new()
    }

    /// Formats what follows the last group.
    fn conclusion(&mut self, conclusion: &Conclusion) -> Vec<u8> {
        let _ = conclusion;
        Vec::new()
    }

    /// Formats what ends the findings of the text.
    fn end(&mut self, remainder: &Remainder) -> Vec<u8> {
        let _ = remainder;
        Vec::new()
    }
}

pub struct Guessed<'a> {
    pub guess: &'a Guess,
    /// The text to put in place of the characters that begin in the finding.
    pub replacement: Option<SuggestedReplacement>,
}

/// The text that bytes meant.
pub struct SuggestedReplacement {
    /// How many bytes it replaces.
    pub len: usize,
    pub text: String,
}

/// What is said about a text after its groups.
pub enum Conclusion {
    /// All faults have one cause: the text as a whole is something else.
    Whole {
        faults: u64,
        guess: Guess,
    },
    /// A remark on the text as a whole.
    Note(Guess),
    /// The faults have several causes, and no command repairs all of them.
    Several {
        faults: u64,
    },
    /// What repairs all of them.
    Hint(Hint),
    /// The text is well-formed.
    Clean {
        bytes: u64,
        encoding: &'static Encoding,
    },
    /// All findings were left out, by a baseline or by the rules of a repository.
    LeftOut {
        bytes: u64,
    },
    Nothing,
}
