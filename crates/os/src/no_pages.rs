//! Stands in for `pages.rs` on systems that cannot splice memory to a pipe.
//!
//! The types are uninhabited: [`Arena::new`] always fails, and the compiler knows that whatever needs an arena is
//! unreachable. So the conversion needs no second path for these systems.

use std::convert::Infallible;
use std::io;
use std::ops::Deref;

/// Memory that can be spliced, which this system cannot do.
#[derive(Debug)]
pub struct Arena(Infallible);

impl Arena {
    /// The size of a new arena, in bytes.
    pub const SIZE: usize = 0;

    /// Always fails.
    ///
    /// # Errors
    ///
    /// Always with [`io::ErrorKind::Unsupported`].
    pub fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the free memory.
    pub fn room(&mut self) -> &mut [u8] {
        match self.0 {}
    }

    /// Splits off the first `len` bytes of the free memory.
    pub fn split_off(&mut self, _: usize) -> SplicedPages {
        match self.0 {}
    }
}

/// Bytes that are never written again.
#[derive(Debug)]
pub struct SplicedPages(Infallible);

impl Deref for SplicedPages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self.0 {}
    }
}

/// The writing end of a pipe that memory can be spliced to.
#[derive(Debug)]
pub struct Pipe(Infallible);

impl Pipe {
    /// Always `None`: there is no such pipe.
    #[cfg(feature = "program")]
    pub fn of(_: &std::fs::File) -> Option<Self> {
        None
    }

    /// Splices `pages` to the pipe.
    ///
    /// # Errors
    ///
    /// Never: there is no such pipe.
    pub fn splice(&self, _: &SplicedPages) -> io::Result<()> {
        match self.0 {}
    }
}
