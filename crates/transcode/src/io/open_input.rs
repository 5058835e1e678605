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

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::decompressed::{MAGIC, compression, may_be_compressed};
use super::file::{Access, FileSource};
use super::standard_streams::{check_stdout, instead_of_stdin, instead_of_stdout};
use super::{BlockingFile, Decompressed, ReadAheadSource, ReadSource, Source, early_end};

/// Regular files of at least this many bytes are read in blocks.
const LONG: u64 = 256 * 1024;

/// The identity of a file, which all of its paths share: hard links, symbolic links, and names that differ only in case
/// on a file system that ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns the identity of the file at `path`, if it is a regular file.
    pub fn of_path(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().and_then(|metadata| Self::of(&metadata))
    }

    /// Returns the identity of standard input, if it is a regular file.
    pub fn of_stdin() -> Option<Self> {
        Self::of(&stdin_file().ok()?.metadata().ok()?)
    }

    /// Returns the identity of standard output, if it is a regular file.
    pub fn of_stdout() -> Option<Self> {
        Self::of(&stdout_file().ok()?.metadata().ok()?)
    }

    /// Returns the identity of an open file, if it is a regular file.
    pub(super) fn of_file(file: &File) -> Option<Self> {
        Self::of(&file.metadata().ok()?)
    }

    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

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
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        Self::from_position(file, &metadata, Some(0), access)
    }

    /// Uses standard input, from its current position.
    ///
    /// # Errors
    ///
    /// If the system cannot examine it.
    pub fn stdin(access: Access) -> io::Result<Self> {
        let file = stdin_file()?;
        let metadata = file.metadata()?;
        Self::from_position(file, &metadata, None, access)
    }

    /// Uses an open file, from its current position.
    ///
    /// # Errors
    ///
    /// If the system cannot examine it, or with [`io::ErrorKind::IsADirectory`] if it is a directory.
    pub fn of(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Self::from_position(file, &metadata, None, Access::default())
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
    fn from_position(
        file: File,
        metadata: &Metadata,
        start: Option<u64>,
        access: Access,
    ) -> io::Result<Self> {
        let kind = metadata.file_type();
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            let may_block = kind.is_fifo() || kind.is_socket() || file.is_terminal();
            if kind.is_fifo() {
                enlarge(&file);
            }
            let source = Box::new(ReadAheadSource::new(file, may_block));
            return Ok(Self { source, is_regular: false });
        }
        let start = start.map_or_else(|| rustix::fs::tell(&file), Ok)?;
        let len = metadata.len().saturating_sub(start);
        let range = start..metadata.len();
        if len >= LONG {
            // Blocks are read by offset, which leaves the file position alone. But a process that shares it, such as
            // `cat` in `(oxiconv; cat) <f`, must find it where reading would have left it.
            rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(range.end))?;
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

/// Enlarges the buffer of a pipe. With the default of 64 KiB, the two ends keep waiting for each other.
#[cfg(target_os = "linux")]
fn enlarge(pipe: &File) {
    /// The most that Linux grants an unprivileged process by default, in bytes. It lets both ends work at the same
    /// time.
    const SIZE: usize = 1024 * 1024;
    // Only an optimization, so a refusal is no error.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, SIZE);
}

/// Other systems size pipes themselves.
#[cfg(not(target_os = "linux"))]
fn enlarge(_: &File) {}

/// Returns standard input as an unbuffered file. If it was closed when the process started, reading it fails.
///
/// # Errors
///
/// If the system cannot duplicate the descriptor.
pub fn stdin_file() -> io::Result<File> {
    match instead_of_stdin() {
        Some(file) => file,
        None => Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?)),
    }
}

/// Writes and flushes `bytes` to standard output.
///
/// # Errors
///
/// If the system cannot write it, or if it was closed when the process started.
pub fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    check_stdout()?;
    let mut stdout = BlockingFile(io::stdout().lock());
    stdout.write_all(bytes).and_then(|()| stdout.flush())
}

/// Returns standard output as an unbuffered file, with a larger kernel buffer if it is a pipe. If it was closed when
/// the process started, writing to it fails.
///
/// # Errors
///
/// If the system cannot duplicate the descriptor.
pub fn stdout_file() -> io::Result<File> {
    if let Some(file) = instead_of_stdout() {
        return file;
    }
    let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    if file.metadata()?.file_type().is_fifo() {
        enlarge(&file);
    }
    Ok(file)
}
