//! Temporary files: locked while in use, and removed whatever ends the process, except for SIGKILL.
//!
//! ```text
//! name ─► register of unfinished files ─► file, locked ─► renamed onto its target, or removed ─► out of the register
//! ```
//!
//! Two things may remove a temporary file from outside, and each is held off differently:
//!
//! * A signal handler of this process, by way of the register. Files are created and renamed only inside a
//!   [`CriticalSection`], which the handler waits for, so it sees every file.
//! * Another run that finds the file and takes it for a leftover. It removes a file only if nobody holds its lock.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

use oxiconv_os::{
    BlockedSignals, DirectoryHandle, FileStatus, Permissions, RenameError, UsedFile,
    create_placeholder, create_used, make_private, mark_used, path_for_handler, remove_in_handler,
    remove_used, rename_new, rename_over, take_unused, wait_a_moment,
};

use super::register::{OpenSection, RegisterEntry, UnfinishedRegister};
use crate::io::LastWords;

/// The prefix of temporary file names, which sixteen hexadecimal digits follow.
const PREFIX: &str = ".oxiconv-";

#[cfg(not(all(test, loom)))]
static REGISTER: UnfinishedRegister = UnfinishedRegister::new();
#[cfg(all(test, loom))]
loom::lazy_static! {
    static ref REGISTER: UnfinishedRegister = UnfinishedRegister::new();
}

/// Removes all unfinished files of a process that is about to end. From then on, threads that try to create or complete
/// one wait forever. Returns `false` if it was called before. Async-signal-safe.
pub fn discard_unfinished() -> bool {
    REGISTER.end(wait_a_moment, remove_in_handler)
}

/// Waits for the end of the process, which another thread brings about.
fn wait_for_the_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// A section that the end of the process waits for. Nothing in it may abort, or take longer than syncing a directory.
///
/// Signals are blocked in it. Otherwise the handler could run in the very thread that is inside a section, and would
/// wait for that section until it gives up.
pub(super) struct CriticalSection {
    // Fields are dropped in order, so the section ends before signals are delivered again.
    _open: OpenSection<'static>,
    _signals: BlockedSignals,
}

impl CriticalSection {
    pub(super) fn enter() -> Self {
        let signals = BlockedSignals::new();
        let Some(open) = REGISTER.enter() else {
            drop(signals);
            wait_for_the_end();
        };
        Self { _open: open, _signals: signals }
    }
}

/// A path in the register, until it is dropped.
#[derive(Debug)]
struct RegisteredPath(RegisterEntry);

impl RegisteredPath {
    fn new(path: &Path) -> io::Result<Self> {
        Ok(Self(REGISTER.add(path_for_handler(path)?)))
    }
}

impl Drop for RegisteredPath {
    fn drop(&mut self) {
        if self.0.take().is_none() {
            // The thread that ends the process has taken it. This one must not go on to another file.
            wait_for_the_end();
        }
    }
}

/// A locked file with a random name. Dropping it removes the file, unless it was renamed.
/// The path is in the register before the file is created. When this is dropped, the file is removed first, then
/// closed, which releases the lock, and the path leaves the register last, because fields are dropped in order. So no
/// file has a temporary name without being in the register.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    path: PathBuf,
    _registered: RegisteredPath,
}

impl Temporary {
    /// Creates an empty file in `dir`, with at most these permissions.
    pub(super) fn new_in(dir: &Path, permissions: Permissions) -> io::Result<Self> {
        loop {
            let random = RandomState::new().build_hasher().finish();
            let path = dir.join(format!("{PREFIX}{random:016x}"));
            let registered = RegisteredPath::new(&path)?;
            let section = CriticalSection::enter();
            let opened = create_used(&path, permissions);
            drop(section);
            let file = match opened {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            let temporary = Self { file, path, _registered: registered };
            // Otherwise another run has taken it for a leftover meanwhile, and a new one is created.
            if mark_used(&temporary.file)? {
                return Ok(temporary);
            }
        }
    }

    /// Creates an empty file in `dir` that only this user can open, whatever the directory gives to new files.
    pub(super) fn private_in(dir: &Path) -> io::Result<Self> {
        let temporary = Self::new_in(dir, Permissions::PRIVATE)?;
        make_private(&temporary.file)?;
        Ok(temporary)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Returns a file to read what was written, from its start. Nothing may be written after this.
    pub(super) fn written(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Renames it to `target`, replacing the file that is there. The section must be open.
    pub(super) fn rename(&self, target: &Path, _: &CriticalSection) -> io::Result<()> {
        rename_over(&self.file, &self.path, target)
    }

    /// Renames it to `target` if nothing is there. The section must be open.
    pub(super) fn rename_new(&self, target: &Path, _: &CriticalSection) -> io::Result<()> {
        rename_new(&self.file, &self.path, target).unwrap_or_else(|| self.link_new(target))
    }

    /// Does the same on a file system whose renames always replace. A hard link never replaces a file, so the file gets
    /// `target` as its second name and loses the first.
    fn link_new(&self, target: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, target) {
            Ok(()) => {
                let _ = fs::remove_file(&self.path);
                return Ok(());
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // Without hard links, an empty file reserves the name, and only that file is replaced.
            Err(_) => {}
        }
        let placeholder = create_placeholder(target)?;
        fs::rename(&self.path, target).inspect_err(|_| {
            // Another program may have put its own file there meanwhile.
            if is_at(&placeholder, target) {
                let _ = fs::remove_file(target);
            }
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename, no file has this name.
        remove_used(&self.file, &self.path);
    }
}

/// A temporary file that an earlier run left in a directory.
#[derive(Debug)]
pub struct Leftover {
    /// Its path.
    pub path: PathBuf,
    /// Whether it was removed. If not, it may be in use, or the removal failed.
    pub removed: bool,
}

impl Leftover {
    /// Whether `path` is named like a temporary file.
    pub fn is_named_so(path: &Path) -> bool {
        path.file_name().is_some_and(is_temporary)
    }
}

/// Removes the temporary files in `dir` that no run holds, except for those to `keep`. Files in use are left alone: a
/// lock belongs to the open file of a process, and the system releases it whatever ends that process. So a file that
/// can be locked belongs to no run any more, or to one that has just created it. For the latter, this waits a moment if
/// any file is young.
pub fn remove_leftovers(dir: &Path, keep: impl Fn(&Path) -> bool) -> Vec<Leftover> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
    let names = names.filter(|name| is_temporary(name));
    let paths: Vec<_> = names.map(|name| dir.join(name)).filter(|path| !keep(path)).collect();
    if paths.iter().any(|path| is_fresh(path)) {
        // Another run may have created it a moment ago, and be about to lock it.
        std::thread::sleep(FRESH / 10);
    }
    let found = paths
        .into_iter()
        .filter_map(|path| leftover(&path).map(|removed| Leftover { path, removed }));
    found.collect()
}

/// A file younger than this may not be locked yet.
const FRESH: Duration = Duration::from_secs(1);

fn is_fresh(path: &Path) -> bool {
    let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    // A time in the future comes from another clock, and says nothing about the age.
    modified.is_ok_and(|time| time.elapsed().map_or(true, |age| age < FRESH))
}

fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().strip_prefix(PREFIX.as_bytes()).is_some_and(|digits| {
        let digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        digits.len() == 16 && digits.iter().all(digit)
    })
}

/// Removes a file if no run uses it. Returns whether that succeeded, or `None` if it is not a leftover.
fn leftover(path: &Path) -> Option<bool> {
    match take_unused(path) {
        UsedFile::Missing | UsedFile::Used => None,
        UsedFile::Unknown => Some(false),
        // Its run is over or has released the file. But the run may have renamed it onto its target first, or removed
        // it, and this path may belong to another file by now.
        UsedFile::Unused(file) => is_at(&file, path).then(|| fs::remove_file(path).is_ok()),
    }
}

/// Whether `path` names the open `file`.
fn is_at(file: &File, path: &Path) -> bool {
    let (opened, named) = (FileStatus::of_file(file), FileStatus::of_name(path));
    matches!((opened, named), (Ok(opened), Ok(named)) if opened.is_same_file(&named))
}

/// Changes a name in a directory as [`DirectoryHandle::rename`] does, and counts it for the [`LastWords`].
///
/// # Errors
///
/// If the name was not changed.
pub fn rename_in(directory: &DirectoryHandle, old: &OsStr, new: &OsStr) -> Result<(), RenameError> {
    let _section = CriticalSection::enter();
    directory.rename(old, new).inspect(|()| LastWords::count())
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_file_in_use_is_no_leftover_and_one_that_nobody_holds_is() {
        let dir = tempfile::tempdir().unwrap();
        let used = Temporary::new_in(dir.path(), Permissions::PRIVATE).unwrap();
        let left = dir.path().join(".oxiconv-0123456789abcdef");
        fs::write(&left, "x").unwrap();
        // Names that are not ours.
        let others = [
            ".oxiconv-notes",
            ".oxiconv-cafe",
            ".oxiconv-sixteen.letters.",
            ".oxiconv-0123456789abcdefg",
            ".oxiconv-0123456789abcdef0",
            "oxiconv-0123456789abcdef",
        ];
        for name in others {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        let found = remove_leftovers(dir.path(), |_| false);
        assert_eq!(found.len(), 1);
        assert!(found[0].path == left && found[0].removed && !left.exists());
        assert!(used.path.exists());
        drop(used);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), others.len());
    }

    #[test]
    fn a_new_name_takes_nobodys_place() {
        let dir = tempfile::tempdir().unwrap();
        let taken = dir.path().join("taken");
        fs::write(&taken, "old").unwrap();
        let temporary = Temporary::new_in(dir.path(), Permissions::PRIVATE).unwrap();
        let section = CriticalSection::enter();
        let refused = temporary.rename_new(&taken, &section).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        temporary.rename_new(&dir.path().join("free"), &section).unwrap();
        drop(section);
        assert_eq!(fs::read(&taken).unwrap(), b"old");
    }

    /// Windows always has such a rename, and an open file keeps its name there.
    #[cfg(unix)]
    #[test]
    fn without_a_rename_that_never_replaces_nothing_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (taken, free) = (dir.path().join("taken"), dir.path().join("free"));
        fs::write(&taken, "old").unwrap();
        let mut temporary = Temporary::new_in(dir.path(), Permissions::PRIVATE).unwrap();
        io::Write::write_all(temporary.file_mut(), b"new").unwrap();
        let refused = temporary.link_new(&taken).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&taken).unwrap(), b"old");
        temporary.link_new(&free).unwrap();
        assert!(!temporary.path.exists());
        drop(temporary);
        assert_eq!(fs::read(&free).unwrap(), b"new");
    }

    #[test]
    fn a_name_belongs_to_an_open_file_only_while_no_other_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "own").unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_at(&file, &path));
        fs::rename(&path, dir.path().join("b")).unwrap();
        assert!(!is_at(&file, &path));
        fs::write(&path, "another program's").unwrap();
        assert!(!is_at(&file, &path));
    }
}
