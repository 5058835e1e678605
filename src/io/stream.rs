//! A source that reads: pipes, terminals, small files. One buffer of fixed size; what is unread moves to its front.

use std::io::{self, ErrorKind, Read};

use super::{Chunk, MOST, Source};

/// A [`Source`] over a reader.
pub struct Stream<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
    may_wait: bool,
}

impl<R: Read> Stream<R> {
    /// `may_wait` says whether reading may wait for a person or another program.
    pub fn new(reader: R, may_wait: bool) -> Self {
        Self { reader, buffer: Vec::new(), start: 0, ended: false, may_wait }
    }

    fn read_once(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let unread = self.buffer.len();
        self.buffer.resize(MOST.max(unread + 1), 0);
        let got = loop {
            match self.reader.read(&mut self.buffer[unread..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                got => break got,
            }
        };
        self.buffer.truncate(unread + *got.as_ref().unwrap_or(&0));
        self.ended = got? == 0;
        Ok(())
    }
}

impl<R: Read> Source for Stream<R> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        while !self.ended && self.buffer.len() - self.start < at_least {
            self.read_once()?;
        }
        Ok(Chunk::new(&self.buffer[self.start..], self.ended))
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    fn may_wait(&self) -> bool {
        self.may_wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unread_bytes_come_again_with_more_behind_them() {
        let mut stream = Stream::new(io::Read::chain(&b"abc"[..], &b"def"[..]), false);
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
