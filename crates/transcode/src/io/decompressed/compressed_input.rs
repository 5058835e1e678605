//! The compressed bytes, buffered, with what a decoder cannot tell: how many were consumed, and why it failed.
//!
//! A decoder reads through [`Read`] and reports every failure as its own kind of error. So the error of the underlying
//! reader is kept here, and [`CompressedInput::rejected`] tells it apart from truncated and from corrupt data.

use std::io::{self, ErrorKind, Read};

use super::decompression_error::{Compression, DecompressionError};

const BUFFER_SIZE: usize = 64 * 1024;

pub(super) struct CompressedInput<R> {
    reader: R,
    buffer: Box<[u8]>,
    /// The unread bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    consumed: u64,
    ended: bool,
    /// The error of the underlying reader, which a decoder replaces by one of its own.
    error: Option<io::Error>,
}

impl<R: Read> CompressedInput<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: vec![0; BUFFER_SIZE].into(),
            start: 0,
            end: 0,
            consumed: 0,
            ended: false,
            error: None,
        }
    }

    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Returns the unread bytes: at least `len` of them, unless the data ends before. `len` is a few bytes, never more
    /// than the buffer holds.
    pub(super) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.start < len && !self.ended {
            self.read_more()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Consumes the next `len` bytes, which were peeked at.
    pub(super) fn consume(&mut self, len: usize) {
        self.start += len;
        self.consumed += len as u64;
    }

    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.peek(1)?.is_empty())
    }

    /// Consumes and returns the next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self, of: Compression) -> io::Result<[u8; N]> {
        let Some(bytes) = self.peek(N)?.first_chunk().copied() else {
            return Err(DecompressionError::CutOff(of).into());
        };
        self.consume(N);
        Ok(bytes)
    }

    pub(super) fn skip(&mut self, mut len: u64, of: Compression) -> io::Result<()> {
        while len > 0 {
            let available = self.peek(1)?.len();
            if available == 0 {
                return Err(DecompressionError::CutOff(of).into());
            }
            let skipped = len.min(available as u64);
            self.consume(skipped as usize);
            len -= skipped;
        }
        Ok(())
    }

    /// Returns the error to report when a decoder has failed. The three causes look the same to the decoder, which only
    /// says that it cannot continue. A read error was kept. Of the others, truncated data is the one in which the
    /// decoder had consumed everything, since it then failed in want of more.
    pub(super) fn rejected(&mut self, of: Compression) -> io::Error {
        match self.error.take() {
            Some(error) => error,
            None if self.ended && self.start == self.end => DecompressionError::CutOff(of).into(),
            None => DecompressionError::Corrupt(of).into(),
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let got = loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                got => break got?,
            }
        };
        self.end += got;
        self.ended = got == 0;
        Ok(())
    }
}

impl<R: Read> Read for CompressedInput<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let bytes = match self.peek(1) {
            Ok(bytes) => bytes,
            Err(error) => {
                let kind = error.kind();
                self.error = Some(error);
                return Err(kind.into());
            }
        };
        let len = bytes.len().min(to.len());
        to[..len].copy_from_slice(&bytes[..len]);
        self.consume(len);
        Ok(len)
    }
}
