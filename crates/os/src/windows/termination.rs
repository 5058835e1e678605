//! The events that end the process: Ctrl-C, Ctrl-Break, a closed console, and for a service the end of the system.
//!
//! ```text
//! event ─► remove unfinished files ─► one line: what is complete ─► the system ends the process
//! ```
//!
//! The system calls the handler in a thread of its own. A process that is ended by another one (`taskkill /f`,
//! TerminateProcess), or with the session of its user, gets no event.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::windows::io::BorrowedHandle;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;

use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, GetStdHandle,
    STD_ERROR_HANDLE, SetConsoleCtrlHandler,
};

use super::console::{is_console, write_units};
use crate::Ending;

/// What the handler does, which is set before it is installed.
static ENDING: OnceLock<Ending> = OnceLock::new();

/// The status of a process that a closed pipe ends: the one that shells show on Unix.
const CLOSED_PIPE: i32 = 128 + 13;

/// Installs the handler: an event that ends the process first does what `ending` says. So does a panic, which is made
/// to abort. Call it once.
pub fn end_cleanly(ending: Ending) {
    ENDING.get_or_init(|| ending);
    // SAFETY: the handler has the signature of one.
    unsafe { SetConsoleCtrlHandler(Some(on_event), 1) };
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        end("aborted");
        std::process::abort();
    }));
}

extern "system" fn on_event(event: u32) -> i32 {
    end(match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => "interrupted",
        CTRL_CLOSE_EVENT => "ended because the console was closed",
        // Services get it when any user logs off, which is no reason to end.
        CTRL_LOGOFF_EVENT => return 1,
        _ => "ended because the system shuts down",
    });
    // The handler of the system is next, and ends the process with STATUS_CONTROL_C_EXIT.
    0
}

/// Returns once, and in the thread that is the first.
fn end(how: &str) {
    let Some(ending) = ENDING.get() else { return };
    if !(ending.discard)() {
        // Another thread is ending the process. Returning would let this one end it at once.
        loop {
            std::thread::park();
        }
    }
    (ending.report)(how);
}

/// What keeps signals away while files are created and renamed. Events have a thread of their own.
#[derive(Debug)]
pub struct BlockedSignals;

impl BlockedSignals {
    /// Does nothing.
    #[allow(clippy::new_without_default, reason = "it has an effect on other systems")]
    pub fn new() -> Self {
        Self
    }
}

/// Sleeps for 0.1 ms or more.
pub fn wait_a_moment() {
    std::thread::sleep(Duration::from_micros(100));
}

/// Ends the process as a closed pipe does.
pub fn end_by_closed_pipe() -> ! {
    std::process::exit(CLOSED_PIPE)
}

/// Does nothing: there is no such limit.
pub fn ignore_file_size_signal() {}

/// A path for [`remove_in_handler`].
///
/// # Errors
///
/// If it has a NUL.
pub fn path_for_handler(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_encoded_bytes())?)
}

/// Removes a file.
pub fn remove_in_handler(path: &CStr) {
    // SAFETY: the bytes are all of those that `path_for_handler` got from the standard library in this process.
    let path = unsafe { OsStr::from_encoded_bytes_unchecked(path.to_bytes()) };
    let _ = fs::remove_file(path);
}

/// Writes UTF-8 to standard error. The standard library would wait for a lock, which a thread that is blocked may have.
pub fn say_in_handler(bytes: &[u8]) {
    // SAFETY: the call has no preconditions.
    let handle = unsafe { GetStdHandle(STD_ERROR_HANDLE) };
    if handle.is_null() {
        return;
    }
    // SAFETY: nobody closes the handle.
    let borrowed = unsafe { BorrowedHandle::borrow_raw(handle) };
    if is_console(borrowed) {
        let text: Vec<u16> = String::from_utf8_lossy(bytes).encode_utf16().collect();
        let _ = write_units(borrowed, &text);
    } else {
        let mut written = 0;
        // SAFETY: the handle is open, and pointer and length are those of the slice.
        unsafe {
            let len = bytes.len() as u32;
            WriteFile(handle, bytes.as_ptr(), len, &mut written, ptr::null_mut())
        };
    }
}
