//! The text format: one line per finding. Editors and terminals make `PATH:LINE:COLUMN` clickable.
//!
//! ```text
//! notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): E2 82 begins a 3-byte character, but 41 ('A') follows
//! ```

use std::fmt::Write as _;
use std::io::Write;

use super::detection_lines;
use super::detection_row::{DetectedLine, DetectionRow};
use super::diagnosis::{Diagnosis, FindingFormat, Guessed};
use super::fix_row::FixRow;
use super::output_format::{
    EncodingRow, FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Rename, RowFormat,
    Subject, TextReporter,
};
use super::palette::Palette;
use super::visible::visible_path;
use oxiconv_transcode::diagnostic::{Detail, Finding, hex};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "text",
    help: "One line per finding, for people and editors",
    new: |options| Box::new(TextFormat::new(options)),
};

/// By default, the most findings per file in formats that people read.
pub(super) const DEFAULT_MAX_FINDINGS: u64 = 20;

/// The most bytes shown of a finding.
const MAX_SHOWN_BYTES: usize = 16;

struct TextFormat {
    palette: Palette,
    options: FormatOptions,
}

impl TextFormat {
    fn new(options: &FormatOptions) -> Self {
        Self { palette: Palette::new(options.coloured), options: *options }
    }
}

impl OutputFormat for TextFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            is_for_people: true,
            has_pieces: true,
            has_fixes: true,
            detail: if self.options.quiet { Detail::Findings } else { Detail::Evidence },
            most_findings: Some(DEFAULT_MAX_FINDINGS),
            ..FormatFacts::default()
        }
    }

    fn rows(&self) -> Option<&dyn RowFormat> {
        Some(self)
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Diagnosis::new(to, TextLines::new(text, self.palette), limit))
    }

    fn fixed(&self, file: Subject<'_>, row: &FixRow<'_>) -> Part {
        Part::Now(row.line(file, &self.options).into_bytes())
    }
}

impl RowFormat for TextFormat {
    /// Lists one encoding per line: its name, its width in bits if it is limited by that, and its other names. With
    /// `details`, its description and source follow.
    fn encodings(&self, encodings: &[EncodingRow<'_>], details: bool) -> Vec<u8> {
        let width = encodings.iter().map(|encoding| encoding.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for encoding in encodings {
            let bits = encoding.bits.map(|bits| match bits {
                1 => "(1 bit)".to_owned(),
                _ => format!("({bits} bits)"),
            });
            let words: Vec<_> =
                bits.as_deref().into_iter().chain(encoding.aliases.iter().copied()).collect();
            let line = format!("{:width$}  {}", encoding.name, words.join(" "));
            text.push_str(line.trim_end());
            text.push('\n');
            if details {
                text.push_str(&format!("{:width$}  {}\n", "", encoding.summary));
                let mut facts = vec![("source", encoding.source.to_owned())];
                facts.extend(
                    encoding.structure.map(|structure| ("structure", structure.to_owned())),
                );
                facts.extend(encoding.year.map(|year| ("year", year.to_owned())));
                if !encoding.vendors.is_empty() {
                    facts.push(("known to", encoding.vendors.join(", ")));
                }
                for (what, fact) in facts {
                    text.push_str(&format!("{:width$}  {what}: {fact}\n", ""));
                }
                for (name, meaning) in encoding.elsewhere {
                    text.push_str(&format!("{:width$}  {name}: {meaning}\n", ""));
                }
            }
        }
        text.into_bytes()
    }

    fn detection(&self, file: Subject<'_>, row: &DetectionRow<'_>) -> Part {
        let text = detection_lines::text(file, row, &self.options, self.palette);
        Part::Now(text.into_bytes())
    }

    fn detected_line(&self, file: Subject<'_>, line: &DetectedLine) -> Part {
        let text = detection_lines::of_line(file, line, &self.options, self.palette);
        Part::Now(text.into_bytes())
    }

    /// Prints `DIR/old -> new`.
    fn rename(&self, rename: &Rename<'_>) -> Part {
        let place = self.palette.place;
        let [path, name] = [rename.path, rename.name].map(visible_path);
        Part::Now(format!("{place}{path}{place:#} -> {name}\n").into_bytes())
    }
}

/// Formats the lines of one text. What they share is formatted once.
pub(super) struct TextLines {
    /// What is before the line number, and what is after the column.
    place: [String; 2],
    palette: Palette,
}

impl TextLines {
    pub(super) fn new(text: Subject<'_>, palette: Palette) -> Self {
        let place = palette.place;
        Self { place: [format!("{place}{}:", text.label()), format!(":{place:#}")], palette }
    }

    /// Formats a finding as a line, without its line end.
    pub(super) fn line(&self, finding: &Finding<'_>) -> String {
        let [place, place_end] = &self.place;
        let severity = finding.severity();
        let (style, level) = (self.palette.of_severity(severity), severity.name());
        let Finding { line, column, .. } = finding;
        let id = finding.kind.id();
        let words = words(finding);
        format!("{place}{line}:{column}{place_end} {style}{level}[{id}]:{style:#} {words}")
    }
}

/// Returns the words of a finding: its bytes, its offset and its sentence.
pub(super) fn words(finding: &Finding<'_>) -> String {
    let mut text = String::new();
    if !finding.bytes.is_empty() {
        let shown = &finding.bytes[..finding.bytes.len().min(MAX_SHOWN_BYTES)];
        let more = if shown.len() < finding.bytes.len() { " ..." } else { "" };
        // A write to a string cannot fail.
        let _ = write!(text, "{}{more} at ", hex(shown));
    }
    let _ = write!(text, "byte {0} (0x{0:x}): {1}", finding.offset, finding.sentence());
    text
}

impl FindingFormat for TextLines {
    fn finding(&mut self, finding: &Finding<'_>, _: Option<&Guessed<'_>>) -> Vec<u8> {
        (self.line(finding) + "\n").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use oxiconv_encodings::unicode::IllFormedKind;
    use oxiconv_transcode::diagnostic::Kind;

    fn finding(bytes: &[u8]) -> Finding<'_> {
        let mut finding = Finding::new(Kind::IllFormed(IllFormedKind::Truncated));
        (finding.offset, finding.line, finding.column) = (419, 3, 14);
        (finding.bytes, finding.next) = (bytes.into(), Some(0x41));
        finding
    }

    #[test]
    fn a_line_is_clickable_and_says_where_what_and_why() {
        let text = Subject::File(Path::new("notes.txt"));
        let out = TextLines::new(text, Palette::default()).finding(&finding(b"\xE2\x82"), None);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3): \
             E2 82 begins a 3-byte character, but 41 ('A') follows\n"
        );
    }
}
