//! The junit format: a JUnit XML report. Each file is a test suite with one test.
//!
//! ```text
//! <testsuites> ─► <testsuite> (its counts, one <testcase>) for each file and for each message ─► </testsuites>
//! ```
//!
//! A suite states its number of tests and failures in its start tag, before the tests. With one test per suite, both
//! are known at the first finding, so nothing has to be held back. Each element is complete in one event, because a
//! format has no state.

use std::fmt::Write as _;
use std::io::Write;

use super::diagnosis::{Diagnosis, FindingFormat, Guessed};
use super::markup::escaped;
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Remainder, Subject, Task,
    TextReporter, withheld,
};
use super::palette::Palette;
use super::relative_path::without_dot;
use super::run_totals::RunTotals;
use super::text::{DEFAULT_MAX_FINDINGS, TextLines};
use super::visible::visible_path;
use crate::counted;
use crate::guess::Hint;
use oxiconv_transcode::diagnostic::{Detail, Finding, Severity, Summary};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "junit",
    help: "One JUnit XML report, with a test per file",
    new: |options| Box::new(JunitFormat::new(options)),
};

/// The class of all tests, by which Jenkins and GitLab group them.
const CLASS: &str = "oxiconv";

struct JunitFormat {
    quiet: bool,
    /// Whether there is an output in which findings can be represented.
    converts: bool,
}

impl JunitFormat {
    fn new(options: &FormatOptions) -> Self {
        Self { quiet: options.quiet, converts: options.task == Task::Convert }
    }
}

impl OutputFormat for JunitFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            detail: Detail::Evidence,
            most_findings: Some(DEFAULT_MAX_FINDINGS),
            ..FormatFacts::default()
        }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Diagnosis::new(to, JunitTest::new(text, self.quiet), limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        let name = escaped(CLASS);
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\">\n").into()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        Part::Now(note(&name(subject), message).into())
    }

    /// Prints nothing: the hint is part of the failure.
    fn hint(&self, _: Subject<'_>, _: &Hint) -> Part {
        Part::default()
    }

    /// Prints nothing: the number is part of the failure.
    fn withheld(&self, _: Subject<'_>, _: &str) -> Part {
        Part::default()
    }

    fn skipped(&self, file: Subject<'_>, why: &str) -> Part {
        let content = format!("<skipped message=\"{}\"/>", escaped(why));
        suite(file, TestOutcome::Skipped, &content)
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        suite(file, TestOutcome::Failure, &fault("failure", "refused", message))
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        suite(subject, TestOutcome::Error, &fault("error", "error", message))
    }

    /// Prints the test of a file without printed findings. It passes if each finding is represented in the output, or
    /// was meant to be removed.
    fn end_file(&self, file: Subject<'_>, summary: &Summary, remainder: &Remainder) -> Part {
        if remainder.shown > 0 {
            return Part::default();
        }
        let total = summary.total();
        let removed = summary.of_denied.of(oxiconv_transcode::diagnostic::Outcome::Dropped);
        if total == 0 || self.converts && total == summary.substituted() + removed {
            return suite(file, TestOutcome::Success, "");
        }
        suite(file, TestOutcome::Failure, &fault("failure", "findings", &counted(total, "finding")))
    }

    fn end_run(&self, _: &RunTotals, _: u8, _: &[u8]) -> Vec<u8> {
        b"</testsuites>\n".to_vec()
    }
}

/// The test of one text with findings. It fails if one of them is an error.
struct JunitTest {
    name: String,
    quiet: bool,
    lines: TextLines,
    state: TestState,
}

/// What has been printed of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TestState {
    Nothing,
    /// Messages for warnings and notes.
    Notes,
    /// The start of its failure, with all findings so far, one line each.
    Failure,
}

impl JunitTest {
    fn new(text: Subject<'_>, quiet: bool) -> Self {
        let lines = TextLines::new(text, Palette::default());
        Self { name: name(text), quiet, lines, state: TestState::Nothing }
    }
}

impl FindingFormat for JunitTest {
    fn finding(&mut self, finding: &Finding<'_>, _: Option<&Guessed<'_>>) -> Vec<u8> {
        let line = self.lines.line(finding);
        if self.state != TestState::Failure && finding.severity() < Severity::Error {
            self.state = TestState::Notes;
            return note(&self.name, &line).into();
        }
        let line = escaped(&line);
        let mut text = String::new();
        if self.state != TestState::Failure {
            self.state = TestState::Failure;
            text = TestOutcome::Failure.begin(&self.name);
            let kind = escaped(finding.kind.id());
            // A write to a string cannot fail.
            let _ = write!(text, "<failure type=\"{kind}\" message=\"{line}\">");
        }
        let _ = writeln!(text, "{line}");
        text.into()
    }

    fn end(&mut self, remainder: &Remainder) -> Vec<u8> {
        let mut lines = Vec::new();
        if !self.quiet {
            lines.extend(remainder.hint.as_ref().map(Hint::message));
            lines.extend((remainder.withheld > 0).then(|| withheld(remainder.withheld)));
        }
        match self.state {
            TestState::Nothing => Vec::new(),
            TestState::Notes => {
                let notes = lines.iter().map(|line| note(&self.name, line));
                (notes.collect::<String>() + &TestOutcome::Success.begin(&self.name) + END).into()
            }
            TestState::Failure => {
                let lines: String = lines.iter().map(|line| escaped(line) + "\n").collect();
                format!("{lines}</failure>{END}").into()
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TestOutcome {
    Success,
    Failure,
    Error,
    Skipped,
}

impl TestOutcome {
    /// Formats the start of a suite and of its only test.
    fn begin(self, name: &str) -> String {
        let count = |outcome| u8::from(self == outcome);
        format!(
            "<testsuite name=\"{name}\" tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\
             <testcase classname=\"{}\" name=\"{name}\">",
            count(Self::Failure),
            count(Self::Error),
            count(Self::Skipped),
            escaped(CLASS),
        )
    }
}

const END: &str = "</testcase></testsuite>\n";

/// Formats the suite of a file whose test has this content.
fn suite(subject: Subject<'_>, outcome: TestOutcome, content: &str) -> Part {
    Part::Now(format!("{}{content}{END}", outcome.begin(&name(subject))).into())
}

fn fault(element: &str, kind: &str, message: &str) -> String {
    let message = escaped(message);
    format!("<{element} type=\"{kind}\" message=\"{message}\">{message}</{element}>")
}

/// Formats a suite that has a message and no test.
fn note(name: &str, message: &str) -> String {
    format!(
        "<testsuite name=\"{name}\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">\
         <system-out>{}</system-out></testsuite>\n",
        escaped(message)
    )
}

fn name(subject: Subject<'_>) -> String {
    escaped(&match subject.path() {
        Some(path) => visible_path(without_dot(path)),
        None => subject.label(),
    })
}
