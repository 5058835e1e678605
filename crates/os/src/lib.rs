//! What oxiconv asks the operating system, beyond what the standard library asks for it.
//!
//! Nothing in here knows what an encoding is, and nothing outside of here knows which system it runs on. There is one
//! interface, the list at the end of this file, and one folder for each kind of system that has all of it:
//!
//! | about | `unix/` (Linux, macOS) | `windows/` |
//! |---|---|---|
//! | which file it is, its version | `file_status` | `file_status` |
//! | reading and writing it | `file_io`, `map`, `pages`, `blocking` | `file_io`, `blocking` |
//! | replacing it | `new_file`, `rename`, `disk` | `new_file`, `rename`, `disk` |
//! | what a new file takes over | `attributes`, `access`, `access_list`, `file_flags` | `attributes` |
//! | standard streams | `standard_streams`, `descriptors` | `standard_streams`, `console` |
//! | the end of the process | `termination` | `termination` |
//! | the user's settings | `locale` | `locale` |
//!
//! Without the feature `program` there are names as bytes, the usual shell, and the stand-in for memory that is spliced
//! to pipes.

#[cfg(feature = "program")]
mod file_kind;
#[cfg(feature = "program")]
mod interface;
#[cfg(feature = "program")]
mod links;
mod names;
#[cfg(not(all(feature = "program", target_os = "linux")))]
mod no_pages;
#[cfg(feature = "program")]
mod reason;
mod shell;
#[cfg(all(feature = "program", unix))]
mod unix;
#[cfg(all(feature = "program", windows))]
mod windows;

#[cfg(all(feature = "program", unix))]
use unix as system;
#[cfg(all(feature = "program", windows))]
use windows as system;

pub use names::{fault_of_name, has_separator, name_of_bytes, plain_path, slashed, slashed_path};
#[cfg(not(all(feature = "program", target_os = "linux")))]
pub use no_pages::{Arena, Pipe, SplicedPages};
pub use shell::Shell;
#[cfg(all(feature = "program", target_os = "linux"))]
pub use unix::{Arena, Pipe, SplicedPages};

#[cfg(feature = "program")]
pub use {
    file_kind::FileKind,
    interface::{CodePage, Ending, Locale, RenameError, Unkept, UsedFile},
    links::{MAX_LINKS, next_link, parent},
    reason::reason,
};

// What every system has, under the same names and with the same meaning.

/// The user's settings.
#[cfg(feature = "program")]
pub use system::user_config_directory;
/// The end of the process.
#[cfg(feature = "program")]
pub use system::{
    BlockedSignals, end_by_closed_pipe, end_cleanly, ignore_file_size_signal, path_for_handler,
    remove_in_handler, say_in_handler, wait_a_moment,
};
/// Reading and writing it.
#[cfg(feature = "program")]
pub use system::{
    BlockingFile, check_directory_writable, check_writable, copy_at, enlarge, exists,
    expect_sequential_reads, is_broken_pipe, is_generated, is_hidden, most_open_files,
    open_at_once, read_at, reserve,
};
/// Replacing it.
#[cfg(feature = "program")]
pub use system::{
    DirectoryHandle, Hold, Permissions, create_placeholder, create_private_directory, create_used,
    hand_over, is_about_the_name, longest_name, make_private, mark_used, remove_used, rename_new,
    rename_over, sync_directory, sync_file, sync_group, take_unused,
};
/// The command line and the standard streams.
#[cfg(feature = "program")]
pub use system::{
    END_KEYS, check_stdout, expand_wildcards, own_descriptor, prepare_streams, stdin_file,
    stdout_file, write_stdout,
};
/// Which file it is.
#[cfg(feature = "program")]
pub use system::{FileStatus, FileVersion, Identity};
