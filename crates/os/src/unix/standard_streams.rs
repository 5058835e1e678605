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
use std::io::{self, Write};
use std::os::fd::{AsFd, RawFd};
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

use super::blocking::BlockingFile;
use super::file_io::enlarge;

/// The keys that end what is typed, as a sentence begins.
pub const END_KEYS: &str = "Ctrl-D ends";

/// Returns the paths: the shell has expanded wildcards.
pub fn expand_wildcards(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths
}

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
fn instead_of_stdin() -> Option<io::Result<File>> {
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
fn instead_of_stdout() -> Option<io::Result<File>> {
    was_closed(1).then(|| File::open("/dev/null"))
}

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
