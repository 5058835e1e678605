//! Why compressed data cannot be read.

use std::io::{self, ErrorKind};

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Why compressed data cannot be read. The errors that a user can do something about say what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DecompressionError {
    #[error("the {} data is truncated", .0.name())]
    CutOff(Compression),
    #[error("the {} data is corrupt", .0.name())]
    Corrupt(Compression),
    #[error("the {} data is corrupt (checksum mismatch)", .0.name())]
    Checksum(Compression),
    #[error("the {} data is corrupt (length mismatch)", .0.name())]
    Length(Compression),
    #[error("the {} data ends at byte {offset}, but other data follows", .compression.name())]
    Trailing { compression: Compression, offset: u64 },
    #[error(
        "the zstd data needs a window of {bytes} bytes, and at most {most} are supported (decompress it with zstd -d \
         --long=31)"
    )]
    Window { bytes: u64, most: u64 },
    #[error("the zstd data needs dictionary {id} (decompress it with zstd -d -D DICTIONARY)")]
    Dictionary { id: u32 },
}

impl From<DecompressionError> for io::Error {
    fn from(error: DecompressionError) -> Self {
        Self::new(ErrorKind::InvalidData, error)
    }
}
