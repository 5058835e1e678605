//! The program under the name `iconv`: glibc's iconv, case by case.
//!
//! ```text
//! words ─► getopt ─► options: Settings ─┬─► list, help
//!                                       └─► names: encodings, suffixes, locale ─► run ─► exit status
//! ```
//!
//! Under this name, exit statuses, the first line of each error, and the meaning of unmarked names are those of glibc.
//! A second line says what oxiconv knows about the error. Nothing else of `src/cli/` decides anything here.
//! docs/iconv.md lists the differences.
//!
//! `tests/iconv/matrix` records what glibc's iconv did in more than 600 calls; `ci/iconv --record` wrote it, never this
//! program. `tests/iconv.rs` makes these calls, and `tests/iconv/known` has each result that differs, with its reason.
//! `ci/iconv` compares with the installed iconv too, and `ci/debian-scripts` runs scripts of Debian with either
//! program.

mod getopt;
mod list;
mod messages;
mod names;
mod options;
mod output;
mod run;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use oxiconv_report::visible_path;
use oxiconv_transcode::Conversion;
use oxiconv_transcode::io::{Locale, write_stdout};

use self::messages::{FAILURE, Messages, WRONG_USAGE};
use self::names::Pair;
use self::options::{Action, Settings};
use self::run::Run;
use super::console::reason;
use super::exit_status::is_broken_pipe;
use super::output_streams::columns;
use super::signals;

/// The names of links under which the program is iconv; GNU libiconv's is `giconv` where both are installed.
const NAMES: [&str; 2] = ["iconv", "giconv"];

/// Whether the program was called by one of these names. `program` is the first word of the command line.
pub(super) fn is_called_by(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    NAMES.iter().any(|iconv| name == *iconv)
}

/// Runs the program as iconv.
pub(super) fn main(mut words: impl Iterator<Item = OsString>) -> u8 {
    let program = words.next().unwrap_or_else(|| NAMES[0].into());
    let messages = Messages { program: visible_path(Path::new(&program)) };
    let in_order = std::env::var_os("POSIXLY_CORRECT").is_some();
    let settings = match Settings::new(words.collect(), in_order) {
        Ok(settings) => settings,
        Err(message) => {
            messages.line(&message);
            messages.see_help();
            return WRONG_USAGE;
        }
    };
    let text = match settings.action {
        Action::Convert => return convert(&settings, &messages),
        Action::List if io::stdout().is_terminal() => list::paragraph(columns()),
        Action::List => list::lines(),
        Action::Help => options::help(),
        Action::Usage => options::usage(),
        Action::Version => format!("iconv (oxiconv) {}\n", env!("CARGO_PKG_VERSION")),
    };
    match write_stdout(text.as_bytes()) {
        Ok(()) => 0,
        Err(error) => {
            if is_broken_pipe(&error) {
                signals::end_as_by_closed_pipe();
            }
            messages.line(&format!("error while closing output file: {}", reason(&error)));
            FAILURE
        }
    }
}

/// Returns the conversion that the words of a command line ask for, if they ask for one.
///
/// # Errors
///
/// The first message.
pub(super) fn conversion(
    words: Vec<OsString>,
    in_order: bool,
    locale: &Locale,
) -> Result<Option<Conversion>, String> {
    let settings = Settings::new(words, in_order)?;
    if settings.action != Action::Convert {
        return Ok(None);
    }
    let pair = Pair::new(&settings.from, &settings.to, &locale.charset)
        .map_err(|error| [error.first_line(), error.note()].join("\n"))?;
    pair.conversion(&settings, locale).map(Some)
}

fn convert(settings: &Settings, messages: &Messages) -> u8 {
    let locale = Locale::of_environment();
    let pair = match Pair::new(&settings.from, &settings.to, &locale.charset) {
        Ok(pair) => pair,
        Err(error) => {
            messages.line(&error.first_line());
            messages.note(&error.note());
            messages.see_help();
            return FAILURE;
        }
    };
    match pair.conversion(settings, &locale) {
        Ok(conversion) => Run::new(settings, &conversion, messages).status(),
        Err(message) => {
            messages.line(&message);
            FAILURE
        }
    }
}
