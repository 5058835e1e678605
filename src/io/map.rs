//! A source over a mapped file: no copy, and no more of the file in memory than a few windows.
//!
//! ```text
//! file   |······released······|▒ after ▒|█ window █|······ not yet touched ······|
//! ```

use std::fs::File;
use std::io;

use memmap2::{Advice, Mmap, UncheckedAdvice};

use super::{Backing, Chunk, MOST, Source, bounded, shrink};

/// Bytes of a window: more than a source is ever asked for.
const WINDOW: usize = 1024 * 1024;
/// Bytes of a window.
const LONGEST_WINDOW: usize = 128 * WINDOW;
/// A multiple of every page size in use: pages are given back in such steps.
const PAGE: usize = 64 * 1024;
/// Bytes after the window after which the pages there are given back: each time stops all threads for a moment.
const BEHIND: usize = 2 * WINDOW;

/// A [`Source`] over a mapped file.
#[derive(Debug)]
pub struct Map {
    /// Before the map, for fields are dropped in this order.
    guard: shrink::Guard,
    map: Mmap,
    file: File,
    /// Start of the unread bytes.
    start: usize,
    /// Everything before this has been given back to the system.
    released: usize,
}

impl Map {
    /// Maps `file` from byte `start` on, up to its present end.
    ///
    /// # Errors
    ///
    /// Where the system cannot map it, or too many files are mapped already. Reading it may still be possible.
    pub fn new(file: &File, start: u64) -> io::Result<Self> {
        let start = usize::try_from(start).map_err(io::Error::other)?;
        // SAFETY: a mapping of a file is undefined to look at as bytes where somebody else changes it meanwhile, which
        // no program can prevent. Every byte is read as if it could hold anything, no value read is relied on to be
        // the same when read again for memory safety, and a file that becomes shorter is caught by `shrink`.
        let map = unsafe { Mmap::map(file)? };
        let guard = shrink::Guard::new(&map)?;
        // Only advice: a system that does not know it reads all the same.
        let _ = map.advise(Advice::Sequential);
        Ok(Self { start: start.min(map.len()), released: 0, map, guard, file: file.try_clone()? })
    }
}

impl Backing for Map {
    /// Whether every byte that was looked at was there: see `shrink`. After the new end of a file, up to the end of the
    /// page, there are zeros without a signal: so its length is looked at too.
    fn intact(&self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.map.len() as u64 {
            return Err(shrink::error());
        }
        self.guard.intact()
    }

    /// Gives the pages of `bytes`, a part of this map, back to the system: from the one that it begins in, for what is
    /// before has been dealt with too, up to the one that it ends in, which the next part begins in.
    fn release(&self, bytes: &[u8]) {
        let place = |address: *const u8| address as usize - self.map.as_ptr() as usize;
        let (start, end) = (place(bytes.as_ptr()), place(bytes.as_ptr_range().end));
        let (start, end) = (start - start % PAGE, end - end % PAGE);
        if start < end {
            // SAFETY: MADV_DONTNEED on a shared, read-only mapping of a file drops pages from this process alone; to
            // look at them again brings the same bytes back from the file.
            let advised = unsafe {
                self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start)
            };
            // Only advice, as above; a failure costs memory, not correctness.
            let _ = advised;
        }
    }
}

impl Source for Map {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        const { assert!(MOST <= WINDOW, "a window holds all that may be asked for") };
        bounded(at_least)?;
        if self.start - self.released >= BEHIND {
            self.release(&self.map[self.released..self.start]);
            self.released = self.start;
        }
        let end = self.map.len().min(self.start + WINDOW);
        Ok(Chunk {
            bytes: &self.map[self.start..end],
            last: end == self.map.len(),
            backing: Some(self),
        })
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    fn window(&self) -> Option<Chunk<'_>> {
        let end = self.map.len().min(self.start + LONGEST_WINDOW);
        Some(Chunk {
            bytes: &self.map[self.start..end],
            last: end == self.map.len(),
            backing: Some(self),
        })
    }

    fn may_block(&self) -> bool {
        false
    }
}
