//! What happens to the files at the ends of each document. A file may begin in one document and end in another; then
//! the result has one `begin` and one `end`, and positions are moved by the lines and columns of the earlier pieces
//! (`Carry`).
//!
//! ```text
//! Between ─► piece from byte 0 ─► Open ─► pieces ─► Whole ─► empty pieces ─► Between
//!                                  └─► an error ─► Failed: the rest of the file is dropped
//! ```
//!
//! Documents are visited in the order of their shards, and only the first and the last file of each can be a piece. So
//! a state machine over these two is enough to check that the pieces of a file have no gaps and no overlaps.
//!
//! The summaries are added up, and corrected: a file in three pieces is counted by three shards.

use std::path::{Path, PathBuf};

use super::document::{Document, EventFault, MergeError, line_error};
use super::event_members::EventMembers;
use super::survey::{FileEnd, ShardPiece, Survey, SurveyedFile};
use crate::visible::visible_path;

/// How far the earlier pieces have moved the position: the lines before, and the column at which the piece begins.
///
/// ```text
/// piece 1  "ab⏎cd"   lines 1, column 3    a finding at 1:1 of piece 2 is at 2:3 of the file
/// piece 2  "ef⏎gh"                        a finding at 2:1 of piece 2 is at 3:1
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carry {
    pub(super) lines: u64,
    pub(super) column: u64,
}

impl Carry {
    /// The position of the first character of a file.
    pub(super) const START: Self = Self { lines: 0, column: 1 };

    /// Returns the position after a piece; `None` on overflow.
    fn after(self, part: ShardPiece) -> Option<Self> {
        let column = match part.lines {
            0 => self.column.checked_add(part.column - 1)?,
            _ => part.column,
        };
        Some(Self { lines: self.lines.checked_add(part.lines)?, column })
    }

    /// Returns a position in a piece as one in the whole file; `None` on overflow.
    pub(super) fn moved(self, line: u64, column: u64) -> Option<(u64, u64)> {
        let column = if line == 1 { column.checked_add(self.column - 1)? } else { column };
        Some((line.checked_add(self.lines)?, column))
    }
}

/// What to do with a file of a document.
#[derive(Clone, Debug)]
pub(super) enum Treatment {
    /// It is whole: copy it.
    Keep,
    /// Leave it out.
    Drop,
    /// It is a piece: join it to the others.
    Piece {
        /// Whether it is the first piece.
        begins: bool,
        /// What the earlier pieces have moved.
        from: Carry,
        /// The `end` event of the whole file, if this is the last piece.
        end: Option<Vec<u8>>,
    },
}

/// What to do with a document.
#[derive(Debug)]
pub(super) struct PlannedDocument {
    /// Its index in the order of the command line.
    pub(super) document: usize,
    /// The number of its last line, and of its files. The second pass checks that they are still the same.
    pub(super) lines: u64,
    pub(super) items: u64,
    /// What to do with its first and its last file.
    pub(super) ends: Vec<Treatment>,
    /// Whether only its errors are copied: a single run would have stopped before it.
    pub(super) only_errors: bool,
}

impl PlannedDocument {
    /// Returns what to do with a file, by its index in the document.
    pub(super) fn treatment(&self, item: u64) -> &Treatment {
        match (&self.ends[..], item) {
            ([first, ..], 0) => first,
            ([_, last], item) if item + 1 == self.items => last,
            // Only the first and the last file can be pieces.
            _ => &Treatment::Keep,
        }
    }
}

/// What to do with all documents.
#[derive(Debug)]
pub(super) struct MergePlan {
    pub(super) start: Vec<u8>,
    pub(super) documents: Vec<PlannedDocument>,
    pub(super) summary: Vec<u8>,
    pub(super) exit_status: u8,
    /// Sentences for people.
    pub(super) remarks: Vec<String>,
}

/// A file that may have more pieces.
struct MergedFile {
    path: Option<PathBuf>,
    /// The offset after the pieces so far, and the length of the file; `None` if one document has the whole file, which
    /// then does not say its length.
    extent: Option<(u64, u64)>,
    carry: Carry,
    /// The sum of the `end` events of the pieces.
    members: EventMembers,
    /// The last piece: the index of its document in `planned`, and which of its two ends it is.
    last: (usize, usize),
}

impl MergedFile {
    fn has_pieces(&self) -> bool {
        self.members.has("findings")
    }
}

/// The state of the plan between two files.
enum MergeState {
    Between,
    /// More pieces of the file must follow.
    Open(MergedFile),
    /// All bytes of the file were seen, but empty pieces may follow.
    Whole(MergedFile),
    /// A file was skipped or refused. Another shard with a piece of it says so again.
    Left(String, Option<PathBuf>),
    /// An error ended this file, or is not about a single file. The position of pieces that follow is unknown.
    Failed(Option<PathBuf>),
    /// A single run would have stopped here.
    Stopped,
}

/// Decides what to do with the documents. The surveys are in the order of the shards.
pub(super) fn plan(
    surveys: Vec<(usize, Survey)>,
    documents: &[&dyn Document],
) -> Result<MergePlan, MergeError> {
    let mut planner = MergePlanner {
        state: MergeState::Between,
        planned: Vec::new(),
        summary: EventMembers::default(),
        exit_status: 0,
        remarks: Vec::new(),
    };
    let mut start = Vec::new();
    for (index, survey) in surveys {
        let document = documents[index];
        if start.is_empty() {
            start.clone_from(&survey.start_line);
        }
        planner.document(index, survey).map_err(|fault| match fault {
            PlanFault::Line(line, EventFault(what)) => line_error(document, line, what),
            PlanFault::Document(what) => {
                MergeError::Documents(format!("{}: {what}", document.label()))
            }
        })?;
    }
    planner.end().map_err(MergeError::Documents)?;
    let MergePlanner { planned, mut summary, exit_status, remarks, .. } = planner;
    let set = summary.set("exit_status", &exit_status);
    set.map_err(|EventFault(what)| MergeError::Documents(what))?;
    Ok(MergePlan { start, documents: planned, summary: summary.line(), exit_status, remarks })
}

/// What is wrong with a document: with one line of it, or with all of it.
enum PlanFault {
    Line(u64, EventFault),
    Document(String),
}

impl From<EventFault> for PlanFault {
    fn from(EventFault(what): EventFault) -> Self {
        Self::Document(what)
    }
}

struct MergePlanner {
    state: MergeState,
    planned: Vec<PlannedDocument>,
    summary: EventMembers,
    exit_status: u8,
    remarks: Vec<String>,
}

impl MergePlanner {
    /// Plans the next document. Its first file may continue the open one; every file ends what was before it.
    ///
    /// What follows the loop is about documents without files and errors at the end. A shard without files has nothing
    /// of the open file, so either an error explains that, or the file has a gap. After an error at the end, the first
    /// file of the next document may be the rest of one that this document lost.
    fn document(&mut self, document: usize, survey: Survey) -> Result<(), PlanFault> {
        let Survey { items, lines, ref summary, error_before, error_after, .. } = survey;
        let errors = summary.number("errors");
        let only_errors = matches!(self.state, MergeState::Stopped);
        self.planned.push(PlannedDocument {
            document,
            lines,
            items,
            ends: Vec::new(),
            only_errors,
        });
        if errors > 0 {
            self.exit_status = 2;
        }
        if only_errors {
            return Ok(self.summary.add(&EventMembers::of_number("errors", errors))?);
        }
        self.exit_status = self.exit_status.max(survey.exit_status);
        self.summary.add(summary)?;
        // A conversion without `written` joins its files into one output. It writes nothing after the finding that
        // stopped it, so a single run would not have reached the shards after that.
        let joins = survey.start.task == "convert" && !summary.has("written");
        for (slot, item) in survey.ends.into_iter().enumerate() {
            let is_first = slot == 0;
            let treatment = match item {
                SurveyedFile::Opened { path, end } => {
                    self.opened(path, end.map(|end| *end), is_first, error_before, joins)?
                }
                SurveyedFile::Left { kind, path } => {
                    self.left(kind, path, is_first, error_before)?
                }
            };
            self.last().ends.push(treatment);
            if is_first && items > 1 {
                // Other files follow in this document, so the file cannot continue in the next one.
                if let MergeState::Open(file) = &self.state {
                    return Err(PlanFault::Document(missing(file)));
                }
                if !matches!(self.state, MergeState::Stopped) {
                    self.state = MergeState::Between;
                }
            }
        }
        match &self.state {
            MergeState::Open(file) if items == 0 => {
                if errors == 0 {
                    return Err(PlanFault::Document(missing(file)));
                }
                self.fail()?;
            }
            MergeState::Between | MergeState::Whole(_) | MergeState::Left(..)
                if error_after || items == 0 && errors > 0 =>
            {
                self.state = MergeState::Failed(None);
            }
            _ => {}
        }
        Ok(())
    }

    fn last(&mut self) -> &mut PlannedDocument {
        let last = self.planned.len() - 1;
        &mut self.planned[last]
    }

    /// Returns where the next file is: its document, and which of its two ends.
    fn place(&self) -> (usize, usize) {
        let document = self.planned.len() - 1;
        (document, self.planned[document].ends.len())
    }

    /// Gives up the open file, because an error came instead of its next piece.
    fn fail(&mut self) -> Result<(), EventFault> {
        let state = std::mem::replace(&mut self.state, MergeState::Between);
        if let MergeState::Open(file) = state {
            self.discount(&file.members)?;
            self.state = MergeState::Failed(file.path);
        }
        Ok(())
    }

    /// Subtracts a file from the summary, which counts only files that have an end.
    fn discount(&mut self, members: &EventMembers) -> Result<(), EventFault> {
        self.summary.subtract(members)?;
        self.summary.reduce("files", 1)?;
        self.summary.reduce("files_with_findings", u64::from(members.number("findings") > 0))
    }

    /// Adds a piece to its file.
    ///
    /// Each shard has counted the file once, and once as a file with findings if its piece has some. The merged file is
    /// one, and has findings if any piece does. So one count is taken back for each piece but the first, and one more
    /// if both sides had findings.
    fn piece(&mut self, file: &mut MergedFile, end: &FileEnd) -> Result<(), PlanFault> {
        if file.has_pieces() {
            let both = file.members.number("findings") > 0 && end.members.number("findings") > 0;
            self.summary.reduce("files", 1)?;
            self.summary.reduce("files_with_findings", u64::from(both))?;
        }
        let added = file.members.add(&end.members);
        let added = added.and_then(|()| file.members.set("stopped", &end.stopped));
        added.map_err(|fault| PlanFault::Line(end.line, fault))?;
        file.last = self.place();
        Ok(())
    }

    /// Decides what to do with a file that was opened, given the state before it:
    ///
    /// * `Open`: it must be the next piece, unless an error in its place explains that the piece is missing;
    /// * `Whole`: it may be an empty piece at the end of the same file;
    /// * `Failed`: it may be the rest of the file that failed. A piece that does not begin at byte 0 is, and so is a
    ///   file of the same name without an end.
    ///
    /// Otherwise a new file begins.
    fn opened(
        &mut self,
        path: Option<PathBuf>,
        end: Option<FileEnd>,
        is_first: bool,
        error_before: bool,
        joins: bool,
    ) -> Result<Treatment, PlanFault> {
        match std::mem::replace(&mut self.state, MergeState::Between) {
            MergeState::Open(file) => {
                if file.path == path && continues(&file, end.as_ref()) {
                    return self.next_piece(file, end, joins);
                }
                if !error_before {
                    return Err(match end {
                        Some(FileEnd { line, part: Some(part), .. }) if file.path == path => {
                            PlanFault::Line(line, EventFault(gap(&file, part)))
                        }
                        _ => PlanFault::Document(missing(&file)),
                    });
                }
                self.state = MergeState::Open(file);
                self.fail()?;
            }
            MergeState::Whole(mut file) if is_first && file.path == path => {
                if let Some(end) = &end
                    && let Some(part) = end.part
                    && part.start == part.end
                    && part.end == part.size
                    && file.extent.is_none_or(|(_, size)| size == part.size)
                {
                    // An empty piece at the end of the file. The merged `end` event must come after everything that
                    // this shard says about the file, so it moves here from the piece before. That one may have been
                    // planned as a whole file.
                    let (document, slot) = file.last;
                    let before = &mut self.planned[document].ends[slot];
                    match before {
                        Treatment::Piece { end, .. } => *end = None,
                        _ => {
                            *before =
                                Treatment::Piece { begins: true, from: Carry::START, end: None };
                        }
                    }
                    self.piece(&mut file, end)?;
                    let line = file.members.line();
                    let from = file.carry;
                    self.state = MergeState::Whole(file);
                    return Ok(Treatment::Piece { begins: false, from, end: Some(line) });
                }
            }
            MergeState::Failed(failed) if is_first => {
                let is_rest = match &end {
                    Some(FileEnd { part: Some(part), .. }) => part.start > 0,
                    Some(_) => false,
                    None => failed == path,
                };
                if is_rest {
                    return self.rest_of_failed(path, end);
                }
            }
            _ => {}
        }
        self.first_piece(path, end, joins)
    }

    /// Leaves out a piece of a file that was ended by an error in an earlier piece: without the lines of that piece,
    /// the lines of this one are unknown. Its counts go as well.
    fn rest_of_failed(
        &mut self,
        path: Option<PathBuf>,
        end: Option<FileEnd>,
    ) -> Result<Treatment, PlanFault> {
        let mut is_last = false;
        if let Some(end) = &end {
            self.discount(&end.members)?;
            is_last = end.part.is_some_and(|part| part.end == part.size);
        }
        let words = "what follows its error is left out, because its lines are unknown";
        let words = format!("{}: {words}", label(path.as_deref()));
        if !self.remarks.contains(&words) {
            self.remarks.push(words);
        }
        self.state = if is_last { MergeState::Between } else { MergeState::Failed(path) };
        Ok(Treatment::Drop)
    }

    /// Begins a file, with its first piece or as a whole.
    fn first_piece(
        &mut self,
        path: Option<PathBuf>,
        end: Option<FileEnd>,
        joins: bool,
    ) -> Result<Treatment, PlanFault> {
        let Some(end) = end else {
            self.state = MergeState::Failed(path);
            return Ok(Treatment::Keep);
        };
        let last = self.place();
        let (carry, stopped) = (Carry::START, end.stopped);
        let Some(part) = end.part else {
            let file = MergedFile { path, extent: None, carry, members: end.members, last };
            self.state =
                if stopped && joins { MergeState::Stopped } else { MergeState::Whole(file) };
            return Ok(Treatment::Keep);
        };
        if part.start > 0 {
            let what = format!(
                "bytes 0 to {} of {} are in no document before it",
                part.start,
                label(path.as_deref())
            );
            return Err(PlanFault::Line(end.line, EventFault(what)));
        }
        let extent = Some((0, part.size));
        let file = MergedFile { path, extent, carry, members: EventMembers::default(), last };
        self.next_piece(file, Some(end), joins).map(|treatment| match treatment {
            Treatment::Piece { from, end, .. } => Treatment::Piece { begins: true, from, end },
            other => other,
        })
    }

    fn next_piece(
        &mut self,
        mut file: MergedFile,
        end: Option<FileEnd>,
        joins: bool,
    ) -> Result<Treatment, PlanFault> {
        let from = file.carry;
        let Some(end) = end else {
            self.state = MergeState::Open(file);
            self.fail()?;
            return Ok(Treatment::Piece { begins: false, from, end: None });
        };
        self.piece(&mut file, &end)?;
        if let Some(part) = end.part {
            let too_large =
                || PlanFault::Line(end.line, "its place in the file is too large".into());
            file.carry = file.carry.after(part).ok_or_else(too_large)?;
        }
        file.extent = end.part.map(|part| (part.end, part.size));
        let line = Some(file.members.line());
        let is_whole = file.extent.is_none_or(|(at, size)| at == size);
        let (state, end) = match (end.stopped, is_whole) {
            // A conversion that was stopped by a finding reads no more of the file. If the files are not joined, the
            // next file is still converted, so only the rest of this one is dropped.
            (true, _) if joins => (MergeState::Stopped, line),
            (true, false) => (MergeState::Failed(file.path), line),
            (_, true) => (MergeState::Whole(file), line),
            (false, false) => (MergeState::Open(file), None),
        };
        self.state = state;
        Ok(Treatment::Piece { begins: false, from, end })
    }

    /// Decides what to do with a file that was skipped or refused. That is decided for a file as a whole, so every
    /// shard with a piece of it says the same; only the first time counts.
    fn left(
        &mut self,
        kind: String,
        path: Option<PathBuf>,
        is_first: bool,
        error_before: bool,
    ) -> Result<Treatment, PlanFault> {
        if let MergeState::Open(file) = &self.state {
            if !error_before {
                return Err(PlanFault::Document(missing(file)));
            }
            self.fail()?;
        }
        let again = is_first
            && matches!(&self.state, MergeState::Left(before, of) if *before == kind && *of == path);
        if again {
            let name = if kind == "refused" { "refused" } else { "passed_over" };
            self.summary.reduce(name, 1)?;
        }
        self.state = MergeState::Left(kind, path);
        Ok(if again { Treatment::Drop } else { Treatment::Keep })
    }

    /// Checks the state after the last document.
    fn end(&self) -> Result<(), String> {
        match &self.state {
            MergeState::Open(file) => Err(missing(file)),
            _ => Ok(()),
        }
    }
}

/// Whether a piece is the next one of a file.
fn continues(file: &MergedFile, end: Option<&FileEnd>) -> bool {
    let Some((at, size)) = file.extent else { return false };
    match end {
        None => true,
        Some(FileEnd { part: Some(part), .. }) => part.start == at && part.size == size,
        // The earlier shards have none of it.
        Some(_) => at == 0,
    }
}

/// Says which part of a file is in no document.
fn missing(file: &MergedFile) -> String {
    let (at, size) = file.extent.unwrap_or_default();
    format!("bytes {at} to {size} of {} are missing", label(file.path.as_deref()))
}

/// Says why a piece does not fit the one before it.
fn gap(file: &MergedFile, part: ShardPiece) -> String {
    let (at, size) = file.extent.unwrap_or_default();
    let name = label(file.path.as_deref());
    if part.size != size {
        return format!("{name} has {} bytes here, and {size} in the shard before", part.size);
    }
    let what = if part.start > at { "missing" } else { "in two shards" };
    let (from, to) = (at.min(part.start), at.max(part.start));
    format!("bytes {from} to {to} of {name} are {what}")
}

fn label(path: Option<&Path>) -> String {
    path.map_or_else(|| "(standard input)".to_owned(), visible_path)
}
