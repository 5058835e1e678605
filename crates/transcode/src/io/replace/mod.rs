//! Replacing files atomically: a new file takes the place of the old one when it is complete, and until then the old
//! one is unchanged.
//!
//! ```text
//! temporary file next to the target ─► write ─► ready: attributes ─► synced ─► [backup] ─► renamed onto the target
//!                 └─ dropped at any point: the temporary file is removed, the target is unchanged
//! ```
//!
//! | file | job |
//! |---|---|
//! | `target_path` | resolving links, finding the target |
//! | `unfinished` | temporary files, locked while in use |
//! | `register` | the list of temporary files to remove if a signal ends the process |
//! | `attributes`, `access`, `access_list` | owner, mode, access control list, extended attributes |
//! | `file_flags` | what only macOS has |
//! | `completion` | groups of files: synced to disk, then renamed |
//! | `disk` | waiting until files and names are on disk |
//! | `backup` | keeping the old file |
//! | `rename` | new names for files and directories |
//!
//! docs/safety.md lists the promises. `tests/safety.rs`, `tests/faults.rs` and `tests/interrupts.rs` check them. A run
//! that would lose a file is refused before any of this (`cli/batch_plan.rs` of the program).

mod access;
#[cfg_attr(target_vendor = "apple", path = "apple_access_list.rs")]
mod access_list;
mod attributes;
mod backup;
mod completion;
mod disk;
mod file_flags;
mod note;
mod register;
mod rename;
mod replacement;
mod target_path;
mod unfinished;
mod version;

pub use completion::{Completion, Ready, most_descriptors};
pub use disk::{sync_directory, sync_file};
pub use note::Note;
pub use rename::{DirectoryHandle, RenameError, longest_name};
pub use replacement::FileReplacement;
pub use target_path::{place_of, written_through};
pub use unfinished::{Leftover, discard_unfinished, remove_leftovers};
pub use version::FileVersion;
