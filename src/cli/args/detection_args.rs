//! Options for detecting the encoding of a text.

use clap::Args;

use oxiconv_detect::language::Language;
use oxiconv_encodings::encoding::Encoding;

use super::language::language;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Detect")]
pub(crate) struct DetectionArgs {
    /// Print the encoding of each file, with confidence, line ends and language
    ///
    /// Converts nothing. The exit status is 1 if the encoding of any file is unknown. -v adds the evidence and the other
    /// candidates; -q prints only the encoding's name; -s prints nothing.
    #[arg(long)]
    pub(crate) detect: bool,

    /// With --detect, print the encoding of each line
    ///
    /// A line is read as by -f auto-lines: its words and the lines before it tell its encoding. The exit status is 1 if
    /// that of any line is unknown. -q prints only the encoding's name. -v adds nothing: the answers have no confidence.
    #[arg(long)]
    pub(crate) lines: bool,

    /// With --detect, -f auto or auto-lines, expect text in these languages
    ///
    /// TAGS is a comma-separated list of language tags such as ru, cs or zh-Hant (--language help lists all). Only
    /// encodings that were used for these languages are considered.
    #[arg(long, value_name = "TAGS", value_parser = language, value_delimiter = ',')]
    pub(crate) language: Vec<Language>,

    /// With --detect, -f auto or auto-lines, consider only these encodings
    ///
    /// ENCS is a comma-separated list. ASCII, UTF-8 and byte order marks are always recognized.
    #[arg(long, value_name = "ENCS", value_parser = Encoding::for_name, value_delimiter = ',')]
    pub(crate) candidates: Vec<&'static Encoding>,

    /// With --detect or -f auto, ignore encoding declarations in the text
    ///
    /// Such as charset= in HTML, or a coding cookie in Python.
    #[arg(long)]
    pub(crate) ignore_declaration: bool,
}
