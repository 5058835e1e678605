//! Escapes names and text for one line on a terminal, so that nothing in a file can move the cursor, change colours or
//! hide.

use std::fmt::Write;
use std::path::Path;

use oxiconv_encodings::unicode::is_unprintable;

/// Returns `text` with escapes for what must not reach a terminal: see [`is_unprintable`].
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c.into()) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns JSON with the same characters as JSON escapes. Its meaning does not change.
pub(super) fn visible_json(json: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&json) {
        Ok(text) if text.chars().any(hides_in_json) => {
            let mut shown = String::with_capacity(text.len());
            for c in text.chars() {
                if hides_in_json(c) {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        // A write to a string cannot fail.
                        let _ = write!(shown, "\\u{unit:04x}");
                    }
                } else {
                    shown.push(c);
                }
            }
            shown.into_bytes()
        }
        _ => json,
    }
}

/// Whether JSON may contain `c` unescaped inside strings, although a terminal must not receive it. JSON escapes
/// controls below U+0020 itself, and outside strings they are line ends.
fn hides_in_json(c: char) -> bool {
    c >= '\u{7F}' && is_unprintable(c.into())
}

/// Returns a path on one line. Bytes that are not UTF-8 are shown as `\xE9`.
pub fn visible_path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&visible(chunk.valid()));
        for byte in chunk.invalid() {
            // A write to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02X}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::ffi::OsStr;
    #[cfg(unix)]
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn json_says_the_same_and_shows_no_control() {
        assert_eq!(
            visible_json("\"a\u{9B}\u{7F}\u{202E}\u{200B}\u{E0041}é\"\n".into()),
            "\"a\\u009b\\u007f\\u202e\\u200b\\udb40\\udc41é\"\n".as_bytes()
        );
    }

    #[cfg(unix)]
    #[test]
    fn nothing_that_moves_the_cursor_or_turns_the_line_is_left() {
        assert_eq!(
            visible("a\x1b[31mb\nc\u{9b}d\u{202E}é€\u{AD}\u{200B}\u{2028}\u{E0041}"),
            "a\\u{1b}[31mb\\u{a}c\\u{9b}d\\u{202e}é€\\u{ad}\\u{200b}\\u{2028}\\u{e0041}"
        );
        assert_eq!(visible_path(Path::new(OsStr::from_bytes(b"caf\xE9\x07"))), "caf\\xE9\\u{7}");
    }
}
