//! What the fuzz targets share. docs/fuzzing.md describes the targets.
//!
//! An input is a sequence of choices, and the text after them. All choices are read from the front, each takes as many
//! bytes as its number of possibilities needs, and zeros choose the defaults; so a seed is easily written
//! (`examples/seeds.rs`), and a mutation of the text leaves the choices alone.

pub mod choices;
#[path = "../../tests/support/cut.rs"]
mod cut;
pub mod fences;
pub mod outcome;
