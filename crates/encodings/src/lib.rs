//! Every encoding that oxiconv knows: decoders and encoders, the registry with its names, and the terms of the Unicode
//! Standard that they share.
//!
//! ```text
//! name ─► encoding: a row of the registry ─► codec: bytes ─► code points ─► bytes      unicode: what code points are
//! ```
//!
//! The crate `oxiconv` is the library for users; it shows what of this crate is for them. What its documentation hides here
//! belongs to oxiconv's own crates, and may change in any version.

#![forbid(unsafe_code)]

pub mod codec;
pub mod encoding;
pub mod unicode;

pub use codec::{ByteOrder, EbcdicNewline};
#[cfg(feature = "legacy")]
pub use encoding::TableError;
pub use encoding::{Encoding, Nearest, UnknownEncoding};
pub use unicode::{CodePoint, IllFormed, IllFormedKind};
