//! Renaming open files and directories.
//!
//! ```text
//! FileRenameInfoEx, with POSIX semantics   NTFS since Windows 10 1607: also if others, who let it be deleted, have the
//!                                          target open
//! FileRenameInfo                           other file systems: a target that is open is an error
//! ```
//!
//! Both are one step, in which the target is the old file or the new one. `ReplaceFileW` is several: if it is
//! interrupted, no file has the name of the target. What it takes over from the old file, `attributes.rs` does.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::mem::{offset_of, size_of};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_PATHNAME, ERROR_FILENAME_EXCED_RANGE, ERROR_INVALID_FUNCTION,
    ERROR_INVALID_NAME, ERROR_INVALID_PARAMETER, ERROR_NOT_SUPPORTED, ERROR_SHARING_VIOLATION,
};
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_INFO_BY_HANDLE_CLASS,
    FILE_RENAME_INFO, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FileRenameInfo,
    FileRenameInfoEx, SetFileInformationByHandle,
};

use super::wide::{absolute, checked};
use crate::RenameError;

/// From `winnt.h`; windows-sys has them with the kernel's functions.
const FILE_RENAME_FLAG_REPLACE_IF_EXISTS: u32 = 1;
const FILE_RENAME_FLAG_POSIX_SEMANTICS: u32 = 2;

/// How long to wait before each further try to replace a file that another program has open: 100 ms in all. Search
/// and protection against viruses have a file open for a moment whenever it was written.
const PATIENCE: [u64; 4] = [5, 15, 30, 50];

/// Renames the open file at `path` to `target`, and replaces what is there.
///
/// # Errors
///
/// If the system cannot do so; both are then unchanged.
pub fn rename_over(file: &File, _: &Path, target: &Path) -> io::Result<()> {
    let flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    let replace = || match rename(file, target, FileRenameInfoEx, flags) {
        Err(error) if is_unknown_call(&error) => rename(file, target, FileRenameInfo, 1),
        done => done,
    };
    let mut waits = PATIENCE.iter();
    loop {
        match replace() {
            Err(error) if is_denied(&error) && is_open_elsewhere(target) => match waits.next() {
                Some(milliseconds) => std::thread::sleep(Duration::from_millis(*milliseconds)),
                None => {
                    let words = "another program has the file open";
                    return Err(io::Error::new(error.kind(), words));
                }
            },
            done => return done,
        }
    }
}

fn is_denied(error: &io::Error) -> bool {
    let denied = [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION];
    error.raw_os_error().is_some_and(|code| denied.contains(&(code as u32)))
}

fn is_open_elsewhere(target: &Path) -> bool {
    let alone = File::options().write(true).share_mode(FILE_SHARE_DELETE).open(target);
    alone.is_err_and(|error| error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32))
}

/// Renames the open file at `path` to `target` if nothing is there. Every file system can do so.
///
/// # Errors
///
/// If the system cannot do so, or with [`io::ErrorKind::AlreadyExists`].
pub fn rename_new(file: &File, _: &Path, target: &Path) -> Option<io::Result<()>> {
    Some(rename(file, target, FileRenameInfo, 0))
}

fn is_unknown_call(error: &io::Error) -> bool {
    let unknown = [ERROR_INVALID_FUNCTION, ERROR_INVALID_PARAMETER, ERROR_NOT_SUPPORTED];
    error.raw_os_error().is_some_and(|code| unknown.contains(&(code as u32)))
}

/// Renames an open file. `flags` are those of FileRenameInfoEx, or for FileRenameInfo whether to replace a file.
fn rename(
    file: &File,
    target: &Path,
    class: FILE_INFO_BY_HANDLE_CLASS,
    flags: u32,
) -> io::Result<()> {
    let name = absolute(target)?;
    // The structure ends with the first unit of the name, and the others follow. Words of 8 bytes align it.
    let bytes = offset_of!(FILE_RENAME_INFO, FileName) + size_of_val(&name[..]);
    let mut buffer = vec![0_u64; bytes.max(size_of::<FILE_RENAME_INFO>()).div_ceil(8)];
    let info = buffer.as_mut_ptr().cast::<FILE_RENAME_INFO>();
    // SAFETY: the buffer is aligned and long enough for the structure and all of the name. All zeros is a valid value
    // of the structure, whose first field is a union of these flags and a boolean byte, which is their lowest.
    unsafe {
        (*info).Anonymous.Flags = flags;
        (*info).FileNameLength = (size_of_val(&name[..]) - 2) as u32;
        (&raw mut (*info).FileName)
            .cast::<u16>()
            .copy_from_nonoverlapping(name.as_ptr(), name.len());
    }
    // SAFETY: the handle is open, and pointer and size are those of the buffer.
    checked(unsafe {
        SetFileInformationByHandle(
            file.as_raw_handle(),
            class,
            buffer.as_ptr().cast(),
            size_of_val(&buffer[..]) as u32,
        )
    })
}

/// An open directory in which names are changed. While it is open, neither it nor a directory above it can be renamed,
/// so its path stays the same.
#[derive(Debug)]
pub struct DirectoryHandle {
    path: PathBuf,
    _open: File,
}

impl DirectoryHandle {
    /// Opens a directory by its absolute path, which must be free of symbolic links and junctions.
    ///
    /// # Errors
    ///
    /// If the system cannot open it, or if a component is not a directory.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        options.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE);
        options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
        let open = options.open(path)?;
        // Only now nobody can put a link on the way to it.
        if !path.is_absolute() || path.canonicalize()? != path {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if !open.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { path: path.to_owned(), _open: open })
    }

    /// Changes a name in this directory. A symbolic link itself is renamed, not its target.
    ///
    /// # Errors
    ///
    /// If the name was not changed.
    pub fn rename(&self, old: &OsStr, new: &OsStr) -> Result<(), RenameError> {
        let mut options = File::options();
        options.access_mode(DELETE);
        options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
        let renamed = options
            .open(self.path.join(old))
            .and_then(|file| rename(&file, &self.path.join(new), FileRenameInfo, 0));
        renamed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RenameError::Exists,
            _ => RenameError::System(error),
        })
    }
}

/// Whether a rename failed since the file system allows no such name.
pub fn is_about_the_name(error: &io::Error) -> bool {
    let refused = [ERROR_INVALID_NAME, ERROR_FILENAME_EXCED_RANGE, ERROR_BAD_PATHNAME];
    error.raw_os_error().is_some_and(|code| refused.contains(&(code as u32)))
}

/// Returns nothing: a limit counts units of UTF-16, and the system says when a name is longer.
pub fn longest_name(_: &Path) -> Option<usize> {
    None
}

#[cfg(test)]
mod tests;
