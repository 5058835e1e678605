//! The bytes of a file that decide whether its encoding is doubted: those from the first one on that matters, or the
//! lines that tell.
//!
//! A file may be of any length, so each takes constant memory. Of a file of more than 8 KiB, it is the start, the end,
//! and the lines in which readings may differ, from anywhere in the file. Encodings with a state that outlasts a line,
//! and wide units, are examined from the first byte that matters on.

use super::files::FileArg;
use super::readability::Readability;
use super::whole_file::any_chunk;

/// Bytes at the start of a file, from where it stops being plain, and at its end, that are examined.
pub(crate) const SAMPLE_BYTES: usize = 8 * 1024;
/// Bytes before the first one that is not plain.
const LEAD_BYTES: usize = 256;

/// The bytes of a file that are examined.
pub(crate) struct FileSample {
    pub(crate) bytes: Vec<u8>,
    /// Whether the file ends there.
    pub(crate) is_end: bool,
}

/// Gathers the lines of a long file that tell what it is.
pub(crate) struct TellingLines<'a> {
    readability: &'a Readability,
    told: Vec<u8>,
    /// Whether the next line would be too many.
    is_full: bool,
    /// The present line, as far as it was read and is of use.
    line: Vec<u8>,
    /// Whether a byte of it matters.
    matters: bool,
    /// Bytes since the first one that matters.
    passed: usize,
}

impl<'a> TellingLines<'a> {
    /// Bytes of a file from the first one that matters on that are searched for other lines.
    const MAX_SEARCHED: usize = 16 * 1024 * 1024;

    pub(crate) const fn new(readability: &'a Readability) -> Self {
        Self {
            readability,
            told: Vec::new(),
            is_full: false,
            line: Vec::new(),
            matters: false,
            passed: 0,
        }
    }

    /// Returns the lines of `file` that tell what it is.
    pub(crate) fn of(mut self, file: &FileArg) -> anyhow::Result<FileSample> {
        let goes_on = any_chunk(file, |chunk| self.add(chunk))?;
        if !goes_on {
            self.end_line();
        }
        Ok(FileSample { bytes: self.told, is_end: false })
    }

    /// Adds more of the file, and returns whether that is enough.
    fn add(&mut self, chunk: &[u8]) -> bool {
        let mut rest = chunk;
        while !rest.is_empty() && !self.is_full {
            if !self.matters {
                let first = rest.iter().position(|byte| self.readability.matters(*byte));
                self.matters = first.is_some();
                let plain;
                (plain, rest) = rest.split_at(first.unwrap_or(rest.len()));
                self.add_plain(plain);
                continue;
            }
            let end = memchr::memchr(b'\n', rest).map(|at| at + 1);
            let part;
            (part, rest) = rest.split_at(end.unwrap_or(rest.len()));
            self.line.extend_from_slice(&part[..part.len().min(SAMPLE_BYTES - self.line.len())]);
            if end.is_some() {
                self.end_line();
            }
        }
        let has_begun = self.matters || !self.told.is_empty();
        self.passed += if has_begun { chunk.len() } else { 0 };
        self.is_full || self.passed >= Self::MAX_SEARCHED
    }

    /// Adds bytes that do not matter.
    fn add_plain(&mut self, plain: &[u8]) {
        let line_end = memchr::memrchr(b'\n', plain).map(|at| at + 1);
        if line_end.is_some() {
            self.line.clear();
        }
        let line = &plain[line_end.unwrap_or(0)..];
        self.line.extend_from_slice(&line[line.len().saturating_sub(LEAD_BYTES)..]);
        self.line.drain(..self.line.len().saturating_sub(LEAD_BYTES));
    }

    fn end_line(&mut self) {
        if self.matters && self.readability.tells(&self.line) {
            self.is_full = self.told.len() + self.line.len() > SAMPLE_BYTES;
            if !self.is_full {
                self.told.extend_from_slice(&self.line);
            }
        }
        self.line.clear();
        self.matters = false;
    }
}

/// Reads a file up to the first byte that `matters`, and returns the bytes from there on, with some before it.
pub(crate) fn sample(file: &FileArg, matters: impl Fn(u8) -> bool) -> anyhow::Result<FileSample> {
    let mut bytes = Vec::new();
    let mut is_found = false;
    let goes_on = any_chunk(file, |chunk| {
        let mut chunk = chunk;
        if !is_found {
            let first = chunk.iter().position(|byte| matters(*byte));
            is_found = first.is_some();
            let plain;
            (plain, chunk) = chunk.split_at(first.unwrap_or(chunk.len()));
            bytes.extend_from_slice(&plain[plain.len().saturating_sub(LEAD_BYTES)..]);
            bytes.drain(..bytes.len().saturating_sub(LEAD_BYTES));
        }
        bytes.extend_from_slice(&chunk[..chunk.len().min(SAMPLE_BYTES - bytes.len())]);
        bytes.len() == SAMPLE_BYTES
    })?;
    Ok(FileSample { bytes, is_end: !goes_on })
}
