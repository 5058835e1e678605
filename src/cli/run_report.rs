//! The report of a run: findings in the chosen format, and messages for people.
//!
//! With a format for people, findings and messages are mixed. A format for programs has the stream of the findings to
//! itself: what would be a message becomes part of the document, if the format has a place for it, or is left out.
//! Errors are also printed on standard error, unless that is the stream of the document.

use std::io::{self, Write};

use anyhow::Context;

use oxiconv_kernels;
use oxiconv_report::counted;
use oxiconv_report::{
    DetectedLine, DetectionRow, FixRow, GoneFinding, OutputFormat, Part, Remainder, RunTotals,
    Subject, shell_word, visible_path, withheld,
};
use oxiconv_transcode::diagnostic::{Message, Summary};

use super::config::{Config, MessageConfig, RunAction};
use super::console::Console;
use super::files::FileArg;
use super::ordered_output::{FileOutput, OrderedOutput};
use super::output_streams::Stream;
use super::repository::RuleNote;
use super::result_totals::Totals;
use super::stats;

#[derive(Clone, Copy)]
pub(crate) struct RunReport<'a> {
    config: &'a Config,
    format: &'a dyn OutputFormat,
    to: Stream,
}

impl<'a> RunReport<'a> {
    pub(crate) fn new(config: &'a Config) -> Self {
        Self { config, format: &*config.findings.format, to: config.action.findings_to() }
    }

    pub(crate) fn to(&self) -> Stream {
        self.to
    }

    pub(crate) fn format(&self) -> &'a dyn OutputFormat {
        self.format
    }

    /// Whether the format is human-readable, so that messages may be mixed with findings.
    pub(crate) fn is_for_people(&self) -> bool {
        self.format.facts().is_for_people
    }

    /// Whether standard error carries a document, so that nothing else may be written to it.
    pub(crate) fn owns_stderr(&self) -> bool {
        !self.format.facts().is_for_people && self.to == Stream::Err
    }

    pub(crate) fn ordered_output<'c>(&self, console: &'c Console) -> OrderedOutput<'c>
    where
        'a: 'c,
    {
        OrderedOutput::new(console, self.to, self.format)
    }

    /// Prints the start of the document.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written to.
    pub(crate) fn begin(&self, console: &Console) -> anyhow::Result<()> {
        self.print(console, &self.format.begin_run()).context("(standard output): cannot write")
    }

    pub(crate) fn begin_file(&self, out: &mut FileOutput<'_>, file: &FileArg) {
        self.put(out, self.format.begin_file(file.subject()));
    }

    /// Prints what remains after the findings: the hint, notes, remarks, and how many were not shown. `is_told` says
    /// that a finding has said what the text is.
    pub(crate) fn remainder(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        remainder: &Remainder,
        is_told: bool,
    ) {
        let hint = remainder.hint.as_ref();
        // A hint says what a text probably is, which a piece of it cannot tell.
        if let Some(hint) =
            hint.filter(|_| !self.config.messages.quiet && self.config.sharding.is_none())
        {
            let options = &self.config.findings.options;
            let words = match (&self.config.action, &file.path) {
                (RunAction::Check, Some(path)) if is_told => hint.remedy_about(path, options),
                (RunAction::Check, Some(path)) => hint.message_about(path, options),
                _ => hint.message(),
            };
            self.aside(out, file, &words);
            self.put(out, self.format.hint(file.subject(), hint));
        }
        let MessageConfig { quiet, verbose, .. } = self.config.messages;
        let dry_run = self.config.writing.dry_run;
        for message in &remainder.messages {
            let is_wanted = match message {
                Message::Remark(_) => verbose || dry_run && !quiet,
                _ => !quiet,
            };
            if is_wanted {
                self.note(out, file, message.words());
            }
        }
        if let Some(piece) = &remainder.piece
            && piece.range.start > 0
            && remainder.shown > 0
            && self.is_for_people()
            && !self.config.messages.quiet
        {
            let start = piece.range.start;
            self.aside(
                out,
                file,
                &format!("lines and columns count from byte {start} (0x{start:x})"),
            );
        }
        if remainder.withheld > 0 && !self.config.messages.quiet {
            let words = withheld(remainder.withheld);
            self.aside(out, file, &words);
            self.put(out, self.format.withheld(file.subject(), &words));
        }
    }

    /// Reports findings that the baseline lists for a file, and that are gone.
    pub(crate) fn gone(&self, out: &mut FileOutput<'_>, file: &FileArg, gone: &[GoneFinding]) {
        self.gone_words(out, file, gone, "");
    }

    /// Reports findings that the baseline lists for a file that no longer exists.
    pub(crate) fn gone_with_file(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        gone: &[GoneFinding],
    ) {
        self.gone_words(out, file, gone, " with the file");
    }

    fn gone_words(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        gone: &[GoneFinding],
        how: &str,
    ) {
        let count = gone.iter().map(|gone| gone.count).sum();
        let Some(baseline) = &self.config.findings.baseline else { return };
        if count == 0 || self.config.messages.quiet {
            return;
        }
        let are = if count == 1 { "is" } else { "are" };
        let words = format!(
            "{} {are} gone{how}; --write-baseline {} updates the baseline",
            counted(count, "known finding"),
            shell_word(baseline.path())
        );
        self.aside(out, file, &words);
        self.put(out, self.format.gone(file.subject(), gone, &words));
    }

    /// Prints, for people, the number of files if it is known, the number of threads, and the instruction set in use.
    pub(crate) fn machine(&self, out: &mut FileOutput<'_>, files: Option<usize>, threads: usize) {
        if self.format.facts().is_for_people {
            let files = files.map(|files| counted(files as u64, "file") + ", ");
            out.error(&format!(
                "{}{}, kernels: {}",
                files.unwrap_or_default(),
                counted(threads as u64, "thread"),
                oxiconv_kernels::active().name
            ));
        }
    }

    /// Reports a note about a file, in the document too.
    pub(crate) fn note(&self, out: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        self.aside(out, file, words);
        self.put(out, self.format.note(file.subject(), words));
    }

    /// Reports a note about a file of rules, or about a line of one.
    pub(crate) fn rule_note(&self, out: &mut FileOutput<'_>, note: &RuleNote) {
        if self.config.messages.quiet {
            return;
        }
        let RuleNote { file, line, words } = note;
        if self.format.facts().is_for_people {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            out.error(&format!("{}{line}: {words}", visible_path(file)));
        }
        let words = line.map_or_else(|| words.clone(), |line| format!("line {line}: {words}"));
        self.put(out, self.format.note(Subject::File(file), &words));
    }

    /// With `-v`, reports the defaults that apply.
    pub(crate) fn defaults(&self, out: &mut FileOutput<'_>) {
        for by in self.config.defaults.iter().filter(|_| self.config.messages.verbose) {
            if self.is_for_people() {
                out.error(&by.to_string());
            }
            let words = format!("line {} says {}", by.line, by.words);
            self.put(out, self.format.note(Subject::File(&by.file), &words));
        }
    }

    /// Prints a message about a file, only for people.
    pub(crate) fn aside(&self, out: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        if self.format.facts().is_for_people {
            out.error(&format!("{}: {words}", file.label()));
        }
    }

    /// Reports what was done with a file by `--fix`.
    pub(crate) fn fixed(&self, out: &mut FileOutput<'_>, file: &FileArg, row: &FixRow<'_>) {
        self.put(out, self.format.fixed(file.subject(), row));
    }

    /// Returns the row of a file for a question on the terminal.
    pub(crate) fn fix_line(&self, file: &FileArg, row: &FixRow<'_>) -> String {
        row.line(file.subject(), &self.config.findings.options)
    }

    pub(crate) fn end_file(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        summary: &Summary,
        remainder: &Remainder,
    ) {
        self.put(out, self.format.end_file(file.subject(), summary, remainder));
    }

    /// Reports a file that is not read. People are told only on request (`is_told`).
    pub(crate) fn skipped(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        why: &str,
        is_told: bool,
    ) {
        if is_told {
            self.aside(out, file, &format!("skipped: {why}"));
        }
        self.put(out, self.format.skipped(file.subject(), why));
    }

    /// Reports a file that was not converted, because its text contradicts the conversion.
    pub(crate) fn refused(&self, out: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        self.aside(out, file, words);
        self.put(out, self.format.refused(file.subject(), words));
    }

    /// Reports an error that ended the processing of a file, or an error of the run if there is no `file`. `words` must
    /// name the file.
    pub(crate) fn error(&self, out: &mut FileOutput<'_>, file: Option<&FileArg>, words: &str) {
        if !self.owns_stderr() {
            out.error(words);
        }
        let subject = file.map_or(Subject::Run, FileArg::subject);
        self.put(out, self.format.error(subject, words));
    }

    pub(crate) fn stats(&self, console: &Console, totals: &RunTotals, files: u64) {
        if self.config.messages.stats && !self.owns_stderr() {
            stats::print(console, &totals.summary, files);
        }
    }

    pub(crate) fn detection(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        row: &DetectionRow<'_>,
    ) {
        let row = self.format.rows().map(|rows| rows.detection(file.subject(), row));
        self.put(out, row.unwrap_or_default());
    }

    /// Prints what is buffered for a file, if it is its turn.
    pub(crate) fn flush(&self, out: &mut FileOutput<'_>) -> io::Result<()> {
        out.to(self.to).flush()
    }

    pub(crate) fn detected_line(
        &self,
        out: &mut FileOutput<'_>,
        file: &FileArg,
        line: &DetectedLine,
    ) {
        let row = self.format.rows().map(|rows| rows.detected_line(file.subject(), line));
        self.put(out, row.unwrap_or_default());
    }

    /// Prints the end of the document, or for people the counts.
    pub(crate) fn end(
        &self,
        console: &Console,
        order: &OrderedOutput<'_>,
        totals: &Totals,
        inputs: usize,
    ) {
        if !self.format.facts().is_for_people {
            let kept = order.take_kept();
            let foot = self.format.end_run(&totals.counts, totals.exit.status(), &kept);
            // Earlier errors of standard output were reported by now. An error of these last bytes is dropped: the
            // document visibly lacks its end.
            let _ = self.print(console, &foot);
        } else if self.says_counts(inputs) {
            console.error(&totals.counts.words());
        }
    }

    /// Whether a run with this many inputs ends with a line of counts for people.
    pub(crate) fn says_counts(&self, inputs: usize) -> bool {
        let MessageConfig { quiet, stats, .. } = self.config.messages;
        let lists = self.format.facts().is_for_people
            && self.to == Stream::Out
            && self.config.findings.counts;
        lists && inputs > 1 && !stats && !quiet
    }

    /// Prints a complete document for a run that an error kept from starting.
    pub(crate) fn only_error(&self, console: &Console, words: &str) {
        if self.begin(console).is_err() {
            return console.error(words);
        }
        let order = self.ordered_output(console);
        let mut out = order.file_output(0);
        self.error(&mut out, None, words);
        out.close();
        let mut totals = Totals::default();
        totals.add_error();
        self.end(console, &order, &totals, 1);
    }

    fn put(&self, out: &mut FileOutput<'_>, part: Part) {
        match part {
            Part::Now(bytes) if bytes.is_empty() => {}
            Part::Now(bytes) => {
                // `OrderedOutput` remembers the error of standard output, and the run reports it at the end.
                let _ = out.write(self.to, &bytes);
            }
            Part::AtEnd(bytes) => out.keep(&bytes),
        }
    }

    fn print(&self, console: &Console, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() { Ok(()) } else { console.write(self.to, bytes) }
    }
}
