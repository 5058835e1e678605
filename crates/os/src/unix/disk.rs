//! Waiting until files and names are on disk.
//!
//! ```text
//!                      Linux                            macOS
//! a file               fdatasync, fsync                 F_FULLFSYNC, or fsync where a file system lacks that
//! many on one system   sync_file_range, then syncfs     fsync each, then one F_FULLFSYNC
//! ```
//!
//! On macOS, `fsync` ends when the drive has the bytes, which may still be in its cache. The standard library therefore
//! syncs by F_FULLFSYNC there.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[cfg(target_vendor = "apple")]
use rustix::io::Errno;

/// From this many files on, syncing them together is faster than one by one.
const GROUP_THRESHOLD: usize = 16;

/// Waits until a file is on disk, with its metadata.
///
/// # Errors
///
/// If the sync fails.
pub fn sync_file(file: &File) -> io::Result<()> {
    or_as_far_as_possible(file, file.sync_all())
}

/// Waits until the bytes of a file are on disk.
fn sync_data(file: &File) -> io::Result<()> {
    or_as_far_as_possible(file, file.sync_data())
}

/// Not every file system has F_FULLFSYNC: shares of a network do not. Its `fsync` is then the best that there is. The
/// errors are those for which the kernel does the same with F_BARRIERFSYNC (xnu, `bsd/kern/kern_descrip.c`).
#[cfg(target_vendor = "apple")]
fn or_as_far_as_possible(file: &File, synced: io::Result<()>) -> io::Result<()> {
    match synced.as_ref().err().and_then(Errno::from_io_error) {
        Some(Errno::NOTTY | Errno::NOTSUP | Errno::INVAL) => Ok(rustix::fs::fsync(file)?),
        _ => synced,
    }
}

#[cfg(not(target_vendor = "apple"))]
fn or_as_far_as_possible(_: &File, synced: io::Result<()>) -> io::Result<()> {
    synced
}

/// Waits until the names in a directory are on disk.
///
/// # Errors
///
/// If the sync fails. A directory that cannot be opened, or whose file system cannot sync, is no error.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    // Names can be changed in a directory without read permission, which cannot be opened here.
    let Ok(file) = File::open(directory) else { return Ok(()) };
    match sync_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

/// Waits until these files are on disk, and returns the errors by their numbers. They are synced together only if all
/// are on the same file system.
///
/// A file that has failed is never synced a second time. The kernel reports a write error only once per open file and
/// marks the lost pages as clean, so the second sync would succeed.
pub fn sync_group(files: &[(usize, &File)]) -> HashMap<usize, io::Error> {
    let mut failed = HashMap::new();
    let device = |file: &File| file.metadata().ok().map(|metadata| metadata.dev());
    if files.len() >= GROUP_THRESHOLD {
        let devices: HashSet<_> = files.iter().filter_map(|(_, file)| device(file)).collect();
        if devices.len() == 1 && all_at_once(files, &mut failed) {
            return failed;
        }
    }
    for (at, file) in files {
        if !failed.contains_key(at)
            && let Err(error) = sync_data(file)
            // Otherwise the file system cannot sync, since it has no disk.
            && error.kind() != io::ErrorKind::InvalidInput
        {
            failed.insert(*at, error);
        }
    }
    failed
}

/// Syncs files on one file system, and adds the errors of those that cannot be written to `failed`. Returns `false` if
/// the others must be synced one by one.
///
/// Writeback is started for all files before any is waited for, so that the disk has all of them to work on. `syncfs`
/// then only has the metadata left to write.
///
/// ```text
/// call that fails               means                                       what follows
/// sync_file_range, no flags     the system does not have or allow it        one by one
/// sync_file_range, any flags    this file has lost data: EIO, ENOSPC …      the file fails, the others continue
/// syncfs                        some file has, perhaps of another program   one by one
/// ```
///
/// Without flags, `sync_file_range` does nothing but check its arguments. So what the system lacks (EINVAL, ENOSYS,
/// ESPIPE; EPERM in a sandbox) is known before there can be an error of the disk, which may have any number. Errors of
/// `syncfs` are counted apart from those of each file, so `fdatasync` still reports the latter.
#[cfg(target_os = "linux")]
fn all_at_once(files: &[(usize, &File)], failed: &mut HashMap<usize, io::Error>) -> bool {
    let Some((_, first)) = files.first() else { return true };
    if sync_file_range(first, 0).is_err() {
        return false;
    }
    let wait = libc::SYNC_FILE_RANGE_WAIT_BEFORE
        | libc::SYNC_FILE_RANGE_WRITE
        | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    for flags in [libc::SYNC_FILE_RANGE_WRITE, wait] {
        for (at, file) in files {
            if !failed.contains_key(at)
                && let Err(error) = sync_file_range(file, flags)
            {
                failed.insert(*at, error);
            }
        }
    }
    rustix::fs::syncfs(first).is_ok()
}

/// Calls `sync_file_range` for all of a file.
#[cfg(target_os = "linux")]
fn sync_file_range(file: &File, flags: libc::c_uint) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open, and the call does not touch the memory of the process.
    match unsafe { libc::sync_file_range(file.as_raw_fd(), 0, 0, flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Syncs files on one file system, and adds the errors of those that cannot be written to `failed`. Returns `false` if
/// the others must be synced one by one.
///
/// Each `fsync` hands the bytes of a file to the drive, and one F_FULLFSYNC makes the drive write them all: fcntl(2)
/// guarantees that for everything that was synced on the same device before.
#[cfg(target_vendor = "apple")]
fn all_at_once(files: &[(usize, &File)], failed: &mut HashMap<usize, io::Error>) -> bool {
    for (at, file) in files {
        if let Err(error) = rustix::fs::fsync(file) {
            failed.insert(*at, error.into());
        }
    }
    let written = files.iter().find(|(at, _)| !failed.contains_key(at));
    written.is_none_or(|(_, file)| rustix::fs::fcntl_fullfsync(file).is_ok())
}

/// Other systems sync files one by one.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn all_at_once(_: &[(usize, &File)], _: &mut HashMap<usize, io::Error>) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// No call syncs a directory of `/proc`.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_directory_that_no_system_call_syncs_is_no_error() {
        let error = File::open("/proc").unwrap().sync_all().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        sync_directory(Path::new("/proc")).unwrap();
    }

    /// One by one and together.
    #[test]
    fn a_group_of_any_size_is_synced_without_an_error() {
        for files in [1, GROUP_THRESHOLD, 3 * GROUP_THRESHOLD] {
            let dir = tempfile::tempdir().unwrap();
            let create = |number: usize| {
                let mut file = File::create(dir.path().join(number.to_string())).unwrap();
                file.write_all(b"text").unwrap();
                file
            };
            let group: Vec<_> = (0..files).map(create).collect();
            let group: Vec<_> = group.iter().enumerate().collect();
            assert!(sync_group(&group).is_empty());
            sync_directory(dir.path()).unwrap();
        }
    }
}
