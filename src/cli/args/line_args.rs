//! Options for line ends, the normalization form, and records of the output.

use std::num::NonZeroU64;

use clap::Args;

use oxiconv_transcode::NewlineMode;
use oxiconv_transcode::normalization::NormalizationForm;

use super::value_parsers::{Keyword, keyword, number, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Convert")]
pub(crate) struct LineArgs {
    /// Line ends of the output [default: keep]
    ///
    /// Replaces LF, CRLF and CR, and NEL (U+0085) in EBCDIC, even if a file mixes them.
    #[arg(long, value_name = "END", value_parser = one_of(NEWLINES))]
    pub(crate) newline: Option<NewlineMode>,

    /// End each text with a line end
    ///
    /// If the last line has no line end, adds that of --newline, else that of the first line, else LF. Empty text stays
    /// empty.
    #[arg(long)]
    pub(crate) final_newline: bool,

    /// Unicode normalization form of the output: nfc, nfd, nfkc, nfkd
    ///
    /// nfc composes e and U+0301 to é, the usual form of text. nfd decomposes é to e and U+0301, as in macOS file names.
    /// nfkc and nfkd also write ﬁ as fi and ² as 2, which loses distinctions.
    #[arg(long, value_name = "FORM", value_parser = one_of(FORMS))]
    pub(crate) normalize: Option<NormalizationForm>,

    /// Read fixed-length records of N bytes and write each as a line
    ///
    /// For mainframe files with fixed-length records (RECFM=FB), which have no line ends. N counts bytes of the input.
    #[arg(long, value_name = "N", value_parser = record_length)]
    pub(crate) record_length: Option<NonZeroU64>,

    /// Read records in this format and write each as a line
    ///
    /// For mainframe files. With --record-length, the format is fixed.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RECORD_FORMATS))]
    pub(crate) record_format: Option<RecordDelimiter>,

    /// Remove the blanks at the end of each record
    #[arg(long)]
    pub(crate) trim_records: bool,
}

const NEWLINES: [Keyword<NewlineMode>; 5] = [
    keyword("keep", NewlineMode::Keep, "As in the input"),
    keyword("lf", NewlineMode::LineFeed, "U+000A, as in Unix"),
    keyword("crlf", NewlineMode::Both, "U+000D U+000A, as in Windows"),
    keyword("cr", NewlineMode::CarriageReturn, "U+000D, as in classic Mac OS"),
    keyword("nel", NewlineMode::NextLine, "U+0085, as in EBCDIC"),
];

/// What tells where a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordDelimiter {
    Length,
    DescriptorWord,
}

const RECORD_FORMATS: [Keyword<RecordDelimiter>; 2] = [
    keyword(
        "fixed",
        RecordDelimiter::Length,
        "All have the length of --record-length (RECFM=F, FB)",
    ),
    keyword(
        "rdw",
        RecordDelimiter::DescriptorWord,
        "Each begins with its length in a record descriptor word of four bytes (RECFM=V, VB)",
    ),
];

const FORMS: [Keyword<NormalizationForm>; 4] = [
    keyword("nfc", NormalizationForm::Nfc, "Canonical composition: é is one character"),
    keyword("nfd", NormalizationForm::Nfd, "Canonical decomposition: é is e and U+0301"),
    keyword(
        "nfkc",
        NormalizationForm::Nfkc,
        "Compatibility composition: ﬁ is fi, and é one character",
    ),
    keyword("nfkd", NormalizationForm::Nfkd, "Compatibility decomposition: ﬁ is fi, and é two"),
];

fn record_length(length: &str) -> Result<NonZeroU64, String> {
    let at_least_1 = || "--record-length must be at least 1".to_owned();
    NonZeroU64::new(number("--record-length", length)?).ok_or_else(at_least_1)
}
