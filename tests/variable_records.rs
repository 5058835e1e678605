//! Input in records that begin with their lengths, each of which becomes a line (`--record-format rdw`).
//!
//! Expected values are hand-written from IBM's z/OS DFSMS Using Data Sets, "Variable-Length Record Formats": a record
//! descriptor word is the length of the record with the word, in two bytes, and two bytes of zeros.

use crate::support::{With, convert, convert_cut, every_cut, replacing, strict, strictly};
use oxiconv_transcode::{Conversion, OnIllFormed, Options};
use proptest::prelude::*;

fn variable(from: &str, to: &str) -> Conversion {
    strict(from, to).with(Options::variable_records)
}

fn described(record: &[u8]) -> Vec<u8> {
    let length = u16::try_from(record.len() + 4).unwrap();
    [&length.to_be_bytes()[..], &[0, 0], record].concat()
}

#[test]
fn each_record_becomes_a_line() {
    for (input, kept, dropped) in [
        (&b""[..], "", ""),
        (b"\0\x04\0\0", "\n", "\n"),
        (b"\0\x07\0\0abc", "abc\n", "abc\n"),
        (b"\0\x07\0\0ab \0\x04\0\0\0\x05\0\0c", "ab \n\nc\n", "ab\n\nc\n"),
        // A line feed, and what would be a descriptor word, are characters of a record like any other.
        (b"\0\x0A\0\0a\n\0\x04\0\0\0\x06\0\0\n ", "a\n\0\u{4}\0\0\n\n \n", "a\n\0\u{4}\0\0\n\n\n"),
    ] {
        let conversion = variable("UTF-8", "UTF-8");
        let trimmed = variable("UTF-8", "UTF-8").with(|it| it.trim_records(true));
        for (conversion, expected) in [(conversion, kept), (trimmed, dropped)] {
            let whole = every_cut(&conversion, input);
            assert_eq!(String::from_utf8(whole.output).unwrap(), expected);
            assert_eq!((&*whole.found, &*whole.words), (&[][..], &[][..]));
            assert_eq!(whole.summary.bytes_read, input.len() as u64);
        }
    }
}

/// The lengths 4 and 32,767 are the limits. The bytes of a word are never decoded: FF and 80 are ill-formed in UTF-8,
/// and 0E would shift to two-byte characters in IBM939.
#[test]
fn a_descriptor_word_is_no_text() {
    for length in [0, 1, 0x7C, 0x80, 0xFB, 0x0E00, 0x0EFB, 0x7FFB] {
        let record = vec![b'x'; length];
        let input = [described(&record), described(b"y")].concat();
        let whole = convert(&variable("UTF-8", "UTF-8"), &input);
        assert_eq!(whole.output, [&record[..], b"\ny\n"].concat(), "{length}");
        assert_eq!((whole.found, whole.summary.characters), (vec![], length as u64 + 1));
    }
    // In UTF-16, no byte order mark is looked for. Half a code unit takes nothing from the next word.
    let utf16 = replacing("UTF-16LE", "UTF-8").with(Options::variable_records);
    let whole = every_cut(&utf16, b"\0\x07\0\0a\0b\0\x06\0\0c\0");
    assert_eq!(whole.output, "a\u{FFFD}\nc\n".as_bytes());
    assert_eq!(whole.places(), [("truncated-at-end", 6, 1, 1, 2)]);
    let unmarked = variable("UTF-16", "UTF-8");
    assert_eq!(every_cut(&unmarked, b"\0\x06\0\0\0a").output, b"a\n");
}

/// Each record begins in the single-byte state, even if the one before it does not return there.
#[cfg(feature = "legacy")]
#[test]
fn variable_records_of_ebcdic() {
    let input =
        [described(b"\xC1\x0E\x45\x66"), described(b"\xC1\x0E\x45\x66\x0F\xC2\x40")].concat();
    let conversion = variable("IBM939", "UTF-8").with(|it| it.trim_records(true));
    assert_eq!(every_cut(&conversion, &input).output, "A本\nA本B\n".as_bytes());
    let ebcdic = variable("IBM037", "IBM1047");
    assert_eq!(every_cut(&ebcdic, &described(b"\xC1\x40")).output, b"\xC1\x40\x25");
}

/// The length of the record before a wrong one is right, so its line is written.
#[test]
fn an_invalid_record_stops_every_conversion() {
    let wrong = |word: &[u8]| [b"\0\x05\0\0a", word].concat();
    for (input, output, place, sentence) in [
        (
            wrong(b"\0\x03\0\0\0\x05\0\0b"),
            "a\n",
            (5, 4, 2, 1),
            "the record has the length 3; the shortest has 4, with its descriptor word",
        ),
        (
            wrong(b"\0\0\0\0"),
            "a\n",
            (5, 4, 2, 1),
            "the record has the length 0; the shortest has 4, with its descriptor word",
        ),
        (
            wrong(b"\x80\0\0\0b"),
            "a\n",
            (5, 4, 2, 1),
            "the record has the length 32768; the longest has 32767 (is the file RECFM=V or VB?)",
        ),
        (
            wrong(b"\0\x05\x01\0b"),
            "a\n",
            (5, 4, 2, 1),
            "this is a segment of a spanned record (copy the data set to one with RECFM=VB)",
        ),
        (
            wrong(b"\0\x05\x04\0b"),
            "a\n",
            (5, 4, 2, 1),
            "the third and fourth byte of a record descriptor word must be zero (is the file RECFM=V or VB?)",
        ),
        (
            wrong(b"\0\x05\x01\x01b"),
            "a\n",
            (5, 4, 2, 1),
            "the third and fourth byte of a record descriptor word must be zero (is the file RECFM=V or VB?)",
        ),
        (
            wrong(b"\0\x05\0"),
            "a\n",
            (5, 3, 2, 1),
            "the input ends after 3 of the 4 bytes of a record descriptor word",
        ),
        (
            wrong(b"\0\x07\0\0bc"),
            "a\nbc",
            (11, 0, 2, 3),
            "the input ends before the end of the record",
        ),
        (wrong(b"\0\x07\0\0"), "a\n", (9, 0, 2, 1), "the input ends before the end of the record"),
    ] {
        let checks = strictly(crate::support::encoding("UTF-8"), None)
            .with(|it| it.variable_records().on_ill_formed(OnIllFormed::Replace));
        let replaces = replacing("UTF-8", "UTF-8").with(Options::variable_records);
        let explains = checks.clone().with_detail(oxiconv_transcode::diagnostic::Detail::Context);
        for conversion in [variable("UTF-8", "UTF-8"), replaces, checks, explains] {
            let whole = every_cut(&conversion, &input);
            if conversion.to().is_some() {
                assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), output);
            }
            let (offset, len, line, column) = place;
            assert_eq!(whole.places(), [("invalid-record", offset, len, line, column)]);
            assert_eq!(whole.summary.bytes_read, offset);
            assert!(whole.summary.stopped);
            let mut found: Vec<oxiconv_transcode::Finding<'static>> = Vec::new();
            let _ = oxiconv_transcode::Transcoder::new(&conversion, &mut std::io::sink())
                .input(&mut &*input, &mut found);
            assert_eq!(found[0].sentence(), sentence);
        }
    }
    let whole = convert(&variable("UTF-8", "UTF-8"), b"\0\x09\0\0ab");
    assert_eq!(whole.words, ["note: the last record is short: 2 of 5 bytes"]);
    // Text without descriptor words is found out at its first bytes, whether it has a byte order mark or not.
    for text in ["HELLO, WORLD", "\u{FEFF}HELLO"] {
        let whole = every_cut(&variable("UTF-8", "UTF-8"), text.as_bytes());
        assert_eq!(whole.places(), [("invalid-record", 0, 4, 1, 1)], "{text}");
    }
}

proptest! {
    /// Wherever the input is damaged or truncated, the result does not depend on how it arrives, and everything before
    /// the damage is converted.
    #[test]
    fn damaged_variable_records_are_the_same_however_they_arrive(
        lengths in prop::collection::vec(0usize..9, 1..6),
        (at, byte) in (0usize..60, any::<u8>()),
        end in 0usize..60,
        name in prop::sample::select(vec!["UTF-8", "UTF-16LE", "IBM939", "SHIFT_JIS"]),
        trims in any::<bool>(),
    ) {
        let records: Vec<_> = lengths.iter().map(|length| described(&[0x40; 9][..*length])).collect();
        let mut input = records.concat();
        if let Some(place) = input.get_mut(at) {
            *place = byte;
        }
        input.truncate(end);
        let conversion = replacing(name, "UTF-8").with(|it| it.variable_records().trim_records(trims));
        let whole = every_cut(&conversion, &input);
        let stops = whole.summary.stopped;
        prop_assert_eq!(whole.found.iter().any(|it| it.id == "invalid-record"), stops);
        prop_assert!(stops || whole.summary.bytes_read == input.len() as u64);
        // The records before the damaged byte are whole.
        let ends = records.iter().scan(0, |end, record| { *end += record.len(); Some(*end) });
        let good = ends.take_while(|record| *record <= at.min(input.len())).count() as u64;
        prop_assert!(whole.summary.lines >= good, "{} lines, not {}", whole.summary.lines, good);
    }

    #[test]
    fn lines_are_variable_records_converted_by_themselves(
        records in prop::collection::vec(
            prop::collection::vec(prop_oneof![Just(b' '), Just(b'a'), Just(b'\n'), any::<u8>()], 0..20), 0..8),
        cuts in prop::collection::vec(0usize..120, 0..5),
        name in prop::sample::select(vec!["UTF-8", "UTF-16LE", "ISO-8859-1", "IBM939", "SHIFT_JIS", "UTF-7"]),
        to in prop::sample::select(vec!["UTF-8", "UTF-16BE", "ISO-2022-JP"]),
        trims in any::<bool>(),
    ) {
        let input: Vec<u8> = records.iter().flat_map(|record| described(record)).collect();
        let conversion = replacing(name, to).with(|it| it.variable_records().trim_records(trims));
        let whole = convert(&conversion, &input);
        let alone = replacing(name, "UTF-8").with(|it| it.keep_units(true));
        let mut lines = Vec::new();
        for record in &records {
            let line = String::from_utf8(convert(&alone, record).output).unwrap();
            lines.extend(if trims { line.trim_end_matches(' ') } else { &line }.bytes());
            lines.push(b'\n');
        }
        prop_assert_eq!(&whole.output, &convert(&replacing("UTF-8", to), &lines).output);
        prop_assert_eq!(whole.summary.lines, records.len() as u64);
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < input.len()).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&convert_cut(&conversion, &input, &cuts, true), &whole);
        let each: Vec<_> = (1..input.len()).collect();
        prop_assert_eq!(&convert_cut(&conversion, &input, &each, true), &whole);
    }
}

#[cfg(feature = "detection")]
#[test]
fn the_encoding_of_variable_records_is_named() {
    let detector = oxiconv_transcode::InputEncoding::Detected(oxiconv::Detector::new());
    let error = Options::new().variable_records().build(detector, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "records of variable length cannot be combined with a detected encoding (name it)"
    );
}

#[cfg(feature = "cli")]
mod program {
    use super::*;
    use crate::common::{Dir, run_text};

    const RDW: [&str; 4] = ["-f", "cp037", "--record-format", "rdw"];
    /// HELLO, an empty record, and A with a blank.
    const INPUT: &[u8] = b"\0\x09\0\0\xC8\xC5\xD3\xD3\xD6\0\x04\0\0\0\x06\0\0\xC1\x40";

    fn with<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&RDW, options].concat()
    }

    #[test]
    fn the_program_reads_variable_records() {
        assert_eq!(run_text(&RDW, INPUT), (0, "HELLO\n\nA \n".into(), String::new()));
        let trims = with(&["--trim-records"]);
        assert_eq!(run_text(&trims, INPUT), (0, "HELLO\n\nA\n".into(), String::new()));
        assert_eq!(run_text(&with(&["--check"]), INPUT), (0, String::new(), String::new()));
        let error = "(standard input):1:1: error[invalid-record]: C8 C5 D3 D3 at byte 0 (0x0): the record has the \
                     length 51397; the longest has 32767 (is the file RECFM=V or VB?)\n";
        assert_eq!(run_text(&with(&["--check"]), &INPUT[4..]), (1, error.into(), String::new()));
        let (status, out, err) = run_text(&RDW, &INPUT[4..]);
        assert_eq!((status, &*out), (1, ""));
        assert!(err.contains("error[invalid-record]: C8 C5 D3 D3 at byte 0"), "{err}");
        // The picture shows the word, and the text of the next record is no part of it.
        let (status, out, _) = run_text(&with(&["--explain"]), &INPUT[..12]);
        assert_eq!(status, 1);
        assert!(out.contains("the input ends after 3 of the 4 bytes"), "{out}");
    }

    #[test]
    fn record_formats_that_do_not_go_together() {
        let fixed = ["--record-format", "fixed", "--record-length", "2"];
        assert_eq!(run_text(&fixed, b"abcd"), (0, "ab\ncd\n".into(), String::new()));
        for (args, error) in [
            (&["--record-format", "fixed"][..], "--record-format fixed requires --record-length"),
            (
                &["--record-format", "rdw", "--record-length", "4"],
                "--record-length cannot be combined with --record-format rdw, whose records begin with their lengths",
            ),
            (&["--trim-records"], "--trim-records requires --record-length or --record-format rdw"),
            (&["--record-format", "vb"], "invalid value 'vb' for --record-format"),
            (&["-f", "auto", "--record-format", "rdw"], "a detected encoding (name it)"),
            (&["-f", "auto-lines", "--record-format", "rdw"], "detected for each line (name it)"),
            (
                &["--fallback", "auto", "--record-format", "rdw"],
                "records cannot be combined with a detected fallback",
            ),
            (
                &["--detect", "--record-format", "rdw"],
                "--detect cannot be combined with --record-format",
            ),
        ] {
            let (status, out, err) = run_text(args, b"");
            assert_eq!((status, &*out), (2, ""), "{args:?}");
            assert!(err.contains(error), "{args:?}: {err}");
        }
    }

    #[test]
    fn files_of_variable_records() {
        let dir = Dir::new();
        dir.write("a", INPUT);
        dir.write("b", INPUT);
        let (status, out, err) = dir.run(&with(&["--trim-records", "a", "b"]));
        assert_eq!((status, &*out, &*err), (0, "HELLO\n\nA\nHELLO\n\nA\n", ""));
        // The words contain NUL, but a directory of such files is not skipped as binary.
        assert_eq!(dir.run(&with(&["--check", "-r", "."])).0, 0);
        let (status, _, err) = dir.run(&with(&["--check", "-v", "-r", "."]));
        assert!(status == 0 && !err.contains("binary"), "{err}");
        let (status, _, err) = dir.run(&with(&["-q", "-i", "a"]));
        assert_eq!((status, &*err), (0, ""));
        assert_eq!(dir.read("a"), b"HELLO\n\nA \n");
        // What is left is no file of records any more, and a truncated one stays as it is.
        let (status, _, err) = dir.run(&with(&["-i", "a"]));
        assert_eq!(status, 1, "{err}");
        dir.write("b", &INPUT[..INPUT.len() - 1]);
        let (status, _, err) = dir.run(&with(&["-i", "b"]));
        assert!(status == 1 && err.contains("b:3:2: error[invalid-record]"), "{err}");
        assert_eq!(dir.read("b"), &INPUT[..INPUT.len() - 1]);
        let (status, _, err) = dir.run(&with(&["--check", "--shard", "1/2", "b"]));
        assert!(status == 2 && err.contains("the lengths of all records before it"), "{err}");
    }

    /// Text in UTF-8 in records of variable length would be unreadable as EBCDIC, whatever is between its records.
    #[test]
    fn readable_records_are_not_made_unreadable() {
        let dir = Dir::new();
        let record = described("Grüße aus Köln, someone@example.org".as_bytes());
        for count in [1, 2000] {
            dir.write("a", &record.repeat(count));
            let (status, _, err) = dir.run(&with(&["-i", "a"]));
            assert!(status == 1 && err.contains("not converted: "), "{err}");
            let (_, _, err) = dir.run(&with(&["a"]));
            assert!(err.contains("the input is"), "{err}");
        }
        // Text in EBCDIC is converted, however short its records are.
        let record = described(b"\xE2\x94\x89\xA3\x88");
        for count in [1, 2000] {
            dir.write("a", &record.repeat(count));
            let (status, _, err) = dir.run(&with(&["-i", "a"]));
            assert_eq!((status, &*err), (0, ""), "{count}");
            assert_eq!(dir.read("a"), b"Smith\n".repeat(count));
        }
    }

    /// A file that is long enough for several threads, and a pipe.
    #[test]
    fn a_long_file_of_variable_records() {
        let dir = Dir::new();
        let records = [described(b"\x81\x82\x40\x83"), described(&[0x81; 300])].concat();
        dir.write("f", &records.repeat(16_000));
        let expected = ["ab c", &"a".repeat(300), ""].join("\n").repeat(16_000);
        for jobs in ["1", "4"] {
            let (status, out, err) = dir.run(&with(&["-j", jobs, "f"]));
            assert_eq!((status, &*err), (0, ""), "-j {jobs}");
            assert!(out == expected, "-j {jobs}");
        }
        assert!(run_text(&RDW, &records.repeat(16_000)) == (0, expected, String::new()));
        let resume = with(&["--resume", "m", "-o", "o", "f"]);
        for _ in 0..2 {
            assert_eq!(dir.run(&resume).0, 0);
        }
        // Another format is another task.
        let (status, _, err) =
            dir.run(&["-f", "cp037", "--record-length", "9", "--resume", "m", "-o", "o", "f"]);
        assert!(status == 0 && dir.read("o").starts_with(b"\0"), "{err}");
    }

    /// Each record is shown as soon as it is complete.
    #[test]
    fn a_record_in_a_pipe_is_written_at_once() {
        use std::io::{Read, Write};
        let mut child = crate::common::start(std::path::Path::new("."), &RDW);
        let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for _ in 0..3 {
            to.write_all(&INPUT[..9]).unwrap();
            let mut line = [0; 6];
            from.read_exact(&mut line).unwrap();
            assert_eq!(&line, b"HELLO\n");
        }
        drop(to);
        assert!(child.wait().unwrap().success());
    }
}
