//! Large zeroed buffers whose allocation may fail.
//!
//! A `Vec` that cannot grow ends the process. These buffers are large, and only make a conversion faster: they hold
//! what is read ahead, or what a worker thread writes. Without one, the input is read as before, and the thread that
//! writes converts the piece itself. So the failure is an error that the caller handles.

use std::io;
use std::ops::{Deref, DerefMut};

/// The program maps its buffers, so that dropping one returns the memory to the system at once.
#[cfg(feature = "program")]
type MemoryBacking = memmap2::MmapMut;
#[cfg(not(feature = "program"))]
type MemoryBacking = Vec<u8>;

/// A zeroed buffer.
#[derive(Debug)]
pub struct Memory(MemoryBacking);

impl Memory {
    /// Allocates `len` bytes; `len` must not be 0.
    ///
    /// # Errors
    ///
    /// If memory is exhausted.
    pub fn new(len: usize) -> io::Result<Self> {
        zeros(len).map(Self)
    }
}

#[cfg(feature = "program")]
fn zeros(len: usize) -> io::Result<MemoryBacking> {
    MemoryBacking::map_anon(len)
}

#[cfg(not(feature = "program"))]
fn zeros(len: usize) -> io::Result<MemoryBacking> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| io::ErrorKind::OutOfMemory)?;
    bytes.resize(len, 0);
    Ok(bytes)
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
