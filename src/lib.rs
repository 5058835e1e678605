//! Converts and validates text encodings, with exact findings.
//!
//! The path that text takes: a [`Source`](io::Source) of bytes, a decoder, code points, an encoder, a sink; findings
//! leave sideways to a [`Reporter`](diagnostic::Reporter). [`Options`](transcode::Options) say what is wanted,
//! a [`Transcoder`](transcode::Transcoder) does it, and a [`Summary`](diagnostic::Summary) says what there was.
//!
//! ```
//! use oxiconv::diagnostic::Silent;
//! use oxiconv::encoding::find;
//! use oxiconv::io::ReadSource;
//! use oxiconv::transcode::{OnIllFormed, Options, Transcoder};
//!
//! let options = Options::new().on_ill_formed(OnIllFormed::Replace);
//! let conversion = options.build(find("UTF-8")?, find("UTF-16LE")?)?;
//!
//! let mut text = Vec::new();
//! let mut transcoder = Transcoder::new(&conversion, &mut text);
//! let summary = transcoder.input(&mut ReadSource::of_file(&b"a\xFF"[..]), &mut Silent)?;
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
mod text;
pub mod transcode;
pub mod unicode;

pub use codec::ByteOrder;
pub use diagnostic::{Finding, OwnedFinding, Reporter, Silent, Summary};
pub use encoding::{Encoding, UnknownEncoding};
pub use text::{convert, decode, decode_lossy, encode};
pub use transcode::{
    Error, OnIllFormed, OnUnmappable, Options, Reader, Transcoder, Writer, ill_formed, validate,
};
