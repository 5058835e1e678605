//! Reports of findings, one output format per file.
//!
//! `output_format.rs` defines what a format is; `formats.rs` lists all of them.

mod characters;
mod command;
mod explain;
mod formats;
mod github;
mod group;
mod hex;
mod json;
mod json_events;
mod layout;
mod line;
mod output_format;
mod palette;
mod picture;
mod printer;
mod rules;
mod sarif;
mod text;
mod totals;
mod visible;

pub use command::{command, quoted as shell_word};
pub use formats::FORMATS;
pub use formats::PICTURES;
pub use output_format::{
    EncodingRow, FormatChoice, FormatOptions, OutputFormat, Part, Remainder, Subject, TextReporter,
};
pub use rules::{RULES, Rule, rule};
pub use totals::RunTotals;
pub use visible::{visible, visible_path};
