//! Creating files and directories: with which permissions, and locked while in use.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::access::{group_as_others, group_of_new_file};
use super::access_list::{has_list, mode_like_listed, remove_list};
use crate::{FileKind, FileStatus, UsedFile};

/// The most permissions that a new file gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions(u32);

impl Permissions {
    /// Those that the process gives to any new file: 0666, less its umask.
    pub const USUAL: Self = Self(0o666);
    /// Nobody but this user may read or write it.
    pub const PRIVATE: Self = Self(0o600);

    /// Returns at most those of the file at `model`, for a new file in `directory`.
    ///
    /// # Errors
    ///
    /// If the system cannot examine `model`.
    pub fn like(model: &Path, directory: Option<&Path>) -> io::Result<Self> {
        let metadata = fs::metadata(model)?;
        let mut mode = metadata.permissions().mode() & 0o777;
        if has_list(model) {
            mode = mode_like_listed(mode);
        } else if mode != group_as_others(mode) && metadata.gid() != group_of_new_file(directory) {
            // The members of the new group could use the model only as others.
            mode = group_as_others(mode);
        }
        Ok(Self(mode))
    }
}

/// Creates an empty file to read and write, which [`mark_used`] is to lock. On macOS, its directory may give it more
/// than `permissions`, which [`make_private`] takes away.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_used(path: &Path, permissions: Permissions) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).mode(permissions.0).open(path)
}

/// Locks a file that [`create_used`] has created. Returns whether it still has a name: creating and locking are two
/// steps, and another run may have taken the file for unused between them. A file system without locks is tolerated.
///
/// # Errors
///
/// If the system does not say whether it has a name.
pub fn mark_used(file: &File) -> io::Result<bool> {
    while flock(file, FlockOperation::LockExclusive) == Err(Errno::INTR) {}
    Ok(file.metadata()?.nlink() > 0)
}

/// Takes away from an empty file what its directory gives to new files beyond [`Permissions::PRIVATE`]. On Linux, the
/// mode says so already. On macOS, an inherited access control list is stronger.
///
/// # Errors
///
/// If the system cannot do so.
pub fn make_private(file: &File) -> io::Result<()> {
    if cfg!(target_vendor = "apple") { remove_list(file) } else { Ok(()) }
}

/// Opens a file that an earlier run may have left, and says whether a run uses it. Anything may have its name, so links
/// are not followed, only a regular file is one, and opening never waits, as it would for a named pipe.
pub fn take_unused(path: &Path) -> UsedFile {
    if !FileStatus::of_name(path).is_ok_and(|status| status.kind() == FileKind::Regular) {
        return UsedFile::Missing;
    }
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = match File::options().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return UsedFile::Missing,
        Err(_) => return UsedFile::Unknown,
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => UsedFile::Unused(file),
        Err(Errno::WOULDBLOCK) => UsedFile::Used,
        Err(_) => UsedFile::Unknown,
    }
}

/// Removes a file that [`create_used`] has created.
pub fn remove_used(file: &File, path: &Path) {
    let removed = fs::remove_file(path);
    // On macOS, the access control list that it got from an old file may deny that, also to the owner.
    if cfg!(target_vendor = "apple")
        && removed.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
    {
        let _ = remove_list(file);
        let _ = fs::remove_file(path);
    }
}

/// Creates an empty file that takes a name until it is replaced.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_placeholder(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(Permissions::PRIVATE.0).open(path)
}

/// Creates a directory that nobody but this user can enter.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// A file that this run replaces and other runs leave alone meanwhile.
#[derive(Debug)]
pub struct Hold(
    /// The lock is released when it is closed.
    #[allow(dead_code, reason = "it only has to be dropped")]
    File,
);

impl Hold {
    /// Locks the file at `path` against other runs, if it can be opened. Other programs may lock it for reasons of
    /// their own and for any time, so after a second it is held without the lock.
    pub fn of(path: &Path) -> Option<Self> {
        // If the file has become a named pipe meanwhile, opening it must not wait for a writer.
        let file = super::open_at_once(path).ok()?;
        for _ in 0..1000 {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => std::thread::sleep(Duration::from_millis(1)),
                _ => break,
            }
        }
        Some(Self(file))
    }
}
