//! Regular files that end before their length, because one was truncated while it was read or its network failed.
//!
//! A read that returns nothing before the length that `fstat` reported is an error: taking it for the end would
//! silently drop the missing bytes, even from a file that is converted in place. There are three exceptions:
//!
//! * A length of 0 means nothing. The files in `/proc` have it.
//! * Some file systems generate their files when they are read: every attribute in `/sys` claims to have 4096 bytes.
//!   They hold no text that could be lost, and take no new files, so nothing is converted in place there either.
//! * Another process that shares the file position may have read the rest: `(oxiconv; cat) <f`.
//!
//! Bytes that are appended after a file was opened are not read. They may be the output of this very program, which
//! would then never reach the end.

use std::fs::File;
use std::io::{self, Seek};

use oxiconv_os::{FileStatus, is_generated};

/// Checks that `file` may end at its present position, although it ended at byte `end` when it was opened.
///
/// The position is that of the open file description, not what this process has read: if a process that shares it has
/// read on, nothing is missing.
///
/// # Errors
///
/// If the bytes before `end` are missing.
pub(super) fn check_position(file: &File, end: u64) -> io::Result<()> {
    check(file, { file }.stream_position()?, end)
}

/// Checks that `file` may end at byte `offset`, although it ended at byte `end` when it was opened.
pub(super) fn check(file: &File, offset: u64, end: u64) -> io::Result<()> {
    let len = FileStatus::of_file(file)?.len();
    if len < end {
        let words = "the file was truncated while it was being read";
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, words));
    }
    if offset >= end || is_generated(file) {
        return Ok(());
    }
    let words = format!("the file ended at byte {offset}, although its size is {len} bytes");
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, words))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, SeekFrom, Write};

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
