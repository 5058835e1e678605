//! Who declared what.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A line of a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The file, relative to the current directory.
    pub(crate) file: Arc<Path>,
    /// From 1.
    pub(crate) line: usize,
    /// What the line says: `charset = utf-8`.
    pub(crate) words: String,
}

/// `.editorconfig:4 says charset = utf-8`
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} says {}", crate::report::visible_path(&self.file), self.line, self.words)
    }
}

/// A value, and the line that declared it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared<T> {
    pub(crate) value: T,
    pub(crate) by: Declaration,
}

/// Something in a file of rules that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleNote {
    /// The file, relative to the current directory.
    pub(crate) file: Arc<Path>,
    /// The line, if it is about one.
    pub(crate) line: Option<usize>,
    pub(crate) words: String,
}

/// A file of rules that is being read.
pub(super) struct RuleFile<'a> {
    pub(super) label: Arc<Path>,
    pub(super) notes: &'a mut Vec<RuleNote>,
}

impl RuleFile<'_> {
    /// Returns the declaration in a line.
    pub(super) fn declaration(&self, line: usize, words: String) -> Declaration {
        Declaration { file: Arc::clone(&self.label), line, words }
    }

    /// Notes that a line, or the whole file, has no effect.
    pub(super) fn note(&mut self, line: impl Into<Option<usize>>, words: String) {
        self.notes.push(RuleNote { file: Arc::clone(&self.label), line: line.into(), words });
    }
}
