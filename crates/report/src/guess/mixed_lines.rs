//! Guesses a text whose lines are in several encodings, such as a log that several programs write to.

use super::text_judge::TextJudge;
use super::{Cause, Guess};
use crate::{Repair, grouped};
use oxiconv_detect::detection::{Detection, encodings_of_lines};

/// The most encodings that are named.
const MAX_NAMED: usize = 3;

impl TextJudge {
    /// Guesses that the lines of a text that is not UTF-8 are in several encodings.
    pub(super) fn lines(&self, answer: Option<&Detection>) -> Option<Guess> {
        let answer = answer.filter(|answer| answer.of_lines().is_some())?;
        let Some(found) = encodings_of_lines(self.strays.rest()) else {
            let others = answer.encoding;
            return Some(guess(format!("some are well-formed UTF-8, and the others fit {others}")));
        };
        let fit = |(encoding, count): &(_, usize)| {
            let verb = if *count == 1 { "fits" } else { "fit" };
            format!("{} {verb} {encoding}", grouped(*count as u64))
        };
        let clauses: Vec<_> = found.iter().take(MAX_NAMED).map(fit).collect();
        Some(guess(format!("of those that are not UTF-8, {}", clauses.join(", "))))
    }
}

fn guess(evidence: String) -> Guess {
    Guess {
        cause: Cause::Lines,
        what: "lines in several encodings".to_owned(),
        evidence,
        characters: Vec::new(),
        repair: Some(Repair::of_lines()),
    }
}
