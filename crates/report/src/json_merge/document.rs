//! A document to merge, its events, and why documents cannot be merged.

use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;

/// The most bytes of a line. Events are a few hundred bytes long; a longer line is not one, and must not fill the
/// memory.
pub const LONGEST_EVENT: usize = 4 << 20;

/// A document that can be read from its start more than once.
pub trait Document {
    /// Returns its name for messages.
    fn label(&self) -> &str;

    /// Opens it at its start.
    ///
    /// # Errors
    ///
    /// If the system cannot open it.
    fn open(&self) -> io::Result<Box<dyn Read + '_>>;
}

/// Why documents cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A document cannot be read.
    #[error("{document}")]
    Read {
        /// Its name.
        document: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The result cannot be written.
    #[error("cannot write")]
    Write(#[from] io::Error),
    /// A line of a document is not what it should be. Lines count from 1.
    #[error("{document}: line {line}: {what}")]
    Line {
        /// Its name.
        document: String,
        /// The number of the line.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// A document, or the set of them, is not what it should be.
    #[error("{0}")]
    Documents(String),
}

#[derive(Debug)]
pub(super) struct EventFault(pub(super) String);

impl From<&str> for EventFault {
    fn from(what: &str) -> Self {
        Self(what.to_owned())
    }
}

/// The events of a document, one after the other.
pub(super) struct EventLines<'a> {
    document: &'a dyn Document,
    from: BufReader<Box<dyn Read + 'a>>,
    bytes: Vec<u8>,
    /// The number of the last line, from 1.
    number: u64,
}

impl<'a> EventLines<'a> {
    pub(super) fn new(document: &'a dyn Document) -> Result<Self, MergeError> {
        let from = document.open().map_err(|error| cannot_read(document, error))?;
        let from = BufReader::with_capacity(1 << 16, from);
        Ok(Self { document, from, bytes: Vec::new(), number: 0 })
    }

    /// Returns the next line that is not blank, without its line end, and its number; `None` at the end of the
    /// document.
    pub(super) fn next(&mut self) -> Result<Option<(&str, u64)>, MergeError> {
        loop {
            self.bytes.clear();
            let read =
                (&mut self.from).take(LONGEST_EVENT as u64 + 1).read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| cannot_read(self.document, error))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.bytes.len() > LONGEST_EVENT {
                return Err(
                    self.fault(EventFault(format!("longer than {} MiB", LONGEST_EVENT >> 20)))
                );
            }
            if !self.bytes.trim_ascii().is_empty() {
                break;
            }
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(line) => Ok(Some((line.trim_ascii(), self.number))),
            Err(_) => Err(self.fault("not UTF-8".into())),
        }
    }

    /// Returns the error for the last line.
    pub(super) fn fault(&self, EventFault(what): EventFault) -> MergeError {
        line_error(self.document, self.number, what)
    }
}

pub(super) fn line_error(document: &dyn Document, line: u64, what: String) -> MergeError {
    MergeError::Line { document: document.label().to_owned(), line, what }
}

fn cannot_read(document: &dyn Document, source: io::Error) -> MergeError {
    MergeError::Read { document: document.label().to_owned(), source }
}

/// Parses what is needed of an event.
pub(super) fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, EventFault> {
    serde_json::from_str(line).map_err(|error| {
        // serde_json adds a position, but its line is always 1 here.
        let what = error.to_string();
        let end = what.rfind(" at line ").unwrap_or(what.len());
        EventFault(format!("not an event of --format json ({})", &what[..end]))
    })
}
