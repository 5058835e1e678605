//! The path that text takes, and the policies along it.
//!
//! ```text
//! Source ──► chunk loop ──► Engine [decoder ─► code points ─► encoder, or a kernel] ──► Output ──► sink
//!                               │ stop: watched, ill-formed, unmappable, …
//!                               ▼
//!                 Session: layers and remedies ──► Findings ──► Reporter
//! ```
//!
//! [`Conversion`] says what is wanted; a [`Transcoder`] does it to one output made of one input or more.

mod backoff;
mod begin;
mod buffer;
mod characters;
mod context_buffer;
mod convert;
mod denied;
mod direct;
mod engine;
mod faults;
mod findings;
mod locator;
mod newlines;
mod opening;
mod output;
mod policy;
mod position;
mod queue;
mod remedy;
mod rows;
mod session;
mod split;
mod transcoder;
mod verify;
mod watch;
mod window;
mod worker;

pub use denied::Denied;
pub use policy::{
    Conversion, ConversionError, Detail, InputEncoding, MarkMode, OnIllFormed, OnUnmappable,
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

#[cfg(test)]
mod tests;
