//! The first pass over a document: which shard it is, and the files at its two ends, because only these can be pieces.
//! All other events are only checked, so the survey has a fixed size.

use std::path::PathBuf;

use serde::Deserialize;

use super::document::{Document, EventFault, EventLines, MergeError, parse};
use super::document_walk::{DocumentWalk, EventRole};
use super::event_members::EventMembers;
use crate::json_path::OwnedPath;

const VERSION: u64 = 2;

/// The shard `index` of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ShardNumber {
    pub(super) index: u64,
    pub(super) of: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct StartEvent {
    version: u64,
    pub(super) tool_version: String,
    pub(super) task: String,
    shard: Option<ShardNumber>,
}

/// The part of a file that a shard has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ShardPiece {
    pub(super) start: u64,
    /// The offset after its last byte.
    pub(super) end: u64,
    /// The length of the whole file in bytes.
    pub(super) size: u64,
    /// How many line ends it has.
    pub(super) lines: u64,
    /// The column after it, if it began at column 1.
    pub(super) column: u64,
}

#[derive(Debug)]
pub(super) struct FileEnd {
    /// The line of the document that it is on.
    pub(super) line: u64,
    /// `None` if the shard has the whole file.
    pub(super) part: Option<ShardPiece>,
    /// Whether a finding stopped the conversion.
    pub(super) stopped: bool,
    pub(super) members: EventMembers,
}

#[derive(Debug)]
pub(super) enum SurveyedFile {
    Opened {
        /// `None` is standard input.
        path: Option<PathBuf>,
        /// `None` if an error ended it.
        end: Option<Box<FileEnd>>,
    },
    /// It was skipped or refused.
    Left { kind: String, path: Option<PathBuf> },
}

/// What the first pass found out about a document.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) shard: ShardNumber,
    pub(super) start: StartEvent,
    /// The first event as it is written to the merged document: without the shard.
    pub(super) start_line: Vec<u8>,
    pub(super) items: u64,
    /// The first of them and, if there are several, the last.
    pub(super) ends: Vec<SurveyedFile>,
    /// Whether an error came before the first file.
    pub(super) error_before: bool,
    /// Whether an error came after the last file, or ended it.
    pub(super) error_after: bool,
    pub(super) summary: EventMembers,
    pub(super) exit_status: u8,
    /// The number of its last line.
    pub(super) lines: u64,
}

#[derive(Deserialize)]
struct PathMember {
    path: Option<OwnedPath>,
}

#[derive(Deserialize)]
struct EndEvent {
    stopped: bool,
    part: Option<ShardPiece>,
}

#[derive(Deserialize)]
struct KindMember {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct SummaryEvent {
    exit_status: u8,
}

/// Reads a document to its end and checks it.
pub(super) fn survey(document: &dyn Document) -> Result<Survey, MergeError> {
    let mut lines = EventLines::new(document)?;
    let label = document.label();
    let no_shard = |what: &str| {
        MergeError::Documents(format!("{label}: {what} (--shard K/N --format json writes them)"))
    };
    let mut walk = DocumentWalk::default();
    let read = match lines.next() {
        Err(MergeError::Line { .. }) => None,
        other => other?,
    };
    let is_start = |line: &&str| walk.step(line).is_ok();
    let Some(line) = read.map(|(line, _)| line).filter(is_start) else {
        return Err(no_shard("not a json document of findings"));
    };
    let start = start(line);
    let (start, start_line) = start.map_err(|fault| lines.fault(fault))?;
    let Some(shard) = start.shard else {
        return Err(no_shard("the findings of a whole run, not of a shard"));
    };
    let mut found = Surveyor::default();
    let mut number = 1;
    while let Some((line, at)) = lines.next()? {
        number = at;
        let taken = walk.step(line).and_then(|step| found.take(step, line, number));
        taken.map_err(|fault| lines.fault(fault))?;
    }
    let Some((summary, exit_status)) = found.summary.filter(|_| walk.is_complete()) else {
        let what = "no summary at its end: the run was cut off";
        return Err(MergeError::Documents(format!("{label}: {what}")));
    };
    let survey = Survey {
        shard,
        start,
        start_line,
        items: walk.items(),
        ends: found.ends,
        error_before: found.error_before,
        error_after: found.error_after,
        summary,
        exit_status,
        lines: number,
    };
    if survey.summary.number("files") != found.ended {
        return Err(MergeError::Documents(format!(
            "{label}: its summary has {} files, but {} have an end",
            survey.summary.number("files"),
            found.ended
        )));
    }
    Ok(survey)
}

/// Parses the first event, and returns it with its text without the shard.
fn start(line: &str) -> Result<(StartEvent, Vec<u8>), EventFault> {
    let start: StartEvent = parse(line)?;
    if start.version != VERSION {
        let other = start.version;
        return Err(EventFault(format!("version {other} of the format, not version {VERSION}")));
    }
    if let Some(ShardNumber { index, of }) = start.shard
        && (index == 0 || index > of)
    {
        return Err(EventFault(format!("there is no shard {index} of {of}")));
    }
    let mut members: EventMembers = parse(line)?;
    members.remove("shard");
    Ok((start, members.line()))
}

/// The survey of a document so far.
#[derive(Default)]
struct Surveyor {
    ends: Vec<SurveyedFile>,
    error_before: bool,
    error_after: bool,
    /// How many files have an end.
    ended: u64,
    summary: Option<(EventMembers, u8)>,
}

impl Surveyor {
    fn take(&mut self, step: EventRole, line: &str, number: u64) -> Result<(), EventFault> {
        match step {
            EventRole::Begin(_) => {
                self.push(SurveyedFile::Opened { path: path(line)?, end: None })?
            }
            EventRole::Left(_) => {
                let kind = parse::<KindMember>(line)?.kind;
                self.push(SurveyedFile::Left { kind, path: path(line)? })?;
            }
            EventRole::End(_) => {
                self.ended += 1;
                let EndEvent { stopped, part } = parse(line)?;
                if let Some(part) = part {
                    check(part)?;
                }
                let own = path(line)?;
                let mut members: EventMembers = parse(line)?;
                members.remove("part");
                let Some(SurveyedFile::Opened { path, end }) = self.ends.last_mut() else {
                    return Ok(());
                };
                if *path != own {
                    return Err("the end of another file than the one that is open".into());
                }
                *end = Some(Box::new(FileEnd { line: number, part, stopped, members }));
            }
            EventRole::Error => {
                self.error_before |= self.ends.is_empty();
                self.error_after = true;
            }
            EventRole::Summary => {
                let status = parse::<SummaryEvent>(line)?.exit_status;
                if status > 2 {
                    return Err(EventFault(format!("there is no exit status {status}")));
                }
                self.summary = Some((parse(line)?, status));
            }
            EventRole::Start
            | EventRole::Finding(_)
            | EventRole::Note(_)
            | EventRole::Inside(_) => {}
            EventRole::Between | EventRole::Other => {}
        }
        Ok(())
    }

    /// Adds a file. It replaces the last one, which must be whole: only the first and the last file of a document may
    /// be pieces.
    ///
    /// An error that came before is now one between two files, of which a document may have any number. `error_after`
    /// is about the last file alone.
    fn push(&mut self, item: SurveyedFile) -> Result<(), EventFault> {
        self.error_after = false;
        if let [_, last] = &mut self.ends[..] {
            if let SurveyedFile::Opened { end: Some(end), .. } = last
                && end.part.is_some_and(|part| part.start > 0 || part.end < part.size)
            {
                let line = end.line;
                return Err(EventFault(format!(
                    "a file begins, but the one before it (to line {line}) is neither whole nor the first"
                )));
            }
            *last = item;
        } else {
            self.ends.push(item);
        }
        Ok(())
    }
}

fn path(line: &str) -> Result<Option<PathBuf>, EventFault> {
    let path = parse::<PathMember>(line)?.path;
    path.map(|path| path.path().ok_or_else(|| "a path that is not in base64".into())).transpose()
}

fn check(part: ShardPiece) -> Result<(), EventFault> {
    let ShardPiece { start, end, size, column, .. } = part;
    if start > end || end > size || column == 0 {
        return Err(EventFault(format!(
            "bytes {start} to {end} of {size}, and column {column}, are not a piece of a file"
        )));
    }
    Ok(())
}
