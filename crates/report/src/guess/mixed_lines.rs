//! Guesses a text whose lines are in several encodings, such as a log that several programs write to.

use super::text_judge::TextJudge;
use super::{Cause, Guess};
use crate::{Repair, grouped};
use oxiconv_detect::detection::{Detection, LOOK, OtherLines};
use oxiconv_encodings::encoding::Encoding;

/// The most encodings that are named.
const MAX_NAMED: usize = 3;

impl TextJudge {
    /// Guesses that the lines of a text that is not UTF-8 are in several encodings. Returns those of the lines that are
    /// not UTF-8, too; none if not all lines have been looked at.
    pub(super) fn lines(
        &self,
        answer: Option<&Detection>,
    ) -> Option<(Guess, Vec<&'static Encoding>)> {
        let answer = answer.filter(|answer| answer.of_lines().is_some())?;
        let lines = OtherLines::of(self.strays.rest());
        let fit = |(encoding, count): (_, usize)| {
            let verb = if count == 1 { "fits" } else { "fit" };
            format!("{} {verb} {encoding}", grouped(count as u64))
        };
        let clauses: Vec<_> = lines.encodings().take(MAX_NAMED).map(fit).collect();
        let clauses = clauses.join(", ");
        let others = answer.encoding;
        let evidence = match lines.encodings().count() {
            _ if lines.are_in_several() => format!("of those that are not UTF-8, {clauses}"),
            0 | 1 => format!("some are well-formed UTF-8, and the others fit {others}"),
            _ => format!("some are well-formed UTF-8, and of the others, {clauses}"),
        };
        let guess = Guess {
            cause: Cause::Lines,
            what: "lines in several encodings".to_owned(),
            evidence,
            characters: Vec::new(),
            repair: Some(Repair::of_lines()),
        };
        if self.strays.rest().len() >= LOOK || !lines.are_all() {
            return Some((guess, Vec::new()));
        }
        let encodings = lines.encodings().map(|(encoding, _)| encoding).chain([others]);
        Some((guess, encodings.collect()))
    }
}
