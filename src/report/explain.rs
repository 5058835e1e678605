//! `--explain`: each finding as a picture, with the rule that it breaks and its probable cause.
//!
//! The probable cause depends on the whole text. So pictures are held back until the text has been read, or until there
//! are many of them.
//!
//! ```text
//! findings ──► groups of adjacent findings with one cause ──► equal ones folded ──► held ──► picture
//! text ──► Judge ──────────────────────────────────────► Verdict ───────────────────────────────┘
//! ```

use std::collections::HashMap;
use std::io::{self, Write};

use super::group::{Group, Part, place, row_places};
use super::output_format::{
    FormatChoice, FormatOptions, OutputFormat, Remainder, Subject, TextReporter,
};
use super::palette::Palette;
use super::picture::{Draw, Frame, Statement};
use super::terminal::Terminal;
use super::text::MOST_FINDINGS;
use crate::diagnostic::guess::{Cause, Judge, Verdict};
use crate::diagnostic::{Detail, Finding, Kind, Message, Reporter, Row, counted};
use crate::encoding::Encoding;

/// `--explain`.
pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "findings",
    help: "The findings",
    new: |options| Box::new(ExplainFormat { options: *options }),
};

/// The most pictures to hold back if the user wants all of them.
const MOST_HELD: usize = 512;

/// The format that shows pictures of findings.
struct ExplainFormat {
    options: FormatOptions,
}

impl OutputFormat for ExplainFormat {
    fn is_for_people(&self) -> bool {
        true
    }

    fn detail(&self) -> Detail {
        Detail::Context
    }

    fn most_findings(&self) -> Option<u64> {
        Some(MOST_FINDINGS)
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let FormatOptions { coloured, columns, .. } = self.options;
        let terminal = Terminal {
            path: text.label(),
            columns,
            palette: Palette::new(coloured),
            shows_clean: !self.options.quiet && !self.options.recursive,
        };
        Box::new(Explain::new(to, Frame::new(text, self.options.asked()), terminal, limit))
    }
}

/// Shows the findings of one text, up to a limit of pictures.
pub(super) struct Explain<W, D> {
    to: W,
    frame: Frame,
    draw: D,
    limit: Option<u64>,
    shown: u64,
    judge: Judge,
    /// The group that the next finding may join.
    open: Option<Group>,
    held: Vec<Group>,
    /// Reusable buffer for the groups of a row.
    parts: Vec<Part>,
    /// The first bytes of the groups held, as a quick test.
    starts: [bool; 256],
    /// The groups held, by their bytes.
    known: HashMap<Vec<u8>, Vec<(Kind, &'static Encoding, usize)>>,
    /// Counts of findings: all; those that are not notes; those about ill-formed text or another encoding; and those
    /// without a picture.
    seen: u64,
    total: u64,
    ill_formed: u64,
    withheld: u64,
    /// Whether a finding stopped the conversion, so that the rest of the text is unknown.
    stopped: bool,
    messages: Vec<Message>,
}

impl<W: Write, D: Draw> Explain<W, D> {
    /// Creates a reporter that shows at most `limit` pictures on `to`.
    pub(super) fn new(to: W, frame: Frame, draw: D, limit: Option<u64>) -> Self {
        Self {
            to,
            frame,
            draw,
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
            stopped: false,
            messages: Vec::new(),
        }
    }

    fn close_group(&mut self) -> io::Result<()> {
        let Some(group) = self.open.take() else { return Ok(()) };
        let Finding { kind, bytes, encoding, .. } = &group.finding;
        if let Some(index) = self.index_of(*kind, bytes, encoding) {
            self.held[index].add_equal(group.findings, group.at());
            return Ok(());
        }
        if self.is_full() {
            self.withheld += group.findings;
            return Ok(());
        }
        if let Some(first) = bytes.first() {
            self.starts[usize::from(*first)] = true;
        }
        let place = (*kind, *encoding, self.held.len());
        self.known.entry(bytes.to_vec()).or_default().push(place);
        self.held.push(group);
        if self.held.len() == MOST_HELD {
            let verdict = self.judge.verdict(false);
            self.show_held(&verdict)?;
        }
        Ok(())
    }

    /// Takes a row if none of its groups needs a picture: they are equal to others, or there are enough pictures.
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
                Some(last) if last.takes(&place) => last.take(place.bytes.len()),
                _ => self.parts.push(Part::new(&place, at)),
            }
        }
        if !full && !self.parts.iter().all(|part| self.index_of_part(part, row).is_some()) {
            return Ok(false);
        }
        self.count_row(row)?;
        Ok(true)
    }

    /// Counts a row none of whose groups needs a picture.
    fn count_row(&mut self, row: &Row<'_>) -> io::Result<()> {
        let count = row.subsequences.len() as u64;
        self.seen += count;
        self.total += count;
        self.ill_formed += count;
        // The last group may continue after the row.
        let last = if row.ends { None } else { self.parts.pop() };
        let mut parts = std::mem::take(&mut self.parts);
        for part in parts.drain(..) {
            match self.index_of_part(&part, row) {
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
        Ok(())
    }

    /// Whether no more pictures can be held.
    fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| self.shown + self.held.len() as u64 >= limit)
    }

    /// Returns the index of an equal group that is held.
    fn index_of(&self, kind: Kind, bytes: &[u8], encoding: &'static Encoding) -> Option<usize> {
        if bytes.first().is_some_and(|first| !self.starts[usize::from(*first)]) {
            return None;
        }
        let equal = self.known.get(bytes)?;
        equal.iter().find(|(k, of, _)| (*k, *of) == (kind, encoding)).map(|(.., index)| *index)
    }

    /// Returns the index of a held group that equals a part of a row.
    fn index_of_part(&self, part: &Part, row: &Row<'_>) -> Option<usize> {
        let start = (part.at.offset - row.offset) as usize;
        let bytes = &row.bytes[start..start + part.len];
        self.index_of(Kind::IllFormed(part.kind), bytes, row.encoding)
    }

    fn show_held(&mut self, verdict: &Verdict) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.known.clear();
        for group in held {
            if !self.is_one_cause(verdict) || self.shown == 0 {
                let picture = self.draw.picture(&self.frame.picture(&group, verdict));
                self.to.write_all(picture.as_bytes())?;
                self.shown += 1;
            }
        }
        Ok(())
    }

    /// Whether all findings have one cause, so that one picture stands for all.
    fn is_one_cause(&self, verdict: &Verdict) -> bool {
        self.ill_formed > 0 && verdict.whole.is_some() && !verdict.names_bytes()
    }

    /// Returns the conclusion about the text as a whole.
    fn conclusion(&self, verdict: &Verdict) -> Option<Statement> {
        let findings = counted(self.total, "finding");
        if let Some(whole) = verdict.whole.as_ref().filter(|_| self.ill_formed > 0) {
            let words = match whole.cause {
                Cause::Lines => format!("{findings}; the lines seem to be in several encodings"),
                _ => format!("{findings}; the whole text seems to be in another encoding"),
            };
            return Some(self.frame.statement(words, whole));
        }
        if let Some(note) = verdict.whole.as_ref().or(verdict.note.as_ref()) {
            return Some(self.frame.statement("note".to_owned(), note));
        }
        (self.total > 1 && self.shown > 0 && verdict.is_of_several()).then(|| {
            let both = if self.total == 2 { "both" } else { "all" };
            Statement {
                words: format!(
                    "{findings} with different causes; no single command repairs {both}"
                ),
                rows: Vec::new(),
            }
        })
    }
}

impl<W: Write, D: Draw> TextReporter for Explain<W, D> {
    /// Shows the pictures held back and the conclusion.
    fn close(mut self: Box<Self>) -> io::Result<Remainder> {
        self.close_group()?;
        let verdict = self.judge.verdict(true);
        self.show_held(&verdict)?;
        // A baseline or the rules of a repository may leave out findings: they are none, but the text is not well-formed.
        let is_left_out = self.seen == 0 && verdict.is_ill_formed();
        let last = if let Some(conclusion) = self.conclusion(&verdict).filter(|_| !is_left_out) {
            self.draw.statement(&conclusion)
        } else if self.seen == 0 {
            self.judge.encoding().map_or_else(String::new, |encoding| {
                let bytes = counted(self.judge.text_len(), "byte");
                self.draw.clean(&match is_left_out {
                    true => format!("no findings to report: {bytes}"),
                    false => format!("no findings: {bytes} of well-formed {encoding}"),
                })
            })
        } else {
            let hint = verdict.hint().filter(|_| self.ill_formed > 0 && !self.stopped);
            hint.map_or_else(String::new, |hint| self.draw.hint(&self.frame.hint(hint)))
        };
        self.to.write_all(last.as_bytes())?;
        self.to.write_all(self.draw.end().as_bytes())?;
        // If the whole text has another encoding, one picture is as good as many.
        let withheld = if self.is_one_cause(&verdict) { 0 } else { self.withheld };
        Ok(Remainder {
            shown: self.seen - withheld,
            withheld,
            messages: self.messages,
            ..Remainder::default()
        })
    }
}

impl<W: Write, D: Draw> Reporter for Explain<W, D> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.seen += 1;
        self.judge.finding(finding);
        self.stopped |= finding.stops;
        if finding.kind.is_fault() {
            self.total += 1;
            self.ill_formed += u64::from(finding.kind.is_of_bytes());
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
        self.frame.read_in(encoding);
        self.judge.look(bytes, encoding);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn message(&mut self, message: Message) {
        self.messages.push(message);
    }
}
