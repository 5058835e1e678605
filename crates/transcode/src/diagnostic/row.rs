//! Rows of adjacent ill-formed subsequences.
//! A file in the wrong encoding, or one that is not text at all, may consist of ill-formed bytes for megabytes. A row
//! is located and passed to the reporter as a whole, which costs a fraction of a finding for each subsequence. A row
//! ends with its line, so all of its columns follow from the first one.

use std::borrow::Cow;

use super::finding::Finding;
use super::kind::Kind;
use super::severity::Severity;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormed;

/// Adjacent ill-formed subsequences, all in one line.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// Their lengths and kinds. There is at least one.
    pub subsequences: &'a [IllFormed],
    /// Whether the byte after each is what makes it ill-formed.
    pub by_next: &'a [bool],
    /// Their bytes, and some that follow.
    pub bytes: &'a [u8],
    /// The offset of the first one from the start of the file in bytes, starting with 0.
    pub offset: u64,
    /// The line, starting with 1.
    pub line: u64,
    /// The column of the first one, starting with 1. Each counts as one character.
    pub column: u64,
    /// The encoding whose rule is broken.
    pub encoding: &'static Encoding,
    /// Whether a character is known to follow the last one.
    pub ends: bool,
    /// The declaration that they contradict.
    pub declared: Option<&'a str>,
    /// A severity that overrides the default of their kinds.
    pub severity: Option<Severity>,
}

impl<'a> Row<'a> {
    /// Iterates over them as findings without context.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        let Self { subsequences, by_next, bytes, offset, line, column, encoding, .. } = *self;
        let Self { declared, severity, .. } = *self;
        let mut start = 0;
        subsequences.iter().zip(by_next).zip(0..).map(move |((one, by_next), index)| {
            let offset = offset + start as u64;
            let (bytes, after) = bytes[start..].split_at(one.len);
            start += one.len;
            Finding {
                offset,
                line,
                column: column + index,
                bytes: Cow::Borrowed(bytes),
                next: after.first().copied().filter(|_| *by_next),
                encoding,
                declared: declared.map(Cow::Borrowed),
                severity_override: severity,
                ..Finding::new(Kind::IllFormed(one.kind))
            }
        })
    }
}
