//! Opening an input: a file by its path, or standard input, each by the way that suits it.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::{Ahead, Map, ReadSource, Source};

/// A regular file is mapped from this length on; below, one read is quicker.
const MAP_FROM: u64 = 256 * 1024;

/// Which file it is, whatever its name: two paths of one file have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Of the regular file at `path`, if there is one.
    pub fn of_path(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().and_then(|metadata| Self::of(&metadata))
    }

    /// Of the regular file that standard input is, if it is one.
    pub fn of_stdin() -> Option<Self> {
        let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
        Self::of(&file.metadata().ok()?)
    }

    /// Of the regular file that standard output is, if it is one.
    pub fn of_stdout() -> Option<Self> {
        Self::of(&stdout_file().ok()?.metadata().ok()?)
    }

    /// Of a file that is open, if it is a regular one.
    pub(super) fn of_file(file: &File) -> Option<Self> {
        Self::of(&file.metadata().ok()?)
    }

    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// An input that is open.
pub struct Input {
    /// Its bytes.
    pub source: Box<dyn Source>,
    /// How many bytes it has, where that is known.
    pub size: Option<u64>,
}

impl Input {
    /// Opens the file at `path`, through links.
    ///
    /// # Errors
    ///
    /// Those of the system's opening and, for a directory, [`io::ErrorKind::IsADirectory`].
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::of(File::open(path)?)
    }

    /// Takes standard input, from where it stands.
    ///
    /// # Errors
    ///
    /// Those of the system's questions about it.
    pub fn stdin() -> io::Result<Self> {
        Self::of(File::from(io::stdin().as_fd().try_clone_to_owned()?))
    }

    /// Takes a file that is open, from where it stands.
    ///
    /// # Errors
    ///
    /// Those of the system's questions about it and, for a directory, [`io::ErrorKind::IsADirectory`].
    pub fn of(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let may_block = kind.is_fifo() || kind.is_socket() || file.is_terminal();
        if kind.is_fifo() {
            enlarge(&file);
        }
        if !kind.is_file() {
            let source = Box::new(Ahead::new(file, may_block));
            return Ok(Self { source, size: None });
        }
        let start = rustix::fs::tell(&file)?;
        let size = metadata.len().checked_sub(start);
        if size.is_some_and(|size| size >= MAP_FROM)
            && let Ok(map) = Map::new(&file, start)
        {
            // A reader would have left the position there; whoever shares it may rely on that.
            rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(metadata.len()))?;
            return Ok(Self { source: Box::new(map), size });
        }
        Ok(Self { source: Box::new(ReadSource::of_file(file)), size })
    }
}

/// Makes a pipe hold more than the system's 64 KiB, which costs both ends a wait for every few pages.
#[cfg(target_os = "linux")]
fn enlarge(pipe: &File) {
    /// Bytes: what an unprivileged process may ask for, and enough for both ends to work at a time.
    const SIZE: usize = 1024 * 1024;
    // Only quicker: if the system refuses, the pipe is as it was.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, SIZE);
}

/// Other systems size a pipe themselves.
#[cfg(not(target_os = "linux"))]
fn enlarge(_: &File) {}

/// Standard output as a file: no buffer of its own, no look for line ends. A pipe is made to hold more.
///
/// # Errors
///
/// Those of the system's duplication of it.
pub fn stdout_file() -> io::Result<File> {
    let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    if file.metadata()?.file_type().is_fifo() {
        enlarge(&file);
    }
    Ok(file)
}
