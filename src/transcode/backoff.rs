//! Trying again what led nowhere: after twice as long each time, up to a most; at once after it led somewhere.

/// How long to wait, in whatever unit, before the next try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    wait: u64,
    least: u64,
    most: u64,
}

impl Backoff {
    /// Waits `least` after the first failure, and never longer than `most`.
    pub(super) const fn new(least: u64, most: u64) -> Self {
        Self { wait: 0, least, most }
    }

    /// How long to wait now; 0 if the last try led somewhere, or there was none.
    pub(super) const fn wait(&self) -> u64 {
        self.wait
    }

    /// Takes note of a try that led somewhere.
    pub(super) const fn succeeded(&mut self) {
        self.wait = 0;
    }

    /// Takes note of a try that led nowhere.
    pub(super) fn failed(&mut self) {
        self.wait = (2 * self.wait).clamp(self.least, self.most);
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
