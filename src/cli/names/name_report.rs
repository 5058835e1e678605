//! The output of a run over names: changes on standard output, the list, and messages on standard error.
//!
//! The list is what makes `--rename` reversible, so it gets a change before it is made ([`NameReport::before`]).
//! Standard output gets it before as well in a format for programs, and afterwards in one for people.

use std::path::Path;

use anyhow::Context;

use oxiconv_report::{Converted, OutputFormat, Part, Rename, Subject};
use oxiconv_report::{counted, grouped};

use super::super::config::Config;
use super::super::console::Console;
use super::super::exit_status::ExitStatus;
use super::super::output_streams::Stream;
use super::super::result_totals::Totals;
use super::rename_list::{RenameList, list_format};

/// How many changes are listed and synced together.
const SYNC_GROUP: usize = 512;

pub(super) struct NameReport<'a> {
    config: &'a Config,
    console: &'a Console,
    /// The format of standard output; `None` if the list is written there.
    format: Option<&'a dyn OutputFormat>,
    list: Option<(Box<dyn OutputFormat>, RenameList)>,
    totals: Totals,
}

impl<'a> NameReport<'a> {
    /// Creates a report. Unless it `prints`, standard output is left to the list.
    pub(super) fn new(config: &'a Config, console: &'a Console, prints: bool) -> Self {
        let mut totals = Totals::default();
        totals.counts.converted = Some(Converted::default());
        let format = prints.then_some(&*config.findings.format);
        Self { config, console, format, list: None, totals }
    }

    pub(super) fn begin(&mut self, list: Option<RenameList>) -> anyhow::Result<()> {
        self.list = list.map(|list| anyhow::Ok((list_format()?, list))).transpose()?;
        self.put(|format| Part::Now(format.begin_run()))
    }

    pub(super) fn count(&mut self) {
        self.totals.counts.files += 1;
    }

    /// Counts a name that needs no change.
    pub(super) fn unchanged(&mut self) -> anyhow::Result<()> {
        self.converted().unchanged += 1;
        Ok(())
    }

    /// Reports a name that stays because it is valid UTF-8.
    pub(super) fn left_alone(&mut self, path: &Path) -> anyhow::Result<()> {
        self.totals.counts.left_alone += 1;
        match self.config.messages.verbose {
            true => self.note(Subject::File(path), "left unchanged: already valid UTF-8"),
            false => Ok(()),
        }
    }

    /// Raises the exit status of the run to `exit`, if it is less severe.
    pub(super) fn exit(&mut self, exit: ExitStatus) {
        self.totals.exit = self.totals.exit.max(exit);
    }

    /// Shows a change without making it.
    pub(super) fn shown(&mut self, rename: &Rename<'_>) -> anyhow::Result<()> {
        self.converted().written += 1;
        self.put(|format| renamed(format, rename))
    }

    /// Returns how many changes to write to the list before the first of them is made. If each write must reach the
    /// disk first, they are grouped, because a sync takes far longer than a rename. Otherwise one is enough.
    pub(super) fn group(&self) -> usize {
        let waits =
            self.config.writing.sync && self.list.as_ref().is_some_and(|(_, list)| list.is_file());
        if waits { SYNC_GROUP } else { 1 }
    }

    /// Waits until the list is on disk, except with `--no-sync`.
    pub(super) fn sync(&mut self) -> anyhow::Result<()> {
        match &mut self.list {
            Some((_, list)) if self.config.writing.sync => list.sync(),
            _ => Ok(()),
        }
    }

    /// Announces a change before it is made: to the list, and to standard output in a format for programs.
    pub(super) fn before(&mut self, rename: &Rename<'_>) -> anyhow::Result<()> {
        if let Some((format, list)) = &mut self.list {
            list.write(renamed(&**format, rename))?;
        }
        match self.format.filter(|format| !format.facts().is_for_people) {
            Some(format) => self.print(renamed(format, rename)),
            None => Ok(()),
        }
    }

    pub(super) fn renamed(&mut self, rename: &Rename<'_>) -> anyhow::Result<()> {
        self.converted().written += 1;
        match self.format.filter(|format| format.facts().is_for_people) {
            Some(format) => self.print(renamed(format, rename)),
            None => Ok(()),
        }
    }

    pub(super) fn refused(&mut self, path: &Path, reason: &str) -> anyhow::Result<()> {
        self.all_refused(Subject::File(path), &format!("cannot be renamed: {reason}"), 1)
    }

    /// Reports a name that cannot be converted. The run may only check names, so nothing is said of renaming.
    pub(super) fn not_converted(&mut self, path: &Path, reason: &str) -> anyhow::Result<()> {
        self.all_refused(Subject::File(path), &format!("cannot be converted: {reason}"), 1)
    }

    /// Reports that none of `count` names can be changed.
    pub(super) fn all_refused(
        &mut self,
        subject: Subject<'_>,
        words: &str,
        count: u64,
    ) -> anyhow::Result<()> {
        self.totals.counts.refused += count;
        self.exit(ExitStatus::Found);
        if !self.config.messages.silent {
            self.aside(subject, words);
        }
        self.put(|format| format.refused(subject, words))
    }

    /// Reports a rename that failed for a reason other than the name itself.
    pub(super) fn failed(&mut self, path: &Path, reason: &str) -> anyhow::Result<()> {
        self.converted().failed += 1;
        let subject = Subject::File(path);
        self.error(subject, &format!("{}: cannot be renamed: {reason}", subject.label()))
    }

    /// Reports an error. `words` contain the path.
    pub(super) fn error(&mut self, subject: Subject<'_>, words: &str) -> anyhow::Result<()> {
        self.totals.add_error();
        self.console.error(words);
        self.put(|format| format.error(subject, words))
    }

    /// Prints a finding in a name that is converted nevertheless.
    pub(super) fn finding(&mut self, path: &Path, words: &str) -> anyhow::Result<()> {
        if self.config.messages.silent {
            return Ok(());
        }
        self.aside(Subject::File(path), words);
        self.put(|format| format.note(Subject::File(path), words))
    }

    /// Prints a note, unless `--quiet`.
    pub(super) fn note(&mut self, subject: Subject<'_>, words: &str) -> anyhow::Result<()> {
        if self.config.messages.quiet {
            return Ok(());
        }
        self.aside(subject, words);
        self.put(|format| format.note(subject, words))
    }

    pub(super) fn hint(&self, words: &str) {
        if !self.config.messages.quiet {
            self.aside(Subject::Run, words);
        }
    }

    pub(super) fn message(&self, words: &str) {
        self.console.error(words);
    }

    fn aside(&self, subject: Subject<'_>, words: &str) {
        if self.config.findings.format.facts().is_for_people {
            match subject.path() {
                Some(_) => self.console.error(&format!("{}: {words}", subject.label())),
                None => self.console.error(words),
            }
        }
    }

    /// Ends the report. `done` is the participle for the summary (`renamed`, `would be renamed`), and `how` a hint
    /// after it.
    pub(super) fn end(mut self, done: &str, how: Option<&str>) -> anyhow::Result<ExitStatus> {
        let (counts, status) = (self.totals.counts.clone(), self.totals.exit.status());
        let part = |format: &dyn OutputFormat| Part::Now(format.end_run(&counts, status, &[]));
        if let Some((format, list)) = &mut self.list {
            list.write(part(&**format))?;
        }
        self.sync()?;
        if let Some(format) = self.format {
            self.print(part(format))?;
        }
        if self.config.findings.format.facts().is_for_people && !self.config.messages.quiet {
            self.console.error(&self.closing(done, how));
        }
        Ok(self.totals.exit)
    }

    /// Formats the counts: `2 names renamed, 1 unchanged, 1 refused`.
    fn closing(&self, done: &str, how: Option<&str>) -> String {
        let counts = &self.totals.counts;
        let Converted { written, unchanged, .. } = counts.converted.unwrap_or_default();
        let how = how.filter(|_| written > 0).map(|how| format!(" ({how})"));
        let mut words = format!("{} {done}{}", counted(written, "name"), how.unwrap_or_default());
        let others = [
            (unchanged, " unchanged"),
            (counts.left_alone, " left as valid UTF-8 (--force converts them)"),
            (counts.refused, " refused"),
        ];
        for (count, outcome) in others.into_iter().filter(|(count, _)| *count > 0) {
            words.push_str(&format!(", {}{outcome}", grouped(count)));
        }
        if counts.errors > 0 {
            words.push_str(&format!(", {}", counted(counts.errors, "error")));
        }
        words
    }

    fn converted(&mut self) -> &mut Converted {
        self.totals.counts.converted.get_or_insert_default()
    }

    /// Prints a part to standard output, in its format, and to the list, in JSON.
    fn put(&mut self, part: impl Fn(&dyn OutputFormat) -> Part) -> anyhow::Result<()> {
        if let Some((format, list)) = &mut self.list {
            list.write(part(&**format))?;
        }
        match self.format {
            Some(format) => self.print(part(format)),
            None => Ok(()),
        }
    }

    fn print(&self, part: Part) -> anyhow::Result<()> {
        let (Part::Now(bytes) | Part::AtEnd(bytes)) = part;
        if bytes.is_empty() {
            return Ok(());
        }
        self.console.write(Stream::Out, &bytes).context("(standard output): cannot write")
    }
}

fn renamed(format: &dyn OutputFormat, rename: &Rename<'_>) -> Part {
    format.rows().map(|rows| rows.rename(rename)).unwrap_or_default()
}
