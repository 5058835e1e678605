//! Every encoding that oxiconv knows: decoders and encoders, the registry with its names, and the terms of the Unicode
//! Standard that all of them use.
//!
//! ```text
//! name ─► encoding: a row of the registry ─► codec: bytes ─► code points ─► bytes      unicode: what code points are
//! ```
//!
//! This crate is part of `oxiconv`, which re-exports its public items. Items that are hidden from the documentation are
//! for oxiconv's own crates, and may change in any version.

#![forbid(unsafe_code)]

pub mod codec;
pub mod encoding;
mod least;
pub mod unicode;

pub use codec::{ByteOrder, EbcdicNewline};
#[cfg(feature = "legacy")]
pub use encoding::TableError;
pub use encoding::{Encoding, Nearest, UnknownEncoding};
pub use least::take_least;
pub use unicode::{CodePoint, IllFormed, IllFormedKind};
