//! Finding out which encoding a text is in.

use clap::Args;

use oxiconv_detect::language::Language;
use oxiconv_encodings::encoding::Encoding;

use super::language::language;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Detection")]
pub(crate) struct DetectionArgs {
    /// Print the encoding of each file, with confidence, line ends and language
    ///
    /// Nothing is converted. The exit status is 1 if the encoding of a file is unknown. -v also prints the evidence and
    /// what else it may be; -q prints only the name of the encoding, and -s nothing.
    #[arg(long)]
    pub(crate) detect: bool,

    /// With --detect or -f auto, expect text in these languages
    ///
    /// TAGS are language tags such as ru, cs or zh-Hant, with commas between. Only encodings that were used for one of these
    /// languages are tried.
    #[arg(long, value_name = "TAGS", value_parser = language, value_delimiter = ',')]
    pub(crate) language: Vec<Language>,

    /// With --detect or -f auto, try these encodings only
    ///
    /// ENCS are names of encodings, with commas between. ASCII, UTF-8 and byte order marks are recognized besides.
    #[arg(long, value_name = "ENCS", value_parser = Encoding::for_name, value_delimiter = ',')]
    pub(crate) candidates: Vec<&'static Encoding>,

    /// With --detect or -f auto, do not believe what the text says of its encoding
    ///
    /// Such as charset= in HTML, or a coding cookie in Python.
    #[arg(long)]
    pub(crate) ignore_declaration: bool,
}
