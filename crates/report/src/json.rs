//! The json format: JSON Lines, one event per line. docs/findings.schema.json is its schema, and docs/json.md explains
//! it.
//!
//! ```text
//! start ─► for each file: begin ─► finding … ─► hint ─► note … ─► end │ error │ passed-over │ refused ─► summary
//! ```

use std::io::Write;
use std::path::{Path, PathBuf};

use super::detection_row::{DetectedLine, DetectionRow};
use super::diagnosis::{Diagnosis, FindingFormat, Guessed, Shows};
use super::fix_row::FixRow;
use super::json_events::{
    JsonCounts, JsonDetection, JsonDetectionRow, JsonEvent, JsonFinding, JsonFix, JsonPart,
    JsonRepair,
};
use super::json_path::JsonPath;
use super::output_format::{
    EncodingRow, FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Remainder, Rename,
    RowFormat, Subject, Task, TextReporter,
};
use super::run_totals::RunTotals;
use crate::guess::{Guess, Hint};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Context, Detail, Finding, Summary};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "json",
    help: "JSON Lines, one event per line",
    new: |options| Box::new(JsonFormat::new(options)),
};

struct JsonFormat {
    options: FormatOptions,
}

impl JsonFormat {
    fn new(options: &FormatOptions) -> Self {
        Self { options: *options }
    }
}

impl OutputFormat for JsonFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            has_pieces: true,
            has_fixes: true,
            detail: Detail::Evidence,
            ..FormatFacts::default()
        }
    }

    fn rows(&self) -> Option<&dyn RowFormat> {
        Some(self)
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let path = text.path().map(Path::to_owned);
        Box::new(Diagnosis::new(to, JsonFindings::new(path, self.options), limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        JsonEvent::start(self.options.task, self.options.shard).line()
    }

    fn begin_file(&self, file: Subject<'_>) -> Part {
        JsonEvent::Begin { path: file.into() }.part()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        JsonEvent::Note { path: subject.into(), message }.part()
    }

    fn hint(&self, file: Subject<'_>, hint: &Hint) -> Part {
        JsonEvent::Hint {
            path: file.into(),
            cause: hint.cause,
            guess: Some(&*hint.guess).filter(|guess| !guess.is_empty()),
            evidence: &hint.evidence,
            repair: hint.repair.as_ref().map(|it| JsonRepair::new(it, &self.options, file.path())),
            message: &hint.message(),
        }
        .part()
    }

    /// Prints nothing: the `end` event has the number.
    fn withheld(&self, _: Subject<'_>, _: &str) -> Part {
        Part::default()
    }

    fn skipped(&self, file: Subject<'_>, _: &str) -> Part {
        JsonEvent::Skipped { path: file.into() }.part()
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        JsonEvent::Refused { path: file.into(), message }.part()
    }

    fn fixed(&self, file: Subject<'_>, row: &FixRow<'_>) -> Part {
        JsonEvent::Fix(JsonFix::new(file, row)).part()
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        JsonEvent::Error { path: subject.into(), message }.part()
    }

    fn end_file(&self, file: Subject<'_>, summary: &Summary, remainder: &Remainder) -> Part {
        let known = self.options.baseline.then_some(remainder.known);
        let counts = JsonCounts::new(summary, remainder.withheld, known);
        let detection = summary.detected.as_deref().map(JsonDetection::new);
        let part = remainder.piece.as_ref().map(JsonPart::new);
        JsonEvent::End { path: file.into(), stopped: summary.stopped, part, detection, counts }
            .part()
    }

    fn end_run(&self, totals: &RunTotals, exit_status: u8, _: &[u8]) -> Vec<u8> {
        let known = self.options.baseline.then_some(totals.known);
        JsonEvent::Summary {
            files: totals.files,
            files_with_findings: totals.files_with_findings,
            passed_over: totals.skipped + totals.excluded,
            refused: totals.refused,
            left_alone: totals.left_alone,
            errors: totals.errors,
            unknown: totals.unknown,
            gone: self.options.baseline.then_some(totals.gone),
            converted: totals.converted,
            counts: JsonCounts::new(&totals.summary, totals.withheld, known),
            exit_status,
        }
        .line()
    }
}

impl RowFormat for JsonFormat {
    fn encodings(&self, encodings: &[EncodingRow<'_>], _: bool) -> Vec<u8> {
        let rows = encodings.iter().map(|row| JsonEvent::Encoding {
            name: row.name,
            aliases: row.aliases,
            summary: row.summary,
            source: row.source,
            year: row.year,
            structure: row.structure,
            vendors: row.vendors,
            unit: row.unit,
            bits: row.bits,
        });
        let events = std::iter::once(JsonEvent::start(self.options.task, None)).chain(rows);
        events.flat_map(|event| event.line()).collect()
    }

    fn detection(&self, file: Subject<'_>, row: &DetectionRow<'_>) -> Part {
        JsonEvent::Detection(JsonDetectionRow::new(file, row)).part()
    }

    fn detected_line(&self, file: Subject<'_>, line: &DetectedLine) -> Part {
        let name = |encoding: &Encoding| encoding.name();
        JsonEvent::Line {
            path: file.into(),
            line: line.number,
            known: line.encoding.is_some(),
            encoding: line.encoding.map(name),
            fallback: line.fallback.map(name),
        }
        .part()
    }

    fn rename(&self, rename: &Rename<'_>) -> Part {
        let Rename { path, name, directory } = *rename;
        let [path, name] = [path, name].map(|path| JsonPath(Some(path)));
        let directory = directory.map(|directory| JsonPath(Some(directory)));
        JsonEvent::Rename { path, name, directory }.part()
    }
}

struct JsonFindings {
    path: Option<PathBuf>,
    options: FormatOptions,
    /// The last findings, which the next one may continue.
    run: Option<RepeatedFinding>,
}

/// Equal findings without a gap between them. They are one event with a count, because a text in a wrong encoding may
/// have as many of them as bytes.
struct RepeatedFinding {
    first: Finding<'static>,
    is_known: bool,
    guess: Option<Guess>,
    count: u64,
}

impl RepeatedFinding {
    /// Whether a finding equals them and follows them directly. Everything but the position is compared: the finding is
    /// moved to the position of the first one, and must then be equal to it.
    fn continues_with(&self, finding: &Finding<'_>, is_known: bool, guess: Option<&Guess>) -> bool {
        let first = &self.first;
        let len = first.bytes.len() as u64 * self.count;
        let (offset, column) = (first.offset + len, first.column + self.count);
        (finding.offset, finding.column) == (offset, column)
            && (self.is_known, self.guess.as_ref()) == (is_known, guess)
            && moved_to(finding, first.offset, first.column) == *first
    }
}

/// Returns a finding without its context, which is in no event.
fn without_context<'a>(finding: &Finding<'a>) -> Finding<'a> {
    let mut finding = finding.clone();
    finding.context = Context::default();
    finding
}

/// Returns the same at another position of its line.
fn moved_to<'a>(finding: &Finding<'a>, offset: u64, column: u64) -> Finding<'a> {
    let mut finding = without_context(finding);
    (finding.offset, finding.column) = (offset, column);
    finding
}

impl JsonFindings {
    fn new(path: Option<PathBuf>, options: FormatOptions) -> Self {
        Self { path, options, run: None }
    }

    fn event(
        &self,
        finding: &Finding<'_>,
        is_known: bool,
        guess: Option<&Guess>,
        count: u64,
    ) -> Vec<u8> {
        let state = if is_known { "known" } else { "new" };
        let state = (is_known || self.options.baseline).then_some(state);
        let path = self.path.as_deref();
        let members = JsonFinding::new(path, finding, state).repeated(count);
        JsonEvent::Finding(match guess {
            Some(guess) => {
                let repair = guess.repair.as_ref();
                let repair = repair.map(|it| JsonRepair::new(it, &self.options, path));
                members.guessed(guess, repair)
            }
            None => members,
        })
        .line()
    }

    /// Takes a finding, and returns the events that are complete. The last run of equal findings is kept open, since
    /// the next finding may continue it, and printed when another finding or the end of the text comes.
    fn take(&mut self, finding: &Finding<'_>, is_known: bool, guess: Option<&Guess>) -> Vec<u8> {
        if let Some(run) = &mut self.run
            && run.continues_with(finding, is_known, guess)
        {
            run.count += 1;
            return Vec::new();
        }
        let mut events = self.end_run();
        // A missing newline or mark has no bytes, and cannot be repeated.
        if self.may_hold_back() && !finding.bytes.is_empty() {
            let (first, guess) = (finding.detached(), guess.cloned());
            self.run = Some(RepeatedFinding { first, is_known, guess, count: 1 });
        } else {
            events.extend(self.event(finding, is_known, guess, 1));
        }
        events
    }

    fn end_run(&mut self) -> Vec<u8> {
        let Some(RepeatedFinding { first, is_known, guess, count }) = self.run.take() else {
            return Vec::new();
        };
        self.event(&first, is_known, guess.as_ref(), count)
    }

    /// Whether a finding may be held back for what follows it. A conversion may take as long as somebody writes to a
    /// pipe, so its findings are printed at once.
    fn may_hold_back(&self) -> bool {
        self.options.task == Task::Check
    }
}

impl FindingFormat for JsonFindings {
    fn shows(&self) -> Shows {
        let has_guesses = self.may_hold_back() && self.options.shard.is_none();
        if has_guesses { Shows::Guesses } else { Shows::Findings }
    }

    fn finding(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        self.take(finding, false, guessed.map(|guessed| guessed.guess))
    }

    fn known(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        self.take(finding, true, guessed.map(|guessed| guessed.guess))
    }

    fn end(&mut self, _: &Remainder) -> Vec<u8> {
        self.end_run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;
    use oxiconv_transcode::diagnostic::Kind;

    #[test]
    fn a_finding_is_one_line_with_all_that_is_known() {
        let mut finding = Finding::of_character(Kind::Unmappable, Some(0x20AC));
        (finding.offset, finding.column, finding.stops) = (1, 2, true);
        (finding.bytes, finding.encoding) = (b"\xE2\x82\xAC".into(), Encoding::ISO_8859_1);
        let path = Some("a\"\n.txt".into());
        let mut findings = JsonFindings::new(path, FormatOptions::default());
        assert!(findings.finding(&finding, None).is_empty());
        let line = findings.end(&Remainder::default());
        assert_eq!(
            String::from_utf8(line).unwrap(),
            r#"{"type":"finding","path":{"text":"a\"\n.txt"},"kind":"unmappable","level":"error","line":1,"column":2,"offset":1,"length":3,"bytes":"E282AC","encoding":"ISO-8859-1","value":"20AC","stops":true,"message":"U+20AC (€) cannot be represented in ISO-8859-1"}"#
                .to_owned()
                + "\n"
        );
    }
}
