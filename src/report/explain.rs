//! `--explain`: each finding as a picture, with the rule that it breaks and what it probably is.
//!
//! What bytes probably are is a matter of the text as a whole. So pictures are held back until the text has gone by, or
//! until there are many of them.
//!
//! ```text
//! findings ──► groups, side by side one thing ──► equal ones folded ──► held ──► picture
//! text ──► Judge ──────────────────────────────────────► Verdict ──────────────┘
//! ```

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use super::command;
use super::group::{At, Group, Part, place, row_places};
use super::hex::Bytes;
use super::layout::{cell, width, wrap};
use super::line::Line;
use super::palette::Palette;
use super::printer::Remainder;
use super::text::Style;
use super::visible;
use crate::diagnostic::guess::{Guess, Judge, Repair, Verdict};
use crate::diagnostic::{Finding, Kind, Reporter, Row};
use crate::encoding::Encoding;
use crate::unicode::name;

/// Pictures held back at most, where the user wants them without limit.
const MOST_HELD: usize = 512;
/// Width of the names of rows.
const LABEL: usize = 10;
/// Replacement characters shown.
const MOST_REPLACED: usize = 16;

/// What the pictures are of, and how they look.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The text's name, on one line.
    pub path: String,
    /// The file, for the command that repairs it; `None` is standard input.
    pub file: Option<PathBuf>,
    /// The encoding that was asked for, where it is not UTF-8.
    pub from: Option<&'static str>,
    /// The target that was asked for.
    pub to: Option<&'static str>,
    /// Columns of the terminal; at least 40.
    pub columns: usize,
    /// Colours of the first line.
    pub style: Style,
    /// Colours of the rest.
    pub palette: Palette,
}

/// Shows findings of one text, up to a limit of pictures.
pub struct Explain<W> {
    to: W,
    frame: Frame,
    limit: Option<u64>,
    shown: u64,
    judge: Judge,
    /// The group that the next finding may belong to.
    open: Option<Group>,
    held: Vec<Group>,
    /// Room for the groups of a row.
    parts: Vec<Part>,
    /// The first bytes of those that are held.
    starts: [bool; 256],
    /// Those that are held, by their bytes.
    known: HashMap<Vec<u8>, Vec<(Kind, &'static Encoding, usize)>>,
    /// All findings, those that are no notes, those of what is ill-formed or in another encoding, and those of no
    /// picture.
    seen: u64,
    total: u64,
    ill_formed: u64,
    withheld: u64,
    words: Vec<(bool, String)>,
}

impl<W: Write> Explain<W> {
    /// Shows pictures on `to`, at most `limit` of them.
    pub fn new(to: W, frame: Frame, limit: Option<u64>) -> Self {
        Self {
            to,
            frame,
            limit,
            shown: 0,
            judge: Judge::default(),
            open: None,
            held: Vec::new(),
            parts: Vec::new(),
            starts: [false; 256],
            known: HashMap::new(),
            seen: 0,
            total: 0,
            ill_formed: 0,
            withheld: 0,
            words: Vec::new(),
        }
    }

    /// Shows what is held back and what the text as a whole is, and returns what is left to say.
    ///
    /// # Errors
    ///
    /// Those of the writing.
    pub fn close(mut self) -> io::Result<Remainder> {
        self.close_group()?;
        let verdict = self.judge.verdict(true);
        self.show_held(&verdict)?;
        let text = self.conclusion(&verdict);
        self.to.write_all(text.as_bytes())?;
        // Of a text that is another one altogether, one picture is as good as many.
        let withheld = if self.is_one_cause(&verdict) { 0 } else { self.withheld };
        Ok(Remainder { shown: self.seen - withheld, withheld, words: self.words })
    }

    fn close_group(&mut self) -> io::Result<()> {
        let Some(group) = self.open.take() else { return Ok(()) };
        if let Some(index) = self.index_of(group.kind, &group.bytes, group.encoding) {
            self.held[index].add_equal(group.findings, group.at);
            return Ok(());
        }
        if self.is_full() {
            self.withheld += group.findings;
            return Ok(());
        }
        if let Some(first) = group.bytes.first() {
            self.starts[usize::from(*first)] = true;
        }
        let place = (group.kind, group.encoding, self.held.len());
        self.known.entry(group.bytes.clone()).or_default().push(place);
        self.held.push(group);
        if self.held.len() == MOST_HELD {
            let verdict = self.judge.verdict(false);
            self.show_held(&verdict)?;
        }
        Ok(())
    }

    /// Takes a row if none of its groups is to be shown: they are equal to others, or there are enough pictures.
    fn take_row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let mut places = row_places(row).peekable();
        if self.is_full()
            && let Some(open) = &mut self.open
        {
            while let Some((place, _)) = places.next_if(|(place, _)| open.takes(place)) {
                open.take_bytes(place.bytes);
            }
        }
        if let Some((place, _)) = places.peek()
            && !self.open.as_ref().is_some_and(|open| open.takes(place))
        {
            self.close_group()?;
        }
        let full = self.is_full();
        if !full && (self.open.is_some() || !row.ends) {
            return Ok(false);
        }
        self.parts.clear();
        for (place, at) in places {
            match self.parts.last_mut() {
                Some(last) if last.takes(&place) => last.take(&place),
                _ => self.parts.push(Part::new(&place, at)),
            }
        }
        let index_of = |part: &Part| {
            let start = (part.at.offset - row.offset) as usize;
            let bytes = &row.bytes[start..start + part.len];
            self.index_of(Kind::IllFormed(part.kind), bytes, row.encoding)
        };
        if !full && !self.parts.iter().all(|part| index_of(part).is_some()) {
            return Ok(false);
        }
        let count = row.subsequences.len() as u64;
        self.seen += count;
        self.total += count;
        self.ill_formed += count;
        // The last one may go on after the row.
        let last = if row.ends { None } else { self.parts.pop() };
        let mut parts = std::mem::take(&mut self.parts);
        for part in parts.drain(..) {
            let start = (part.at.offset - row.offset) as usize;
            let bytes = &row.bytes[start..start + part.len];
            match self.index_of(Kind::IllFormed(part.kind), bytes, row.encoding) {
                Some(index) => self.held[index].add_equal(part.findings, part.at),
                None => self.withheld += part.findings,
            }
        }
        self.parts = parts;
        if let Some(last) = last {
            self.open = Some(Group::brief(&last, row));
        } else if row.ends {
            self.close_group()?;
        }
        Ok(true)
    }

    /// Whether no more pictures are held.
    fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| self.shown + self.held.len() as u64 >= limit)
    }

    /// Where an equal group is held.
    fn index_of(&self, kind: Kind, bytes: &[u8], encoding: &'static Encoding) -> Option<usize> {
        if bytes.first().is_some_and(|first| !self.starts[usize::from(*first)]) {
            return None;
        }
        let equal = self.known.get(bytes)?;
        equal.iter().find(|(k, of, _)| (*k, *of) == (kind, encoding)).map(|(.., index)| *index)
    }

    fn show_held(&mut self, verdict: &Verdict) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.known.clear();
        for group in held {
            if !self.is_one_cause(verdict) || self.shown == 0 {
                let picture = self.frame.picture(&group, verdict);
                self.to.write_all(picture.as_bytes())?;
                self.shown += 1;
            }
        }
        Ok(())
    }

    /// Whether all findings are of one cause, so that one of them shows it.
    fn is_one_cause(&self, verdict: &Verdict) -> bool {
        self.ill_formed > 0 && verdict.whole.is_some() && !verdict.names_bytes()
    }

    /// What is to be said of the text as a whole.
    fn conclusion(&self, verdict: &Verdict) -> String {
        let frame = &self.frame;
        let findings = counted(self.total, "finding");
        if let Some(whole) = verdict.whole.as_ref().filter(|_| self.ill_formed > 0) {
            let head = format!("{}: {findings}, for what the text as a whole is", frame.path);
            return frame.statement(&head, whole);
        }
        if let Some(note) = verdict.whole.as_ref().or(verdict.note.as_ref()) {
            return frame.statement(&format!("{}: note", frame.path), note);
        }
        if self.total > 1 && self.shown > 0 && verdict.is_of_several() {
            let words = format!("{findings} of several causes, which no one command repairs");
            return wrap("", &format!("{}: {words}", frame.path), frame.columns) + "\n";
        }
        String::new()
    }
}

impl<W: Write> Reporter for Explain<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.seen += 1;
        if finding.kind.is_fault() {
            self.total += 1;
            let of_bytes = matches!(finding.kind, Kind::IllFormed(_) | Kind::OtherEncoding);
            self.ill_formed += u64::from(of_bytes);
        }
        match &mut self.open {
            Some(open) if place(finding).is_some_and(|place| open.takes(&place)) => {
                open.take(finding);
            }
            _ => {
                self.close_group()?;
                self.open = Some(Group::new(finding));
            }
        }
        Ok(())
    }

    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        self.take_row(row)
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        self.judge.look(bytes, encoding);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn note(&mut self, words: &str) {
        self.words.push((true, words.to_owned()));
    }

    fn remark(&mut self, words: &str) {
        self.words.push((false, words.to_owned()));
    }
}

impl Frame {
    fn picture(&self, group: &Group, verdict: &Verdict) -> String {
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
        let Style { error, note, place, reset } = self.style;
        let fault = group.kind.is_fault();
        let (colour, word) = if fault { (error, "error") } else { (note, "note") };
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
        let first = format!("{place}{start}{reset} {colour}{kind}{reset}");
        if all <= self.columns {
            return format!("{first} {rest}\n\n");
        }
        let first = if width(&start) + 1 + width(&kind) <= self.columns {
            first
        } else {
            format!("{place}{start}{reset}\n  {colour}{kind}{reset}")
        };
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
        let frame = |text: &str| self.palette.paint(self.palette.frame, text);
        let marks = self.palette.paint(self.palette.found, &marks);
        let first = format!("  {} {text}", frame(&format!("{number} |")));
        let second = format!("  {} {marks}", frame(&format!("{blanks} |")));
        format!("{}\n{second}\n\n", first.trim_end())
    }

    /// What `--errors replace` makes of the line.
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

    /// What the target has near an unmappable character.
    fn offers(&self, group: &Group) -> String {
        let Some(value) = group.value else { return String::new() };
        let mut offers = Vec::new();
        if let Some(text) = &group.transliteration {
            offers.push((text.chars().map(|c| cell(c.into())).collect(), "translit"));
        }
        if group.writes_escapes {
            offers.push((format!("&#x{value:X};"), "xml"));
            offers.push((format!("\\u{{{value:X}}}"), "escape"));
        }
        let Some((_, best)) = offers.first() else { return String::new() };
        let best = Repair {
            options: vec!["--unmappable".to_owned(), (*best).to_owned()],
            ..Repair::default()
        };
        let words: Vec<_> =
            offers.iter().map(|(text, mode): &(String, _)| format!("{text} ({mode})")).collect();
        self.row("offers", &words.join(", ")) + &self.repair(Some(&best))
    }

    /// A guess about the text as a whole.
    fn statement(&self, head: &str, guess: &Guess) -> String {
        wrap("", head, self.columns)
            + "\n"
            + &self.row("probably", &format!("{}: {}", guess.what, guess.evidence))
            + &self.repair(guess.repair.as_ref())
            + "\n"
    }

    fn repair(&self, repair: Option<&Repair>) -> String {
        let Some(repair) = repair else { return String::new() };
        let mut repair = repair.clone();
        let says = |option: &str| repair.options.iter().any(|word| word == option);
        let mut more = Vec::new();
        if let Some(from) = self.from.filter(|_| !says("-f")) {
            more.extend(["-f".to_owned(), from.to_owned()]);
        }
        if let Some(to) = self.to.filter(|_| !says("-t")) {
            more.extend(["-t".to_owned(), to.to_owned()]);
        }
        repair.options.splice(0..0, more);
        let words = command::words(&repair, self.file.as_deref());
        let blank = " ".repeat(LABEL + 2);
        let lines = command::lines(&blank, &words, self.columns);
        let Palette { command: colour, .. } = self.palette;
        let shown: Vec<_> =
            lines.lines().map(|line| self.palette.paint(colour, &line[LABEL + 2..])).collect();
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
        self.palette.paint(self.palette.frame, &format!("  {label:LABEL$}"))
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
