//! Messages under the name iconv, and exit statuses.

use std::path::Path;

use super::super::console::Console;
use super::super::output_streams::Stream;

/// glibc's exit status for any error but that of an option.
pub(super) const FAILURE: u8 = 1;
/// glibc's exit status for a wrong option.
pub(super) const WRONG_USAGE: u8 = 64;

/// Prints messages on standard error.
pub(super) struct Messages {
    /// The name of the program, as it was called.
    pub(super) program: String,
}

impl Messages {
    /// Prints a line as iconv does, with the name of the program.
    pub(super) fn line(&self, words: &str) {
        self.text(&format!("{}: {words}\n", self.program));
    }

    /// Prints a line that iconv does not have.
    pub(super) fn note(&self, words: &str) {
        self.text(&format!("{words}\n"));
    }

    pub(super) fn see_help(&self) {
        let name = Path::new(&self.program).file_name().unwrap_or_default().to_string_lossy();
        self.note(&format!("Try `{name} --help' or `{name} --usage' for more information."));
    }

    fn text(&self, text: &str) {
        // If standard error cannot be written to, there is nobody to tell.
        let _ = Console::new(None).write(Stream::Err, text.as_bytes());
    }
}
