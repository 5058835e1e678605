//! Calls for reading and writing open files that the standard library does not have.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::Access;

use super::file_flags::check_unlocked;
use crate::FileStatus;

/// Reads once at `offset`, as `pread` does: less than `buffer` holds may be read, and the file position stays.
///
/// # Errors
///
/// If the system cannot read it, or with [`io::ErrorKind::Interrupted`].
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Opens a file to read it. Unlike [`File::open`], it does not wait for a writer if the file is a named pipe.
///
/// # Errors
///
/// If the system cannot open it.
pub fn open_at_once(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Whether a name in a directory is hidden, as it is by a dot at its start.
pub fn is_hidden(name: &OsStr, _: impl FnOnce() -> Option<Metadata>) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether something has this name, in one call. `Path::exists` asks for more, and the first time makes a second call
/// to find out whether it can.
pub fn exists(path: &Path) -> bool {
    rustix::fs::access(path, Access::EXISTS).is_ok()
}

/// Checks that this process may write to the file at `path`, which has this status.
///
/// # Errors
///
/// If it may not.
pub fn check_writable(path: &Path, status: &FileStatus) -> io::Result<()> {
    check_unlocked(&status.0)?;
    Ok(rustix::fs::access(path, Access::WRITE_OK)?)
}

/// Checks that this process may create files in the directory at `path`.
///
/// # Errors
///
/// If it may not, or with [`io::ErrorKind::NotADirectory`].
pub fn check_directory_writable(path: &Path) -> io::Result<()> {
    match path.is_dir() {
        true => Ok(rustix::fs::access(path, Access::WRITE_OK | Access::EXEC_OK)?),
        false => Err(rustix::io::Errno::NOTDIR.into()),
    }
}

/// Tells the system that the file will be read from its start to its end.
#[cfg(target_os = "linux")]
pub fn expect_sequential_reads(file: &File) {
    // Advice may be refused. The system then reads ahead by its own judgement.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
}

/// Other systems detect sequential reads themselves.
#[cfg(not(target_os = "linux"))]
pub fn expect_sequential_reads(_: &File) {}

/// Reserves space for `bytes` bytes at `start` without changing the length of the file. Returns whether it did.
#[cfg(target_os = "linux")]
pub fn reserve(file: &File, start: u64, bytes: u64) -> bool {
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::KEEP_SIZE, start, bytes).is_ok()
}

/// Other systems have no such call.
#[cfg(not(target_os = "linux"))]
pub fn reserve(_: &File, _: u64, _: u64) -> bool {
    false
}

/// Whether the kernel generates the content of the file, so that its length means nothing.
#[cfg(target_os = "linux")]
pub fn is_generated(file: &File) -> bool {
    // From the kernel's `include/uapi/linux/magic.h` and `fs/configfs/mount.c`.
    const SYSFS: rustix::fs::FsWord = 0x6265_6572;
    const CONFIGFS: rustix::fs::FsWord = 0x6265_6570;
    rustix::fs::fstatfs(file).is_ok_and(|system| {
        [SYSFS, CONFIGFS, rustix::fs::PROC_SUPER_MAGIC].contains(&system.f_type)
    })
}

/// Other systems have no such files.
#[cfg(not(target_os = "linux"))]
pub fn is_generated(_: &File) -> bool {
    false
}

/// Enlarges the buffer of a pipe. With the default of 64 KiB, the two ends keep waiting for each other.
#[cfg(target_os = "linux")]
pub fn enlarge(pipe: &File) {
    /// The most that Linux grants an unprivileged process by default, in bytes. It lets both ends work at the same
    /// time.
    const SIZE: usize = 1024 * 1024;
    // Only an optimization, so a refusal is no error.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, SIZE);
}

/// Other systems size pipes themselves.
#[cfg(not(target_os = "linux"))]
pub fn enlarge(_: &File) {}

/// Returns the limit on open files of the process, if there is one.
pub fn most_open_files() -> Option<usize> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map(|most| usize::try_from(most).unwrap_or(usize::MAX))
}
