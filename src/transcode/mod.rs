//! The path of text through a conversion, and the policies along it.
//!
//! ```text
//! Source ──► chunk loop ──► Engine [decoder ─► code points ─► encoder, or a kernel] ──► Output ──► sink
//!                               │ stop: watched, ill-formed, unmappable, …
//!                               ▼
//!                 Session: layers and remedies ──► Findings ──► Reporter
//! ```
//!
//! [`Conversion`] says what is wanted; a [`Transcoder`] converts one or more inputs to one output.

mod backoff;
mod begin;
mod buffer;
mod characters;
#[cfg(feature = "transliteration")]
mod clusters;
#[cfg(not(feature = "transliteration"))]
#[path = "no_clusters.rs"]
mod clusters;
mod context_buffer;
mod conversion;
mod convert;
mod converter;
#[cfg(feature = "cli")]
mod cuts;
#[cfg(feature = "detection")]
mod damage;
#[cfg(feature = "detection")]
mod damaged_parts;
mod deceptions;
#[cfg(feature = "detection")]
mod declarations;
#[cfg(not(feature = "detection"))]
#[path = "no_declarations.rs"]
mod declarations;
#[cfg(feature = "detection")]
mod deferral;
mod denied;
#[cfg(feature = "detection")]
mod detected;
mod direct;
mod engine;
mod error;
mod evidence;
#[cfg(all(feature = "internals", feature = "transliteration"))]
mod exact;
mod faults;
mod findings;
mod foreign_parts;
mod foreign_units;
mod held;
mod hold;
#[cfg(any(feature = "cli", all(feature = "internals", feature = "transliteration")))]
mod iconv;
mod identifiers;
mod ill_formed;
mod incremental;
#[cfg(feature = "detection")]
mod interrupted_parts;
#[cfg(feature = "detection")]
mod interruptions;
#[cfg(feature = "detection")]
mod labels;
mod line_ends;
#[cfg(feature = "detection")]
mod line_parts;
mod locator;
#[cfg(feature = "transliteration")]
mod marks;
mod mixture;
mod newlines;
#[cfg(feature = "normalization")]
mod normalize;
#[cfg(feature = "normalization")]
mod normalizing;
#[cfg(not(feature = "normalization"))]
#[path = "no_normalizing.rs"]
mod normalizing;
mod observer;
mod opening;
mod options;
mod output;
mod parts;
#[cfg(feature = "cli")]
mod piece;
mod policy;
mod position;
#[cfg(feature = "cli")]
mod program;
mod queue;
mod reader;
mod record_lines;
mod records;
mod remedy;
mod row_buffer;
mod rows;
mod session;
mod split;
mod stray;
mod substitution;
mod text;
mod transcoder;
#[cfg(feature = "cli")]
mod verify;
mod watch;
mod window;
mod worker;
mod writer;

pub use conversion::Conversion;
#[cfg(feature = "cli")]
pub use cuts::{Cuts, HEAD, MARGIN};
#[cfg(feature = "detection")]
pub use error::Undetected;
pub use error::{Error, Stopped};
#[cfg(all(feature = "internals", feature = "transliteration"))]
pub use exact::{Converted, ConvertedStop, ExactConverter};
#[cfg(any(feature = "cli", all(feature = "internals", feature = "transliteration")))]
pub use iconv::IconvPair;
pub use ill_formed::{ill_formed, validate};
#[cfg(feature = "cli")]
pub use observer::Observer;
pub use options::{Options, OptionsError};
#[cfg(feature = "cli")]
pub use piece::Piece;
pub use policy::{
    Fallback, InputEncoding, MarkMode, Newline, NewlineMode, OnDenied, OnForeignMark, OnIllFormed,
    OnInnerMark, OnUnmappable, Threads,
};
#[cfg(feature = "detection")]
pub use policy::{OnDeclaration, OnMojibake, OnUncertain};
#[cfg(feature = "cli")]
pub use program::{Written, written};
pub use reader::Reader;
pub use substitution::{SubstitutionFormat, SubstitutionFormatError};
pub use transcoder::Transcoder;
#[cfg(feature = "cli")]
pub use verify::{Comparison, Difference, Fingerprint};
pub use writer::Writer;

#[cfg(test)]
mod tests;
