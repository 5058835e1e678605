//! Detecting that a file has changed since it was read.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The version of a file: which file it is, its size and its times. It differs after any write, and for any other file,
/// as far as the file system can tell: file times advance in steps of a few milliseconds, and two writes of the same
/// length within a step look like one.
#[derive(Clone, Debug)]
pub struct FileVersion {
    file: (u64, u64),
    len: u64,
    modified: (i64, i64),
    /// The ctime, which also reveals changed permissions, and writes after which the mtime was set back. `None` for a
    /// file with several names, because removing one of them changes the ctime.
    changed: Option<(i64, i64)>,
}

impl FileVersion {
    /// Returns the current version of the file at `path`, if it exists.
    pub fn of_path(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }

    /// Whether a file that had the version `before` is unchanged in this one. The ctime counts only if the file had a
    /// single name both times: this run may have replaced another of its names, which changes nothing.
    pub(super) fn is_still(&self, before: &Self) -> bool {
        let changed = self.changed.zip(before.changed);
        (self.file, self.len, self.modified) == (before.file, before.len, before.modified)
            && changed.is_none_or(|(now, before)| now == before)
    }

    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.nlink() == 1).then(|| (metadata.ctime(), metadata.ctime_nsec())),
        }
    }
}
