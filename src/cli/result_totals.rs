//! The totals of a run: counts, and the exit status.

use oxiconv_report::{Converted, FixOutcome, RunTotals};
use oxiconv_transcode::diagnostic::Summary;

use super::config::RunAction;
use super::exit_status::ExitStatus;

/// The result of one input that was read to its end, or to the fault that stopped its conversion.
#[derive(Clone, Debug)]
pub(crate) struct InputResult {
    pub(crate) summary: Summary,
    /// The exit status if this were the only input.
    pub(crate) exit: ExitStatus,
    pub(crate) shown: u64,
    /// Findings that were not shown because of the limit.
    pub(crate) withheld: u64,
    /// Findings that the baseline lists.
    pub(crate) known: u64,
    /// Findings in the baseline that are gone.
    pub(crate) gone: u64,
}

impl InputResult {
    /// Creates the result of an input whose findings are not printed one by one, and do not make the run fail.
    pub(crate) fn of(summary: Summary) -> Self {
        let exit = ExitStatus::Clean;
        Self { summary, exit, shown: 0, withheld: 0, known: 0, gone: 0 }
    }
}

/// The counts of a run, and its exit status so far.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) exit: ExitStatus,
    pub(crate) counts: RunTotals,
}

impl Default for Totals {
    fn default() -> Self {
        Self { exit: ExitStatus::Clean, counts: RunTotals::default() }
    }
}

impl Totals {
    /// Returns the totals of a run with this action before its first file. Only a run that converts each file counts
    /// written files, and only `--detect` counts unknown encodings.
    pub(crate) fn of_run(action: &RunAction) -> Self {
        let mut totals = Self::default();
        let is_of_each = matches!(action, RunAction::Each(_) | RunAction::Fix(_));
        totals.counts.converted = is_of_each.then(Converted::default);
        totals.counts.unknown = matches!(action, RunAction::Detect(_)).then_some(0);
        totals
    }

    pub(crate) fn add_detected(&mut self, done: &InputResult, is_known: bool) {
        self.add(done);
        *self.counts.unknown.get_or_insert_default() += u64::from(!is_known);
    }

    /// Adds a file that was fixed, or was right, or in which something is left to do.
    pub(crate) fn add_fixed(&mut self, done: &InputResult, outcome: FixOutcome) {
        match outcome {
            FixOutcome::Right => self.add_converted(done, false),
            FixOutcome::Fixed => self.add_converted(done, true),
            FixOutcome::PartlyFixed => {
                self.add_converted(done, true);
                self.exit = self.exit.max(ExitStatus::Found);
            }
            FixOutcome::Left => self.add_refused(),
            FixOutcome::Binary => self.counts.skipped += 1,
        }
    }

    /// Adds a file that was converted, or whose conversion was stopped by a fault.
    pub(crate) fn add_converted(&mut self, done: &InputResult, changed: bool) {
        self.add(done);
        let converted = self.counts.converted.get_or_insert_default();
        *match (done.summary.stopped, changed) {
            (true, _) => &mut converted.failed,
            (false, true) => &mut converted.written,
            (false, false) => &mut converted.unchanged,
        } += 1;
    }

    pub(crate) fn add_failed(&mut self) {
        self.add_error();
        if let Some(converted) = &mut self.counts.converted {
            converted.failed += 1;
        }
    }

    /// Adds an error about a file that was counted as written, because files are counted before they are renamed.
    pub(crate) fn add_not_written(&mut self) {
        self.add_failed();
        if let Some(converted) = &mut self.counts.converted {
            converted.written = converted.written.saturating_sub(1);
        }
    }

    pub(crate) fn add(&mut self, done: &InputResult) {
        self.counts.files += 1;
        self.counts.files_with_findings += u64::from(done.summary.total() > 0);
        self.counts.shown += done.shown;
        self.counts.withheld += done.withheld;
        self.counts.known += done.known;
        self.counts.gone += done.gone;
        self.exit = self.exit.max(done.exit);
        self.counts.summary.add(&done.summary);
    }

    pub(crate) fn add_refused(&mut self) {
        self.counts.refused += 1;
        self.exit = self.exit.max(ExitStatus::Found);
    }

    pub(crate) fn add_error(&mut self) {
        self.counts.errors += 1;
        self.exit = self.exit.max(ExitStatus::Trouble);
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::EachTarget;
    use super::*;

    fn done(stopped: bool) -> InputResult {
        let mut summary = Summary::default();
        summary.stopped = stopped;
        let exit = if stopped { ExitStatus::Found } else { ExitStatus::Clean };
        InputResult { summary, exit, shown: 0, withheld: 0, known: 0, gone: 0 }
    }

    #[test]
    fn a_file_that_fails_when_it_is_renamed_was_not_written() {
        let mut totals = Totals::of_run(&RunAction::Each(EachTarget::InPlace(None)));
        totals.add_converted(&done(false), true);
        totals.add_converted(&done(false), true);
        totals.add_converted(&done(false), false);
        totals.add_converted(&done(true), true);
        let counts = |totals: &Totals| {
            let Converted { written, unchanged, failed, .. } = totals.counts.converted.unwrap();
            (written, unchanged, failed, totals.counts.errors)
        };
        assert_eq!((counts(&totals), totals.exit), ((2, 1, 1, 0), ExitStatus::Found));
        totals.add_not_written();
        assert_eq!((counts(&totals), totals.exit), ((1, 1, 2, 1), ExitStatus::Trouble));
        let mut check = Totals::of_run(&RunAction::Check);
        check.add_failed();
        assert_eq!(check.counts.converted, None);
    }
}
