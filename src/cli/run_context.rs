//! What joined and single files have in common: one input goes through a transcoder, and is reported.
//!
//! ```text
//! MeteredSource ─► Transcoder ─► sink
//!                      │ findings
//!                      ▼
//!               FilteredReporter ─► TextReporter of the format ─► FileOutput
//!                known? listed? severity?
//! ```
//!
//! Formats know nothing of baselines or of the rules of a repository. The filter handles both: it drops findings that
//! are not listed, marks known ones, and sets the severity that was declared for a kind.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_report::{FilePiece, Remainder, TextReporter};
use oxiconv_transcode::diagnostic::{Character, Finding, Kind, Message, Reporter, Row, Summary};
use oxiconv_transcode::{Error, Transcoder};

use super::ask::Ask;
use super::baseline::{Baseline, KnownInText};
use super::config::Config;
use super::exit_status::{ExitStatus, ListedKinds};
use super::file_policy::FilePolicy;
use super::files::FileArg;
use super::ordered_output::FileOutput;
use super::progress::{Bar, MeteredSource};
use super::result_totals::InputResult;
use super::run_report::RunReport;
use super::shard_piece::PartInput;
use super::summary_words::{outcomes, unclear_fallback, what_was_detected, what_was_done};

/// What a run needs to process and report an input.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) config: &'a Config,
    pub(crate) report: RunReport<'a>,
    pub(crate) bar: Option<&'a Bar>,
    pub(crate) baseline: Option<&'a Baseline<'a>>,
    pub(crate) ask: Option<&'a Ask>,
}

impl RunContext<'_> {
    /// Passes one input through `transcoder`, and reports it to `out`.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, the output or the report cannot be written, or the encoding cannot be detected. A
    /// fault that stops the conversion is not an error here: it is in the summary of the result.
    pub(crate) fn run(
        &self,
        transcoder: &mut Transcoder<'_>,
        file: &FileArg,
        policy: &FilePolicy<'_>,
        input: PartInput,
        out: &mut FileOutput<'_>,
    ) -> Result<InputResult, Error> {
        let Self { config, report, baseline, .. } = *self;
        report.begin_file(out, file);
        let path = file.path.as_deref();
        let mut selection = FindingFilter {
            policy,
            known: baseline.map(|baseline| baseline.text(path)).unwrap_or_default(),
            listed: config.findings.listed,
            silent: config.messages.silent,
        };
        let (result, mut remainder) = self.convert(transcoder, file, input, &mut selection, out)?;
        let known = selection.known;
        let mut summary = match result {
            Ok(summary) => summary,
            Err(error) => {
                // The text was not read to its end, so the number of withheld findings would be too low.
                remainder.withheld = 0;
                report.remainder(out, file, &remainder, false);
                return Err(error);
            }
        };
        policy.leave_out(&mut summary);
        // To detect the encoding or the fallback, the text was judged as a whole. A hint from the part before the stop
        // would know less.
        let is_judged =
            summary.detected.as_ref().is_some_and(|detection| detection.others.is_some());
        if is_judged || summary.fallback.is_some() {
            remainder.hint = None;
        }
        remainder.piece = summary.extent.clone().map(FilePiece::from);
        let is_told = is_told(&summary, &remainder);
        report.remainder(out, file, &remainder, is_told);
        remainder.known = summary.take_known(&known.by_kind);
        let gone = baseline.map(|baseline| baseline.end_text(path, known)).unwrap_or_default();
        report.gone(out, file, &gone);
        if let Some(outcomes) = outcomes(config, &summary).filter(|_| !config.messages.quiet) {
            report.aside(out, file, &outcomes);
        }
        if let Some(doubt) = summary.doubt().filter(|_| !config.messages.quiet) {
            report.note(out, file, &format!("{doubt} ({})", summary.advice()));
        }
        // A hint on the text as a whole says more.
        let is_known = remainder.hint.as_ref().is_some_and(|hint| hint.whole);
        if let Some(words) = unclear_fallback(config, &summary)
            && !is_known
            && !config.messages.quiet
        {
            report.note(out, file, words);
        }
        if config.messages.verbose && !summary.stopped {
            let words = what_was_done(config, &policy.conversion, &summary, remainder.known);
            report.aside(out, file, &words);
        }
        // On a terminal, people want to see which encoding was chosen. In a script, the line would be noise on standard
        // error.
        if !config.messages.verbose
            && !config.messages.quiet
            && report.is_for_people()
            && io::stderr().is_terminal()
            && let Some(words) = what_was_detected(config, &policy.conversion, &summary)
        {
            report.aside(out, file, &words);
        }
        report.end_file(out, file, &summary, &remainder);
        let exit = ExitStatus::of(&policy.errors_of(&summary), config.findings.listed);
        let gone = gone.iter().map(|gone| gone.count).sum();
        let Remainder { shown, withheld, known, .. } = remainder;
        Ok(InputResult { summary, exit, shown, withheld, known, gone })
    }

    /// Reports a file that an earlier run has processed without findings.
    pub(crate) fn report_done(&self, file: &FileArg, done: &InputResult, out: &mut FileOutput<'_>) {
        let Self { config, report, .. } = *self;
        report.begin_file(out, file);
        if config.messages.verbose {
            report.aside(out, file, "already done, according to the manifest");
        }
        let mut remainder = Remainder::default();
        remainder.piece = done.summary.extent.clone().map(FilePiece::from);
        report.end_file(out, file, &done.summary, &remainder);
    }

    /// Converts a text, and passes its findings through `selection` to the format.
    ///
    /// The inner result is that of the conversion, and the outer one that of the report, which is closed in either
    /// case: findings before an error are printed.
    fn convert(
        &self,
        transcoder: &mut Transcoder<'_>,
        file: &FileArg,
        PartInput { input, piece }: PartInput,
        selection: &mut FindingFilter<'_>,
        out: &mut FileOutput<'_>,
    ) -> Result<(Result<Summary, Error>, Remainder), Error> {
        let Self { config, report, bar, .. } = *self;
        if let Some(bar) = bar {
            bar.begin_file(file);
        }
        let mut source = MeteredSource { source: input.source, bar };
        let mut to = out.to(report.to());
        let printer = report.format().reporter(file.subject(), config.findings.limit, &mut to);
        let ask = self.ask.map(|ask| (ask, file));
        let mut reporter = FilteredReporter { printer, selection, ask };
        let result = match &piece {
            Some(piece) => transcoder.piece(&mut source, &mut reporter, piece),
            None => transcoder.input(&mut source, &mut reporter),
        };
        let result = result.or_else(Error::into_summary);
        let remainder = reporter.printer.close().map_err(Error::Report)?;
        Ok((result, remainder))
    }
}

/// Whether a finding says what the hint would repeat: that the text is in UTF-16 or UTF-32, or that single-byte text
/// was appended to it.
fn is_told(summary: &Summary, remainder: &Remainder) -> bool {
    let count = |kind| summary.found.get(&kind).copied().unwrap_or_default();
    match remainder.hint.as_ref().map(|hint| hint.cause) {
        Some("wide-units") => count(Kind::OtherEncoding) > 0,
        Some("interrupted") => {
            count(Kind::IllFormed(IllFormedKind::OtherUnits)) == 1
                && count(Kind::IllFormed(IllFormedKind::Misaligned)) == 0
        }
        _ => false,
    }
}

/// Which findings of a text are printed: those of listed kinds, and in any case the one that stops the conversion.
/// Those that the baseline lists are passed on as known.
struct FindingFilter<'a> {
    policy: &'a FilePolicy<'a>,
    known: KnownInText<'a>,
    listed: ListedKinds,
    silent: bool,
}

/// A reporter that passes findings on as `selection` says.
struct FilteredReporter<'a, 'b> {
    printer: Box<dyn TextReporter + 'a>,
    selection: &'a mut FindingFilter<'b>,
    ask: Option<(&'a Ask, &'a FileArg)>,
}

impl Reporter for FilteredReporter<'_, '_> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let FindingFilter { policy, known, listed, silent } = &mut *self.selection;
        let Some(severity) = policy.severity(finding.kind) else { return Ok(()) };
        // With `-f auto-lines`, a line that is read in an encoding of its own does not contradict a declaration about
        // the file.
        let declared = policy.settings.contradicted(finding.kind);
        let declared = declared.filter(|_| finding.read_as().is_none());
        let declared = declared.map(|declared| Cow::Owned(declared.to_string()));
        let mut finding = finding.clone();
        (finding.severity_override, finding.declared) = (Some(severity), declared);
        let finding = &finding;
        if known.knows(finding) {
            return if *silent { Ok(()) } else { self.printer.known(finding) };
        }
        if (listed.has(finding.kind) || finding.stops) && !*silent {
            self.printer.finding(finding)?;
        }
        Ok(())
    }

    /// A row of ill-formed subsequences is printed without looking at each of them.
    ///
    /// A text in a wrong encoding may be one such row from end to end, and to pass its subsequences on one by one, each
    /// with its place, costs more. It is possible only if `finding` would treat all of them alike: the policy has one
    /// severity for all kinds of ill-formed text, they are printed at all, and the baseline has no finding left that
    /// one of them could be.
    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let FindingFilter { policy, known, listed, silent } = &*self.selection;
        let is_printed = listed.ill_formed && !silent && !known.may_know_more();
        let severity = policy.severity_of_ill_formed().filter(|_| is_printed);
        let (Some(severity), [first, ..]) = (severity, row.subsequences) else { return Ok(false) };
        let declared = policy.settings.contradicted(Kind::IllFormed(first.kind));
        let declared = declared.map(ToString::to_string);
        let mut row = *row;
        (row.severity, row.declared) = (Some(severity), declared.as_deref());
        self.printer.row(&row)
    }

    fn accepts(&mut self, finding: &Finding<'_>) -> io::Result<bool> {
        self.ask.map_or(Ok(true), |(ask, file)| ask.about(file, finding))
    }

    /// The format needs no places after it has reached its limit. The baseline does as long as a later finding may be
    /// one that it lists: it recognizes a finding by its bytes, and not a count of findings.
    fn wants_places(&self) -> bool {
        let FindingFilter { known, listed, silent, .. } = &*self.selection;
        !silent && listed.any() && self.printer.wants_places() || known.may_know_more()
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        let FindingFilter { policy, listed, silent, .. } = &*self.selection;
        if listed.has(kind) && !silent && policy.severity(kind).is_some() {
            self.printer.unplaced(kind, count);
        }
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        if self.selection.silent { Ok(()) } else { self.printer.character(character) }
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        if !self.selection.silent {
            self.printer.text(bytes, encoding);
        }
    }

    fn text_after_stop(&mut self, bytes: &[u8], encoding: &'static Encoding, last: bool) {
        if !self.selection.silent {
            self.printer.text_after_stop(bytes, encoding, last);
        }
    }

    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        if !self.selection.silent {
            self.printer.text_skipped(bytes, characters);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.printer.flush()
    }

    fn message(&mut self, message: Message) {
        self.printer.message(message);
    }
}
