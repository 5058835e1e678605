//! Exponential backoff for attempts that may not pay: the wait doubles after each failure, up to a maximum, and ends
//! after a success.

/// How long to wait before the next attempt, in any unit: here code points or bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    wait: u64,
    min: u64,
    max: u64,
}

impl Backoff {
    /// Creates a backoff that waits `min` after the first failure, and never longer than `max`.
    pub(super) const fn new(min: u64, max: u64) -> Self {
        Self { wait: 0, min, max }
    }

    /// Returns how long to wait now; 0 if the last attempt succeeded or there was none.
    pub(super) const fn wait(&self) -> u64 {
        self.wait
    }

    pub(super) const fn succeeded(&mut self) {
        self.wait = 0;
    }

    pub(super) fn failed(&mut self) {
        self.wait = (2 * self.wait).clamp(self.min, self.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_doubles_up_to_the_most_and_begins_anew_after_a_success() {
        let mut backoff = Backoff::new(2, 15);
        let mut failed = || {
            backoff.failed();
            backoff.wait()
        };
        assert_eq!([failed(), failed(), failed(), failed(), failed()], [2, 4, 8, 15, 15]);
        backoff.succeeded();
        assert_eq!(backoff.wait(), 0);
        backoff.failed();
        assert_eq!(backoff.wait(), 2);
    }
}
