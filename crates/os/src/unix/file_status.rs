//! What the system says of a file.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::FileKind;

/// What the system says of a file, asked once.
#[derive(Debug)]
pub struct FileStatus(pub(super) Metadata);

impl FileStatus {
    /// Asks for the file at `path`, to which symbolic links lead.
    ///
    /// # Errors
    ///
    /// If there is none, or the system does not say.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(Self)
    }

    /// Asks for what has the name `path`, which may be a symbolic link itself.
    ///
    /// # Errors
    ///
    /// If there is nothing, or the system does not say.
    pub fn of_name(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(Self)
    }

    /// Asks for an open file.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn of_file(file: &File) -> io::Result<Self> {
        file.metadata().map(Self)
    }

    /// Returns its kind.
    pub fn kind(&self) -> FileKind {
        let kind = self.0.file_type();
        if kind.is_file() {
            FileKind::Regular
        } else if kind.is_dir() {
            FileKind::Directory
        } else if kind.is_symlink() {
            FileKind::Link
        } else if kind.is_fifo() {
            FileKind::Pipe
        } else if kind.is_socket() {
            FileKind::Socket
        } else {
            FileKind::Device
        }
    }

    /// Whether it is a regular file.
    pub fn is_regular(&self) -> bool {
        self.0.is_file()
    }

    /// Returns its length in bytes, which means something for a regular file only.
    #[allow(clippy::len_without_is_empty, reason = "that of /proc is 0, and it is not empty")]
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns the number of its names.
    pub fn links(&self) -> u64 {
        self.0.nlink()
    }

    /// Returns its identity, if it is a regular file.
    pub fn identity(&self) -> Option<Identity> {
        self.is_regular().then(|| self.any_identity())
    }

    fn any_identity(&self) -> Identity {
        Identity { device: self.0.dev(), inode: self.0.ino() }
    }

    /// Whether both are of one file, of whatever kind.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.any_identity() == other.any_identity()
    }

    /// Whether it is the null device, which is mounted over a file to hide it.
    pub fn is_null_device(&self) -> bool {
        let is_device = |metadata: &Metadata| metadata.file_type().is_char_device();
        is_device(&self.0)
            && fs::metadata("/dev/null")
                .is_ok_and(|null| is_device(&null) && null.rdev() == self.0.rdev())
    }

    /// Returns its version.
    pub fn version(&self) -> FileVersion {
        let metadata = &self.0;
        FileVersion {
            file: self.any_identity(),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.nlink() == 1).then(|| (metadata.ctime(), metadata.ctime_nsec())),
        }
    }
}

/// The identity of a file, which all of its paths share: hard links, symbolic links, and names that differ only in case
/// on a file system that ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

/// The version of a file: which file it is, its size and its times. It differs after any write, and for any other file,
/// as far as the file system can tell: file times advance in steps of a few milliseconds, and two writes of the same
/// length within a step look like one.
#[derive(Clone, Debug)]
pub struct FileVersion {
    file: Identity,
    len: u64,
    modified: (i64, i64),
    /// The ctime, which also reveals changed permissions, and writes after which the mtime was set back. `None` for a
    /// file with several names, because removing one of them changes the ctime.
    changed: Option<(i64, i64)>,
}

impl FileVersion {
    /// Whether a file that had the version `before` is unchanged in this one. The ctime counts only if the file had a
    /// single name both times: this run may have replaced another of its names, which changes nothing.
    pub fn is_still(&self, before: &Self) -> bool {
        let changed = self.changed.zip(before.changed);
        (self.file, self.len, self.modified) == (before.file, before.len, before.modified)
            && changed.is_none_or(|(now, before)| now == before)
    }
}
