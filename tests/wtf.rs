//! WTF-8, generalized UTF-8 and WTF-16 through the library and the program, according to the WTF-8 specification.
//!
//! Its tables are tested by hand. Its conversions are tested with every code unit, all triples of boundary values, and
//! random units, with `char::decode_utf16` as the oracle.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use crate::sample;
use crate::support::{
    Collector, Cut, Random, With, convert, convert_cut, encoding, replacing, skipped, strict, with,
};
use oxiconv_transcode::{Conversion, Error, MarkMode, OnIllFormed, OnUnmappable, Transcoder};

/// Returns the output of a strict conversion, which must have no findings.
#[track_caller]
fn clean(from: &str, to: &str, input: &[u8]) -> Vec<u8> {
    let outcome = convert(&strict(from, to), input);
    assert_eq!(outcome.places(), vec![], "{from} to {to}");
    assert_eq!(outcome.summary.bytes_written, outcome.output.len() as u64);
    outcome.output
}

/// Encodes a code unit in three bytes, by Table 2 of the specification.
fn three_bytes(unit: u16) -> [u8; 3] {
    [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
}

/// Encodes any code units as WTF-8: unpaired surrogates by Table 2, and the rest with the standard library.
fn wtf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for one in char::decode_utf16(units.iter().copied()) {
        match one {
            Ok(c) => bytes.extend(c.to_string().bytes()),
            Err(unpaired) => bytes.extend(three_bytes(unpaired.unpaired_surrogate())),
        }
    }
    bytes
}

fn big(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_be_bytes()).collect()
}

fn little(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

/// Checks that code units and their WTF-8 convert to each other.
fn lossless(units: &[u16]) {
    let expected = wtf8(units);
    for (name, bytes) in [("WTF-16BE", big(units)), ("WTF-16LE", little(units))] {
        assert!(clean(name, "WTF-8", &bytes) == expected, "{name}");
        assert!(clean("WTF-8", name, &expected) == bytes, "{name}");
        assert!(clean(name, name, &bytes) == bytes, "{name}");
    }
    assert!(clean("WTF-8", "WTF-8", &expected) == expected);
}

const EDGES: [u16; 18] = [
    0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xD801, 0xDBFE, 0xDBFF, 0xDC00, 0xDC01, 0xDFFE,
    0xDFFF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF,
];

#[test]
fn every_unit_by_itself_is_lossless() {
    // Each unit is a text of its own, with a new decoder and a new encoder.
    use oxiconv_encodings::codec::{ByteOrder::Big, MIN_OUTPUT, MIN_PIVOT};
    let through = |from: &str, to: &str, input: &[u8]| {
        let (mut pivot, mut output) = ([0; MIN_PIVOT], [0; MIN_OUTPUT]);
        let decoded = encoding(from).new_decoder(Big).decode(input, &mut pivot, true);
        assert_eq!((decoded.read, decoded.written), (input.len(), 1), "{input:X?}");
        let mut encoder = encoding(to).new_encoder(Big);
        let encoded = encoder.encode(&pivot[..1], &mut output);
        assert_eq!(encoded.read, 1);
        let end = encoded.written + encoder.finish(&mut output[encoded.written..]);
        output[..end].to_vec()
    };
    for unit in sample::every(4, 0..=u16::MAX) {
        let expected = wtf8(&[unit]);
        assert_eq!(through("WTF-16BE", "WTF-8", &unit.to_be_bytes()), expected);
        assert_eq!(through("WTF-16LE", "WTF-8", &unit.to_le_bytes()), expected);
        assert_eq!(through("WTF-8", "WTF-16BE", &expected), unit.to_be_bytes());
        assert_eq!(through("WTF-8", "WTF-16LE", &expected), unit.to_le_bytes());
        assert_eq!(through("GENERALIZED-UTF-8", "GENERALIZED-UTF-8", &expected), expected);
    }
    lossless(&(0..=u16::MAX).flat_map(|unit| [unit, 0x61]).collect::<Vec<_>>());
    lossless(&(0..=u16::MAX).collect::<Vec<_>>());
}

#[test]
fn edges_in_twos_and_threes_and_random_units_are_lossless() {
    let mut joined = Vec::new();
    for a in EDGES {
        for b in EDGES {
            lossless(&[a, b]);
            for c in EDGES {
                joined.extend([a, b, c, 0x61]);
            }
        }
    }
    lossless(&joined);
    let mut random = Random(8);
    for only_surrogates in [false, true] {
        let base = if only_surrogates { 0xD800 } else { 0 };
        let range = if only_surrogates { 0x800 } else { 0x1_0000 };
        let units: Vec<_> = (0..300_000).map(|_| (base + random.below(range)) as u16).collect();
        lossless(&units);
    }
    let mixed: Vec<_> =
        (0..300_000).map(|_| random.pick(&[0x61, 0xE9, 0xD83D, 0xDE00, 0x4E2D])).collect();
    lossless(&mixed);
}

#[test]
fn all_scalar_values_go_through_each() {
    let text: String = ('\0'..=char::MAX).collect();
    let units: Vec<_> = text.encode_utf16().collect();
    let bytes = text.as_bytes();
    for (name, expected) in [
        ("WTF-8", bytes.to_vec()),
        ("GENERALIZED-UTF-8", bytes.to_vec()),
        ("WTF-16BE", big(&units)),
        ("WTF-16LE", little(&units)),
    ] {
        assert!(clean("UTF-8", name, bytes) == expected, "{name}");
        assert!(clean(name, "UTF-8", &expected) == bytes, "{name}");
    }
}

/// Generalized UTF-8 encodes every code point by itself, in any order, like Python's `surrogatepass`.
#[cfg(unix)]
#[test]
fn generalized_utf_8_has_every_code_point() {
    let program = "import sys\nfor c in list(range(0x110000)) + [0xD83D, 0xDE00]: \
                   sys.stdout.buffer.write(chr(c).encode('utf-8', 'surrogatepass'))";
    let python = Command::new("python3").args(["-c", program]).output();
    let bytes = match python {
        Ok(python) if python.status.success() => python.stdout,
        _ => {
            skipped("no python3 on this machine");
            return;
        }
    };
    assert_eq!(bytes.len(), 128 + 2 * 0x780 + 3 * 0xF800 + 4 * 0x10_0000 + 6);
    assert!(clean("GENERALIZED-UTF-8", "GENERALIZED-UTF-8", &bytes) == bytes);
    // WTF-8 joins U+DBFF and U+DC00, the only pair among consecutive code points, and the pair at the end.
    let at = 128 + 2 * 0x780 + 3 * (0xDBFF - 0x800);
    let expected =
        [&bytes[..at], "\u{10FC00}".as_bytes(), &bytes[at + 6..bytes.len() - 6], "😀".as_bytes()]
            .concat();
    assert!(clean("GENERALIZED-UTF-8", "WTF-8", &bytes) == expected);
}

#[test]
fn a_pair_byte_sequence_is_ill_formed_in_wtf_8_and_two_characters_in_generalized_utf_8() {
    let input = b"a\xED\xA0\xBD\xED\xB8\x80b\xED\xA0\xBD\xED\xA0\xBD\xED\xB8";
    let outcome = convert(&replacing("WTF-8", "WTF-8"), input);
    assert_eq!(outcome.output, b"a\xEF\xBF\xBD\xED\xB8\x80b\xED\xA0\xBD\xED\xA0\xBD\xEF\xBF\xBD");
    assert_eq!(outcome.places(), [("surrogate", 1, 3, 1, 2), ("truncated-at-end", 14, 2, 1, 7)]);
    let sentences: Vec<_> = outcome.found.iter().map(|found| found.sentence.as_str()).collect();
    assert_eq!(
        sentences,
        [
            "ED A0 BD and the low surrogate after it form a surrogate pair; WTF-8 requires one 4-byte sequence",
            "the input ends inside a 3-byte WTF-8 character",
        ]
    );
    let input = &input[..14];
    assert_eq!(clean("GENERALIZED-UTF-8", "GENERALIZED-UTF-8", input), input);
    assert_eq!(
        clean("GENERALIZED-UTF-8", "WTF-8", input),
        b"a\xF0\x9F\x98\x80b\xED\xA0\xBD\xED\xA0\xBD"
    );
}

#[test]
fn what_is_ill_formed_in_utf_8_but_for_surrogates_is_so_in_its_supersets() {
    for name in ["WTF-8", "GENERALIZED-UTF-8"] {
        let input = b"\xC0\xAF\xE0\x80\xF4\x90\xFFa\xE2\x82a\xED\xA0a\xF0\x9F\x98";
        let outcome = convert(&replacing(name, "UTF-8"), input);
        let ids: Vec<_> =
            outcome.found.iter().map(|one| (one.id, one.offset, one.bytes.len())).collect();
        assert_eq!(
            ids,
            [
                ("overlong", 0, 1),
                ("unexpected-continuation", 1, 1),
                ("overlong", 2, 1),
                ("unexpected-continuation", 3, 1),
                ("out-of-range", 4, 1),
                ("unexpected-continuation", 5, 1),
                ("invalid-byte", 6, 1),
                ("truncated", 8, 2),
                ("truncated", 11, 2),
                ("truncated-at-end", 14, 3),
            ]
        );
        assert_eq!(outcome.found[6].sentence, format!("FF never occurs in {name}"));
        assert_eq!(
            outcome.found[8].sentence,
            format!("ED A0 begins a 3-byte {name} character, but 61 ('a') follows")
        );
    }
    let odd = convert(&replacing("WTF-16LE", "WTF-8"), b"\x3D\xD8a");
    assert_eq!(odd.output, b"\xED\xA0\xBD\xEF\xBF\xBD");
    assert_eq!(odd.places(), [("truncated-at-end", 2, 1, 1, 2)]);
    assert_eq!(odd.found[0].sentence, "the input ends inside a 16-bit code unit");
}

#[test]
fn to_utf_8_lossily_each_surrogate_byte_sequence_is_replaced_in_place_and_strictly_it_stops() {
    let input = b"a\xED\xA0\xBD\n\xED\xB8\x80\xED\xA0\xBD\xF0\x9F\x98\x80\xED\xAF\xBF";
    let outcome = convert(&replacing("WTF-8", "UTF-8"), input);
    assert_eq!(
        outcome.output,
        b"a\xEF\xBF\xBD\n\xEF\xBF\xBD\xEF\xBF\xBD\xF0\x9F\x98\x80\xEF\xBF\xBD"
    );
    assert_eq!(
        outcome.places(),
        [
            ("unmappable", 1, 3, 1, 2),
            ("unmappable", 5, 3, 2, 1),
            ("unmappable", 8, 3, 2, 2),
            ("unmappable", 15, 3, 2, 4),
        ]
    );
    assert_eq!(outcome.found[0].sentence, "U+D83D cannot be represented in UTF-8");
    // A surrogate pair byte sequence, which is ill-formed in WTF-8, is replaced in place too.
    let pair = convert(&replacing("WTF-8", "UTF-8"), b"a\xED\xA0\xBD\xED\xB8\x80");
    assert_eq!(pair.output, b"a\xEF\xBF\xBD\xEF\xBF\xBD");
    let stopped = convert(&strict("WTF-8", "UTF-8"), input);
    assert_eq!((&stopped.output[..], stopped.summary.stopped), (&b"a"[..], true));
    assert_eq!(stopped.places(), [("unmappable", 1, 3, 1, 2)]);
    assert_eq!(
        (stopped.found[0].value, &stopped.found[0].bytes[..]),
        (Some(0xD83D), &b"\xED\xA0\xBD"[..])
    );
    let text = "a\u{FEFF}é中😀\u{FEFF}".as_bytes();
    assert_eq!(clean("WTF-8", "UTF-8", text), text);
}

#[test]
fn a_stop_at_the_first_character_writes_not_even_a_mark() {
    let input = b"\xED\xA0\xBDa";
    for (to, skipped) in [("UTF-16", &b"\xFF\xFEa\0"[..]), ("UTF-32", b"\xFF\xFE\0\0a\0\0\0")] {
        assert_eq!(convert(&strict("WTF-8", to), input).output, b"");
        let skip = with("WTF-8", to, OnIllFormed::Skip, OnUnmappable::Skip);
        assert_eq!(convert(&skip, input).output, skipped);
        assert_eq!(convert(&skip, &input[..3]).output, skipped[..skipped.len() / 2]);
    }
    let replaced = convert(&replacing("WTF-8", "UTF-16"), input).output;
    assert_eq!(replaced, b"\xFF\xFE\xFD\xFFa\0");
}

#[test]
fn an_initial_feff_stays_where_it_is() {
    let text = b"\xEF\xBB\xBFa\xEF\xBB\xBF";
    for name in ["WTF-8", "GENERALIZED-UTF-8", "CESU-8", "MUTF-8"] {
        assert_eq!(clean("UTF-8", name, text), text, "{name}");
        assert_eq!(clean(name, "UTF-8", text), text, "{name}");
        assert_eq!(clean(name, "WTF-16BE", text), b"\xFE\xFF\0a\xFE\xFF", "{name}");
        assert_eq!(clean("WTF-16LE", name, b"\xFF\xFEa\0\xFF\xFE"), text, "{name}");
        let add = strict("UTF-16LE", name).with(|it| it.marks(MarkMode::Add));
        assert_eq!(convert(&add, b"a\0").output, b"\xEF\xBB\xBFa", "{name}");
        let strip = strict(name, name).with(|it| it.marks(MarkMode::Strip));
        assert_eq!(convert(&strip, text).output, b"a\xEF\xBB\xBF", "{name}");
    }
    assert_eq!(clean("UTF-8", "WTF-16BE", text), b"\0a\xFE\xFF");
}

#[test]
fn every_split_point_gives_the_same() {
    let inputs: [(&str, &[u8]); 14] = [
        ("WTF-8", b"a\xED\xA0\xBD\xED\xB8\x80b"),
        ("WTF-8", b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\n\xED\xA0\xBD\xED\xB8"),
        ("WTF-8", b"\xED\xA0\xBDa\xED\xB8\x80\xED\xA0\xBD"),
        ("WTF-8", b"\xED\xA0\xBD\xED\x9F\xBF\xED\xA0\xBD\xED\xB8a\xED"),
        ("GENERALIZED-UTF-8", b"\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xFF\xED\xB8\x80"),
        ("GENERALIZED-UTF-8", b"1\n\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80\xED\xA0"),
        ("WTF-16BE", b"\xD8\x3D\xD8\x3D\xDE\0\xDE\0\0a\xD8\x3D\xDE"),
        ("WTF-16LE", b"\x3D\xD8\x3D\xD8\0\xDE\0\xDE\n\0\x3D\xD8"),
        ("CESU-8", b"\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xED\xB8a\xED\xA0\xBD\xEDa"),
        (
            "CESU-8",
            b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\n\xED\xB8\x80\xF0\x9F\xED\xA0\xBD\xED\xB8",
        ),
        ("CESU-8", b"\xED\xA0\xBDa\xED\xA0\xBD\xED\x9F\xBF\xED\xA0\xBD"),
        ("MUTF-8", b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xED\xB8a\0\xC0\x81"),
        ("MUTF-8", b"\xED\xB8\x80\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\n\xC0a\xED\xA0\xBD"),
        ("MUTF-8", b"\xF0\x9F\x98\x80\xED\xA0\xBD\xED\xB8\x80\xC0"),
    ];
    use {OnIllFormed as I, OnUnmappable as U};
    for (from, input) in inputs {
        for to in ["WTF-8", "GENERALIZED-UTF-8", "WTF-16LE", "CESU-8", "MUTF-8", "UTF-8"] {
            for conversion in [
                strict(from, to),
                replacing(from, to),
                with(from, to, I::Skip, U::Skip),
                with(from, to, I::Escape, U::Xml),
            ] {
                let whole = convert(&conversion, input);
                assert_eq!(whole.summary.bytes_written, whole.output.len() as u64);
                for late_end in [false, true] {
                    for cut in 1..input.len() {
                        let outcome = convert_cut(&conversion, input, &[cut], late_end);
                        assert_eq!(outcome, whole, "{from} to {to} at {cut} of {input:X?}");
                    }
                    let bytewise: Vec<_> = (1..input.len()).collect();
                    assert_eq!(convert_cut(&conversion, input, &bytewise, late_end), whole);
                }
            }
        }
    }
}

/// Returns the output of several concatenated inputs, and the number of bytes reported for each.
fn joined(conversion: &Conversion, inputs: &[&[u8]]) -> (Vec<u8>, Vec<u64>) {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let mut written = Vec::new();
    for input in inputs {
        let mut source = Cut::new(input, &[], false);
        let summary = transcoder
            .input(&mut source, &mut Collector::default())
            .or_else(Error::into_summary)
            .unwrap();
        written.push(summary.bytes_written);
    }
    transcoder.finish().unwrap();
    assert_eq!(written.iter().sum::<u64>(), output.len() as u64);
    (output, written)
}

#[test]
fn a_pair_that_meets_at_the_seam_of_two_inputs_becomes_one_sequence() {
    let wtf8 = strict("WTF-8", "WTF-8");
    let (high, low) = (&b"a\xED\xA0\xBD"[..], &b"\xED\xB8\x80b"[..]);
    assert_eq!(joined(&wtf8, &[high, low]), (b"a\xF0\x9F\x98\x80b".to_vec(), vec![4, 2]));
    assert_eq!(joined(&wtf8, &[high, b"", low]).0, b"a\xF0\x9F\x98\x80b");
    assert_eq!(joined(&wtf8, &[low, high]), (b"\xED\xB8\x80ba\xED\xA0\xBD".to_vec(), vec![4, 4]));
    assert_eq!(joined(&wtf8, &[high, high, low]).0, b"a\xED\xA0\xBDa\xF0\x9F\x98\x80b");
    assert_eq!(joined(&wtf8, &[high]), (high.to_vec(), vec![4]));
    let wide = strict("WTF-16BE", "WTF-8");
    assert_eq!(joined(&wide, &[b"\xD8\x3D", b"\xDE\0"]).0, b"\xF0\x9F\x98\x80");
    assert_eq!(joined(&strict("WTF-8", "WTF-16BE"), &[high, low]).0, b"\0a\xD8\x3D\xDE\0\0b");
    let generalized = strict("WTF-8", "GENERALIZED-UTF-8");
    assert_eq!(joined(&generalized, &[high, low]).0, b"a\xED\xA0\xBD\xED\xB8\x80b");
    // Surrogates that meet because bytes between them are skipped are joined too.
    let skip = with("GENERALIZED-UTF-8", "WTF-8", OnIllFormed::Skip, OnUnmappable::Skip);
    assert_eq!(joined(&skip, &[b"\xED\xA0\xBD\xFF\xED\xB8\x80"]).0, b"\xF0\x9F\x98\x80");
}

#[test]
fn the_program_joins_files_and_keeps_only_what_is_undecided() {
    let oxiconv = || Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), b"x\xED\xA0\xBD").unwrap();
    std::fs::write(dir.path().join("b"), b"\xED\xB8\x80y").unwrap();
    let args = ["-f", "wtf-8", "-t", "wtf-8"];
    let output = oxiconv().args(args).args(["a", "b"]).current_dir(&dir).output().unwrap();
    assert_eq!((output.stdout, output.status.code()), (b"x\xF0\x9F\x98\x80y".to_vec(), Some(0)));

    let mut child =
        oxiconv().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for (given, shown) in
        [(&b"ab\xED\xA0\xBD"[..], &b"ab"[..]), (b"c\n\xED\xA0\xBD", b"\xED\xA0\xBDc\n")]
    {
        stdin.write_all(given).unwrap();
        let mut read = vec![0; shown.len()];
        stdout.read_exact(&mut read).unwrap();
        assert_eq!(read, shown);
    }
    drop(stdin);
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"\xED\xA0\xBD");
    assert!(child.wait().unwrap().success());
}

/// In quadratic time, this test would take many minutes.
#[test]
fn endless_surrogates_take_linear_time() {
    for (from, unit) in [
        ("WTF-8", &b"\xED\xA0\xBD"[..]),
        ("WTF-8", b"\xED\xB8\x80"),
        ("WTF-8", b"\xED\xA0\xBD\xED\xB8\x80"),
        ("GENERALIZED-UTF-8", b"\xED\xA0\xBD\xED\xB8\x80"),
        ("WTF-16LE", b"\x3D\xD8"),
        ("WTF-16LE", b"\0\xDE\x3D\xD8"),
        ("CESU-8", b"\xED\xA0\xBD\xED\xB8\x80"),
        ("CESU-8", b"\xED\xA0\xBD"),
        ("CESU-8", b"\xED\xA0\xBD\xED\xB8"),
        ("MUTF-8", b"\xED\xA0\xBD\xED\xB8\x80"),
        ("MUTF-8", b"\xED\xA0\xBD"),
        ("MUTF-8", b"\xC0\x80"),
        ("MUTF-8", b"\0"),
    ] {
        let input = unit.repeat(1 << 17);
        for to in ["WTF-8", "MUTF-8"] {
            let outcome = convert(&with(from, to, OnIllFormed::Skip, OnUnmappable::Skip), &input);
            assert_eq!(outcome.summary.bytes_read, input.len() as u64);
        }
    }
}
