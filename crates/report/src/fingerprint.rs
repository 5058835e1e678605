//! Fingerprints: values by which the same finding is recognized in another run.
//!
//! ```text
//! kind, encoding, bytes, the byte after them ─► 64-bit hash, and its number among equal ones of the text
//! ```
//!
//! Neither the line nor the offset is hashed, so a fingerprint survives edits in the lines above. Every format that
//! prints fingerprints uses this rule, and so does the comparison with a baseline. Their documents outlive a version of
//! the program: a different rule needs a different version in its name (`oxiconvFinding/v1` in sarif).

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use oxiconv_transcode::diagnostic::Finding;

/// The number of counters of equal findings. It is fixed, because a text may have any number of different findings. Two
/// that share a counter still get different fingerprints, but their numbers have gaps.
const COUNTERS: usize = 4096;

/// What equal findings of a text share, as a hash. It is displayed as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Returns the fingerprint of a finding.
    ///
    /// A byte FF is hashed after each part. Without it, the same bytes divided differently among the parts would have
    /// the same fingerprint.
    #[must_use]
    pub fn of(finding: &Finding<'_>) -> Self {
        let next = finding.next.as_slice();
        let (kind, encoding) = (finding.kind.id(), finding.encoding.name());
        let parts = [kind.as_bytes(), encoding.as_bytes(), &finding.bytes, next];
        Self(parts.iter().fold(FNV_BASIS, |hash, part| fnv(fnv(hash, part), b"\xFF")))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Parses what `Display` writes.
impl FromStr for Fingerprint {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// A fingerprint with its number among equal ones of a text, from 1. Displayed as `89abcdef01234567:1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberedFingerprint(pub(super) Fingerprint, pub(super) u64);

impl fmt::Display for NumberedFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0, self.1)
    }
}

impl Serialize for NumberedFingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Numbers the fingerprints of one text.
pub(super) struct Fingerprints {
    /// Counters, indexed by some bits of the hash.
    seen: Vec<u64>,
}

impl Default for Fingerprints {
    fn default() -> Self {
        Self { seen: vec![0; COUNTERS] }
    }
}

impl Fingerprints {
    pub(super) fn next(&mut self, finding: &Finding<'_>) -> NumberedFingerprint {
        let fingerprint = Fingerprint::of(finding);
        let count = &mut self.seen[fingerprint.0 as usize % COUNTERS];
        *count += 1;
        NumberedFingerprint(fingerprint, *count)
    }
}

/// Returns the FNV-1a hash of some bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    fnv(FNV_BASIS, bytes)
}

/// The offset basis of the 64-bit FNV-1a hash.
const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// Continues an FNV-1a hash, which is the same in every version and on every machine. Documents that are kept rely on
/// that, and the hasher of the standard library promises neither.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::unicode::IllFormedKind;
    use oxiconv_transcode::diagnostic::Kind;

    fn finding(line: u64, offset: u64, bytes: &[u8]) -> Finding<'_> {
        let mut finding = Finding::new(Kind::IllFormed(IllFormedKind::InvalidByte));
        (finding.offset, finding.line, finding.bytes) = (offset, line, bytes.into());
        finding
    }

    /// The test vectors of the authors (Fowler, Noll, Vo: draft-eastlake-fnv).
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(hash(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(hash(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn a_fingerprint_does_not_depend_on_lines_and_numbers_equal_findings() {
        let mut one = Fingerprints::default();
        let before = [one.next(&finding(1, 0, b"\xFE")), one.next(&finding(9, 99, b"\xFF"))];
        let mut other = Fingerprints::default();
        let after = [other.next(&finding(3, 7, b"\xFE")), other.next(&finding(4, 50, b"\xFF"))];
        assert_eq!(before, after);
        assert_ne!(before[0], before[1]);
        assert_ne!(other.next(&finding(5, 60, b"\xFF")), after[1]);
    }

    /// Documents with fingerprints are kept for years. The expected values were computed by another program from the
    /// rule above.
    #[test]
    fn fingerprints_never_change() {
        let mut fingerprints = Fingerprints::default();
        assert_eq!(fingerprints.next(&finding(1, 0, b"\xFF")).to_string(), "e0e96f2141dfd36a:1");
        assert_eq!(fingerprints.next(&finding(2, 9, b"\xFF")).to_string(), "e0e96f2141dfd36a:2");
    }
}
