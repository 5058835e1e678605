//! Matches the findings of one text with those that the baseline lists for it, or records them for a new baseline.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiconv_report::{Fingerprint, KnownFinding};
use oxiconv_transcode::diagnostic::{Finding, Kind};

/// The limit of different findings in a new baseline, since each takes memory until the end of the run.
pub(super) const MAX_DIFFERENT: usize = 100_000;

/// Tells which findings of one text are known, and counts them.
#[derive(Default)]
pub(crate) struct KnownInText<'a> {
    baseline: TextBaseline<'a>,
    pub(crate) by_kind: BTreeMap<Kind, u64>,
}

/// What a baseline has to do with one text.
#[derive(Default)]
enum TextBaseline<'a> {
    #[default]
    None,
    /// The listed findings that were not matched yet. If a text has more of one kind than listed, the rest are new.
    Listed(HashMap<Fingerprint, u64>),
    /// Findings for the new baseline. All are known. `different` counts those of all texts, which threads share.
    Recorded { findings: BTreeMap<Fingerprint, KnownFinding>, different: &'a AtomicUsize },
}

impl<'a> KnownInText<'a> {
    pub(super) fn listed(findings: impl Iterator<Item = (Fingerprint, u64)>) -> Self {
        Self { baseline: TextBaseline::Listed(findings.collect()), by_kind: BTreeMap::new() }
    }

    pub(super) fn recorded(different: &'a AtomicUsize) -> Self {
        let baseline = TextBaseline::Recorded { findings: BTreeMap::new(), different };
        Self { baseline, by_kind: BTreeMap::new() }
    }

    /// Whether a later finding may be known. If not, the caller may count findings instead of producing each.
    pub(crate) fn may_know_more(&self) -> bool {
        match &self.baseline {
            TextBaseline::None => false,
            TextBaseline::Listed(left) => !left.is_empty(),
            TextBaseline::Recorded { .. } => true,
        }
    }

    /// Matches or records the next finding of the text, and returns whether it is known.
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

    /// Returns the listed findings that were not matched, with their counts; empty if none were listed.
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

/// Matches one of the listed findings that are left.
fn take_one(left: &mut HashMap<Fingerprint, u64>, fingerprint: Fingerprint) -> bool {
    let Some(count) = left.get_mut(&fingerprint) else { return false };
    *count -= 1;
    if *count == 0 {
        left.remove(&fingerprint);
    }
    true
}

/// Records a finding. Beyond the limit, new ones are only counted: the baseline will not be written.
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
