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
//! | what a new file takes over | `attributes`, `access`, `access_list`, `file_flags` | `attributes`, `streams` |
//! | standard streams | `standard_streams`, `descriptors` | `standard_streams` |
//! | the end of the process | `termination` | `termination` |
//! | the user's settings | `locale` | `locale` |
//!
//! Without the feature `program` there are [`name_of_bytes`], and the stand-in for memory that is spliced to pipes.

#[cfg(feature = "program")]
mod file_kind;
#[cfg(feature = "program")]
mod interface;
#[cfg(feature = "program")]
mod links;
mod names;
#[cfg(not(all(feature = "program", target_os = "linux")))]
mod no_pages;
#[cfg(all(feature = "program", unix))]
mod unix;
#[cfg(all(feature = "program", windows))]
mod windows;

#[cfg(all(feature = "program", unix))]
use unix as system;
#[cfg(all(feature = "program", windows))]
use windows as system;

pub use names::name_of_bytes;
#[cfg(not(all(feature = "program", target_os = "linux")))]
pub use no_pages::{Arena, Pipe, SplicedPages};
#[cfg(all(feature = "program", target_os = "linux"))]
pub use unix::{Arena, Pipe, SplicedPages};

#[cfg(feature = "program")]
pub use {
    file_kind::FileKind,
    interface::{CodePage, Ending, Locale, RenameError, Unkept, UsedFile},
    links::{MAX_LINKS, next_link, parent},
};

/// What every system has, under the same names and with the same meaning.
#[cfg(feature = "program")]
pub use system::{
    // The end of the process.
    BlockedSignals,
    // Reading and writing it.
    BlockingFile,
    // Replacing it.
    DirectoryHandle,
    // Which file it is.
    FileStatus,
    FileVersion,
    Hold,
    Identity,
    Permissions,
    check_directory_writable,
    // Standard streams.
    check_stdout,
    check_writable,
    copy_at,
    create_placeholder,
    create_private_directory,
    create_used,
    end_by_closed_pipe,
    end_cleanly,
    enlarge,
    exists,
    expect_sequential_reads,
    hand_over,
    ignore_file_size_signal,
    is_about_the_name,
    is_generated,
    longest_name,
    make_private,
    mark_used,
    most_open_files,
    open_at_once,
    own_descriptor,
    path_for_handler,
    prepare_streams,
    read_at,
    remove_in_handler,
    remove_used,
    rename_new,
    rename_over,
    reserve,
    say_in_handler,
    stdin_file,
    stdout_file,
    sync_directory,
    sync_file,
    sync_group,
    take_unused,
    wait_a_moment,
    write_stdout,
};
