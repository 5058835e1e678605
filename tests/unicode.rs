//! The Unicode encodings through the whole library: the output, and the findings with their places.
//!
//! Expected values are written by hand from Unicode 3.9 (Tables 3-8 to 3-11, D84a to D93b) and UAX 19 (D36a to D36c).
//! For all scalar values, the standard library is the oracle.

use crate::support::{
    UNICODE, With, convert, convert_pieces, encode, encoding, replacing, skipped, strict, with,
};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::{MarkMode, OnIllFormed, OnUnmappable};

/// Checks the output of a conversion to UTF-8 under `replace`, and the kind, offset, length, line and column of each
/// finding.
#[track_caller]
fn replaced(from: &str, input: &[u8], text: &str, places: &[(&str, u64, usize, u64, u64)]) {
    let outcome = convert(&replacing(from, "UTF-8"), input);
    assert_eq!(String::from_utf8(outcome.output.clone()).unwrap(), text, "{input:X?}");
    assert_eq!(outcome.places(), places, "{input:X?}");
    for found in &outcome.found {
        let at = found.offset as usize;
        assert_eq!(found.bytes, input[at..at + found.bytes.len()]);
    }
    let summary = outcome.summary;
    assert_eq!(summary.total(), places.len() as u64);
    assert_eq!(summary.ill_formed(), places.len() as u64);
    assert_eq!(
        (summary.substituted(), summary.dropped(), summary.stopped),
        (places.len() as u64, 0, false)
    );
    assert_eq!(
        (summary.bytes_read, summary.bytes_written),
        (input.len() as u64, text.len() as u64)
    );
}

/// Returns the place of a one-byte finding in the first line, after nothing but single-byte characters.
const fn one(kind: &str, at: u64) -> (&str, u64, usize, u64, u64) {
    (kind, at, 1, 1, at + 1)
}

#[test]
fn table_3_8_non_shortest_forms() {
    replaced(
        "UTF-8",
        b"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A",
        &[
            one("overlong", 0),
            one("unexpected-continuation", 1),
            one("overlong", 2),
            one("unexpected-continuation", 3),
            one("unexpected-continuation", 4),
            one("overlong", 5),
            one("unexpected-continuation", 6),
            one("unexpected-continuation", 7),
        ],
    );
}

#[test]
fn table_3_9_forms_of_surrogates() {
    replaced(
        "UTF-8",
        b"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A",
        &[
            one("surrogate", 0),
            one("unexpected-continuation", 1),
            one("unexpected-continuation", 2),
            one("surrogate", 3),
            one("unexpected-continuation", 4),
            one("unexpected-continuation", 5),
            one("surrogate", 6),
            one("unexpected-continuation", 7),
        ],
    );
}

#[test]
fn table_3_10_other_ill_formed_sequences() {
    replaced(
        "UTF-8",
        b"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A\u{FFFD}\u{FFFD}B",
        &[
            one("out-of-range", 0),
            one("unexpected-continuation", 1),
            one("unexpected-continuation", 2),
            one("unexpected-continuation", 3),
            one("invalid-byte", 4),
            one("unexpected-continuation", 6),
            one("unexpected-continuation", 7),
        ],
    );
}

#[test]
fn table_3_11_truncated_sequences() {
    replaced(
        "UTF-8",
        b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A",
        &[
            ("truncated", 0, 2, 1, 1),
            ("truncated", 2, 1, 1, 2),
            ("truncated", 3, 3, 1, 3),
            ("truncated", 6, 2, 1, 4),
        ],
    );
}

#[test]
fn examples_of_the_text_of_3_9() {
    // D86.
    replaced("UTF-8", b"\x41\xC3\xB1\x42", "A\u{F1}B", &[]);
    replaced("UTF-8", b"\x41\xC2\xC3\xB1\x42", "A\u{FFFD}\u{F1}B", &[one("truncated", 1)]);
    // D92.
    replaced(
        "UTF-8",
        b"\xC0\xAF",
        "\u{FFFD}\u{FFFD}",
        &[one("overlong", 0), one("unexpected-continuation", 1)],
    );
    replaced(
        "UTF-8",
        b"\xE0\x9F\x80",
        "\u{FFFD}\u{FFFD}\u{FFFD}",
        &[one("overlong", 0), one("unexpected-continuation", 1), one("unexpected-continuation", 2)],
    );
    replaced("UTF-8", b"\xF4\x80\x83\x92", "\u{1000D2}", &[]);
    replaced(
        "UTF-8",
        b"\x4D\xD0\xB0\xE4\xBA\x8C\xF0\x90\x8C\x82",
        "\u{4D}\u{430}\u{4E8C}\u{10302}",
        &[],
    );
    // Constraints on conversion processes.
    replaced("UTF-8", b"\xC2\x41\x42", "\u{FFFD}AB", &[one("truncated", 0)]);
    replaced(
        "UTF-8",
        b"\xF0\x80\x80\x41",
        "\u{FFFD}\u{FFFD}\u{FFFD}A",
        &[one("overlong", 0), one("unexpected-continuation", 1), one("unexpected-continuation", 2)],
    );
    // D89.
    replaced(
        "UTF-8",
        b"\xC0\x80\x61\xF3",
        "\u{FFFD}\u{FFFD}a\u{FFFD}",
        &[one("overlong", 0), one("unexpected-continuation", 1), one("truncated-at-end", 3)],
    );
    replaced(
        "UTF-8",
        b"\xC2\xC3",
        "\u{FFFD}\u{FFFD}",
        &[one("truncated", 0), one("truncated-at-end", 1)],
    );
    replaced("UTF-16BE", b"\0\x4D\xD8\0", "M\u{FFFD}", &[("unpaired-high-surrogate", 2, 2, 1, 2)]);
    replaced("UTF-16BE", b"\xDF\x02\0\x4D", "\u{FFFD}M", &[("unpaired-low-surrogate", 0, 2, 1, 1)]);
}

#[test]
fn two_strings_not_in_utf_16_whose_concatenation_is() {
    let whole = b"\x00\x4D\xD8\x00\xDF\x02\x00\x4D";
    let conversion = replacing("UTF-16BE", "UTF-8");
    for at in 0..=whole.len() {
        let outcome = convert_pieces(&conversion, &[&whole[..at], &whole[at..]]);
        assert_eq!(outcome.output, b"M\xF0\x90\x8C\x82M", "cut at {at}");
        assert_eq!(outcome.places(), [], "cut at {at}");
    }
}

/// A high surrogate followed by half a code unit at the end of the text is one fault, a truncated pair.
///
/// This holds whatever the half unit is. The places and the number of replacement characters are those of Python 3
/// (`utf-16-le`, `utf-16-be`) and of the Encoding Standard.
#[test]
fn the_end_of_the_text_inside_a_surrogate_pair_is_one_fault() {
    type Places<'a> = &'a [(&'a str, u64, usize, u64, u64)];
    let cases: [(&str, &[u8], &str, Places<'_>); 8] = [
        ("UTF-16LE", b"\0\xD8\x41", "\u{FFFD}", &[("truncated-at-end", 0, 3, 1, 1)]),
        ("UTF-16BE", b"\xD8\0\xDC", "\u{FFFD}", &[("truncated-at-end", 0, 3, 1, 1)]),
        ("UTF-16BE", b"\xD8\0\x41", "\u{FFFD}", &[("truncated-at-end", 0, 3, 1, 1)]),
        ("UTF-16", b"\xFF\xFEa\0\0\xD8\x41", "a\u{FFFD}", &[("truncated-at-end", 4, 3, 1, 2)]),
        ("UTF-16LE", b"\0\xD8", "\u{FFFD}", &[("unpaired-high-surrogate", 0, 2, 1, 1)]),
        ("UTF-16LE", b"\0\xD8\x41\0", "\u{FFFD}A", &[("unpaired-high-surrogate", 0, 2, 1, 1)]),
        (
            "UTF-16BE",
            b"\xD8\0\0\x41\xD8",
            "\u{FFFD}A\u{FFFD}",
            &[("unpaired-high-surrogate", 0, 2, 1, 1), ("truncated-at-end", 4, 1, 1, 3)],
        ),
        (
            "UTF-16BE",
            b"\xDC\0\x41",
            "\u{FFFD}\u{FFFD}",
            &[("unpaired-low-surrogate", 0, 2, 1, 1), ("truncated-at-end", 2, 1, 1, 2)],
        ),
    ];
    for (name, input, text, places) in cases {
        let conversion = replacing(name, "UTF-8");
        for at in 0..=input.len() {
            let outcome = convert_pieces(&conversion, &[&input[..at], &input[at..]]);
            assert_eq!(outcome.output, text.as_bytes(), "{name} {input:X?} cut at {at}");
            assert_eq!(outcome.places(), places, "{name} {input:X?} cut at {at}");
        }
    }
    let outcome = convert(&replacing("UTF-16LE", "UTF-8"), b"\0\xD8\x41");
    assert_eq!(outcome.found[0].sentence, "the input ends inside a surrogate pair");
    // In UCS-2, code units do not form pairs, so these are two faults. In WTF-16, a lone surrogate is no fault.
    replaced(
        "UCS-2LE",
        b"\0\xD8\x41",
        "\u{FFFD}\u{FFFD}",
        &[("surrogate", 0, 2, 1, 1), ("truncated-at-end", 2, 1, 1, 2)],
    );
    let outcome = convert(&replacing("WTF-16LE", "WTF-8"), b"\0\xD8\x41");
    assert_eq!(outcome.places(), [("truncated-at-end", 2, 1, 1, 2)]);
}

#[test]
fn lines_and_columns_count_characters_and_one_for_each_subpart() {
    // Line 2 has é, 二, an emoji, then two faults with a letter in between. CR LF ends it. A tab is one column.
    let input = b"ok\n\xC3\xA9\xE4\xBA\x8C\xF0\x9F\x98\x80\xE2\x82x\xFF\r\n\t\xC3\n\xF0\x9F";
    replaced(
        "UTF-8",
        input,
        "ok\né二😀\u{FFFD}x\u{FFFD}\r\n\t\u{FFFD}\n\u{FFFD}",
        &[
            ("truncated", 12, 2, 2, 4),
            ("invalid-byte", 15, 1, 2, 6),
            ("truncated", 19, 1, 3, 2),
            ("truncated-at-end", 21, 2, 4, 1),
        ],
    );
    // Only U+000A ends a line. CR, NEL, LINE SEPARATOR and a byte 0A inside a code unit do not.
    replaced(
        "UTF-8",
        b"a\rb\xC2\x85c\xE2\x80\xA8\xFF",
        "a\rb\u{85}c\u{2028}\u{FFFD}",
        &[("invalid-byte", 9, 1, 1, 7)],
    );
    replaced(
        "UTF-16BE",
        b"\x0A\0\0\x0A\0\x61\xDC\0",
        "\u{A00}\na\u{FFFD}",
        &[("unpaired-low-surrogate", 6, 2, 2, 2)],
    );
}

#[test]
fn offsets_are_bytes_of_the_file_with_its_mark_and_columns_are_of_the_text() {
    replaced_from(b"\xEF\xBB\xBFa\xFF", "UTF-8", &[("invalid-byte", 4, 1, 1, 2)]);
    replaced_from(b"\xFE\xFF\0a\xDC\0", "UTF-16", &[("unpaired-low-surrogate", 4, 2, 1, 2)]);
    replaced_from(b"\xFF\xFE\0\0a\0\0\0\0\0\x11\0", "UTF-32", &[("out-of-range", 8, 4, 1, 2)]);
    // In UTF-16BE, U+FEFF is a character, so it takes up a column.
    replaced_from(b"\xFE\xFF\0a\xDC\0", "UTF-16BE", &[("unpaired-low-surrogate", 4, 2, 1, 3)]);
}

fn replaced_from(input: &[u8], from: &str, places: &[(&str, u64, usize, u64, u64)]) {
    assert_eq!(convert(&replacing(from, "UTF-32LE"), input).places(), places, "{from} {input:X?}");
}

#[test]
fn strict_writes_exactly_what_stands_before_the_first_bad_place() {
    for (from, to, input, output, place) in [
        ("UTF-8", "UTF-8", &b"ok\ncaf\xE9\n"[..], &b"ok\ncaf"[..], ("truncated", 6, 1, 2, 4)),
        ("UTF-8", "UTF-8", b"\xFF\xFE", b"", ("invalid-byte", 0, 1, 1, 1)),
        ("UTF-8", "UTF-16LE", b"A\xE2\x82A\xFF", b"A\0", ("truncated", 1, 2, 1, 2)),
        ("UTF-8", "UTF-16", b"\xFF", b"", ("invalid-byte", 0, 1, 1, 1)),
        ("UTF-8", "UTF-16", b"A\xFF", b"\xFF\xFEA\0", ("invalid-byte", 1, 1, 1, 2)),
        ("UTF-16BE", "UTF-8", b"\0\x4D\xD8\0\0\x4D", b"M", ("unpaired-high-surrogate", 2, 2, 1, 2)),
        ("UTF-32BE", "UTF-8", b"\0\0\0\x4D\0\0\xD8\0", b"M", ("surrogate", 4, 4, 1, 2)),
        ("US-ASCII", "UTF-8", b"M\x80", b"M", ("invalid-byte", 1, 1, 1, 2)),
        ("UTF-8", "ISO-8859-1", b"a\xC3\xA9\xE2\x82\xACb", b"a\xE9", ("unmappable", 3, 3, 1, 3)),
        ("UTF-8", "US-ASCII", b"a\n\xC3\xA9b", b"a\n", ("unmappable", 2, 2, 2, 1)),
        ("UTF-16LE", "ISO-8859-1", b"a\0\x3D\xD8\0\xDE", b"a", ("unmappable", 2, 4, 1, 2)),
        ("UTF-32BE", "US-ASCII", b"\0\0\0a\0\x01\xF6\0", b"a", ("unmappable", 4, 4, 1, 2)),
        ("ISO-8859-1", "US-ASCII", b"a\xE9", b"a", ("unmappable", 1, 1, 1, 2)),
    ] {
        let outcome = convert(&strict(from, to), input);
        assert_eq!(outcome.output, output, "{from} to {to}: {input:X?}");
        assert_eq!(outcome.places(), [place], "{from} to {to}: {input:X?}");
        assert!(outcome.summary.stopped);
        assert_eq!(outcome.summary.bytes_read, place.1);
        assert_eq!(outcome.summary.total(), 1);
    }
}

#[test]
fn strict_writes_an_initial_zero_width_no_break_space_before_a_bad_place() {
    // UAX 19, D36a (a): in UTF-32BE, an initial U+FEFF is a character of the text, so it comes before the fault.
    let outcome = convert(&strict("UTF-32BE", "UTF-8"), b"\0\0\xFE\xFF\0\x11\0\0");
    assert_eq!(outcome.output, b"\xEF\xBB\xBF");
    let outcome = convert(&strict("UTF-32BE", "UTF-32"), b"\0\0\xFE\xFF\0\x11\0\0");
    assert_eq!(outcome.output, b"\xFF\xFE\0\0");
}

#[test]
fn skip_and_escape() {
    let input = b"a\xE2\x82b\xED\xA0\x80\xE2\x82\xAC";
    let run = |to, ill, unmappable| convert(&with("UTF-8", to, ill, unmappable), input).output;
    assert_eq!(run("UTF-8", OnIllFormed::Skip, OnUnmappable::Skip), "ab€".as_bytes());
    assert_eq!(run("US-ASCII", OnIllFormed::Skip, OnUnmappable::Skip), b"ab");
    assert_eq!(
        run("US-ASCII", OnIllFormed::Escape, OnUnmappable::Escape),
        br"a\xE2\x82b\xED\xA0\x80\u{20AC}"
    );
    assert_eq!(
        run("ISO-8859-1", OnIllFormed::Escape, OnUnmappable::Xml),
        br"a\xE2\x82b\xED\xA0\x80&#x20AC;"
    );
    assert_eq!(run("US-ASCII", OnIllFormed::Replace, OnUnmappable::Replace), b"a?b????");
    let skipped =
        convert(&with("UTF-8", "US-ASCII", OnIllFormed::Skip, OnUnmappable::Skip), input).summary;
    assert_eq!(
        (skipped.dropped(), skipped.substituted(), skipped.ill_formed(), skipped.unmappable()),
        (5, 0, 4, 1)
    );
}

#[test]
fn a_stop_inside_what_a_fallback_reads_leaves_the_output_where_its_finding_says() {
    let Ok(fallback) = Encoding::for_name("windows-1252") else {
        skipped("no windows-1252 in the registry");
        return;
    };
    // In windows-1252, E2 is U+00E2, which ISO-8859-1 can represent, and 82 is U+201A, which it cannot.
    let input = b"a\xE2\x82b";
    let conversion = strict("UTF-8", "ISO-8859-1").with(|it| it.fallback(fallback));
    let outcome = convert(&conversion, input);
    let stop = outcome.found.last().unwrap();
    assert!(outcome.summary.stopped);
    assert_eq!((stop.id, stop.value), ("unmappable", Some(0x201A)));
    let before = convert(&conversion, &input[..stop.offset as usize]);
    assert_eq!(outcome.output, before.output, "the finding is at byte {}", stop.offset);
}

#[test]
fn what_a_fallback_reads_stands_in_the_one_column_of_its_ill_formed_subsequence() {
    // F0 9F 98 is one ill-formed subsequence. In ISO-8859-1 it is three characters, none of them in US-ASCII.
    let conversion = replacing("UTF-8", "US-ASCII").with(|it| it.fallback(encoding("ISO-8859-1")));
    let outcome = convert(&conversion, b"a\xF0\x9F\x98b\xFF");
    let places: Vec<_> = outcome.found.iter().map(|found| (found.id, found.column)).collect();
    assert_eq!(
        places,
        [
            ("truncated", 2),
            ("unmappable", 2),
            ("unmappable", 2),
            ("unmappable", 2),
            ("invalid-byte", 4),
            ("unmappable", 4),
        ]
    );
}

/// К is D0 9A in UTF-8, which the fallback would also accept, as two characters of windows-1252.
///
/// It stays К although it is surrounded by stray bytes, because the text before it is Cyrillic too.
#[test]
fn a_word_in_the_script_of_the_text_stays_between_stray_bytes() {
    let Ok(fallback) = Encoding::for_name("windows-1252") else { return };
    let conversion = strict("UTF-8", "UTF-8").with(|it| it.fallback(fallback));
    // With 5000, the stray bytes before it are longer than one region.
    for count in [1, 5000] {
        let input = ["Да, да.\n".as_bytes(), &b"\xE9".repeat(count), b" \xD0\x9A \xE9\n"].concat();
        let text = format!("Да, да.\n{} К é\n", "é".repeat(count));
        assert!(convert(&conversion, &input).output == text.as_bytes(), "{count}");
    }
}

/// E6 96 87 81 42 is 文 in UTF-8 followed by 。 in CP932.
///
/// If CP932 also took the bytes before the stray one, the whole would be 譁〟B.
#[test]
fn ideographs_of_the_text_stay_before_stray_bytes() {
    let Ok(fallback) = Encoding::for_name("CP932") else { return };
    let conversion = strict("UTF-8", "UTF-8").with(|it| it.fallback(fallback));
    let input = ["日本語です\n文".as_bytes(), b"\x81\x42\n"].concat();
    assert_eq!(convert(&conversion, &input).output, "日本語です\n文。\n".as_bytes());
}

#[test]
fn each_ill_formed_subsequence_of_what_a_fallback_reads_as_one_character_has_a_column() {
    let Ok(fallback) = Encoding::for_name("CP932") else { return };
    // 83 83 is U+30E3 in CP932, but two ill-formed subsequences in UTF-8.
    let conversion = replacing("UTF-8", "UTF-8").with(|it| it.fallback(fallback));
    let outcome = convert(&conversion, b"a\x83\x83b\x83\x83\n");
    assert_eq!(outcome.output, "aャbャ\n".as_bytes());
    let columns: Vec<_> = outcome.found.iter().map(|found| found.column).collect();
    assert_eq!(columns, [2, 3, 5, 6]);
}

/// <004D, 0061, 10000>, as UAX 19 serializes it.
const UAX_19_BE: &[u8] = b"\0\0\0\x4D\0\0\0\x61\0\x01\0\0";
const UAX_19_LE: &[u8] = b"\x4D\0\0\0\x61\0\0\0\0\0\x01\0";
const UAX_19_TEXT: &str = "\u{4D}\u{61}\u{10000}";

#[test]
fn uax_19_d36a_to_d36c_examples() {
    let marked_be = [b"\0\0\xFE\xFF", UAX_19_BE].concat();
    let marked_le = [b"\xFF\xFE\0\0", UAX_19_LE].concat();
    let marked_text = format!("\u{FEFF}{UAX_19_TEXT}");
    for (from, input, text) in [
        ("UTF-32BE", UAX_19_BE, UAX_19_TEXT),
        ("UTF-32LE", UAX_19_LE, UAX_19_TEXT),
        ("UTF-32", &marked_be, UAX_19_TEXT),
        ("UTF-32", &marked_le, UAX_19_TEXT),
        ("UTF-32", UAX_19_BE, UAX_19_TEXT),
        // (a) of D36a and D36b: an initial U+FEFF is a zero width no-break space.
        ("UTF-32BE", &marked_be, &marked_text),
        ("UTF-32LE", &marked_le, &marked_text),
        // A second U+FEFF, after the byte order mark, is text.
        ("UTF-32", b"\0\0\xFE\xFF\0\0\xFE\xFF", "\u{FEFF}"),
    ] {
        replaced(from, input, text, &[]);
    }
    for (to, expected) in [("UTF-32BE", UAX_19_BE), ("UTF-32LE", UAX_19_LE), ("UTF-32", &marked_le)]
    {
        assert_eq!(convert(&strict("UTF-8", to), UAX_19_TEXT.as_bytes()).output, expected, "{to}");
    }
    let told = strict("UTF-32", "UTF-8").with(|it| it.byte_order(ByteOrder::Little));
    assert_eq!(convert(&told, UAX_19_LE).output, UAX_19_TEXT.as_bytes());
    // A byte order mark takes precedence over the option.
    assert_eq!(convert(&told, &marked_be).output, UAX_19_TEXT.as_bytes());
}

#[test]
fn uax_19_illegal_and_irregular_sequences_are_ill_formed() {
    let one = |kind, at, column| (kind, at, 4, 1, column);
    replaced(
        "UTF-32BE",
        b"\0\0\xD8\0\0\0\xDF\x02\0\0\0A",
        "\u{FFFD}\u{FFFD}A",
        &[one("surrogate", 0, 1), one("surrogate", 4, 2)],
    );
    replaced(
        "UTF-32LE",
        b"\0\xD8\0\0\x02\xDF\0\0A\0\0\0",
        "\u{FFFD}\u{FFFD}A",
        &[one("surrogate", 0, 1), one("surrogate", 4, 2)],
    );
    replaced(
        "UTF-32",
        b"\0\0\xD8\0\0\0\xDF\x02",
        "\u{FFFD}\u{FFFD}",
        &[one("surrogate", 0, 1), one("surrogate", 4, 2)],
    );
    replaced(
        "UTF-32",
        b"\xFF\xFE\0\0\0\xD8\0\0\x02\xDF\0\0",
        "\u{FFFD}\u{FFFD}",
        &[one("surrogate", 4, 1), one("surrogate", 8, 2)],
    );
    replaced(
        "UTF-32BE",
        b"\0\x11\0\0\0\x10\xFF\xFF\xFF\xFF\xFF\xFF",
        "\u{FFFD}\u{10FFFF}\u{FFFD}",
        &[one("out-of-range", 0, 1), one("out-of-range", 8, 3)],
    );
    // The mark of the opposite byte order is FFFE0000 here, which is not a scalar value.
    replaced("UTF-32BE", b"\xFF\xFE\0\0\0\0\0A", "\u{FFFD}A", &[one("out-of-range", 0, 1)]);
    replaced("UTF-32BE", b"\0\0\0A\0\0\0", "A\u{FFFD}", &[("truncated-at-end", 4, 3, 1, 2)]);
}

#[test]
fn marks_of_the_six_schemes_under_auto() {
    let utf8 = |from, input: &[u8]| convert(&strict(from, "UTF-8"), input).output;
    assert_eq!(utf8("UTF-16", b"\xFE\xFF\0A"), b"A");
    assert_eq!(utf8("UTF-16", b"\xFF\xFEA\0"), b"A");
    assert_eq!(utf8("UTF-16", b"\0A"), b"A");
    assert_eq!(utf8("UTF-16BE", b"\xFE\xFF\0A"), b"\xEF\xBB\xBFA");
    assert_eq!(utf8("UTF-16LE", b"\xFF\xFEA\0"), b"\xEF\xBB\xBFA");
    // FFFE is a noncharacter, and noncharacters are scalar values (D79).
    assert_eq!(utf8("UTF-16BE", b"\xFF\xFE\0A"), b"\xEF\xBF\xBEA");
    assert_eq!(utf8("UTF-8", b"\xEF\xBB\xBFA"), b"\xEF\xBB\xBFA");
    assert_eq!(utf8("UTF-16", b""), b"");
    assert_eq!(utf8("UTF-16", b"\xFF\xFE"), b"");
    let from_utf8 = |to| convert(&strict("UTF-8", to), b"\xEF\xBB\xBFA").output;
    assert_eq!(from_utf8("UTF-16"), b"\xFF\xFEA\0");
    assert_eq!(from_utf8("UTF-32"), b"\xFF\xFE\0\0A\0\0\0");
    assert_eq!(from_utf8("UTF-16LE"), b"A\0");
    assert_eq!(from_utf8("UTF-16BE"), b"\0A");
    assert_eq!(from_utf8("UTF-32BE"), b"\0\0\0A");
    // A mark in the input must not lead to two marks in the output.
    assert_eq!(convert(&strict("UTF-16LE", "UTF-16"), b"\xFF\xFEA\0").output, b"\xFF\xFEA\0");
    assert_eq!(convert(&strict("UTF-16", "UTF-16"), b"\xFE\xFF\0A").output, b"\xFF\xFEA\0");
}

#[test]
fn marks_of_a_text_with_its_own_under_each_mode() {
    let run = |from, to, mark, input: &[u8]| {
        convert(&strict(from, to).with(|it| it.marks(mark)), input).output
    };
    for from in UNICODE {
        let plain = encode("A", from);
        let marked = match from {
            "UTF-16" | "UTF-32" => plain.clone(),
            _ => encode("\u{FEFF}A", from),
        };
        for to in UNICODE {
            let what = format!("{from} to {to}");
            assert_eq!(run(from, to, MarkMode::Add, &marked), mark_before("A", to), "{what}: add");
            assert_eq!(run(from, to, MarkMode::Add, &plain), mark_before("A", to), "{what}: add");
            assert_eq!(
                run(from, to, MarkMode::Keep, &marked),
                mark_before("A", to),
                "{what}: keep"
            );
            let bare = match to {
                "UTF-16" => "UTF-16BE",
                "UTF-32" => "UTF-32BE",
                to => to,
            };
            assert_eq!(run(from, to, MarkMode::Strip, &marked), encode("A", bare), "{what}: strip");
        }
    }
}

fn mark_before(text: &str, to: &str) -> Vec<u8> {
    match to {
        "UTF-16" | "UTF-32" => encode(text, to),
        _ => encode(&format!("\u{FEFF}{text}"), to),
    }
}

#[test]
fn all_scalar_values_there_and_back_through_each_pair() {
    // U+FEFF is not at the start, so it is a character and not a mark.
    let text: String = ('\0'..=char::MAX).collect();
    // The loops test each ordered pair, so they cover both directions.
    let encoded = UNICODE.map(|name| (name, encode(&text, name)));
    for (from, input) in &encoded {
        for (to, expected) in &encoded {
            let there = convert(&strict(from, to), input);
            assert!(there.output == *expected, "{from} to {to}");
            assert_eq!(there.places(), [], "{from} to {to}");
            assert_eq!(
                (there.summary.characters, there.summary.lines),
                (0x10_F800, 1),
                "{from} to {to}"
            );
        }
    }
}

#[test]
fn the_repertoires_of_ascii_and_latin_1_there_and_back() {
    for (name, last) in [("US-ASCII", '\x7F'), ("ISO-8859-1", '\u{FF}')] {
        let text: String = ('\0'..=last).collect();
        let bytes: Vec<u8> = (0..=last as u32).map(|cp| cp as u8).collect();
        for other in UNICODE {
            let there = convert(&strict(name, other), &bytes);
            assert_eq!(there.output, encode(&text, other), "{name} to {other}");
            assert_eq!(
                convert(&strict(other, name), &there.output).output,
                bytes,
                "{other} to {name}"
            );
        }
    }
}

#[test]
fn all_scalar_values_outside_a_repertoire_are_unmappable_at_their_own_bytes() {
    let text: String = ('\u{100}'..=char::MAX).step_by(31).collect();
    for from in ["UTF-8", "UTF-16LE", "UTF-32BE"] {
        let outcome = convert(&replacing(from, "ISO-8859-1"), &encode(&text, from));
        assert_eq!(outcome.found.len(), text.chars().count());
        assert!(outcome.output.iter().all(|byte| *byte == b'?'));
        let mut at = 0;
        for (found, c) in outcome.found.iter().zip(text.chars()) {
            let bytes = encode(c.encode_utf8(&mut [0; 4]), from);
            assert_eq!(
                (found.id, found.offset, &found.bytes),
                ("unmappable", at, &bytes),
                "{from}"
            );
            assert_eq!((found.value, found.encoding), (Some(c.into()), "ISO-8859-1"));
            at = found.end();
        }
    }
}
