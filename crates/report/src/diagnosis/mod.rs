//! Between the pipeline and a format: judges what the findings of one text probably are, and passes them on with that.
//!
//! ```text
//! findings, rows ──► at once, held back, or grouped ──┐
//! text ──► Examination ──► Verdict ───────────────────┴──► finding, group, conclusion, end ──► FindingFormat ──► bytes
//! ```
//!
//! What a finding probably is depends on the whole text. So what a format shows together with its cause is held back
//! until the end of the text, or until too much is held.
//!
//! A `Diagnosis` is the `Reporter` of every format except `--explain=all`, and nothing else asks the judge. Depending
//! on what the format shows, it passes findings on at once, holds them back until the verdict (`held_findings.rs`), or
//! groups adjacent ones with one cause and folds equal groups (`finding_group.rs`, `held_groups.rs`). A format makes no
//! diagnosis of its own: it turns what it gets into bytes.

mod examination;
mod finding_format;
mod finding_group;
mod held_findings;
mod held_groups;

use std::io::{self, Write};

use super::output_format::{Remainder, TextReporter};
use crate::guess::Verdict;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Finding, Kind, Message, Reporter, Row};

use examination::Examination;
use held_findings::HeldFindings;
use held_groups::HeldGroups;

pub(super) use finding_format::{Conclusion, FindingFormat, Guessed, Shows, SuggestedReplacement};
pub(super) use finding_group::{EqualGroups, FindingGroup, FindingPosition};

/// The most bytes of a text to judge if its findings are shown one by one. Judging takes longer than checking, and a
/// badly broken file should be checked as fast as before. Groups are judged to the end of the text, because their
/// conclusion is about all of it.
const MAX_EXAMINED: usize = 4 << 20;

/// Judges the findings of one text and prints them in a format, up to a limit.
pub(super) struct Diagnosis<'a> {
    to: &'a mut dyn Write,
    /// A box, so that the program has this code once and not for each format.
    format: Box<dyn FindingFormat + 'a>,
    /// How many findings may still be printed; `None` is no limit. Groups have a limit of their own.
    left: Option<u64>,
    held: HeldBack,
    examination: Examination,
    remainder: Remainder,
}

/// What is held back until the verdict on the text.
enum HeldBack {
    Nothing,
    Findings(HeldFindings),
    Groups(Box<HeldGroups>),
}

impl<'a> Diagnosis<'a> {
    /// Creates a reporter that prints at most `limit` findings or groups to `to`.
    pub(super) fn new(
        to: &'a mut dyn Write,
        format: impl FindingFormat + 'a,
        limit: Option<u64>,
    ) -> Self {
        let (held, max_examined) = match format.shows() {
            Shows::Findings => (HeldBack::Nothing, MAX_EXAMINED),
            Shows::Guesses => (HeldBack::Findings(HeldFindings::default()), MAX_EXAMINED),
            Shows::Groups => (HeldBack::Groups(Box::new(HeldGroups::new(limit))), usize::MAX),
        };
        Self {
            to,
            format: Box::new(format),
            left: limit,
            held,
            examination: Examination::new(max_examined),
            remainder: Remainder::default(),
        }
    }

    fn groups(&mut self) -> Option<&mut HeldGroups> {
        match &mut self.held {
            HeldBack::Groups(groups) => Some(groups),
            HeldBack::Nothing | HeldBack::Findings(_) => None,
        }
    }

    /// Prints a finding or holds it back.
    fn pass(&mut self, finding: &Finding<'_>, is_known: bool) -> io::Result<()> {
        if let HeldBack::Findings(held) = &mut self.held {
            if !held.is_full() {
                held.push(finding, is_known);
                return Ok(());
            }
            self.print_held(None)?;
        }
        print(self.to, &mut *self.format, finding, is_known, None)
    }

    /// Prints the findings held back, with what they probably are if there is a verdict. From then on, findings are
    /// printed at once.
    fn print_held(&mut self, verdict: Option<&Verdict>) -> io::Result<()> {
        let HeldBack::Findings(held) = std::mem::replace(&mut self.held, HeldBack::Nothing) else {
            return Ok(());
        };
        let is_whole = self.examination.is_whole();
        held.pass(verdict, is_whole, |finding, is_known, guessed| {
            print(self.to, &mut *self.format, finding, is_known, guessed)
        })
    }

    /// Prints the groups held back if there are too many, by the verdict on what was examined so far.
    fn print_many_groups(&mut self) -> io::Result<()> {
        match &self.held {
            HeldBack::Groups(groups) if groups.are_many() => {
                let verdict = self.examination.verdict(false);
                self.print_groups(&verdict)
            }
            _ => Ok(()),
        }
    }

    fn print_groups(&mut self, verdict: &Verdict) -> io::Result<()> {
        let HeldBack::Groups(groups) = &mut self.held else { return Ok(()) };
        let is_one_cause = self.examination.is_one_cause(verdict);
        for group in groups.take_held() {
            // One group is enough to show what all of them are.
            if is_one_cause && groups.shown > 0 {
                break;
            }
            groups.shown += 1;
            let mut guess = group.place().and_then(|place| verdict.guess(&place));
            if let Some(guess) = guess.as_mut().filter(|_| verdict.whole.is_some()) {
                // The conclusion shows the repair.
                guess.repair = None;
            }
            let readings = self.examination.readings(&group, guess.as_ref(), verdict);
            self.to.write_all(&self.format.group(&group, guess.as_ref(), &readings))?;
        }
        Ok(())
    }

    /// Prints the findings held back, and sets the hint on the text.
    fn end_findings(&mut self) -> io::Result<()> {
        let verdict = self.examination.verdict_on_faults();
        self.remainder.hint = self.examination.hint(verdict.as_ref());
        self.print_held(verdict.as_ref())
    }

    /// Prints the groups held back, and the conclusion.
    fn end_groups(&mut self) -> io::Result<()> {
        let verdict = self.examination.verdict(true);
        self.print_groups(&verdict)?;
        let HeldBack::Groups(groups) = &self.held else { return Ok(()) };
        let conclusion = self.examination.conclusion(&verdict, groups.shown > 0);
        self.to.write_all(&self.format.conclusion(&conclusion))?;
        // If the whole text is in another encoding, one group says as much as many: nothing was withheld.
        if !self.examination.is_one_cause(&verdict) {
            self.remainder.withheld = groups.withheld;
        }
        self.remainder.shown = self.examination.findings() - self.remainder.withheld;
        Ok(())
    }
}

fn print(
    to: &mut dyn Write,
    format: &mut dyn FindingFormat,
    finding: &Finding<'_>,
    is_known: bool,
    guessed: Option<&Guessed<'_>>,
) -> io::Result<()> {
    let printed = match is_known {
        true => format.known(finding, guessed),
        false => format.finding(finding, guessed),
    };
    if printed.is_empty() { Ok(()) } else { to.write_all(&printed) }
}

impl TextReporter for Diagnosis<'_> {
    fn known(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if self.groups().is_some() { Ok(()) } else { self.pass(finding, true) }
    }

    fn close(mut self: Box<Self>) -> io::Result<Remainder> {
        match self.groups() {
            Some(groups) => {
                groups.close();
                self.print_many_groups()?;
                self.end_groups()?;
            }
            None => self.end_findings()?,
        }
        self.to.write_all(&self.format.end(&self.remainder))?;
        Ok(self.remainder)
    }
}

impl Reporter for Diagnosis<'_> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if let Some(groups) = self.groups() {
            groups.take(finding);
            self.examination.finding(finding);
            return self.print_many_groups();
        }
        match &mut self.left {
            Some(0) if !finding.stops => {
                self.unplaced(finding.kind, 1);
                return Ok(());
            }
            Some(left) => *left = left.saturating_sub(1),
            None => {}
        }
        self.remainder.shown += 1;
        self.examination.finding(finding);
        self.pass(finding, false)
    }

    /// Takes a row if each of its findings is printed at once, or if none of its groups needs to be shown. Otherwise
    /// the pipeline passes the findings one by one with their context, which costs more.
    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let count = row.subsequences.len() as u64;
        match &mut self.held {
            HeldBack::Nothing if self.left.is_none_or(|left| left >= count) => {
                row.findings().try_for_each(|finding| self.finding(&finding)).map(|()| true)
            }
            HeldBack::Nothing | HeldBack::Findings(_) => Ok(false),
            HeldBack::Groups(groups) => {
                groups.close_before(row);
                self.print_many_groups()?;
                let taken = self.groups().is_some_and(|groups| groups.take_row(row));
                if taken {
                    self.examination.ill_formed(count);
                    self.print_many_groups()?;
                }
                Ok(taken)
            }
        }
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        self.format.read_in(encoding);
        let bytes = self.examination.text(bytes, encoding);
        if let HeldBack::Findings(held) = &mut self.held {
            held.look(bytes);
        }
    }

    fn text_after_stop(&mut self, bytes: &[u8], encoding: &'static Encoding, last: bool) {
        self.text(bytes, encoding);
        self.examination.after_stop(last);
    }

    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        self.examination.skip(bytes, characters);
        if let HeldBack::Findings(held) = &mut self.held {
            held.skip(bytes);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn wants_places(&self) -> bool {
        matches!(self.held, HeldBack::Groups(_)) || self.left != Some(0)
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        self.remainder.withheld += count;
        self.examination.unplaced(kind, count);
    }

    fn message(&mut self, message: Message) {
        self.remainder.messages.push(message);
    }
}

#[cfg(test)]
mod tests;
