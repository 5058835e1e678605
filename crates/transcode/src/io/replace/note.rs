//! Notes about a file that was replaced.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// Something about a replaced file that could not be kept, or that may surprise the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The owner or the group has changed. Each tuple is user, group and mode.
    Owner {
        /// Before.
        old: (u32, u32, u32),
        /// Now.
        new: (u32, u32, u32),
    },
    /// Extended attributes, or an access control list, that could not be set on the new file.
    Attributes(Vec<OsString>),
    /// This many other hard links to the file keep the old text, unless the run replaces them too.
    Links(u64),
    /// The name of the backup, because the usual one was taken; its path if it is in another directory.
    Backup(PathBuf),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner { old: (old_user, old_group, old_mode), new: (user, group, mode) } => {
                f.write_str("could not keep the owner or group: ")?;
                write!(f, "it was {old_user}:{old_group} with mode {old_mode:04o}, ")?;
                write!(f, "and is now {user}:{group} with mode {mode:04o}")
            }
            Self::Attributes(lost) => write!(f, "could not keep {}", names(lost)),
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

fn names(lost: &[OsString]) -> String {
    let names: Vec<_> = lost.iter().map(|name| name.to_string_lossy()).collect();
    names.join(", ")
}
