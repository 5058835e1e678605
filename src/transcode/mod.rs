//! The path that text takes, and the policies along it.
//!
//! ```text
//! Source ──► Text (opening, decoder, offsets) ──► run of code points ──► Output (mark, encoder, buffer) ──► sink
//!              └─ ill-formed ─► policy ◄─ unmappable ─┘
//!                                 └──► Reporter
//! ```
//!
//! [`Conversion`] says what is wanted; a [`Transcoder`] does it to one output made of one input or more.

mod buffer;
mod context_buffer;
mod denied;
mod direct;
mod locator;
mod newlines;
mod opening;
mod output;
mod parallel;
mod policy;
mod position;
mod remedy;
mod row;
mod text;
mod transcoder;
mod verify;
mod watch;
mod window;

pub use denied::Denied;
pub use policy::{
    Conversion, ConversionError, Detail, InputEncoding, MarkMode, OnIllFormed, OnUnmappable,
    is_single_byte,
};
pub use transcoder::Transcoder;
pub use verify::{Comparison, Difference, Fingerprint, Observer};

use std::io;

/// What keeps a conversion from going on; no fault of the text.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be read.
    #[error("cannot read")]
    Read(#[source] io::Error),
    /// A finding cannot be told.
    #[error("cannot write findings")]
    Report(#[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write")]
    Write(#[source] io::Error),
}
