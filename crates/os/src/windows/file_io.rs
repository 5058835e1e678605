//! Calls for reading and writing files that the standard library does not have.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use windows_sys::Win32::Foundation::GENERIC_WRITE;
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_ADD_FILE, FILE_ATTRIBUTE_HIDDEN, FILE_ATTRIBUTE_READONLY,
    FILE_FLAG_BACKUP_SEMANTICS,
};

use crate::FileStatus;

/// Reads once at `offset`: less than `buffer` holds may be read. The file position moves, which nobody may depend on.
///
/// # Errors
///
/// If the system cannot read it.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Opens a file to read it. Pipes are not in directories, so it never waits for one.
///
/// # Errors
///
/// If the system cannot open it.
pub fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether a name in a directory is hidden: by a dot at its start, as programs from other systems hide it, or by the
/// attribute in its metadata.
pub fn is_hidden(name: &OsStr, metadata: impl FnOnce() -> Option<Metadata>) -> bool {
    let has_attribute =
        |metadata: Metadata| metadata.file_attributes() & FILE_ATTRIBUTE_HIDDEN != 0;
    name.as_encoded_bytes().starts_with(b".") || metadata().is_some_and(has_attribute)
}

/// Whether something has this name.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Checks that this process may write to the file at `path`, which has this status.
///
/// # Errors
///
/// If it may not, or if another program has opened it and lets nobody else write to it or replace it.
pub fn check_writable(path: &Path, status: &FileStatus) -> io::Result<()> {
    if status.attributes & FILE_ATTRIBUTE_READONLY != 0 {
        let words = "it is read-only (`attrib -r` removes that)";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, words));
    }
    if status.is_regular() {
        // Who replaces a file deletes the old one.
        File::options().access_mode(GENERIC_WRITE | DELETE).open(path)?;
    }
    Ok(())
}

/// Checks that this process may create files in the directory at `path`.
///
/// # Errors
///
/// If it may not, or with [`io::ErrorKind::NotADirectory`].
pub fn check_directory_writable(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let mut options = File::options();
    options.access_mode(FILE_ADD_FILE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    options.open(path).map(drop)
}

/// The system detects sequential reads itself.
pub fn expect_sequential_reads(_: &File) {}

/// Reserves no space, which would only be faster.
pub fn reserve(_: &File, _: u64, _: u64) -> bool {
    false
}

/// No file is generated when it is read.
pub fn is_generated(_: &File) -> bool {
    false
}

/// The other end has made the pipe, and its size is fixed.
pub fn enlarge(_: &File) {}

/// The number of open files is limited by memory alone.
pub fn most_open_files() -> Option<usize> {
    None
}

/// Maps nothing: while a file is mapped, no other program can shorten it, and a page that cannot be read, as on a
/// network drive, ends the process.
pub fn copy_at(_: &File, _: u64, _: &mut [u8]) -> Option<usize> {
    None
}
