//! Output formats. Each is a value that prints findings, and what else a program reports.
//!
//! ```
//! use oxiconv::report::{FormatOptions, Subject, format};
//! use oxiconv::{Encoding, OnIllFormed, Options, Transcoder};
//!
//! let looking = Options::new().on_ill_formed(OnIllFormed::Replace).build(Encoding::UTF_8, None)?;
//! let format = format("text", &FormatOptions::default()).ok_or("no such format")?;
//! let mut printed = Vec::new();
//! let mut reporter = format.reporter(Subject::File("notes.txt".as_ref()), None, &mut printed);
//! Transcoder::new(&looking, &mut std::io::sink()).input(&mut &b"a\xFF"[..], &mut *reporter)?;
//! reporter.close()?;
//! assert_eq!(
//!     String::from_utf8(printed)?,
//!     "notes.txt:1:2: error[invalid-byte]: FF at byte 1 (0x1): FF never occurs in UTF-8\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(inline)]
pub use oxiconv_report::{
    Converted, DetectedLine, DetectionRow, EncodingRow, FORMATS, FilePiece, Fingerprint,
    FormatChoice, FormatFacts, FormatOptions, GoneFinding, Hint, KnownFinding, LineEnds,
    OutputFormat, PICTURES, Part, RULES, Remainder, Rename, Repair, RowFormat, Rule, RunTotals,
    Subject, Substitute, Task, TextReporter, format, rule,
};
