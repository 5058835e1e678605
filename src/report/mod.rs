//! Findings made visible: one renderer a file.

mod characters;
mod command;
mod explain;
#[cfg(feature = "formats")]
mod github;
mod group;
mod hex;
#[cfg(feature = "formats")]
mod json;
mod layout;
mod line;
mod palette;
mod printer;
mod rules;
#[cfg(feature = "formats")]
mod sarif;
mod text;
mod visible;

pub use characters::Characters;
pub use command::{command, quoted as shell_word};
pub use explain::{Explain, Frame};
#[cfg(feature = "formats")]
pub use github::{GithubFormat, github_command};
#[cfg(feature = "formats")]
pub use json::{Counts, Event, JSON_VERSION, JsonFinding, JsonFormat, JsonPath};
pub use palette::Palette;
pub use printer::{FindingFormat, Printer, Remainder};
pub use rules::{RULES, Rule, rule};
#[cfg(feature = "formats")]
pub use sarif::{SarifFormat, sarif_foot, sarif_head, sarif_notification};
pub use text::{Style, TextFormat};
pub use visible::{visible, visible_path};
