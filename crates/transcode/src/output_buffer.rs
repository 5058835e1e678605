//! The buffer in front of the sink. It grows with the output: most outputs are small, and there may be many, so it
//! starts at 16 KiB. Output that is long and goes to a pipe is spliced to it: the pipe takes the pages themselves
//! instead of a copy of their bytes, so a page must not be written again after that. Splicing about doubles the
//! throughput of a pipe.
//!
//! ```text
//! 16 KiB, reused  ── 8 KiB written ──►  256 KiB, reused  ── 4 MiB written, to a pipe ──►  pages, each used once
//! ```
//!
//! Each change comes right after a flush, when the buffer is empty.

use std::io::{self, Write};

use crate::io::{Arena, Memory, Pipe, SplicedPages};

/// Size of the buffer in bytes.
const CAPACITY: usize = if cfg!(fuzzing) { 1024 } else { 256 * 1024 };
/// Initial size in bytes: most outputs are small, and there may be many.
const FIRST_CAPACITY: usize = if cfg!(fuzzing) { 256 } else { 16 * 1024 };
/// An output of at least this many bytes goes to pages that a pipe can keep.
const SPLICE_FROM: u64 = 4 * 1024 * 1024;
/// Fewer bytes than this are copied even then: a spliced page takes a slot of the pipe, however little it holds.
const MIN_SPLICE: usize = 64 * 1024;

/// What a worker thread made of a piece of text.
#[derive(Debug)]
pub(super) enum PieceOutput {
    /// This many bytes at the start of a buffer that can be reused.
    Buffer(Memory, usize),
    /// Pages for a pipe to keep.
    Pages(SplicedPages),
}

/// Room for a part of the output.
pub(super) enum OutputBuffer {
    /// A buffer of its own, used again and again.
    Own(Box<[u8]>),
    /// Pages that are spliced to a pipe, and then belong to it.
    Arena(Arena),
}

impl OutputBuffer {
    /// Creates a buffer that is reused; empty unless it is `wanted`.
    pub(super) fn new(wanted: bool) -> Self {
        Self::Own(vec![0; if wanted { FIRST_CAPACITY } else { 0 }].into_boxed_slice())
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Self::Own(bytes) => bytes.len(),
            Self::Arena(_) => CAPACITY,
        }
    }

    pub(super) fn room(&mut self) -> &mut [u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Arena(arena) => &mut arena.room()[..CAPACITY],
        }
    }

    /// Writes the first `len` bytes to `sink`, or splices them to `pipe`, which is the same file. After that the whole
    /// buffer is free again.
    pub(super) fn hand_over(
        &mut self,
        len: usize,
        sink: &mut dyn Write,
        pipe: Option<&Pipe>,
    ) -> io::Result<()> {
        match (&mut *self, pipe) {
            (Self::Arena(arena), Some(pipe)) if len >= MIN_SPLICE => {
                pipe.splice(&arena.split_off(len))?;
                if arena.room().len() < CAPACITY {
                    *self = Arena::new().map_or_else(|_| Self::new(true), Self::Arena);
                }
                Ok(())
            }
            _ => sink.write_all(&self.room()[..len]),
        }
    }

    /// Adapts to the length of the output so far: a longer one gets a larger buffer, and pages to splice if it goes to
    /// a pipe.
    pub(super) fn note_length(&mut self, written: u64, pipe: Option<&Pipe>) {
        if let Self::Own(bytes) = self
            && bytes.len() < CAPACITY
            && written >= bytes.len() as u64 / 2
        {
            *bytes = vec![0; CAPACITY].into_boxed_slice();
        }
        if let (Self::Own(_), Some(_)) = (&*self, pipe)
            && written >= SPLICE_FROM
            && let Ok(arena) = Arena::new()
        {
            *self = Self::Arena(arena);
        }
    }
}
