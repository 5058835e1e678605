//! Notes about a file that was replaced.

use std::fmt;
use std::path::PathBuf;

use oxiconv_os::Unkept;

/// Something about a replaced file that could not be kept, or that may surprise the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Something of the old file that the new one could not be given.
    Unkept(Unkept),
    /// This many other hard links to the file keep the old text, unless the run replaces them too.
    Links(u64),
    /// The name of the backup, because the usual one was taken; its path if it is in another directory.
    Backup(PathBuf),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unkept(unkept) => unkept.fmt(f),
            Self::Links(1) => f.write_str("1 other hard link to it did not change with it"),
            Self::Links(count) => {
                write!(f, "{count} other hard links to it did not change with it")
            }
            Self::Backup(path) => {
                write!(f, "an older backup is kept; this one is {}", path.display())
            }
        }
    }
}
