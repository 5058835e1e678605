//! Renaming files and directories, without ever replacing an existing one.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path};

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, RenameFlags, open, openat, renameat_with, statvfs};
use rustix::io::Errno;

use crate::RenameError;

/// An open directory in which names are changed. Names are relative to the open directory, so it does not matter if its
/// own path changes meanwhile.
#[derive(Debug)]
pub struct DirectoryHandle {
    fd: OwnedFd,
}

impl DirectoryHandle {
    /// Opens a directory by its absolute path, which must be free of symbolic links.
    ///
    /// Each component is opened without following links. If a directory on the way has been replaced by a link since
    /// the path was resolved, this fails instead of renaming files in some other directory.
    ///
    /// # Errors
    ///
    /// If the system cannot open it, or if a component is not a directory.
    pub fn open(path: &Path) -> io::Result<Self> {
        // A directory without read permission can be opened like this, and its names can be changed.
        #[cfg(target_os = "linux")]
        let access = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let access = OFlags::RDONLY;
        let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // Opening component by component also allows paths that are longer than PATH_MAX.
        let mut components = path.components();
        let Some(root @ Component::RootDir) = components.next() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut fd = open(root.as_os_str(), flags, Mode::empty())?;
        for component in components {
            let Component::Normal(name) = component else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            fd = openat(&fd, name, flags, Mode::empty())?;
        }
        Ok(Self { fd })
    }

    /// Changes a name in this directory. A symbolic link itself is renamed, not its target.
    ///
    /// If the system cannot rename without replacing, nothing is renamed. To look first and then rename would not be
    /// the same: another program could create a file of the new name in between, and lose it.
    ///
    /// # Errors
    ///
    /// If the name was not changed.
    pub fn rename(&self, old: &OsStr, new: &OsStr) -> Result<(), RenameError> {
        match renameat_with(&self.fd, old, &self.fd, new, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) => Err(RenameError::Exists),
            Err(Errno::NOSYS) => Err(RenameError::Unsupported),
            Err(error) if cannot_exclude(error) => Err(RenameError::Invalid),
            Err(error) => Err(RenameError::System(error.into())),
        }
    }
}

/// Whether a rename that must not replace anything failed because the file system has no such rename. macOS says so
/// with ENOTSUP, and Linux with EINVAL.
fn cannot_exclude(error: Errno) -> bool {
    error == Errno::INVAL || cfg!(target_vendor = "apple") && error == Errno::NOTSUP
}

/// Renames the open file at `path` to `target`, and replaces what is there.
///
/// # Errors
///
/// If the system cannot do so; both are then unchanged.
pub fn rename_over(_: &File, path: &Path, target: &Path) -> io::Result<()> {
    fs::rename(path, target)
}

/// Renames the open file at `path` to `target` if nothing is there. `None` if the file system has no such rename.
///
/// # Errors
///
/// If the system cannot do so, or with [`io::ErrorKind::AlreadyExists`].
pub fn rename_new(_: &File, path: &Path, target: &Path) -> Option<io::Result<()>> {
    let cwd = rustix::fs::CWD;
    match renameat_with(cwd, path, cwd, target, RenameFlags::NOREPLACE) {
        Err(error) if cannot_exclude(error) || error == Errno::NOSYS => None,
        other => Some(other.map_err(io::Error::from)),
    }
}

/// Whether a rename failed since the file system allows no such name.
pub fn is_about_the_name(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENAMETOOLONG | libc::EILSEQ))
}

/// Returns the maximum length of a name in this directory in bytes, if the system reports it.
pub fn longest_name(directory: &Path) -> Option<usize> {
    let most = statvfs(directory).ok()?.f_namemax;
    usize::try_from(most).ok().filter(|most| *most > 0)
}

#[cfg(test)]
mod tests;
