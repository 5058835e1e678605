//! Messages of operating system errors, without what only programmers want to know.

use std::io;

/// ERROR_SHARING_VIOLATION of Windows, whose message speaks of processes. Elsewhere the number has another meaning.
const IN_USE: i32 = 32;

/// Returns the system's message, without ` (os error 13)`, and without the full stop that ends it on Windows: the
/// message goes into a sentence of the program.
pub fn reason(error: &io::Error) -> String {
    if cfg!(windows) && error.raw_os_error() == Some(IN_USE) {
        return "another program has the file open".to_owned();
    }
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].strip_suffix('.').unwrap_or(&words[..end]).to_owned(),
        None => words,
    }
}
