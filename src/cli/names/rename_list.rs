//! The list of changed names: the report of a run in JSON Lines, as `--format json` prints it. Each line is written,
//! and on the disk, before its name is changed. So a list may have one change too many; to undo that one does nothing.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use oxiconv_report::{FormatOptions, OutputFormat, Part, Task, format, visible_path};
use oxiconv_transcode::io::{BlockingFile, sync_directory, written_through};

/// The name of the format.
const FORMAT: &str = "json";

/// A list that is written.
pub(super) struct RenameList {
    to: File,
    label: String,
    /// The directory of a new file, until its name there is on the disk.
    new_in: Option<PathBuf>,
}

impl RenameList {
    /// Creates the list in an open file.
    pub(super) fn new(to: File, label: String) -> Self {
        Self { to, label, new_in: None }
    }

    /// Creates the list in a new file. An older list is not overwritten: it may be needed.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let label = visible_path(path);
        let mut options = File::options();
        let mut new_in = None;
        let opened = match options.write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if path.is_file() && written_through(path).is_none() {
                    bail!("{label}: exists already, and a list is never overwritten");
                }
                File::options().append(true).open(path)
            }
            opened => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                new_in = Some(parent.unwrap_or(Path::new(".")).to_owned());
                opened
            }
        };
        Ok(Self { to: opened.with_context(|| label.clone())?, label, new_in })
    }

    /// Writes a part of the list.
    pub(super) fn write(&mut self, part: Part) -> anyhow::Result<()> {
        let (Part::Now(bytes) | Part::AtEnd(bytes)) = part;
        BlockingFile(&self.to)
            .write_all(&bytes)
            .with_context(|| format!("{}: cannot write", self.label))
    }

    /// Whether it is a file, which can be on a disk; not a pipe, a terminal or the like.
    pub(super) fn is_file(&self) -> bool {
        self.to.metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// Waits until the list is on disk.
    pub(super) fn sync(&mut self) -> anyhow::Result<()> {
        if !self.is_file() {
            return Ok(());
        }
        let synced = self.to.sync_all();
        let synced =
            synced.and_then(|()| self.new_in.take().map_or(Ok(()), |it| sync_directory(&it)));
        synced.with_context(|| format!("{}: cannot write", self.label))
    }
}

/// Returns the format of the list.
pub(super) fn list_format() -> io::Result<Box<dyn OutputFormat>> {
    let mut options = FormatOptions::default();
    options.task = Task::Names;
    format(FORMAT, &options).ok_or_else(|| ErrorKind::Unsupported.into())
}
