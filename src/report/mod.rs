//! Reports of findings. Each output format is a value that prints findings and what a program reports beside them.
//!
//! ```
//! use oxiconv::report::{FormatOptions, Subject, format};
//! use oxiconv::{Encoding, OnIllFormed, Options, Transcoder};
//!
//! let looking = Options::new().on_ill_formed(OnIllFormed::Replace).build(Encoding::UTF_8, None)?;
//! let format = format("text", &FormatOptions::default()).ok_or("no such format")?;
//! let mut printed = Vec::new();
//! let mut reporter = format.reporter(Subject::File("notes.txt".as_ref()), None, &mut printed);
//! Transcoder::new(&looking, &mut std::io::sink()).input(&mut &b"a\xFF"[..], &mut *reporter)?;
//! reporter.close()?;
//! assert_eq!(
//!     String::from_utf8(printed)?,
//!     "notes.txt:1:2: error[invalid-byte]: FF at byte 1 (0x1): FF is never valid in UTF-8\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `output_format.rs` defines what a format is; `formats.rs` lists all of them, one per file.

mod characters;
mod class;
mod command;
mod detection_lines;
mod detection_row;
mod diagnosis;
mod explain;
mod fingerprint;
mod formats;
mod github;
mod gitlab;
mod hex;
mod html;
mod json;
mod json_events;
#[cfg(feature = "cli")]
mod json_merge;
mod json_path;
mod junit;
mod known;
mod layout;
mod line;
mod markup;
mod output_format;
mod palette;
mod picture;
mod relative;
mod rules;
mod sarif;
mod terminal;
mod text;
mod totals;
mod visible;

pub use crate::diagnostic::guess::Hint;
pub use crate::diagnostic::{Repair, Substitute};
#[cfg(feature = "cli")]
pub(crate) use command::{DECOMPRESS, command, quoted as shell_word};
pub use detection_row::{DetectionRow, LineEnds};
pub use fingerprint::Fingerprint;
#[cfg(feature = "cli")]
pub(crate) use fingerprint::hash as stable_hash;
pub use formats::{FORMATS, PICTURES, format};
#[cfg(feature = "cli")]
pub(crate) use json_merge::{Document, LONGEST_EVENT, Merge, MergeError};
#[cfg(feature = "cli")]
pub(crate) use json_path::{JsonPath, OwnedPath};
pub use known::{GoneFinding, KnownFinding};
#[cfg(feature = "cli")]
pub(crate) use output_format::withheld;
pub use output_format::{
    EncodingRow, FilePiece, FormatChoice, FormatOptions, OutputFormat, Part, Remainder, Rename,
    Subject, Task, TextReporter,
};
pub use rules::{RULES, Rule, rule};
pub use totals::{Converted, RunTotals};
#[cfg(feature = "cli")]
pub(crate) use visible::{visible, visible_path};
