//! Messages of operating system errors, without what only programmers want to know.

use std::io;

/// Returns the system's message, without ` (os error 13)`.
pub(crate) fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}
