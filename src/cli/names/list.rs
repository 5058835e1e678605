//! The list of changed names: the report of a run in JSON Lines, as `--format json` prints it. Each line is written before
//! its name is changed.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::io::{BlockingFile, written_through};
use crate::report::{FormatOptions, OutputFormat, Part, format, visible_path};

/// The name of the format.
const FORMAT: &str = "json";

/// A list that is written.
pub(super) struct List {
    to: File,
    label: String,
}

impl List {
    /// Creates the list in an open file.
    pub(super) fn new(to: File, label: String) -> Self {
        Self { to, label }
    }

    /// Creates the list in a new file. An older list is not overwritten: it may be needed.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let label = visible_path(path);
        let mut options = File::options();
        let opened = match options.write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if path.is_file() && written_through(path).is_none() {
                    bail!("{label}: exists already, and a list is never overwritten");
                }
                File::options().append(true).open(path)
            }
            opened => opened,
        };
        Ok(Self { to: opened.with_context(|| label.clone())?, label })
    }

    /// Writes a part of the list.
    pub(super) fn write(&mut self, part: Part) -> anyhow::Result<()> {
        let (Part::Now(bytes) | Part::AtEnd(bytes)) = part;
        BlockingFile(&self.to)
            .write_all(&bytes)
            .with_context(|| format!("{}: cannot write", self.label))
    }

    /// Waits until the list is on disk.
    pub(super) fn sync(&self) -> anyhow::Result<()> {
        match self.to.sync_all() {
            // It is a pipe, a terminal or the like.
            Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
            Err(error) if error.raw_os_error() == Some(libc::EROFS) => Ok(()),
            synced => synced.with_context(|| format!("{}: cannot write", self.label)),
        }
    }
}

/// Returns the format of the list.
pub(super) fn list_format() -> io::Result<Box<dyn OutputFormat>> {
    let options = FormatOptions { task: "names", ..FormatOptions::default() };
    format(FORMAT, &options).ok_or_else(|| ErrorKind::Unsupported.into())
}
