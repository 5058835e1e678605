//! Findings made visible: one renderer a file.

mod characters;
mod command;
mod explain;
mod hex;
mod layout;
mod line;
mod palette;
mod text;
mod visible;

pub use characters::Characters;
pub use explain::{Explain, Frame};
pub use palette::Palette;
pub use text::{Style, TextReporter};
pub use visible::{visible, visible_path};
