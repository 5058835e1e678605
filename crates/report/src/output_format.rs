//! The traits of output formats. A format is a value that turns the events of a run into parts of a document.
//!
//! ```text
//! begin_run ─► for each file: begin_file ─► reporter (its findings) ─► hint, note, withheld, gone ─► end_file │ error
//!                             skipped │ refused                                        after the last one ─► end_run
//! ```
//!
//! A format has no state, because several files are processed at the same time. It returns bytes, and the caller puts
//! them in the order of the files. Only what `OutputFormat::keep` takes is kept until the end. Notes, errors and
//! counts, which people read on standard error, are printed by the program; a machine-readable format includes them in
//! its document.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use super::command::RepeatedOptions;
use super::detection_row::{DetectedLine, DetectionRow};
use super::fix_row::FixRow;
use super::known_finding::GoneFinding;
use super::run_totals::RunTotals;
use super::visible::visible_path;
use crate::grouped;
use crate::guess::Hint;
use oxiconv_transcode::diagnostic::PieceExtent;
use oxiconv_transcode::diagnostic::{Detail, Finding, Message, Reporter, Summary};

/// A way to print findings. Each format has a file of its own in this crate.
pub trait OutputFormat: Sync {
    /// Returns the facts about it, which do not change during a run.
    fn facts(&self) -> FormatFacts {
        FormatFacts::default()
    }

    /// Returns the format of rows, if it can print anything but findings.
    fn rows(&self) -> Option<&dyn RowFormat> {
        None
    }

    /// Returns the reporter that prints the findings of one text, at most `limit` of them.
    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a>;

    /// Returns the start of the document, before the first file.
    fn begin_run(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Called when a file was opened.
    fn begin_file(&self, file: Subject<'_>) -> Part {
        let _ = file;
        Part::default()
    }

    /// Called for a message that a person should read.
    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        let _ = (subject, message);
        Part::default()
    }

    /// Called after the findings of a file, if there is something to say about what it probably is.
    fn hint(&self, file: Subject<'_>, hint: &Hint) -> Part {
        self.note(file, &hint.message())
    }

    /// Called if findings of a file were not printed because of the limit. `message` says so.
    fn withheld(&self, file: Subject<'_>, message: &str) -> Part {
        self.note(file, message)
    }

    /// Called if findings that the baseline lists for a file are gone. `message` says so.
    fn gone(&self, file: Subject<'_>, findings: &[GoneFinding], message: &str) -> Part {
        let _ = findings;
        self.note(file, message)
    }

    /// Called if a file was skipped because it looks binary, or because its repository excludes it; `why` says
    /// which.
    fn skipped(&self, file: Subject<'_>, why: &str) -> Part {
        let _ = (file, why);
        Part::default()
    }

    /// Called if a file was not converted because its text looks like another encoding.
    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        let _ = (file, message);
        Part::default()
    }

    /// Called when a file was fixed, or when it was found that nothing is to be done with it or can be. Only formats with
    /// [`FormatFacts::has_fixes`] have something for it.
    #[doc(hidden)]
    fn fixed(&self, file: Subject<'_>, row: &FixRow<'_>) -> Part {
        let _ = (file, row);
        Part::default()
    }

    /// Called if a file could not be read or written, or the run could not continue.
    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        let _ = (subject, message);
        Part::default()
    }

    /// Called when a file was read to its end, or to the finding that stopped its conversion.
    fn end_file(&self, file: Subject<'_>, summary: &Summary, remainder: &Remainder) -> Part {
        let _ = (file, summary, remainder);
        Part::default()
    }

    /// Adds a part to those kept of earlier files. A format that keeps something for every file should drop what it
    /// does not need here, so that memory does not grow with the number of files.
    fn keep(&self, kept: &mut Vec<u8>, part: &[u8]) {
        kept.extend_from_slice(part);
    }

    /// Returns the end of the document. `kept` holds the parts kept of all files, in their order.
    fn end_run(&self, totals: &RunTotals, exit_status: u8, kept: &[u8]) -> Vec<u8> {
        let _ = (totals, exit_status, kept);
        Vec::new()
    }
}

/// Facts about a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatFacts {
    /// Whether it is for people, who also read the program's messages on standard error.
    pub is_for_people: bool,
    /// Whether it can print the findings of a piece of a text, whose lines are counted from the start of the piece.
    pub has_pieces: bool,
    /// Whether it has a row for each file that is fixed.
    pub has_fixes: bool,
    /// How much detail its reporters need.
    pub detail: Detail,
    /// How many findings per file are printed by default; `None` is all.
    pub most_findings: Option<u64>,
    /// The bytes at the start of each finding that separate it from the one before. The first finding of a run is
    /// printed without them.
    pub separator: &'static [u8],
}

impl Default for FormatFacts {
    fn default() -> Self {
        Self {
            is_for_people: false,
            has_pieces: false,
            has_fixes: false,
            detail: Detail::Findings,
            most_findings: None,
            separator: b"",
        }
    }
}

/// Prints what the program reports besides findings, one row each.
pub trait RowFormat {
    /// Returns the list of encodings, with or without `details`.
    fn encodings(&self, encodings: &[EncodingRow<'_>], details: bool) -> Vec<u8>;

    /// Returns the row of a file whose encoding was detected.
    fn detection(&self, file: Subject<'_>, row: &DetectionRow<'_>) -> Part;

    /// Returns the row of a line whose encoding was detected.
    fn detected_line(&self, file: Subject<'_>, line: &DetectedLine) -> Part;

    /// Returns the row of a name that is changed.
    fn rename(&self, rename: &Rename<'_>) -> Part;
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Printed at once. It may be empty.
    Now(Vec<u8>),
    /// Passed to [`OutputFormat::end_run`].
    AtEnd(Vec<u8>),
}

impl Default for Part {
    fn default() -> Self {
        Self::Now(Vec::new())
    }
}

/// The subject of an event or a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject<'a> {
    /// The run, not a single file.
    Run,
    /// Standard input.
    StandardInput,
    /// The file at this path.
    File(&'a Path),
}

impl<'a> Subject<'a> {
    /// Returns the file at a path; `None` is standard input.
    pub fn of_path(path: Option<&'a Path>) -> Self {
        path.map_or(Self::StandardInput, Self::File)
    }

    /// Returns the path, if it is a file.
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Run | Self::StandardInput => None,
        }
    }

    /// Returns its name in messages, on one line.
    pub fn label(self) -> String {
        match self {
            Self::File(path) => visible_path(path),
            Self::StandardInput => "(standard input)".to_owned(),
            Self::Run => "oxiconv".to_owned(),
        }
    }
}

/// The new name of a file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rename<'a> {
    /// The path with the old name.
    pub path: &'a Path,
    /// The new name, without a directory.
    pub name: &'a Path,
    /// The absolute path of the directory of the name; `None` if only a preview is shown.
    pub directory: Option<&'a Path>,
}

/// Prints the findings of one text.
pub trait TextReporter: Reporter {
    /// Receives a finding that the baseline lists. Formats for people leave it out.
    ///
    /// # Errors
    ///
    /// The same as [`Reporter::finding`].
    fn known(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let _ = finding;
        Ok(())
    }

    /// Prints what is held back, and returns what remains to be reported.
    ///
    /// # Errors
    ///
    /// If the findings cannot be written.
    fn close(self: Box<Self>) -> io::Result<Remainder>;
}

/// What remains to be reported after the findings of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remainder {
    /// Findings that were printed.
    pub shown: u64,
    /// Findings that were not printed because of the limit.
    pub withheld: u64,
    /// Findings that the baseline lists. The counts of the text do not include them.
    pub known: u64,
    /// Messages about the whole text.
    pub messages: Vec<Message>,
    /// What the text probably is, if it has findings and something is known.
    pub hint: Option<Hint>,
    /// Which piece of the file was read, if not all of it.
    pub piece: Option<FilePiece>,
}

/// A piece of a file, and how far it moves the position of what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilePiece {
    /// Its range in the file.
    pub range: Range<u64>,
    /// The length of the file in bytes.
    pub size: u64,
    /// The number of its line ends.
    pub lines: u64,
    /// The column of what follows it, counted from column 1 at its start.
    pub column: u64,
}

#[doc(hidden)]
impl From<PieceExtent> for FilePiece {
    fn from(extent: PieceExtent) -> Self {
        let PieceExtent { range, size, lines, column } = extent;
        Self { range, size, lines, column }
    }
}

/// Returns the message about findings that were not printed because of the limit.
pub fn withheld(count: u64) -> String {
    format!("{} more not shown; --max-reports 0 shows all", grouped(count))
}

/// A row of the list of encodings.
#[derive(Clone, Debug)]
pub struct EncodingRow<'a> {
    /// The canonical name.
    pub name: &'a str,
    /// Other names.
    pub aliases: &'a [&'a str],
    /// A short description.
    pub summary: &'a str,
    /// The document that defines it.
    pub source: &'a str,
    /// The year of the table, if it is known.
    pub year: Option<&'a str>,
    /// How its codes make up a text, if it is a charset that consists of tables.
    pub structure: Option<&'a str>,
    /// The programs that support it.
    pub vendors: &'a [&'a str],
    /// What other programs mean by its name: the name with the vendor, and in words which encoding that is.
    pub elsewhere: &'a [(String, String)],
    /// Length of the code unit in bytes.
    pub unit: usize,
    /// The width of its values in bits, if it is limited by that.
    pub bits: Option<u32>,
}

/// What the program was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Check texts.
    Check,
    /// Convert texts.
    Convert,
    /// Detect the encodings of texts.
    Detect,
    /// List what the program knows.
    List,
    /// Convert the names of files.
    Names,
    /// Make files right.
    Fix,
}

impl Task {
    /// Returns its name in machine-readable formats.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Convert => "convert",
            Self::Detect => "detect",
            Self::List => "list",
            Self::Names => "names",
            Self::Fix => "fix",
        }
    }
}

/// Options of a format.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormatOptions {
    /// What the program does.
    pub task: Task,
    /// Whether counts are omitted.
    pub quiet: bool,
    /// Whether details are printed besides the result.
    pub verbose: bool,
    /// Whether files are only said to change, and stay.
    pub dry_run: bool,
    /// Whether there is only one input, which needs no name.
    pub alone: bool,
    /// Whether the files were found in directories. Then those without findings are not mentioned.
    pub recursive: bool,
    /// Whether findings are coloured.
    pub coloured: bool,
    /// The columns of the terminal, to which pictures are fitted. With fewer than 40, they may be wider.
    pub columns: usize,
    /// The width of the column for file names, if the lines of `--detect` and `--fix` are aligned.
    pub aligned: Option<usize>,
    /// The encoding that the user named for the input, if it is not UTF-8.
    pub from: Option<&'static str>,
    /// The encoding that the user named for the output.
    pub to: Option<&'static str>,
    /// Whether compressed input is decompressed, which suggested commands must repeat.
    pub decompress: bool,
    /// Whether findings are compared with a baseline.
    pub baseline: bool,
    /// The shard of the work that is done, from 1, and the number of shards.
    pub shard: Option<(u64, u64)>,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            task: Task::Check,
            quiet: false,
            verbose: false,
            dry_run: false,
            alone: false,
            recursive: false,
            coloured: false,
            columns: 80,
            aligned: None,
            from: None,
            to: None,
            decompress: false,
            baseline: false,
            shard: None,
        }
    }
}

impl FormatOptions {
    /// Returns the options that a suggested command repeats.
    pub(super) fn asked(&self) -> RepeatedOptions {
        RepeatedOptions { from: self.from, to: self.to, decompress: self.decompress }
    }
}

/// A format that the user can choose.
#[derive(Clone, Copy, Debug)]
pub struct FormatChoice {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub help: &'static str,
    /// Creates the format.
    pub new: fn(&FormatOptions) -> Box<dyn OutputFormat>,
}
