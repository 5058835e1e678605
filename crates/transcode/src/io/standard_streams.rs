//! Which standard streams were closed when the process started (`program <&- >&-`).
//!
//! /dev/null is opened in their place, by Rust's runtime before `main` or by [`prepare_streams`], so that no file gets
//! their number. But text written to a closed standard output must not be lost without an error, and a closed standard
//! input must not look empty. So the streams are examined before that.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each of the descriptors 0 to 2.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// The system calls the functions of this section before the runtime starts.
#[used]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array"))]
static EXAMINE: extern "C" fn() = examine;

extern "C" fn examine() {
    for descriptor in 0..3 {
        // SAFETY: F_GETFD reads the flags of a descriptor; it fails if that is not open, and changes nothing.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
}

/// Does for the standard streams what Rust's runtime does where it starts the program: opens those that are closed, and
/// has a closed pipe be an error of what is written to it, not the end of the process.
pub fn prepare_streams() {
    // The lowest free number is taken, so the order is that of the numbers.
    for descriptor in (0..3).filter(|descriptor| was_closed(*descriptor)) {
        // SAFETY: the first reads flags; the second has a path that ends with a zero.
        unsafe {
            if libc::fcntl(descriptor, libc::F_GETFD) == -1 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
    }
    // SAFETY: no handler is installed.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

/// Whether a standard stream was closed when the process started.
fn was_closed(descriptor: RawFd) -> bool {
    CLOSED.load(Ordering::Relaxed) & (1 << descriptor) != 0
}

/// Returns what takes the place of standard input if that was closed: reading it fails, as reading a closed one does.
pub(super) fn instead_of_stdin() -> Option<io::Result<File>> {
    was_closed(0).then(|| OpenOptions::new().write(true).open("/dev/null"))
}

/// Whether standard output can be written to at all.
///
/// # Errors
///
/// If it was closed when the process started.
pub fn check_stdout() -> io::Result<()> {
    if was_closed(1) { Err(io::Error::from_raw_os_error(libc::EBADF)) } else { Ok(()) }
}

/// Returns what takes the place of standard output if that was closed: writing to it fails.
pub(super) fn instead_of_stdout() -> Option<io::Result<File>> {
    was_closed(1).then(|| File::open("/dev/null"))
}
