//! Where bytes come from and go to.
//!
//! | for | holds |
//! |---|---|
//! | everyone | [`Source`], [`Chunk`], [`ReadSource`], [`Memory`]: the standard library suffices |
//! | feature `compression` | [`Decompressed`]: a reader of what gzip or zstd has compressed |
//! | feature `program` | files, standard input, maps, pipes read ahead; files replaced when complete; signals |
//! | the program, on Linux | memory spliced to pipes (`pages.rs`; `no_pages.rs` elsewhere) |
//!
//! All system calls beyond the standard library are in this module. Only what the program uses changes the process as a
//! whole (signal handlers). The program does not build for Windows: `replace/` and `signal.rs` would need a second
//! implementation, and nothing tests the promises of docs/safety.md there.

#[cfg(feature = "program")]
mod blocking;
#[cfg(feature = "compression")]
mod decompressed;
#[cfg(feature = "program")]
mod early_end;
#[cfg(feature = "program")]
mod file;
#[cfg(feature = "program")]
mod map;
mod memory;
#[cfg(feature = "program")]
mod one_slot;
#[cfg(feature = "program")]
mod open_input;
#[cfg(not(all(feature = "program", target_os = "linux")))]
#[path = "no_pages.rs"]
mod pages;
#[cfg(all(feature = "program", target_os = "linux"))]
mod pages;
#[cfg(feature = "program")]
mod process_locale;
#[cfg(feature = "program")]
mod read_ahead;
#[cfg(feature = "program")]
mod replace;
#[cfg(feature = "program")]
mod signal;
#[cfg(feature = "program")]
mod signal_mask;
mod slice;
#[cfg(feature = "program")]
mod standard_streams;
mod stream;

#[cfg(feature = "program")]
pub use blocking::BlockingFile;
#[cfg(feature = "compression")]
pub use decompressed::Decompressed;
#[cfg(feature = "program")]
pub use file::Access;
pub use memory::Memory;
#[cfg(feature = "program")]
pub use open_input::{Identity, Input, stdin_file, stdout_file, write_stdout};
pub use pages::{Arena, Pipe, SplicedPages};
#[cfg(feature = "program")]
pub use process_locale::Locale;
#[cfg(feature = "program")]
pub use read_ahead::ReadAheadSource;
#[cfg(feature = "program")]
pub use replace::{
    Completion, DirectoryHandle, FileReplacement, FileVersion, Leftover, Note, Ready, RenameError,
    discard_unfinished, longest_name, most_descriptors, place_of, remove_leftovers, sync_directory,
    written_through,
};
#[cfg(feature = "program")]
pub use signal::{LastWords, end_by, end_cleanly, ignore_file_size_signal};
#[cfg(all(test, loom))]
pub(crate) use slice::InMemory;
#[cfg(feature = "program")]
pub use standard_streams::{check_stdout, prepare_streams};
pub use stream::ReadSource;

use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The bytes that a source offers at present.
#[derive(Debug)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The unread bytes.
    pub bytes: &'a [u8],
    /// Whether no bytes follow them.
    pub last: bool,
}

/// The rest of an input, from its next unread byte on. Several threads can read pieces of it at the same time.
pub trait Window: Sync {
    /// Returns the number of bytes.
    fn size(&self) -> usize;

    /// Whether no bytes follow it.
    fn is_last(&self) -> bool;

    /// Returns the bytes in `range` of it: in `buffer`, unless they are in memory already.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read(&self, range: Range<usize>, buffer: Vec<u8>) -> io::Result<Cow<'_, [u8]>>;
}

impl<'a> Chunk<'a> {
    /// Bytes of memory that more bytes follow in the text.
    pub const fn more(bytes: &'a [u8]) -> Self {
        Self::new(bytes, false)
    }

    /// The last bytes of the text.
    pub const fn last(bytes: &'a [u8]) -> Self {
        Self::new(bytes, true)
    }

    /// Creates a chunk of bytes.
    pub(crate) const fn new(bytes: &'a [u8], last: bool) -> Self {
        Self { bytes, last }
    }

    /// Returns the part from byte `start` to `end`.
    pub(crate) fn part(&self, start: usize, end: usize) -> Self {
        Self { bytes: &self.bytes[start..end], last: self.last && end == self.bytes.len() }
    }

    /// Returns the same bytes, as the last ones of a text.
    pub(crate) fn ending(self) -> Self {
        Self { last: true, ..self }
    }
}

/// The most unread bytes that a source can be asked for. No sequence of any encoding is nearly as long.
pub const MOST: usize = 256 * 1024;

/// More than [`MOST`] bytes would have to be held in order to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sequence is longer than {MOST} bytes")]
pub struct TooLong;

/// Rejects a request for more than [`MOST`] bytes.
fn bounded(at_least: usize) -> io::Result<()> {
    if at_least > MOST { Err(io::Error::new(io::ErrorKind::InvalidData, TooLong)) } else { Ok(()) }
}

/// Bytes in chunks. Whatever the reader does not consume is part of the next chunk, with more after it on request.
pub trait Source {
    /// Returns the unread bytes: at least `at_least` of them unless the text ends before. Reads, and may block, only if
    /// there are fewer.
    ///
    /// # Errors
    ///
    /// If the system cannot read; with the kind [`InvalidData`](io::ErrorKind::InvalidData) if more than 256 KiB are asked
    /// for, which no sequence of any encoding needs.
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>>;

    /// Marks the first `bytes` bytes of the last chunk as consumed.
    fn consume(&mut self, bytes: usize);

    /// Returns what follows, if several threads can read it.
    fn window(&self) -> Option<Box<dyn Window + '_>> {
        None
    }

    /// Whether [`Source::fill`] may wait for a person or another program.
    fn may_block(&self) -> bool;

    /// Allows a source that another program feeds to read ahead with a thread of its own. It may read bytes that nobody
    /// asks for.
    fn read_ahead(&mut self) {}

    /// Returns how many threads of its own it keeps busy.
    fn threads(&self) -> usize {
        0
    }
}

#[cfg(all(test, feature = "program"))]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn no_source_holds_more_than_it_may_be_asked_for() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![0; 3 * MOST]).unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        let writing = std::thread::spawn(move || {
            let _ = writer.write_all(&vec![0; 3 * MOST]);
        });
        let sources: [Box<dyn Source>; 3] = [
            Box::new(ReadSource::of_file(io::repeat(0))),
            Box::new(file::FileSource::new(file, 0..3 * MOST as u64, Access::Blocks)),
            Box::new(ReadAheadSource::new(File::from(OwnedFd::from(reader)), true)),
        ];
        for mut source in sources {
            assert!(source.fill(MOST).unwrap().bytes.len() >= MOST);
            let error = source.fill(MOST + 1).unwrap_err();
            assert_eq!(error.to_string(), "a sequence is longer than 262144 bytes");
        }
        writing.join().unwrap();
    }
}
