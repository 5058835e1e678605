//! Messages of operating system errors, without what only programmers want to know.

use std::io;

/// Returns the system's message, without ` (os error 13)`, and without the full stop that ends it on Windows: the
/// message goes into a sentence of the program.
pub fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].strip_suffix('.').unwrap_or(&words[..end]).to_owned(),
        None => words,
    }
}
