//! Which part of the work is done, and which is done already.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use super::word::number;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Files")]
pub(crate) struct ShareArgs {
    /// Convert or check only the K-th of N parts
    ///
    /// For work that several machines share. Of one file it is a piece of about the same length, from line to line where the
    /// lines are not too long; of several files, a share of their bytes. The outputs of all N, one after the other, are the
    /// output of the whole. Lines and columns of findings count from the start of a piece.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,

    /// With --shard, read the part from standard input; the whole text has BYTES
    ///
    /// Standard input begins at byte BYTES*(K-1)/N, rounded down, of the whole, and ends 65536 bytes after byte BYTES*K/N, or
    /// with the whole.
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) size: Option<u64>,

    /// Skip what FILE says is done, and add to it what is done
    ///
    /// For runs that may be repeated. With --check, -o and -O. A file is done if it was read without a finding, with the same
    /// options, size and time of change, and if its output is still as it was written; files with findings are read again.
    /// Several runs can share FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

/// One of the parts that a work is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) index: u64,
    pub(crate) of: u64,
}

impl Shard {
    /// Returns the part of `size` bytes that is its own, as far as their number tells.
    pub(crate) fn borders(self, size: u64) -> Range<u64> {
        // A product of two numbers of 64 bits, divided by one that is not smaller than the second.
        let border = |k: u64| (u128::from(size) * u128::from(k) / u128::from(self.of)) as u64;
        border(self.index - 1)..border(self.index)
    }

    /// Whether others come before it.
    pub(crate) fn goes_on(self) -> bool {
        self.index > 1
    }
}

/// `K/N`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

fn shard(words: &str) -> Result<Shard, String> {
    let Some((index, of)) = words.split_once('/') else {
        return Err(format!("--shard must be K/N, such as 1/8, not '{words}'"));
    };
    let (index, of): (u64, u64) = (number("--shard", index)?, number("--shard", of)?);
    if index == 0 || index > of {
        return Err(format!("--shard {words}: K must be from 1 to N"));
    }
    Ok(Shard { index, of })
}

fn size(bytes: &str) -> Result<u64, String> {
    number("--size", bytes)
}
