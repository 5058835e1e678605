//! The junit format: a JUnit XML report, with a test suite of one test for each file.
//!
//! ```text
//! <testsuites> ─► <testsuite> (its counts, one <testcase>) for each file and for each message ─► </testsuites>
//! ```
//!
//! A suite states the number of its tests and failures before them. A file is one test, so its suite can be written as
//! soon as the first finding is known. Each element is complete in one event, because a format keeps no state.

use std::fmt::Write as _;
use std::io::Write;

use super::markup::escaped;
use super::output_format::{
    FormatChoice, OutputFormat, Part, Remainder, Subject, TextReporter, withheld,
};
use super::palette::Palette;
use super::printer::{FindingFormat, Printer};
use super::relative::without_dot;
use super::text::{MOST_FINDINGS, TextLines};
use super::totals::RunTotals;
use super::visible::visible_path;
use crate::diagnostic::{Finding, Summary, counted};

/// `--format junit`.
pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "junit",
    help: "One JUnit XML report, with a test per file",
    new: |_| Box::new(JunitFormat),
};

/// The class of all tests. Jenkins and GitLab group tests by it.
const CLASS: &str = "oxiconv";

/// The junit format.
struct JunitFormat;

impl OutputFormat for JunitFormat {
    fn most_findings(&self) -> Option<u64> {
        Some(MOST_FINDINGS)
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Printer::new(to, Failure::new(text), limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        let name = escaped(CLASS);
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\">\n").into()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        Part::Now(note(&name(subject), message).into())
    }

    /// Prints nothing: the failure has the number.
    fn withheld(&self, _: Subject<'_>, _: &str) -> Part {
        Part::default()
    }

    fn skipped(&self, file: Subject<'_>) -> Part {
        let content = "<skipped message=\"looks binary\"/>";
        suite(file, Outcome::Skipped, content)
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        suite(file, Outcome::Failure, &fault("failure", "refused", message))
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        suite(subject, Outcome::Error, &fault("error", "error", message))
    }

    /// Prints the test of a file whose findings have printed none: it passes if it has no findings, or if each left its
    /// mark in the output.
    fn end_file(&self, file: Subject<'_>, summary: &Summary, remainder: &Remainder) -> Part {
        let total = summary.total();
        if total > 0 && remainder.shown > 0 {
            return Part::default();
        }
        if total == summary.substituted() {
            return suite(file, Outcome::Success, "");
        }
        suite(file, Outcome::Failure, &fault("failure", "findings", &counted(total, "finding")))
    }

    fn end_run(&self, _: &RunTotals, _: u8, _: &[u8]) -> Vec<u8> {
        b"</testsuites>\n".to_vec()
    }
}

/// The failure of one text: all its findings, one line each.
struct Failure {
    name: String,
    lines: TextLines,
    /// Whether its element is open.
    is_open: bool,
}

impl Failure {
    fn new(text: Subject<'_>) -> Self {
        Self { name: name(text), lines: TextLines::new(text, Palette::default()), is_open: false }
    }
}

impl FindingFormat for Failure {
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8> {
        let line = self.lines.line(finding);
        if !self.is_open && !finding.kind.is_fault() {
            return note(&self.name, &line).into();
        }
        let line = escaped(&line);
        let mut text = String::new();
        if !self.is_open {
            self.is_open = true;
            text = Outcome::Failure.begin(&self.name);
            let kind = escaped(finding.kind.id());
            // A write to a string cannot fail.
            let _ = write!(text, "<failure type=\"{kind}\" message=\"{line}\">");
        }
        let _ = writeln!(text, "{line}");
        text.into()
    }

    fn end(&mut self, count: u64) -> Vec<u8> {
        if !self.is_open {
            return Vec::new();
        }
        let more = if count > 0 { escaped(&withheld(count)) + "\n" } else { String::new() };
        format!("{more}</failure>{END}").into()
    }
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Success,
    Failure,
    Error,
    Skipped,
}

impl Outcome {
    /// Formats the start of the suite with the test of this name.
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

/// The end of a suite with a test.
const END: &str = "</testcase></testsuite>\n";

/// Formats the suite of a file whose test has this content.
fn suite(subject: Subject<'_>, outcome: Outcome, content: &str) -> Part {
    Part::Now(format!("{}{content}{END}", outcome.begin(&name(subject))).into())
}

/// Formats a failure or an error.
fn fault(element: &str, kind: &str, message: &str) -> String {
    let message = escaped(message);
    format!("<{element} type=\"{kind}\" message=\"{message}\">{message}</{element}>")
}

/// Formats a suite without a test, which has only a message.
fn note(name: &str, message: &str) -> String {
    format!(
        "<testsuite name=\"{name}\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">\
         <system-out>{}</system-out></testsuite>\n",
        escaped(message)
    )
}

/// Returns the name of the test, escaped.
fn name(subject: Subject<'_>) -> String {
    escaped(&match subject.path() {
        Some(path) => visible_path(without_dot(path)),
        None => subject.label(),
    })
}
