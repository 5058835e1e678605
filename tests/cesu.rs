//! CESU-8 and MUTF-8 through the library.
//!
//! Examples are written by hand from UTR 26 and from the JVM specification, 4.4.7. All scalar values are compared with
//! the rule of each encoding and, for CESU-8, with ICU's uconv. MUTF-8 is compared with Java's output;
//! `tests/data/mutf-8.txt` says how it was made.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{convert, replacing, skipped, strict, with};
use oxiconv_transcode::{OnIllFormed, OnUnmappable};

#[track_caller]
fn clean(from: &str, to: &str, input: &[u8]) -> Vec<u8> {
    let outcome = convert(&strict(from, to), input);
    assert_eq!(outcome.places(), vec![], "{from} to {to}");
    outcome.output
}

/// Encodes as CESU-8: each UTF-16 code unit as UTF-8, and surrogates, by the same rule, in three bytes.
fn by_units(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in text.encode_utf16() {
        match char::from_u32(unit.into()) {
            Some(c) => bytes.extend(c.to_string().bytes()),
            None => {
                bytes.extend([0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8])
            }
        }
    }
    bytes
}

fn all_scalar_values() -> String {
    ('\0'..=char::MAX).collect()
}

#[test]
fn all_scalar_values_go_through_each() {
    let text = all_scalar_values();
    let cesu = by_units(&text);
    let mutf = [b"\xC0\x80", &cesu[1..]].concat();
    assert_eq!((cesu[0], cesu.len()), (0, 128 + 2 * 0x780 + 3 * 0xF000 + 6 * 0x10_0000));
    for (name, expected) in [("CESU-8", &cesu), ("MUTF-8", &mutf)] {
        assert!(clean("UTF-8", name, text.as_bytes()) == *expected, "{name}");
        assert!(clean(name, "UTF-8", expected) == text.as_bytes(), "{name}");
        assert!(clean(name, name, expected) == *expected, "{name}");
    }
    assert!(clean("CESU-8", "MUTF-8", &cesu) == mutf);
    assert!(clean("MUTF-8", "CESU-8", &mutf) == cesu);
}

#[test]
fn cesu_8_is_what_uconv_has() {
    let text = all_scalar_values();
    let spawned = Command::new("uconv")
        .args(["-f", "UTF-8", "-t", "CESU-8"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        skipped("no uconv on this machine");
        return;
    };
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            let _ = stdin.write_all(text.as_bytes());
            drop(stdin);
        });
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success());
    assert!(clean("UTF-8", "CESU-8", text.as_bytes()) == output.stdout);
    assert!(clean("CESU-8", "UTF-8", &output.stdout) == text.as_bytes());
}

#[test]
fn what_is_ill_formed_in_cesu_8() {
    let outcome = convert(
        &replacing("CESU-8", "UTF-8"),
        b"\xED\xA0\x81\xED\xB0\x80\n\
          a\xF0\x90\x90\x80\n\
          \xED\xA0\xBDa\xED\xB8\x80\n\
          \xED\xA0\xBD\xED\xB8a\xED\xA0\xBD\xEDa\n\
          \xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\xC0\x80\n\
          \xED\xA0\xBD\xED\xB8",
    );
    assert_eq!(
        String::from_utf8(outcome.output).unwrap(),
        "\u{10400}\na\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\u{FFFD}a\u{FFFD}\u{FFFD}\u{FFFD}\n\
         \u{FFFD}a\u{FFFD}a\n\u{FFFD}😀\u{FFFD}\u{FFFD}\n\u{FFFD}"
    );
    let mut found = outcome.found.iter().map(|one| {
        (one.id, one.offset, one.bytes.len(), one.line, one.column, one.sentence.as_str())
    });
    for expected in [
        (
            "invalid-byte",
            8,
            1,
            2,
            2,
            "F0 begins a 4-byte sequence; CESU-8 uses two 3-byte sequences instead",
        ),
        ("unexpected-continuation", 9, 1, 2, 3, "90 is a continuation byte without a lead byte"),
        ("unexpected-continuation", 10, 1, 2, 4, "90 is a continuation byte without a lead byte"),
        ("unexpected-continuation", 11, 1, 2, 5, "80 is a continuation byte without a lead byte"),
        ("surrogate", 13, 3, 3, 1, "no low surrogate follows high surrogate ED A0 BD"),
        (
            "surrogate",
            17,
            1,
            3,
            3,
            "ED followed by B8 begins a low surrogate, but no high surrogate precedes it",
        ),
        ("unexpected-continuation", 18, 1, 3, 4, "B8 is a continuation byte without a lead byte"),
        ("unexpected-continuation", 19, 1, 3, 5, "80 is a continuation byte without a lead byte"),
        (
            "truncated",
            21,
            5,
            4,
            1,
            "ED A0 BD ED B8 begins a 6-byte CESU-8 character, but 61 ('a') follows",
        ),
        (
            "truncated",
            27,
            4,
            4,
            3,
            "ED A0 BD ED begins a 6-byte CESU-8 character, but 61 ('a') follows",
        ),
        ("surrogate", 33, 3, 5, 1, "no low surrogate follows high surrogate ED A0 BD"),
        ("overlong", 42, 1, 5, 3, "C0 never occurs in CESU-8; it would begin an overlong form"),
        ("unexpected-continuation", 43, 1, 5, 4, "80 is a continuation byte without a lead byte"),
        ("truncated-at-end", 45, 5, 6, 1, "the input ends inside a 6-byte CESU-8 character"),
    ] {
        assert_eq!(found.next(), Some(expected));
    }
    assert_eq!(found.next(), None);
}

#[test]
fn surrogates_are_unmappable_in_cesu_8() {
    let input = b"a\xED\xA0\xBDb\xED\xA0\xBD\xED\xB8\x80";
    let outcome = convert(&replacing("GENERALIZED-UTF-8", "CESU-8"), input);
    assert_eq!(outcome.output, b"a\xEF\xBF\xBDb\xEF\xBF\xBD\xEF\xBF\xBD");
    let skip = with("MUTF-8", "CESU-8", OnIllFormed::Stop, OnUnmappable::Skip);
    assert_eq!(convert(&skip, input).output, b"ab\xED\xA0\xBD\xED\xB8\x80");
}

#[test]
fn what_is_ill_formed_in_mutf_8() {
    let outcome = convert(
        &replacing("MUTF-8", "WTF-8"),
        b"a\0\xC0\x80\xC0\x81\xC1\xF4\xFF\xED\xA0a\xED\xA0\xBD\xC0",
    );
    assert_eq!(
        outcome.output,
        b"a\xEF\xBF\xBD\0\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDa\xED\xA0\xBD\xEF\xBF\xBD"
    );
    let mut found = outcome
        .found
        .iter()
        .map(|one| (one.id, one.offset, one.bytes.len(), one.sentence.as_str()));
    for expected in [
        ("invalid-byte", 1, 1, "00 never occurs in MUTF-8, which writes U+0000 as C0 80"),
        ("overlong", 4, 1, "C0 followed by 81 begins an overlong form"),
        ("unexpected-continuation", 5, 1, "81 is a continuation byte without a lead byte"),
        ("overlong", 6, 1, "C1 never occurs in MUTF-8; it would begin an overlong form"),
        (
            "invalid-byte",
            7,
            1,
            "F4 begins a 4-byte sequence; MUTF-8 uses two 3-byte sequences instead",
        ),
        ("invalid-byte", 8, 1, "FF never occurs in MUTF-8"),
        ("truncated", 9, 2, "ED A0 begins a 3-byte MUTF-8 character, but 61 ('a') follows"),
        ("truncated-at-end", 15, 1, "the input ends inside a 2-byte MUTF-8 character"),
    ] {
        assert_eq!(found.next(), Some(expected));
    }
    assert_eq!(found.next(), None);
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.split_whitespace().collect();
    digits
        .concat()
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn mutf_8_is_what_java_writes() {
    let data = include_str!("data/mutf-8.txt");
    let rows = data.lines().filter(|line| !line.starts_with('#'));
    let mut all = (Vec::new(), Vec::new());
    for row in rows {
        let (units, bytes) = row.split_once(" ; ").unwrap();
        let (units, bytes) = (unhex(units), unhex(bytes));
        assert_eq!(clean("WTF-16BE", "MUTF-8", &units), bytes, "{row}");
        assert_eq!(clean("MUTF-8", "WTF-16BE", &bytes), units, "{row}");
        all.0.extend(units);
        all.1.extend(bytes);
    }
    assert_eq!(clean("WTF-16BE", "MUTF-8", &all.0), all.1);
    // Two surrogates that are encoded separately make two sequences, but decode as one character, as in Java.
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    assert_eq!(clean("GENERALIZED-UTF-8", "MUTF-8", pair), pair);
    assert_eq!(clean("MUTF-8", "UTF-8", pair), "😀".as_bytes());
}
