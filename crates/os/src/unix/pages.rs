//! Output that is spliced to a pipe instead of being copied into it.
//!
//! ```text
//! Arena   │ split off │ split off │ ··· free ··· │    4 MiB of huge pages, filled from the front, each byte once
//!               └─ SplicedPages ─► Pipe::splice (vmsplice): the pipe refers to the pages until they have been read
//! ```
//!
//! `vmsplice` returns before the reader has seen the bytes, and nothing says when it has. So memory that was spliced
//! must never be written again, and cannot be reused as a buffer: an arena gives out each byte once and is then
//! replaced by a new one. Unmapping is safe, because the kernel counts the references to each page; the last owner
//! frees it.
//!
//! New pages for all output are worth it only if they are huge. With small ones, faulting them in costs more than the
//! copy that splicing saves, so [`Pipe::of`] requires a system with huge pages.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::FileTypeExt;
use std::sync::{Arc, OnceLock};

use memmap2::{Advice, MmapMut, MmapRaw};
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::{IoSliceRaw, SpliceFlags, vmsplice};

use super::blocking::wait_for;

/// The size of a huge page in bytes, and the alignment of an arena.
const HUGE: usize = 2 * 1024 * 1024;

/// New memory, split off from the front to be spliced.
#[derive(Debug)]
pub struct Arena {
    pages: Arc<MmapRaw>,
    /// The free memory is between these offsets of the map.
    start: usize,
    end: usize,
}

impl Arena {
    /// The size of a new arena, in bytes.
    pub const SIZE: usize = 2 * HUGE;

    /// Allocates an arena. The map is longer than that by one huge page, so there is always an aligned place in it for
    /// all of the arena: a huge page can only back an aligned range.
    ///
    /// # Errors
    ///
    /// If memory is exhausted.
    pub fn new() -> io::Result<Self> {
        let map = MmapMut::map_anon(Self::SIZE + HUGE)?;
        let start = map.as_ptr().align_offset(HUGE).min(HUGE);
        // Advice may be ignored. The pages are then small, which is slower but correct.
        let _ = map.advise_range(Advice::HugePage, start, Self::SIZE);
        Ok(Self { pages: Arc::new(map.into()), start, end: start + Self::SIZE })
    }

    /// Returns the free memory.
    pub fn room(&mut self) -> &mut [u8] {
        // SAFETY: `start..end` is inside the map. No `SplicedPages` reaches beyond `start`, and `self`, the only other
        // owner, is borrowed mutably.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.pages.as_mut_ptr().add(self.start),
                self.end - self.start,
            )
        }
    }

    /// Splits off the first `len` bytes of the free memory. The next ones may be on the same page and be written while
    /// the pipe still refers to it. That is harmless, because the pipe refers to a range of the page, and nobody reads
    /// the bytes behind it.
    pub fn split_off(&mut self, len: usize) -> SplicedPages {
        assert!(len <= self.end - self.start, "no more than there is");
        let pages = SplicedPages { pages: Arc::clone(&self.pages), start: self.start, len };
        self.start += len;
        pages
    }
}

/// Bytes that are never written again. They keep the map of their arena alive.
#[derive(Debug)]
pub struct SplicedPages {
    pages: Arc<MmapRaw>,
    start: usize,
    len: usize,
}

impl Deref for SplicedPages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the bytes are inside the map, which `pages` keeps alive. The arena never touches bytes again that it
        // has split off.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().add(self.start), self.len) }
    }
}

/// The write end of a pipe.
#[derive(Debug)]
pub struct Pipe(File);

impl Pipe {
    /// Returns `file` as a pipe, if it is a write end and the system has huge pages. On a read end, `vmsplice` would do
    /// the opposite, and fill the memory from the pipe.
    pub fn of(file: &File) -> Option<Self> {
        let is_pipe = file.metadata().ok()?.file_type().is_fifo();
        let is_written = !(rustix::fs::fcntl_getfl(file).ok()? & OFlags::RWMODE).is_empty();
        if is_pipe && is_written && has_huge_pages() {
            file.try_clone().ok().map(Self)
        } else {
            None
        }
    }

    /// Splices `pages`, waiting until the pipe has room for all of them.
    ///
    /// # Errors
    ///
    /// If the pipe cannot be written to.
    pub fn splice(&self, pages: &SplicedPages) -> io::Result<()> {
        let mut rest = &pages[..];
        while !rest.is_empty() {
            // SAFETY: the bytes never change again, also not after `pages` is dropped (see the top of this file).
            let given =
                unsafe { vmsplice(&self.0, &[IoSliceRaw::from_slice(rest)], SpliceFlags::empty()) };
            match given {
                Ok(given) => rest = &rest[given..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => wait_for(&self.0, PollFlags::OUT)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Whether the system backs a map with huge pages on `MADV_HUGEPAGE`.
fn has_huge_pages() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
            .is_ok_and(|choice| choice.contains("[always]") || choice.contains("[madvise]"))
    })
}

#[cfg(test)]
mod tests;
