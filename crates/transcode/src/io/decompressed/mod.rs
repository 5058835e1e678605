//! A reader that decompresses gzip and zstd data, and passes everything else through.
//!
//! ```text
//! first bytes ─┬─ 1F 8B 08 ──────────────► members (`gzip`) ─┬─► text
//!              ├─ zstd or skippable frame ► frames (`zstd`) ──┤
//!              └─ anything else ──────────────────────────────┘
//! ```
//!
//! It is a reader like any other, so no code behind it knows of compression. The libraries decode blocks; headers and
//! trailers are read here, so that every fault has its own message.
//!
//! Memory is bounded whatever the data says. The window of gzip has 32 KiB, and a zstd frame whose window is larger
//! than 8 MiB is rejected before any memory is reserved for it. Because of these 8 MiB, a batch decompresses at most
//! four files at a time.

mod compressed_input;
mod decompression_error;
mod gzip;
mod zstd;

use std::fmt::{self, Debug};
use std::io::{self, Read};

use compressed_input::CompressedInput;
use decompression_error::Compression;
use gzip::Gzip;
use zstd::Zstd;

/// The number of bytes that identify a compression format.
pub(super) const MAGIC: usize = 4;

/// Returns the format of data that begins with `start`: [`MAGIC`] bytes, or all of the data if it is shorter.
pub(super) fn compression(start: &[u8]) -> Option<Compression> {
    if gzip::is_magic(start) {
        return Some(Compression::Gzip);
    }
    zstd::is_magic(start).then_some(Compression::Zstd)
}

/// Whether data may be compressed of which only `start` is known, fewer than [`MAGIC`] bytes.
#[cfg(feature = "program")]
pub(super) fn may_be_compressed(start: &[u8]) -> bool {
    gzip::may_begin(start) || zstd::may_begin(start)
}

/// Decompresses gzip (RFC 1952) and zstd (RFC 8878) data, and passes everything else through.
///
/// The first bytes tell which it is. Several members or frames, one after the other, are one text; zeros after the last
/// member of gzip are padding, and skippable frames of zstd are skipped. It takes less than 10 MiB of memory, however
/// much there is to read. The text of a zstd frame comes one window later than its data, or at its end.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use std::io::Read;
///
/// use oxiconv::{Decompressed, Encoding, Options, Reader};
///
/// // "é" in Latin-1, compressed by gzip.
/// let file = b"\x1F\x8B\x08\0\0\0\0\0\x02\x03\x7B\x09\0\x51\xB5\xD4\x0B\x01\0\0\0";
/// let conversion = Options::new().build(Encoding::ISO_8859_1, Encoding::UTF_8)?;
/// let mut text = String::new();
/// Reader::new(Decompressed::new(&file[..]), &conversion).read_to_string(&mut text)?;
/// assert_eq!(text, "é");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Reading fails with the kind [`InvalidData`](io::ErrorKind::InvalidData) if compressed data is cut off or corrupt, if
/// its checksum or length does not fit, if something else follows it, or if zstd needs a dictionary or a window of more
/// than 8 MiB, which is what RFC 8878 (3.1.1.1.2) recommends to support. What was read before may have come from
/// corrupt data, because a checksum is at the end.
///
/// A reader that would block ([`WouldBlock`](io::ErrorKind::WouldBlock)) ends it like any other error: read from one
/// that waits.
pub struct Decompressed<R> {
    state: DecompressionState<R>,
}

enum DecompressionState<R> {
    /// Nothing has been read yet.
    Start(CompressedInput<R>),
    /// It is not compressed.
    Plain(CompressedInput<R>),
    Gzip(Box<Gzip<R>>),
    Zstd(Box<Zstd<R>>),
    /// The input has ended, or an error was returned.
    Ended,
}

impl<R: Read> Decompressed<R> {
    /// Creates a reader over `reader`.
    pub fn new(reader: R) -> Self {
        Self { state: DecompressionState::Start(CompressedInput::new(reader)) }
    }

    /// Determines the format by the first bytes.
    fn begin(mut data: CompressedInput<R>) -> io::Result<DecompressionState<R>> {
        let start = data.peek(MAGIC)?;
        Ok(match compression(start) {
            Some(Compression::Gzip) => DecompressionState::Gzip(Box::new(Gzip::new(data))),
            Some(Compression::Zstd) => DecompressionState::Zstd(Box::new(Zstd::new(data))),
            None => DecompressionState::Plain(data),
        })
    }

    fn read_from(state: &mut DecompressionState<R>, to: &mut [u8]) -> io::Result<usize> {
        match state {
            DecompressionState::Start(_) | DecompressionState::Ended => Ok(0),
            DecompressionState::Plain(data) => data.read(to),
            DecompressionState::Gzip(gzip) => gzip.read(to),
            DecompressionState::Zstd(zstd) => zstd.read(to),
        }
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() {
            return Ok(0);
        }
        // The state is put back only if something was read, so after an error all further reads return 0.
        let mut state = match std::mem::replace(&mut self.state, DecompressionState::Ended) {
            DecompressionState::Start(data) => Self::begin(data)?,
            state => state,
        };
        let read = Self::read_from(&mut state, to)?;
        if read > 0 {
            self.state = state;
        }
        Ok(read)
    }
}

impl<R> Debug for Decompressed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            DecompressionState::Start(_) => "not read yet",
            DecompressionState::Plain(_) => "not compressed",
            DecompressionState::Gzip(_) => "gzip",
            DecompressionState::Zstd(_) => "zstd",
            DecompressionState::Ended => "ended",
        };
        f.debug_struct("Decompressed").field("state", &state).finish_non_exhaustive()
    }
}
