//! What the standard library does not say of signals.

/// Whether the process was started with `signal` ignored, as `nohup` and shells in the background do.
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a C struct for which all zeros is a value, and the pointer is to a live one; a null action
    // only asks.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Lets a write past the size that the process may give a file fail, instead of ending the process.
pub fn ignore_file_size_signal() {
    // SAFETY: to ignore a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
