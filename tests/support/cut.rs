//! Sources and readers that deliver text in pieces. The fuzz targets use this file too.

use std::collections::VecDeque;
use std::io::{self, Read};

use oxiconv::{Chunk, Source};

/// A source over bytes in memory. Each `fill` makes them available up to the next cut.
pub struct Cut<'a> {
    bytes: &'a [u8],
    cuts: Vec<usize>,
    start: usize,
    end: usize,
    /// Whether the end shows only when another read returns nothing, as with a pipe. Otherwise it is known at once, as
    /// with a mapped file.
    late_end: bool,
    ended: bool,
}

impl<'a> Cut<'a> {
    /// Splits `bytes` at `cuts`, which must be in ascending order.
    pub fn new(bytes: &'a [u8], cuts: &[usize], late_end: bool) -> Self {
        Self { bytes, cuts: cuts.to_vec(), start: 0, end: 0, late_end, ended: false }
    }
}

impl Source for Cut<'_> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        while !self.ended && self.end - self.start < at_least {
            let all = self.bytes.len();
            self.ended = self.end == all;
            self.end = self.cuts.iter().copied().find(|cut| *cut > self.end).unwrap_or(all);
            self.ended |= !self.late_end && self.end == all;
        }
        let bytes = &self.bytes[self.start..self.end];
        Ok(if self.ended { Chunk::last(bytes) } else { Chunk::more(bytes) })
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        assert!(self.start <= self.end, "more consumed than available");
    }

    fn may_block(&self) -> bool {
        self.late_end
    }
}

/// A reader that returns at most one piece per call.
pub struct Pieces<'a>(VecDeque<&'a [u8]>);

impl<'a> Pieces<'a> {
    /// Leaves out empty pieces, because reading nothing means the end of the input.
    pub fn new(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self(pieces.into_iter().filter(|piece| !piece.is_empty()).collect())
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.pop_front() else { return Ok(0) };
        let len = piece.len().min(buffer.len());
        buffer[..len].copy_from_slice(&piece[..len]);
        if len < piece.len() {
            self.0.push_front(&piece[len..]);
        }
        Ok(len)
    }
}
