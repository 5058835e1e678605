//! Signals that end the process: what is unfinished is removed, one line says what is whole, and the process ends by
//! that very signal.
//!
//! The work is done in the handler, with async-signal-safe functions only: it needs no thread and no descriptor, so it
//! holds where the system has neither to give. An abort (a panic, memory that is used up) is such a signal too.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::replace::discard_unfinished;
use super::undisturbed::ENDING;

/// What a process says of its work when a signal ends it: a line on standard error.
#[derive(Debug, Default)]
pub struct LastWords {
    /// How the line begins, up to the word for the signal.
    pub before: String,
    /// How many outputs there are to be in all.
    pub total: usize,
    /// What is said if none is complete.
    pub none: String,
    /// What is said after the number of those that are complete, if some are.
    pub some: String,
    /// What is said if all are complete.
    pub all: String,
}

static WORDS: AtomicPtr<LastWords> = AtomicPtr::new(ptr::null_mut());
static COMPLETE: AtomicUsize = AtomicUsize::new(0);

impl LastWords {
    /// Makes these the words of the process. They are never given back.
    pub fn set(self) {
        WORDS.store(Box::leak(Box::new(self)), Ordering::SeqCst);
    }

    /// Counts an output that is complete.
    pub fn count() {
        COMPLETE.fetch_add(1, Ordering::SeqCst);
    }

    /// Writes the line, without memory from the system.
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
            // One byte is kept for the line feed.
            let part = &part[..part.len().min(line.len() - 1 - len)];
            line[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        line[len] = b'\n';
        // SAFETY: the pointer and the length are those of the line.
        unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), len + 1) };
    }
}

/// A number in decimal digits.
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

/// From here on, a signal that ends the process first removes what is unfinished, and says the [`LastWords`]. A panic ends
/// the process by an abort, and so does the same. To be called once.
///
/// What the process was started with ignored stays ignored: nohup and shells rely on it.
pub fn end_cleanly() {
    for (signal, _) in ENDING {
        if is_ignored(signal) {
            continue;
        }
        // SAFETY: `sigaction` is a C struct for which all zeros is a value; the handler has the signature of one without
        // SA_SIGINFO, and calls only async-signal-safe functions.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_ending as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            for (other, _) in ENDING {
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
        // SAFETY: what is not null is what `LastWords::set` leaked.
        if let Some(words) = unsafe { WORDS.load(Ordering::SeqCst).as_ref() } {
            let how = ENDING.iter().find(|(other, _)| *other == signal).map_or("ended", |it| it.1);
            words.say(how);
        }
    } else {
        // Another thread is already at it, and ends the process.
        loop {
            // SAFETY: it only waits.
            unsafe { libc::pause() };
        }
    }
    end_by(signal)
}

/// Ends the process by `signal`, so that a shell sees 128 and its number; async-signal-safe.
pub fn end_by(signal: i32) -> ! {
    // SAFETY: all of these are async-signal-safe, and the set is a live one that `sigemptyset` fills.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        libc::raise(signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, ptr::null_mut());
        // Only the first process of a container gets here: no signal ends it.
        libc::_exit(128 + signal)
    }
}

/// Whether the process was started with `signal` ignored, as `nohup` and shells in the background do.
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a C struct for which all zeros is a value, and the pointer is to a live one; a null action
    // only asks.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Lets a write past the size that the process may give a file fail, instead of ending the process.
pub fn ignore_file_size_signal() {
    // SAFETY: to ignore a signal runs no code of ours.
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
