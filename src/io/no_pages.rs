//! What stands for `pages` if no memory can be given to a pipe: types without a value, so that whoever would use them
//! is told once, by [`Arena::new`], and needs no other code.

use std::convert::Infallible;
use std::io;
use std::ops::Deref;

/// Fresh memory to give away: there is none.
#[derive(Debug)]
pub struct Arena(Infallible);

impl Arena {
    /// Bytes that a new one has room for.
    pub const SIZE: usize = 0;

    /// Refuses.
    ///
    /// # Errors
    ///
    /// Always [`io::ErrorKind::Unsupported`].
    pub fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// What has not been given away.
    pub fn room(&mut self) -> &mut [u8] {
        match self.0 {}
    }

    /// Parts with the first `len` bytes of the room.
    pub fn split_off(&mut self, _: usize) -> SplicedPages {
        match self.0 {}
    }
}

/// Bytes that nobody will change any more.
#[derive(Debug)]
pub struct SplicedPages(Infallible);

impl Deref for SplicedPages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self.0 {}
    }
}

/// The writing end of a pipe that memory can be given to.
#[derive(Debug)]
pub struct Pipe(Infallible);

impl Pipe {
    /// Of `file`: never.
    #[cfg(feature = "cli")]
    pub fn of(_: &std::fs::File) -> Option<Self> {
        None
    }

    /// Hands over `pages`.
    ///
    /// # Errors
    ///
    /// None: there is no such pipe.
    pub fn splice(&self, _: &SplicedPages) -> io::Result<()> {
        match self.0 {}
    }
}
