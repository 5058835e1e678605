//! Replaces a file in place only if a byte of it changes.
//!
//! ```text
//! output ─► equal to the original so far? ─► buffered, up to 256 KiB
//!                └─ a difference, or the buffer is full ─► the new file: the buffer, then the rest
//! at the end: equal, and the original ends there too ─► no new file, or the one that was begun is dropped
//! ```
//!
//! So a small file that needs no change costs no temporary file. Of a large one, the output is written while it is
//! compared, since a difference may be in its last byte. The alternative would be to convert the file twice, once to
//! compare and once to write, and what is written might not be what was compared.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Bytes buffered before the new file is begun.
const MAX_BUFFERED: usize = 256 * 1024;
/// Bytes of the original that are read at a time.
const CHUNK: usize = 64 * 1024;

/// A writer that compares its bytes with the original, and passes them on to a new file, which `begin` creates, once it
/// has to.
pub(crate) struct IfChanged<W, B> {
    original: File,
    begin: B,
    new: Option<W>,
    buffer: Vec<u8>,
    /// Whether all bytes so far are those of the original. Once it is false, the original is not read any more.
    same: bool,
}

impl<W: Write, B: FnMut() -> io::Result<W>> IfChanged<W, B> {
    /// Begins the comparison with the file at `original`, which must not be written to in the meantime.
    pub(crate) fn new(original: &Path, begin: B) -> io::Result<Self> {
        let original = File::open(original)?;
        Ok(Self { original, begin, new: None, buffer: Vec::new(), same: true })
    }

    /// Returns the new file with all that was written; `None` if the original has the same bytes.
    ///
    /// If the buffer was full, a new file has been begun although everything was the same. It is dropped here, which
    /// removes it.
    pub(crate) fn finish(mut self) -> io::Result<Option<W>> {
        // So far, the output may only be the beginning of the original.
        if self.same && self.original.read(&mut [0])? == 0 {
            return Ok(None);
        }
        self.new_file()?;
        Ok(self.new)
    }

    fn new_file(&mut self) -> io::Result<&mut W> {
        if self.new.is_none() {
            let mut new = (self.begin)()?;
            new.write_all(&std::mem::take(&mut self.buffer))?;
            self.new = Some(new);
        }
        self.new.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Whether the original continues with these bytes. They are read in pieces, so that a long write needs no buffer
    /// of its length. An original that ends earlier differs, which is no error.
    fn continues_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let mut piece = [0; CHUNK];
        for expected in bytes.chunks(CHUNK) {
            let read = &mut piece[..expected.len()];
            match self.original.read_exact(read) {
                Ok(()) if read == expected => {}
                Ok(()) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

impl<W: Write, B: FnMut() -> io::Result<W>> Write for IfChanged<W, B> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.same = self.same && self.continues_with(bytes)?;
        if self.same && self.new.is_none() && self.buffer.len() + bytes.len() <= MAX_BUFFERED {
            self.buffer.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        self.new_file()?.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `pieces` over `original`. Returns the new file, if one is needed, and how often one was begun.
    fn written(original: &[u8], pieces: &[&[u8]]) -> (Option<Vec<u8>>, u32) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, original).unwrap();
        let mut begun = 0;
        let mut sink = IfChanged::new(&path, || {
            begun += 1;
            Ok(Vec::new())
        })
        .unwrap();
        for piece in pieces {
            sink.write_all(piece).unwrap();
        }
        (sink.finish().unwrap(), begun)
    }

    #[test]
    fn a_new_file_is_begun_only_if_it_differs() {
        let some = |bytes: &[u8]| (Some(bytes.to_vec()), 1);
        assert_eq!(written(b"abc", &[b"a", b"bc"]), (None, 0));
        assert_eq!(written(b"", &[]), (None, 0));
        assert_eq!(written(b"abc", &[b"ab", b"x"]), some(b"abx"));
        assert_eq!(written(b"abc", &[b"ab"]), some(b"ab"));
        assert_eq!(written(b"abc", &[b"abc", b"d"]), some(b"abcd"));
        assert_eq!(written(b"abc", &[]), some(b""));
    }

    #[test]
    fn what_is_too_much_to_hold_is_written_and_dropped_if_it_is_the_same() {
        let long: Vec<u8> = (0..3 * MAX_BUFFERED + 7).map(|at| (at % 251) as u8).collect();
        for piece in [CHUNK + 1, MAX_BUFFERED, 2 * MAX_BUFFERED] {
            let pieces: Vec<_> = long.chunks(piece).collect();
            assert_eq!(written(&long, &pieces), (None, 1));
        }
        let mut other = long.clone();
        *other.last_mut().unwrap() ^= 1;
        assert!(written(&long, &[&other]).0.is_some_and(|new| new == other));
        other = long.clone();
        other[MAX_BUFFERED / 2] ^= 1;
        let pieces: Vec<_> = other.chunks(1000).collect();
        assert!(written(&long, &pieces).0.is_some_and(|new| new == other));
    }
}
