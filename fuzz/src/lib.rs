//! Code that the fuzz targets share. docs/fuzzing.md describes the targets.
//!
//! An input is a sequence of choices, followed by a text. Choices are read from the front. Each takes as many bytes as
//! its number of possibilities needs, and zeros choose the defaults. So seeds are easy to write (`examples/seeds.rs`),
//! and a mutation of the text leaves the choices alone.

pub mod choices;
#[path = "../../tests/support/cut.rs"]
mod cut;
pub mod fences;
pub mod outcome;
