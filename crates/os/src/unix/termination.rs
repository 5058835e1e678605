//! The signals that terminate the process: what happens then, and a guard that blocks them in a thread.
//!
//! ```text
//! signal ─► remove unfinished files ─► one line: what is complete ─► raise the same signal with its default action
//! ```
//!
//! All of this happens inside the handler, with async-signal-safe functions only. It needs neither a thread that waits
//! for signals nor a pipe to write to, so it works even if the system has no thread and no descriptor left. A panic and
//! an allocation failure abort, and SIGABRT is handled like the other signals.

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use crate::Ending;

/// Signals that other processes or timers send and that terminate the process by default, and SIGABRT, which a panic
/// and an allocation failure raise. Each has the word for it in the last line on standard error.
const TERMINATION_SIGNALS: [(libc::c_int, &str); 11] = [
    (libc::SIGINT, "interrupted"),
    (libc::SIGTERM, "terminated"),
    (libc::SIGHUP, "ended because the terminal hung up"),
    (libc::SIGABRT, "aborted"),
    (libc::SIGQUIT, "ended by SIGQUIT"),
    (libc::SIGALRM, "ended by SIGALRM"),
    (libc::SIGUSR1, "ended by SIGUSR1"),
    (libc::SIGUSR2, "ended by SIGUSR2"),
    (libc::SIGXCPU, "ended by SIGXCPU"),
    (libc::SIGVTALRM, "ended by SIGVTALRM"),
    (libc::SIGPROF, "ended by SIGPROF"),
];

/// Blocks the signals that terminate the process in this thread while it exists. A signal that arrives meanwhile is
/// delivered afterwards, or to another thread.
#[derive(Debug)]
pub struct BlockedSignals {
    before: libc::sigset_t,
}

impl BlockedSignals {
    /// Blocks them.
    #[allow(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Self {
        // SAFETY: `sigset_t` is a C struct for which all zeros is a valid value; both pointers are to live values.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut all);
            for (signal, _) in TERMINATION_SIGNALS {
                libc::sigaddset(&mut all, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
            Self { before }
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set came from the system.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }
}

/// Sleeps for 0.1 ms. Async-signal-safe.
pub fn wait_a_moment() {
    let time = libc::timespec { tv_sec: 0, tv_nsec: 100_000 };
    // SAFETY: the pointer is to a live value; with a null pointer the remaining time is not returned.
    unsafe { libc::nanosleep(&time, ptr::null_mut()) };
}

/// What the handler does, which is set before it is installed.
static ENDING: OnceLock<Ending> = OnceLock::new();

/// Installs the handlers: a signal that ends the process first does what `ending` says. So does a panic, which is made
/// to abort. Call it once.
///
/// Signals that were ignored when the process started stay ignored, as `nohup` and shells expect.
pub fn end_cleanly(ending: Ending) {
    ENDING.get_or_init(|| ending);
    for (signal, _) in TERMINATION_SIGNALS {
        if is_ignored(signal) {
            continue;
        }
        // SAFETY: `sigaction` is a C struct for which all zeros is a valid value; the handler has the signature of one
        // without SA_SIGINFO, and calls only async-signal-safe functions.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_ending as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            // A second signal must not interrupt the handler of the first one.
            for (other, _) in TERMINATION_SIGNALS {
                libc::sigaddset(&mut action.sa_mask, other);
            }
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
}

extern "C" fn on_ending(signal: libc::c_int) {
    if let Some(ending) = ENDING.get() {
        if (ending.discard)() {
            let how = TERMINATION_SIGNALS.iter().find(|(other, _)| *other == signal);
            (ending.report)(how.map_or("ended", |it| it.1));
        } else {
            // Another thread is ending the process. Returning would let this one continue meanwhile.
            loop {
                // SAFETY: it only waits.
                unsafe { libc::pause() };
            }
        }
    }
    end_by(signal)
}

/// Ends the process by `signal`, so that a shell sees status 128 plus its number. Async-signal-safe.
///
/// To exit with that status would not be the same: the wait status tells a parent whether the process was ended by a
/// signal.
fn end_by(signal: i32) -> ! {
    // SAFETY: all of these are async-signal-safe, and the set is a live value that `sigemptyset` fills.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        // The signal is blocked while its handler runs. So it only becomes pending here, and is delivered, with its
        // default action, when it is unblocked.
        libc::raise(signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, ptr::null_mut());
        // The default action does not end the first process of a container, so that one gets here.
        libc::_exit(128 + signal)
    }
}

/// Whether `signal` is ignored, as `nohup` and shells arrange for the processes that they start.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a C struct for which all zeros is a valid value, and the pointer is to a live value; with
    // a null action the call only queries.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Ends the process as a closed pipe does, so that a shell sees the same status as with `cat`.
pub fn end_by_closed_pipe() -> ! {
    end_by(libc::SIGPIPE)
}

/// Makes a write beyond the process's file size limit fail instead of ending the process.
pub fn ignore_file_size_signal() {
    // SAFETY: no handler is installed.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// A path for [`remove_in_handler`].
///
/// # Errors
///
/// If it has a NUL.
pub fn path_for_handler(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Removes a file. Async-signal-safe.
pub fn remove_in_handler(path: &CStr) {
    // SAFETY: `path` is a C string.
    unsafe { libc::unlink(path.as_ptr()) };
}

/// Writes bytes to standard error, in one call and as many as that takes. Async-signal-safe.
pub fn say_in_handler(bytes: &[u8]) {
    // SAFETY: pointer and length are those of the slice.
    unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
}
