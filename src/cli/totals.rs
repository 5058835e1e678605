//! What all files of a run together came to.

use crate::diagnostic::Summary;

use super::exit::{Exit, Listed};
use super::job::{Done, counted};

/// Counts of a run.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) exit: Exit,
    pub(crate) summary: Summary,
    /// Files read.
    pub(crate) files: u64,
    /// Those among them that have findings.
    pub(crate) faulty: u64,
    pub(crate) passed_over: u64,
    /// Files that were not converted, for what is known of their text.
    pub(crate) refused: u64,
    /// Files that need no conversion.
    pub(crate) left_alone: u64,
    pub(crate) errors: u64,
    /// Findings that were shown.
    pub(crate) shown: u64,
    /// Findings that were not, for the limit's sake.
    pub(crate) withheld: u64,
    /// Whether `--stats` tells the same in full.
    pub(crate) told_in_full: bool,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            exit: Exit::Clean,
            summary: Summary::default(),
            files: 0,
            faulty: 0,
            passed_over: 0,
            refused: 0,
            left_alone: 0,
            errors: 0,
            shown: 0,
            withheld: 0,
            told_in_full: false,
        }
    }
}

impl Totals {
    /// Adds a file that was read to its end, or to where its conversion stopped.
    pub(crate) fn add(&mut self, done: &Done, listed: Listed) {
        self.files += 1;
        self.faulty += u64::from(done.summary.total() > 0);
        self.shown += done.shown;
        self.withheld += done.withheld;
        self.exit = self.exit.max(Exit::of(&done.summary, listed));
        self.summary.add(&done.summary);
    }

    /// Adds a file that was refused: the others go on.
    pub(crate) fn add_refused(&mut self) {
        self.refused += 1;
        self.exit = self.exit.max(Exit::Found);
    }

    /// Adds an error.
    pub(crate) fn add_error(&mut self) {
        self.errors += 1;
        self.exit = self.exit.max(Exit::Trouble);
    }

    /// `3 files, 120 bytes, 118 characters: 2 findings in 1 file (1 truncated, 1 overlong), 1 error`.
    pub(crate) fn words(&self) -> String {
        let Summary { bytes_read, characters, found, .. } = &self.summary;
        let mut words = format!(
            "{}, {}, {}: ",
            counted(self.files, "file"),
            counted(*bytes_read, "byte"),
            counted(*characters, "character")
        );
        match self.summary.total() {
            0 => words.push_str("no findings"),
            total => {
                let kinds: Vec<_> =
                    found.iter().map(|(kind, count)| format!("{count} {}", kind.id())).collect();
                let (total, files) = (counted(total, "finding"), counted(self.faulty, "file"));
                words.push_str(&format!("{total} in {files} ({})", kinds.join(", ")));
            }
        }
        if self.passed_over > 0 {
            words.push_str(&format!(", {} skipped", counted(self.passed_over, "binary file")));
        }
        if self.refused > 0 {
            words.push_str(&format!(", {} refused", counted(self.refused, "file")));
        }
        if self.left_alone > 0 {
            words.push_str(&format!(", {} left alone", counted(self.left_alone, "file")));
        }
        if self.errors > 0 {
            words.push_str(&format!(", {}", counted(self.errors, "error")));
        }
        words
    }
}
