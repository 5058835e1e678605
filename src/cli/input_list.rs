//! The inputs of a run, one after the other: what is named, and what is found below directories.
//!
//! ```text
//! names: command line ─► list (as it comes) ─┬─► a file ──────────────────────────────► InputEntry
//!                                            └─► a directory ─► sorted walk ─► files ─► InputEntry
//! ```
//!
//! No name is kept. Each directory is sorted, so memory holds the entries of the directories on the path down to the
//! present one, and their ignore rules. What has to know something about all files beforehand lists them twice instead
//! of keeping them. For that purpose, a list of names that comes through a pipe is kept, as bytes.

use std::iter::FusedIterator;
use std::path::Path;

use ignore::DirEntry;
use ignore::overrides::Override;

use oxiconv_os::Identity;

use super::files::{FileArg, FileSelection, Paths};
use super::name_list::is_stdin;
use super::own_output::refuse_one;
use super::tree_walk::TreeWalk;

#[derive(Debug)]
pub(crate) enum InputEntry {
    File(FileArg),
    /// The message of an error with one directory or name, after which the search continues.
    Error(String),
}

impl InputEntry {
    pub(crate) fn into_file(self) -> Option<FileArg> {
        match self {
            Self::File(file) => Some(file),
            Self::Error(_) => None,
        }
    }

    pub(crate) fn into_error(self) -> Option<String> {
        match self {
            Self::File(_) => None,
            Self::Error(words) => Some(words),
        }
    }
}

/// The inputs, in order. An `Err` ends the search, unlike an [`InputEntry::Error`].
pub(crate) struct InputList<'a> {
    selection: &'a FileSelection,
    paths: Paths,
    tree: Option<Tree>,
    /// Files of the run itself, which are left out if they are found.
    own: Vec<Identity>,
    /// Standard output, if the names come through a pipe. Inputs with other names were compared with it beforehand.
    output: Option<Identity>,
    /// Whether the names come from standard input, so that it cannot be an input as well.
    stdin_is_list: bool,
    ended: bool,
}

struct Tree {
    walk: TreeWalk,
    included: Override,
}

impl<'a> InputList<'a> {
    /// Begins the list of all inputs. Files in `own` are left out if they are found in a directory, but not if they are
    /// named.
    ///
    /// # Errors
    ///
    /// If a list of names cannot be opened, or a glob is wrong.
    pub(crate) fn new(selection: &'a FileSelection, own: Vec<Identity>) -> anyhow::Result<Self> {
        selection.check_globs()?;
        Ok(Self {
            selection,
            paths: selection.paths()?,
            tree: None,
            own,
            output: Identity::of_stdout().filter(|_| !selection.is_rereadable()),
            stdin_is_list: selection.files0_from.as_deref().is_some_and(is_stdin),
            ended: false,
        })
    }

    /// Returns the next entry of the present directory tree; `None` at its end, or if there is none.
    fn found(&mut self) -> Option<InputEntry> {
        let Tree { walk, included } = self.tree.as_mut()?;
        let own = &self.own;
        let opening = self.selection.opening;
        let is_own = |entry: &DirEntry| {
            !own.is_empty() && Identity::of_path(entry.path()).is_some_and(|it| own.contains(&it))
        };
        walk.find_map(|entry| match entry {
            Ok(entry) => {
                let is_input = entry.file_type().is_some_and(|kind| kind.is_file())
                    && !included.matched(entry.path(), false).is_ignore()
                    && !is_own(&entry);
                is_input.then(|| {
                    let path = Some(entry.into_path());
                    InputEntry::File(FileArg { path, found: true, opening, part: None })
                })
            }
            Err(words) => Some(InputEntry::Error(words)),
        })
    }

    fn try_next(&mut self) -> anyhow::Result<Option<InputEntry>> {
        loop {
            if let Some(entry) = self.found() {
                return Ok(Some(entry));
            }
            self.tree = None;
            let Some(path) = self.paths.next().transpose()? else { return Ok(None) };
            if self.selection.recursive && path.is_dir() {
                self.tree = Some(self.tree(&path)?);
                continue;
            }
            let file = FileArg { opening: self.selection.opening, ..FileArg::named(path) };
            if file.path.is_none() && self.stdin_is_list {
                return Ok(Some(InputEntry::Error(
                    "-: standard input is the list of names".to_owned(),
                )));
            }
            if let Some(output) = self.output {
                refuse_one(&file, output)?;
            }
            return Ok(Some(InputEntry::File(file)));
        }
    }

    fn tree(&self, top: &Path) -> anyhow::Result<Tree> {
        let walk = self.selection.walker(top)?;
        Ok(Tree { walk, included: self.selection.included(top)? })
    }
}

impl Iterator for InputList<'_> {
    type Item = anyhow::Result<InputEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.try_next().transpose();
        self.ended = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl FusedIterator for InputList<'_> {}
