//! Opens an input, a path or standard input, with the source that is fastest for its type.
//!
//! ```text
//! regular file ─┬─ 256 KiB or more ─► FileSource: blocks and windows
//!               └─ less ────────────► ReadSource: one buffer, which grows
//! anything else ────────────────────► ReadAheadSource
//! ```
//!
//! The sources differ in what is expensive for them. A long file is worth a large block and several threads, each of
//! which reads at offsets of its own. A short one is read in one or two calls, and what counts is the number of system
//! calls around them. From a pipe or a terminal, bytes can be read only once and in order, and each read may block.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use oxiconv_os::{FileKind, FileStatus, enlarge, stdin_file};

use super::decompressed::{MAGIC, compression, may_be_compressed};
use super::file::{Access, FileSource};
use super::{Decompressed, ReadAheadSource, ReadSource, Source, early_end};

/// Regular files of at least this many bytes are read in blocks.
const LONG: u64 = 256 * 1024;

/// An open input.
pub struct Input {
    /// The source of its bytes.
    pub source: Box<dyn Source>,
    /// Whether it is a regular file.
    pub is_regular: bool,
}

impl Input {
    /// Opens the file at `path`, following symbolic links.
    ///
    /// # Errors
    ///
    /// If the system cannot open it, or with [`io::ErrorKind::IsADirectory`] if it is a directory.
    pub fn open(path: &Path, access: Access) -> io::Result<Self> {
        let file = File::open(path).map_err(|error| match path.is_dir() {
            // Windows opens no directory to read it.
            true => io::ErrorKind::IsADirectory.into(),
            false => error,
        })?;
        Self::from_position(file, Some(0), access)
    }

    /// Uses standard input, from its current position.
    ///
    /// # Errors
    ///
    /// If the system cannot examine it.
    pub fn stdin(access: Access) -> io::Result<Self> {
        Self::from_position(stdin_file()?, None, access)
    }

    /// Uses an open file, from its current position.
    ///
    /// # Errors
    ///
    /// If the system cannot examine it, or with [`io::ErrorKind::IsADirectory`] if it is a directory.
    pub fn of(file: File) -> io::Result<Self> {
        Self::from_position(file, None, Access::default())
    }

    /// Uses the bytes in `range` of an open regular file, and reads no others.
    ///
    /// # Errors
    ///
    /// If the system cannot seek to them.
    pub fn of_range(mut file: File, range: Range<u64>, access: Access) -> io::Result<Self> {
        let len = range.end - range.start;
        if len >= LONG {
            return Ok(Self {
                source: Box::new(FileSource::new(file, range, access)),
                is_regular: true,
            });
        }
        file.seek(SeekFrom::Start(range.start))?;
        let part = ReadSource::of_range(file.take(len), range, |part, end| {
            early_end::check_position(part.get_ref(), end)
        });
        Ok(Self { source: Box::new(part), is_regular: true })
    }

    /// Decompresses the input if it is gzip or zstd data. Any other input keeps its source, with its windows and
    /// threads.
    ///
    /// It waits for the first byte, and for another one only while the bytes so far begin a magic number: a person who
    /// types a line must not have to type four bytes before the first of them is looked at.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read. Corrupt data is an error of the source, when it is read.
    pub fn decompressed(mut self) -> io::Result<Self> {
        let mut at_least = 1;
        let is_compressed = loop {
            let chunk = self.source.fill(at_least)?;
            let start = &chunk.bytes[..chunk.bytes.len().min(MAGIC)];
            let (found, more) = (compression(start), may_be_compressed(start));
            let is_undecided = more && start.len() < MAGIC && !chunk.last;
            at_least = start.len() + 1;
            if found.is_some() || !is_undecided {
                break found.is_some();
            }
        };
        if !is_compressed {
            return Ok(self);
        }
        let may_block = self.source.may_block();
        let reader = Decompressed::new(SourceReader(self.source));
        let source = if may_block { ReadSource::new(reader) } else { ReadSource::of_file(reader) };
        Ok(Self { source: Box::new(source), ..self })
    }

    /// Uses an open file from byte `start`, or from its current position if that is `None`. A run may have millions of
    /// small files, so a small one costs no system calls but open, fstat, read and close.
    fn from_position(mut file: File, start: Option<u64>, access: Access) -> io::Result<Self> {
        let status = FileStatus::of_file(&file)?;
        match status.kind() {
            FileKind::Regular => {}
            FileKind::Directory => return Err(io::ErrorKind::IsADirectory.into()),
            kind => {
                let is_pipe = kind == FileKind::Pipe;
                let may_block = is_pipe || kind == FileKind::Socket || file.is_terminal();
                if is_pipe {
                    enlarge(&file);
                }
                let source = Box::new(ReadAheadSource::new(file, may_block));
                return Ok(Self { source, is_regular: false });
            }
        }
        let start = start.map_or_else(|| file.stream_position(), Ok)?;
        let range = start..status.len();
        if status.len().saturating_sub(start) >= LONG {
            // Blocks are read by offset, which leaves the file position alone. But a process that shares it, such as
            // `cat` in `(oxiconv; cat) <f`, must find it where reading would have left it.
            file.seek(SeekFrom::Start(range.end))?;
            let source = Box::new(FileSource::new(file, range, access));
            return Ok(Self { source, is_regular: true });
        }
        let whole = ReadSource::of_range(file, range, early_end::check_position);
        Ok(Self { source: Box::new(whole), is_regular: true })
    }
}

/// A reader over a source, for a decompressor: the bytes by which the format was recognized are still unread in the
/// source, and a pipe cannot be rewound.
struct SourceReader(Box<dyn Source>);

impl Read for SourceReader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let chunk = self.0.fill(1)?;
        let len = chunk.bytes.len().min(to.len());
        to[..len].copy_from_slice(&chunk.bytes[..len]);
        self.0.consume(len);
        Ok(len)
    }
}
