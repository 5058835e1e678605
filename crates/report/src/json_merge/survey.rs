//! What has to be known of a document before it is merged: which shard it is, and the files at its two ends, because
//! only these can be pieces. The rest of it is only checked, so the survey has a fixed size.

use std::path::PathBuf;

use serde::Deserialize;

use super::counts::Members;
use super::document::{Document, Lines, MergeError, Wrong, parse};
use super::walk::{Step, Walk};
use crate::json_path::OwnedPath;

/// The version of the events that this program reads.
const VERSION: u64 = 2;

/// A shard: the piece `index` of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Shard {
    pub(super) index: u64,
    pub(super) of: u64,
}

/// What the first event says.
#[derive(Debug, Deserialize)]
pub(super) struct Start {
    version: u64,
    pub(super) tool_version: String,
    pub(super) task: String,
    shard: Option<Shard>,
}

/// The part of a file that is a piece of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Part {
    /// The offset of its first byte.
    pub(super) start: u64,
    /// The offset of the byte after it.
    pub(super) end: u64,
    /// The length of the whole file in bytes.
    pub(super) size: u64,
    /// How many lines it moves forward.
    pub(super) lines: u64,
    /// The column after it, if it began at column 1.
    pub(super) column: u64,
}

/// The end of a file.
#[derive(Debug)]
pub(super) struct End {
    /// The line of the event.
    pub(super) line: u64,
    /// `None` if the shard has the whole file.
    pub(super) part: Option<Part>,
    /// Whether a finding stopped the conversion.
    pub(super) stopped: bool,
    /// The event.
    pub(super) members: Members,
}

/// A file of a document.
#[derive(Debug)]
pub(super) enum Item {
    /// It was opened.
    Opened {
        /// `None` is standard input.
        path: Option<PathBuf>,
        /// `None` if an error ended it.
        end: Option<Box<End>>,
    },
    /// It was skipped or refused.
    Left {
        /// The type of the event.
        kind: String,
        path: Option<PathBuf>,
    },
}

/// What is known of a document.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) shard: Shard,
    pub(super) start: Start,
    /// The first event, as it is in the merged document.
    pub(super) start_line: Vec<u8>,
    /// How many files it has.
    pub(super) items: u64,
    /// The first of them and, if there are more, the last.
    pub(super) ends: Vec<Item>,
    /// Whether an error came before the first file.
    pub(super) error_before: bool,
    /// Whether an error came after the last file, or ended it.
    pub(super) error_after: bool,
    pub(super) summary: Members,
    /// 0, 1 or 2.
    pub(super) exit_status: u8,
    /// The number of its last line.
    pub(super) lines: u64,
}

#[derive(Deserialize)]
struct OfPath {
    path: Option<OwnedPath>,
}

#[derive(Deserialize)]
struct OfEnd {
    stopped: bool,
    part: Option<Part>,
}

#[derive(Deserialize)]
struct OfLeft {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct OfSummary {
    exit_status: u8,
}

/// Reads a document to its end, and checks it.
pub(super) fn survey(document: &dyn Document) -> Result<Survey, MergeError> {
    let mut lines = Lines::new(document)?;
    let label = document.label();
    let no_shard = |what: &str| {
        MergeError::Documents(format!("{label}: {what} (--shard K/N --format json writes them)"))
    };
    let mut walk = Walk::default();
    let read = match lines.next() {
        Err(MergeError::Line { .. }) => None,
        other => other?,
    };
    let is_start = |line: &&str| walk.step(line).is_ok();
    let Some(line) = read.map(|(line, _)| line).filter(is_start) else {
        return Err(no_shard("not a json document of findings"));
    };
    let start = start(line);
    let (start, start_line) = start.map_err(|wrong| lines.wrong(wrong))?;
    let Some(shard) = start.shard else {
        return Err(no_shard("the findings of a whole run, not of a shard"));
    };
    let mut found = Found::default();
    let mut number = 1;
    while let Some((line, at)) = lines.next()? {
        number = at;
        let taken = walk.step(line).and_then(|step| found.take(step, line, number));
        taken.map_err(|wrong| lines.wrong(wrong))?;
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

/// Reads the first event, and returns it without its shard.
fn start(line: &str) -> Result<(Start, Vec<u8>), Wrong> {
    let start: Start = parse(line)?;
    if start.version != VERSION {
        let other = start.version;
        return Err(Wrong(format!("version {other} of the format, not version {VERSION}")));
    }
    if let Some(Shard { index, of }) = start.shard
        && (index == 0 || index > of)
    {
        return Err(Wrong(format!("there is no shard {index} of {of}")));
    }
    let mut members: Members = parse(line)?;
    members.remove("shard");
    Ok((start, members.line()))
}

/// What was found in a document so far.
#[derive(Default)]
struct Found {
    ends: Vec<Item>,
    error_before: bool,
    error_after: bool,
    /// How many files have an end.
    ended: u64,
    summary: Option<(Members, u8)>,
}

impl Found {
    fn take(&mut self, step: Step, line: &str, number: u64) -> Result<(), Wrong> {
        match step {
            Step::Begin(_) => self.push(Item::Opened { path: path(line)?, end: None })?,
            Step::Left(_) => {
                let kind = parse::<OfLeft>(line)?.kind;
                self.push(Item::Left { kind, path: path(line)? })?;
            }
            Step::End(_) => {
                self.ended += 1;
                let OfEnd { stopped, part } = parse(line)?;
                if let Some(part) = part {
                    check(part)?;
                }
                let own = path(line)?;
                let mut members: Members = parse(line)?;
                members.remove("part");
                let Some(Item::Opened { path, end }) = self.ends.last_mut() else { return Ok(()) };
                if *path != own {
                    return Err("the end of another file than the one that is open".into());
                }
                *end = Some(Box::new(End { line: number, part, stopped, members }));
            }
            Step::Error => {
                self.error_before |= self.ends.is_empty();
                self.error_after = true;
            }
            Step::Summary => {
                let status = parse::<OfSummary>(line)?.exit_status;
                if status > 2 {
                    return Err(Wrong(format!("there is no exit status {status}")));
                }
                self.summary = Some((parse(line)?, status));
            }
            Step::Start | Step::Finding(_) | Step::Note(_) | Step::Inside(_) => {}
            Step::Between | Step::Other => {}
        }
        Ok(())
    }

    /// Adds a file. Only the first and the last of a document may be pieces.
    fn push(&mut self, item: Item) -> Result<(), Wrong> {
        self.error_after = false;
        if let [_, last] = &mut self.ends[..] {
            if let Item::Opened { end: Some(end), .. } = last
                && end.part.is_some_and(|part| part.start > 0 || part.end < part.size)
            {
                let line = end.line;
                return Err(Wrong(format!(
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

fn path(line: &str) -> Result<Option<PathBuf>, Wrong> {
    let path = parse::<OfPath>(line)?.path;
    path.map(|path| path.path().ok_or_else(|| "a path that is not in base64".into())).transpose()
}

/// Checks the numbers of a piece.
fn check(part: Part) -> Result<(), Wrong> {
    let Part { start, end, size, column, .. } = part;
    if start > end || end > size || column == 0 {
        return Err(Wrong(format!(
            "bytes {start} to {end} of {size}, and column {column}, are not a piece of a file"
        )));
    }
    Ok(())
}
