//! Samples of a file, by which it is decided whether its encoding is doubted.
//!
//! A sample has at most 8 KiB, however long the file is. Which bytes of a longer file are worth it depends on the
//! encodings in question:
//!
//! * [`TellingLines`]: the lines in which two readings may differ, from anywhere in the file. A log may be plain ASCII
//!   for megabytes before a name in it has an accent.
//! * [`sample`]: everything from the first byte that matters on, with a little before it. For wide units, and for
//!   encodings with a state that outlasts a line.

use super::files::FileArg;
use super::readability::Readability;
use super::whole_file::any_chunk;

pub(crate) const SAMPLE_BYTES: usize = 8 * 1024;
/// Bytes kept before the first one that matters, for context.
const LEAD_BYTES: usize = 256;

pub(crate) struct FileSample {
    pub(crate) bytes: Vec<u8>,
    /// Whether the sample reaches the end of the file.
    pub(crate) is_end: bool,
}

/// Gathers the lines of a long file that tell what it is.
///
/// ```text
/// 2026-01-01 start\n2026-01-02 caf\xE9 closed\n2026-01-03 …
///                   └─── lead ───┘└─────────┘ from the first byte that matters to the end of the line
/// ```
///
/// Bytes that do not matter are skipped, except for the last 256 of the present line. When a line with one that does
/// ends, `Readability::tells` decides whether it is added. The search is over when the sample is full, or 16 MiB after
/// the first byte that matters.
pub(crate) struct TellingLines<'a> {
    readability: &'a Readability,
    sample: Vec<u8>,
    /// Whether another line did not fit.
    is_full: bool,
    /// The present line, from at most [`LEAD_BYTES`] before its first byte that matters.
    line: Vec<u8>,
    matters: bool,
    /// Bytes searched since the first one that matters.
    passed: usize,
}

impl<'a> TellingLines<'a> {
    const MAX_SEARCHED: usize = 16 * 1024 * 1024;

    pub(crate) const fn new(readability: &'a Readability) -> Self {
        Self {
            readability,
            sample: Vec::new(),
            is_full: false,
            line: Vec::new(),
            matters: false,
            passed: 0,
        }
    }

    /// Returns the lines of `file` that tell what it is, joined.
    pub(crate) fn of(mut self, file: &FileArg) -> anyhow::Result<FileSample> {
        let is_stopped = any_chunk(file, &mut |chunk| self.add(chunk))?;
        if !is_stopped {
            self.end_line();
        }
        Ok(FileSample { bytes: self.sample, is_end: false })
    }

    /// Adds the next chunk of the file, and returns whether the search is over.
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
            // A byte of this line matters, so the rest of the line is added, up to what a sample can take. The
            // subtraction cannot underflow: the lead has at most LEAD_BYTES, and this is the only other place where
            // `line` grows.
            let end = memchr::memchr(b'\n', rest).map(|at| at + 1);
            let part;
            (part, rest) = rest.split_at(end.unwrap_or(rest.len()));
            self.line.extend_from_slice(&part[..part.len().min(SAMPLE_BYTES - self.line.len())]);
            if end.is_some() {
                self.end_line();
            }
        }
        let has_begun = self.matters || !self.sample.is_empty();
        self.passed += if has_begun { chunk.len() } else { 0 };
        self.is_full || self.passed >= Self::MAX_SEARCHED
    }

    /// Skips bytes that do not matter, but keeps the last of them as the lead of the present line.
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
            self.is_full = self.sample.len() + self.line.len() > SAMPLE_BYTES;
            if !self.is_full {
                self.sample.extend_from_slice(&self.line);
            }
        }
        self.line.clear();
        self.matters = false;
    }
}

/// Returns the bytes of a file from the first one that `matters` on, with up to [`LEAD_BYTES`] before it. If none does,
/// the sample has only the last bytes of the file.
pub(crate) fn sample(file: &FileArg, matters: impl Fn(u8) -> bool) -> anyhow::Result<FileSample> {
    let mut bytes = Vec::new();
    let mut is_found = false;
    let is_stopped = any_chunk(file, &mut |chunk| {
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
    Ok(FileSample { bytes, is_end: !is_stopped })
}
