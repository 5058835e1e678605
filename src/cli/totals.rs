//! Totals of a run: its counts, and how it ends.

use crate::diagnostic::Summary;
use crate::report::{Converted, RunTotals};

use super::exit::Exit;

/// The result of one file that was read to its end, or to the fault that stopped its conversion.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) summary: Summary,
    /// How the program ends because of it.
    pub(crate) exit: Exit,
    /// Findings that were shown.
    pub(crate) shown: u64,
    /// Findings that were not shown, because of the limit.
    pub(crate) withheld: u64,
    /// Findings of the baseline that are gone.
    pub(crate) gone: u64,
}

/// The counts of a run, and its exit status.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) exit: Exit,
    pub(crate) counts: RunTotals,
}

impl Default for Totals {
    fn default() -> Self {
        Self { exit: Exit::Clean, counts: RunTotals::default() }
    }
}

impl Totals {
    /// Returns the totals of no file yet, of a run that converts files one by one or not.
    pub(crate) fn of_run(converts_each: bool) -> Self {
        let mut totals = Self::default();
        totals.counts.converted = converts_each.then(Converted::default);
        totals
    }

    /// Adds a file that was converted, and says whether a byte of it changed.
    pub(crate) fn add_converted(&mut self, done: &Done, changed: bool) {
        self.add(done);
        let converted = self.counts.converted.get_or_insert_default();
        *match (done.summary.stopped, changed) {
            (true, _) => &mut converted.failed,
            (false, true) => &mut converted.written,
            (false, false) => &mut converted.unchanged,
        } += 1;
    }

    /// Adds an error about one file.
    pub(crate) fn add_failed(&mut self) {
        self.add_error();
        if let Some(converted) = &mut self.counts.converted {
            converted.failed += 1;
        }
    }

    /// Adds an error about a file that was counted as written.
    pub(crate) fn add_not_written(&mut self) {
        self.add_failed();
        if let Some(converted) = &mut self.counts.converted {
            converted.written = converted.written.saturating_sub(1);
        }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, done: &Done) {
        self.counts.files += 1;
        self.counts.files_with_findings += u64::from(done.summary.total() > 0);
        self.counts.shown += done.shown;
        self.counts.withheld += done.withheld;
        self.counts.gone += done.gone;
        self.exit = self.exit.max(done.exit);
        self.counts.summary.add(&done.summary);
    }

    /// Adds a file that was refused.
    pub(crate) fn add_refused(&mut self) {
        self.counts.refused += 1;
        self.exit = self.exit.max(Exit::Found);
    }

    /// Adds an error.
    pub(crate) fn add_error(&mut self) {
        self.counts.errors += 1;
        self.exit = self.exit.max(Exit::Trouble);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(stopped: bool) -> Done {
        let summary = Summary { stopped, ..Summary::default() };
        let exit = if stopped { Exit::Found } else { Exit::Clean };
        Done { summary, exit, shown: 0, withheld: 0, gone: 0 }
    }

    #[test]
    fn a_file_that_fails_when_it_is_renamed_was_not_written() {
        let mut totals = Totals::of_run(true);
        totals.add_converted(&done(false), true);
        totals.add_converted(&done(false), true);
        totals.add_converted(&done(false), false);
        totals.add_converted(&done(true), true);
        let counts = |totals: &Totals| {
            let Converted { written, unchanged, failed, .. } = totals.counts.converted.unwrap();
            (written, unchanged, failed, totals.counts.errors)
        };
        assert_eq!((counts(&totals), totals.exit), ((2, 1, 1, 0), Exit::Found));
        totals.add_not_written();
        assert_eq!((counts(&totals), totals.exit), ((1, 1, 2, 1), Exit::Trouble));
        let mut check = Totals::of_run(false);
        check.add_failed();
        assert_eq!(check.counts.converted, None);
    }
}
