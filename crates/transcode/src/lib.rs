//! The path of text through a conversion.
//!
//! ```text
//! Transcoder, Reader, Writer
//!   └─► Session                one chunk of one input
//!         ├─► Segments         what the engine must not convert like the rest ─┐
//!         └─► TextWalk  ◄──────────────────────────────────────────────────────┘
//!               ├─► Engine     bytes ─► a kernel, or a run of code points
//!               ├─► Pipeline   code points ─► stage ─► … ─► PipelineExit ─► TargetEncoder ─► BufferedOutput
//!               └─► InputFindings ─► Reporter
//!
//! several threads:  window ─► PieceQueue ─► workers, each with an Engine, a Pipeline and a TargetEncoder of its own
//! ```
//!
//! [`Conversion`] is the configuration; only `Options::build` creates one, after checking the options. A [`Transcoder`]
//! converts one or more inputs to one output.
//!
//! One engine converts. Its callers decide how to continue after each stop: the chunk loop, every worker thread, and
//! the conversion from buffer to buffer for iconv(3) (`exact/`). So their results are the same.
//!
//! To follow one text, read `transcoder.rs` (the loop over the chunks of an input), `convert.rs` (one chunk, and what
//! happens at each stop), `engine.rs` (bytes to bytes), then `pipeline.rs` and `stage.rs` (whatever looks at single
//! characters). `window.rs` is the same with several threads. Everything else is used by one of these.
//!
//! Three things make the code less direct than it could be. The text arrives in chunks that may end anywhere, even
//! within a character, and the result must not depend on where. What is reported needs an offset, a line, a column and
//! the bytes, but clean text must not pay for them. And a place where the conversion stops must be exact: everything
//! before it is written, and nothing else.
//!
//! The feature `program` adds what only the program needs: system calls beyond the standard library, and whatever
//! changes the process as a whole, such as signal handlers. Without it the crate also builds for Windows and
//! WebAssembly.
//!
//! This crate is a part of `oxiconv`, which re-exports its public items. Items hidden from its documentation are for
//! oxiconv's own crates, and may change in any version.

#![deny(unsafe_code)]

pub mod diagnostic;
mod in_memory;
// The thin layers over the system, and the only module with unsafe code.
#[allow(unsafe_code)]
pub mod io;
#[cfg(feature = "normalization")]
pub mod normalization;
mod sync;
#[cfg(feature = "transliteration")]
pub mod transliteration;

mod backoff;
mod begin;
mod buffered_output;
mod context_buffer;
mod conversion;
mod convert;
mod converter;
#[cfg(feature = "program")]
mod cuts;
#[cfg(feature = "detection")]
mod deferred_detection;
mod denied_set;
#[cfg(feature = "detection")]
mod detected;
mod direct;
mod engine;
mod error;
mod evidence_buffer;
#[cfg(feature = "transliteration")]
mod exact;
mod faults;
mod followed_by;
#[cfg(feature = "transliteration")]
mod iconv_pair;
mod ill_formed;
mod ill_formed_rows;
mod incremental;
mod input_findings;
mod line_end_converter;
mod locator;
mod observer;
mod opening;
mod options;
mod origin;
mod output_buffer;
mod packed_decimals;
mod piece_queue;
mod pipeline;
mod pipeline_exit;
mod policy;
mod position;
#[cfg(feature = "program")]
mod program;
#[cfg(feature = "program")]
mod read_back;
mod reader;
mod record_lines;
mod records;
mod remedy;
mod row_buffer;
mod segment;
mod segments;
mod session;
mod split;
mod stage;
mod stages;
mod substitution_format;
mod target_encoder;
mod text_piece;
mod text_state;
mod text_walk;
mod transcoder;
mod view;
mod window;
mod worker;
mod writer;

pub use diagnostic::{
    Character, Context, DeniedKind, Detail, Details, Finding, Kind, Message, Mojibake, Outcome,
    Outcomes, Reporter, Row, Severity, Silent, Summary,
};
pub use in_memory::{convert, decode, decode_lossy, encode};
#[cfg(feature = "compression")]
pub use io::Decompressed;
pub use io::{Chunk, ReadSource, Source, Window};
#[cfg(feature = "normalization")]
pub use normalization::NormalizationForm;
pub use oxiconv_encodings::Encoding;
#[cfg(feature = "transliteration")]
pub use transliteration::{TransliterationLocale, UnknownLocale};

pub use conversion::Conversion;
#[cfg(feature = "program")]
pub use cuts::{Cuts, HEAD, MARGIN};
#[cfg(feature = "detection")]
pub use error::Undetected;
pub use error::{Error, Stopped};
#[cfg(feature = "transliteration")]
pub use exact::{ExactConverter, ExactProgress, ExactStop};
#[cfg(feature = "transliteration")]
pub use iconv_pair::IconvPair;
pub use ill_formed::{ill_formed, validate};
pub use observer::Observer;
pub use options::{Options, OptionsError};
pub use policy::{
    Fallback, InputEncoding, MarkMode, Newline, NewlineMode, OnDenied, OnForeignMark, OnIllFormed,
    OnInnerMark, OnUnmappable, Threads,
};
#[cfg(feature = "detection")]
pub use policy::{OnDeclaration, OnMojibake, OnUncertain};
#[cfg(feature = "program")]
pub use program::{WrittenForm, written};
#[cfg(feature = "program")]
pub use read_back::{Comparison, Difference, TextFingerprint};
pub use reader::Reader;
#[doc(hidden)]
pub use records::RecordFormat;
#[cfg(feature = "program")]
pub use records::WithoutDescriptors;
pub use substitution_format::{SubstitutionFormat, SubstitutionFormatError};
pub use text_piece::TextPiece;
pub use transcoder::Transcoder;
pub use writer::Writer;

#[cfg(test)]
mod tests;
