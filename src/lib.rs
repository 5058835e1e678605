//! X

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod codec;
mod diagnostic;
mod encoding;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod io;
mod kernels;
#[cfg(feature = "formats")]
pub mod report;
mod text;
mod transcode;
mod unicode;

pub use codec::ByteOrder;
pub use diagnostic::{
    Character, Context, DeniedKind, Detail, Finding, Kind, Outcome, Outcomes, OwnedFinding,
    Reporter, Row, Silent, Summary,
};
#[cfg(feature = "detection")]
pub use encoding::detect;
pub use encoding::{Encoding, UnknownEncoding};
pub use io::{Chunk, ReadSource, Source};
pub use text::{convert, decode, decode_lossy, encode};
pub use transcode::{
    Conversion, Error, InputEncoding, MarkMode, OnDenied, OnForeignMark, OnIllFormed, OnInnerMark,
    OnUnmappable, Options, OptionsError, Reader, Stopped, Threads, Transcoder, Writer, ill_formed,
    validate,
};
pub use unicode::{CodePoint, IllFormed, IllFormedKind};
