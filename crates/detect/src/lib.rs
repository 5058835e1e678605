//! What a text is in, judged by its letters: the encoding of a text that does not say it, of one line or of a few stray
//! bytes, and what damaged text was before it was read in a wrong encoding.
//!
//! ```text
//! language: what text costs in bits ─┬─► detection: encodings of texts, lines, stray bytes
//!                                    └─► mojibake: what damaged text was
//! ```
//!
//! The crate `oxiconv` is the library for users; it shows what of this crate is for them. What its documentation hides here
//! belongs to oxiconv's own crates, and may change in any version.

#![forbid(unsafe_code)]

pub mod detection;
pub mod language;
pub mod mojibake;

pub use detection::{Detection, Detector, Evidence, Others, RunnerUp};
pub use language::Language;
pub use mojibake::{Misreading, MisreadingError};
pub use oxiconv_encodings::Encoding;
