//! Declarations and notes, with the file and line that they come from, and the limits on one file of rules.

use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use oxiconv_report::counted;
use oxiconv_report::visible;

/// A line of a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeclaringLine {
    pub(crate) file: Arc<Path>,
    /// From 1.
    pub(crate) line: usize,
    /// What the line says, with control characters escaped: `charset = utf-8`.
    pub(crate) words: String,
}

/// `.editorconfig:4 says charset = utf-8`
impl fmt::Display for DeclaringLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} says {}", oxiconv_report::visible_path(&self.file), self.line, self.words)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared<T> {
    pub(crate) value: T,
    pub(crate) by: DeclaringLine,
}

/// Something in a file of rules that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleNote {
    pub(crate) file: Arc<Path>,
    /// From 1; `None` if the note is about the whole file.
    pub(crate) line: Option<usize>,
    /// The message, with control characters escaped.
    pub(crate) words: String,
}

/// The notes on one file that are shown; the others are only counted.
const MAX_NOTES: usize = 20;

/// The total length of those patterns of a file that have several wildcards, in bytes.
///
/// Matching such a pattern takes time in proportion to its length and that of the path. Every input is matched against
/// all of them, so a file of 256 KiB that is full of them would slow down each of many files.
const MAX_WILD: usize = 32 * 1024;

pub(super) struct RuleFile<'a> {
    pub(super) label: Arc<Path>,
    notes: &'a mut Vec<RuleNote>,
    /// The notes on this file so far, including those not shown.
    noted: usize,
    /// The bytes of patterns that [`MAX_WILD`] limits.
    wild: Cell<usize>,
}

impl<'a> RuleFile<'a> {
    pub(super) fn new(label: Arc<Path>, notes: &'a mut Vec<RuleNote>) -> Self {
        Self { label, notes, noted: 0, wild: Cell::new(0) }
    }

    pub(super) fn declaration(&self, line: usize, words: &str) -> DeclaringLine {
        DeclaringLine { file: Arc::clone(&self.label), line, words: visible(words) }
    }

    /// Notes that a line, or the whole file, has no effect.
    pub(super) fn note(&mut self, line: impl Into<Option<usize>>, words: &str) {
        self.noted += 1;
        if self.noted <= MAX_NOTES {
            self.push(line.into(), visible(words));
        }
    }

    /// Adds a note that counts those not shown.
    pub(super) fn finish(mut self) {
        if let Some(more @ 1..) = self.noted.checked_sub(MAX_NOTES) {
            self.push(None, format!("{} not shown", counted(more as u64, "more note")));
        }
    }

    fn push(&mut self, line: Option<usize>, words: String) {
        self.notes.push(RuleNote { file: Arc::clone(&self.label), line, words });
    }

    /// Whether this pattern, together with those before it, would take too long to match.
    pub(super) fn is_too_wild(&self, pattern: &[u8]) -> bool {
        let wildcards = pattern.iter().filter(|byte| matches!(byte, b'*' | b'{')).count();
        if wildcards > 1 {
            self.wild.set(self.wild.get() + pattern.len());
        }
        wildcards > 1 && self.wild.get() > MAX_WILD
    }
}

/// The message about [`RuleFile::is_too_wild`].
pub(super) const TOO_WILD: &str = "more than 32 KiB of patterns with several wildcards";
