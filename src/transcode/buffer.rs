//! The memory in front of the sink, in which the output is gathered.

use std::io::{self, Write};

use crate::io::{Arena, Memory, Pipe, SplicedPages};

/// Bytes gathered before they are written.
const CAPACITY: usize = 256 * 1024;
/// As many at first: most outputs are small, and many may be made.
const FIRST: usize = 16 * 1024;
/// Bytes after which an output is long enough to be made in memory that a pipe can keep.
const LONG: u64 = 4 * 1024 * 1024;
/// As few bytes are copied even so: each pages takes as much of a pipe as a page.
const FEW: usize = 64 * 1024;

/// What a worker thread has made of a piece of text.
#[derive(Debug)]
pub(super) enum Converted {
    /// So many bytes of a buffer that is to be used again.
    Buffer(Memory, usize),
    /// Memory for a pipe to keep.
    Pages(SplicedPages),
}

/// Room for a part of the output.
pub(super) enum Buffer {
    /// Used again and again.
    Own(Box<[u8]>),
    /// Given to a pipe.
    Arena(Arena),
}

impl Buffer {
    /// One that is used again; with no room at all where nothing is `wanted`.
    pub(super) fn new(wanted: bool) -> Self {
        Self::Own(vec![0; if wanted { FIRST } else { 0 }].into_boxed_slice())
    }

    /// The bytes of the room.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Own(bytes) => bytes.len(),
            Self::Arena(_) => CAPACITY,
        }
    }

    /// The room.
    pub(super) fn room(&mut self) -> &mut [u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Arena(arena) => &mut arena.room()[..CAPACITY],
        }
    }

    /// Hands the first `len` bytes of the room to `sink`, or to `pipe`, which is the same. All of the room is free again.
    pub(super) fn hand_over(
        &mut self,
        len: usize,
        sink: &mut dyn Write,
        pipe: Option<&Pipe>,
    ) -> io::Result<()> {
        match (&mut *self, pipe) {
            (Self::Arena(arena), Some(pipe)) if len >= FEW => {
                pipe.splice(&arena.split_off(len))?;
                if arena.room().len() < CAPACITY {
                    *self = Arena::new().map_or_else(|_| Self::new(true), Self::Arena);
                }
                Ok(())
            }
            _ => sink.write_all(&self.room()[..len]),
        }
    }

    /// Takes note of how long the output is so far: it is gathered in larger pieces, and a long one to a pipe is given to
    /// it from now on.
    pub(super) fn note_length(&mut self, written: u64, pipe: Option<&Pipe>) {
        if let Self::Own(bytes) = self
            && bytes.len() < CAPACITY
            && written >= bytes.len() as u64 / 2
        {
            *bytes = vec![0; CAPACITY].into_boxed_slice();
        }
        if let (Self::Own(_), Some(_)) = (&*self, pipe)
            && written >= LONG
            && let Ok(arena) = Arena::new()
        {
            *self = Self::Arena(arena);
        }
    }
}
