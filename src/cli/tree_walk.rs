//! A walk through a directory tree in the order of the names, without what is excluded.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::{DirEntry, Match, Walk, WalkBuilder};

use oxiconv_report::{visible, visible_path};

use super::ignore_rules::IgnoreRules;
use oxiconv_os::{is_hidden, reason};

/// An iterator over the entries of a directory tree, and messages about what could not be read. The walk continues
/// after those.
pub(crate) struct TreeWalk {
    walk: Walk,
    rules: Option<SharedRules>,
    /// The last directory that was entered. An error of the walk that names no path is about this one: the walk reads a
    /// directory completely to sort it, so such an error comes before any of its entries.
    directory: PathBuf,
    /// What comes next: messages about ignore files that were read for an entry, then the entry.
    waiting: VecDeque<Result<DirEntry, String>>,
}

/// The rules of a walk. The filter inside the walk applies them, and the iterator takes their messages.
type SharedRules = Arc<Mutex<IgnoreRules>>;

fn lock(rules: &SharedRules) -> MutexGuard<'_, IgnoreRules> {
    rules.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TreeWalk {
    /// Begins a walk. It leaves out entries that `rules` exclude, entries for which `enters` returns false, and hidden
    /// entries, unless `hidden` is set or the rules include them explicitly (`!.editorconfig`).
    pub(super) fn new(
        builder: &mut WalkBuilder,
        rules: Option<IgnoreRules>,
        hidden: bool,
        enters: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
    ) -> Self {
        let rules = rules.map(|rules| Arc::new(Mutex::new(rules)));
        let asked = rules.clone();
        let matched = move |entry: &DirEntry| match &asked {
            Some(rules) => lock(rules).matched(entry.path(), entry.depth(), is_dir(entry)),
            None => Match::None,
        };
        let walk = builder
            .standard_filters(false)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .filter_entry(move |entry| match matched(entry) {
                Match::Ignore(()) => false,
                Match::Whitelist(()) => enters(entry),
                Match::None => (hidden || !is_hidden_entry(entry)) && enters(entry),
            })
            .build();
        Self { walk, rules, directory: PathBuf::new(), waiting: VecDeque::new() }
    }
}

impl Iterator for TreeWalk {
    type Item = Result<DirEntry, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.waiting.is_empty() {
            let entry = self.walk.next();
            if let Some(rules) = &self.rules {
                self.waiting.extend(lock(rules).take_errors().into_iter().map(Err));
            }
            if let Some(Ok(entry)) = &entry
                // The top may be a symbolic link to a directory, which is followed.
                && (entry.depth() == 0 || is_dir(entry))
            {
                entry.path().clone_into(&mut self.directory);
            }
            let in_words = |error| walk_error(&error, Some(&self.directory));
            self.waiting.extend(entry.map(|entry| entry.map_err(in_words)));
        }
        self.waiting.pop_front()
    }
}

pub(super) fn is_hidden_entry(entry: &DirEntry) -> bool {
    is_hidden(entry.file_name(), || entry.metadata().ok())
}

pub(super) fn is_dir(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// Formats an error of the walk: its path, or `directory` if it names none, and the reason.
fn walk_error(error: &ignore::Error, directory: Option<&Path>) -> String {
    match error {
        ignore::Error::WithPath { path, err } => {
            format!("{}: {}", visible_path(path), walk_error(err, None))
        }
        ignore::Error::WithDepth { err, .. } => walk_error(err, directory),
        // The error of the system is the source of one that repeats the path in its message.
        ignore::Error::Io(error) => {
            let source = std::error::Error::source(error);
            let words = reason(source.and_then(|source| source.downcast_ref()).unwrap_or(error));
            match directory {
                Some(directory) => format!("{}: {words}", visible_path(directory)),
                None => words,
            }
        }
        other => visible(&other.to_string()),
    }
}
