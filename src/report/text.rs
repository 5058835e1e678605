//! The text form of findings: a line each, which editors and terminals make clickable.
//!
//! ```text
//! notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): a 3-byte UTF-8 sequence is cut short by 41
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::diagnostic::{Finding, Kind, Reporter};

/// Bytes shown of one finding.
const MOST_BYTES: usize = 16;

/// What is put around the parts of a line, such as the escape sequences of a terminal's colours; all empty is plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Before `error` and its kind.
    pub error: &'static str,
    /// Before `note` and its kind.
    pub note: &'static str,
    /// Before the path, the line and the column.
    pub place: &'static str,
    /// After each of them.
    pub reset: &'static str,
}

/// Prints findings of one text, up to a limit.
pub struct TextReporter<W> {
    to: W,
    path: String,
    style: Style,
    /// Findings yet to be printed; `None` is no limit.
    left: Option<u64>,
    withheld: u64,
    words: Vec<(bool, String)>,
}

impl<W: Write> TextReporter<W> {
    /// Prints to `to`, for the text called `path`, at most `limit` findings.
    pub fn new(to: W, path: String, style: Style, limit: Option<u64>) -> Self {
        Self { to, path, style, left: limit, withheld: 0, words: Vec::new() }
    }

    /// How many findings were not printed for the limit's sake, and the notes (`true`) and remarks on the whole text.
    pub fn close(self) -> (u64, Vec<(bool, String)>) {
        (self.withheld, self.words)
    }

    fn line(&self, finding: &Finding<'_>) -> String {
        let Style { error, note, place, reset } = self.style;
        let (colour, word) =
            if finding.kind.is_fault() { (error, "error") } else { (note, "note") };
        let Finding { line, column, offset, .. } = finding;
        let mut text = format!(
            "{place}{}:{line}:{column}:{reset} {colour}{word}[{}]:{reset} ",
            self.path,
            finding.kind.id()
        );
        if !finding.bytes.is_empty() {
            let shown = &finding.bytes[..finding.bytes.len().min(MOST_BYTES)];
            let more = if shown.len() < finding.bytes.len() { " ..." } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{more} at ", Finding { bytes: shown, ..*finding }.hex());
        }
        let _ = writeln!(text, "byte {offset} (0x{offset:x}): {}", finding.sentence());
        text
    }
}

impl<W: Write> Reporter for TextReporter<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        match &mut self.left {
            Some(0) if !finding.stops => {
                self.unplaced(finding.kind);
                return Ok(());
            }
            Some(left) => *left = left.saturating_sub(1),
            None => {}
        }
        self.to.write_all(self.line(finding).as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn wants_places(&self) -> bool {
        self.left != Some(0)
    }

    fn unplaced(&mut self, _: Kind) {
        self.withheld += 1;
    }

    fn note(&mut self, words: &str) {
        self.words.push((true, words.to_owned()));
    }

    fn remark(&mut self, words: &str) {
        self.words.push((false, words.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::IllFormedKind;

    fn finding(bytes: &[u8]) -> Finding<'_> {
        Finding {
            kind: Kind::IllFormed(IllFormedKind::Truncated),
            offset: 419,
            line: 3,
            column: 14,
            bytes,
            next: Some(0x41),
            value: None,
            stops: false,
            encoding: "UTF-8",
            around: crate::diagnostic::Around::default(),
        }
    }

    #[test]
    fn a_line_is_clickable_and_says_where_what_and_why() {
        let mut out = Vec::new();
        let mut reporter =
            TextReporter::new(&mut out, "notes.txt".to_owned(), Style::default(), None);
        reporter.finding(&finding(b"\xE2\x82")).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): \
             a 3-byte UTF-8 sequence is cut short by 41\n"
        );
    }

    #[test]
    fn the_limit_withholds_and_counts() {
        let mut out = Vec::new();
        let mut reporter = TextReporter::new(&mut out, "a".to_owned(), Style::default(), Some(2));
        for _ in 0..5 {
            reporter.finding(&finding(b"\xE2")).unwrap();
        }
        assert!(!reporter.wants_places());
        assert_eq!(reporter.close().0, 3);
        assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 2);
    }
}
