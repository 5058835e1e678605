//! Writes a unified diff for a terminal. Nothing in a file can move the cursor, change colours or hide: what must not
//! reach a terminal is escaped, and with colours an escape is shown in reverse, so that it is not mistaken for text.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::path::MAIN_SEPARATOR;

use oxiconv_encodings::unicode::is_unprintable;

use super::line_changes::{LineChange, LineChanges, take_line};

/// Lines that are shown before and after a change.
const CONTEXT: usize = 3;

/// The text is written once it has this many bytes.
const FLUSH_BYTES: usize = 32 << 10;

// The control sequences (ECMA-48) that begin and end the style of a line, and reverse video in it.
const BOLD: &str = "\x1B[1m";
const CYAN: &str = "\x1B[36m";
const RED: &str = "\x1B[31m";
const GREEN: &str = "\x1B[32m";
const PLAIN: &str = "";
const RESET: &str = "\x1B[0m";
const REVERSE: &str = "\x1B[7m";
const POSITIVE: &str = "\x1B[27m";

pub(super) struct DiffPage<'a> {
    out: &'a mut dyn Write,
    text: String,
    coloured: bool,
    /// Whether the text so far ends with an escape.
    is_escape: bool,
    /// The first error of `out`. Nothing is written after it.
    error: Option<io::Error>,
}

impl<'a> DiffPage<'a> {
    pub(super) fn new(coloured: bool, out: &'a mut dyn Write) -> Self {
        Self { out, text: String::new(), coloured, is_escape: false, error: None }
    }

    /// Writes the two lines that name the file, as git does: below `a/` and `b/`, and with a tab after a name in which
    /// there is a blank, so that programs that read diffs see where it ends.
    pub(super) fn header(&mut self, label: &str) {
        let label = label.replace(MAIN_SEPARATOR, "/");
        let name = label.strip_prefix("./").unwrap_or(&label).trim_start_matches('/');
        let end = if name.contains(' ') { "\t" } else { "" };
        for side in ["--- a/", "+++ b/"] {
            self.line(BOLD, &[side, name, end]);
        }
    }

    /// Writes a line about the file.
    pub(super) fn note(&mut self, words: &[&str]) {
        self.line(CYAN, words);
    }

    fn line(&mut self, style: &str, parts: &[&str]) {
        self.style(style);
        self.text.extend(parts.iter().copied());
        self.end_line(style);
    }

    fn style(&mut self, style: &str) {
        self.text.push_str(if self.coloured { style } else { PLAIN });
    }

    fn end_line(&mut self, style: &str) {
        self.escapes(false);
        self.style(if style == PLAIN { PLAIN } else { RESET });
        self.text.push('\n');
    }

    /// Begins or ends a row of escapes.
    fn escapes(&mut self, begins: bool) {
        if self.is_escape != begins {
            self.is_escape = begins;
            self.style(if begins { REVERSE } else { POSITIVE });
        }
    }

    /// Writes the hunks. Changes with at most six lines between them are in one.
    pub(super) fn hunks(&mut self, old: &[u8], new: &[u8]) {
        let changes = LineChanges::between(old, new);
        let (mut old, mut new) = (old, new);
        let (mut at, mut at_new) = (0, 0);
        let mut next = changes.next(0, 0);
        while let Some(mut hunk) = next {
            next = changes.next(hunk.old.end, hunk.new.end);
            while let Some(change) =
                next.take_if(|change| change.old.start - hunk.old.end <= 2 * CONTEXT)
            {
                (hunk.old.end, hunk.new.end) = (change.old.end, change.new.end);
                next = changes.next(hunk.old.end, hunk.new.end);
            }
            hunk = with_context(hunk, changes.removed.len());
            self.note(&["@@ -", &shown(&hunk.old), " +", &shown(&hunk.new), " @@"]);
            while at < hunk.old.start {
                // The same in both.
                take_line(&mut old);
                take_line(&mut new);
                (at, at_new) = (at + 1, at_new + 1);
            }
            while at < hunk.old.end || at_new < hunk.new.end {
                if at < hunk.old.end && changes.removed[at] {
                    self.line_of_file("-", RED, take_line(&mut old));
                    at += 1;
                    continue;
                }
                let line = take_line(&mut new);
                if changes.added[at_new] {
                    self.line_of_file("+", GREEN, line);
                } else {
                    self.line_of_file(" ", PLAIN, line);
                    take_line(&mut old);
                    at += 1;
                }
                at_new += 1;
            }
        }
    }

    fn line_of_file(&mut self, sign: &str, style: &str, line: &[u8]) {
        let text = line.strip_suffix(b"\n");
        self.style(style);
        self.text.push_str(sign);
        for chunk in text.unwrap_or(line).utf8_chunks() {
            for c in chunk.valid().chars() {
                self.character(c);
                self.flush_at(FLUSH_BYTES);
            }
            for byte in chunk.invalid() {
                self.escapes(true);
                // A write to a string cannot fail.
                let _ = write!(self.text, "\\x{byte:02X}");
            }
            self.flush_at(FLUSH_BYTES);
        }
        self.end_line(style);
        if text.is_none() {
            self.line(PLAIN, &["\\ No newline at end of file"]);
        }
        self.flush_at(FLUSH_BYTES);
    }

    fn character(&mut self, c: char) {
        let is_escaped = c != '\t' && is_unprintable(c.into());
        self.escapes(is_escaped);
        match c {
            '\r' => self.text.push_str("\\r"),
            _ if is_escaped => {
                let _ = write!(self.text, "\\u{{{:X}}}", u32::from(c));
            }
            _ => self.text.push(c),
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    ///
    /// The first error of the output.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush_at(0);
        self.error.map_or(Ok(()), Err)
    }

    fn flush_at(&mut self, bytes: usize) {
        if self.text.len() >= bytes {
            if self.error.is_none() {
                self.error = self.out.write_all(self.text.as_bytes()).err();
            }
            self.text.clear();
        }
    }
}

/// Adds the lines around a change. There are as many before it in both texts, and as many after it.
fn with_context(LineChange { old, new }: LineChange, old_lines: usize) -> LineChange {
    let before = CONTEXT.min(old.start);
    let after = CONTEXT.min(old_lines - old.end);
    LineChange {
        old: old.start - before..old.end + after,
        new: new.start - before..new.end + after,
    }
}

/// Returns a range as the header of a hunk has it: its first line, from 1, and the number of lines, unless that is one.
/// If it is empty, it is the line before.
fn shown(lines: &Range<usize>) -> String {
    let first = lines.start + usize::from(!lines.is_empty());
    match lines.len() {
        1 => first.to_string(),
        count => format!("{first},{count}"),
    }
}
