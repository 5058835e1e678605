//! Whether a file is still the one that was examined.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The state of a file. It differs if the file was written to, or if it is another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    file: (u64, u64),
    len: u64,
    modified: (i64, i64),
    /// The time of the last change of any kind, including permissions; `None` for a file with several names, because
    /// removing one of them changes it.
    changed: Option<(i64, i64)>,
}

impl Version {
    /// Returns the present version of the file at `path`, if it exists.
    pub fn of_path(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
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
