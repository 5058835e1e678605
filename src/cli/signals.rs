//! Signals: an interrupt leaves nothing half done and says what is complete; a closed pipe ends the program as it ends
//! `cat`.

use std::io::IsTerminal;
use std::sync::Once;

use crate::io::{
    LastWords, discard_unfinished, end_by, end_cleanly, ignore_file_size_signal, written_through,
};
use crate::report::visible_path;

use super::config::{Action, Config, Destination, JoinTarget};
use super::files::FileArg;

/// Installs handlers: from now on, a signal that ends the program first removes unfinished files, and says what is
/// complete. So do a panic and exhausted memory, because they end by SIGABRT.
pub(crate) fn clean_up_when_ended(config: &Config, inputs: &[FileArg]) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ignore_file_size_signal();
        last_words(config, inputs).set();
        end_cleanly();
    });
}

fn last_words(config: &Config, inputs: &[FileArg]) -> LastWords {
    // The terminal has shown `^C`, or a bar.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    let before = format!("{line}oxiconv: ");
    let total = inputs.len();
    // With one output, there is nothing between none and all.
    let one = |none: String, all: String| (1, none, String::new(), all);
    let (total, none, some, all) = match &config.action {
        Action::Each(_) if config.dry_run => {
            one("no file was written".into(), "no file was written".into())
        }
        Action::Each(Destination::InPlace(_)) if total == 1 => {
            let name = inputs[0].label();
            one(format!("{name} is unchanged"), format!("{name} is converted"))
        }
        Action::Each(Destination::InPlace(_)) => (
            total,
            format!("0 of {total} files converted, all unchanged"),
            format!(" of {total} files converted, the others unchanged"),
            format!("all {total} files converted"),
        ),
        Action::Each(Destination::Under(_)) => (
            total,
            format!("0 of {total} files written"),
            format!(" of {total} files written completely, the others not at all"),
            format!("all {total} files written"),
        ),
        Action::Join(JoinTarget::File(path)) => {
            let name = visible_path(path);
            let none = match path.metadata() {
                Err(_) => "is not written",
                Ok(file) if file.is_file() && written_through(path).is_none() => "is unchanged",
                Ok(_) => "is incomplete",
            };
            one(format!("{name} {none}"), format!("{name} is written"))
        }
        Action::Join(JoinTarget::Stdout) => {
            one("standard output is incomplete".into(), "standard output is complete".into())
        }
        Action::Check | Action::List(_) => (
            total,
            format!("0 of {total} files checked"),
            format!(" of {total} files checked"),
            format!("all {total} files checked"),
        ),
    };
    LastWords { before, total, none, some, all }
}

/// Ends the program by SIGPIPE, which Rust's start-up code ignores.
pub(crate) fn end_as_by_closed_pipe() {
    discard_unfinished();
    end_by(libc::SIGPIPE);
}
