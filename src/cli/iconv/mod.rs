//! The program under the name `iconv`: a replacement for glibc's iconv.
//!
//! ```text
//! words ─► getopt ─► iconv_options: IconvSettings ─┬─► encoding_list, help
//!                                                  └─► encoding_pair ─► conversion_run ─► exit status
//! ```
//!
//! Under this name, the exit statuses, the first line of each error, and the meanings of encoding names are those of
//! glibc. A second line of an error says what oxiconv knows about it. The options and rules of `oxiconv` itself, in the
//! rest of `src/cli/`, have no effect here. docs/iconv.md lists the differences from glibc.
//!
//! Tests: `tests/iconv/matrix` records the results of more than 600 calls of glibc's iconv (`ci/iconv --record` writes
//! it, never this program). `tests/iconv.rs` repeats the calls, and `tests/iconv/known` has each result that differs,
//! with its reason. `ci/iconv` compares with the installed iconv, and `ci/debian-scripts` runs scripts from Debian with
//! either.

mod conversion_run;
mod encoding_list;
mod encoding_pair;
mod getopt;
mod iconv_options;
mod late_file;
mod stderr;

use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use oxiconv_os::{Locale, expand_wildcards, is_broken_pipe, write_stdout};
use oxiconv_report::visible_path;
use oxiconv_transcode::Conversion;

use self::conversion_run::IconvRun;
use self::encoding_pair::EncodingPair;
use self::iconv_options::{IconvAction, IconvSettings};
use self::stderr::{FAILURE, IconvMessages, WRONG_USAGE};
use super::output_streams::columns;
use super::signals;
use oxiconv_os::reason;

/// The names of links under which the program is iconv. Where both are installed, GNU libiconv's is called `giconv`.
const NAMES: [&str; 2] = ["iconv", "giconv"];

/// Whether the program was called by one of these names, given `argv[0]`.
pub(super) fn is_called_by(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    let name = name.as_encoded_bytes();
    let name = name.strip_suffix(EXE_SUFFIX.as_bytes()).unwrap_or(name);
    NAMES.iter().any(|iconv| name == iconv.as_bytes())
}

pub(super) fn main(mut words: impl Iterator<Item = OsString>) -> u8 {
    let program = words.next().unwrap_or_else(|| NAMES[0].into());
    let messages = IconvMessages { program: visible_path(Path::new(&program)) };
    let in_order = std::env::var_os("POSIXLY_CORRECT").is_some();
    let settings = match IconvSettings::new(words.collect(), in_order) {
        Ok(settings) => IconvSettings { files: expand_wildcards(settings.files), ..settings },
        Err(message) => {
            messages.line(&message);
            messages.see_help();
            return WRONG_USAGE;
        }
    };
    let text = match settings.action {
        IconvAction::Convert => return convert(&settings, &messages),
        IconvAction::List if io::stdout().is_terminal() => encoding_list::paragraph(columns()),
        IconvAction::List => encoding_list::lines(),
        IconvAction::Help => iconv_options::help(),
        IconvAction::Usage => iconv_options::usage(),
        IconvAction::Version => format!("iconv (oxiconv) {}\n", env!("CARGO_PKG_VERSION")),
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

/// Returns the conversion that a command line asks for, or `None` if it asks for a list or for help. For fuzzing.
///
/// # Errors
///
/// The first message.
pub(super) fn conversion(
    words: Vec<OsString>,
    in_order: bool,
    locale: &Locale,
) -> Result<Option<Conversion>, String> {
    let settings = IconvSettings::new(words, in_order)?;
    if settings.action != IconvAction::Convert {
        return Ok(None);
    }
    let pair = EncodingPair::new(&settings.from, &settings.to, &locale.charset)
        .map_err(|error| [error.first_line(), error.note()].join("\n"))?;
    pair.conversion(&settings, locale).map(Some)
}

fn convert(settings: &IconvSettings, messages: &IconvMessages) -> u8 {
    let locale = Locale::of_environment();
    let pair = match EncodingPair::new(&settings.from, &settings.to, &locale.charset) {
        Ok(pair) => pair,
        Err(error) => {
            messages.line(&error.first_line());
            messages.note(&error.note());
            messages.see_help();
            return FAILURE;
        }
    };
    match pair.conversion(settings, &locale) {
        Ok(conversion) => IconvRun::new(settings, &conversion, messages).status(),
        Err(message) => {
            messages.line(&message);
            FAILURE
        }
    }
}
