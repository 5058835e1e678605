//! Kinds of files, and the identity and version of a file by its path.

use std::fs::File;
use std::path::Path;

use crate::{FileStatus, FileVersion, Identity, stdin_file, stdout_file};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link, or on Windows another name that leads elsewhere.
    Link,
    /// A pipe, with or without a name.
    Pipe,
    /// A socket.
    Socket,
    /// A device: a terminal, a disk, the null device.
    Device,
}

impl FileKind {
    /// Whether it is neither a regular file nor a directory.
    pub fn is_special(self) -> bool {
        !matches!(self, Self::Regular | Self::Directory)
    }
}

impl Identity {
    /// Returns the identity of the file at `path`, if it is a regular file.
    pub fn of_path(path: &Path) -> Option<Self> {
        FileStatus::of_path(path).ok()?.identity()
    }

    /// Returns the identity of an open file, if it is a regular file.
    pub fn of_file(file: &File) -> Option<Self> {
        FileStatus::of_file(file).ok()?.identity()
    }

    /// Returns the identity of standard input, if it is a regular file.
    pub fn of_stdin() -> Option<Self> {
        Self::of_file(&stdin_file().ok()?)
    }

    /// Returns the identity of standard output, if it is a regular file.
    pub fn of_stdout() -> Option<Self> {
        Self::of_file(&stdout_file().ok()?)
    }
}

impl FileVersion {
    /// Returns the current version of the file at `path`, if it exists.
    pub fn of_path(path: &Path) -> Option<Self> {
        FileStatus::of_path(path).ok().map(|status| status.version())
    }
}
