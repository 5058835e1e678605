//! Completing a group of files: they are synced to disk first and then renamed onto their targets.
//!
//! ```text
//! several files, written ─► start writeback ─► wait for each ─► [backup] rename … ─► end of the run: directories
//! ```
//!
//! The order is what makes a crash harmless: a rename may reach the disk before the data of the file does, and would
//! then leave an empty file in place of the old one. Files are synced as a group, because flushing the disk costs about
//! as much for many as for one. Directories are synced at the end of the run. Until then a crash may bring back an old
//! file, but never half a file.
//!
//! The identity of every file that was put in place is remembered, so no run replaces what it has written itself.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use oxiconv_os::{
    FileStatus, FileVersion, Hold, Identity, parent, reason, sync_directory, sync_group,
};

use super::backup::{Backup, KeptBackup, make_directories, shown};
use super::note::Note;
use super::unfinished::{CriticalSection, Temporary};
use crate::io::LastWords;

/// The most directories to remember before they are synced.
const MAX_DIRECTORIES: usize = 1024;

/// A file that is complete but not renamed yet.
#[derive(Debug)]
pub struct Ready {
    /// `None` if it was written directly to a device or a pipe.
    pub(super) new: Option<PendingRename>,
    pub(super) notes: Vec<Note>,
}

/// A temporary file that is complete, and what is needed to put it in place.
#[derive(Debug)]
pub(super) struct PendingRename {
    pub(super) temporary: Temporary,
    pub(super) target: PathBuf,
    /// The version that the target must still have, if any.
    pub(super) version: Option<FileVersion>,
    /// Where the old file is kept, if it is.
    pub(super) backup: Option<PathBuf>,
}

/// When a directory is synced. A target's new name must not be on disk before that of its backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SyncTurn {
    Backups,
    Targets,
}

/// Renames files onto their targets, and remembers those of this run, so that none is replaced a second time.
#[derive(Debug)]
pub struct Completion {
    sync: bool,
    written: Mutex<HashSet<Identity>>,
    directories: Mutex<BTreeSet<(SyncTurn, PathBuf)>>,
    /// The first error from a directory that was synced before the end.
    unsettled: Mutex<Option<io::Error>>,
}

impl Completion {
    /// Creates the completion of a run. `sync` says whether to wait until everything is on disk.
    pub fn new(sync: bool) -> Self {
        Self {
            sync,
            written: Mutex::default(),
            directories: Mutex::default(),
            unsettled: Mutex::default(),
        }
    }

    /// Renames files onto their targets. Each may fail on its own, and its old file is then unchanged.
    pub fn place(&self, group: Vec<Ready>) -> Vec<io::Result<Vec<Note>>> {
        let mut on_disk = if self.sync { sync(&group) } else { HashMap::new() };
        let placed = group.into_iter().enumerate().map(|(index, ready)| {
            on_disk.remove(&index).map_or(Ok(()), Err)?;
            let mut notes = ready.notes;
            match ready.new {
                Some(new) => self.place_one(new, &mut notes)?,
                None => LastWords::count(),
            }
            Ok(notes)
        });
        placed.collect()
    }

    /// Puts one file in place. What happens between the check and the rename would go unnoticed, so everything that
    /// could replace or change the target is kept out of it:
    ///
    /// ```text
    /// other runs of this program      the hold on the target, if it must still have a certain version
    /// other threads of this run       the lock on `written`
    /// a signal that ends the process  the section, which the handler waits for
    /// other programs                  cannot be kept out: the check comes as late as possible
    /// ```
    ///
    /// The backup is made in the same section, directly before the rename. A hard link costs one system call. If it
    /// must be a copy, the section ends, the copy is written and synced like the file itself, and the loop begins again
    /// with the check. The second time it only has to give the copy its name and to sync its directory.
    ///
    /// The output is counted before the section ends. So the last line after a signal never counts a file that is not
    /// in place, and misses none that is.
    fn place_one(&self, new: PendingRename, notes: &mut Vec<Note>) -> io::Result<()> {
        let PendingRename { temporary, target, version, backup: place } = new;
        let no_backup = |error: io::Error| {
            let path = place.as_deref().map_or(Path::new(""), |place| shown(place, &target));
            because(&format!("cannot write the backup {}", path.display()), &error)
        };
        if let Some(place) = &place {
            make_directories(parent(place), self.sync).map_err(no_backup)?;
        }
        let mut backup = Backup::Link;
        // Until the rename, no other run replaces the file that was checked.
        let _held = version.as_ref().and_then(|_| Hold::of(&target));
        // Until the rename, no other thread of this run puts a file in the same place.
        let mut written = lock(&self.written);
        let (section, kept) = loop {
            let section = CriticalSection::enter();
            refuse_loss(&written, &target, version.as_ref())?;
            let Some(place) = &place else { break (section, None) };
            match backup.keep(&target, place, self.sync, &section) {
                Ok(kept) => break (section, Some(kept)),
                Err(_) if matches!(backup, Backup::Link) => {}
                Err(error) => return Err(no_backup(error)),
            }
            // No hard link can be made: the backup is on another file system, or the file system has none. A copy takes
            // too long for a section.
            drop(section);
            backup = Backup::copy(&target, place, self.sync, notes).map_err(no_backup)?;
        };
        if let Err(error) = temporary.rename(&target, &section) {
            drop(section);
            return Err(without_backup(error, kept, &target));
        }
        LastWords::count();
        drop(section);
        // Only now, since FAT identifies a file by the place of its name.
        written.extend(Identity::of_file(temporary.file()));
        drop(written);
        if let Some(KeptBackup { path, is_first_choice, .. }) = kept {
            if !is_first_choice {
                notes.push(Note::Backup(shown(&path, &target).to_owned()));
            }
            // The name of a copy is on disk already.
            if self.sync && matches!(backup, Backup::Link) && parent(&path) != parent(&target) {
                self.remember(SyncTurn::Backups, parent(&path));
            }
        }
        if self.sync {
            self.remember(SyncTurn::Targets, parent(&target));
        }
        Ok(())
    }

    /// Whether the file at `path` was written by this run.
    pub fn has_written(&self, path: &Path) -> bool {
        Identity::of_path(path).is_some_and(|identity| lock(&self.written).contains(&identity))
    }

    /// Remembers a directory to be synced at the end of the run. If there are too many, they are synced now, and an
    /// error is kept for [`Completion::settle`]: the files are in place all the same.
    fn remember(&self, turn: SyncTurn, directory: &Path) {
        let mut directories = lock(&self.directories);
        directories.insert((turn, directory.to_owned()));
        let full = directories.len() >= MAX_DIRECTORIES;
        let full = if full { std::mem::take(&mut *directories) } else { BTreeSet::new() };
        drop(directories);
        if let Err(error) = settle(full) {
            lock(&self.unsettled).get_or_insert(error);
        }
    }

    /// Waits until the new names are on disk as well.
    ///
    /// # Errors
    ///
    /// If the system cannot sync a directory. The files are complete, but a crash may bring the old ones back.
    pub fn settle(&self) -> io::Result<()> {
        let settled = settle(std::mem::take(&mut *lock(&self.directories)));
        lock(&self.unsettled).take().map_or(settled, Err)
    }
}

/// Refuses to replace a file that this run has `written`, or that has changed since it was read. The first can happen
/// although the plan of a run has no output twice: on a file system that ignores case, `A.txt` and `a.txt` are one
/// file, and that is known only once it exists.
fn refuse_loss(
    written: &HashSet<Identity>,
    target: &Path,
    version: Option<&FileVersion>,
) -> io::Result<()> {
    let there = FileStatus::of_path(target).ok();
    let identity = there.as_ref().and_then(FileStatus::identity);
    if identity.is_some_and(|identity| written.contains(&identity)) {
        return Err(io::Error::other(
            "another file of this run was written to the same place (convert them one at a time)",
        ));
    }
    if let Some(version) = version
        && !there.is_some_and(|status| status.version().is_still(version))
    {
        return Err(io::Error::other(
            "another program changed the file during the conversion (run the command again)",
        ));
    }
    Ok(())
}

/// Removes a backup that turned out to be unnecessary, and returns the error to report.
fn without_backup(error: io::Error, kept: Option<KeptBackup>, target: &Path) -> io::Error {
    match kept {
        Some(KeptBackup { path, is_new: true, .. }) if fs::remove_file(&path).is_err() => {
            let path = shown(&path, target).display();
            because(&format!("its backup {path} was written, but the new text was not"), &error)
        }
        _ => error,
    }
}

/// Syncs directories in the order of their turns.
fn settle(directories: BTreeSet<(SyncTurn, PathBuf)>) -> io::Result<()> {
    directories.iter().try_for_each(|(_, directory)| sync_directory(directory))
}

/// Waits until the new files of a group are on disk, and returns the errors by index.
fn sync(group: &[Ready]) -> HashMap<usize, io::Error> {
    let files = group.iter().map(|it| it.new.as_ref().map(|new| new.temporary.file()));
    let files: Vec<_> = files.enumerate().filter_map(|(at, file)| Some((at, file?))).collect();
    sync_group(&files)
}

fn because(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {}", reason(error)))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
