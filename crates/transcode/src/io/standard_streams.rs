//! Standard streams that were closed when the process started (`program <&- >&-`).
//!
//! Some file must take their numbers: otherwise the next file that is opened gets number 1, and whatever is printed is
//! written into it. Rust's runtime opens /dev/null in their place before `main`; [`prepare_streams`] does so where the
//! C library starts the program instead.
//!
//! But /dev/null would swallow the output with status 0, and make a missing input look like an empty one. So the
//! streams are examined even earlier, and [`instead_of_stdin`] and [`instead_of_stdout`] then provide a file on which
//! reading or writing fails, as it does on a closed descriptor.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU8, Ordering};

/// The streams that were closed: one bit per descriptor.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// The C library calls the functions of this section before `main`, and so before Rust's runtime opens anything.
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
/// ignores SIGPIPE, so that writing to a closed pipe is an error and not the end of the process.
pub fn prepare_streams() {
    // `open` returns the lowest free number, so the streams are opened in ascending order.
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

fn was_closed(descriptor: RawFd) -> bool {
    CLOSED.load(Ordering::Relaxed) & (1 << descriptor) != 0
}

/// Returns a file to use instead of standard input if that was closed. It is open for writing only, so reading it fails
/// with EBADF, as reading a closed descriptor does.
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

/// Returns a file to use instead of standard output if that was closed. It is open for reading only, so writing to it
/// fails.
pub(super) fn instead_of_stdout() -> Option<io::Result<File>> {
    was_closed(1).then(|| File::open("/dev/null"))
}
