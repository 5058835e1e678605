//! A source over a mapped file: no copy, and only a few windows of the file in memory.
//!
//! ```text
//! file   |······released······|▒ after ▒|█ window █|······ not yet touched ······|
//! ```

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use memmap2::{Advice, Mmap, MmapOptions, UncheckedAdvice};

use super::{Backing, Chunk, MOST, Source, bounded, shrink};

/// Bytes of a window: more than a source is ever asked for.
const WINDOW: usize = 1024 * 1024;
/// Bytes of the longest window.
const LONGEST_WINDOW: usize = 128 * WINDOW;
/// A multiple of every page size in use: pages are released in such steps.
const PAGE: usize = 64 * 1024;
/// Bytes consumed before their pages are released: each release stops all threads for a moment.
const BEHIND: usize = 2 * WINDOW;

/// A [`Source`] over a mapped file.
#[derive(Debug)]
pub struct Map {
    /// Before the map, because fields are dropped in this order.
    guard: shrink::Guard,
    map: Mmap,
    file: File,
    /// Where the map ends in the file.
    end: u64,
    /// Start of the unread bytes.
    start: usize,
    /// Everything before this has been released.
    released: usize,
}

impl Map {
    /// Maps `file` from byte `start` to its present end.
    ///
    /// # Errors
    ///
    /// If the system cannot map the file, or too many files are mapped already. Reading it may still be possible.
    pub fn new(file: &File, start: u64) -> io::Result<Self> {
        Self::of_range(file, start..file.metadata()?.len().max(start))
    }

    /// Maps these bytes of `file`, and nothing else of it.
    ///
    /// # Errors
    ///
    /// As for [`Map::new`].
    pub fn of_range(file: &File, range: Range<u64>) -> io::Result<Self> {
        let len = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        // SAFETY: reading a mapped file as bytes is undefined if another program changes it meanwhile, which cannot be
        // prevented. Memory safety relies neither on the value of any byte nor on reading the same value twice, and
        // `shrink` handles a file that becomes shorter.
        let map = unsafe { MmapOptions::new().offset(range.start).len(len).map(file)? };
        let guard = shrink::Guard::new(&map)?;
        // Only advice: without it, reading still works.
        let _ = map.advise(Advice::Sequential);
        Ok(Self { end: range.end, start: 0, released: 0, map, guard, file: file.try_clone()? })
    }
}

impl Backing for Map {
    /// Whether every byte that was read was there: see `shrink`. Between the new end of a file and the end of its page
    /// there are zeros and no signal, so the length is checked too.
    fn intact(&self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.end {
            return Err(shrink::error());
        }
        match self.guard.missing() {
            None => Ok(()),
            Some(place) => Err(cause(&self.file, self.end - (self.map.len() - place) as u64)),
        }
    }

    /// Releases the pages of `bytes`, a part of this map: from the page of its first byte, since everything before it
    /// is consumed too, up to the page of its end, where the next part begins.
    fn release(&self, bytes: &[u8]) {
        let place = |address: *const u8| address as usize - self.map.as_ptr() as usize;
        let (start, end) = (place(bytes.as_ptr()), place(bytes.as_ptr_range().end));
        let (start, end) = (start - start % PAGE, end - end % PAGE);
        if start < end {
            // SAFETY: MADV_DONTNEED on a shared, read-only mapping of a file drops pages from this process only;
            // reading them again brings the same bytes back from the file.
            let advised = unsafe {
                self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start)
            };
            // Only advice: a failure costs memory, not correctness.
            let _ = advised;
        }
    }
}

/// Returns why the byte at `place` could not be read through a map: reading it in the other way tells.
fn cause(file: &File, place: u64) -> io::Error {
    match file.read_at(&mut [0], place) {
        Ok(0) => shrink::error(),
        // It is there again.
        Ok(_) => io::Error::other(format!("byte {place} could not be read the first time")),
        Err(error) => error,
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn only_what_ends_with_the_file_is_the_last_of_it() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(LONGEST_WINDOW as u64 + 1).unwrap();
        let mut map = Map::new(&file, 0).unwrap();
        let shown = |chunk: Chunk<'_>| (chunk.bytes.len(), chunk.last);
        for (consumed, window, filled) in [
            (0, (LONGEST_WINDOW, false), (WINDOW, false)),
            (1, (LONGEST_WINDOW, true), (WINDOW, false)),
            (LONGEST_WINDOW - WINDOW, (WINDOW, true), (WINDOW, true)),
            (WINDOW - 5, (5, true), (5, true)),
            (5, (0, true), (0, true)),
        ] {
            map.consume(consumed);
            assert_eq!(shown(map.window().unwrap()), window);
            assert_eq!(shown(map.fill(1).unwrap()), filled);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'a'; 3 * PAGE]).unwrap();
        let len = file.as_file().metadata().unwrap().len();
        let words = |result: io::Result<()>| result.err().map(|error| error.to_string());
        let start = PAGE as u64;
        let mut map = Map::new(file.as_file(), start).unwrap();
        assert_eq!(map.fill(1).unwrap().bytes[0], b'a');
        assert_eq!(words(map.intact()), None);
        file.as_file().set_len(start).unwrap();
        assert_eq!(map.fill(1).unwrap().bytes[PAGE + 5], 0);
        let shorter = "the file became shorter while it was read";
        assert_eq!(words(map.intact()).as_deref(), Some(shorter));
        file.as_file().set_len(len).unwrap();
        let again = format!("byte {} could not be read the first time", 2 * PAGE + 5);
        assert_eq!(words(map.intact()), Some(again));
        // A descriptor that cannot be read is like a disk that cannot.
        let unreadable = File::options().write(true).open(file.path()).unwrap();
        assert_eq!(cause(&unreadable, 0).raw_os_error(), Some(libc::EBADF));
        assert_eq!(cause(file.as_file(), len).to_string(), shorter);
    }
}
