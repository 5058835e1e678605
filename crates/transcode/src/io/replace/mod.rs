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
//! | `completion` | groups of files: synced to disk, then renamed |
//! | `backup` | keeping the old file |
//!
//! How a system creates, locks, renames and syncs files, and what a new file takes over from the old one, is in
//! `crates/os`.
//!
//! docs/safety.md lists the promises. `tests/safety.rs`, `tests/faults.rs` and `tests/interrupts.rs` check them. A run
//! that would lose a file is refused before any of this (`cli/batch_plan.rs` of the program).

mod backup;
mod completion;
mod note;
mod register;
mod replacement;
mod target_path;
mod unfinished;

pub use completion::{Completion, Ready};
pub use note::Note;
pub use replacement::FileReplacement;
pub use target_path::{place_of, written_through};
pub use unfinished::{Leftover, discard_unfinished, remove_leftovers, rename_in};
