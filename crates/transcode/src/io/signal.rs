//! Handlers of the signals that terminate the process.
//!
//! ```text
//! signal ─► remove unfinished files ─► one line: what is complete ─► raise the same signal with its default action
//! ```
//!
//! All of this happens inside the handler, with async-signal-safe functions only. It needs neither a thread that waits
//! for signals nor a pipe to write to, so it works even if the system has no thread and no descriptor left. A panic and
//! an allocation failure abort, and SIGABRT is handled like the other signals.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::replace::discard_unfinished;
use super::signal_mask::TERMINATION_SIGNALS;

/// The line on standard error when a signal ends the process. The handler must not allocate, so all of its parts are
/// formatted in advance. Only the number of complete outputs is not known before, and [`LastWords::count`] keeps it in
/// an atomic.
#[derive(Debug, Default)]
pub struct LastWords {
    /// The start of the line, up to the word for the signal.
    pub before: String,
    /// The total number of outputs.
    pub total: usize,
    /// The rest of the line if no output is complete.
    pub none: String,
    /// The rest of the line after the number of complete outputs, if only some are.
    pub some: String,
    /// The rest of the line if all are complete.
    pub all: String,
}

static WORDS: AtomicPtr<LastWords> = AtomicPtr::new(ptr::null_mut());
static COMPLETE: AtomicUsize = AtomicUsize::new(0);

impl LastWords {
    /// Sets the line of the process. It is leaked, since a handler may read it at any time.
    pub fn set(self) {
        WORDS.store(Box::leak(Box::new(self)), Ordering::SeqCst);
    }

    /// Counts a complete output.
    pub fn count() {
        COMPLETE.fetch_add(1, Ordering::SeqCst);
    }

    /// Writes the line, truncated to 1024 bytes, in one call and without allocating.
    fn say(&self, how: &str) {
        let complete = COMPLETE.load(Ordering::SeqCst);
        let mut digits = [0; 20];
        let words = match complete {
            0 => [&b""[..], self.none.as_bytes()],
            _ if complete >= self.total => [&b""[..], self.all.as_bytes()],
            _ => [decimal(complete, &mut digits), self.some.as_bytes()],
        };
        let mut line = [0; 1024];
        let mut len = 0;
        for part in [self.before.as_bytes(), how.as_bytes(), b": ", words[0], words[1]] {
            // One byte is reserved for the line feed.
            let part = &part[..part.len().min(line.len() - 1 - len)];
            line[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        line[len] = b'\n';
        // SAFETY: pointer and length are those of the line.
        unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), len + 1) };
    }
}

/// Formats a number in decimal without allocating.
fn decimal(mut number: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[at..];
        }
    }
}

/// Installs the handlers: a signal that ends the process first removes unfinished files and prints the [`LastWords`].
/// So does a panic, which is made to abort. Call it once.
///
/// Signals that were ignored when the process started stay ignored, as `nohup` and shells expect.
pub fn end_cleanly() {
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
    if discard_unfinished() {
        // SAFETY: a pointer that is not null was leaked by `LastWords::set`.
        if let Some(words) = unsafe { WORDS.load(Ordering::SeqCst).as_ref() } {
            let how = TERMINATION_SIGNALS
                .iter()
                .find(|(other, _)| *other == signal)
                .map_or("ended", |it| it.1);
            words.say(how);
        }
    } else {
        // Another thread is ending the process. Returning would let this one continue meanwhile.
        loop {
            // SAFETY: it only waits.
            unsafe { libc::pause() };
        }
    }
    end_by(signal)
}

/// Ends the process by `signal`, so that a shell sees status 128 plus its number. Async-signal-safe.
///
/// To exit with that status would not be the same: the wait status tells a parent whether the process was ended by a
/// signal.
pub fn end_by(signal: i32) -> ! {
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
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a C struct for which all zeros is a valid value, and the pointer is to a live value; with
    // a null action the call only queries.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Makes a write beyond the process's file size limit fail instead of ending the process.
pub fn ignore_file_size_signal() {
    // SAFETY: no handler is installed.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_are_written_in_decimal() {
        for (number, shown) in [(0, "0"), (7, "7"), (10, "10"), (9_876_543_210, "9876543210")] {
            assert_eq!(decimal(number, &mut [0; 20]), shown.as_bytes());
        }
        assert_eq!(decimal(usize::MAX, &mut [0; 20]), usize::MAX.to_string().as_bytes());
    }
}
