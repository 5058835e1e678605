//! The interface on Unix: on Linux, on macOS, and as far as they have the same calls, on others.

mod access;
#[cfg_attr(target_vendor = "apple", path = "apple_access_list.rs")]
mod access_list;
mod attributes;
mod blocking;
mod descriptors;
mod disk;
mod file_flags;
mod file_io;
mod file_status;
mod locale;
mod map;
mod new_file;
#[cfg(target_os = "linux")]
mod pages;
mod rename;
mod standard_streams;
mod termination;

pub use attributes::hand_over;
pub use blocking::{BlockingFile, is_broken_pipe};
pub use descriptors::own_descriptor;
pub use disk::{sync_directory, sync_file, sync_group};
pub use file_io::{
    check_directory_writable, check_writable, enlarge, exists, expect_sequential_reads,
    is_generated, is_hidden, most_open_files, open_at_once, read_at, reserve,
};
pub use file_status::{FileStatus, FileVersion, Identity};
pub use locale::user_config_directory;
pub use map::copy_at;
pub use new_file::{
    Hold, Permissions, create_placeholder, create_private_directory, create_used, make_private,
    mark_used, remove_used, take_unused,
};
#[cfg(target_os = "linux")]
pub use pages::{Arena, Pipe, SplicedPages};
pub use rename::{DirectoryHandle, is_about_the_name, longest_name, rename_new, rename_over};
pub use standard_streams::{
    END_KEYS, check_stdout, expand_wildcards, prepare_streams, stdin_file, stdout_file,
    write_stdout,
};
pub use termination::{
    BlockedSignals, end_by_closed_pipe, end_cleanly, ignore_file_size_signal, path_for_handler,
    remove_in_handler, say_in_handler, wait_a_moment,
};
