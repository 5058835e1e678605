//! Opens files that are read whole, or that somebody else has put where they are found.
//!
//! A `.gitignore` in an unpacked archive may be anything: a pipe on which the program would hang, a device that never
//! ends, or a file larger than memory.
//!
//! | a file | may be |
//! |---|---|
//! | that is found, such as `.gitignore` ([`read_small`]) | a regular file up to a limit |
//! | that the user names, such as a table ([`open_finite`]) | a regular file or a pipe |

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The least that a file counts towards a limit, in bytes: even a short one takes memory.
const MIN_COST: u64 = 64;

/// Returns what a file counts towards a limit on several files that are kept in memory together.
pub(super) fn cost(bytes: &[u8]) -> u64 {
    (bytes.len() as u64).max(MIN_COST)
}

/// Reads a regular file. `None` if there is none at this path. The null device, which hides a file that it is
/// mounted over, reads as empty.
///
/// # Errors
///
/// If it is not a regular file of at most `max` bytes, or cannot be read.
pub(super) fn read_small(path: &Path, max: u64) -> io::Result<Option<Vec<u8>>> {
    // Opening a device can have an effect by itself (a tape rewinds), so the type is checked first.
    let asked = match fs::metadata(path) {
        Err(error) if is_missing(&error) => return Ok(None),
        asked => asked?,
    };
    if is_null_device(&asked) {
        return Ok(Some(Vec::new()));
    }
    check(&asked)?;
    // Somebody may have replaced the file by a pipe since. O_NONBLOCK opens one without waiting for a writer, and the
    // second check sees what was really opened.
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    check(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::other(format!("larger than {} KiB", max >> 10)));
    }
    Ok(Some(bytes))
}

/// Opens a regular file or a pipe.
///
/// # Errors
///
/// If it is a directory, a device or a socket, or cannot be opened.
pub(super) fn open_finite(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    let refused = |what| Err(io::Error::new(ErrorKind::InvalidInput, what));
    if kind.is_dir() {
        return refused("is a directory");
    }
    if kind.is_block_device() || kind.is_char_device() || kind.is_socket() {
        return refused("is a device");
    }
    File::open(path)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("not a regular file")),
    }
}

fn is_null_device(metadata: &Metadata) -> bool {
    let is_device = |metadata: &Metadata| metadata.file_type().is_char_device();
    is_device(metadata)
        && fs::metadata("/dev/null")
            .is_ok_and(|null| is_device(&null) && null.rdev() == metadata.rdev())
}
