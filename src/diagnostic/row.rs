//! Ill-formed subsequences side by side.

use crate::encoding::Encoding;
use crate::unicode::IllFormed;

/// Ill-formed subsequences, each of which begins at the end of the one before. They are all in one line.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// Their lengths and kinds; at least one.
    pub subsequences: &'a [IllFormed],
    /// Their bytes, and those that follow.
    pub bytes: &'a [u8],
    /// Where the first one begins: bytes from the start of the file, from 0.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column of the first one, from 1; each counts as one character.
    pub column: u64,
    /// The encoding whose rule it is.
    pub encoding: &'static Encoding,
    /// Whether a character is known to follow the last one.
    pub ends: bool,
}
