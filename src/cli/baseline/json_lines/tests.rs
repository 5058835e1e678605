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
        let counts: Vec<_> = known.values().flat_map(|it| it.values()).map(|it| it.count).collect();
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
        (br#"{"baseline":"oxiconv","version":2}"#.to_vec(), "line 1: the baseline has version 2"),
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
