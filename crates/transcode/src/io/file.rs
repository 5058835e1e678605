//! A source over a long regular file, which is read block by block.
//!
//! ```text
//! file   |··consumed··|▒ block ▒|······ window: each thread reads its own pieces of it ······|
//! ```
//!
//! Files are read, not mapped, for two reasons:
//!
//! * A block is private memory. Its bytes cannot change between validation and conversion, whatever another program
//!   does to the file, so kernels may read a byte as often as they like, and what is written is what was validated.
//! * It is faster. `pread` copies into a block that stays in the cache, while a map costs a page fault every few pages.
//!
//! A map is used only on request (`--mmap always`), and even then its bytes are copied out ([`copy_at`]). All reads
//! name an offset, so threads can read pieces of the rest at the same time without sharing a file position.
//!
//! `tests/changing.rs` rewrites, truncates, replaces and extends files while they are converted.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;

use oxiconv_os::{copy_at, expect_sequential_reads, read_at};

use super::{Chunk, MAX_FILL, Source, Window, bounded, early_end};

/// Twice the most that can be asked for. More is read only while fewer bytes are unread than the caller asked for, so
/// at least half of the block is free for each read.
const BLOCK_SIZE: usize = 2 * MAX_FILL;

/// How a long file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// By `pread`, a block at a time.
    #[default]
    Blocks,
    /// Through a map, if the system can map it.
    Map,
}

/// A [`Source`] over a regular file.
#[derive(Debug)]
pub struct FileSource {
    file: PositionedReader,
    /// The offset of the end of the block, where the next read begins.
    offset: u64,
    /// The end of the range to read: that of the file when it was opened, unless less was requested. Bytes appended
    /// later are not read (`early_end.rs`).
    end: u64,
    /// The unread bytes are `block[start..filled]`.
    block: Vec<u8>,
    start: usize,
    filled: usize,
    ended: bool,
}

impl FileSource {
    /// Reads these bytes of `file`.
    pub(super) fn new(file: File, range: Range<u64>, access: Access) -> Self {
        expect_sequential_reads(&file);
        Self {
            file: PositionedReader { file, access },
            offset: range.start,
            end: range.end,
            block: Vec::new(),
            start: 0,
            filled: 0,
            ended: false,
        }
    }

    /// Reads once, behind the unread bytes, which are first moved to the start of the block. At least half of the block
    /// is free then, so the copy is small compared with the read. The read never reaches beyond `end`, even if the file
    /// has grown.
    ///
    /// Reading ends at `end`, or when a read returns nothing. The latter happens only if the file has become shorter,
    /// or if its length never meant anything (`early_end.rs`).
    fn read_more(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            self.block = vec![0; BLOCK_SIZE];
        }
        self.block.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        let left = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        let free = &mut self.block[self.filled..];
        let free = &mut free[..left.min(BLOCK_SIZE - self.filled)];
        if !free.is_empty() {
            let got = self.file.read_at(self.offset, free)?;
            if got == 0 {
                early_end::check(&self.file.file, self.offset, self.end)?;
                self.ended = true;
            }
            self.offset += got as u64;
            self.filled += got;
        }
        self.ended |= self.offset == self.end;
        Ok(())
    }
}

/// Reads a file at any offset. The file position is neither used nor changed.
#[derive(Debug)]
struct PositionedReader {
    file: File,
    access: Access,
}

impl PositionedReader {
    /// Reads once at `offset`. Like `pread`, it may read less than `buffer` holds.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if self.access == Access::Map
            && let Some(len) = copy_at(&self.file, offset, buffer)
        {
            return Ok(len);
        }
        loop {
            match read_at(&self.file, buffer, offset) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                got => return got,
            }
        }
    }
}

impl Source for FileSource {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        bounded(at_least)?;
        while !self.ended && self.filled - self.start < at_least {
            self.read_more()?;
        }
        Ok(Chunk::new(&self.block[self.start..self.filled], self.ended))
    }

    fn consume(&mut self, bytes: usize) {
        let unread = self.filled - self.start;
        if let Some(beyond) = bytes.checked_sub(unread) {
            // Threads have read a window that reaches past the block. Nothing in the block is unread any more, and the
            // next read begins where the window ended.
            (self.start, self.filled) = (0, 0);
            self.offset += beyond as u64;
            self.ended |= self.offset == self.end;
        } else {
            self.start += bytes;
        }
    }

    /// The window begins with the unread bytes of the block. Threads read these again, at their offset, so that every
    /// piece is read in the same way.
    fn window(&self) -> Option<Box<dyn Window + '_>> {
        let start = self.offset - (self.filled - self.start) as u64;
        let len = usize::try_from(self.end.checked_sub(start)?).ok()?;
        Some(Box::new(FileWindow { file: &self.file, start, len }))
    }

    fn may_block(&self) -> bool {
        false
    }
}

struct FileWindow<'f> {
    file: &'f PositionedReader,
    start: u64,
    len: usize,
}

impl Window for FileWindow<'_> {
    fn size(&self) -> usize {
        self.len
    }

    fn is_last(&self) -> bool {
        true
    }

    fn read(&self, range: Range<usize>, mut buffer: Vec<u8>) -> io::Result<Cow<'_, [u8]>> {
        buffer.resize(range.len(), 0);
        let (mut offset, mut filled) = (self.start + range.start as u64, 0);
        while filled < buffer.len() {
            let got = self.file.read_at(offset, &mut buffer[filled..])?;
            if got == 0 {
                // `fill` will read there again and report why the file ends early.
                return Err(ErrorKind::UnexpectedEof.into());
            }
            offset += got as u64;
            filled += got;
        }
        Ok(Cow::Owned(buffer))
    }
}
