//! Byte order marks: every scheme, with and without a mark, as input and as output, in every mode of `--bom`.

use crate::common::run;

const LE16: &[u8] = b"\xFF\xFE";
const BE16: &[u8] = b"\xFE\xFF";
const LE32: &[u8] = b"\xFF\xFE\0\0";
const BE32: &[u8] = b"\0\0\xFE\xFF";
const SIGNATURE: &[u8] = b"\xEF\xBB\xBF";

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn convert(from: &str, to: &str, bom: &str, input: &[u8]) -> Vec<u8> {
    let (status, out, err) = run(&["-q", "-f", from, "-t", to, "--bom", bom], input);
    assert_eq!((status, &err[..]), (0, ""), "{from} {to} {bom} {input:X?}");
    out
}

/// Returns `A` in a scheme, without a mark.
fn a(scheme: &str) -> &'static [u8] {
    match scheme {
        "utf-8" => b"A",
        "utf-16le" => b"A\0",
        "utf-16be" | "utf-16" => b"\0A",
        "utf-32le" => b"A\0\0\0",
        _ => b"\0\0\0A",
    }
}

#[test]
fn unmarked_input_takes_its_byte_order_from_a_mark_which_is_no_text() {
    for (from, input) in [
        ("utf-16", join(&[LE16, b"A\0"])),
        ("utf-16", join(&[BE16, b"\0A"])),
        ("utf-16", b"\0A".to_vec()),
        ("utf-32", join(&[LE32, b"A\0\0\0"])),
        ("utf-32", join(&[BE32, b"\0\0\0A"])),
        ("utf-32", b"\0\0\0A".to_vec()),
    ] {
        assert_eq!(convert(from, "utf-8", "auto", &input), b"A", "{from} {input:X?}");
    }
}

#[test]
fn in_the_le_and_be_schemes_an_initial_feff_is_a_character() {
    for (from, mark) in
        [("utf-16le", LE16), ("utf-16be", BE16), ("utf-32le", LE32), ("utf-32be", BE32)]
    {
        let input = join(&[mark, a(from)]);
        assert_eq!(convert(from, "utf-8", "auto", &input), join(&[SIGNATURE, b"A"]), "{from}");
        assert_eq!(convert(from, "utf-16be", "auto", &input), join(&[BE16, b"\0A"]), "{from}");
    }
    // In these schemes, the mark of the opposite byte order is U+FFFE, not U+FEFF.
    assert_eq!(convert("utf-16le", "utf-16le", "auto", BE16), BE16);
}

#[test]
fn unmarked_output_has_exactly_one_mark_and_is_little_endian() {
    let inputs: [(&str, Vec<u8>); 7] = [
        ("utf-8", b"A".to_vec()),
        ("utf-8", join(&[SIGNATURE, b"A"])),
        ("utf-16", join(&[BE16, b"\0A"])),
        ("utf-16le", b"A\0".to_vec()),
        ("utf-16le", join(&[LE16, b"A\0"])),
        ("utf-32", join(&[LE32, b"A\0\0\0"])),
        ("latin1", b"A".to_vec()),
    ];
    for (from, input) in &inputs {
        for bom in ["auto", "keep", "add"] {
            let to16 = convert(from, "utf-16", bom, input);
            assert_eq!(to16, join(&[LE16, b"A\0"]), "{from} {bom}");
            let to32 = convert(from, "utf-32", bom, input);
            assert_eq!(to32, join(&[LE32, b"A\0\0\0"]), "{from} {bom}");
        }
    }
}

#[test]
fn auto_carries_a_signature_from_utf8_to_utf8_only() {
    let input = join(&[SIGNATURE, b"A"]);
    assert_eq!(convert("utf-8", "utf-8", "auto", &input), input);
    for to in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        assert_eq!(convert("utf-8", to, "auto", &input), a(to), "{to}");
    }
    assert_eq!(convert("utf-8", "latin1", "auto", &input), b"A");
    assert_eq!(convert("utf-16", "utf-8", "auto", &join(&[LE16, b"A\0"])), b"A");
}

#[test]
fn keep_carries_any_mark_into_any_target() {
    let signed = join(&[SIGNATURE, b"A"]);
    assert_eq!(convert("utf-8", "utf-8", "keep", &signed), signed);
    assert_eq!(convert("utf-8", "utf-16le", "keep", &signed), join(&[LE16, b"A\0"]));
    assert_eq!(convert("utf-8", "utf-32be", "keep", &signed), join(&[BE32, b"\0\0\0A"]));
    assert_eq!(convert("utf-16", "utf-8", "keep", &join(&[BE16, b"\0A"])), signed);
    assert_eq!(convert("utf-16le", "utf-8", "keep", &join(&[LE16, b"A\0"])), signed);
    assert_eq!(convert("utf-8", "utf-16le", "keep", b"A"), b"A\0");
    // If the target lacks U+FEFF, the mark is unmappable.
    let (status, out, err) = run(&["-t", "latin1", "--bom", "keep"], &signed);
    assert_eq!((status, &out[..]), (1, &b""[..]));
    assert!(err.contains(":1:1: error[unmappable]: EF BB BF at byte 0 (0x0): U+FEFF "), "{err}");
}

#[test]
fn strip_leaves_none_at_the_start_of_the_output() {
    for (from, mark) in [
        ("utf-8", SIGNATURE),
        ("utf-16le", LE16),
        ("utf-16be", BE16),
        ("utf-16", BE16),
        ("utf-32le", LE32),
        ("utf-32be", BE32),
        ("utf-32", BE32),
    ] {
        let input = join(&[mark, a(from)]);
        for to in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
            assert_eq!(convert(from, to, "strip", &input), a(to), "{from} {to}");
        }
        // UTF-16 without a mark is read as big-endian, so it is written as big-endian.
        assert_eq!(convert(from, "utf-16", "strip", &input), b"\0A", "{from}");
        assert_eq!(convert(from, "utf-32", "strip", &input), b"\0\0\0A", "{from}");
    }
}

#[test]
fn add_puts_exactly_one_at_the_start_of_any_unicode_target() {
    for input in [b"A".to_vec(), join(&[SIGNATURE, b"A"])] {
        for (to, expected) in [
            ("utf-8", join(&[SIGNATURE, b"A"])),
            ("utf-16le", join(&[LE16, b"A\0"])),
            ("utf-16be", join(&[BE16, b"\0A"])),
            ("utf-32le", join(&[LE32, b"A\0\0\0"])),
            ("utf-32be", join(&[BE32, b"\0\0\0A"])),
        ] {
            assert_eq!(convert("utf-8", to, "add", &input), expected, "{to} {input:X?}");
        }
    }
}

#[test]
fn strip_and_add_mean_the_output_whatever_the_input_repeats() {
    let twice = join(&[SIGNATURE, SIGNATURE, b"A", SIGNATURE]);
    assert_eq!(convert("utf-8", "utf-16be", "strip", &twice), b"\0A\xFE\xFF");
    assert_eq!(convert("utf-8", "utf-16be", "add", &twice), b"\xFE\xFF\0A\xFE\xFF");
}

#[test]
fn an_empty_input_gives_an_empty_output_and_a_lone_mark_a_lone_mark() {
    for to in ["utf-8", "utf-16", "utf-32", "utf-16le"] {
        for bom in ["auto", "keep", "strip", "add"] {
            assert_eq!(convert("utf-8", to, bom, b""), b"", "{to} {bom}");
        }
    }
    assert_eq!(convert("utf-8", "utf-16", "auto", SIGNATURE), LE16);
    assert_eq!(convert("utf-16", "utf-8", "auto", LE16), b"");
    assert_eq!(convert("utf-8", "utf-8", "auto", SIGNATURE), SIGNATURE);
    assert_eq!(convert("utf-16le", "utf-16", "auto", LE16), LE16);
}

#[test]
fn strict_writes_no_mark_where_nothing_stands_before_the_first_bad_place() {
    let (status, out, _) = run(&["-t", "utf-16"], b"\xFFabc");
    assert_eq!((status, &out[..]), (1, &b""[..]));
    let (status, out, _) = run(&["-t", "utf-16"], b"a\xFFbc");
    assert_eq!((status, &out[..]), (1, &b"\xFF\xFEa\0"[..]));
}

#[test]
fn a_mark_takes_no_column_unless_it_is_text() {
    let (_, out, _) = run(&["--check"], &join(&[SIGNATURE, b"A\xFF"]));
    assert!(String::from_utf8(out).unwrap().contains(":1:2: error[invalid-byte]: FF at byte 4 "));
    let (_, _, err) = run(&["-t", "utf-8"], &join(&[SIGNATURE, b"A\xFF"]));
    assert!(err.contains(":1:2: error[invalid-byte]: FF at byte 4 "), "{err}");
    let (_, out, _) = run(&["--check", "-f", "utf-16"], &join(&[LE16, b"A\0\0\xDC"]));
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains(":1:2: error[unpaired-low-surrogate]: 00 DC at byte 4 "), "{out}");
    let (_, out, _) = run(&["--check", "-f", "utf-16le"], &join(&[LE16, b"A\0\0\xDC"]));
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains(":1:3: error[unpaired-low-surrogate]: 00 DC at byte 4 "), "{out}");
}

#[test]
fn endian_decides_only_where_there_is_no_mark() {
    assert_eq!(run(&["-q", "-f", "utf-16", "--endian", "le"], b"A\0").1, b"A");
    assert_eq!(run(&["-q", "-f", "utf-16", "--endian", "le"], &join(&[BE16, b"\0A"])).1, b"A");
    assert_eq!(run(&["-q", "-f", "utf-32", "--endian", "le"], b"A\0\0\0").1, b"A");
    assert_eq!(run(&["-q", "-f", "utf-16", "--endian", "be"], b"\0A").1, b"A");
}

#[test]
fn the_other_byte_order_is_read_as_told_with_a_note() {
    let (status, out, err) = run(&["-f", "utf-16"], b"h\0i\0!\0");
    assert_eq!(
        (status, String::from_utf8(out).unwrap()),
        (0, "\u{6800}\u{6900}\u{2100}".to_owned())
    );
    assert!(
        err.contains("read as UTF-16BE, but nearly every code unit looks byte-swapped"),
        "{err}"
    );
    assert!(err.contains("--endian"), "{err}");
    assert_eq!(run(&["-f", "utf-16"], b"\0h\0i").2, "");
    assert_eq!(run(&["-f", "utf-16"], &join(&[LE16, b"h\0i\0"])).2, "");
}

#[test]
fn forbid_and_require_are_findings_of_check() {
    let signed = join(&[SIGNATURE, b"A"]);
    let (status, out, _) = run(&["--check", "--bom", "forbid"], &signed);
    assert_eq!(status, 1);
    assert!(String::from_utf8(out).unwrap().contains(
        ":1:1: error[bom-forbidden]: EF BB BF at byte 0 (0x0): the text begins with a byte order mark"
    ));
    assert_eq!(run(&["--check", "--bom", "forbid"], b"A").0, 0);
    assert_eq!(run(&["--check", "--bom", "require"], &signed).0, 0);
    let (status, out, _) = run(&["--check", "--bom", "require"], b"A");
    assert_eq!(status, 1);
    assert!(String::from_utf8(out).unwrap().contains(
        ":1:1: error[bom-missing]: byte 0 (0x0): the UTF-8 text does not begin with a byte order mark"
    ));
    assert_eq!(run(&["--check", "--bom", "forbid", "-f", "utf-16le"], LE16).0, 1);
}

#[test]
fn a_mark_inside_is_text_and_pointed_out_to_who_asks() {
    let joined = join(&[SIGNATURE, b"a\n", SIGNATURE, b"b"]);
    assert_eq!(run(&["--check"], &joined), (0, Vec::new(), String::new()));
    let (status, out, _) = run(&["--check", "-v"], &joined);
    assert_eq!(status, 0);
    let out = String::from_utf8(out).unwrap();
    assert_eq!(
        out,
        "(standard input):2:1: note[bom-inside]: EF BB BF at byte 5 (0x5): \
         U+FEFF inside the text, where it is a character, not a byte order mark\n"
    );
    assert_eq!(convert("utf-8", "utf-16be", "auto", &joined), b"\0a\0\n\xFE\xFF\0b");
}

#[test]
fn joined_files_have_one_mark() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("one"), join(&[LE16, b"a\0"])).unwrap();
    std::fs::write(path("two"), join(&[BE16, b"\0b"])).unwrap();
    std::fs::write(path("none"), b"").unwrap();
    let files = [path("none"), path("one"), path("two")];
    let args = |to: &str| {
        let mut args = vec!["-f".to_owned(), "utf-16".to_owned(), "-t".to_owned(), to.to_owned()];
        args.extend(files.clone());
        args
    };
    let output = |to: &str| crate::common::oxiconv().args(args(to)).output().unwrap().stdout;
    assert_eq!(output("utf-16"), join(&[LE16, b"a\0b\0"]));
    assert_eq!(output("utf-8"), b"ab");
}

/// In some encodings an initial U+FEFF is a plain character or a numeric escape. The output treats it as a mark anyway.
#[test]
fn no_input_gives_an_output_two_marks() {
    for (from, input) in [
        ("utf-8-8byte", &b"\xEF\xBB\xBFa"[..]),
        ("c99", b"\\ufeffa"),
        ("xml", b"&#xFEFF;a"),
        ("gb18030", b"\x84\x31\x95\x33a"),
        ("ucs-4be", b"\0\0\xFE\xFF\0\0\0a"),
        ("wtf-8", b"\xEF\xBB\xBFa"),
    ] {
        assert_eq!(convert(from, "utf-16", "auto", input), b"\xFF\xFEa\0", "{from}");
        assert_eq!(convert(from, "utf-32", "auto", input), b"\xFF\xFE\0\0a\0\0\0", "{from}");
    }
}
