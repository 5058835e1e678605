//! Guesses a text whose lines are in several encodings: a log of several programs.

use super::judge::Judge;
use super::{Cause, Guess};
use crate::detection::encodings_of_lines;
use crate::diagnostic::{Repair, grouped};

/// Encodings that are named.
const NAMED: usize = 3;

impl Judge {
    /// Guesses it of a text that is not UTF-8.
    pub(super) fn lines(&self) -> Option<Guess> {
        if !self.is_utf8() || self.counts.ill_formed == 0 || self.zeros.are_of_no_text() {
            return None;
        }
        let found = encodings_of_lines(self.strays.rest())?;
        let fit = |(encoding, count): &(_, usize)| {
            let verb = if *count == 1 { "fits" } else { "fit" };
            format!("{} {verb} {encoding}", grouped(*count as u64))
        };
        let clauses: Vec<_> = found.iter().take(NAMED).map(fit).collect();
        Some(Guess {
            cause: Cause::Lines,
            what: "lines in several encodings".to_owned(),
            evidence: format!("of those that are not UTF-8, {}", clauses.join(", ")),
            characters: Vec::new(),
            repair: Some(Repair::of_lines()),
        })
    }
}
