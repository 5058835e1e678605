//! A file that blocks, even if it is in non-blocking mode.
//!
//! O_NONBLOCK belongs to the open file description, not to the descriptor, so any program that shares a terminal or a
//! pipe with this one may set it, at any time. Reads and writes then fail with EAGAIN, which must not be an error here.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Reads and writes a file, waiting as long as necessary.
#[derive(Debug)]
pub struct BlockingFile<F>(pub F);

impl<F: AsFd> BlockingFile<F> {
    /// Whether a read would return without blocking. That includes the end of the input: `poll` reports a pipe whose
    /// writers are gone (POLLHUP) although only POLLIN was requested.
    pub fn is_readable(&self) -> bool {
        let now = Timespec::default();
        let mut polled = [PollFd::new(&self.0, PollFlags::IN)];
        let is_ready = poll(&mut polled, Some(&now)).is_ok_and(|ready| ready > 0);
        // macOS cannot poll a terminal (poll(2), BUGS), and says POLLNVAL, not that there is something to read.
        is_ready
            && !(cfg!(target_vendor = "apple") && polled[0].revents().contains(PollFlags::NVAL))
    }
}

/// Whether the error is that nobody reads a pipe any more.
pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

/// Waits until `file` is ready or has an error to report.
pub(super) fn wait_for(file: &impl AsFd, ready: PollFlags) -> io::Result<()> {
    loop {
        match poll(&mut [PollFd::new(file, ready)], None) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Repeats `work` while it would block, after waiting, or is interrupted.
fn waiting<F: AsFd, T>(
    file: &mut F,
    ready: PollFlags,
    mut work: impl FnMut(&mut F) -> io::Result<T>,
) -> io::Result<T> {
    loop {
        match work(file) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait_for(file, ready)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

impl<F: Read + AsFd> Read for BlockingFile<F> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        waiting(&mut self.0, PollFlags::IN, |file| file.read(room))
    }
}

impl<F: Write + AsFd> Write for BlockingFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        waiting(&mut self.0, PollFlags::OUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        waiting(&mut self.0, PollFlags::OUT, F::flush)
    }
}
