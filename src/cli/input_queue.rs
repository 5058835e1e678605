//! The queue from which the threads of a batch take inputs, and messages between them, in order.
//!
//! There is no thread that fills it. The thread that needs a file searches for it, while it holds the lock. So no file
//! is found long before it is processed, none waits in memory, and with `find … | oxiconv --files0-from -` the first
//! file is processed while `find` is still running.
//!
//! The rules of a directory (`repository/`) are read just before its first file is handed out, so that notes about them
//! come before the findings of the files that they apply to.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::files::FileArg;
use super::input_list::InputEntry;
use super::repository::{Repository, RuleNote, Rules};

#[derive(Debug)]
pub(crate) enum QueueItem {
    File(FileArg, Rules),
    /// The message of an error that did not end the search.
    Error(String),
    /// A note on the rules of the files that follow.
    Note(RuleNote),
}

pub(crate) struct InputQueue<'a>(Mutex<InputQueueState<'a>>);

struct InputQueueState<'a> {
    inputs: Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'a>,
    /// `None` if no rules are applied.
    repository: Option<Repository>,
    /// At most one file, preceded by the notes on its rules.
    found: VecDeque<QueueItem>,
    taken: usize,
    files: usize,
    ended: bool,
    /// The error that ended the search early.
    error: Option<anyhow::Error>,
}

impl<'a> InputQueue<'a> {
    /// Creates the queue, and searches for the first input.
    ///
    /// # Errors
    ///
    /// If that search fails. Nothing has been printed by then, so the run can still be refused as a whole.
    pub(crate) fn new(
        inputs: Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'a>,
        repository: Option<Repository>,
    ) -> anyhow::Result<Self> {
        let mut state = InputQueueState {
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

    /// Takes the next item and its index. `None` at the end, or after an error.
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

    /// Returns how many files were found so far, and whether the search has ended.
    pub(crate) fn files(&self) -> (usize, bool) {
        let state = self.state();
        (state.files, state.ended)
    }

    /// Takes the error that ended the search early, if any.
    pub(crate) fn take_error(&self) -> Option<anyhow::Error> {
        self.state().error.take()
    }

    fn state(&self) -> MutexGuard<'_, InputQueueState<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InputQueueState<'_> {
    fn search(&mut self) -> anyhow::Result<()> {
        if self.ended {
            return Ok(());
        }
        match self.inputs.next().transpose()? {
            None => self.ended = true,
            Some(InputEntry::Error(words)) => self.found.push_back(QueueItem::Error(words)),
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
