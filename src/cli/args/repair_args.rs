//! Options that repair damaged text.

use clap::Args;

use oxiconv_transcode::{Fallback, OnMojibake};

use super::encoding_name::fallback;
use super::fix_value::{FixMode, HOW, min_confidence};
use super::repair_value::RepairParser;
use super::value_parsers::one_of;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Repair")]
pub(crate) struct RepairArgs {
    /// Make each file UTF-8, whatever encoding it is in
    ///
    /// Or -t ENC instead of UTF-8. --dry-run shows first what would be done.
    ///
    /// Detects the encoding of each file, reads stray bytes and lines in the encodings that fit them, repairs damaged
    /// text, and writes the encoding, byte order mark and line ends that .editorconfig, .gitattributes and oxiconv.toml
    /// declare. Directories are searched without -r. A file stays as it is if it is right, if it is binary, or if it is
    /// not at least 90 % certain what it is (--min-confidence). The exit status is 1 if something is left to do.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = one_of(HOW), default_missing_value = "all")]
    pub(crate) fix: Option<FixMode>,

    /// With --fix, how certain the encoding of a file must be [default: 90]
    ///
    /// From 50 to 100. Files below are listed with their likely encodings.
    #[arg(long, value_name = "PERCENT", value_parser = min_confidence)]
    pub(crate) min_confidence: Option<u8>,

    /// Read ill-formed bytes as ENC: repairs mixed text
    ///
    /// For UTF-8 with stray bytes in another encoding, such as windows-1252 or GB18030. auto chooses the encoding that
    /// fits the text best.
    #[arg(long, value_name = "ENC", value_parser = fallback)]
    pub(crate) fallback: Option<Fallback>,

    /// Repair damaged text, such as Ã© for é; =ask shows each change and asks; =FROM..TO undoes a known misreading
    ///
    /// Undoes wrong conversions: UTF-8 that was read in another encoding and encoded again, even several times, and
    /// text in one encoding that was read as another. Each damaged part is repaired by itself if the repair is at least
    /// 90 % certain; sound text does not change. -v lists the changes. =ask also offers less certain repairs. Bytes
    /// that Python's surrogateescape has escaped are restored and read.
    ///
    /// =FROM..TO repairs text in FROM that was misread as TO. Words that fit this misreading are repaired; all others
    /// stay, and a note counts them. cp932..ibm437 turns ÉVé╡éó into 新しい.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = RepairParser, default_missing_value = "all")]
    pub(crate) repair: Option<OnMojibake>,
}
