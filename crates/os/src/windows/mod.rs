//! The interface on Windows.
//!
//! Where a call exists in two forms, the one that takes an open handle is used: between opening a file and asking or
//! renaming it by its path, another program could put another file there.

mod attributes;
mod blocking;
mod console;
mod disk;
mod file_io;
mod file_status;
mod locale;
mod new_file;
mod rename;
mod standard_streams;
mod termination;
mod wide;
mod wildcards;

pub use attributes::hand_over;
pub use blocking::{BlockingFile, is_broken_pipe};
pub use disk::{sync_directory, sync_file, sync_group};
pub use file_io::{
    check_directory_writable, check_writable, copy_at, enlarge, exists, expect_sequential_reads,
    is_generated, is_hidden, most_open_files, open_at_once, read_at, reserve,
};
pub use file_status::{FileStatus, FileVersion, Identity};
pub use locale::user_config_directory;
pub use new_file::{
    Hold, Permissions, create_placeholder, create_private_directory, create_used, make_private,
    mark_used, remove_used, take_unused,
};
pub use rename::{DirectoryHandle, is_about_the_name, longest_name, rename_new, rename_over};
pub use standard_streams::{
    END_KEYS, check_stdout, own_descriptor, prepare_streams, stdin_file, stdout_file, write_stdout,
};
pub use termination::{
    BlockedSignals, end_by_closed_pipe, end_cleanly, ignore_file_size_signal, path_for_handler,
    remove_in_handler, say_in_handler, wait_a_moment,
};
pub use wildcards::expand_wildcards;
