//! The picture of a finding: its bytes, its line, the rule that it breaks, its probable cause, and the repair.
//!
//! A picture is a value: it has classes of bytes and characters (`cell_class.rs`), but no colours and no widths. A
//! `Draw` turns it into text: `terminal_drawing.rs` for `--explain`, `html/page_drawing.rs` for a page. So both show
//! the same.

use std::path::{Path, PathBuf};

use super::command::{self, RepeatedOptions};
use super::diagnosis::{
    Conclusion, EqualGroups, FindingFormat, FindingGroup, FindingPosition, Shows,
};
use super::hex::MarkedBytes;
use super::layout::cell;
use super::marked_line::MarkedLine;
use super::output_format::{Remainder, Subject};
use crate::guess::{Cause, Guess, LineReading};
use crate::{Repair, Substitute, counted};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::name;
use oxiconv_transcode::diagnostic::{Context, Details, Finding, Kind, Severity};

const MAX_REPLACED: usize = 16;

/// Draws pictures for one medium. Every method returns what is printed.
pub(super) trait Draw {
    fn picture(&mut self, picture: &Picture<'_>) -> String;

    /// Draws a statement about the text as a whole. It comes after the pictures.
    fn statement(&mut self, statement: &Statement) -> String;

    /// Draws the hint on a text that has no statement, if anything. Its pictures show the same repair.
    fn hint(&mut self, hint: &Statement) -> String {
        let _ = hint;
        String::new()
    }

    /// Draws what is said about a text without findings, if anything.
    fn clean(&mut self, words: &str) -> String {
        let _ = words;
        String::new()
    }

    fn end(&mut self) -> String {
        String::new()
    }
}

/// The picture of a group of findings.
#[derive(Debug)]
pub(super) struct Picture<'a> {
    pub(super) kind: Kind,
    pub(super) severity: Severity,
    pub(super) at: FindingPosition,
    pub(super) line: MarkedLine<'a>,
    pub(super) bytes: MarkedBytes<'a>,
    pub(super) rows: Vec<PictureRow<'a>>,
}

/// A statement about the text as a whole.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) words: String,
    /// What follows from it, if anything.
    pub(super) rows: Vec<PictureRow<'static>>,
}

#[derive(Debug)]
pub(super) struct PictureRow<'a> {
    pub(super) label: &'static str,
    pub(super) content: RowContent<'a>,
}

#[derive(Debug)]
pub(super) enum RowContent<'a> {
    Words(String),
    /// The line of the finding, changed.
    Line(MarkedLine<'a>),
    /// A command, word by word, and what it loses, if anything.
    Command(Vec<String>, Option<&'static str>),
    /// What the line may be, best first.
    Readings(Vec<PictureReading<'a>>),
}

/// A reading of the line of a finding.
#[derive(Debug)]
pub(super) struct PictureReading<'a> {
    pub(super) names: &'a str,
    /// How likely it is, in percent.
    pub(super) confidence: u8,
    pub(super) line: MarkedLine<'a>,
}

impl<'a> PictureReading<'a> {
    fn of(reading: &'a LineReading) -> Self {
        let LineReading { names, confidence, line, marked, is_cut: [more_before, more_after] } =
            reading;
        let (more_before, more_after) = (*more_before, *more_after);
        let (before, after) = (&line[..marked.start], &line[marked.end..]);
        let marked = line[marked.clone()].iter().map(|cp| cell(*cp)).collect();
        let line = MarkedLine { before, more_before, marked, after, more_after };
        Self { names, confidence: *confidence, line }
    }
}

impl Picture<'_> {
    /// Formats at most `most` bytes, and their offset: `E2 82 at byte 419 (0x1a3)`.
    pub(super) fn bytes_and_offset(&self, most: usize) -> String {
        let marked = self.bytes.marked;
        let shown: Vec<_> = marked.iter().take(most).map(|byte| format!("{byte:02X}")).collect();
        let dots = if shown.len() < marked.len() { " ..." } else { "" };
        let hex = match shown.is_empty() {
            true => String::new(),
            false => format!("{}{dots} at ", shown.join(" ")),
        };
        format!("{hex}byte {0} (0x{0:x})", self.at.offset)
    }
}

impl PictureRow<'_> {
    fn words(label: &'static str, words: String) -> Self {
        Self { label, content: RowContent::Words(words) }
    }
}

/// The finding format that shows pictures.
pub(super) struct Pictures<D> {
    frame: PictureContext,
    draw: D,
}

impl<D: Draw> Pictures<D> {
    /// Creates the pictures of a text. Commands repeat the options in `asked`.
    pub(super) fn new(text: Subject<'_>, asked: RepeatedOptions, draw: D) -> Self {
        Self { frame: PictureContext { file: text.path().map(Path::to_owned), asked }, draw }
    }
}

impl<D: Draw> FindingFormat for Pictures<D> {
    fn shows(&self) -> Shows {
        Shows::Groups
    }

    /// Names the encoding of the text in commands, unless the user did: the repository may have declared it.
    fn read_in(&mut self, encoding: &'static Encoding) {
        if encoding != Encoding::UTF_8 {
            self.frame.asked.from.get_or_insert(encoding.name());
        }
    }

    fn group(
        &mut self,
        group: &FindingGroup,
        guess: Option<&Guess>,
        readings: &[LineReading],
    ) -> Vec<u8> {
        let mut picture = self.frame.picture(group, guess);
        if !readings.is_empty() {
            let readings = readings.iter().map(PictureReading::of).collect();
            let content = RowContent::Readings(readings);
            picture.rows.push(PictureRow { label: "readings", content });
        }
        self.draw.picture(&picture).into()
    }

    fn conclusion(&mut self, conclusion: &Conclusion) -> Vec<u8> {
        let Self { frame, draw } = self;
        match conclusion {
            Conclusion::Whole { faults, guess } => {
                let findings = counted(*faults, "finding");
                let words = match guess.cause {
                    Cause::Lines => {
                        format!("{findings}; the lines seem to be in different encodings")
                    }
                    _ => format!("{findings}; the whole text seems to be in another encoding"),
                };
                draw.statement(&frame.statement(words, guess))
            }
            Conclusion::Note(note) => draw.statement(&frame.statement("note".to_owned(), note)),
            Conclusion::Several { faults } => {
                let findings = counted(*faults, "finding");
                let all = if *faults == 2 { "both" } else { "all" };
                let words =
                    format!("{findings} with different causes; no single command repairs {all}");
                draw.statement(&Statement { words, rows: Vec::new() })
            }
            Conclusion::Hint(hint) => {
                let repair = hint.repair.as_ref().map(|repair| frame.repair(repair));
                let words = hint.evidence.clone();
                draw.hint(&Statement { words, rows: repair.into_iter().collect() })
            }
            Conclusion::Clean { bytes, encoding } => {
                let bytes = counted(*bytes, "byte");
                draw.clean(&format!("no findings: {bytes} of well-formed {encoding}"))
            }
            Conclusion::LeftOut { bytes } => {
                draw.clean(&format!("no findings to report: {}", counted(*bytes, "byte")))
            }
            Conclusion::Nothing => String::new(),
        }
        .into()
    }

    fn end(&mut self, _: &Remainder) -> Vec<u8> {
        self.draw.end().into()
    }
}

/// What all pictures of a text share.
struct PictureContext {
    /// The file that commands repair; `None` is standard input.
    file: Option<PathBuf>,
    asked: RepeatedOptions,
}

impl PictureContext {
    fn picture<'a>(&self, group: &'a FindingGroup, guess: Option<&Guess>) -> Picture<'a> {
        let finding = &group.finding;
        let Finding { offset, context: Context { before, after, .. }, .. } = finding;
        Picture {
            kind: finding.kind,
            severity: finding.severity(),
            at: group.adjacent.at,
            line: line(group, group.substituted()),
            bytes: MarkedBytes { before, marked: &group.bytes, after, offset: *offset },
            rows: self.rows(group, guess),
        }
    }

    fn rows<'a>(&self, group: &'a FindingGroup, guess: Option<&Guess>) -> Vec<PictureRow<'a>> {
        let mut sentence = group.finding.sentence();
        if group.adjacent.findings > 1 {
            sentence.push_str(&format!(" ({} adjacent findings)", group.adjacent.findings));
        }
        let mut rows = vec![PictureRow::words("what", sentence)];
        rows.extend(group.character().map(|cp| PictureRow::words("name", name(cp))));
        rows.extend(group.finding.rule().map(|rule| PictureRow::words("rule", rule)));
        if matches!(group.finding.kind, Kind::IllFormed(_)) {
            rows.push(replaced(group));
        }
        if let Some(guess) = guess {
            rows.extend(self.guess(guess));
        }
        if group.finding.kind == Kind::Unmappable {
            rows.extend(self.offers(group));
        }
        rows.extend(more(group));
        rows
    }

    /// Shows what can be written instead of an unmappable character, best first: a transliteration, if the target can
    /// express one, a character reference, or an escape. The repair uses the first.
    fn offers(&self, group: &FindingGroup) -> Vec<PictureRow<'static>> {
        let Finding { value: Some(value), details, .. } = &group.finding else { return Vec::new() };
        let Details::Unmappable { transliteration, writes_escapes } = details else {
            return Vec::new();
        };
        let mut offers: Vec<(String, Substitute)> = Vec::new();
        if let Some(text) = transliteration {
            let text = text.trim().chars().map(|c| cell(c.into())).collect();
            offers.push((text, Substitute::Transliteration));
        }
        if *writes_escapes {
            offers.push((format!("&#x{value:X};"), Substitute::Reference));
            offers.push((format!("\\u{{{value:X}}}"), Substitute::Escape));
        }
        let Some((_, best)) = offers.first() else { return Vec::new() };
        let best = Repair::default().on_unmappable(*best);
        let words: Vec<_> =
            offers.iter().map(|(text, it)| format!("{text} ({})", it.name())).collect();
        let words = words.join(", ").trim_start().to_owned();
        // Not a repair: the text is sound, and the target has no such character.
        let try_it = PictureRow { label: "try", ..self.repair(&best) };
        vec![PictureRow::words("offers", words), try_it]
    }

    fn statement(&self, words: String, guess: &Guess) -> Statement {
        Statement { words, rows: self.guess(guess) }
    }

    fn guess(&self, guess: &Guess) -> Vec<PictureRow<'static>> {
        let words = format!("{}: {}", guess.what, guess.evidence);
        let mut rows = vec![PictureRow::words("probably", words)];
        rows.extend(guess.repair.as_ref().map(|repair| self.repair(repair)));
        rows
    }

    fn repair(&self, repair: &Repair) -> PictureRow<'static> {
        let options = command::options(repair, self.asked);
        let words = command::repairing(&options, repair.skip, self.file.as_deref());
        PictureRow { label: "repair", content: RowContent::Command(words, repair.loss) }
    }
}

/// Returns the line of a group, with `marked` in place of its bytes. A column counts the characters before it, so if
/// the context has fewer of them, the line begins before it.
fn line(group: &FindingGroup, marked: String) -> MarkedLine<'_> {
    let Finding { column, context, .. } = &group.finding;
    MarkedLine {
        before: &context.line_before,
        more_before: *column > context.line_before.len() as u64 + 1,
        marked,
        after: &context.line_after,
        more_after: context.line_goes_on,
    }
}

/// Shows what `--errors replace` makes of the line.
fn replaced(group: &FindingGroup) -> PictureRow<'_> {
    let count = usize::try_from(group.adjacent.findings).unwrap_or(usize::MAX).min(MAX_REPLACED);
    let line = line(group, "\u{FFFD}".repeat(count));
    PictureRow { label: "replace", content: RowContent::Line(line) }
}

/// Says how many groups are equal to this one.
fn more(group: &FindingGroup) -> Option<PictureRow<'static>> {
    let EqualGroups { groups, findings, last } = group.more?;
    let findings = match findings {
        _ if findings == groups => String::new(),
        findings => format!(" ({})", counted(findings, "finding")),
    };
    let FindingPosition { line, column, offset } = last;
    let last = if groups == 1 { "at" } else { "the last at" };
    let words = format!(
        "{groups} more like it{findings}, {last} {line}:{column}, byte {offset} (0x{offset:x})"
    );
    Some(PictureRow::words("more", words))
}
