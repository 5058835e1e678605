//! Rows of adjacent ill-formed subsequences.

use crate::encoding::Encoding;
use crate::unicode::IllFormed;

/// Adjacent ill-formed subsequences, all in one line.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// Their lengths and kinds; at least one.
    pub subsequences: &'a [IllFormed],
    /// Their bytes, followed by the bytes after them.
    pub bytes: &'a [u8],
    /// The offset of the first one in bytes from the start of the file, from 0.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column of the first one, from 1. Each counts as one character.
    pub column: u64,
    /// The encoding whose rule is broken.
    pub encoding: &'static Encoding,
    /// Whether a character is known to follow the last one.
    pub ends: bool,
}
