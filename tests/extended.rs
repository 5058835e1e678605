//! UCS-2, UCS-4 and the extensions of UTF-8 through the whole library: marks, findings and their sentences, values that
//! only some encodings can represent, and every split point. If iconv knows the encoding, it is the oracle. Other
//! expected values are written by hand from "Extending UTF-8 to eight bytes", RFC 2279 and the contract. The codec's
//! tables have their own tests.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{
    Random, With, convert, convert_cut, encode, encoding, replacing, skipped, strict, with,
};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_transcode::{MarkMode, OnIllFormed, OnUnmappable, Options};

/// The extended encodings, each with the number of bits of its largest value.
const HOLD: [(&str, u32); 16] = [
    ("UCS-4LE", 31),
    ("UCS-4BE", 31),
    ("UCS-4", 31),
    ("UTF-8-RFC2279", 31),
    ("UTF-8-7BYTE", 36),
    ("UTF-8-8BYTE", 42),
    ("UTF-8-65BIT", 65),
    ("UTF-8-HUNK1", 0),
    ("UTF-8-HUNK2", 1),
    ("UTF-8-HUNK3", 2),
    ("UTF-8-HUNK4", 6),
    ("UTF-8-HUNK5", 12),
    ("UTF-8-HUNK6", 20),
    ("UTF-8-HUNK7", 30),
    ("UTF-8-HUNK8", 42),
    ("UTF-8-HUNK9", 56),
];

#[track_caller]
fn converts(from: &str, to: &str, input: &[u8], output: &[u8]) {
    let outcome = convert(&strict(from, to), input);
    assert_eq!(outcome.places(), [], "{from} {to} {input:X?}");
    assert_eq!(outcome.output, output, "{from} {to} {input:X?}");
}

/// Checks the findings under `replace`: kind, offset, length, sentence.
#[track_caller]
fn finds(from: &str, input: &[u8], text: &str, expected: &[(&str, u64, usize, &str)]) {
    let outcome = convert(&replacing(from, "UTF-8"), input);
    let found: Vec<_> = outcome
        .found
        .iter()
        .map(|one| (one.id, one.offset, one.bytes.len(), one.sentence.as_str()))
        .collect();
    assert_eq!(found, expected, "{from} {input:X?}");
    assert_eq!(String::from_utf8(outcome.output).unwrap(), text);
}

fn all_scalars() -> String {
    // U+FEFF must not come first, where UTF-8 would take it for a signature.
    ('\0'..=char::MAX).collect()
}

#[test]
fn unmarked_input_takes_its_order_from_a_mark_and_unmarked_output_is_big_endian_without_one() {
    for (from, input) in [
        ("UCS-2", &b"\xFF\xFEA\0\xAC\x20"[..]),
        ("UCS-2", b"\xFE\xFF\0A\x20\xAC"),
        ("UCS-2", b"\0A\x20\xAC"),
        ("UCS-4", b"\xFF\xFE\0\0A\0\0\0\xAC\x20\0\0"),
        ("UCS-4", b"\0\0\xFE\xFF\0\0\0A\0\0\x20\xAC"),
        ("UCS-4", b"\0\0\0A\0\0\x20\xAC"),
        ("UTF-8", b"\xEF\xBB\xBFA\xE2\x82\xAC"),
    ] {
        if from != "UTF-8" {
            converts(from, "UTF-8", input, "A€".as_bytes());
        }
        converts(from, "UCS-2", input, b"\0A\x20\xAC");
        converts(from, "UCS-4", input, b"\0\0\0A\0\0\x20\xAC");
        converts(from, "UCS-2LE", input, b"A\0\xAC\x20");
        converts(from, "UCS-2BE", input, b"\0A\x20\xAC");
        converts(from, "UCS-4LE", input, b"A\0\0\0\xAC\x20\0\0");
        converts(from, "UCS-4BE", input, b"\0\0\0A\0\0\x20\xAC");
        converts(from, "UTF-16", input, b"\xFF\xFEA\0\xAC\x20");
    }
}

#[test]
fn endian_decides_where_there_is_no_mark() {
    for (from, input) in [("UCS-2", &b"A\0"[..]), ("UCS-4", b"A\0\0\0")] {
        let told = strict(from, "UTF-8").with(|it| it.byte_order(ByteOrder::Little));
        assert_eq!(convert(&told, input).output, b"A");
        let note = &convert(&replacing(from, "UTF-8"), &input.repeat(4)).words[0];
        let said = format!("note: read as {from}BE, but nearly every code unit looks byte-swapped");
        assert!(note.starts_with(&said), "{note}");
    }
}

#[test]
fn in_the_le_and_be_schemes_an_initial_feff_is_a_character() {
    converts("UCS-2LE", "UTF-8", b"\xFF\xFEA\0", b"\xEF\xBB\xBFA");
    converts("UCS-4BE", "UTF-16LE", b"\0\0\xFE\xFF\0\0\0A", b"\xFF\xFEA\0");
    converts("UTF-8-8BYTE", "UTF-16LE", b"\xEF\xBB\xBFA", b"\xFF\xFEA\0");
}

#[test]
fn keep_strip_and_add() {
    let marked = |mark, to| strict("UTF-8", to).with(|it| it.marks(mark));
    for (mode, to, expected) in [
        (MarkMode::Keep, "UCS-2", &b"\xFE\xFF\0A"[..]),
        (MarkMode::Keep, "UCS-4", b"\0\0\xFE\xFF\0\0\0A"),
        (MarkMode::Add, "UCS-2", b"\xFE\xFF\0A"),
        (MarkMode::Add, "UCS-4", b"\0\0\xFE\xFF\0\0\0A"),
        (MarkMode::Add, "UCS-2LE", b"\xFF\xFEA\0"),
        (MarkMode::Strip, "UCS-2", b"\0A"),
        (MarkMode::Strip, "UCS-4LE", b"A\0\0\0"),
    ] {
        assert_eq!(convert(&marked(mode, to), b"\xEF\xBB\xBFA").output, expected, "{mode:?} {to}");
    }
    assert_eq!(convert(&marked(MarkMode::Add, "UCS-2"), b"A").output, b"\xFE\xFF\0A");
    assert_eq!(convert(&marked(MarkMode::Add, "UCS-2"), b"").output, b"");
    let refused =
        Options::new().marks(MarkMode::Add).build(encoding("UTF-8"), encoding("UTF-8-8BYTE"));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "cannot add a byte order mark: UTF-8-8BYTE has none"
    );
}

#[test]
fn strict_writes_no_mark_where_the_first_character_is_unmappable() {
    for to in ["UTF-16", "UTF-32"] {
        assert_eq!(convert(&strict("UCS-4", to), b"\0\x11\0\0\0\0\0A").output, b"");
        let input = b"\xFE\x82\x80\x80\x80\x80\x80A";
        assert_eq!(convert(&strict("UTF-8-8BYTE", to), input).output, b"");
    }
    assert_eq!(convert(&replacing("UCS-4", "UTF-16"), b"\0\x11\0\0").output, b"\xFF\xFE\xFD\xFF");
}

#[test]
fn ucs_2_is_the_bmp_and_ucs_4_is_31_bits() {
    finds(
        "UCS-2BE",
        b"\0A\xD8\0\xDC\0\0B\0",
        "A\u{FFFD}\u{FFFD}B\u{FFFD}",
        &[
            ("surrogate", 2, 2, "U+D800 is a surrogate code point, not a character"),
            ("surrogate", 4, 2, "U+DC00 is a surrogate code point, not a character"),
            ("truncated-at-end", 8, 1, "the input ends inside a 16-bit code unit"),
        ],
    );
    finds(
        "UCS-2LE",
        b"\xFF\xDFA\0",
        "\u{FFFD}A",
        &[("surrogate", 0, 2, "U+DFFF is a surrogate code point, not a character")],
    );
    let outcome = convert(&strict("UTF-8", "UCS-2"), "A\u{10000}".as_bytes());
    assert_eq!(outcome.output, b"\0A");
    assert_eq!(outcome.places(), [("unmappable", 1, 4, 1, 2)]);
    assert_eq!(outcome.found[0].sentence, "U+10000 (𐀀) cannot be represented in UCS-2");
    finds(
        "UCS-4LE",
        b"A\0\0\0\0\0\0\x80\0\0",
        "A\u{FFFD}\u{FFFD}",
        &[
            ("out-of-range", 4, 4, "80000000 is above 7FFFFFFF, the highest value of UCS-4LE"),
            ("truncated-at-end", 8, 2, "the input ends inside a 32-bit code unit"),
        ],
    );
    converts("UCS-4", "UCS-4LE", b"\x7F\xFF\xFF\xFF\0\0\xD8\0", b"\xFF\xFF\xFF\x7F\0\xD8\0\0");
}

#[test]
fn sentences_speak_of_the_encoding_that_is_read() {
    finds(
        "UTF-8-RFC2279",
        b"\xFC\x84\x80A\xFE\xC1\x80\xFC\x83\xF8\x88",
        "\u{FFFD}A\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        &[
            (
                "truncated",
                0,
                3,
                "FC 84 80 begins a 6-byte UTF-8-RFC2279 character, but 41 ('A') follows",
            ),
            ("invalid-byte", 4, 1, "FE never occurs in UTF-8-RFC2279"),
            ("overlong", 5, 1, "C1 never occurs in UTF-8-RFC2279; it would begin an overlong form"),
            ("unexpected-continuation", 6, 1, "80 is a continuation byte without a lead byte"),
            ("overlong", 7, 1, "FC followed by 83 begins an overlong form"),
            ("unexpected-continuation", 8, 1, "83 is a continuation byte without a lead byte"),
            ("truncated-at-end", 9, 2, "the input ends inside a 5-byte UTF-8-RFC2279 character"),
        ],
    );
    finds(
        "UTF-8-8BYTE",
        b"\xFF\x81A",
        "\u{FFFD}A",
        &[(
            "truncated",
            0,
            2,
            "FF 81 begins an 8-byte UTF-8-8BYTE character, but 41 ('A') follows",
        )],
    );
    finds(
        "UTF-8-65BIT",
        b"\xFC\x82A\xFF\x80",
        "\u{FFFD}A\u{FFFD}\u{FFFD}",
        &[
            (
                "truncated",
                0,
                2,
                "FC 82 begins an 11-byte UTF-8-65BIT character, but 41 ('A') follows",
            ),
            ("overlong", 3, 1, "FF followed by 80 begins an overlong form"),
            ("unexpected-continuation", 4, 1, "80 is a continuation byte without a lead byte"),
        ],
    );
    finds(
        "UTF-8-HUNK7",
        b"\x62\x21\xFF\x64",
        "\u{FFFD}!\u{FFFD}\u{FFFD}",
        &[
            ("truncated", 0, 1, "62 begins a 2-unit UTF-8-HUNK7 character, but 21 follows"),
            ("invalid-byte", 2, 1, "FF is not a code unit of UTF-8-HUNK7"),
            ("truncated-at-end", 3, 1, "the input ends inside a 2-unit UTF-8-HUNK7 character"),
        ],
    );
    finds(
        "UTF-8-HUNK9",
        b"\x01\xC0\x01\x41\0A\x02\0\0",
        "\u{FFFD}A\u{FFFD}\u{FFFD}",
        &[
            (
                "truncated",
                0,
                4,
                "01 C0 01 41 begins a 3-unit UTF-8-HUNK9 character, but a code unit that begins with 00 follows",
            ),
            ("invalid-byte", 6, 2, "02 00 is not a code unit of UTF-8-HUNK9"),
            ("truncated-at-end", 8, 1, "the input ends inside a two-byte code unit of UTF-8-HUNK9"),
        ],
    );
}

#[test]
fn a_value_past_10ffff_is_unmappable_elsewhere_and_shown_in_hex() {
    for (from, input, value, shown) in [
        ("UTF-8-RFC2279", &b"\xF4\x90\x80\x80"[..], 0x11_0000_u128, "110000"),
        ("UCS-4BE", b"\x7F\xFF\xFF\xFF", 0x7FFF_FFFF, "7FFFFFFF"),
        ("UTF-8-8BYTE", b"\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBF", 0x3FF_FFFF_FFFF, "3FFFFFFFFFF"),
        (
            "UTF-8-65BIT",
            b"\xFF\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F\x9F",
            0x1_FFFF_FFFF_FFFF_FFFF,
            "1FFFFFFFFFFFFFFFF",
        ),
    ] {
        for to in ["UTF-8", "UTF-16LE", "UTF-32BE", "UCS-2", "US-ASCII", "UTF-8-HUNK6"] {
            let outcome = convert(&strict(from, to), input);
            assert_eq!(outcome.output, b"", "{from} {to}");
            assert_eq!(outcome.places(), [("unmappable", 0, input.len(), 1, 1)], "{from} {to}");
            assert_eq!(outcome.found[0].value, Some(value));
            assert_eq!(
                outcome.found[0].sentence,
                format!("the value {shown}, above U+10FFFF, cannot be represented in {to}")
            );
        }
        let escaped = with(from, "UTF-8", OnIllFormed::Stop, OnUnmappable::Escape);
        assert_eq!(convert(&escaped, input).output, format!("\\u{{{shown}}}").as_bytes());
    }
    for (from, input) in [("UTF-8-8BYTE", &b"\xED\xA0\x80"[..]), ("UCS-4", b"\0\0\xD8\0")] {
        for to in ["UTF-8", "UTF-16LE", "UTF-32", "UCS-2BE"] {
            let outcome = convert(&strict(from, to), input);
            assert_eq!(outcome.found[0].sentence, format!("U+D800 cannot be represented in {to}"));
        }
    }
}

/// A value passes unchanged through any pair of encodings if it fits in both. If it does not fit in the target, it is
/// unmappable. The values are those at the limits of all encodings, and random ones.
#[test]
fn every_pair_carries_what_both_have_room_for() {
    let mut random = Random(3);
    let mut values = vec![0xD800, 0xDFFF, 0xFFFE, 0x10_FFFF, 0x11_0000, u32::MAX.into()];
    values.extend((0..=65).flat_map(|bits| [(1_u128 << bits) - 1, 1 << bits]));
    values.extend((0..200).map(|_| {
        let wide = u128::from(random.number()) << 64 | u128::from(random.number());
        wide & ((1 << random.below(66)) - 1)
    }));
    for (from, from_bits) in HOLD {
        let values: Vec<_> =
            values.iter().copied().filter(|value| value >> from_bits == 0).collect();
        let sequences: Vec<_> = values.iter().map(|value| written(from, *value).unwrap()).collect();
        for (to, to_bits) in HOLD {
            let skipping = with(from, to, OnIllFormed::Stop, OnUnmappable::Skip);
            let outcome = convert(&skipping, &sequences.concat());
            let (mut offset, mut output, mut places) = (0, Vec::new(), Vec::new());
            for (value, bytes) in values.iter().zip(&sequences) {
                match written(to, *value) {
                    Some(bytes) => output.extend(bytes),
                    None => places.push(("unmappable", offset, bytes.len(), Some(*value))),
                }
                assert_eq!(written(to, *value).is_some(), value >> to_bits == 0, "{to} {value:X}");
                offset += bytes.len() as u64;
            }
            let found =
                outcome.found.iter().map(|one| (one.id, one.offset, one.bytes.len(), one.value));
            assert_eq!(found.collect::<Vec<_>>(), places, "{from} {to}");
            assert_eq!(outcome.output, output, "{from} {to}");
        }
    }
}

/// Encodes a value with the codec's encoder. It may serve as an oracle here, since its own tests compare it with the
/// tables.
fn written(name: &str, value: u128) -> Option<Vec<u8>> {
    let mut bytes = [0; 64];
    let mut encoder = encoding(name).new_encoder(ByteOrder::Big);
    let len = match u32::try_from(value) {
        Ok(cp) => Some(encoder.encode(&[cp], &mut bytes).written).filter(|len| *len > 0),
        Err(_) => encoder.encode_large(value, &mut bytes),
    };
    Some(bytes[..len?].to_vec())
}

#[test]
fn all_scalar_values_have_the_bytes_of_utf_8_and_come_back_from_the_others() {
    let text = all_scalars();
    for name in ["UTF-8-RFC2279", "UTF-8-7BYTE", "UTF-8-8BYTE", "UTF-8-HUNK8"] {
        converts("UTF-8", name, text.as_bytes(), text.as_bytes());
        converts(name, "UTF-8", text.as_bytes(), text.as_bytes());
    }
    for name in ["UTF-8-65BIT", "UTF-8-HUNK7", "UTF-8-HUNK9", "UCS-4", "UCS-4LE", "UCS-4BE"] {
        let there = convert(&strict("UTF-8", name), text.as_bytes());
        assert_eq!(there.places(), [], "{name}");
        converts(name, "UTF-8", &there.output, text.as_bytes());
        if name.starts_with("UCS") {
            let as_utf_32 = if name.ends_with("LE") { "UTF-32LE" } else { "UTF-32BE" };
            assert_eq!(there.output, encode(&text, as_utf_32), "{name}");
        }
    }
    let bmp: String = ('\0'..='\u{FFFF}').collect();
    for (name, utf_16) in [("UCS-2", "UTF-16BE"), ("UCS-2LE", "UTF-16LE"), ("UCS-2BE", "UTF-16BE")]
    {
        converts("UTF-8", name, bmp.as_bytes(), &encode(&bmp, utf_16));
        converts(name, "UTF-8", &encode(&bmp, utf_16), bmp.as_bytes());
    }
}

#[test]
fn cut_anywhere_it_reads_the_same() {
    let inputs: [(&str, &[u8]); 12] = [
        ("UCS-2", b"\xFF\xFEA\0\0\xD8\n\0\xAC\x20B"),
        ("UCS-2", b"\0A\xD8\0\xDC\0\0\n"),
        ("UCS-4", b"\xFF\xFE\0\0A\0\0\0\0\0\x11\0\xFF\xFF\xFF\xFF\xFF"),
        ("UCS-4BE", b"\0\0\0A\x7F\xFF\xFF\xFF\x80\0\0\0\0\0\0"),
        ("UTF-8-RFC2279", b"a\xFD\xBF\xBF\xBF\xBF\xBF\xFE\xFC\x83\xBF\xF8\x88\x80\n\xE2\x82"),
        ("UTF-8-7BYTE", b"\xFE\x82\x80\x80\x80\x80\x80\xFF\xFE\x81\x80\xFE\x82\x80\xC2"),
        (
            "UTF-8-8BYTE",
            b"a\xFF\x81\x80\x80\x80\x80\x80\x80\xFF\x80\xBF\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBFb",
        ),
        (
            "UTF-8-65BIT",
            b"a\xFF\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\xD0\x8F\xC8\x85\x8C\xA4",
        ),
        ("UTF-8-HUNK9", b"\0a\x01\xC0\x01\x41\x01\x2C\x01\x80\x02\0\x01\x82\x01\0\x01\xFF\x01"),
        ("UTF-8-HUNK7", b"\x62\x40\x7F\x5F\x5F\x5F\x5F\x5F\x5F\xFF\x41\x67"),
        ("UTF-8-HUNK5", b"\x1F\x17\x17\x17\x17\x1A\x10\x20\x18\x1D\x10"),
        ("UTF-8-HUNK4", b"\x0E\x0A\x08\x0F\x08\x0C\x0E\x09\x07\x10\x0F"),
    ];
    for (from, input) in inputs {
        for to in ["UTF-8", "UTF-8-65BIT", "UCS-4", "UCS-2LE", "UTF-8-HUNK3"] {
            for conversion in [
                strict(from, to),
                replacing(from, to),
                with(from, to, OnIllFormed::Escape, OnUnmappable::Xml),
                with(from, to, OnIllFormed::Skip, OnUnmappable::Skip),
            ] {
                let whole = convert(&conversion, input);
                for late_end in [false, true] {
                    for cut in 1..input.len() {
                        let parts = convert_cut(&conversion, input, &[cut], late_end);
                        assert_eq!(parts, whole, "{from} {to} cut at {cut}");
                    }
                    let cuts: Vec<_> = (1..input.len()).collect();
                    assert_eq!(
                        convert_cut(&conversion, input, &cuts, late_end),
                        whole,
                        "{from} {to}"
                    );
                }
            }
        }
    }
}

/// The leading ASCII characters put each byte at each boundary of a vector, and a value across the end of the pivot
/// buffer, which holds 4096 characters.
#[test]
fn values_of_every_length_stand_anywhere_in_a_text() {
    for (from, bits) in [("UTF-8-8BYTE", 42_u32), ("UTF-8-65BIT", 65), ("UTF-8-HUNK9", 56)] {
        let ends = (0..=bits).flat_map(|bits| written(from, (1 << bits) - 1).unwrap());
        let (ends, letter) = (ends.collect::<Vec<_>>(), written(from, 0x78).unwrap());
        for before in (0..32).chain(4060..4097) {
            let input = [letter.repeat(before), ends.clone()].concat();
            let there = convert(&strict(from, "UTF-8-65BIT"), &input);
            assert_eq!(there.places(), [], "{from} after {before}");
            assert_eq!(there.summary.characters, before as u64 + u64::from(bits) + 1);
            assert_eq!(there.summary.bytes_written, there.output.len() as u64);
            converts("UTF-8-65BIT", from, &there.output, &input);
        }
    }
}

#[test]
fn a_target_without_a_question_mark_gets_nothing_and_says_that_text_was_lost() {
    for (to, output) in [("UTF-8-HUNK3", &b"\x01\x02"[..]), ("UTF-8-HUNK2", b"\x01")] {
        for conversion in [
            replacing("UTF-8", to),
            with("UTF-8", to, OnIllFormed::Escape, OnUnmappable::Xml),
            with("UTF-8", to, OnIllFormed::Escape, OnUnmappable::Replace)
                .with(|it| it.transliterate(true)),
        ] {
            let outcome = convert(&conversion, b"\x01a\xFF\x02");
            assert_eq!(outcome.output, output);
            let faults = outcome.found.len() as u64;
            assert_eq!((outcome.summary.substituted(), outcome.summary.dropped()), (0, faults));
        }
    }
    assert_eq!(
        convert(&replacing("UTF-8", "UTF-8-HUNK4"), b"\x01a").output,
        b"\x01\x0F\x0B\x0B\x0B"
    );
    let mut program = crate::common::oxiconv();
    let told = program
        .args(["-t", "UTF-8-HUNK2", "-e", "replace"])
        .write_stdin("\u{1}a")
        .output()
        .unwrap();
    assert_eq!((told.status.code(), told.stdout), (Some(1), b"\x01".to_vec()));
    let said = String::from_utf8(told.stderr).unwrap();
    assert!(said.contains("1 unmappable character was left out"), "{said}");
}

#[test]
fn list_says_how_many_bits_each_holds() {
    let output = crate::common::oxiconv().arg("--list").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for (name, bits) in HOLD {
        let line = text.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
        let bits = if bits == 1 { "(1 bit)".to_owned() } else { format!("({bits} bits)") };
        assert!(line.contains(&bits), "{line}");
        assert_eq!(encoding(name).bits(), HOLD.iter().find(|one| one.0 == name).map(|one| one.1));
    }
    assert_eq!(encoding("UTF-8").bits(), None);
}

/// The input truncates a long sequence over and over. Quadratic time would take minutes.
#[test]
fn hostile_input_is_linear() {
    for name in ["UTF-8-8BYTE", "UTF-8-65BIT", "UTF-8-HUNK9"] {
        for pattern in [&b"\xFF"[..], b"\xFF\x81\x80\x80\x80\x80\x80", b"\x80", b"\x01\xFF\x01\x7F"]
        {
            let input = pattern.repeat((1 << 16) / pattern.len());
            let outcome =
                convert(&with(name, "UTF-8", OnIllFormed::Skip, OnUnmappable::Skip), &input);
            assert_eq!(outcome.summary.bytes_read, input.len() as u64);
        }
    }
}

/// Runs glibc's iconv. Returns `None` if it is not installed.
fn iconv(from: &str, to: &str, input: &[u8]) -> Option<(bool, Vec<u8>)> {
    let child = Command::new("iconv")
        .args(["-f", from, "-t", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        skipped("no iconv on this machine");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // iconv may stop before it has read everything, so writing may fail.
        scope.spawn(move || stdin.write_all(input));
        let output = child.wait_with_output().unwrap();
        Some((output.status.success(), output.stdout))
    })
}

#[test]
fn ucs_2_and_ucs_4_as_iconv_has_them() {
    let bmp: String = ('\0'..='\u{FFFF}').collect();
    for (names, text) in [(["UCS-2LE", "UCS-2BE"], bmp), (["UCS-4LE", "UCS-4BE"], all_scalars())] {
        for name in names {
            let there = convert(&strict("UTF-8", name), text.as_bytes()).output;
            let Some(theirs) = iconv("UTF-8", name, text.as_bytes()) else { return };
            assert_eq!(theirs, (true, there.clone()), "{name}");
            let back = iconv(name, "UTF-8", &there);
            assert_eq!(back, Some((true, text.as_bytes().to_vec())), "{name}");
        }
    }
    // Values that both reject.
    for (from, to, input) in [
        ("UCS-2BE", "UTF-8", &b"\0A\xD8\0\0B"[..]),
        ("UCS-4BE", "UTF-8", b"\0\0\0A\x80\0\0\0"),
        ("UCS-4LE", "UTF-8", b"A\0\0\0\0\xD8\0\0"),
        ("UTF-8", "UCS-2LE", b"A\xF0\x9F\x98\x80"),
    ] {
        let Some((success, theirs)) = iconv(from, to, input) else { return };
        let ours = convert(&strict(from, to), input);
        assert!(!success && ours.summary.stopped, "{from} {to}");
        assert_eq!(ours.output, theirs, "{from} {to}");
    }
    // Between byte orders of UCS-4, values are plain numbers: even surrogates and values above 10FFFF pass.
    let numbers = b"\0\0\xD8\0\0\x11\0\0\x7F\xFF\xFF\xFF";
    let Some(theirs) = iconv("UCS-4BE", "UCS-4LE", numbers) else { return };
    assert_eq!(theirs, (true, convert(&strict("UCS-4BE", "UCS-4LE"), numbers).output));
}
