//! A file that replaces another when it is complete; until then the old file is as it was.
//!
//! ```text
//! temporary file beside the target ─► write ─► ready: attributes ─► on the disk ─► [backup] ─► renamed onto the target
//!                 └─ dropped at any point: the temporary file goes, the target is as it was
//! ```
//!
//! | file | job |
//! |---|---|
//! | `place` | where an output really goes |
//! | `unfinished` | temporary files, and the list of those to remove at a sudden end |
//! | `attributes`, `access` | owner, mode, access list, extended attributes |
//! | `completion` | groups of files to the disk and into their places |
//! | `backup` | what is kept of the old file |

mod access;
mod attributes;
mod backup;
mod completion;
mod note;
mod place;
mod replacement;
mod unfinished;
mod version;

pub use completion::{Completion, Ready, most_descriptors};
pub use note::Note;
pub use place::{place_of, written_through};
pub use replacement::Replacement;
pub use unfinished::{Leftover, discard_unfinished, remove_leftovers};
pub use version::Version;
