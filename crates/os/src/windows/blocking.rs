//! Files that block until something is there, which all do on Windows.

use std::io::{self, ErrorKind, Read, Write};
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::ptr;

use windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use super::console::{is_console, write_to_console};
use super::wide::checked;

/// Reads and writes a file, waiting as long as necessary. A console is read and written as UTF-8. The file must not be
/// a lock of standard input: reading a console takes that lock.
#[derive(Debug)]
pub struct BlockingFile<F>(pub F);

impl<F: AsHandle> BlockingFile<F> {
    /// Whether a read would return without blocking: at the end of a pipe too.
    pub fn is_readable(&self) -> bool {
        match self.available() {
            Ok(available) => available > 0,
            // A pipe without writers cannot be peeked at, and reading from it says so at once.
            Err(error) => error.kind() == ErrorKind::BrokenPipe,
        }
    }

    /// Returns how many bytes a pipe has. What is no pipe, or has no writers, gives an error.
    fn available(&self) -> io::Result<u32> {
        let mut available = 0;
        // SAFETY: the handle is open, and the only pointer that is not null is to a live value.
        checked(unsafe {
            PeekNamedPipe(
                self.0.as_handle().as_raw_handle(),
                ptr::null_mut(),
                0,
                ptr::null_mut(),
                &mut available,
                ptr::null_mut(),
            )
        })?;
        Ok(available)
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
                // Somebody has written no bytes to a pipe, which is not its end.
                Ok(0) if !room.is_empty() && self.available().is_ok() => {}
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

#[cfg(test)]
mod tests {
    use std::os::windows::io::OwnedHandle;

    use super::*;

    #[test]
    fn nothing_written_to_a_pipe_is_not_its_end() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut file = BlockingFile(std::fs::File::from(OwnedHandle::from(reader)));
        for text in [&b""[..], b"a", b"", b"", b"bc"] {
            assert_eq!(writer.write(text).unwrap(), text.len());
        }
        drop(writer);
        let mut text = Vec::new();
        file.read_to_end(&mut text).unwrap();
        assert_eq!(text, b"abc");
    }
}
