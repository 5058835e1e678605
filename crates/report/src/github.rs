//! The github format: workflow commands, which GitHub shows as annotations on lines.
//!
//! ```text
//! ::error file=notes.txt,line=3,col=14,title=oxiconv truncated::E2 82 at byte 419 (0x1a3): E2 82 begins …
//! ```
//!
//! The message does not repeat the path, the line and the column: GitHub shows them next to it.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::diagnosis::{Diagnosis, FindingFormat, Guessed};
use super::fix_row::{FixOutcome, FixRow, fix_totals};
use super::json_path::base64;
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Subject, Task, TextReporter,
};
use super::run_totals::RunTotals;
use super::text::{DEFAULT_MAX_FINDINGS, words};
use super::visible::{visible, visible_path};
use oxiconv_os::slashed;
use oxiconv_transcode::diagnostic::{Detail, Finding, Severity};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "github",
    help: "GitHub workflow annotations",
    new: |options| Box::new(GithubFormat { options: *options }),
};

/// The most annotations of one level that GitHub shows per step.
const MAX_ANNOTATIONS: u64 = 10;
/// The title of a message that is not about a single finding.
const TITLE: &str = "oxiconv";

struct GithubFormat {
    options: FormatOptions,
}

impl OutputFormat for GithubFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            detail: if self.options.quiet { Detail::Findings } else { Detail::Evidence },
            most_findings: Some(DEFAULT_MAX_FINDINGS),
            has_fixes: true,
            ..FormatFacts::default()
        }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Diagnosis::new(to, Commands::new(text), limit))
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        let message = beside_path(subject, message);
        Part::Now(command(AnnotationLevel::Notice, subject.path(), None, TITLE, &message))
    }

    /// A plain line of the log: this needs no annotation.
    fn withheld(&self, file: Subject<'_>, message: &str) -> Part {
        Part::Now(format!("oxiconv: {}: {message}\n", file.label()).into_bytes())
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        let message = beside_path(file, message);
        Part::Now(command(AnnotationLevel::Error, file.path(), None, "oxiconv refused", &message))
    }

    /// A change that was made is only a notice. A proposal is a warning, because somebody has to carry it out. What is
    /// left fails the run, as a finding does, so it is an error.
    fn fixed(&self, file: Subject<'_>, row: &FixRow<'_>) -> Part {
        let (level, title) = match row.outcome() {
            FixOutcome::Left | FixOutcome::PartlyFixed => (AnnotationLevel::Error, "oxiconv left"),
            FixOutcome::Fixed if self.options.quiet => return Part::default(),
            FixOutcome::Fixed if row.is_proposed => (AnnotationLevel::Warning, "oxiconv proposal"),
            FixOutcome::Fixed => (AnnotationLevel::Notice, "oxiconv fixed"),
            FixOutcome::Right | FixOutcome::Binary => return Part::default(),
        };
        Part::Now(command(level, file.path(), None, title, &row.words()))
    }

    fn error(&self, subject: Subject<'_>, whole: &str) -> Part {
        let own = format!("{}: ", subject.label());
        let message = whole.strip_prefix(&own).filter(|_| subject.path().is_some());
        let message = message.unwrap_or(whole);
        Part::Now(command(AnnotationLevel::Error, subject.path(), None, TITLE, message))
    }

    /// Prints the counts: as a notice if anything was found, or else as a line of the log.
    fn end_run(&self, totals: &RunTotals, exit_status: u8, _: &[u8]) -> Vec<u8> {
        if self.options.quiet {
            return Vec::new();
        }
        let mut words = match totals.converted.filter(|_| self.options.task == Task::Fix) {
            Some(converted) => fix_totals(totals, converted, self.options.dry_run),
            None => totals.words(),
        };
        if exit_status == 0 {
            return format!("oxiconv: {words}\n").into_bytes();
        }
        if totals.shown + totals.refused + totals.errors > MAX_ANNOTATIONS {
            words.push_str(&format!(
                "; GitHub shows {MAX_ANNOTATIONS} annotations per step; the log has all"
            ));
        }
        command(AnnotationLevel::Notice, None, None, TITLE, &words)
    }
}

struct Commands {
    path: Option<PathBuf>,
    /// The name of a text that is not a file.
    label: Option<String>,
}

impl Commands {
    fn new(text: Subject<'_>) -> Self {
        Self {
            path: text.path().map(Path::to_owned),
            label: text.path().is_none().then(|| text.label()),
        }
    }
}

impl FindingFormat for Commands {
    fn finding(&mut self, finding: &Finding<'_>, _: Option<&Guessed<'_>>) -> Vec<u8> {
        let title = format!("oxiconv {}", finding.kind.id());
        let place = Some((finding.line, finding.column));
        let mut message = words(finding);
        if let Some(label) = &self.label {
            message = format!("{label}:{}:{}: {message}", finding.line, finding.column);
        }
        command(finding.severity().into(), self.path.as_deref(), place, &title, &message)
    }
}

/// Returns a message with its subject, unless that is the file of the command.
fn beside_path(subject: Subject<'_>, message: &str) -> String {
    match subject.path() {
        Some(_) => message.to_owned(),
        None => format!("{}: {message}", subject.label()),
    }
}

#[derive(Clone, Copy)]
enum AnnotationLevel {
    Error,
    Warning,
    Notice,
}

impl From<Severity> for AnnotationLevel {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            _ => Self::Notice,
        }
    }
}

/// Formats a command as a line, for a file and for a position in it.
fn command(
    level: AnnotationLevel,
    path: Option<&Path>,
    place: Option<(u64, u64)>,
    title: &str,
    message: &str,
) -> Vec<u8> {
    let mut command = match level {
        AnnotationLevel::Error => "::error ".to_owned(),
        AnnotationLevel::Warning => "::warning ".to_owned(),
        AnnotationLevel::Notice => "::notice ".to_owned(),
    };
    let mut message = message.to_owned();
    if let Some(path) = path {
        let (file, whole) = file(path);
        command.push_str(&format!("file={},", property(&file)));
        if !whole {
            message.push_str(&format!(" (path in base64: {})", base64(path)));
        }
    }
    if let Some((line, column)) = place {
        command.push_str(&format!("line={line},col={column},"));
    }
    format!("{command}title={}::{}\n", property(title), data(&message)).into_bytes()
}

/// Returns a path as a command can name it, and whether that is the exact path. GitHub cannot express bytes that are
/// not UTF-8, and control characters must not reach a log.
fn file(path: &Path) -> (String, bool) {
    let can_be_said = |text: &&str| {
        let one_line = text.replace(['\r', '\n'], "");
        visible(&one_line) == one_line
    };
    let bytes = slashed(path);
    match std::str::from_utf8(&bytes).ok().filter(can_be_said) {
        Some(text) => (text.strip_prefix("./").unwrap_or(text).to_owned(), true),
        None => (visible_path(path), false),
    }
}

/// Escapes the message of a command as GitHub requires.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command: as the message, plus the separators of properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_at(path: &[u8], message: &str) -> String {
        let path = PathBuf::from(oxiconv_os::name_of_bytes(path.to_vec()).unwrap());
        let bytes = command(AnnotationLevel::Error, Some(&path), Some((3, 14)), "t", message);
        String::from_utf8(bytes).unwrap()
    }

    /// The escapes are those of GitHub's own toolkit for actions: % CR LF in data; these and : , in properties.
    #[test]
    fn what_separates_the_parts_of_a_command_is_escaped() {
        assert_eq!(
            command_at(b"100%:a,b\r\nc", "50%: x, y\r\n::stop"),
            "::error file=100%25%3Aa%2Cb%0D%0Ac,line=3,col=14,title=t::50%25: x, y%0D%0A::stop\n"
        );
        assert_eq!(
            command_at("é €".as_bytes(), "é"),
            "::error file=é €,line=3,col=14,title=t::é\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_a_command_cannot_name_is_whole_in_base64() {
        // RFC 4648: 63 61 66 E9 is Y2Fm 6Q==, 1B 63 is G2M=.
        assert_eq!(
            command_at(b"caf\xE9", "m"),
            "::error file=caf\\xE9,line=3,col=14,title=t::m (path in base64: Y2Fm6Q==)\n"
        );
        assert_eq!(
            command_at(b"\x1Bc", "m"),
            "::error file=\\u{1b}c,line=3,col=14,title=t::m (path in base64: G2M=)\n"
        );
    }
}
