//! UTF-1 and UTF-EBCDIC against their specifications: boundary values by hand, and every scalar value against a
//! separate implementation in Python.

use std::path::Path;
use std::process::Command;

use crate::support::{convert, convert_cut, encoding, replacing, skipped, strict};
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, EncodeStop, MIN_OUTPUT, MIN_PIVOT};

/// The kind, offset and length of a finding.
type Place = (&'static str, u64, usize);

/// Values at the boundaries of the rows in ISO/IEC 10646-1:1993, Annex G, and at the limits of the scalar values.
const UTF_1: &[(u32, &[u8])] = &[
    (0x00, b"\x00"),
    (0x20, b"\x20"),
    (0x7F, b"\x7F"),
    (0x80, b"\x80"),
    (0x9F, b"\x9F"),
    (0xA0, b"\xA0\xA0"),
    (0xBF, b"\xA0\xBF"),
    (0xC0, b"\xA0\xC0"),
    (0xFF, b"\xA0\xFF"),
    (0x100, b"\xA1\x21"),
    (0x15D, b"\xA1\x7E"),
    (0x15E, b"\xA1\xA0"),
    (0x1BD, b"\xA1\xFF"),
    (0x1BE, b"\xA2\x21"),
    (0x7FF, b"\xAA\x72"),
    (0x800, b"\xAA\x73"),
    (0xFFF, b"\xB5\x48"),
    (0x4015, b"\xF5\xFF"),
    (0x4016, b"\xF6\x21\x21"),
    (0xD7FF, b"\xF7\x2F\xC3"),
    (0xE000, b"\xF7\x3A\x79"),
    (0xFEFF, b"\xF7\x64\x4C"),
    (0xFFFF, b"\xF7\x65\xAF"),
    (0x1_0000, b"\xF7\x65\xB0"),
    (0x3_8E2D, b"\xFB\xFF\xFF"),
    (0x3_8E2E, b"\xFC\x21\x21\x21\x21"),
    (0xF_FFFF, b"\xFC\x21\x37\xB2\x7A"),
    (0x10_0000, b"\xFC\x21\x37\xB2\x7B"),
    (0x10_FFFF, b"\xFC\x21\x39\x6E\x6C"),
];

/// Values at the boundaries of the rows in UTR #16, and at the limits of the scalar values.
const UTF_EBCDIC: &[(u32, &[u8])] = &[
    (0x00, b"\x00"),
    (0x0A, b"\x15"),
    (0x20, b"\x40"),
    (0x30, b"\xF0"),
    (0x41, b"\xC1"),
    (0x5B, b"\xAD"),
    (0x5C, b"\xE0"),
    (0x61, b"\x81"),
    (0x7F, b"\x07"),
    (0x80, b"\x20"),
    (0x85, b"\x25"),
    (0x9F, b"\xFF"),
    (0xA0, b"\x80\x41"),
    (0xFF, b"\x8B\x73"),
    (0x3FF, b"\xB6\x73"),
    (0x400, b"\xB8\x41\x41"),
    (0x20AC, b"\xCA\x46\x53"),
    (0x3FFF, b"\xDB\x73\x73"),
    (0x4000, b"\xDC\x57\x41\x41"),
    (0xD7FF, b"\xDD\x64\x73\x73"),
    (0xE000, b"\xDD\x67\x41\x41"),
    (0xFEFF, b"\xDD\x73\x66\x73"),
    (0xFFFF, b"\xDD\x73\x73\x73"),
    (0x3_FFFF, b"\xEC\x73\x73\x73"),
    (0x4_0000, b"\xED\x49\x41\x41\x41"),
    (0x10_FFFF, b"\xEE\x42\x73\x73\x73"),
];

#[test]
fn the_rows_of_the_documents() {
    for (name, rows) in [("UTF-1", UTF_1), ("UTF-EBCDIC", UTF_EBCDIC)] {
        for (value, bytes) in rows {
            let utf32 = value.to_be_bytes();
            let written = convert(&strict("UTF-32BE", name), &utf32);
            assert_eq!(written.output, *bytes, "{name}: {value:X}");
            // A letter comes first, because U+FEFF at the start would be a signature.
            let letter = if name == "UTF-1" { b"A" } else { b"\xC1" };
            let read = convert(&strict(name, "UTF-32BE"), &[letter, *bytes].concat());
            assert_eq!(read.output[4..], utf32, "{name}: {value:X}");
        }
    }
}

/// Every kind of ill-formed input: encoding, input, output in UTF-8 under `replace`, findings.
const ILL_FORMED: &[(&str, &[u8], &str, &[Place])] = &[
    ("UTF-1", b"\xA0A", "\u{FFFD}A", &[("truncated", 0, 1)]),
    ("UTF-1", b"\xA1\x20", "\u{FFFD} ", &[("truncated", 0, 1)]),
    ("UTF-1", b"A\xF6\x21\x80", "A\u{FFFD}\u{80}", &[("truncated", 1, 2)]),
    ("UTF-1", b"\xF6\x21\n", "\u{FFFD}\n", &[("truncated", 0, 2)]),
    ("UTF-1", b"\xF7\x2F\xC4\x21", "\u{FFFD}\u{1AFA}", &[("surrogate", 0, 2)]),
    ("UTF-1", b"\xF7\x30", "\u{FFFD}0", &[("surrogate", 0, 1)]),
    ("UTF-1", b"\xF7\x39", "\u{FFFD}9", &[("surrogate", 0, 1)]),
    ("UTF-1", b"\xF7\x3A\x78", "\u{FFFD}x", &[("surrogate", 0, 2)]),
    ("UTF-1", b"\xFC\x22", "\u{FFFD}\"", &[("out-of-range", 0, 1)]),
    ("UTF-1", b"\xFC\x21\x3A", "\u{FFFD}:", &[("out-of-range", 0, 2)]),
    ("UTF-1", b"\xFC\x21\x39\x6F", "\u{FFFD}o", &[("out-of-range", 0, 3)]),
    ("UTF-1", b"\xFC\x21\x39\x6E\x6D", "\u{FFFD}m", &[("out-of-range", 0, 4)]),
    ("UTF-1", b"\xFD\x21", "\u{FFFD}!", &[("out-of-range", 0, 1)]),
    (
        "UTF-1",
        b"\xFE\xFF\x41",
        "\u{FFFD}\u{FFFD}A",
        &[("out-of-range", 0, 1), ("out-of-range", 1, 1)],
    ),
    ("UTF-1", b"\xF7\x3A", "\u{FFFD}", &[("truncated-at-end", 0, 2)]),
    ("UTF-1", b"\xFC\x21\x39\x6E", "\u{FFFD}", &[("truncated-at-end", 0, 4)]),
    ("UTF-EBCDIC", b"\x41\xC1", "\u{FFFD}A", &[("unexpected-continuation", 0, 1)]),
    (
        "UTF-EBCDIC",
        b"\x74\x41",
        "\u{FFFD}\u{FFFD}",
        &[("overlong", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    ("UTF-EBCDIC", b"\x78\xC1", "\u{FFFD}A", &[("overlong", 0, 1)]),
    ("UTF-EBCDIC", b"\xB7\xC1", "\u{FFFD}A", &[("overlong", 0, 1)]),
    (
        "UTF-EBCDIC",
        b"\xDC\x56",
        "\u{FFFD}\u{FFFD}",
        &[("overlong", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    (
        "UTF-EBCDIC",
        b"\xED\x48",
        "\u{FFFD}\u{FFFD}",
        &[("overlong", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    (
        "UTF-EBCDIC",
        b"\xDD\x65",
        "\u{FFFD}\u{FFFD}",
        &[("surrogate", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    (
        "UTF-EBCDIC",
        b"\xDD\x66",
        "\u{FFFD}\u{FFFD}",
        &[("surrogate", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    (
        "UTF-EBCDIC",
        b"\xEE\x43",
        "\u{FFFD}\u{FFFD}",
        &[("out-of-range", 0, 1), ("unexpected-continuation", 1, 1)],
    ),
    ("UTF-EBCDIC", b"\xEF\xC1", "\u{FFFD}A", &[("out-of-range", 0, 1)]),
    ("UTF-EBCDIC", b"\xFB\xC1", "\u{FFFD}A", &[("out-of-range", 0, 1)]),
    ("UTF-EBCDIC", b"\xFE\xC1", "\u{FFFD}A", &[("out-of-range", 0, 1)]),
    ("UTF-EBCDIC", b"\x80\xC1", "\u{FFFD}A", &[("truncated", 0, 1)]),
    ("UTF-EBCDIC", b"\xEE\x42\x73\xC1", "\u{FFFD}A", &[("truncated", 0, 3)]),
    ("UTF-EBCDIC", b"\xB8\x41", "\u{FFFD}", &[("truncated-at-end", 0, 2)]),
];

#[test]
fn each_kind_is_one_maximal_subpart_however_the_text_is_cut() {
    for (name, input, text, places) in ILL_FORMED {
        let conversion = replacing(name, "UTF-8");
        let whole = convert(&conversion, input);
        let found: Vec<_> =
            whole.places().iter().map(|place| (place.0, place.1, place.2)).collect();
        assert_eq!(found, *places, "{name}: {input:X?}");
        assert_eq!(String::from_utf8_lossy(&whole.output), *text, "{name}: {input:X?}");
        for at in 1..input.len() {
            for late in [false, true] {
                assert_eq!(
                    convert_cut(&conversion, input, &[at], late),
                    whole,
                    "{input:X?} at {at}"
                );
            }
        }
    }
}

#[test]
fn sentences() {
    for (name, input, sentence) in [
        ("UTF-1", &b"\xF7\x30"[..], "F7 followed by 30 begins a surrogate code point"),
        ("UTF-1", b"\xFC\x22", "FC followed by 22 begins a value above U+10FFFF"),
        ("UTF-1", b"\xFD", "FD never occurs in UTF-1; it would begin a value above U+10FFFF"),
        ("UTF-1", b"\xA0A", "A0 begins a multi-byte UTF-1 character, but 41 ('A') follows"),
        ("UTF-EBCDIC", b"\x74", "74 never occurs in UTF-EBCDIC; it would begin an overlong form"),
        ("UTF-EBCDIC", b"\xDC\x56", "DC followed by 56 begins an overlong form"),
    ] {
        assert_eq!(
            convert(&strict(name, "UTF-8"), input).found[0].sentence,
            sentence,
            "{input:X?}"
        );
    }
}

#[test]
fn lines_and_the_signature() {
    let two = convert(&replacing("UTF-EBCDIC", "UTF-8"), b"\xC1\x15\xC2\x25\x41");
    assert_eq!(two.output, "A\nB\u{85}\u{FFFD}".as_bytes());
    assert_eq!(two.places(), [("unexpected-continuation", 4, 1, 2, 3)]);
    for (name, mark) in [("UTF-1", &b"\xF7\x64\x4C"[..]), ("UTF-EBCDIC", b"\xDD\x73\x66\x73")] {
        assert_eq!(convert(&strict(name, "UTF-16LE"), mark).output, b"", "{name}");
        assert_eq!(convert(&strict("UTF-8", name), b"\xEF\xBB\xBF").output, mark, "{name}");
    }
}

#[test]
fn each_scalar_value_alone_there_and_back_and_cut_anywhere() {
    for name in ["UTF-1", "UTF-EBCDIC"] {
        let (mut encoder, mut decoder) = (
            encoding(name).new_encoder(ByteOrder::Big),
            encoding(name).new_decoder(ByteOrder::Big),
        );
        for c in '\0'..=char::MAX {
            let (mut bytes, mut pivot) = ([0; MIN_OUTPUT], [0; MIN_PIVOT]);
            let len = encoder.encode(&[c.into()], &mut bytes).written;
            for cut in 1..len {
                let decoded = decoder.decode(&bytes[..cut], &mut pivot, false);
                assert_eq!(
                    (decoded.read, decoded.stop),
                    (0, DecodeStop::InputEmpty),
                    "{name} {c:?}"
                );
            }
            let decoded = decoder.decode(&bytes[..len], &mut pivot, true);
            assert_eq!((decoded.read, decoded.written), (len, 1), "{name} {c:?}");
            assert_eq!(pivot[0], u32::from(c), "{name}");
        }
        for cp in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
            let stop = encoder.encode(&[cp], &mut [0; MIN_OUTPUT]).stop;
            assert_eq!(stop, EncodeStop::Unmappable, "{name} {cp:X}");
        }
    }
}

#[cfg(unix)]
#[test]
fn all_scalar_values_there_and_back_as_python_computes_them() {
    let text: String = ('\0'..=char::MAX).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/utf1_ebcdic.py");
    for name in ["UTF-1", "UTF-EBCDIC"] {
        let there = convert(&strict("UTF-8", name), text.as_bytes());
        assert_eq!((there.places(), there.summary.characters), (vec![], 0x10_F800));
        let back = convert(&strict(name, "UTF-8"), &there.output);
        assert_eq!(back.places(), []);
        assert!(back.output == text.as_bytes(), "{name}");
        match Command::new("python3").arg(&script).arg(name).output() {
            Ok(python) if python.status.success() => {
                assert!(python.stdout == there.output, "{name} is not what Python computes");
            }
            _ => skipped("no python3 on this machine"),
        }
    }
}
