//! The findings in one input: passed to its reporter, and counted.

use std::borrow::Cow;

use super::error::Error;
use super::position::Position;
use crate::diagnostic::{Finding, Kind, Outcome, Reporter, Summary};
use oxiconv_encodings::encoding::Encoding;

/// A fault is counted by its kind when it is found, and by its outcome when its remedy has been applied. One that stops
/// the conversion has no outcome.
pub(super) struct InputFindings {
    /// The encoding in force, with its byte order if that comes from a mark.
    pub(super) encoding: &'static Encoding,
    pub(super) summary: Summary,
    /// The finding that stops the conversion.
    pub(super) stopped_at: Option<Box<Finding<'static>>>,
}

impl InputFindings {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self { encoding, summary: Summary::default(), stopped_at: None }
    }

    /// Completes a finding with its place in the text.
    pub(super) fn placed<'f>(
        &self,
        found: Finding<'f>,
        offset: u64,
        position: Position,
        bytes: impl Into<Cow<'f, [u8]>>,
    ) -> Finding<'f> {
        let Position { line, column } = position;
        // An unmappable character is a finding about the target, which is its encoding already.
        let is_of_target = found.kind == Kind::Unmappable;
        let encoding = if is_of_target { found.encoding } else { self.encoding };
        Finding { offset, line, column: column.max(1), bytes: bytes.into(), encoding, ..found }
    }

    pub(super) fn report(
        &mut self,
        reporter: &mut dyn Reporter,
        finding: &Finding<'_>,
    ) -> Result<(), Error> {
        self.summary.count(finding.kind);
        if finding.stops {
            self.stopped_at = Some(Box::new(finding.detached()));
        }
        reporter.finding(finding).map_err(Error::Report)
    }

    /// Reports this many faults without their places, which nobody wants.
    pub(super) fn report_unplaced(&mut self, reporter: &mut dyn Reporter, kind: Kind, count: u64) {
        self.summary.count_many(kind, count);
        reporter.unplaced(kind, count);
    }

    /// Counts the outcome of a fault that does not stop the conversion.
    pub(super) fn count_outcome(&mut self, kind: Kind, outcome: Outcome) {
        self.summary.count_outcome(kind, outcome, 1);
    }
}
