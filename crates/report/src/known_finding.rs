use super::fingerprint::Fingerprint;
use oxiconv_transcode::diagnostic::{Finding, hex};

/// Equal findings of one text, as a baseline lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFinding {
    /// The id of their kind.
    pub kind: String,
    /// The name of the encoding whose rule they break.
    pub encoding: String,
    /// Their bytes in hexadecimal, at most [`KnownFinding::BYTES`] of them.
    pub bytes: String,
    /// How many there are.
    pub count: u64,
    /// Their fingerprint.
    pub fingerprint: Fingerprint,
}

impl KnownFinding {
    /// The most bytes that are listed.
    pub const BYTES: usize = 16;

    /// Creates the entry for `count` findings equal to this one.
    #[must_use]
    pub fn of(finding: &Finding<'_>, count: u64) -> Self {
        let shown = &finding.bytes[..finding.bytes.len().min(Self::BYTES)];
        Self {
            kind: finding.kind.id().to_owned(),
            encoding: finding.encoding.name().to_owned(),
            bytes: hex(shown).replace(' ', ""),
            count,
            fingerprint: Fingerprint::of(finding),
        }
    }
}

/// Findings in a baseline, some of which are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoneFinding {
    /// The entry of the baseline.
    pub known: KnownFinding,
    /// How many of them are gone; at least 1.
    pub count: u64,
}
