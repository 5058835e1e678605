//! Signals. An interrupt removes unfinished files and prints a line that says what is complete. A closed pipe ends the
//! program silently, as it ends `cat`.
//!
//! The handler in the library may only call async-signal-safe functions, so it cannot format a message. All variants of
//! the line are therefore formatted in advance, and the handler chooses one by the number of complete outputs.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Once;

use oxiconv_os::{end_by_closed_pipe, ignore_file_size_signal};
use oxiconv_report::visible_path;
use oxiconv_transcode::io::{LastWords, discard_unfinished, end_cleanly, written_through};

use super::baseline::BaselineFile;
use super::config::{Config, EachTarget, JoinTarget, RunAction};
use super::files::FileArg;

/// The total number of outputs, and the three messages among which the handler chooses by the number that are complete:
/// for none, for some, and for all. The second one follows the number: `3 of 7 files checked`.
pub(crate) type Completeness = (usize, String, String, String);

/// Installs handlers: from now on, a signal that ends the program first removes unfinished files and prints what is
/// complete of this many inputs. So do a panic and exhausted memory, because they end by SIGABRT.
pub(crate) fn clean_up_when_ended(config: &Config, inputs: usize, first: Option<&FileArg>) {
    clean_up("oxiconv", words(config, inputs, first));
}

/// Does the same while inputs are still being searched for. Their number is not known yet, and `usize::MAX` is never
/// reached, so the third message is never used.
pub(crate) fn clean_up_while_searching(config: &Config) {
    let words = match checked_files(config) {
        true => (
            usize::MAX,
            "0 checked so far; not all files were found yet".to_owned(),
            " checked so far; not all files were found yet".to_owned(),
            String::new(),
        ),
        false => words(config, 0, None),
    };
    clean_up("oxiconv", words);
}

/// Updates the messages with the number of inputs, once all are found.
pub(crate) fn all_found(config: &Config, inputs: usize) {
    if checked_files(config) {
        set_words("oxiconv", words(config, inputs, None));
    }
}

/// Whether the run only checks files, so that the number of files checked is what it has completed.
fn checked_files(config: &Config) -> bool {
    matches!(config.action, RunAction::Check | RunAction::Detect(_))
        && !matches!(config.findings.baseline, Some(BaselineFile::Write(_)))
}

/// Installs the handlers once, with these messages, for a program of this name.
pub(crate) fn clean_up(program: &str, words: Completeness) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ignore_file_size_signal();
        set_words(program, words);
        end_cleanly();
    });
}

pub(crate) fn set_words(program: &str, (total, none, some, all): Completeness) {
    // A terminal has echoed `^C`, or shows the progress bar. The message begins on a line of its own.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    LastWords { before: format!("{line}{program}: "), total, none, some, all }.set();
}

/// Returns the messages for a single output, which is either complete or not.
fn one(none: String, all: String) -> Completeness {
    (1, none, String::new(), all)
}

fn words(config: &Config, total: usize, first: Option<&FileArg>) -> Completeness {
    match &config.action {
        RunAction::Each(_) if config.writing.dry_run => {
            one("no file was written".into(), "no file was written".into())
        }
        RunAction::Each(EachTarget::InPlace(_)) => match first.filter(|_| total == 1) {
            Some(file) => {
                let name = file.label();
                one(format!("{name} is unchanged"), format!("{name} is converted"))
            }
            None => (
                total,
                format!("0 of {total} files converted, all unchanged"),
                format!(" of {total} files converted, the others unchanged"),
                format!("all {total} files converted"),
            ),
        },
        RunAction::Each(EachTarget::Under(_)) => (
            total,
            format!("0 of {total} files written"),
            format!(" of {total} files written completely, the others not at all"),
            format!("all {total} files written"),
        ),
        RunAction::Fix(_) if config.writing.dry_run => {
            one("no file was written".into(), "no file was written".into())
        }
        RunAction::Fix(_) => (
            usize::MAX,
            "no file was changed".to_owned(),
            " fixed, the others unchanged".to_owned(),
            String::new(),
        ),
        RunAction::Join(target) => words_of_join(target),
        RunAction::Names(_) => words_of_names(None),
        RunAction::Check | RunAction::Detect(_) => match &config.findings.baseline {
            Some(BaselineFile::Write(path)) => words_of_file(path),
            _ => (
                total,
                format!("0 of {total} files checked"),
                format!(" of {total} files checked"),
                format!("all {total} files checked"),
            ),
        },
    }
}

/// Returns the messages for renaming this many files; `None` if the new names are only shown.
pub(crate) fn words_of_names(changed: Option<usize>) -> Completeness {
    let Some(total) = changed else {
        return one("no name was changed".into(), "no name was changed".into());
    };
    (
        total,
        format!("0 of {total} names changed"),
        format!(" of {total} names changed, the others not"),
        format!("all {total} names changed"),
    )
}

pub(crate) fn words_of_join(target: &JoinTarget) -> Completeness {
    match target {
        JoinTarget::File(path) => words_of_file(path),
        JoinTarget::Stdout => {
            one("standard output is incomplete".into(), "standard output is complete".into())
        }
    }
}

/// Returns the messages for one output file. A regular file is replaced, so it is unchanged until it is complete; a
/// device or a pipe is written to.
fn words_of_file(path: &Path) -> Completeness {
    let name = visible_path(path);
    let none = match path.metadata() {
        Err(_) => "is not written",
        Ok(file) if file.is_file() && written_through(path).is_none() => "is unchanged",
        Ok(_) => "is incomplete",
    };
    one(format!("{name} {none}"), format!("{name} is written"))
}

/// Ends the program by SIGPIPE, so that a shell sees the same status as with `cat`. The signal is ignored until then,
/// so that a closed pipe is an error of `write` like others, and unfinished files can be removed first.
pub(crate) fn end_as_by_closed_pipe() {
    discard_unfinished();
    end_by_closed_pipe();
}
