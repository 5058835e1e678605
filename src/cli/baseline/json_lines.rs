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
mod tests {
    #[cfg(unix)]
    use std::{ffi::OsString, os::unix::ffi::OsStringExt};

    use super::*;

    const HEAD: &str = r#"{"baseline":"oxiconv","version":1}"#;

    #[cfg(unix)]
    fn finding(bytes: &str, count: u64, fingerprint: &str) -> KnownFinding {
        KnownFinding {
            kind: "invalid-byte".to_owned(),
            encoding: "UTF-8".to_owned(),
            bytes: bytes.to_owned(),
            count,
            fingerprint: fingerprint.parse().unwrap(),
        }
    }

    fn line(path: &str, bytes: &str, count: u64, fingerprint: &str) -> String {
        format!(
            r#"{{"path":{path},"kind":"invalid-byte","encoding":"UTF-8","bytes":"{bytes}","count":{count},"fingerprint":"{fingerprint}"}}"#
        )
    }

    /// Windows has no names that are not text.
    #[cfg(unix)]
    #[test]
    fn lines_are_sorted_and_read_as_they_were_written() {
        let mut known = KnownFindings::new();
        let not_utf8 = PathBuf::from(OsString::from_vec(b"caf\xE9".to_vec()));
        for (path, one) in [
            (Some("b/c".into()), finding("FF", 1, "1")),
            (Some("a".into()), finding("FF", 3, "2")),
            (Some("a".into()), finding("FE", 1, "fedcba9876543210")),
            (Some(not_utf8), finding("FF", 1, "1")),
            (None, finding("FF", 1, "1")),
        ] {
            known.entry(path).or_default().insert(one.fingerprint, one);
        }
        let mut written = Vec::new();
        write(&known, &mut written).unwrap();
        let expected = [
            HEAD.to_owned(),
            line("null", "FF", 1, "0000000000000001"),
            line(r#"{"text":"a"}"#, "FE", 1, "fedcba9876543210"),
            line(r#"{"text":"a"}"#, "FF", 3, "0000000000000002"),
            line(r#"{"text":"b/c"}"#, "FF", 1, "0000000000000001"),
            // RFC 4648: 63 61 66 E9 is Y2Fm 6Q==.
            line(r#"{"bytes":"Y2Fm6Q=="}"#, "FF", 1, "0000000000000001"),
        ];
        assert_eq!(String::from_utf8(written.clone()).unwrap(), expected.join("\n") + "\n");
        assert_eq!(read(&written[..]).unwrap(), known);
        // As git checks it out on Windows.
        let crlf = expected.join("\r\n") + "\r\n";
        assert_eq!(read(crlf.as_bytes()).unwrap(), known);
    }

    #[test]
    fn of_two_lines_for_equal_findings_the_greater_count_holds() {
        let a = r#"{"text":"a"}"#;
        for counts in [[2, 5], [5, 2]] {
            let text = format!(
                "{HEAD}\n{}\n{}\n",
                line(a, "FF", counts[0], "7"),
                line(a, "FF", counts[1], "7")
            );
            let known = read(text.as_bytes()).unwrap();
            let counts: Vec<_> =
                known.values().flat_map(|it| it.values()).map(|it| it.count).collect();
            assert_eq!(counts, [5]);
        }
    }

    #[test]
    fn what_is_not_a_baseline_is_an_error_with_its_line() {
        let good = line(r#"{"text":"a"}"#, "FF", 1, "7");
        let zeros = vec![0; 1 << 20];
        for (text, expected) in [
            (b"".to_vec(), "line 1: not the first line"),
            (b"a text\n".to_vec(), "line 1: not the first line"),
            (zeros, "line 1: not the first line"),
            (br#"{"baseline":"other","version":1}"#.to_vec(), "line 1: not the first line"),
            (
                br#"{"baseline":"oxiconv","version":2}"#.to_vec(),
                "line 1: the baseline has version 2",
            ),
            (format!("{HEAD}\n{good}\n<<<<<<< HEAD\n").into_bytes(), "line 3: not a line"),
            (format!("{HEAD}\n{}\n", &good[1..]).into_bytes(), "line 2: not a line"),
            (format!("{HEAD}\n{}", &good[..good.len() / 2]).into_bytes(), "line 2: not a line"),
            (format!("{HEAD}\n{}\n", good.replace("\"7\"", "\"x\"")).into_bytes(), "line 2: not"),
            (format!("{HEAD}\n{}\n", good.replace(":1,", ":0,")).into_bytes(), "line 2: not"),
            (format!("{HEAD}\n{}\n", good.replace(":1,", ":-1,")).into_bytes(), "line 2: not"),
            (
                format!("{HEAD}\n{}\n", line(r#"{"bytes":"?"}"#, "FF", 1, "7")).into_bytes(),
                "line 2: not",
            ),
        ] {
            let error = read(&text[..]).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(read(HEAD.as_bytes()).unwrap().is_empty());
    }
}
