//! Replaces `pages` on systems that cannot splice memory to a pipe. The types have no values: [`Arena::new`] reports
//! once that there are none, so the conversion has no second path.

use std::convert::Infallible;
use std::io;
use std::ops::Deref;

/// Fresh memory to splice: there is none.
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

    /// Returns the memory that is still free.
    pub fn room(&mut self) -> &mut [u8] {
        match self.0 {}
    }

    /// Splits off the first `len` bytes of the free memory.
    pub fn split_off(&mut self, _: usize) -> SplicedPages {
        match self.0 {}
    }
}

/// Bytes that nobody changes any more.
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
