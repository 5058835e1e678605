//! Detects what a text is in, by its letters: the encoding of a whole text, of one line, or of a few stray bytes, and
//! what damaged text was before it was read in a wrong encoding.
//!
//! ```text
//! language: what text costs in bits ─┬─► detection: encodings of texts, lines, stray bytes
//!                                    └─► mojibake: what damaged text was
//! ```
//!
//! Both are the same kind of question. The same bytes have several readings, and one of them is language. So wherever
//! letters decide, the readings are ranked by one number: the bits that a reading costs in the model of `language`,
//! plus bits for whatever else speaks against it. Detection compares readings of bytes, and mojibake compares a text as
//! it stands with what its characters were as bytes.
//!
//! This crate is a part of `oxiconv`, which re-exports its public API. Items that are hidden in the documentation serve
//! oxiconv's own crates only, and may change in any version.

#![forbid(unsafe_code)]

pub mod detection;
pub mod language;
pub mod mojibake;

pub use detection::{Detection, Detector, Evidence, Others, RunnerUp};
pub use language::{Language, LanguageFamily};
pub use mojibake::{Misreading, MisreadingError};
pub use oxiconv_encodings::Encoding;
