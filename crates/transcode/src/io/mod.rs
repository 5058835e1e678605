//! Input and output.
//!
//! | available | what |
//! |---|---|
//! | always | [`Source`], [`Chunk`], [`ReadSource`], [`Memory`], on the standard library alone |
//! | feature `compression` | [`Decompressed`]: a gzip and zstd reader |
//! | feature `program` | files, standard input, pipes with read-ahead; atomic file replacement; last words |
//!
//! What the standard library cannot ask the operating system, `crates/os` asks. Without the feature `program`, nothing
//! in it changes the process as a whole: there are no signal handlers.

#[cfg(feature = "compression")]
mod decompressed;
#[cfg(feature = "program")]
mod early_end;
#[cfg(feature = "program")]
mod file;
#[cfg(feature = "program")]
mod last_words;
mod memory;
#[cfg(feature = "program")]
mod one_slot;
#[cfg(feature = "program")]
mod open_input;
#[cfg(feature = "program")]
mod read_ahead;
#[cfg(feature = "program")]
mod replace;
mod slice;
mod stream;

#[cfg(feature = "compression")]
pub use decompressed::Decompressed;
#[cfg(feature = "program")]
pub use file::Access;
#[cfg(feature = "program")]
pub use last_words::{LastWords, end_cleanly};
pub use memory::Memory;
#[cfg(feature = "program")]
pub use open_input::Input;
pub use oxiconv_os::{Arena, Pipe, SplicedPages};
#[cfg(feature = "program")]
pub use read_ahead::ReadAheadSource;
#[cfg(feature = "program")]
pub use replace::{
    Completion, FileReplacement, Leftover, Note, Ready, discard_unfinished, place_of,
    remove_leftovers, rename_in, written_through,
};
#[cfg(all(test, loom))]
pub(crate) use slice::InMemory;
pub use stream::ReadSource;

use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The unread bytes that a source currently has in memory.
#[derive(Debug)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The unread bytes.
    pub bytes: &'a [u8],
    /// Whether the input ends with them.
    pub last: bool,
}

/// The rest of an input, starting at its next unread byte. Several threads can read pieces of it at the same time.
///
/// A [`Source`] is a single position that moves on, so threads cannot share it. A window does not move: each thread
/// names the bytes that it wants, in any order. When the pieces have been converted, [`Source::consume`] moves the
/// source past them, even if it never had them in memory itself.
pub trait Window: Sync {
    /// Returns its size in bytes.
    fn size(&self) -> usize;

    /// Whether the input ends with it. The window of a file reaches to its end, that of a pipe only to the end of what
    /// has been read.
    fn is_last(&self) -> bool;

    /// Returns the bytes in `range`. They are borrowed if they are in memory already, and read into `buffer` otherwise.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read(&self, range: Range<usize>, buffer: Vec<u8>) -> io::Result<Cow<'_, [u8]>>;
}

impl<'a> Chunk<'a> {
    /// Creates a chunk that is followed by more bytes.
    pub const fn more(bytes: &'a [u8]) -> Self {
        Self::new(bytes, false)
    }

    /// Creates the last chunk of a text.
    pub const fn last(bytes: &'a [u8]) -> Self {
        Self::new(bytes, true)
    }

    pub(crate) const fn new(bytes: &'a [u8], last: bool) -> Self {
        Self { bytes, last }
    }

    /// Returns the bytes from `start` to `end`, which are the last ones only if the chunk is and reaches no further.
    pub(crate) fn part(&self, start: usize, end: usize) -> Self {
        Self { bytes: &self.bytes[start..end], last: self.last && end == self.bytes.len() }
    }

    /// Returns the same bytes as the last ones of a text.
    pub(crate) fn ending(self) -> Self {
        Self { last: true, ..self }
    }
}

/// The most bytes that [`Source::fill`] may be asked for. No sequence of any encoding is nearly as long, so a caller
/// that needs more has failed to make progress. The limit also bounds the memory of a source: some encodings allow
/// shift sequences without end, and a source that kept all of them would grow with its input.
pub const MAX_FILL: usize = 256 * 1024;

/// The error of a request for more than [`MAX_FILL`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sequence is longer than {MAX_FILL} bytes")]
pub struct TooLong;

fn bounded(at_least: usize) -> io::Result<()> {
    if at_least > MAX_FILL {
        Err(io::Error::new(io::ErrorKind::InvalidData, TooLong))
    } else {
        Ok(())
    }
}

/// An input that is read in chunks.
///
/// Bytes that the caller does not consume are at the start of the next chunk. A caller that finds a truncated sequence
/// at the end of a chunk consumes what comes before it and asks for one byte more than it has:
///
/// ```text
/// fill(1)      61 62 E2 82         the last character is truncated
/// consume(2)   fill(3)
///              E2 82 AC 63 64 …
/// ```
pub trait Source {
    /// Returns the unread bytes: at least `at_least` of them, unless the input ends before. It reads, and may block,
    /// only if fewer are in memory.
    ///
    /// # Errors
    ///
    /// If the read fails; with the kind [`InvalidData`](io::ErrorKind::InvalidData) if `at_least` is more than 256 KiB,
    /// which no sequence of any encoding needs.
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>>;

    /// Consumes the first `bytes` bytes of the last chunk, or of the last window.
    fn consume(&mut self, bytes: usize);

    /// Returns the unread rest of the input, if several threads can read it.
    fn window(&self) -> Option<Box<dyn Window + '_>> {
        None
    }

    /// Whether [`Source::fill`] may wait for a person or another program. Output is flushed before that.
    fn may_block(&self) -> bool;

    /// Allows the source to read ahead in a thread of its own. It may then read more of a pipe than is ever consumed.
    fn read_ahead(&mut self) {}

    /// Returns the number of threads that the source itself keeps busy.
    fn threads(&self) -> usize {
        0
    }
}

#[cfg(all(test, unix, feature = "program"))]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn no_source_holds_more_than_it_may_be_asked_for() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![0; 3 * MAX_FILL]).unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        let writing = std::thread::spawn(move || {
            let _ = writer.write_all(&vec![0; 3 * MAX_FILL]);
        });
        let sources: [Box<dyn Source>; 3] = [
            Box::new(ReadSource::of_file(io::repeat(0))),
            Box::new(file::FileSource::new(file, 0..3 * MAX_FILL as u64, Access::Blocks)),
            Box::new(ReadAheadSource::new(File::from(OwnedFd::from(reader)), true)),
        ];
        for mut source in sources {
            assert!(source.fill(MAX_FILL).unwrap().bytes.len() >= MAX_FILL);
            let error = source.fill(MAX_FILL + 1).unwrap_err();
            assert_eq!(error.to_string(), "a sequence is longer than 262144 bytes");
        }
        writing.join().unwrap();
    }
}
