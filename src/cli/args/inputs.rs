//! Which files are read, and how.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use oxiconv_transcode::io::Access;

use super::word::{Word, number, one_of, word};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Files")]
pub(crate) struct InputArgs {
    /// Search directories recursively
    ///
    /// Binary files and files that .gitignore names are skipped.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// With -r, read only files that match GLOB
    ///
    /// May be given more than once.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// With -r, skip files and directories that match GLOB
    ///
    /// May be given more than once.
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
    /// They are read in addition to those on the command line. - is standard input. With --check, --explain and --detect, each
    /// file is processed as soon as its name is read; with -i and -O, the whole list is read first.
    #[arg(long, value_name = "FILE")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Read long files through a memory map
    ///
    /// Blocks are copied out of the map before they are converted, so a file that changes meanwhile does no harm. Plain reads are
    /// usually faster, so auto uses them.
    #[arg(long, value_name = "WHEN", value_parser = one_of(ACCESS))]
    #[arg(default_value = "auto", hide_default_value = true)]
    pub(crate) mmap: Access,

    /// Decompress files that gzip or zstd has compressed
    ///
    /// Their first bytes tell that; other files are read as they are. Line and byte numbers are those of the decompressed text.
    /// With -O, the outputs lose .gz and .zst at the end of their names. Data that needs a zstd window of more than 8 MiB, as
    /// --ultra and --long write it, is an error.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,

    /// Ignore .editorconfig, .gitattributes and oxiconv.toml
    ///
    /// --check and --explain apply the rules in these files.
    #[arg(long)]
    pub(crate) no_config: bool,

    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
}

const ACCESS: [Word<Access>; 3] = [
    word("auto", Access::Blocks, "Whichever is faster; currently, never"),
    word("always", Access::Map, "If the system can map the file"),
    word("never", Access::Blocks, "Never"),
];

fn jobs(jobs: &str) -> Result<NonZeroUsize, String> {
    let at_least_1 = || "--jobs must be at least 1".to_owned();
    NonZeroUsize::new(number("--jobs", jobs)?).ok_or_else(at_least_1)
}
