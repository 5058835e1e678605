//! Converts and validates text encodings, with exact findings.
//!
//! The path that text takes: a [`Source`](io::Source) of bytes, a decoder, code points, an encoder, a sink; findings
//! leave sideways to a [`Reporter`](diagnostic::Reporter). A [`Conversion`](transcode::Conversion) says what is wanted,
//! a [`Transcoder`](transcode::Transcoder) does it, and a [`Summary`](diagnostic::Summary) says what there was.
//!
//! ```
//! use oxiconv::diagnostic::Silent;
//! use oxiconv::encoding::find;
//! use oxiconv::io::ReadSource;
//! use oxiconv::transcode::{Conversion, InputEncoding, OnIllFormed, Transcoder};
//!
//! let mut conversion = Conversion::new(InputEncoding::Named(find("UTF-8")?), Some(find("UTF-16LE")?));
//! conversion.on_ill_formed = OnIllFormed::Replace;
//! conversion.check()?;
//!
//! let mut text = Vec::new();
//! let mut transcoder = Transcoder::new(&conversion, &mut text);
//! let summary = transcoder.input(&mut ReadSource::new(&b"a\xFF"[..], false), &mut Silent)?;
//! transcoder.finish()?;
//!
//! assert_eq!(text, b"a\0\xFD\xFF");
//! assert_eq!(summary.ill_formed(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `cli`, on by default, is the command-line program; a library has no use for it.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod codec;
pub mod diagnostic;
pub mod encoding;
pub mod io;
#[doc(hidden)]
pub mod kernels;
#[cfg(feature = "formats")]
pub mod report;
pub mod transcode;
pub mod unicode;
