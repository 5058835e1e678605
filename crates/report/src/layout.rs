//! Text layout for the width of a terminal. Columns are counted as terminals do: ideographs take two, combining marks
//! none.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

use oxiconv_encodings::unicode::{CodePoint, is_unprintable};

/// Columns for words, even if the terminal is narrower.
const MIN_WORD_COLUMNS: usize = 8;

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Wraps words into lines of at most `columns`. The first line begins with `lead`, and the others are indented by its
/// width. A word longer than a line is broken. Two spaces in a row are kept inside a line, since a file name may
/// contain them.
pub(super) fn wrap(lead: &str, words: &str, columns: usize) -> String {
    if width(lead) + width(words) <= columns {
        return format!("{}\n", format!("{lead}{words}").trim_end());
    }
    let indent = " ".repeat(width(lead));
    let options = Options::new(columns.max(indent.len() + MIN_WORD_COLUMNS))
        .initial_indent(lead)
        .subsequent_indent(&indent)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(words, options).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns a character as a cell of a line: itself if it is visible and does not move the cursor, or else an escape.
pub(super) fn cell(cp: CodePoint) -> String {
    match char::from_u32(cp) {
        Some('\t') => "\\t".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\0') => "\\0".to_owned(),
        Some(c) if !is_unprintable(cp) => c.to_string(),
        _ => format!("\\u{{{cp:x}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines_and_no_line_is_too_long() {
        assert_eq!(wrap("ab  ", "one two three four", 12), "ab  one two\n    three\n    four\n");
        assert_eq!(wrap("ab  ", "", 12), "ab\n");
        assert_eq!(wrap("", "0123456789abcdef", 10), "0123456789\nabcdef\n");
        // A file name may contain two blanks.
        assert_eq!(wrap("", "one two  three", 12), "one two\nthree\n");
        assert_eq!(wrap("", "a  b c", 12), "a  b c\n");
        // Each of these takes two columns.
        assert_eq!(
            wrap("", "\u{4E2D}\u{6587}\u{5B57} \u{4E2D}", 8),
            "\u{4E2D}\u{6587}\u{5B57}\n\u{4E2D}\n"
        );
    }

    #[test]
    fn what_does_not_show_is_an_escape() {
        for (cp, expected) in [
            (0x41, "A"),
            (0xE9, "é"),
            (0x1B, "\\u{1b}"),
            (0x9B, "\\u{9b}"),
            (0x09, "\\t"),
            (0x202E, "\\u{202e}"),
            (0x2028, "\\u{2028}"),
            (0xAD, "\\u{ad}"),
            (0xFE0F, "\\u{fe0f}"),
            (0xE_0041, "\\u{e0041}"),
            (0xFEFF, "\\u{feff}"),
            (0xFFFF, "\\u{ffff}"),
            (0xD800, "\\u{d800}"),
            (0x11_0000, "\\u{110000}"),
        ] {
            assert_eq!(cell(cp), expected);
        }
    }
}
