//! Messages of operating system errors, without what only programmers want to know.

use std::io;

/// Errors of Windows whose messages say less: ERROR_SHARING_VIOLATION and ERROR_INVALID_NAME, which is also that of a
/// wildcard.
const WORDS: [(i32, &str); 2] =
    [(32, "another program has the file open"), (123, "no file matches, or the name is not valid")];

/// Returns the system's message, without ` (os error 13)`, and without the full stop that ends it on Windows: the
/// message goes into a sentence of the program.
pub fn reason(error: &io::Error) -> String {
    if cfg!(windows)
        && let Some(code) = error.raw_os_error()
        && let Some((_, words)) = WORDS.iter().find(|(known, _)| *known == code)
    {
        return (*words).to_owned();
    }
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].strip_suffix('.').unwrap_or(&words[..end]).to_owned(),
        None => words,
    }
}
