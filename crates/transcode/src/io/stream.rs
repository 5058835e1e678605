//! A source over any reader: small files, pipes, terminals.
//!
//! There is one buffer. Before each read the unread bytes are moved to its front, so what is free is always at the end.
//! It starts with 16 KiB, since a run may have many small inputs, and grows to [`MAX_FILL`] once a read has filled it.

use std::fmt::{self, Debug};
use std::io::{self, ErrorKind, Read};
#[cfg(feature = "program")]
use std::ops::Range;

use super::{Chunk, MAX_FILL, Source, bounded};

const INITIAL_SIZE: usize = 16 * 1024;

/// A [`Source`] over a reader.
pub struct ReadSource<R> {
    reader: R,
    /// Allocated by the first read.
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    ended: bool,
    may_block: bool,
    full_reads: usize,
    /// `None` if the length means nothing, or if the file has grown.
    #[cfg(feature = "program")]
    known: Option<KnownEnd<R>>,
}

/// The end of a regular file according to its length when it was opened.
#[cfg(feature = "program")]
struct KnownEnd<R> {
    left: u64,
    check: CheckEnd<R>,
    end: u64,
}

/// Checks whether a file may end before `end`, where it ended when it was opened (`early_end.rs`).
#[cfg(feature = "program")]
type CheckEnd<R> = fn(&R, u64) -> io::Result<()>;

impl<R: Read> ReadSource<R> {
    /// Creates a source over a reader that may wait for a person or another program. Whatever was read is converted and
    /// written before each wait.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            may_block: true,
            full_reads: 0,
            #[cfg(feature = "program")]
            known: None,
        }
    }

    /// Creates a source over a reader that never waits for long, such as a file. Output is buffered across reads.
    pub fn of_file(reader: R) -> Self {
        Self { may_block: false, ..Self::new(reader) }
    }

    /// Returns the reader. More may have been read from it than was consumed.
    pub fn into_reader(self) -> R {
        self.reader
    }

    pub(super) fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Reads once, behind the unread bytes. Before that, the buffer is made no larger than necessary:
    ///
    /// 1. The first read allocates it. A source that is never read takes no memory.
    /// 2. If the last read has filled it, it grows to [`MAX_FILL`] at once: the input is long or fast.
    /// 3. The unread bytes move to the front. Usually that makes room enough.
    /// 4. If all of it is unread, it is doubled. No caller gets here as long as `fill` refuses requests for more than
    ///    [`MAX_FILL`] bytes: a full buffer has at least as many.
    fn read_once(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; INITIAL_SIZE];
        }
        if self.end == self.buffer.len() && self.buffer.len() < MAX_FILL {
            self.buffer.resize(MAX_FILL, 0);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        let got = loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                got => break got?,
            }
        };
        let free = self.buffer.len() - self.end;
        // Filling a small rest of the buffer says nothing about the speed of the other end.
        let full = got == free && got >= MAX_FILL / 2;
        self.full_reads = if full { self.full_reads + 1 } else { 0 };
        self.end += got;
        self.ended = self.is_end_of_file(got, free)?;
        Ok(())
    }

    /// Whether a read that returned `got` of `free` bytes was the last one.
    ///
    /// Usually a read that returns nothing says so. For a regular file, so does a short read that ends exactly at the
    /// known length, which saves a system call per file. A read that fills the buffer there proves nothing, because the
    /// file may have grown; neither does one that ends further on, and after it the length is no longer trusted.
    #[cfg(feature = "program")]
    fn is_end_of_file(&mut self, got: usize, free: usize) -> io::Result<bool> {
        let Some(known) = &mut self.known else { return Ok(got == 0) };
        let Some(left) = known.left.checked_sub(got as u64) else {
            self.known = None;
            return Ok(false);
        };
        known.left = left;
        if got == 0 && left > 0 {
            (known.check)(&self.reader, known.end)?;
        }
        Ok(got == 0 || left == 0 && got < free)
    }

    #[cfg(not(feature = "program"))]
    fn is_end_of_file(&mut self, got: usize, _: usize) -> io::Result<bool> {
        Ok(got == 0)
    }
}

#[cfg(feature = "program")]
impl<R: Read> ReadSource<R> {
    /// Creates a source over the bytes in `range` of a regular file. If reading ends before the end of `range`, `check`
    /// decides whether that is an error. An empty range means nothing, since files in /proc have it too.
    pub(super) fn of_range(reader: R, range: Range<u64>, check: CheckEnd<R>) -> Self {
        let left = range.end.saturating_sub(range.start);
        let known = (left > 0).then_some(KnownEnd { left, check, end: range.end });
        Self { known, ..Self::of_file(reader) }
    }
}

#[cfg(feature = "program")]
impl<R> ReadSource<R> {
    pub(super) fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the number of successive reads that have filled a large part of the buffer.
    pub(super) fn full_reads(&self) -> usize {
        self.full_reads
    }
}

impl<R: Debug> Debug for ReadSource<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadSource").field("reader", &self.reader).finish_non_exhaustive()
    }
}

impl<R: Read> Source for ReadSource<R> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        bounded(at_least)?;
        while !self.ended && self.end - self.start < at_least {
            self.read_once()?;
        }
        Ok(Chunk::new(self.unread(), self.ended))
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    fn may_block(&self) -> bool {
        self.may_block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader whose reads return these numbers of bytes, and the number of its reads.
    #[cfg(feature = "program")]
    struct ShortReads(Vec<usize>, usize);

    #[cfg(feature = "program")]
    impl Read for ShortReads {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            Ok(if self.0.is_empty() { 0 } else { self.0.remove(0).min(to.len()) })
        }
    }

    #[cfg(feature = "program")]
    #[test]
    fn a_file_of_known_length_is_not_asked_again_at_its_end() {
        for (len, pieces, bytes, reads) in [
            (5, &[5][..], 5, 1),
            (5, &[2, 3], 5, 2),
            // The length means nothing.
            (0, &[3, 4], 7, 3),
            // The file has grown.
            (5, &[9], 9, 2),
            (5, &[2, 4, 1], 7, 4),
            // A full buffer does not prove the end.
            (INITIAL_SIZE, &[INITIAL_SIZE], INITIAL_SIZE, 2),
            (INITIAL_SIZE, &[INITIAL_SIZE, 1], INITIAL_SIZE + 1, 3),
        ] {
            let pieces_read = ShortReads(pieces.to_vec(), 0);
            let mut source = ReadSource::of_range(pieces_read, 0..len as u64, |_, _| panic!());
            let mut read = 0;
            loop {
                let chunk = source.fill(1).unwrap();
                let (len, last) = (chunk.bytes.len(), chunk.last);
                read += len;
                source.consume(len);
                if last {
                    break;
                }
            }
            assert_eq!((read, source.reader().1), (bytes, reads), "{len} {pieces:?}");
        }
    }

    #[cfg(feature = "program")]
    #[test]
    fn a_file_that_ends_before_its_length_is_checked() {
        let source = |check| ReadSource::of_range(ShortReads(vec![2], 0), 10..15, check);
        let mut cut = source(|_, end| Err(io::Error::other(end.to_string())));
        for _ in 0..2 {
            assert_eq!(cut.fill(1).unwrap().bytes.len(), 2);
            assert_eq!(cut.fill(3).unwrap_err().to_string(), "15");
        }
        let mut made_up = source(|_, _| Ok(()));
        let chunk = made_up.fill(3).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (2, true));
    }

    #[test]
    fn unread_bytes_come_again_with_more_after_them() {
        let mut stream = ReadSource::of_file(io::Read::chain(&b"abc"[..], &b"def"[..]));
        assert_eq!(stream.fill(1).unwrap().bytes, b"abc");
        stream.consume(2);
        assert_eq!(stream.fill(1).unwrap().bytes, b"c");
        let chunk = stream.fill(2).unwrap();
        assert_eq!((chunk.bytes, chunk.last), (&b"cdef"[..], false));
        stream.consume(4);
        let chunk = stream.fill(1).unwrap();
        assert_eq!((chunk.bytes, chunk.last), (&b""[..], true));
        assert!(stream.fill(1).unwrap().last);
    }
}
