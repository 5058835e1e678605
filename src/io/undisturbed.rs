//! The signals that end a process, and times in which none of them interrupts a thread.

use std::ptr;

/// Signals whose default is to end the process, and that others send, and the abort; each with what it is to a person.
pub(super) const ENDING: [(libc::c_int, &str); 11] = [
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

/// A time in which no signal interrupts this thread, so that it can finish what must not be left half done.
pub(super) struct Undisturbed {
    before: libc::sigset_t,
}

impl Undisturbed {
    pub(super) fn new() -> Self {
        // SAFETY: `sigset_t` is a C struct for which all zeros is a value; both pointers are to live ones.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut all);
            for (signal, _) in ENDING {
                libc::sigaddset(&mut all, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
            Self { before }
        }
    }
}

impl Drop for Undisturbed {
    fn drop(&mut self) {
        // SAFETY: the set is the one that the system gave.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }
}

/// Waits a moment; async-signal-safe.
pub(super) fn wait_a_moment() {
    let time = libc::timespec { tv_sec: 0, tv_nsec: 100_000 };
    // SAFETY: the pointer is to a live value; a null one asks for no rest.
    unsafe { libc::nanosleep(&time, ptr::null_mut()) };
}
