//! Converts, validates and explains text encodings, with exact findings: UTF-8 and its relatives, and every charset
//! that iconv, ICU, Python and their like know, at the speed of vector instructions.
//!
//! # Text in memory
//!
//! ```
//! use oxiconv::{Encoding, Options, convert, ill_formed};
//!
//! let text = oxiconv::decode(b"caf\xE9", Encoding::for_name("latin1")?)?;
//! let (utf16, summary) = convert(text.as_bytes(), Encoding::UTF_8, Encoding::UTF_16LE, &Options::new())?;
//! ill_formed(b"caf\xE9", Encoding::UTF_8).for_each(|finding| println!("{finding}"));
//! # assert_eq!((&*text, &utf16[..], summary.characters), ("café", &b"c\0a\0f\0\xE9\0"[..], 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`decode`], [`decode_lossy`] and [`encode`] work on strings, [`convert`] on any pair of encodings; [`validate`] and
//! [`ill_formed`] only check. An [`Encoding`] is a constant, or comes from [`Encoding::for_name`].
//!
//! # Everything else
//!
//! ```text
//! Options ─► build ─► Conversion
//!                         │
//! Source ───────────► Transcoder ──────► sink          Source: a reader, a slice, or your own
//!   (or Reader<R>)     │    decoder ─► code points ─► encoder, or a kernel from bytes to bytes
//!   (or Writer<W>)     │ what is ill-formed or unmappable
//!                      ▼
//!                  Reporter ◄── Finding               findings go to the reporter, each with its place
//!                      │
//!                   Summary, or Error::Stopped
//! ```
//!
//! * [`Options`] describe a conversion. [`Options::build`] checks them and returns a [`Conversion`].
//! * A [`Transcoder`] converts one or more inputs to one output. [`Reader`] and [`Writer`] do the same as adaptors over
//!   [`std::io`]. Memory does not grow with the input, and nothing depends on how the input is split.
//! * A [`Reporter`] receives each [`Finding`]: its kind, bytes, offset in bytes, line and column. A `Vec` collects
//!   them; `report` has reporters that print them.
//! * A conversion is strict unless its options say otherwise: the first fault is an error, [`Error::Stopped`], with the
//!   finding and what was converted before it.
//!
//! ```
//! use oxiconv::{Encoding, OnIllFormed, Options, Transcoder};
//!
//! let options = Options::new().on_ill_formed(OnIllFormed::Replace);
//! let conversion = options.build(Encoding::UTF_8, Encoding::UTF_16LE)?;
//!
//! let (mut text, mut findings) = (Vec::new(), Vec::new());
//! let mut transcoder = Transcoder::new(&conversion, &mut text);
//! let summary = transcoder.input(&mut &b"a\xFF"[..], &mut findings)?;
//! transcoder.finish()?;
//!
//! assert_eq!(text, b"a\0\xFD\xFF");
//! assert_eq!(summary.ill_formed(), 1);
//! assert_eq!((findings[0].kind.id(), findings[0].offset), ("invalid-byte", 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Terms
//!
//! Terms are those of the Unicode Standard, chapter 3.9. Input that its encoding does not allow is *ill-formed*; each
//! maximal subpart is one finding. A character that the target cannot represent is *unmappable*. Offsets and lengths
//! count bytes, from 0; lines and columns count from 1, columns in characters.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `cli` (default) | the command-line program, and everything below; a library turns it off with `default-features = false` |
//! | `library` | everything below |
//! | `legacy` | the charsets older than Unicode, 1.5 MB; [`Encoding::from_table`] |
//! | `archive` | `legacy`, and the other tables of ICU's archive, each under its own name, 1 MB |
//! | `detection` | [`Detector`] and [`InputEncoding::Detected`], and `legacy` |
//! | `normalization` | [`Options::normalize`], [`NormalizationForm`], [`DeniedKind::NotNfc`] |
//! | `transliteration` | [`Options::transliterate`], [`TransliterationLocale`], and `normalization` |
//! | `character-names` | [`Finding::character_name`] |
//! | `compression` | [`Decompressed`]: a reader that decompresses gzip and zstd |
//! | `formats` | [`report`]: text, JSON Lines, SARIF, GitHub annotations, pictures |
//!
//! Without a feature, its items are missing; nothing else changes. The library builds for Linux, macOS, Windows and
//! `wasm32-unknown-unknown`, which has vector instructions only if it is built with `-C target-feature=+simd128`. It
//! installs no signal handler, starts threads only if [`Threads`] allows them, and never prints.

#![forbid(unsafe_code)]

/// The examples of docs/library.md, as tests.
#[cfg(all(doctest, feature = "library"))]
#[doc = include_str!("../docs/library.md")]
mod library_page {}

// Public for `src/main.rs`, which is a crate of its own, and for the fuzz targets. It is no part of what the library
// promises.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "formats")]
pub mod report;

#[cfg(feature = "detection")]
#[doc(inline)]
pub use oxiconv_detect::{
    Detection, Detector, Evidence, Language, LanguageFamily, Misreading, MisreadingError, Others,
    RunnerUp,
};
#[cfg(feature = "legacy")]
#[doc(inline)]
pub use oxiconv_encodings::TableError;
#[doc(inline)]
pub use oxiconv_encodings::{
    ByteOrder, CodePoint, EbcdicNewline, Encoding, IllFormed, IllFormedKind, Nearest,
    UnknownEncoding,
};
#[cfg(feature = "compression")]
#[doc(inline)]
pub use oxiconv_transcode::Decompressed;
#[cfg(feature = "normalization")]
#[doc(inline)]
pub use oxiconv_transcode::NormalizationForm;
#[doc(inline)]
pub use oxiconv_transcode::{
    Character, Chunk, Context, Conversion, DeniedKind, Detail, Details, Error, Fallback, Finding,
    InputEncoding, Kind, MarkMode, Message, Mojibake, Newline, NewlineMode, OnDenied,
    OnForeignMark, OnIllFormed, OnInnerMark, OnUnmappable, Options, OptionsError, Outcome,
    Outcomes, ReadSource, Reader, Reporter, Row, Severity, Silent, Source, Stopped,
    SubstitutionFormat, SubstitutionFormatError, Summary, Threads, Transcoder, Window, Writer,
    convert, decode, decode_lossy, encode, ill_formed, validate,
};
#[cfg(feature = "detection")]
#[doc(inline)]
pub use oxiconv_transcode::{OnDeclaration, OnMojibake, OnUncertain, Undetected};
#[cfg(feature = "transliteration")]
#[doc(inline)]
pub use oxiconv_transcode::{TransliterationLocale, UnknownLocale};
