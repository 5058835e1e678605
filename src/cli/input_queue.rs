//! What the threads of a batch take from: inputs, and messages between them, in order.
//!
//! The thread that needs work searches for the next file itself, while it holds the lock. So nothing is found long
//! before it is processed, a file of a list that comes slowly is processed before the list ends, and no file waits in
//! memory. The rules of each directory (`repository/`) are read before the first file in it, so notes about them have
//! their place in the order.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::files::FileArg;
use super::input_list::InputEntry;
use super::repository::{Repository, RuleNote, Rules};

/// A piece of work.
#[derive(Debug)]
pub(crate) enum QueueItem {
    /// A file, and the rules for it.
    File(FileArg, Rules),
    /// An error of the search for files, in words.
    Trouble(String),
    /// A note on the rules of the files that follow.
    Note(RuleNote),
}

/// The inputs of a batch.
pub(crate) struct InputQueue<'a>(Mutex<QueueState<'a>>);

struct QueueState<'a> {
    inputs: Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'a>,
    /// `None` if no rules are applied.
    repository: Option<Repository>,
    /// Work that was found and not taken yet: a file, and the notes before it.
    found: VecDeque<QueueItem>,
    /// How many pieces of work were taken.
    taken: usize,
    files: usize,
    ended: bool,
    /// What ended the search early.
    error: Option<anyhow::Error>,
}

impl<'a> InputQueue<'a> {
    /// Creates the queue of these inputs, and searches for the first one.
    ///
    /// # Errors
    ///
    /// If that fails: nothing was done then.
    pub(crate) fn new(
        inputs: Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'a>,
        repository: Option<Repository>,
    ) -> anyhow::Result<Self> {
        let mut state = QueueState {
            inputs,
            repository,
            found: VecDeque::new(),
            taken: 0,
            files: 0,
            ended: false,
            error: None,
        };
        state.search()?;
        Ok(Self(Mutex::new(state)))
    }

    /// Takes the next piece of work, and its index. `None` at the end, or after an error.
    pub(crate) fn take(&self) -> Option<(usize, QueueItem)> {
        let mut state = self.state();
        if state.found.is_empty()
            && let Err(error) = state.search()
        {
            (state.ended, state.error) = (true, Some(error));
        }
        let work = state.found.pop_front()?;
        let index = state.taken;
        state.taken += 1;
        Some((index, work))
    }

    /// Returns how many files were found, and whether all were.
    pub(crate) fn files(&self) -> (usize, bool) {
        let state = self.state();
        (state.files, state.ended)
    }

    /// Returns what ended the search early, if anything.
    pub(crate) fn take_error(&self) -> Option<anyhow::Error> {
        self.state().error.take()
    }

    fn state(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState<'_> {
    /// Searches for the next input.
    fn search(&mut self) -> anyhow::Result<()> {
        if self.ended {
            return Ok(());
        }
        match self.inputs.next().transpose()? {
            None => self.ended = true,
            Some(InputEntry::Trouble(words)) => self.found.push_back(QueueItem::Trouble(words)),
            Some(InputEntry::File(file)) => {
                let mut rules = Rules::default();
                if let Some(repository) = &mut self.repository {
                    rules = repository.rules(&file)?;
                    self.found.extend(repository.take_notes().into_iter().map(QueueItem::Note));
                }
                self.files += 1;
                self.found.push_back(QueueItem::File(file, rules));
            }
        }
        Ok(())
    }
}
