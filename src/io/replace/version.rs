//! Whether a file is still the one that was looked at.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A state of a file: another one has been written to, or is another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    file: (u64, u64),
    len: u64,
    modified: (i64, i64),
    /// When anything of it changed, its permissions among it; not known of a file with several names, since it changes when
    /// one of them goes.
    changed: Option<(i64, i64)>,
}

impl Version {
    /// That of the file at `path` now, if it is there.
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
