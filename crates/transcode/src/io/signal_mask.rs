//! The signals that terminate the process, and a guard that blocks them in a thread.

use std::ptr;

/// Signals that other processes or timers send and that terminate the process by default, and SIGABRT, which a panic
/// and an allocation failure raise. Each has the word for it in the last line on standard error.
pub(super) const TERMINATION_SIGNALS: [(libc::c_int, &str); 11] = [
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

/// Blocks the [`TERMINATION_SIGNALS`] in this thread while it exists. A signal that arrives meanwhile is delivered
/// afterwards, or to another thread.
pub(super) struct BlockedSignals {
    before: libc::sigset_t,
}

impl BlockedSignals {
    pub(super) fn new() -> Self {
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
pub(super) fn wait_a_moment() {
    let time = libc::timespec { tv_sec: 0, tv_nsec: 100_000 };
    // SAFETY: the pointer is to a live value; with a null pointer the remaining time is not returned.
    unsafe { libc::nanosleep(&time, ptr::null_mut()) };
}
