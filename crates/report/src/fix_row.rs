//! The row of a file in a run with `--fix`: what it was, how sure that is, and what was done.
//!
//! ```text
//! ru.srt      windows-1251, 99 %      converted to UTF-8
//! notes.txt   UTF-8, 95 %             read 2 stray bytes as windows-1252; removed the byte order mark
//! old.txt     unclear                 left: best guess windows-1252, 62 %; then … (to convert it: oxiconv -f windows-1252 -i.bak old.txt)
//! readme.md   UTF-8                   nothing to do
//! ```

use unicode_width::UnicodeWidthStr;

use super::output_format::{FormatOptions, Subject};
use super::palette::Palette;
use super::run_totals::{Converted, RunTotals};
use crate::{counted, grouped};
use oxiconv_detect::detection::{Detection, Evidence};
use oxiconv_encodings::encoding::Encoding;

/// What `--fix` found about a file, and what it did.
#[derive(Clone, Debug)]
pub struct FixRow<'a> {
    /// What the file was.
    pub was: TextBefore<'a>,
    /// What was changed, in the order in which it works on the text. Empty if nothing was.
    pub changes: Vec<FixChange>,
    /// Why something is left for a person to do, without a full stop.
    pub left: Option<String>,
    /// Whether the changes are only proposed.
    pub is_proposed: bool,
}

/// What a file was before it was fixed.
#[derive(Clone, Copy, Debug)]
pub enum TextBefore<'a> {
    /// Nothing.
    Empty,
    /// Not text.
    Binary,
    /// Text in this encoding, which was named: by the rules for the file, or by the user when asked.
    Named(&'static Encoding),
    /// What its bytes say.
    Detected(&'a Detection),
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixOutcome {
    /// There was nothing to do.
    Right,
    /// It was changed, and is right.
    Fixed,
    /// It was changed, but something is left.
    PartlyFixed,
    /// It was not changed, and is not right.
    Left,
    /// It is not text.
    Binary,
}

impl FixOutcome {
    /// Returns a stable short id.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Fixed => "fixed",
            Self::PartlyFixed => "partly-fixed",
            Self::Left => "left",
            Self::Binary => "binary",
        }
    }
}

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixChange {
    /// It is written in another encoding.
    Converted(&'static Encoding),
    /// This many stray bytes are read in an encoding of their own.
    StraysRead(u64, &'static Encoding),
    /// This many lines are read in an encoding of their own.
    LinesRead(u64, &'static Encoding),
    /// This many damaged parts are repaired.
    Repaired(u64),
    /// It begins with a byte order mark now.
    MarkAdded,
    /// It begins with no byte order mark any more.
    MarkRemoved,
    /// The line ends become those of this name, such as `CRLF`.
    NewlinesWritten(&'static str),
    /// It ends with a line end now.
    FinalNewlineAdded,
}

impl FixChange {
    /// Returns a stable short id.
    pub(super) const fn id(&self) -> &'static str {
        match self {
            Self::Converted(_) => "converted",
            Self::StraysRead(..) => "strays-read",
            Self::LinesRead(..) => "lines-read",
            Self::Repaired(_) => "repaired",
            Self::MarkAdded => "mark-added",
            Self::MarkRemoved => "mark-removed",
            Self::NewlinesWritten(_) => "newlines-written",
            Self::FinalNewlineAdded => "final-newline-added",
        }
    }

    /// Returns the encoding that it is about, if it is about one.
    pub(super) const fn encoding(&self) -> Option<&'static Encoding> {
        match self {
            Self::Converted(encoding)
            | Self::StraysRead(_, encoding)
            | Self::LinesRead(_, encoding) => Some(*encoding),
            _ => None,
        }
    }

    /// Returns how many things it changes, if they are counted.
    pub(super) const fn count(&self) -> Option<u64> {
        match self {
            Self::StraysRead(count, _) | Self::LinesRead(count, _) | Self::Repaired(count) => {
                Some(*count)
            }
            _ => None,
        }
    }

    /// Returns the words for it, to follow `would` if it is only proposed.
    fn words(&self, is_proposed: bool) -> String {
        let verb = |present: &'static str, past| if is_proposed { present } else { past };
        match self {
            Self::Converted(to) => {
                format!("{} to {}", verb("convert it", "converted"), to.name())
            }
            Self::StraysRead(count, fallback) => {
                format!("read {} as {}", counted(*count, "stray byte"), fallback.name())
            }
            Self::LinesRead(count, encoding) => {
                format!("read {} as {}", counted(*count, "line"), encoding.name())
            }
            Self::Repaired(count) => {
                format!("{} {}", verb("repair", "repaired"), counted(*count, "damaged part"))
            }
            Self::MarkAdded => format!("{} a byte order mark", verb("add", "added")),
            Self::MarkRemoved => format!("{} the byte order mark", verb("remove", "removed")),
            Self::NewlinesWritten(name) => {
                format!("{} the line ends to {name}", verb("change", "changed"))
            }
            Self::FinalNewlineAdded => format!("{} a final line end", verb("add", "added")),
        }
    }
}

impl FixRow<'_> {
    /// Returns what became of the file, or would.
    pub fn outcome(&self) -> FixOutcome {
        match (self.was, &self.left, self.changes.is_empty()) {
            (TextBefore::Binary, ..) => FixOutcome::Binary,
            (_, Some(_), true) => FixOutcome::Left,
            (_, Some(_), false) => FixOutcome::PartlyFixed,
            (_, None, true) => FixOutcome::Right,
            (_, None, false) => FixOutcome::Fixed,
        }
    }

    /// Returns what the file was, in a few words.
    pub(super) fn was(&self) -> String {
        match self.was {
            TextBefore::Empty => "empty".to_owned(),
            TextBefore::Binary => "binary".to_owned(),
            TextBefore::Named(encoding) => encoding.name().to_owned(),
            TextBefore::Detected(detection) => match detection.evidence {
                Evidence::Ascii => "plain ASCII".to_owned(),
                Evidence::Binary => "binary".to_owned(),
                Evidence::Lines => "several encodings".to_owned(),
                _ if !detection.is_enough() => "unclear".to_owned(),
                _ => format!("{}, {} %", detection.encoding.name(), detection.confidence),
            },
        }
    }

    /// Returns what was done, or would be, and what is left.
    pub(super) fn done(&self) -> String {
        if matches!(self.was, TextBefore::Binary) {
            return "skipped".to_owned();
        }
        let changes: Vec<_> =
            self.changes.iter().map(|change| change.words(self.is_proposed)).collect();
        let mut words = changes.join("; ");
        if self.is_proposed && !words.is_empty() {
            words.insert_str(0, "would ");
        }
        match &self.left {
            None if words.is_empty() => "nothing to do".to_owned(),
            None => words,
            Some(left) if words.is_empty() => format!("left: {left}"),
            Some(left) => format!("{words}; left: {left}"),
        }
    }

    /// Returns what the file was, what was done, and what is left, for formats that have no columns.
    pub(super) fn words(&self) -> String {
        format!("{}; {}", self.was(), self.done())
    }

    /// Returns the line of a file, in columns.
    pub fn line(&self, file: Subject<'_>, options: &FormatOptions) -> String {
        let palette = Palette::new(options.coloured);
        let (place, error) = (palette.place, palette.error);
        let name = file.label();
        let gap = options.aligned.unwrap_or(0).saturating_sub(name.width());
        let (was, done) = (self.was(), self.done());
        let done = match &self.left {
            Some(_) => format!("{error}{done}{error:#}"),
            None => done,
        };
        format!("{place}{name}{place:#}{:gap$}  {was:WAS_WIDTH$}  {done}\n", "")
    }
}

/// The width of the second column: that of most names of encodings with a confidence.
const WAS_WIDTH: usize = 20;

/// Returns the closing line of a run: how many files were fixed, and what about the others.
pub fn fix_totals(totals: &RunTotals, converted: Converted, is_proposed: bool) -> String {
    let would = if is_proposed { "would be " } else { "" };
    let mut words = format!("{} {would}fixed", grouped(converted.written));
    for (count, outcome) in [
        (converted.unchanged, "right already"),
        (totals.refused, "left"),
        (converted.failed, "failed"),
        (totals.skipped, "skipped as binary"),
        (totals.excluded, "excluded"),
    ] {
        if count > 0 {
            words.push_str(&format!(", {} {outcome}", grouped(count)));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use oxiconv_detect::detection::Detector;

    #[test]
    fn a_row_says_what_the_file_was_and_what_was_done() {
        // Καλημέρα: only Greek has these letters.
        let greek = Detector::new().detect(b"\xCA\xE1\xEB\xE7\xEC\xDD\xF1\xE1");
        let row = |changes: Vec<FixChange>, left: Option<&str>, is_proposed| FixRow {
            was: TextBefore::Detected(&greek),
            changes,
            left: left.map(str::to_owned),
            is_proposed,
        };
        let changes = || vec![FixChange::Converted(Encoding::UTF_8), FixChange::Repaired(2)];
        for (row, outcome, done) in [
            (row(changes(), None, false), "fixed", "converted to UTF-8; repaired 2 damaged parts"),
            (
                row(changes(), None, true),
                "fixed",
                "would convert it to UTF-8; repair 2 damaged parts",
            ),
            (row(Vec::new(), Some("why"), false), "left", "left: why"),
            (
                row(vec![FixChange::MarkAdded], Some("why"), false),
                "partly-fixed",
                "added a byte order mark; left: why",
            ),
            (row(Vec::new(), None, false), "right", "nothing to do"),
        ] {
            assert_eq!((row.outcome().id(), row.done().as_str()), (outcome, done));
        }
        let options = FormatOptions { aligned: Some(4), ..FormatOptions::default() };
        let row = row(changes(), None, false);
        assert_eq!(
            row.line(Subject::File(Path::new("ab")), &options),
            "ab    windows-1253, 99 %    converted to UTF-8; repaired 2 damaged parts\n"
        );
    }
}
