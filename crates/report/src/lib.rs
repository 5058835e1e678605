//! What oxiconv says about a text: what a finding probably is and what repairs it, and the formats in which findings
//! are printed.
//!
//! ```text
//! Finding ─► diagnosis: groups, with a guess of what each is (guess) ─► an output format ─► bytes
//! ```
//!
//! `output_format.rs` defines what a format is; `formats.rs` lists all of them, one file each.
//!
//! This crate is a part of `oxiconv`, which re-exports its public items. Items that its documentation hides are for
//! oxiconv's own crates, and may change in any version.

#![forbid(unsafe_code)]

mod cell_class;
mod command;
mod counted;
mod detection_lines;
mod detection_row;
mod diagnosis;
mod explain;
mod explain_all;
mod fingerprint;
mod fix_row;
mod formats;
mod github;
mod gitlab;
pub mod guess;
mod hex;
mod html;
mod json;
mod json_events;
mod json_merge;
mod json_path;
mod junit;
mod known_finding;
mod layout;
mod marked_line;
mod markup;
mod output_format;
mod palette;
mod picture;
mod relative_path;
mod repair;
mod rules;
mod run_totals;
mod sarif;
mod terminal_drawing;
mod text;
mod visible;

/// The name of the tool in machine-readable documents.
const TOOL: &str = "oxiconv";

pub use command::{DECOMPRESS, command, in_place, option_word, quoted as shell_word};
pub use counted::{counted, grouped};
pub use detection_row::{DetectedLine, DetectionRow, LineEnds};
pub use fingerprint::Fingerprint;
pub use fingerprint::hash as stable_hash;
pub use fix_row::{FixChange, FixOutcome, FixRow, TextBefore, fix_totals};
pub use formats::{FORMATS, JSON, PICTURES, format};
pub use guess::Hint;
pub use json_merge::{Document, LONGEST_EVENT, Merge, MergeError};
pub use json_path::{JsonPath, OwnedPath};
pub use known_finding::{GoneFinding, KnownFinding};
pub use output_format::withheld;
pub use output_format::{
    EncodingRow, FilePiece, FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part,
    Remainder, Rename, RowFormat, Subject, Task, TextReporter,
};
pub use repair::{Repair, Substitute};
pub use rules::{RULES, Rule, rule};
pub use run_totals::{Converted, RunTotals};
pub use visible::{visible, visible_path};
