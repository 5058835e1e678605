//! The list of changed names, from which `--undo-rename` restores the old ones: the report of a run in JSON Lines, as
//! `--format json` prints it.
//!
//! A line is written, and synced to disk, before its name is changed. So after a crash the list may contain changes
//! that were not made, but it lacks none. Undoing a change that was not made does nothing.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use oxiconv_os::{BlockingFile, FileStatus, sync_directory, sync_file};
use oxiconv_report::{FormatOptions, OutputFormat, Part, Task, format, visible_path};
use oxiconv_transcode::io::written_through;

const FORMAT: &str = "json";

/// The list, while it is being written.
pub(super) struct RenameList {
    to: File,
    label: String,
    /// The directory of a new file, until it is synced: the file's entry in it must survive a crash too.
    new_in: Option<PathBuf>,
}

impl RenameList {
    pub(super) fn new(to: File, label: String) -> Self {
        Self { to, label, new_in: None }
    }

    /// Creates the list in a new file. An existing file is never overwritten, because it may be the only way back from
    /// an earlier run. A pipe or a device may exist, as in `-o /dev/stderr`.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let label = visible_path(path);
        let mut options = File::options();
        let mut new_in = None;
        let opened = match options.write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if path.is_file() && written_through(path).is_none() {
                    bail!(
                        "{label}: already exists, and a list of changed names is never overwritten"
                    );
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

    pub(super) fn write(&mut self, part: Part) -> anyhow::Result<()> {
        let (Part::Now(bytes) | Part::AtEnd(bytes)) = part;
        BlockingFile(&self.to)
            .write_all(&bytes)
            .with_context(|| format!("{}: cannot write", self.label))
    }

    /// Whether the list is a regular file, which can be synced, and not a pipe or a terminal.
    pub(super) fn is_file(&self) -> bool {
        FileStatus::of_file(&self.to).is_ok_and(|status| status.is_regular())
    }

    /// Waits until the list is on disk, if it can be.
    pub(super) fn sync(&mut self) -> anyhow::Result<()> {
        if !self.is_file() {
            return Ok(());
        }
        let synced = sync_file(&self.to);
        let synced =
            synced.and_then(|()| self.new_in.take().map_or(Ok(()), |it| sync_directory(&it)));
        synced.with_context(|| format!("{}: cannot write", self.label))
    }
}

pub(super) fn list_format() -> io::Result<Box<dyn OutputFormat>> {
    let mut options = FormatOptions::default();
    options.task = Task::Names;
    format(FORMAT, &options).ok_or_else(|| ErrorKind::Unsupported.into())
}
