//! The gitlab format: a report of GitLab Code Quality, a JSON array with one issue per finding.
//!
//! The format has nothing but issues. So messages about a file, such as errors, are issues too, on its first line.

use std::io::Write;

use oxiconv_os::slashed;
use serde::Serialize;

use super::diagnosis::{Diagnosis, FindingFormat, Guessed};
use super::fingerprint::{Fingerprints, hash};
use super::output_format::{FormatChoice, FormatFacts, OutputFormat, Part, Subject, TextReporter};
use super::relative_path::without_dot;
use super::run_totals::RunTotals;
use super::text::words;
use super::visible::{visible_json, visible_path};
use oxiconv_transcode::diagnostic::{self, Finding};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "gitlab",
    help: "One GitLab Code Quality report",
    new: |_| Box::new(GitlabFormat),
};

const SEPARATOR: &[u8] = b",";

struct GitlabFormat;

impl OutputFormat for GitlabFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts { separator: SEPARATOR, ..FormatFacts::default() }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Diagnosis::new(to, GitlabIssues::new(text), limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        b"[".to_vec()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        about_file("note", IssueSeverity::Info, subject, message)
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        about_file("refused", IssueSeverity::Major, file, message)
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        about_file("error", IssueSeverity::Critical, subject, message)
    }

    fn end_run(&self, _: &RunTotals, _: u8, _: &[u8]) -> Vec<u8> {
        b"\n]\n".to_vec()
    }
}

/// Formats a message about a file, standard input or the whole run.
fn about_file(name: &str, severity: IssueSeverity, subject: Subject<'_>, message: &str) -> Part {
    let fingerprint = format!("{}:{:016x}", path_hash(subject), hash(message.as_bytes()));
    let location = IssueLocation { path: &path(subject), lines: IssueLines { begin: 1 } };
    Part::Now(
        GitlabIssue { description: message, check_name: name, fingerprint, severity, location }
            .json(),
    )
}

struct GitlabIssues {
    path: String,
    path_hash: String,
    fingerprints: Fingerprints,
}

impl GitlabIssues {
    fn new(text: Subject<'_>) -> Self {
        Self { path: path(text), path_hash: path_hash(text), fingerprints: Fingerprints::default() }
    }
}

impl FindingFormat for GitlabIssues {
    fn finding(&mut self, finding: &Finding<'_>, _: Option<&Guessed<'_>>) -> Vec<u8> {
        let print = self.fingerprints.next(finding);
        GitlabIssue {
            description: &words(finding),
            check_name: finding.kind.id(),
            fingerprint: format!("{}:{print}", self.path_hash),
            severity: match finding.severity() {
                diagnostic::Severity::Error => IssueSeverity::Major,
                diagnostic::Severity::Warning => IssueSeverity::Minor,
                _ => IssueSeverity::Info,
            },
            location: IssueLocation { path: &self.path, lines: IssueLines { begin: finding.line } },
        }
        .json()
    }

    /// Leaves out a known finding but numbers it, so that the fingerprints of the others do not depend on a baseline.
    fn known(&mut self, finding: &Finding<'_>, _: Option<&Guessed<'_>>) -> Vec<u8> {
        self.fingerprints.next(finding);
        Vec::new()
    }
}

/// Returns the path as GitLab compares it with those of the repository, with escapes if it is not UTF-8.
fn path(subject: Subject<'_>) -> String {
    let Some(path) = subject.path().map(without_dot) else { return subject.label() };
    String::from_utf8(slashed(path).into()).unwrap_or_else(|_| visible_path(path))
}

/// Returns a hash that makes fingerprints of different files differ.
fn path_hash(subject: Subject<'_>) -> String {
    let path = subject.path().map(without_dot);
    format!("{:016x}", hash(&path.map(slashed).unwrap_or_default()))
}

/// An issue, with the members that GitLab requires.
#[derive(Serialize)]
struct GitlabIssue<'a> {
    description: &'a str,
    check_name: &'a str,
    fingerprint: String,
    severity: IssueSeverity,
    location: IssueLocation<'a>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum IssueSeverity {
    Info,
    Minor,
    Major,
    Critical,
}

#[derive(Serialize)]
struct IssueLocation<'a> {
    path: &'a str,
    lines: IssueLines,
}

#[derive(Serialize)]
struct IssueLines {
    begin: u64,
}

impl GitlabIssue<'_> {
    /// Returns the issue after its separator.
    fn json(&self) -> Vec<u8> {
        let mut text = [SEPARATOR, b"\n"].concat();
        // Neither can fail: an issue contains nothing that JSON cannot express, and the writer is memory.
        let _ = serde_json::to_writer(&mut text, self);
        visible_json(text)
    }
}
