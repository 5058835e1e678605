//! Totals of a run: its counts, and how it ends.

use crate::diagnostic::Summary;
use crate::report::RunTotals;

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
    /// Adds a file.
    pub(crate) fn add(&mut self, done: &Done) {
        self.counts.files += 1;
        self.counts.files_with_findings += u64::from(done.summary.total() > 0);
        self.counts.shown += done.shown;
        self.counts.withheld += done.withheld;
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
