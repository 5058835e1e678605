//! The file format of baselines: JSON Lines. The first line has the version. Each of the others represents all
//! equal findings of one file.
//!
//! ```text
//! {"baseline":"oxiconv","version":1}
//! {"path":{"text":"src/a.txt"},"kind":"invalid-byte","encoding":"UTF-8","bytes":"FF","count":3,"fingerprint":"…"}
//! ```
//!
//! The lines are sorted, so that a change in one file changes only its lines, and branches merge line by line. If a
//! merge keeps two lines for the same findings, the greater count wins. The kind, the encoding and the bytes are for
//! people who review the baseline; only path, count and fingerprint are compared.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use oxiconv_os::slashed_path;
use oxiconv_report::{Fingerprint, JsonPath, KnownFinding, OwnedPath};

/// The version of the format. It also changes when fingerprints are computed differently.
const VERSION: u32 = 1;

/// The findings of each file. A path is relative to the directory of the baseline; `None` is standard input.
pub(super) type KnownFindings = BTreeMap<Option<PathBuf>, BTreeMap<Fingerprint, KnownFinding>>;

#[derive(Deserialize, Serialize)]
struct BaselineHeader<'a> {
    baseline: &'a str,
    version: u32,
}

/// The length limit of the first line, in any version.
const MAX_HEADER_LEN: u64 = 256;
/// The limit of a count, so that no sum of counts overflows.
const MAX_COUNT: u64 = 1 << 40;
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// A line after the first, to be written.
#[derive(Serialize)]
struct BaselineLine<'a> {
    path: JsonPath<'a>,
    kind: &'a str,
    encoding: &'a str,
    bytes: &'a str,
    count: u64,
    fingerprint: String,
}

/// The same, as it was read.
#[derive(Deserialize)]
struct OwnedBaselineLine {
    path: Option<OwnedPath>,
    kind: String,
    encoding: String,
    bytes: String,
    count: u64,
    fingerprint: String,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum BaselineFormatError {
    #[error("cannot read")]
    Read(#[from] io::Error),
    #[error("line 1: not the first line of a baseline (--write-baseline writes one)")]
    Header,
    #[error("line 1: the baseline has version {0}, but this program reads only version {VERSION}")]
    Version(u32),
    /// The number of an invalid line, from 1.
    #[error("line {0}: not a line of a baseline (repair it, or run --write-baseline again)")]
    Line(usize),
}

pub(super) fn read(mut from: impl BufRead) -> Result<KnownFindings, BaselineFormatError> {
    read_header(&mut from)?;
    let mut known = KnownFindings::new();
    for (line, number) in from.split(b'\n').zip(2..) {
        let (path, finding) = parse(&line?).ok_or(BaselineFormatError::Line(number))?;
        let count = finding.count;
        let kept = known.entry(path).or_default().entry(finding.fingerprint).or_insert(finding);
        kept.count = kept.count.max(count);
    }
    Ok(known)
}

pub(super) fn read_header(from: &mut impl BufRead) -> Result<(), BaselineFormatError> {
    let mut line = Vec::new();
    // Limited, because a file that is no baseline may have no line end at all.
    from.take(MAX_HEADER_LEN).read_until(b'\n', &mut line)?;
    match serde_json::from_slice(&line) {
        Ok(BaselineHeader { baseline: PROGRAM, version: VERSION }) => Ok(()),
        Ok(BaselineHeader { baseline: PROGRAM, version }) => {
            Err(BaselineFormatError::Version(version))
        }
        _ => Err(BaselineFormatError::Header),
    }
}

fn parse(line: &[u8]) -> Option<(Option<PathBuf>, KnownFinding)> {
    let OwnedBaselineLine { path, kind, encoding, bytes, count, fingerprint } =
        serde_json::from_slice(line).ok()?;
    let path = match path {
        Some(path) => Some(path.path()?),
        None => None,
    };
    let fingerprint = fingerprint.parse().ok()?;
    (1..=MAX_COUNT)
        .contains(&count)
        .then_some((path, KnownFinding { kind, encoding, bytes, count, fingerprint }))
}

pub(super) fn write(known: &KnownFindings, to: &mut dyn Write) -> io::Result<()> {
    write_line(&BaselineHeader { baseline: PROGRAM, version: VERSION }, to)?;
    for (path, findings) in known {
        let mut findings: Vec<_> = findings.values().collect();
        // A repository has one baseline for all systems.
        let slashed = path.as_deref().map(slashed_path);
        findings.sort_unstable_by_key(|it| (&it.kind, &it.encoding, &it.bytes, it.fingerprint));
        for KnownFinding { kind, encoding, bytes, count, fingerprint, .. } in findings {
            let path = JsonPath(slashed.as_deref());
            let (count, fingerprint) = (*count, fingerprint.to_string());
            write_line(&BaselineLine { path, kind, encoding, bytes, count, fingerprint }, to)?;
        }
    }
    Ok(())
}

fn write_line(line: &impl Serialize, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

#[cfg(test)]
mod tests;
