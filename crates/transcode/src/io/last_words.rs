//! The last line of a process that a signal, a console event or a panic ends. It is written by a handler, which may
//! call async-signal-safe functions only.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use oxiconv_os::{Ending, say_in_handler};

use super::replace::discard_unfinished;

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
        say_in_handler(&line[..=len]);
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

/// Installs what happens when a signal or a console event ends the process: unfinished files are removed, and the
/// [`LastWords`] printed. So does a panic, which is made to abort. Call it once.
pub fn end_cleanly() {
    oxiconv_os::end_cleanly(Ending { discard: discard_unfinished, report });
}

/// Writes the line of the process, if there is one.
fn report(how: &str) {
    // SAFETY: a pointer that is not null was leaked by `LastWords::set`.
    if let Some(words) = unsafe { WORDS.load(Ordering::SeqCst).as_ref() } {
        words.say(how);
    }
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
