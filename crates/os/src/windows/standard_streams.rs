//! Standard streams. A process may have none, as one that a service or a window has started. The standard library then
//! reads nothing and writes nowhere, without an error; here it is one.

use std::fs::File;
use std::io::{self, Write};
use std::os::windows::io::{AsHandle, BorrowedHandle};
use std::path::Path;

use windows_sys::Win32::Foundation::{ERROR_INVALID_HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetStdHandle, STD_ERROR_HANDLE, STD_HANDLE,
    STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleMode,
};

use super::blocking::BlockingFile;

/// The keys that end what is typed, as a sentence begins.
pub const END_KEYS: &str = "Ctrl-Z and Enter end";

/// Lets consoles understand the escape sequences of colours, which those before Windows 11 do not by themselves.
pub fn prepare_streams() {
    for stream in [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        let mut mode = 0;
        // SAFETY: the first call has no preconditions; the others fail for what is no console, and the pointer is to a
        // live value.
        unsafe {
            let handle = GetStdHandle(stream);
            if GetConsoleMode(handle, &mut mode) != 0 {
                SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}

fn check(stream: STD_HANDLE) -> io::Result<()> {
    // SAFETY: the call has no preconditions.
    let handle = unsafe { GetStdHandle(stream) };
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::from_raw_os_error(ERROR_INVALID_HANDLE as i32));
    }
    Ok(())
}

/// Whether standard output can be written to at all.
///
/// # Errors
///
/// If the process has none.
pub fn check_stdout() -> io::Result<()> {
    check(STD_OUTPUT_HANDLE)
}

/// Returns standard input as an unbuffered file.
///
/// # Errors
///
/// If the process has none, or the system cannot duplicate the handle.
pub fn stdin_file() -> io::Result<File> {
    check(STD_INPUT_HANDLE)?;
    file(io::stdin().as_handle())
}

/// Returns standard output as an unbuffered file.
///
/// # Errors
///
/// If the process has none, or the system cannot duplicate the handle.
pub fn stdout_file() -> io::Result<File> {
    check_stdout()?;
    file(io::stdout().as_handle())
}

fn file(handle: BorrowedHandle<'_>) -> io::Result<File> {
    Ok(File::from(handle.try_clone_to_owned()?))
}

/// Writes `bytes` to standard output.
///
/// # Errors
///
/// If the system cannot write it, or if the process has none.
pub fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    BlockingFile(stdout_file()?).write_all(bytes)
}

/// Returns nothing: no path names a file that the process has open.
pub fn own_descriptor(_: &Path) -> Option<io::Result<File>> {
    None
}
