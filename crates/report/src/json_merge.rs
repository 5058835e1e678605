//! Documents of shards in the json format, merged into the document of a single run (`--merge-findings`).
//!
//! ```text
//! documents ─► survey: check each, note the files at its ends ─► plan: pieces of one file ─► write: read all again
//! ```
//!
//! Each document is read twice. So nothing is written unless all of them fit together, and no finding is kept in
//! memory. Events are copied byte for byte: only the line and the column of a finding are replaced, and the text around
//! them is not formatted again.

mod document;
mod document_walk;
mod event_members;
mod merge_plan;
mod survey;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::visible::visible_json;
use document::{EventFault, EventLines, parse};
use document_walk::{DocumentWalk, EventRole};
use merge_plan::{Carry, MergePlan, PlannedDocument, Treatment};
use survey::{Survey, survey};

pub use document::{Document, LONGEST_EVENT, MergeError};

/// The most bytes of notes on one file that are kept until its end.
const MAX_NOTE_BYTES: usize = 1 << 20;
/// The most missing shards that a message names.
const MAX_NAMED_SHARDS: usize = 8;

/// The documents of a run, checked and ready to be merged.
pub struct Merge<'a> {
    documents: Vec<&'a dyn Document>,
    plan: MergePlan,
}

impl<'a> Merge<'a> {
    /// Reads the documents of all shards of a run, in any order, and checks that they fit together.
    ///
    /// # Errors
    ///
    /// If one cannot be read or is not complete, if a shard is missing or given twice, or if the pieces of a file leave
    /// a gap or overlap.
    pub fn new(documents: Vec<&'a dyn Document>) -> Result<Self, MergeError> {
        let mut surveys = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            surveys.push((index, survey(*document)?));
        }
        surveys.sort_unstable_by_key(|(_, survey)| survey.shard.index);
        check_set(&surveys, &documents).map_err(MergeError::Documents)?;
        let plan = merge_plan::plan(surveys, &documents)?;
        Ok(Self { documents, plan })
    }

    /// Returns the exit status of the whole run.
    pub fn exit_status(&self) -> u8 {
        self.plan.exit_status
    }

    /// Returns remarks on the result, for people.
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
        let mut writer = MergeWriter { to, held: Vec::new(), notes: SeenNotes::default() };
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
    let named: Vec<_> = (1..=of)
        .filter(|index| !given(index))
        .take(MAX_NAMED_SHARDS)
        .map(|it| it.to_string())
        .collect();
    let more = missing - named.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (shards, are) = if missing == 1 { ("shard", "is") } else { ("shards", "are") };
    Err(format!("{shards} {}{more} of {of} {are} missing", named.join(", ")))
}

/// Notes between files that were written before. Notes on rules come before the first file of a directory, so several
/// shards have them.
///
/// Only a digest of each is kept: 128 bits with a random key, so that no document can be made to collide.
#[derive(Default)]
struct SeenNotes {
    state: RandomState,
    /// The digests of notes, and the index of the document that had each one first.
    first: HashMap<(u64, u64), usize>,
}

impl SeenNotes {
    /// Whether an earlier document has the note. Within one document, a repeated note stays.
    fn has(&mut self, note: &str, document: usize) -> bool {
        let digest = (self.state.hash_one((0, note)), self.state.hash_one((1, note)));
        *self.first.entry(digest).or_insert(document) != document
    }
}

/// The line and the column of a finding, as slices of its event.
#[derive(Deserialize)]
struct RawPosition<'a> {
    #[serde(borrow)]
    line: &'a RawValue,
    #[serde(borrow)]
    column: &'a RawValue,
}

struct MergeWriter<'w> {
    to: &'w mut dyn Write,
    /// The notes on the pieces of a file, until its end. In the document of a single run, the notes on a file come
    /// after all of its findings, and those of later pieces are yet to come.
    held: Vec<String>,
    notes: SeenNotes,
}

impl MergeWriter<'_> {
    fn document(
        &mut self,
        planned: &PlannedDocument,
        document: &dyn Document,
    ) -> Result<(), MergeError> {
        let mut lines = EventLines::new(document)?;
        let mut walk = DocumentWalk::default();
        let mut last = 0;
        let changed = || {
            let label = document.label();
            MergeError::Documents(format!("{label}: changed while it was being read"))
        };
        while let Some((line, number)) = lines.next()? {
            last = number;
            let step = match walk.step(line) {
                Ok(step) => step,
                Err(fault) => return Err(lines.fault(fault)),
            };
            if walk.items() > planned.items {
                return Err(changed());
            }
            match self.event(planned, step, line) {
                Ok(()) => {}
                Err(EventError::Fault(fault)) => return Err(lines.fault(fault)),
                Err(EventError::Write(error)) => return Err(error.into()),
            }
        }
        if last != planned.lines || walk.items() != planned.items || !walk.is_complete() {
            return Err(changed());
        }
        Ok(())
    }

    /// Writes an event, or what takes its place.
    ///
    /// An error is written wherever it is. A note between files is written once, by the first document that has it.
    /// Events of a file depend on what the plan says of that file. Of a file in pieces, the result has the `begin` of
    /// the first piece, the findings of all with their positions moved, the notes of all without repetition, and the
    /// `end` that the plan has added up. Wherever something follows that is not about the file, its notes are written
    /// first.
    fn event(
        &mut self,
        planned: &PlannedDocument,
        step: EventRole,
        line: &str,
    ) -> Result<(), EventError> {
        if planned.only_errors && step != EventRole::Error {
            return Ok(());
        }
        match step {
            EventRole::Start | EventRole::Summary => {}
            EventRole::Error => {
                self.flush_notes()?;
                self.write(line)?;
            }
            EventRole::Between => {
                if !self.notes.has(line, planned.document) {
                    self.flush_notes()?;
                    self.write(line)?;
                }
            }
            EventRole::Other => self.write(line)?,
            EventRole::Begin(item)
            | EventRole::Finding(item)
            | EventRole::Note(item)
            | EventRole::Inside(item)
            | EventRole::End(item)
            | EventRole::Left(item) => match planned.treatment(item) {
                Treatment::Drop => {}
                Treatment::Keep => {
                    if matches!(step, EventRole::Begin(_) | EventRole::Left(_)) {
                        self.flush_notes()?;
                    }
                    self.write(line)?;
                }
                Treatment::Piece { begins, from, end } => match step {
                    EventRole::Begin(_) if *begins => {
                        self.flush_notes()?;
                        self.write(line)?;
                    }
                    EventRole::Begin(_) => {}
                    EventRole::Finding(_) => self.finding(line, *from)?,
                    EventRole::Note(_) => self.hold(line)?,
                    EventRole::End(_) => {
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

    /// Writes a finding of a piece with its position in the whole file.
    ///
    /// The event is not parsed and formatted again, because members of a newer release would be lost or change their
    /// order. `RawPosition` borrows the two numbers from the line, so their addresses say where they are in it. They
    /// are replaced there, in the order in which they occur.
    fn finding(&mut self, line: &str, from: Carry) -> Result<(), EventError> {
        if from == Carry::START {
            return Ok(self.write(line)?);
        }
        let place: RawPosition<'_> = parse(line)?;
        let number = |raw: &RawValue| raw.get().parse::<u64>().ok().filter(|number| *number > 0);
        let (Some(row), Some(column)) = (number(place.line), number(place.column)) else {
            return Err(
                EventFault::from("a finding whose line or column is not a number from 1").into()
            );
        };
        let too_large = || EventFault::from("a finding whose line or column is too large");
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

    /// Keeps a note on a piece until the end of the file, unless an earlier piece had it.
    fn hold(&mut self, line: &str) -> Result<(), EventError> {
        if self.held.iter().any(|held| held == line) {
            return Ok(());
        }
        self.held.push(line.to_owned());
        let size = self.held.iter().map(|held| held.len() + size_of::<String>()).sum::<usize>();
        if size > MAX_NOTE_BYTES {
            let what = format!("more than {} MiB of notes on one file", MAX_NOTE_BYTES >> 20);
            return Err(EventFault(what).into());
        }
        Ok(())
    }

    fn flush_notes(&mut self) -> std::io::Result<()> {
        for note in std::mem::take(&mut self.held) {
            self.write(&note)?;
        }
        Ok(())
    }

    /// Writes an event as it is, except that characters that must not reach a terminal are escaped.
    fn write(&mut self, line: &str) -> std::io::Result<()> {
        if line.is_ascii() && !line.contains('\x7F') {
            self.to.write_all(line.as_bytes())?;
        } else {
            self.to.write_all(&visible_json(line.as_bytes().to_owned()))?;
        }
        self.to.write_all(b"\n")
    }
}

/// Why an event was not written.
enum EventError {
    Fault(EventFault),
    Write(std::io::Error),
}

impl From<EventFault> for EventError {
    fn from(fault: EventFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<std::io::Error> for EventError {
    fn from(error: std::io::Error) -> Self {
        Self::Write(error)
    }
}
