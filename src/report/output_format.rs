//! What every output format is: a value that turns the events of a run into parts of a document.
//!
//! ```text
//! begin_run ─► for each file: begin_file ─► reporter (its findings) ─► note, withheld ─► end_file │ error ─► end_run
//!                             skipped │ refused                                                  │
//! ```
//!
//! A format holds no state, for several files are worked on at the same time. It returns bytes; whoever calls it puts them
//! in the order of the files. What people read beside the findings (notes, errors, counts) is the program's own, on
//! standard error; a format for machines takes the same into its document.

use std::io::{self, Write};
use std::path::Path;

use super::totals::RunTotals;
use super::visible::visible_path;
use crate::diagnostic::{Detail, Reporter, Summary};

/// A way to print findings. Each has a file of its own in this module.
pub trait OutputFormat: Sync {
    /// Whether people read it, and with it the program's messages on standard error.
    fn is_for_people(&self) -> bool {
        false
    }

    /// How much of a text its reporters have to be told.
    fn detail(&self) -> Detail {
        Detail::Findings
    }

    /// Findings printed of a file unless the user says otherwise; `None` is all.
    fn most_findings(&self) -> Option<u64> {
        None
    }

    /// The bytes that each finding begins with to separate it from the one before. The first finding of a run loses them.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// The reporter that prints the findings of one text, at most `limit` of them.
    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a>;

    /// The document up to the first file.
    fn begin_run(&self) -> Vec<u8> {
        Vec::new()
    }

    /// A file is open.
    fn begin_file(&self, file: Subject<'_>) -> Part {
        let _ = file;
        Part::default()
    }

    /// A message that a person should read.
    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        let _ = (subject, message);
        Part::default()
    }

    /// Findings of a file were not printed because there were more than the limit. `message` says so.
    fn withheld(&self, file: Subject<'_>, message: &str) -> Part {
        self.note(file, message)
    }

    /// A file was not read because it looks binary.
    fn skipped(&self, file: Subject<'_>) -> Part {
        let _ = file;
        Part::default()
    }

    /// A file was not converted because of what is known of its text.
    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        let _ = (file, message);
        Part::default()
    }

    /// A file could not be read or written, or the run could not go on.
    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        let _ = (subject, message);
        Part::default()
    }

    /// A file was read to its end, or to the finding that stopped its conversion.
    fn end_file(&self, file: Subject<'_>, summary: &Summary, withheld: u64) -> Part {
        let _ = (file, summary, withheld);
        Part::default()
    }

    /// The document after the last file. `kept` is what was kept of all files, in their order.
    fn end_run(&self, totals: &RunTotals, exit_status: u8, kept: &[u8]) -> Vec<u8> {
        let _ = (totals, exit_status, kept);
        Vec::new()
    }

    /// The list of encodings, with `details` or without; `None` if this format has no list of encodings.
    fn encodings(&self, encodings: &[EncodingRow<'_>], details: bool) -> Option<Vec<u8>> {
        let _ = (encodings, details);
        None
    }
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It follows what was printed before. No bytes are no part.
    Now(Vec<u8>),
    /// It is kept for [`OutputFormat::end_run`].
    AtEnd(Vec<u8>),
}

impl Default for Part {
    fn default() -> Self {
        Self::Now(Vec::new())
    }
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// The run, and no single file.
    Run,
    /// Standard input.
    StandardInput,
    /// The file at this path.
    File(&'a Path),
}

impl<'a> Subject<'a> {
    /// The file at a path; no path is standard input.
    pub fn of_path(path: Option<&'a Path>) -> Self {
        path.map_or(Self::StandardInput, Self::File)
    }

    /// The path, if it is a file.
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Run | Self::StandardInput => None,
        }
    }

    /// Its name in messages, on one line.
    pub fn label(self) -> String {
        match self {
            Self::File(path) => visible_path(path),
            Self::StandardInput => "(standard input)".to_owned(),
            Self::Run => "oxiconv".to_owned(),
        }
    }
}

/// Prints the findings of one text.
pub trait TextReporter: Reporter {
    /// Prints what is held back, and returns what is left to say.
    ///
    /// # Errors
    ///
    /// Those of writing.
    fn close(self: Box<Self>) -> io::Result<Remainder>;
}

/// What is left to say after the findings of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remainder {
    /// Findings that were printed.
    pub shown: u64,
    /// Findings that were not, because of the limit.
    pub withheld: u64,
    /// Notes (`true`) and remarks on the whole text.
    pub words: Vec<(bool, String)>,
}

/// A row of the list of encodings.
#[derive(Clone, Debug)]
pub struct EncodingRow<'a> {
    /// The canonical name.
    pub name: &'a str,
    /// Other names.
    pub aliases: &'a [&'a str],
    /// What it is, in a few words.
    pub summary: &'a str,
    /// The document that defines it.
    pub source: &'a str,
    /// Length of the code unit in bytes.
    pub unit: usize,
    /// How many bits its values have, if that is what bounds them.
    pub bits: Option<u32>,
}

/// What a format is made for.
#[derive(Clone, Copy, Debug)]
pub struct FormatOptions {
    /// What the program does: `check`, `convert` or `list`.
    pub task: &'static str,
    /// Whether counts are left out.
    pub quiet: bool,
    /// Whether findings are coloured.
    pub coloured: bool,
    /// Columns of the terminal.
    pub columns: usize,
    /// The encoding that the user named for the input, if it is not UTF-8.
    pub from: Option<&'static str>,
    /// The encoding that the user named for the output.
    pub to: Option<&'static str>,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { task: "check", quiet: false, coloured: false, columns: 80, from: None, to: None }
    }
}

/// A format as a user chooses it.
#[derive(Clone, Copy, Debug)]
pub struct FormatChoice {
    /// The word on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub help: &'static str,
    /// Makes the format.
    pub new: fn(&FormatOptions) -> Box<dyn OutputFormat>,
}
