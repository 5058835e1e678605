//! The messages of iconv on standard error, and its exit statuses.

use std::path::Path;

use super::super::console::Console;
use super::super::output_streams::Stream;

/// glibc's exit status for any error except a wrong option.
pub(super) const FAILURE: u8 = 1;
/// glibc's exit status for a wrong option.
pub(super) const WRONG_USAGE: u8 = 64;

pub(super) struct IconvMessages {
    /// The name by which the program was called, for the start of each message.
    pub(super) program: String,
}

impl IconvMessages {
    /// Prints a message that iconv has, after the name of the program.
    pub(super) fn line(&self, words: &str) {
        self.text(&format!("{}: {words}\n", self.program));
    }

    /// Prints an additional line that iconv does not have.
    pub(super) fn note(&self, words: &str) {
        self.text(&format!("{words}\n"));
    }

    pub(super) fn see_help(&self) {
        let name = Path::new(&self.program).file_name().unwrap_or_default().to_string_lossy();
        self.note(&format!("Try `{name} --help' or `{name} --usage' for more information."));
    }

    fn text(&self, text: &str) {
        // There is no other place to report that standard error cannot be written.
        let _ = Console::new(None).write(Stream::Err, text.as_bytes());
    }
}
