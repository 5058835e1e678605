//! Input in records of a fixed length, each of which becomes a line (`--record-length`).
//!
//! Expected values are hand-written or come from `dd conv=unblock`.

use std::num::NonZeroU64;
use std::process::Command;
use std::time::Duration;

use crate::common::run_text;
use crate::support::{
    With, convert, convert_cut, encoding, every_cut, replacing, skipped, strict, strictly,
};
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{Conversion, OnIllFormed, OnUnmappable, Options};
use proptest::prelude::*;

fn length(bytes: u64) -> NonZeroU64 {
    NonZeroU64::new(bytes).unwrap()
}

fn records(from: &str, to: &str, bytes: u64) -> Conversion {
    strict(from, to).with(|it| it.record_length(length(bytes)))
}

fn trimmed(from: &str, to: &str, bytes: u64) -> Conversion {
    records(from, to, bytes).with(|it| it.trim_records(true))
}

#[test]
fn each_record_becomes_a_line() {
    for (input, bytes, kept, dropped) in [
        ("", 4, "", ""),
        ("abcd", 4, "abcd\n", "abcd\n"),
        ("ab  cd  ", 4, "ab  \ncd  \n", "ab\ncd\n"),
        ("    a  b", 4, "    \na  b\n", "\na  b\n"),
        ("ab  c", 4, "ab  \nc\n", "ab\nc\n"),
        ("ab  c ", 4, "ab  \nc \n", "ab\nc\n"),
        ("ab  ", 1, "a\nb\n \n \n", "a\nb\n\n\n"),
        ("abc", 1 << 40, "abc\n", "abc\n"),
        // A line feed in a record is a character like any other.
        ("a\nb c\nd ", 4, "a\nb \nc\nd \n", "a\nb\nc\nd\n"),
        ("a   \t  ", 8, "a   \t  \n", "a   \t\n"),
    ] {
        for (conversion, expected) in
            [(records("UTF-8", "UTF-8", bytes), kept), (trimmed("UTF-8", "UTF-8", bytes), dropped)]
        {
            let whole = convert(&conversion, input.as_bytes());
            assert_eq!(String::from_utf8(whole.output).unwrap(), expected, "{input:?}");
            assert_eq!(whole.found, []);
            let rest = input.len() as u64 % bytes;
            let note = format!("note: the last record is short: {rest} of {bytes} bytes");
            assert_eq!(whole.words, if rest == 0 { vec![] } else { vec![note] }, "{input:?}");
            assert_eq!(whole.summary.lines, (input.len() as u64).div_ceil(bytes), "{input:?}");
            assert_eq!(whole.summary.characters, input.chars().count() as u64);
            assert_eq!(whole.summary.bytes_read, input.len() as u64);
            every_cut(&conversion, input.as_bytes());
        }
    }
}

/// UTF-8-HUNK3 has no room for a blank in its units of three bits. Each blank is a finding, wherever the text is cut.
#[test]
fn blanks_that_the_target_lacks_are_not_trimmed() {
    let conversion =
        trimmed("UTF-8", "UTF-8-HUNK3", 4).with(|it| it.on_unmappable(OnUnmappable::Skip));
    let done = every_cut(&conversion, b"\x01 \x02  \x03 ");
    let places: Vec<_> = done.places().iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(places, [1, 3, 4, 6].map(|at| ("unmappable", at)));
}

/// `dd conv=unblock` trims the blanks of each record as well.
#[test]
fn as_dd_does() {
    if Command::new("dd").arg("--version").output().is_err() {
        skipped("there is no dd");
        return;
    }
    let text: String = (0..3000u32)
        .map(|n| ["a", " ", "   ", "xyz", "ö"][(n.wrapping_mul(2_654_435_761) >> 20) as usize % 5])
        .collect();
    let input = convert(&strict("UTF-8", "ISO-8859-1"), text.as_bytes()).output;
    for bytes in [1, 2, 3, 7, 80, 133, 4096, 100_000] {
        let dd = assert_cmd::Command::new("dd")
            .args(["conv=unblock", &format!("cbs={bytes}"), "status=none"])
            .write_stdin(&*input)
            .output()
            .unwrap();
        let expected = convert(&strict("ISO-8859-1", "UTF-8"), &dd.stdout).output;
        let output = convert(&trimmed("ISO-8859-1", "UTF-8", bytes), &input).output;
        assert_eq!(output, expected, "{bytes}");
    }
}

/// Mainframe records in EBCDIC, with one byte per character or with shifts.
#[cfg(feature = "legacy")]
#[test]
fn records_of_ebcdic() {
    // HELLO, a blank and 123. Then a record of blanks, and one with 25, the line feed of EBCDIC.
    let input = b"\xC8\xC5\xD3\xD3\xD6\x40\xF1\xF2\xF3\x40\x40\x40\x40\x40\x40\x40\x40\x40\xC1\x25\xC2\x40\x40\x40\x40\x40\x40";
    let conversion = trimmed("IBM037", "UTF-8", 9);
    assert_eq!(convert(&conversion, input).output, b"HELLO 123\n\nA\nB\n");
    every_cut(&conversion, input);
    let ebcdic = trimmed("IBM037", "IBM1047", 9);
    assert_eq!(
        convert(&ebcdic, input).output,
        b"\xC8\xC5\xD3\xD3\xD6\x40\xF1\xF2\xF3\x25\x25\xC1\x25\xC2\x25"
    );
    // Each record begins in the single-byte state, even if the one before it does not return there.
    let input = b"\x0E\x45\x66\x45\x66\xC1\xC1\x40\x40\x40\xC1\x0E\x45\x66\x0F";
    let conversion = replacing("IBM939", "UTF-8").with(|it| it.record_length(length(5)));
    let whole = convert(&conversion, input);
    let one = |bytes: &[u8]| convert(&replacing("IBM939", "UTF-8"), bytes).output;
    let each: Vec<u8> =
        input.chunks(5).flat_map(|record| [one(record), b"\n".to_vec()].concat()).collect();
    assert_eq!(whole.output, each);
    assert_eq!(String::from_utf8(whole.output).unwrap().lines().nth(1), Some("AA   "));
    every_cut(&conversion, input);
}

/// A sequence that the end of a record truncates is ill-formed. Lines count records, and columns count the characters
/// in one.
#[test]
fn a_record_is_decoded_by_itself() {
    let conversion = replacing("UTF-8", "UTF-8").with(|it| it.record_length(length(4)));
    let input = "aé€b\nc".as_bytes();
    let whole = convert(&conversion, input);
    // 61 C3 A9 E2 | 82 AC 62 0A | 63
    assert_eq!(String::from_utf8(whole.output).unwrap(), "aé\u{FFFD}\n\u{FFFD}\u{FFFD}b\n\nc\n");
    let places: Vec<_> =
        whole.found.iter().map(|it| (it.id, it.offset, it.line, it.column)).collect();
    assert_eq!(
        places,
        [
            ("truncated-at-end", 3, 1, 3),
            ("unexpected-continuation", 4, 2, 1),
            ("unexpected-continuation", 5, 2, 2)
        ]
    );
    every_cut(&conversion, input);
    // A strict conversion stops before the truncated sequence.
    let whole = convert(&records("UTF-8", "UTF-8", 4), input);
    assert_eq!((whole.output, whole.summary.bytes_read), ("aé".as_bytes().to_vec(), 3));
    // Code units of two bytes, and a byte order mark, which is part of the first record.
    let input = b"\xFE\xFF\0a\0b\0 \0c\0 ";
    let conversion = trimmed("UTF-16", "UTF-8", 6);
    assert_eq!(convert(&conversion, input).output, b"ab\n c\n");
    every_cut(&conversion, input);
    for bytes in [1, 2, 3] {
        let conversion = replacing("UTF-16", "UTF-8").with(|it| it.record_length(length(bytes)));
        every_cut(&conversion, input);
        let lines = convert(&conversion, input).summary.lines;
        assert_eq!(lines, (input.len() as u64).div_ceil(bytes), "{bytes}");
    }
    // In UTF-7, each record begins in ASCII. +AOk- is é.
    let conversion = replacing("UTF-7", "UTF-8").with(|it| it.record_length(length(5)));
    assert_eq!(convert(&conversion, b"+AOk-+AOk-AOk- ").output, "é\né\nAOk- \n".as_bytes());
    every_cut(&conversion, b"+AOk-+AOk-AOk- ");
}

/// A line feed in a record does not begin a line in the places of findings.
#[test]
fn a_finding_has_the_number_of_its_record() {
    let conversion = replacing("UTF-8", "US-ASCII").with(|it| it.record_length(length(4)));
    let input = "a\nébc\n\néd".as_bytes();
    let expected = [("unmappable", 2, 2, 1, 3), ("unmappable", 8, 2, 3, 1)];
    // 61 0A C3 A9 | 62 63 0A 0A | C3 A9 64
    assert_eq!(convert(&conversion, input).places(), expected);
    let denied = conversion.with(|it| it.trim_records(true).deny([DeniedKind::Control]));
    assert_eq!(convert(&denied, input).places(), expected);
    every_cut(&denied, input);
}

/// Records together with normalization, transliteration, and replacements for ill-formed input.
#[test]
fn records_go_with_the_other_layers() {
    // A letter at the end of a record does not compose with a mark in the next one.
    #[cfg(feature = "normalization")]
    {
        let nfc =
            trimmed("UTF-8", "UTF-8", 4).with(|it| it.normalize(oxiconv::NormalizationForm::Nfc));
        let input = "ae\u{301}ade \u{301}x  e\u{301}  ";
        // 61 65 CC 81 | 61 64 65 20 | CC 81 78 20 | 20 65 CC 81 | 20 20
        assert_eq!(
            String::from_utf8(convert(&nfc, input.as_bytes()).output).unwrap(),
            "aé\nade\n\u{301}x\n é\n\n"
        );
        every_cut(&nfc, input.as_bytes());
    }
    #[cfg(feature = "transliteration")]
    {
        let translit = trimmed("UTF-8", "US-ASCII", 4).with(|it| it.transliterate(true));
        assert_eq!(convert(&translit, "\u{20AC} ae\u{301} ".as_bytes()).output, b"EUR\nae\n\n");
        every_cut(&translit, "\u{20AC} ae\u{301} ".as_bytes());
    }
    for (mode, expected) in [
        // Blanks before a skipped byte are not at the end of the record, so they are kept.
        (OnIllFormed::Skip, "a  b\n \n"),
        (OnIllFormed::Replace, "a \u{FFFD} b\n \u{FFFD}\n"),
        (OnIllFormed::Escape, "a \\xFF b\n \\xFF\n"),
    ] {
        let conversion = trimmed("UTF-8", "UTF-8", 5).with(|it| it.on_ill_formed(mode));
        let input = b"a \xFF b \xFF   ";
        let output = String::from_utf8(convert(&conversion, input).output).unwrap();
        assert_eq!(output, expected, "{mode:?}");
        every_cut(&conversion, input);
    }
    let skips = trimmed("UTF-8", "US-ASCII", 5).with(|it| it.on_unmappable(OnUnmappable::Skip));
    assert_eq!(convert(&skips, "a é bc é".as_bytes()).output, b"a \nbc \n");
    let mixed = trimmed("UTF-8", "UTF-8", 4).with(|it| it.fallback(encoding("ISO-8859-1")));
    assert_eq!(convert(&mixed, b"\xE9\xC3\xA9 \xE9  \xC3").output, "éé\né  Ã\n".as_bytes());
    every_cut(&mixed, b"\xE9\xC3\xA9 \xE9  \xC3");
    #[cfg(feature = "detection")]
    {
        use oxiconv_transcode::Fallback;
        let error = Options::new()
            .record_length(length(4))
            .fallback(Fallback::Detected)
            .build(encoding("UTF-8"), None)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "records cannot be combined with a detected fallback (name its encoding)"
        );
    }
}

proptest! {
    #[test]
    fn lines_are_records_converted_by_themselves(
        input in prop::collection::vec(prop_oneof![Just(b' '), Just(b'a'), Just(b'\n'), any::<u8>()], 0..120),
        bytes in 1u64..20,
        cuts in prop::collection::vec(0usize..120, 0..5),
        name in prop::sample::select(vec!["UTF-8", "UTF-16LE", "ISO-8859-1", "IBM939", "SHIFT_JIS", "UTF-7"]),
        to in prop::sample::select(vec!["UTF-8", "UTF-16BE", "ISO-2022-JP"]),
        trims in any::<bool>(),
    ) {
        let conversion = replacing(name, to).with(|it| it.record_length(length(bytes)).trim_records(trims));
        let whole = convert(&conversion, &input);
        // A single record is too short to tell whether it holds text in other code units, hence `keep_units`.
        let alone = replacing(name, "UTF-8").with(|it| it.keep_units(true));
        let text = |bytes: &[u8]| convert(&alone, bytes).output;
        let mut lines = Vec::new();
        for record in input.chunks(bytes as usize) {
            let line = String::from_utf8(text(record)).unwrap();
            lines.extend(if trims { line.trim_end_matches(' ') } else { &line }.bytes());
            lines.push(b'\n');
        }
        prop_assert_eq!(&whole.output, &convert(&replacing("UTF-8", to), &lines).output);
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < input.len()).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&convert_cut(&conversion, &input, &cuts, true), &whole);
        let each: Vec<_> = (1..input.len()).collect();
        prop_assert_eq!(&convert_cut(&conversion, &input, &each, true), &whole);
        let checks = strictly(encoding(name), None).with(|it| {
            it.record_length(length(bytes)).trim_records(trims).on_ill_formed(OnIllFormed::Replace)
        });
        let ill_formed = |found: &[crate::support::Found]| {
            found.iter().filter(|it| it.id != "unmappable").map(crate::support::Found::place).collect::<Vec<_>>()
        };
        prop_assert_eq!(ill_formed(&convert(&checks, &input).found), ill_formed(&whole.found));
    }
}

#[cfg(feature = "cli")]
#[test]
fn the_program_reads_records() {
    let ebcdic = b"\xC1\xC2\x40\x40\xC3\x40\x40\x40";
    let out = |args: &[&str]| run_text(args, ebcdic);
    assert_eq!(
        out(&["-f", "cp037", "--record-length", "4"]),
        (0, "AB  \nC   \n".into(), "".into())
    );
    let trims = ["-f", "cp037", "--record-length=4", "--trim-records"];
    assert_eq!(out(&trims), (0, "AB\nC\n".into(), "".into()));
    let note = "oxiconv: (standard input): the last record is short: 2 of 3 bytes\n";
    assert_eq!(
        out(&["-f", "cp037", "--record-length", "3", "--trim-records"]),
        (0, "AB\n C\n\n".into(), note.into())
    );
    assert_eq!(out(&["-q", "-f", "cp037", "--record-length", "3"]).2, "");
    assert_eq!(
        run_text(&["-q", "--check", "--record-length", "2"], b"ab\xFFb"),
        (
            1,
            "(standard input):2:1: error[invalid-byte]: FF at byte 2 (0x2): FF never occurs in UTF-8\n".into(),
            "".into()
        )
    );
    for (args, error) in [
        (&["--record-length", "0"][..], "--record-length must be at least 1"),
        (&["--record-length", "x"], "--record-length must be a number, not 'x'"),
        (&["--trim-records"], "--trim-records requires --record-length"),
    ] {
        let (status, out, err) = run_text(args, b"");
        assert_eq!((status, &*out), (2, ""), "{args:?}");
        assert!(err.contains(error), "{args:?}: {err}");
    }
}

/// Several files, and files converted in place. Each has records of its own.
#[cfg(feature = "cli")]
#[test]
fn files_of_records() {
    let dir = crate::common::Dir::new();
    dir.write("a", b"ab  c");
    dir.write("b", b"def ");
    let (status, out, err) = dir.run(&["--record-length", "4", "--trim-records", "a", "b"]);
    assert_eq!((status, &*out), (0, "ab\nc\ndef\n"));
    assert_eq!(err, "oxiconv: a: the last record is short: 1 of 4 bytes\n");
    let (status, _, err) = dir.run(&["-q", "-i", "--record-length", "4", "a", "b"]);
    assert_eq!((status, &*err), (0, ""));
    assert_eq!((dir.read("a"), dir.read("b")), (b"ab  \nc\n".to_vec(), b"def \n".to_vec()));
    // Detection sees the whole text, not just one record.
    let text = "Съешь ещё этих мягких французских булок, да выпей же чаю. ".repeat(20);
    let koi8 = convert(&strict("UTF-8", "KOI8-R"), text.as_bytes()).output;
    dir.write("koi8", &[b"name: ", &*koi8].concat());
    let (status, out, err) = dir.run(&["-q", "-f", "auto", "--record-length", "16", "koi8"]);
    assert_eq!((status, &*err), (0, ""));
    assert_eq!(out.replace('\n', ""), format!("name: {text}"));
    let lines: Vec<_> = out.lines().collect();
    assert!(lines.iter().rev().skip(1).all(|line| line.chars().count() == 16));
}

/// Records are never buffered, whatever their length, and blanks are only counted until they are known to be trailing.
#[cfg(feature = "cli")]
#[test]
fn long_records_take_no_memory() {
    let dir = crate::common::Dir::new();
    let text = [&vec![b' '; 24 << 20][..], b"x", &vec![b' '; 8 << 20]].concat();
    dir.write("long", &text);
    for bytes in ["80", "1048576", "33554433"] {
        let mut command = crate::common::oxiconv();
        command.args(["--record-length", bytes, "--trim-records"]).arg(dir.path("long"));
        let output = command.timeout(Duration::from_secs(60)).output().unwrap();
        let per: usize = bytes.parse().unwrap();
        let lines = text.len().div_ceil(per);
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), lines);
        let before = (24 << 20) % per;
        let expected = [&vec![b' '; before][..], b"x\n"].concat();
        assert!(output.stdout.windows(expected.len().min(90)).any(|it| expected.ends_with(it)));
        assert_eq!(output.stdout.len(), lines + before + 1, "{bytes}");
    }
}

/// The file is long enough for several threads, none of which may begin inside a record.
#[test]
fn a_long_file_is_divided_into_its_records_alone() {
    let dir = crate::common::Dir::new();
    // `ab`, a blank, `c` and six blanks, in EBCDIC.
    dir.write("f", &b"\x81\x82\x40\x83\x40\x40\x40\x40\x40\x40".repeat(480_000));
    for jobs in ["1", "4"] {
        let args = ["-f", "IBM037", "--record-length", "20", "-j", jobs, "f"];
        let (status, out, err) = dir.run(&args);
        assert_eq!((status, &*err), (0, ""), "-j {jobs}");
        assert!(out == "ab c      ab c      \n".repeat(240_000), "-j {jobs}");
    }
}

/// "Smith" is E2 94 89 A3 88 in IBM037: a box-drawing character of UTF-8 and two stray bytes, among blanks that are `@` in
/// ASCII. None of that makes the records UTF-8.
#[cfg(feature = "cli")]
#[test]
fn records_that_are_mostly_blanks_are_converted_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("names");
    let record = [&b"\xE2\x94\x89\xA3\x88\xF7"[..], &[0x40; 74]].concat();
    std::fs::write(&path, record.repeat(200)).unwrap();
    let args = ["-q", "-f", "IBM037", "--record-length", "80", "--trim-records", "-i", "names"];
    let run = crate::common::oxiconv().current_dir(dir.path()).args(args).output().unwrap();
    assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Smith7\n".repeat(200));
    // Text in ASCII is still refused.
    std::fs::write(&path, b"someone@example.org, caf\xE9\n".repeat(200)).unwrap();
    let run = crate::common::oxiconv().current_dir(dir.path()).args(args).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{run:?}");
}
