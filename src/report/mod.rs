//! Findings made visible: one renderer a file.

mod text;
mod visible;

pub use text::{Style, TextReporter};
pub use visible::{visible, visible_path};
