//! Opens files that are read whole, or that somebody else has put where they are found.
//!
//! A `.gitignore` in an unpacked archive may be anything: a pipe on which the program would hang, a device that never
//! ends, or a file larger than memory.
//!
//! | a file | may be |
//! |---|---|
//! | that is found, such as `.gitignore` ([`read_small`]) | a regular file up to a limit |
//! | that the user names, such as a table ([`open_finite`]) | a regular file or a pipe |

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use oxiconv_os::{FileKind, FileStatus, open_at_once};

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
    // Opening a device can have an effect by itself (a tape rewinds), so the kind is checked first.
    let asked = match FileStatus::of_path(path) {
        Err(error) if is_missing(&error) => return Ok(None),
        asked => asked?,
    };
    if asked.is_null_device() {
        return Ok(Some(Vec::new()));
    }
    check(&asked)?;
    // Somebody may have replaced the file by a pipe since. This opens one without waiting for a writer, and the second
    // check sees what was really opened.
    let file = open_at_once(path)?;
    check(&FileStatus::of_file(&file)?)?;
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
    let refused = |what| Err(io::Error::new(ErrorKind::InvalidInput, what));
    match FileStatus::of_path(path)?.kind() {
        FileKind::Directory => refused("is a directory"),
        FileKind::Device | FileKind::Socket => refused("is a device"),
        FileKind::Regular | FileKind::Pipe | FileKind::Link => File::open(path),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn check(status: &FileStatus) -> io::Result<()> {
    match status.is_regular() {
        true => Ok(()),
        false => Err(io::Error::other("not a regular file")),
    }
}
