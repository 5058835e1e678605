//! Options for how the work is done: threads, shards, and what an earlier run completed.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use oxiconv_transcode::io::Access;

use super::value_parsers::{Keyword, keyword, number, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Advanced")]
pub(crate) struct WorkArgs {
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Convert or check only the K-th of N parts
    ///
    /// Splits a job between machines. A single file is cut into pieces of about the same length, at line ends if the lines
    /// are not too long; several files are split by their total size. The outputs of all N parts, joined in order, are the
    /// output of the whole. Lines and columns of findings count from the start of the piece. Not possible with -f auto,
    /// --fallback, --repair or --normalize, which depend on the whole text.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<ShardSpec>,

    /// With --shard, read the part from standard input; BYTES is the size of the whole text
    ///
    /// Standard input is the whole text from byte BYTES*(K-1)/N, rounded down, to 65536 bytes after byte BYTES*K/N, or to
    /// the end of the text if that comes first.
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) size: Option<u64>,

    /// Skip files that the manifest FILE lists as done, and record what this run completes
    ///
    /// For runs that are interrupted and repeated, with --check, -o and -O. A file counts as done if it had no findings, if
    /// its size, its modification time and the options are still the same, and if its output is unchanged. Several runs can
    /// share FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Merge the json documents of all shards into one
    ///
    /// The FILEs are the documents that --check --format json wrote, one per shard. The result, with its line and column
    /// numbers and the exit status, is that of a single run. Nothing is written if a shard is missing or a document is
    /// incomplete.
    #[arg(long)]
    pub(crate) merge_findings: bool,

    /// Whether to read long files through a memory map
    ///
    /// Either way, a file that changes while it is read does no harm: blocks are copied before they are converted. Plain
    /// reads are usually faster, so auto uses them.
    #[arg(long, value_name = "WHEN", value_parser = one_of(ACCESS))]
    #[arg(default_value = "auto", hide_default_value = true)]
    pub(crate) mmap: Access,
}

const ACCESS: [Keyword<Access>; 3] = [
    keyword("auto", Access::Blocks, "Whichever is faster; at present the same as never"),
    keyword("always", Access::Map, "If the system can map the file"),
    keyword("never", Access::Blocks, "Never"),
];

fn jobs(jobs: &str) -> Result<NonZeroUsize, String> {
    let at_least_1 = || "--jobs must be at least 1".to_owned();
    NonZeroUsize::new(number("--jobs", jobs)?).ok_or_else(at_least_1)
}

/// `K/N`: one of the shards that a job is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShardSpec {
    /// From 1.
    pub(crate) index: u64,
    pub(crate) of: u64,
}

impl ShardSpec {
    /// Returns the nominal range of this shard in `size` bytes, before cuts are moved to line ends.
    ///
    /// Every shard computes the border between two by the same formula, so the ranges are adjacent without rounding
    /// gaps.
    pub(crate) fn borders(self, size: u64) -> Range<u64> {
        // The product fits 128 bits. As k <= of, the quotient is at most `size` and fits 64 bits again.
        let border = |k: u64| (u128::from(size) * u128::from(k) / u128::from(self.of)) as u64;
        border(self.index - 1)..border(self.index)
    }

    /// Whether other shards precede it.
    pub(crate) fn has_predecessor(self) -> bool {
        self.index > 1
    }
}

/// `K/N`.
impl fmt::Display for ShardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

fn shard(words: &str) -> Result<ShardSpec, String> {
    let Some((index, of)) = words.split_once('/') else {
        return Err(format!("--shard must be K/N, such as 1/8, not '{words}'"));
    };
    let (index, of): (u64, u64) = (number("--shard", index)?, number("--shard", of)?);
    if index == 0 || index > of {
        return Err(format!("--shard {words}: K must be from 1 to N"));
    }
    Ok(ShardSpec { index, of })
}

fn size(bytes: &str) -> Result<u64, String> {
    number("--size", bytes)
}
