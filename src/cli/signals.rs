//! Signals: an interrupt leaves nothing half done and says what is whole, and a closed pipe ends the program as it ends
//! `cat`.

use std::io::IsTerminal;
use std::sync::Once;

use oxiconv::io::{LastWords, discard_unfinished, end_by, end_cleanly, ignore_file_size_signal};
use oxiconv::report::visible_path;

use super::config::{Action, Config, JoinTarget, Place};
use super::files::FileArg;

/// From here on, a signal that ends the program first removes what it has begun to write, and says what is whole. So do a
/// panic and memory that is used up: they end by SIGABRT.
pub(crate) fn clean_up_when_ended(config: &Config, inputs: &[FileArg]) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ignore_file_size_signal();
        last_words(config, inputs).set();
        end_cleanly();
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            report(panic);
            std::process::abort();
        }));
    });
}

fn last_words(config: &Config, inputs: &[FileArg]) -> LastWords {
    // A terminal has shown `^C`, or a bar.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    let before = format!("{line}oxiconv: ");
    let total = inputs.len();
    let several = |none: String, some: String, all: String| LastWords {
        before: before.clone(),
        total,
        none,
        some,
        all,
    };
    let one = total == 1;
    let name = || inputs.first().map(FileArg::label).unwrap_or_default();
    match &config.action {
        Action::Each(_) if config.dry_run => several(
            "no file was written".into(),
            " files were written".into(),
            "no file was written".into(),
        ),
        Action::Each(Place::InPlace(_)) if one => several(
            format!("{} is as it was", name()),
            String::new(),
            format!("{} is converted", name()),
        ),
        Action::Each(Place::InPlace(_)) => several(
            format!("0 of {total} files are converted, all are as they were"),
            format!(" of {total} files are converted, the others are as they were"),
            format!("all {total} files are converted"),
        ),
        Action::Each(Place::Under(_)) => several(
            format!("0 of {total} files are written"),
            format!(" of {total} files are written whole, the others are not written"),
            format!("all {total} files are written"),
        ),
        Action::Join(JoinTarget::File(path)) => {
            let label = visible_path(path);
            let none = if path.is_file() {
                format!("{label} is as it was")
            } else {
                format!("{label} does not have the whole text")
            };
            LastWords {
                before,
                total: 1,
                none,
                some: String::new(),
                all: format!("{label} is written"),
            }
        }
        Action::Join(JoinTarget::Stdout) => LastWords {
            before,
            total: 1,
            none: "standard output does not have the whole text".into(),
            some: String::new(),
            all: "standard output has the whole text".into(),
        },
        Action::Check | Action::List => several(
            format!("0 of {total} files are checked"),
            format!(" of {total} files are checked"),
            format!("all {total} files are checked"),
        ),
    }
}

/// Ends the program by SIGPIPE, which Rust's start-up code had ignored.
pub(crate) fn end_as_by_closed_pipe() {
    discard_unfinished();
    end_by(libc::SIGPIPE);
}
