//! Memory in large pieces.

use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Zeros that the system has only where they are touched, and to which it may say no.
#[derive(Debug)]
pub struct Memory(MmapMut);

impl Memory {
    /// `len` bytes, at least one.
    ///
    /// # Errors
    ///
    /// Where the system has no memory.
    pub fn new(len: usize) -> io::Result<Self> {
        MmapMut::map_anon(len).map(Self)
    }
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
