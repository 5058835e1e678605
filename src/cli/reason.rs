//! Errors of the system, in words for people.

use std::io;

/// Returns the system's message, without the error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}
