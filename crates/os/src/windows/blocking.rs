//! Files that block until something is there, which all do on Windows.

use std::io::{self, ErrorKind, Read, Write};
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::ptr;

use windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use super::console::{is_console, write_to_console};

/// Reads and writes a file, waiting as long as necessary. A console is read and written as UTF-8. The file must not be a
/// lock of standard input: reading a console takes that lock.
#[derive(Debug)]
pub struct BlockingFile<F>(pub F);

impl<F: AsHandle> BlockingFile<F> {
    /// Whether a read would return without blocking: at the end of a pipe too.
    pub fn is_readable(&self) -> bool {
        let (handle, mut available) = (self.0.as_handle().as_raw_handle(), 0);
        // SAFETY: the handle is open, and the only pointer that is not null is to a live value.
        let found = unsafe {
            PeekNamedPipe(
                handle,
                ptr::null_mut(),
                0,
                ptr::null_mut(),
                &mut available,
                ptr::null_mut(),
            )
        };
        // A pipe without writers cannot be peeked at, and reading from it says so at once.
        found != 0 && available > 0
            || found == 0 && io::Error::last_os_error().kind() == ErrorKind::BrokenPipe
    }
}

/// Whether the error is that nobody reads a pipe any more. A pipe with a name has another word for it than one without.
pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
        || error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED as i32)
}

impl<F: Read + AsHandle> Read for BlockingFile<F> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if is_console(self.0.as_handle()) {
            // It converts what was typed to UTF-8, and takes Ctrl-Z for the end.
            return io::stdin().read(room);
        }
        loop {
            match self.0.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

impl<F: Write + AsHandle> Write for BlockingFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if is_console(self.0.as_handle()) {
            return write_to_console(self.0.as_handle(), bytes);
        }
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_broken_pipe(&error) => return Err(ErrorKind::BrokenPipe.into()),
                done => return done,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
