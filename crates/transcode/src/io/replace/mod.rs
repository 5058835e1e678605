//! Replacing a file: the new file takes its place when it is complete, and until then the old one is unchanged.
//!
//! ```text
//! temporary file next to the target ─► write ─► ready: attributes ─► synced ─► [backup] ─► renamed onto the target
//!                 └─ dropped at any point: the temporary file is removed, the target is unchanged
//! ```
//!
//! | file | job |
//! |---|---|
//! | `place` | where an output really goes |
//! | `unfinished` | temporary files, locked while in use |
//! | `register` | the list of those to remove if a signal ends the process |
//! | `attributes`, `access` | owner, mode, access list, extended attributes |
//! | `completion` | groups of files: synced to disk, then renamed |
//! | `backup` | what is kept of the old file |
//! | `rename` | other names for files and directories |
//!
//! docs/safety.md lists the promises. `tests/safety.rs`, `tests/faults.rs` and `tests/interrupts.rs` check them. A run
//! that would lose a file is refused before any of this (`cli/batch_plan.rs` of the program).

mod access;
mod attributes;
mod backup;
mod completion;
mod note;
mod place;
mod register;
mod rename;
mod replacement;
mod unfinished;
mod version;

pub use completion::{Completion, Ready, most_descriptors, sync_directory};
pub use note::Note;
pub use place::{place_of, written_through};
pub use rename::{Directory, RenameError, longest_name};
pub use replacement::Replacement;
pub use unfinished::{Leftover, discard_unfinished, remove_leftovers};
pub use version::Version;
