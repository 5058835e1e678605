use serde::Serialize;

use crate::{counted, grouped};
use oxiconv_transcode::diagnostic::{Kind, Summary};

/// The totals of a run over all its files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunTotals {
    /// The sum of the summaries of all files.
    pub summary: Summary,
    /// Files read.
    pub files: u64,
    /// How many of them have findings.
    pub files_with_findings: u64,
    /// Files that look binary.
    pub skipped: u64,
    /// Files that a rule of their repository excludes.
    pub excluded: u64,
    /// Files that were not converted because their text looks like another encoding.
    pub refused: u64,
    /// Files that were left alone because they are valid in the target encoding already.
    pub left_alone: u64,
    /// Outcomes of files that are converted one by one; `None` if they are not.
    pub converted: Option<Converted>,
    /// Files whose encoding is unknown; `None` if that was not the question.
    pub unknown: Option<u64>,
    /// Findings that the baseline lists, which are not in `summary`.
    pub known: u64,
    /// Findings of the baseline that are gone.
    pub gone: u64,
    /// Errors.
    pub errors: u64,
    /// Findings that were shown.
    pub shown: u64,
    /// Findings that were not shown because of the limit.
    pub withheld: u64,
}

/// Outcomes of files that are converted one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Converted {
    /// Files that were written, or would be.
    pub written: u64,
    /// Files that would not change by a byte.
    pub unchanged: u64,
    /// Files that could not be converted, or only up to a finding.
    pub failed: u64,
}

impl RunTotals {
    /// Returns the totals as a sentence: `3 files, 120 bytes, 118 characters: 2 findings in 1 file (1 truncated, 1
    /// overlong), 1 error`. With a baseline: `no new findings, 3 known, 1 gone`.
    pub fn words(&self) -> String {
        let Summary { bytes_read, characters, found, .. } = &self.summary;
        let mut words = format!(
            "{}, {}, {}: ",
            counted(self.files, "file"),
            counted(*bytes_read, "byte"),
            counted(*characters, "character")
        );
        let finding = if self.known > 0 { "new finding" } else { "finding" };
        match self.summary.total() {
            0 => words.push_str(&format!("no {finding}s")),
            total => {
                let kind =
                    |(kind, count): (&Kind, &u64)| format!("{} {}", grouped(*count), kind.id());
                let kinds: Vec<_> = found.iter().map(kind).collect();
                let total = counted(total, finding);
                let files = counted(self.files_with_findings, "file");
                words.push_str(&format!("{total} in {files} ({})", kinds.join(", ")));
            }
        }
        for (count, became) in [(self.known, "known"), (self.gone, "gone")] {
            if count > 0 {
                words.push_str(&format!(", {} {became}", grouped(count)));
            }
        }
        for (count, what, became) in [
            (self.skipped, "binary file", " skipped"),
            (self.excluded, "file", " excluded"),
            (self.refused, "file", " refused"),
            (self.left_alone, "file", " unchanged"),
            (self.errors, "error", ""),
        ] {
            if count > 0 {
                words.push_str(&format!(", {}{became}", counted(count, what)));
            }
        }
        words
    }
}
