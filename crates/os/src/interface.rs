//! The types of the interface that are the same on every system.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;

/// Something of an old file that the new one could not be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unkept {
    /// The owner or the group has changed. Each tuple is user, group and mode.
    Owner {
        /// Before.
        old: (u32, u32, u32),
        /// Now.
        new: (u32, u32, u32),
    },
    /// Attributes, or what a message calls them: the access list, the file flags.
    Attributes(Vec<OsString>),
}

impl fmt::Display for Unkept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner { old: (old_user, old_group, old_mode), new: (user, group, mode) } => {
                f.write_str("could not keep the owner or group: ")?;
                write!(f, "it was {old_user}:{old_group} with mode {old_mode:04o}, ")?;
                write!(f, "and is now {user}:{group} with mode {mode:04o}")
            }
            Self::Attributes(lost) => {
                let names: Vec<_> = lost.iter().map(|name| name.to_string_lossy()).collect();
                write!(f, "could not keep {}", names.join(", "))
            }
        }
    }
}

/// Why a name was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// A file with the new name exists.
    #[error("the new name exists")]
    Exists,
    /// The system cannot rename without replacing.
    #[error("this system cannot rename without replacing (Linux 3.15 or later can)")]
    Unsupported,
    /// The file system cannot rename without replacing, or it forbids the new name.
    #[error("the file system forbids the new name, or cannot rename without replacing")]
    Invalid,
    /// Another system error.
    #[error(transparent)]
    System(io::Error),
}

/// Whether a run uses a file.
#[derive(Debug)]
pub enum UsedFile {
    /// No regular file has this name.
    Missing,
    /// A run uses it.
    Used,
    /// The system does not say.
    Unknown,
    /// No run uses it, and none takes it while this file is open.
    Unused(File),
}

/// What happens before the process is ended from outside, or by a panic. Both are called by a signal handler on Unix,
/// and so may call async-signal-safe functions only.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Removes unfinished files. Returns whether this is the first call.
    pub discard: fn() -> bool,
    /// Reports how the process ends, in a word such as "interrupted", and what it has completed.
    pub report: fn(&str),
}

/// The locale for text (LC_CTYPE), which the environment sets by LC_ALL, LC_CTYPE or LANG, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    /// The name of its charset, as `nl_langinfo(CODESET)` returns it, or of the code page.
    pub charset: String,
    /// Its name; `C` if the system does not have the locale that the environment names.
    pub name: String,
}

/// One of the encodings that a Windows system has set for text that does not say its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePage {
    /// That of programs with windows.
    Ansi,
    /// That of MS-DOS and of old programs with a console.
    Oem,
    /// That of this console.
    Console,
}
