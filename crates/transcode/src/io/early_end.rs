//! Regular files that end before their length: one was truncated while it was read, or a network lost it.
//!
//! The length of a regular file is trusted: a read that returns nothing before that length is an error, because the
//! missing bytes would be lost silently. There are three exceptions. A length of 0 says nothing, as in `/proc`. The
//! kernel makes up the files of some file systems when they are read: all attributes in `/sys` claim to have 4096
//! bytes. Nothing can be lost there, and nothing can be converted in place, since those file systems take no new files.
//! And another process that shares the position may have read on.
//!
//! What is appended to a file after it was opened is not read: it may be the output of this program.

use std::fs::File;
use std::io;

/// Checks that `file` may end at its present position, although it ended at byte `end` when it was opened.
///
/// # Errors
///
/// If the bytes before `end` are missing.
pub(super) fn check_position(file: &File, end: u64) -> io::Result<()> {
    // `(oxiconv; cat) <f` shares it.
    check(file, rustix::fs::tell(file)?, end)
}

/// The same for a file that ended at byte `place`.
pub(super) fn check(file: &File, place: u64, end: u64) -> io::Result<()> {
    let len = file.metadata()?.len();
    if len < end {
        let words = "the file was truncated while it was being read";
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, words));
    }
    if place >= end || is_made_up(file) {
        return Ok(());
    }
    let words = format!("the file ended at byte {place}, although its size is {len} bytes");
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, words))
}

/// Whether the kernel makes up the content of the file, so that its length means nothing.
#[cfg(target_os = "linux")]
fn is_made_up(file: &File) -> bool {
    /// From the kernel's `include/uapi/linux/magic.h` and `fs/configfs/mount.c`.
    const SYSFS: rustix::fs::FsWord = 0x6265_6572;
    const CONFIGFS: rustix::fs::FsWord = 0x6265_6570;
    rustix::fs::fstatfs(file).is_ok_and(|system| {
        [SYSFS, CONFIGFS, rustix::fs::PROC_SUPER_MAGIC].contains(&system.f_type)
    })
}

/// Other systems have no such files.
#[cfg(not(target_os = "linux"))]
fn is_made_up(_: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, SeekFrom, Write};

    use super::*;

    #[test]
    fn a_missing_end_is_an_error_and_a_shared_position_is_none() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abcde").unwrap();
        let said = |file: &File| check_position(file, 5).err().map(|error| error.to_string());
        assert_eq!(said(&file), None, "the position is at the end");
        file.seek(SeekFrom::Start(2)).unwrap();
        let words = "the file ended at byte 2, although its size is 5 bytes";
        assert_eq!(said(&file).as_deref(), Some(words));
        file.set_len(4).unwrap();
        file.read_to_end(&mut Vec::new()).unwrap();
        let words = "the file was truncated while it was being read";
        assert_eq!(said(&file).as_deref(), Some(words));
    }
}
