//! A source over a mapped file: no copy, and no more of the file in memory than a few windows.
//!
//! ```text
//! file   |······released······|▒ behind ▒|█ window █|······ not yet touched ······|
//! ```

use std::fs::File;
use std::io;

use memmap2::{Advice, Mmap, UncheckedAdvice};

use super::{Chunk, Source, shrink};

/// Bytes of a window: more than a source is ever asked for.
const WINDOW: usize = 1024 * 1024;
/// Bytes behind the window after which the pages there are given back.
const BEHIND: usize = 4 * WINDOW;

/// A [`Source`] over a mapped file.
#[derive(Debug)]
pub struct Map {
    map: Mmap,
    /// Start of the unread bytes.
    start: usize,
    /// Everything before this has been given back to the system.
    released: usize,
    guard: shrink::Guard,
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
        Ok(Self { start: start.min(map.len()), released: 0, map, guard })
    }

    fn release_behind(&mut self) {
        let end = self.start - self.start % WINDOW;
        if end - self.released < BEHIND {
            return;
        }
        // SAFETY: MADV_DONTNEED on a shared, read-only mapping of a file drops pages from this process alone; to look
        // at them again would bring the same bytes back from the file. No borrow of a chunk is alive here.
        let advised = unsafe {
            self.map.unchecked_advise_range(
                UncheckedAdvice::DontNeed,
                self.released,
                end - self.released,
            )
        };
        // Only advice, as above; a failure costs memory, not correctness.
        let _ = advised;
        self.released = end;
    }
}

impl Source for Map {
    fn fill(&mut self, _: usize) -> io::Result<Chunk<'_>> {
        self.release_behind();
        let end = self.map.len().min(self.start + WINDOW);
        Ok(Chunk {
            bytes: &self.map[self.start..end],
            last: end == self.map.len(),
            guard: Some(&self.guard),
        })
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    fn may_wait(&self) -> bool {
        false
    }
}
