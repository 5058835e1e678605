//! Text that arrives in pieces. The fuzz targets use this file too.

use std::collections::VecDeque;
use std::io::{self, Read};

use oxiconv::{Chunk, Source};

/// A source over bytes in memory that yields them up to one cut at a time.
pub struct Cut<'a> {
    bytes: &'a [u8],
    cuts: Vec<usize>,
    start: usize,
    end: usize,
    /// Whether the end is known only when nothing more comes, as with a pipe, or at once, as with a map.
    late_end: bool,
    ended: bool,
}

impl<'a> Cut<'a> {
    /// Cuts at ascending places.
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
        assert!(self.start <= self.end, "more consumed than shown");
    }

    fn may_block(&self) -> bool {
        self.late_end
    }
}

/// A reader that yields one piece at a time.
pub struct Pieces<'a>(VecDeque<&'a [u8]>);

impl<'a> Pieces<'a> {
    /// Leaves out empty pieces, which would end the text.
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
