//! The picture of a finding: its bytes, its line, the rule that it breaks, its probable cause, and the repair.

use std::path::PathBuf;

use super::command;
use super::group::{At, Group};
use super::hex::Bytes;
use super::layout::{cell, width, wrap};
use super::line::Line;
use super::palette::{Palette, paint};
use super::visible::visible;
use crate::diagnostic::guess::{Guess, Verdict};
use crate::diagnostic::{Kind, Repair, Substitute, counted};
use crate::unicode::name;

/// Width of the row labels.
const LABEL: usize = 10;
/// The most replacement characters shown.
const MOST_REPLACED: usize = 16;

/// What all pictures of a text have in common.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The text's name, on one line.
    pub(super) path: String,
    /// The file, for the command that repairs it; `None` is standard input.
    pub(super) file: Option<PathBuf>,
    /// The input encoding that the user named, if it is not UTF-8.
    pub(super) from: Option<&'static str>,
    /// The target that the user named.
    pub(super) to: Option<&'static str>,
    /// Columns of the terminal; at least 40.
    pub(super) columns: usize,
    /// Its colours.
    pub(super) palette: Palette,
}

impl Frame {
    pub(super) fn picture(&self, group: &Group, verdict: &Verdict) -> String {
        let guess = group.place().and_then(|place| verdict.guess(&place));
        let mut text = self.head(group);
        text.push_str(&self.line(group));
        let Group { before, bytes, after, at, .. } = group;
        if !bytes.is_empty() {
            let bytes = Bytes { before, marked: bytes, after, offset: at.offset };
            text.push_str(&bytes.rows(self.columns, &self.palette));
        }
        text.push('\n');
        let sentence = match group.findings {
            1 => group.sentence.clone(),
            findings => format!("{}; {findings} adjacent findings", group.sentence),
        };
        text.push_str(&self.row("what", &sentence));
        if let Some(cp) = group.character() {
            text.push_str(&self.row("name", &name(cp)));
        }
        if let Some(rule) = &group.rule {
            text.push_str(&self.row("rule", rule));
        }
        if matches!(group.kind, Kind::IllFormed(_)) {
            text.push_str(&self.replaced(group));
        }
        if let Some(guess) = &guess {
            let words = format!("{}: {}", guess.what, guess.evidence);
            text.push_str(&self.row("probably", &words));
            if verdict.whole.is_none() {
                text.push_str(&self.repair(guess.repair.as_ref()));
            }
        }
        if group.kind == Kind::Unmappable {
            text.push_str(&self.offers(group));
        }
        if let Some((groups, findings, last)) = group.more {
            let findings = match findings {
                _ if findings == groups => String::new(),
                findings => format!(" ({})", counted(findings, "finding")),
            };
            let At { line, column, offset } = last;
            let words = format!(
                "{groups} more like it{findings}, the last at {line}:{column}, byte {offset} (0x{offset:x})"
            );
            text.push_str(&self.row("more", &words));
        }
        text + "\n"
    }

    /// `notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3)`
    fn head(&self, group: &Group) -> String {
        let (colour, word) = (self.palette.of_severity(group.severity), group.severity.name());
        let At { line, column, offset } = group.at;
        let start = format!("{}:{line}:{column}:", self.path);
        let kind = format!("{word}[{}]:", group.kind.id());
        let most = self.columns / 6;
        let shown: Vec<_> =
            group.bytes.iter().take(most).map(|byte| format!("{byte:02X}")).collect();
        let dots = if shown.len() < group.bytes.len() { " ..." } else { "" };
        let hex = match shown.is_empty() {
            true => String::new(),
            false => format!("{}{dots} at ", shown.join(" ")),
        };
        let rest = format!("{hex}byte {offset} (0x{offset:x})");
        let all = width(&start) + width(&kind) + width(&rest) + 2;
        let painted = [paint(self.palette.place, &start), paint(colour, &kind)];
        if all <= self.columns {
            return format!("{} {rest}\n\n", painted.join(" "));
        }
        let fits = width(&start) + 1 + width(&kind) <= self.columns;
        let first = painted.join(if fits { " " } else { "\n  " });
        format!("{first}\n{}\n", wrap("  ", &rest, self.columns))
    }

    fn line(&self, group: &Group) -> String {
        let number = group.at.line.to_string();
        let blanks = " ".repeat(number.len());
        let line = Line {
            before: &group.line_before,
            more_before: group.at.column > group.line_before.len() as u64 + 1,
            marked: group.substituted(),
            after: &group.line_after,
            more_after: group.line_goes_on,
        };
        let columns = self.columns.saturating_sub(number.len() + 5);
        let (text, marks) = line.fitted(columns, &self.palette);
        let frame = |text: &str| paint(self.palette.frame, text);
        let marks = paint(self.palette.found, &marks);
        let first = format!("  {} {text}", frame(&format!("{number} |")));
        let second = format!("  {} {marks}", frame(&format!("{blanks} |")));
        format!("{}\n{second}\n\n", first.trim_end())
    }

    /// Shows what `--errors replace` makes of the line.
    fn replaced(&self, group: &Group) -> String {
        let count = usize::try_from(group.findings).unwrap_or(usize::MAX).min(MOST_REPLACED);
        let line = Line {
            before: &group.line_before,
            more_before: group.at.column > group.line_before.len() as u64 + 1,
            marked: "\u{FFFD}".repeat(count),
            after: &group.line_after,
            more_after: group.line_goes_on,
        };
        let (text, _) = line.fitted(self.columns.saturating_sub(LABEL + 2), &self.palette);
        format!("{}{text}\n", self.label("replace"))
    }

    /// Shows what the target offers for an unmappable character.
    fn offers(&self, group: &Group) -> String {
        let Some(value) = group.value else { return String::new() };
        let mut offers: Vec<(String, Substitute)> = Vec::new();
        if let Some(text) = &group.transliteration {
            let text = text.trim().chars().map(|c| cell(c.into())).collect();
            offers.push((text, Substitute::Transliteration));
        }
        if group.writes_escapes {
            offers.push((format!("&#x{value:X};"), Substitute::Reference));
            offers.push((format!("\\u{{{value:X}}}"), Substitute::Escape));
        }
        let Some((_, best)) = offers.first() else { return String::new() };
        let best = Repair::default().on_unmappable(*best);
        let words: Vec<_> =
            offers.iter().map(|(text, it)| format!("{text} ({})", it.name())).collect();
        self.row("offers", words.join(", ").trim_start()) + &self.repair(Some(&best))
    }

    /// Formats a guess about the text as a whole.
    pub(super) fn statement(&self, head: &str, guess: &Guess) -> String {
        wrap("", head, self.columns)
            + "\n"
            + &self.row("probably", &format!("{}: {}", guess.what, guess.evidence))
            + &self.repair(guess.repair.as_ref())
            + "\n"
    }

    fn repair(&self, repair: Option<&Repair>) -> String {
        let Some(repair) = repair else { return String::new() };
        let options = command::options(repair, self.from, self.to);
        let words = command::words(&options, repair.skip, self.file.as_deref());
        let blank = " ".repeat(LABEL + 2);
        let lines = command::lines(&blank, &words, self.columns);
        let Palette { command: colour, .. } = self.palette;
        let shown: Vec<_> = lines.lines().map(|line| paint(colour, &line[LABEL + 2..])).collect();
        let mut text = self.label("repair") + &shown.join(&format!("\n{blank}")) + "\n";
        if let Some(loss) = repair.loss {
            text.push_str(&wrap(&blank, &format!("({loss})"), self.columns));
        }
        text
    }

    fn row(&self, label: &str, words: &str) -> String {
        let lead = format!("  {label:LABEL$}");
        let text = wrap(&lead, &visible(words), self.columns);
        self.label(label) + &text[lead.len()..]
    }

    fn label(&self, label: &str) -> String {
        paint(self.palette.frame, &format!("  {label:LABEL$}"))
    }
}
