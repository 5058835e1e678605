//! The text form of findings: a line each, which editors and terminals make clickable.
//!
//! ```text
//! notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): a 3-byte UTF-8 sequence is cut short by 41
//! ```

use std::fmt::Write as _;
use std::path::PathBuf;

use super::FindingFormat;
use super::command::sentence;
use crate::diagnostic::Finding;

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

/// The text form for the text called `path`.
pub struct TextFormat {
    path: String,
    file: Option<PathBuf>,
    style: Style,
}

impl TextFormat {
    /// With `path` as it is to be shown: see [`visible_path`](super::visible_path).
    pub fn new(path: String, style: Style) -> Self {
        Self { path, file: None, style }
    }

    /// The same for the file at `file`, which commands that repair it name.
    pub fn of_file(self, file: Option<PathBuf>) -> Self {
        Self { file, ..self }
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
        let sentence = sentence(finding, self.file.as_deref());
        let _ = writeln!(text, "byte {offset} (0x{offset:x}): {sentence}");
        text
    }
}

impl FindingFormat for TextFormat {
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8> {
        self.line(finding).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Kind;
    use crate::encoding::Encoding;
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
            encoding: Encoding::UTF_8,
            context: crate::diagnostic::Context::default(),
        }
    }

    #[test]
    fn a_line_is_clickable_and_says_where_what_and_why() {
        let out = TextFormat::new("notes.txt".to_owned(), Style::default())
            .finding(&finding(b"\xE2\x82"));
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): \
             a 3-byte UTF-8 sequence is cut short by 41\n"
        );
    }
}
