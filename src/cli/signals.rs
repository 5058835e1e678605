//! Signals: an interrupt leaves nothing half done and says what is complete; a closed pipe ends the program as it ends
//! `cat`.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Once;

use oxiconv_report::visible_path;
use oxiconv_transcode::io::{
    LastWords, discard_unfinished, end_by, end_cleanly, ignore_file_size_signal, written_through,
};

use super::baseline::BaselineFile;
use super::config::{Config, EachTarget, JoinTarget, RunAction};
use super::files::FileArg;

/// What is complete when a signal ends the program: the number of outputs, and the words if none is, after the number
/// of those that are, and if all are.
pub(crate) type Completeness = (usize, String, String, String);

/// Installs handlers: from now on, a signal that ends the program first removes unfinished files, and says what is
/// complete of this many inputs. So do a panic and exhausted memory, because they end by SIGABRT.
pub(crate) fn clean_up_when_ended(config: &Config, inputs: usize, first: Option<&FileArg>) {
    clean_up("oxiconv", words(config, inputs, first));
}

/// The same while inputs are still searched for.
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

/// Sets the number of inputs, once all are found.
pub(crate) fn all_found(config: &Config, inputs: usize) {
    if checked_files(config) {
        set_words("oxiconv", words(config, inputs, None));
    }
}

/// Whether what a run completes is that it checked files.
fn checked_files(config: &Config) -> bool {
    matches!(config.action, RunAction::Check | RunAction::Detect)
        && !matches!(config.findings.baseline, Some(BaselineFile::Write(_)))
}

/// The same for a program of this name.
pub(crate) fn clean_up(program: &str, words: Completeness) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ignore_file_size_signal();
        set_words(program, words);
        end_cleanly();
    });
}

/// Sets what is said when a signal ends the program.
pub(crate) fn set_words(program: &str, (total, none, some, all): Completeness) {
    // The terminal has shown `^C`, or a bar.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    LastWords { before: format!("{line}{program}: "), total, none, some, all }.set();
}

/// The words for one output: there is nothing between none and all.
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
        RunAction::Join(target) => words_of_join(target),
        RunAction::Names(_) => words_of_names(None),
        RunAction::Check | RunAction::Detect => match &config.findings.baseline {
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

/// The words for names, of which this many are to be changed; `None` if they are only shown.
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

/// The words for all inputs in one output.
pub(crate) fn words_of_join(target: &JoinTarget) -> Completeness {
    match target {
        JoinTarget::File(path) => words_of_file(path),
        JoinTarget::Stdout => {
            one("standard output is incomplete".into(), "standard output is complete".into())
        }
    }
}

/// The words for one output file.
fn words_of_file(path: &Path) -> Completeness {
    let name = visible_path(path);
    let none = match path.metadata() {
        Err(_) => "is not written",
        Ok(file) if file.is_file() && written_through(path).is_none() => "is unchanged",
        Ok(_) => "is incomplete",
    };
    one(format!("{name} {none}"), format!("{name} is written"))
}

/// Ends the program by SIGPIPE, which Rust's start-up code ignores.
pub(crate) fn end_as_by_closed_pipe() {
    discard_unfinished();
    end_by(libc::SIGPIPE);
}
