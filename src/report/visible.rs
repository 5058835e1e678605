//! Names and text made fit for one line on a terminal: nothing that moves the cursor, nothing that hides.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `text` with control characters and those that change the direction of writing shown as escapes.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_directional(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// JSON with the same characters escaped as JSON does it: it says what it said, and a terminal may show it.
#[cfg(feature = "formats")]
pub(super) fn visible_json(json: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&json) {
        Ok(text) if text.chars().any(hides_in_json) => {
            let mut shown = String::with_capacity(text.len());
            for c in text.chars() {
                if hides_in_json(c) {
                    // Writing to a string cannot fail. All of them are in the Basic Multilingual Plane.
                    let _ = write!(shown, "\\u{:04x}", u32::from(c));
                } else {
                    shown.push(c);
                }
            }
            shown.into_bytes()
        }
        _ => json,
    }
}

/// Those that JSON has raw, and inside strings only: other controls it escapes by itself, or has as line ends.
#[cfg(feature = "formats")]
const fn hides_in_json(c: char) -> bool {
    matches!(c, '\u{7F}'..='\u{9F}') || is_directional(c)
}

/// The controls of bidirectional text, which could make a name look like another one.
const fn is_directional(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A path on one line. Bytes that are not UTF-8 are shown as `\xE9`.
pub fn visible_path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        shown.push_str(&visible(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02X}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[cfg(feature = "formats")]
    #[test]
    fn json_says_the_same_and_shows_no_control() {
        assert_eq!(
            visible_json("\"a\u{9B}\u{7F}\u{202E}é\"\n".into()),
            "\"a\\u009b\\u007f\\u202eé\"\n".as_bytes()
        );
    }

    #[test]
    fn nothing_that_moves_the_cursor_or_turns_the_line_is_left() {
        assert_eq!(
            visible("a\x1b[31mb\nc\u{9b}d\u{202E}é€"),
            "a\\u{1b}[31mb\\u{a}c\\u{9b}d\\u{202e}é€"
        );
        assert_eq!(visible_path(Path::new(OsStr::from_bytes(b"caf\xE9\x07"))), "caf\\xE9\\u{7}");
    }
}
