//! Whether a file is still the one that was examined.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The state of a file. It differs if the file was written to, or if it is another file.
#[derive(Clone, Debug)]
pub struct FileVersion {
    file: (u64, u64),
    len: u64,
    modified: (i64, i64),
    /// The time of the last change of any kind, including permissions; `None` for a file with several names, because
    /// removing one of them changes it.
    changed: Option<(i64, i64)>,
}

impl FileVersion {
    /// Returns the present version of the file at `path`, if it exists.
    pub fn of_path(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }

    /// Whether a file of this version is still what it was when it had another one. The time of the last change counts
    /// only if the file had one name both times: that another name of it was replaced by its conversion changes
    /// nothing.
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
