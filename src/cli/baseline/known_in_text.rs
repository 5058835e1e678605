//! The findings of one text, compared with those that the baseline lists for it, or recorded for a new baseline.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiconv_report::{Fingerprint, KnownFinding};
use oxiconv_transcode::diagnostic::{Finding, Kind};

/// The most different findings in a baseline that is written: each takes memory until the end of the run.
pub(super) const MAX_DIFFERENT: usize = 100_000;

/// Which findings of one text are known, and how many were.
#[derive(Default)]
pub(crate) struct KnownInText<'a> {
    baseline: TextBaseline<'a>,
    /// Known findings so far, by kind.
    pub(crate) by_kind: BTreeMap<Kind, u64>,
}

#[derive(Default)]
enum TextBaseline<'a> {
    /// There is no baseline.
    #[default]
    None,
    /// Of equal findings, as many are known as the baseline lists. These remain.
    Listed(HashMap<Fingerprint, u64>),
    /// All are known, because they will be in the new baseline. `different` counts those of all texts.
    Recorded { findings: BTreeMap<Fingerprint, KnownFinding>, different: &'a AtomicUsize },
}

impl<'a> KnownInText<'a> {
    /// Compares with what the baseline lists for the text.
    pub(super) fn listed(findings: impl Iterator<Item = (Fingerprint, u64)>) -> Self {
        Self { baseline: TextBaseline::Listed(findings.collect()), by_kind: BTreeMap::new() }
    }

    /// Records the findings of the text.
    pub(super) fn recorded(different: &'a AtomicUsize) -> Self {
        let baseline = TextBaseline::Recorded { findings: BTreeMap::new(), different };
        Self { baseline, by_kind: BTreeMap::new() }
    }

    /// Whether a later finding may be known. Then each must be seen; otherwise counts of them are enough.
    pub(crate) fn may_know_more(&self) -> bool {
        match &self.baseline {
            TextBaseline::None => false,
            TextBaseline::Listed(left) => !left.is_empty(),
            TextBaseline::Recorded { .. } => true,
        }
    }

    /// Takes the next finding of the text. Returns whether it is known.
    pub(crate) fn knows(&mut self, finding: &Finding<'_>) -> bool {
        let known = finding.kind.is_fault()
            && match &mut self.baseline {
                TextBaseline::None => false,
                TextBaseline::Listed(left) => {
                    !left.is_empty() && take_one(left, Fingerprint::of(finding))
                }
                TextBaseline::Recorded { findings, different } => {
                    record(findings, finding, different);
                    true
                }
            };
        if known {
            *self.by_kind.entry(finding.kind).or_default() += 1;
        }
        known
    }

    /// Returns how many of the listed findings were not found; empty if none were listed.
    pub(super) fn into_left(self) -> HashMap<Fingerprint, u64> {
        match self.baseline {
            TextBaseline::Listed(left) => left,
            TextBaseline::None | TextBaseline::Recorded { .. } => HashMap::new(),
        }
    }

    /// Returns the recorded findings; empty if none were to be recorded.
    pub(super) fn into_recorded(self) -> BTreeMap<Fingerprint, KnownFinding> {
        match self.baseline {
            TextBaseline::Recorded { findings, .. } => findings,
            TextBaseline::None | TextBaseline::Listed(_) => BTreeMap::new(),
        }
    }
}

/// Takes one of the findings that remain, if there is one.
fn take_one(left: &mut HashMap<Fingerprint, u64>, fingerprint: Fingerprint) -> bool {
    let Some(count) = left.get_mut(&fingerprint) else { return false };
    *count -= 1;
    if *count == 0 {
        left.remove(&fingerprint);
    }
    true
}

/// Counts a finding, unless there are too many different ones already.
fn record(
    findings: &mut BTreeMap<Fingerprint, KnownFinding>,
    finding: &Finding<'_>,
    different: &AtomicUsize,
) {
    let fingerprint = Fingerprint::of(finding);
    if let Some(known) = findings.get_mut(&fingerprint) {
        known.count += 1;
    } else if different.fetch_add(1, Ordering::Relaxed) < MAX_DIFFERENT {
        findings.insert(fingerprint, KnownFinding::of(finding, 1));
    }
}
