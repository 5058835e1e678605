//! Documents of shards in the json format, merged into the document of a plain run (`--merge-findings`).
//!
//! ```text
//! documents ─► survey: check each, note the files at its ends ─► plan: pieces of one file ─► write: read all again
//! ```
//!
//! Every document is read twice. So nothing is written unless all of them fit together, and no finding is kept in
//! memory. An event stays as it is, to the byte: only the line and the column of a finding are replaced.

mod counts;
mod document;
mod plan;
mod survey;
mod walk;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::visible::visible_json;
use document::{Lines, Wrong, parse};
use plan::{Carry, Plan, Planned, Treatment};
use survey::{Survey, survey};
use walk::{Step, Walk};

pub use document::{Document, LONGEST_EVENT, MergeError};

/// The most bytes of notes on one file that are kept until its end.
const MOST_NOTES: usize = 1 << 20;
/// The most numbers of missing shards in a message.
const MOST_NAMED: usize = 8;

/// Documents that fit together.
pub struct Merge<'a> {
    documents: Vec<&'a dyn Document>,
    plan: Plan,
}

impl<'a> Merge<'a> {
    /// Reads the documents of all shards of a run, in any order, and checks that they fit together.
    ///
    /// # Errors
    ///
    /// If one cannot be read or is not complete, if a shard is missing or given twice, or if the pieces of a file leave a
    /// gap or overlap.
    pub fn new(documents: Vec<&'a dyn Document>) -> Result<Self, MergeError> {
        let mut surveys = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            surveys.push((index, survey(*document)?));
        }
        surveys.sort_by_key(|(_, survey)| survey.shard.index);
        check_set(&surveys, &documents).map_err(MergeError::Documents)?;
        let plan = plan::plan(surveys, &documents)?;
        Ok(Self { documents, plan })
    }

    /// Returns the exit status of the whole run.
    pub fn exit_status(&self) -> u8 {
        self.plan.exit_status
    }

    /// Returns what a person should know of the result.
    pub fn remarks(&self) -> &[String] {
        &self.plan.remarks
    }

    /// Writes the merged document.
    ///
    /// # Errors
    ///
    /// If it cannot be written, if a document cannot be read, or if one has changed since [`Merge::new`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), MergeError> {
        to.write_all(&self.plan.start)?;
        let mut writer = Writer { to, held: Vec::new(), notes: Notes::default() };
        for planned in &self.plan.documents {
            writer.document(planned, self.documents[planned.document])?;
        }
        writer.flush_notes()?;
        writer.to.write_all(&self.plan.summary)?;
        Ok(writer.to.flush()?)
    }
}

/// Checks that the documents are those of all shards of one run.
fn check_set(surveys: &[(usize, Survey)], documents: &[&dyn Document]) -> Result<(), String> {
    let Some((index, first)) = surveys.first() else { return Err("no documents".to_owned()) };
    let label = |index: usize| documents[index].label();
    let name = label(*index);
    let of = first.shard.of;
    for (index, survey) in surveys {
        let label = label(*index);
        if survey.shard.of != of {
            return Err(format!(
                "{label}: is one of {} shards, but {name} is one of {of}",
                survey.shard.of
            ));
        }
        let (task, version) = (&survey.start.task, &survey.start.tool_version);
        if *task != first.start.task {
            return Err(format!(
                "{label}: written by the task {task}, but {name} by {}",
                first.start.task
            ));
        }
        if *version != first.start.tool_version {
            return Err(format!(
                "{label}: written by oxiconv {version}, but {name} by {}",
                first.start.tool_version
            ));
        }
    }
    for pair in surveys.windows(2) {
        let [(one, survey), (other, next)] = pair else { continue };
        if survey.shard.index == next.shard.index {
            let number = survey.shard.index;
            return Err(format!(
                "{}: shard {number} of {of}, and so is {}",
                label(*one.max(other)),
                label(*one.min(other))
            ));
        }
    }
    let missing = of - surveys.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    let given =
        |index: &u64| surveys.binary_search_by_key(index, |(_, survey)| survey.shard.index).is_ok();
    let named: Vec<_> =
        (1..=of).filter(|index| !given(index)).take(MOST_NAMED).map(|it| it.to_string()).collect();
    let more = missing - named.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (shards, are) = if missing == 1 { ("shard", "is") } else { ("shards", "are") };
    Err(format!("{shards} {}{more} of {of} {are} missing", named.join(", ")))
}

/// The notes between files: those on rules come before the first file of a directory, so several shards have them.
#[derive(Default)]
struct Notes {
    state: RandomState,
    /// The digests of notes, and the number of the document that had them first.
    first: HashMap<(u64, u64), usize>,
}

impl Notes {
    /// Whether a document before this one has the note.
    fn has(&mut self, note: &str, document: usize) -> bool {
        let digest = (self.state.hash_one((0, note)), self.state.hash_one((1, note)));
        *self.first.entry(digest).or_insert(document) != document
    }
}

/// Line and column of a finding, where they are in its line.
#[derive(Deserialize)]
struct Place<'a> {
    #[serde(borrow)]
    line: &'a RawValue,
    #[serde(borrow)]
    column: &'a RawValue,
}

/// Writes the merged document.
struct Writer<'w> {
    to: &'w mut dyn Write,
    /// The notes on the pieces of a file, until its end.
    held: Vec<String>,
    notes: Notes,
}

impl Writer<'_> {
    fn document(&mut self, planned: &Planned, document: &dyn Document) -> Result<(), MergeError> {
        let mut lines = Lines::new(document)?;
        let mut walk = Walk::default();
        let mut last = 0;
        let changed = || {
            let label = document.label();
            MergeError::Documents(format!("{label}: changed while it was being read"))
        };
        while let Some((line, number)) = lines.next()? {
            last = number;
            let step = match walk.step(line) {
                Ok(step) => step,
                Err(wrong) => return Err(lines.wrong(wrong)),
            };
            if walk.items() > planned.items {
                return Err(changed());
            }
            match self.event(planned, step, line) {
                Ok(()) => {}
                Err(EventError::Wrong(wrong)) => return Err(lines.wrong(wrong)),
                Err(EventError::Write(error)) => return Err(error.into()),
            }
        }
        if last != planned.lines || walk.items() != planned.items || !walk.is_complete() {
            return Err(changed());
        }
        Ok(())
    }

    fn event(&mut self, planned: &Planned, step: Step, line: &str) -> Result<(), EventError> {
        if planned.only_errors && step != Step::Error {
            return Ok(());
        }
        match step {
            Step::Start | Step::Summary => {}
            Step::Error => {
                self.flush_notes()?;
                self.write(line)?;
            }
            Step::Between => {
                if !self.notes.has(line, planned.document) {
                    self.flush_notes()?;
                    self.write(line)?;
                }
            }
            Step::Other => self.write(line)?,
            Step::Begin(item)
            | Step::Finding(item)
            | Step::Note(item)
            | Step::Inside(item)
            | Step::End(item)
            | Step::Left(item) => match planned.treatment(item) {
                Treatment::Drop => {}
                Treatment::Keep => {
                    if matches!(step, Step::Begin(_) | Step::Left(_)) {
                        self.flush_notes()?;
                    }
                    self.write(line)?;
                }
                Treatment::Piece { begins, from, end } => match step {
                    Step::Begin(_) if *begins => {
                        self.flush_notes()?;
                        self.write(line)?;
                    }
                    Step::Begin(_) => {}
                    Step::Finding(_) => self.finding(line, *from)?,
                    Step::Note(_) => self.hold(line)?,
                    Step::End(_) => {
                        if let Some(end) = end {
                            self.flush_notes()?;
                            self.to.write_all(end)?;
                        }
                    }
                    _ => self.write(line)?,
                },
            },
        }
        Ok(())
    }

    /// Writes a finding of a piece with its place in the whole file.
    fn finding(&mut self, line: &str, from: Carry) -> Result<(), EventError> {
        if from == Carry::START {
            return Ok(self.write(line)?);
        }
        let place: Place<'_> = parse(line)?;
        let number = |raw: &RawValue| raw.get().parse::<u64>().ok().filter(|number| *number > 0);
        let (Some(row), Some(column)) = (number(place.line), number(place.column)) else {
            return Err(Wrong::from("a finding whose line or column is not a number from 1").into());
        };
        let too_large = || Wrong::from("a finding whose line or column is too large");
        let (row, column) = from.moved(row, column).ok_or_else(too_large)?;
        let range = |raw: &RawValue| {
            let start = raw.get().as_ptr().addr() - line.as_ptr().addr();
            start..start + raw.get().len()
        };
        let mut new = [(range(place.line), row), (range(place.column), column)];
        new.sort_unstable_by_key(|(range, _)| range.start);
        let mut moved = String::with_capacity(line.len() + 16);
        let mut at = 0;
        for (range, number) in new {
            moved.push_str(&line[at..range.start]);
            moved.push_str(&number.to_string());
            at = range.end;
        }
        moved.push_str(&line[at..]);
        Ok(self.write(&moved)?)
    }

    /// Keeps a note on a piece until the end of the file, unless a piece before had it.
    fn hold(&mut self, line: &str) -> Result<(), EventError> {
        if self.held.iter().any(|held| held == line) {
            return Ok(());
        }
        self.held.push(line.to_owned());
        let size = self.held.iter().map(|held| held.len() + size_of::<String>()).sum::<usize>();
        if size > MOST_NOTES {
            let what = format!("more than {} MiB of notes on one file", MOST_NOTES >> 20);
            return Err(Wrong(what).into());
        }
        Ok(())
    }

    fn flush_notes(&mut self) -> std::io::Result<()> {
        for note in std::mem::take(&mut self.held) {
            self.write(&note)?;
        }
        Ok(())
    }

    /// Writes an event as it is, with escapes for what must not reach a terminal.
    fn write(&mut self, line: &str) -> std::io::Result<()> {
        if line.is_ascii() && !line.contains('\x7F') {
            self.to.write_all(line.as_bytes())?;
        } else {
            self.to.write_all(&visible_json(line.as_bytes().to_owned()))?;
        }
        self.to.write_all(b"\n")
    }
}

/// Why an event cannot be written.
enum EventError {
    Wrong(Wrong),
    Write(std::io::Error),
}

impl From<Wrong> for EventError {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

impl From<std::io::Error> for EventError {
    fn from(error: std::io::Error) -> Self {
        Self::Write(error)
    }
}
