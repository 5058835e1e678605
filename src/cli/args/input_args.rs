//! Options that choose the input files.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Files")]
pub(crate) struct InputArgs {
    /// Search directories recursively
    ///
    /// Skips hidden files, binary files, symbolic links and files that .gitignore excludes.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// With -r, read only files that match GLOB
    ///
    /// Can be given more than once.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// With -r, skip files and directories that match GLOB
    ///
    /// Can be given more than once.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// With -r, also read hidden files and directories
    #[arg(long)]
    pub(crate) hidden: bool,

    /// With -r, also read files that .gitignore and other ignore files exclude
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Read file names from FILE, each ended by a NUL byte
    ///
    /// For lists from find -print0 or git ls-files -z; - is standard input. Files on the command line are read as well.
    /// --check, --explain and --detect process each file as soon as its name arrives; -i and -O read the whole list first.
    #[arg(long, value_name = "FILE")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Decompress gzip and zstd files
    ///
    /// Recognizes them by their first bytes; other files are read as they are. Line and byte numbers are those of the
    /// decompressed text. -O drops .gz and .zst from the names of its outputs. zstd data that needs a window of more than 8
    /// MiB (zstd --ultra, --long) is an error.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,

    /// Ignore .editorconfig, .gitattributes and oxiconv.toml
    ///
    /// --check, --explain and --fix otherwise apply the rules in these files, and conversions the defaults in
    /// oxiconv.toml: that of the repository, and your own in ~/.config/oxiconv.
    #[arg(long)]
    pub(crate) no_config: bool,
}
