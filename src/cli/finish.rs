//! The end of each file of a batch: gathered until there are enough to be put on the disk together, then put in place.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

use crate::io::{
    Completion, Identity, Leftover, Note, Ready, Replacement, most_descriptors, remove_leftovers,
};
use crate::report::{visible, visible_path};

use super::config::Config;
use super::console::chain;
use super::files::FileArg;
use super::ordered_output::{FileOutput, OrderedOutput};
use super::run_report::RunReport;
use super::totals::Totals;

/// Files that are put on the disk together, at most: each keeps a descriptor open.
const MOST: usize = 512;
/// And bytes, at most: more of them take no longer apart.
const MOST_BYTES: u64 = 32 << 20;
/// Descriptors that the rest of the program needs, and each job for what it works on.
const RESERVED: usize = 32;
const OF_A_JOB: usize = 8;

/// A file that waits for others.
struct Waiting {
    index: usize,
    target: PathBuf,
    ready: Ready,
}

/// What there was to say of a file when it came to its place, after all else was said of it.
struct Late {
    index: usize,
    target: PathBuf,
    said: Result<Note, anyhow::Error>,
}

/// The files of a batch that are converted, on their way to their places.
pub(crate) struct Finish {
    completion: Completion,
    /// Files that wait for each other, at most.
    most: usize,
    waiting: Mutex<(Vec<Waiting>, u64)>,
    late: Mutex<Vec<Late>>,
    quiet: bool,
}

impl Finish {
    /// For so many jobs at a time. Each may be putting a group in its place while another group is gathered.
    pub(crate) fn new(config: &Config, jobs: usize) -> Self {
        let reserved = RESERVED + OF_A_JOB * jobs;
        let room = most_descriptors().unwrap_or(256).saturating_sub(reserved) / (jobs + 1);
        // Without a disk to wait for there is nothing to wait for together.
        let most = if config.sync { room.clamp(1, MOST) } else { 1 };
        Self {
            completion: Completion::new(config.sync),
            most,
            waiting: Mutex::default(),
            late: Mutex::default(),
            quiet: config.quiet,
        }
    }

    /// Whether the file at `path` was written by this run: it must not be read as an input.
    pub(crate) fn has_written(&self, path: &Path) -> bool {
        self.completion.has_written(path)
    }

    /// Takes a converted file of `bytes` bytes, the one with this index, and puts it in its place with others.
    pub(crate) fn add(
        &self,
        target: &Path,
        (replacement, bytes): (Replacement, u64),
        suffix: Option<&OsStr>,
        index: usize,
    ) -> anyhow::Result<()> {
        let ready = replacement
            .ready(suffix)
            .with_context(|| format!("{}: cannot write", visible_path(target)))?;
        let mut waiting = lock(&self.waiting);
        waiting.0.push(Waiting { index, target: target.to_owned(), ready });
        waiting.1 += bytes;
        if waiting.0.len() < self.most && waiting.1 < MOST_BYTES {
            return Ok(());
        }
        let group = std::mem::take(&mut *waiting).0;
        drop(waiting);
        self.place(group);
        Ok(())
    }

    fn place(&self, group: Vec<Waiting>) {
        let (files, ready): (Vec<_>, Vec<_>) =
            group.into_iter().map(|it| ((it.index, it.target), it.ready)).unzip();
        let mut late = Vec::new();
        for ((index, target), placed) in files.into_iter().zip(self.completion.place(ready)) {
            match placed {
                Ok(notes) => late.extend(notes.into_iter().map(|note| Late {
                    index,
                    target: target.clone(),
                    said: Ok(note),
                })),
                Err(error) => {
                    let words = format!("{}: not replaced", visible_path(&target));
                    let said = Err(anyhow::Error::new(error).context(words));
                    late.push(Late { index, target, said });
                }
            }
        }
        lock(&self.late).extend(late);
    }

    /// Puts the last files in their places, once all are converted, and says what there is to say of all.
    pub(crate) fn end(
        &self,
        order: &OrderedOutput<'_>,
        report: RunReport<'_>,
        totals: &mut Totals,
    ) {
        self.place(std::mem::take(&mut *lock(&self.waiting)).0);
        let settled = self.completion.settle();
        let mut late = std::mem::take(&mut *lock(&self.late));
        late.sort_by_key(|late| late.index);
        for Late { target, said, .. } in late {
            let mut out = order.next_output();
            let file = FileArg::output(&target);
            match said {
                Ok(note) if !self.quiet => report.note(&mut out, &file, &words(&note)),
                Ok(_) => {}
                Err(error) => {
                    report.error(&mut out, Some(&file), &chain(&error));
                    totals.add_error();
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

/// What a note says, so that it can be shown.
pub(crate) fn words(note: &Note) -> String {
    match note {
        Note::Backup(path) => {
            let name = path.file_name().map_or(path.as_path(), Path::new);
            format!("an older backup is kept; this one is {}", visible_path(name))
        }
        _ => visible(&note.to_string()),
    }
}

/// Removes what killed runs have left in directories that are written to, and says so.
pub(crate) fn clear_leftovers(
    directories: &BTreeSet<PathBuf>,
    inputs: &[FileArg],
    quiet: bool,
    report: RunReport<'_>,
    out: &mut FileOutput<'_>,
) {
    // Somebody who rescues what a killed run left names it.
    let named: Vec<_> = inputs
        .iter()
        .filter_map(|input| input.path.as_deref())
        .filter(|path| Leftover::is_named_so(path))
        .filter_map(Identity::of_path)
        .collect();
    let is_input = |path: &Path| Identity::of_path(path).is_some_and(|it| named.contains(&it));
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
