//! Commits converted files: they are gathered in groups, synced to disk together, then renamed onto their targets.
//!
//! Flushing a disk costs as much for one file as for a group of them, so a file waits until 512 files or 32 MiB have
//! come together. Each waiting file keeps a descriptor open, so the limit on descriptors also limits the group.
//!
//! When a file is renamed, its report has long been printed. What comes up in the rename, such as the name of a backup
//! or an error, is deferred to the end of the run and sorted by the order of the files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

use oxiconv_os::{Identity, most_open_files};
use oxiconv_report::{visible, visible_path};
use oxiconv_transcode::io::{Completion, FileReplacement, Note, Ready, remove_leftovers};

use super::config::Config;
use super::console::chain;
use super::files::FileArg;
use super::manifest::{Manifest, ManifestTask};
use super::ordered_output::{FileOutput, OrderedOutput};
use super::result_totals::{InputResult, Totals};
use super::run_report::RunReport;

const MAX_GROUP: usize = 512;
/// The most bytes synced together: with more, syncing separately takes no longer.
const MAX_GROUP_BYTES: u64 = 32 << 20;
/// Descriptors that the rest of the program needs, and those that each job needs besides its groups.
const RESERVED_DESCRIPTORS: usize = 32;
const DESCRIPTORS_PER_JOB: usize = 8;

/// A complete file that waits for the rest of its group.
struct PendingOutput {
    index: usize,
    target: PathBuf,
    ready: Ready,
    /// What to add to the manifest once the file is in place.
    done: Option<(ManifestTask, InputResult)>,
}

/// A note or an error that came up when a file was renamed.
struct DeferredMessage {
    index: usize,
    target: PathBuf,
    outcome: Result<Note, anyhow::Error>,
}

/// The converted files of a batch that have not been renamed yet.
pub(crate) struct CommitQueue<'m> {
    manifest: Option<&'m Manifest>,
    completion: Completion,
    max_group: usize,
    /// The next group, and its total size in bytes.
    pending: Mutex<(Vec<PendingOutput>, u64)>,
    deferred: Mutex<Vec<DeferredMessage>>,
    quiet: bool,
}

impl<'m> CommitQueue<'m> {
    /// Creates the queue for this many concurrent jobs.
    ///
    /// The job that completes a group commits it, while the others gather the next one. In the worst case, every job is
    /// committing a group and one more is being gathered, so `jobs + 1` groups must fit into the descriptors that are
    /// left.
    pub(crate) fn new(config: &Config, jobs: usize, manifest: Option<&'m Manifest>) -> Self {
        let reserved = RESERVED_DESCRIPTORS + DESCRIPTORS_PER_JOB * jobs;
        let room = most_open_files().unwrap_or(256).saturating_sub(reserved) / (jobs + 1);
        // Without syncing, there is nothing to gain from a group. And what the user has agreed to is done at once, since
        // whoever interrupts the questions counts on the answers given so far.
        let is_grouped = config.writing.sync && !config.asks();
        let max_group = if is_grouped { room.clamp(1, MAX_GROUP) } else { 1 };
        Self {
            manifest,
            completion: Completion::new(config.writing.sync),
            max_group,
            pending: Mutex::default(),
            deferred: Mutex::default(),
            quiet: config.messages.quiet,
        }
    }

    /// Whether this run wrote the file at `path`. Then it must not be read as an input.
    pub(crate) fn has_written(&self, path: &Path) -> bool {
        self.completion.has_written(path)
    }

    /// Takes the converted file with this index, and commits the group if that completes it. `done` is added to the
    /// manifest only when the file is in place.
    ///
    /// # Errors
    ///
    /// If this file cannot be completed. Errors of renaming are deferred, because they can be about any file of the
    /// group.
    pub(crate) fn add(
        &self,
        target: &Path,
        replacement: FileReplacement,
        bytes: u64,
        backup: Option<PathBuf>,
        index: usize,
        done: Option<(ManifestTask, InputResult)>,
    ) -> anyhow::Result<()> {
        let ready = replacement
            .ready(backup)
            .with_context(|| format!("{}: cannot write", visible_path(target)))?;
        let mut pending = lock(&self.pending);
        pending.0.push(PendingOutput { index, target: target.to_owned(), ready, done });
        pending.1 += bytes;
        if pending.0.len() < self.max_group && pending.1 < MAX_GROUP_BYTES {
            return Ok(());
        }
        let group = std::mem::take(&mut *pending).0;
        drop(pending);
        self.commit_group(group);
        Ok(())
    }

    /// Syncs and renames a group. Called without the lock, so that the other jobs need not wait for the disk.
    fn commit_group(&self, group: Vec<PendingOutput>) {
        let (files, ready): (Vec<_>, Vec<_>) =
            group.into_iter().map(|it| ((it.index, it.target, it.done), it.ready)).unzip();
        let mut deferred = Vec::new();
        for ((index, target, done), placed) in files.into_iter().zip(self.completion.place(ready)) {
            match placed {
                Ok(notes) => {
                    if let (Some(manifest), Some((task, done))) = (self.manifest, done) {
                        manifest.add(task, [&done]);
                    }
                    deferred.extend(notes.into_iter().map(|note| DeferredMessage {
                        index,
                        target: target.clone(),
                        outcome: Ok(note),
                    }));
                }
                Err(error) => {
                    let words = format!("{}: not replaced", visible_path(&target));
                    let outcome = Err(anyhow::Error::new(error).context(words));
                    deferred.push(DeferredMessage { index, target, outcome });
                }
            }
        }
        lock(&self.deferred).extend(deferred);
    }

    /// Commits the last group once all files are converted, and prints the deferred messages.
    pub(crate) fn end(
        &self,
        order: &OrderedOutput<'_>,
        report: RunReport<'_>,
        totals: &mut Totals,
    ) {
        self.commit_group(std::mem::take(&mut *lock(&self.pending)).0);
        let settled = self.completion.settle();
        let mut deferred = std::mem::take(&mut *lock(&self.deferred));
        deferred.sort_unstable_by_key(|deferred| deferred.index);
        for DeferredMessage { target, outcome, .. } in deferred {
            let mut out = order.next_output();
            let file = FileArg::output(&target);
            match outcome {
                Ok(note) if !self.quiet => report.note(&mut out, &file, &words(&note)),
                Ok(_) => {}
                Err(error) => {
                    report.error(&mut out, Some(&file), &chain(&error));
                    totals.add_not_written();
                }
            }
            out.close();
        }
        if let Err(error) = settled {
            let error = anyhow::Error::new(error)
                .context("the files are converted, but a system crash may undo that");
            let mut out = order.next_output();
            report.error(&mut out, None, &chain(&error));
            out.close();
            totals.add_error();
        }
    }
}

/// Commits a single output, and prints the notes about it.
///
/// # Errors
///
/// If it could not be written, or is in place but may be lost in a system crash. The message says which.
pub(crate) fn complete_alone(
    file: FileReplacement,
    path: &Path,
    config: &Config,
    report: RunReport<'_>,
    order: &OrderedOutput<'_>,
) -> anyhow::Result<()> {
    let completion = Completion::new(config.writing.sync);
    let ready = file.ready(None).context("cannot write")?;
    for placed in completion.place(vec![ready]) {
        for note in placed.context("cannot write")?.iter().filter(|_| !config.messages.quiet) {
            let mut out = order.next_output();
            report.note(&mut out, &FileArg::output(path), &words(note));
            out.close();
        }
    }
    completion.settle().context("written, but a system crash may undo that")
}

pub(crate) fn words(note: &Note) -> String {
    match note {
        Note::Backup(path) => {
            format!("an older backup is kept; this one is {}", visible_path(path))
        }
        _ => visible(&note.to_string()),
    }
}

/// Removes temporary files that killed runs have left in the directories that are written to, and reports them. Those
/// among the inputs stay: a user who names a leftover wants to rescue its text.
pub(crate) fn clear_leftovers(
    directories: &BTreeSet<PathBuf>,
    inputs: &[Identity],
    quiet: bool,
    report: RunReport<'_>,
    out: &mut FileOutput<'_>,
) {
    let is_input = |path: &Path| Identity::of_path(path).is_some_and(|it| inputs.contains(&it));
    for leftover in directories.iter().flat_map(|dir| remove_leftovers(dir, is_input)) {
        let words = if leftover.removed {
            "removed a temporary file that an earlier run left when it was killed"
        } else {
            "an earlier run may have left this temporary file (remove it if no run uses it)"
        };
        if !quiet {
            report.note(out, &FileArg::output(&leftover.path), words);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
