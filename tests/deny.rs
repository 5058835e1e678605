//! `--deny`: well-formed characters that are not wanted, in every encoding, with exact places.

mod common;
mod support;

use oxiconv::internals::diagnostic::DeniedKind;
use oxiconv::internals::transcode::{Conversion, Newline, OnDenied, Threads};
use support::{With, convert, convert_cut, encode, encoding, strict, strictly};

/// Runs the program and returns (exit status, standard output, standard error).
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = common::oxiconv().args(args).write_stdin(input).output().unwrap();
    (
        output.status.code().expect("not ended by a signal"),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn check(from: &str, denied: impl IntoIterator<Item = DeniedKind>) -> Conversion {
    strictly(encoding(from), None).with(|it| it.deny(denied))
}

#[test]
fn each_kind_is_found_where_it_stands_and_says_what_it_is() {
    for (list, text, expected) in [
        ("nul", "a\0b", "1:2: error[nul]: 00 at byte 1 (0x1): U+0000 is the NUL character"),
        (
            "control",
            "é\tx\n\u{1B}[31m",
            "2:1: error[control]: 1B at byte 5 (0x5): \
             U+001B is a control code other than tab, line feed or carriage return",
        ),
        (
            "noncharacter",
            "ab\u{FFFE}",
            "1:3: error[noncharacter]: EF BF BE at byte 2 (0x2): \
             U+FFFE is a noncharacter, not for interchange",
        ),
        (
            "private-use",
            "\n\n\u{E001}",
            "3:1: error[private-use]: EE 80 81 at byte 2 (0x2): U+E001 is a private-use code point",
        ),
        (
            "unassigned",
            "€\u{0378}",
            "1:2: error[unassigned]: CD B8 at byte 3 (0x3): \
             U+0378 is an unassigned code point",
        ),
        (
            "non-bmp",
            "a😀",
            "1:2: error[non-bmp]: F0 9F 98 80 at byte 1 (0x1): \
             U+1F600 (😀) is past U+FFFF, the end of the BMP",
        ),
        (
            "bidi",
            "if (x) {\u{202E}",
            "1:9: error[bidi]: E2 80 AE at byte 8 (0x8): \
             U+202E changes the direction of the text around it",
        ),
        (
            "replacement",
            "caf\u{FFFD}",
            "1:4: error[replacement]: EF BF BD at byte 3 (0x3): \
             U+FFFD (\u{FFFD}) replaces what an earlier conversion could not read",
        ),
        (
            "bom",
            "a\u{FEFF}",
            "1:2: error[bom]: EF BB BF at byte 1 (0x1): \
             U+FEFF inside the text, where it is a character, not a byte order mark",
        ),
        (
            "mixed-newlines",
            "a\r\nb\nc\r\n",
            "2:2: error[mixed-newlines]: 0A at byte 4 (0x4): \
             line ends with LF, but line 1 ends with CRLF",
        ),
    ] {
        let (status, out, err) = run(&["--check", "--deny", list], text.as_bytes());
        assert_eq!((status, &err[..]), (1, ""), "{list}");
        assert_eq!(out, format!("(standard input):{expected}\n"), "{list}");
        // Off by default.
        assert_eq!(run(&["--check"], text.as_bytes()), (0, String::new(), String::new()));
    }
}

#[test]
fn what_is_not_denied_is_no_finding() {
    let all = "nul,control,noncharacter,private-use,unassigned,non-bmp,bidi,replacement,bom,\
               mixed-newlines";
    let text = "\u{FEFF}café\t5 €\r\nשלום\u{200F}\r\n";
    assert_eq!(run(&["--check", "--deny", all], text.as_bytes()).0, 0);
}

/// Each character has one finding: the first denied kind in the order of `DeniedKind::ALL`.
#[test]
fn a_character_of_two_kinds_is_one_finding() {
    let (_, out, _) = run(&["--check", "--deny", "control,nul"], b"\0\x01");
    assert!(out.contains(":1:1: error[nul]") && out.contains(":1:2: error[control]"), "{out}");
    assert_eq!(out.lines().count(), 2);
    let (_, out, _) = run(&["--check", "--deny", "control"], b"\0");
    assert!(out.contains(":1:1: error[control]"), "{out}");
}

#[test]
fn findings_are_counted_by_kind() {
    let (_, _, err) = run(&["--check", "--stats", "--deny", "nul,bidi"], "\0\0\u{2066}".as_bytes());
    assert!(err.contains("\nfindings       3\n"), "{err}");
    assert!(err.contains("\n  nul          2\n"), "{err}");
    assert!(err.contains("\n  bidi         1\n"), "{err}");
}

#[test]
fn a_conversion_stops_in_front_of_it_under_strict() {
    let (status, out, err) = run(&["--deny", "nul", "-t", "utf-16le"], b"ab\0c");
    assert_eq!((status, &out[..]), (1, "a\0b\0"));
    assert_eq!(
        err,
        "(standard input):1:3: error[nul]: 00 at byte 2 (0x2): U+0000 is the NUL character\n"
    );
}

#[test]
fn in_every_other_mode_it_goes_through_and_the_status_is_1() {
    let let_through = "oxiconv: (standard input): 2 denied characters written unchanged\n";
    for mode in ["replace", "skip", "escape"] {
        let (status, out, err) = run(&["-e", mode, "--deny", "nul"], b"a\0b\0");
        assert_eq!((status, &out[..], &err[..]), (1, "a\0b\0", let_through), "{mode}");
    }
    let (status, out, err) = run(&["-e", "report", "--deny", "nul"], b"a\0b\0");
    assert_eq!((status, &out[..]), (1, "a\0b\0"));
    assert_eq!(err.lines().count(), 3);
    assert!(err.contains(":1:4: error[nul]: 00 at byte 3 "), "{err}");
    assert!(err.ends_with(let_through), "{err}");
    assert_eq!(run(&["-q", "-e", "replace", "--deny", "nul"], b"a\0").2, "");
}

#[test]
fn what_a_fallback_makes_of_stray_bytes_is_looked_at_too() {
    let args = ["--fallback", "latin1", "--deny", "control"];
    let (status, out, err) = run(&args, b"a\x9Bb");
    assert_eq!((status, &out[..]), (1, "a"));
    assert!(err.contains(":1:2: error[control]: 9B at byte 1 "), "{err}");
}

#[test]
fn an_unknown_kind_is_wrong_usage() {
    let (status, out, err) = run(&["--check", "--deny", "nul,tabs"], b"");
    assert_eq!((status, &out[..]), (2, ""));
    assert!(err.contains("'tabs'"), "{err}");
}

/// The same characters at the same lines and columns, whatever the encoding and wherever it is cut.
#[test]
fn every_encoding_and_every_cut_has_the_same_findings() {
    let text = "a\r\nb\0\r\n\r\n\u{2067}\u{E000}\rc\u{FFFD}\n\u{FEFF}é\r";
    let expected = [
        ("nul", 2, 2),
        ("bidi", 4, 1),
        ("private-use", 4, 2),
        ("mixed-newlines", 4, 3),
        ("replacement", 4, 5),
        ("bom", 5, 1),
    ];
    for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"] {
        let bytes = encode(text, name);
        let conversion = check(name, DeniedKind::ALL);
        let whole = convert(&conversion, &bytes);
        let places: Vec<_> = whole.found.iter().map(|f| (f.id, f.line, f.column)).collect();
        assert_eq!(places, expected, "{name}");
        for found in &whole.found {
            assert_eq!(found.bytes, bytes[found.offset as usize..found.end() as usize], "{name}");
        }
        for late_end in [false, true] {
            for cut in 1..bytes.len() {
                let cut_there = convert_cut(&conversion, &bytes, &[cut], late_end);
                assert_eq!(cut_there, whole, "{name} cut at {cut}");
            }
            let each: Vec<_> = (1..bytes.len()).collect();
            assert_eq!(convert_cut(&conversion, &bytes, &each, late_end), whole, "{name}");
        }
    }
}

/// A carriage return whose line feed may still come is examined when that is known, even if the encoding has state.
#[test]
fn line_ends_are_known_however_the_text_is_cut() {
    for name in ["UTF-8", "UTF-16", "UTF-7", "SCSU", "BOCU-1", "UTF-EBCDIC", "ISO-2022-JP"] {
        let text = "日\r本\r\r日\r\n\n";
        let bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
        let conversion = check(name, [DeniedKind::MixedNewlines]);
        let whole = convert(&conversion, &bytes);
        assert_eq!(whole.found.len(), 1, "{name}");
        assert_eq!((whole.found[0].line, whole.found[0].column), (1, 7), "{name}");
        assert!(whole.found[0].sentence.contains("ends with CRLF,"), "{name}");
        assert_eq!(whole.summary.characters, 9, "{name}");
        for cut in 1..bytes.len() {
            for late_end in [false, true] {
                let there = convert_cut(&conversion, &bytes, &[cut], late_end);
                assert_eq!(there, whole, "{name} cut at {cut}");
            }
        }
        let each: Vec<_> = (1..bytes.len()).collect();
        assert_eq!(convert_cut(&conversion, &bytes, &each, true), whole, "{name}");
    }
}

/// The first line end that differs, by hand.
#[test]
fn the_first_line_that_ends_differently_is_found_once() {
    let conversion = check("UTF-8", [DeniedKind::MixedNewlines]);
    for (text, expected) in [
        ("", None),
        ("a\nb\n\n", None),
        ("a\r\nb\r\n\r\n", None),
        ("a\rb\r\r", None),
        ("a\nb\r\nc\rd\n", Some((3, "CRLF, but line 1 ends with LF"))),
        ("\r\n\n\n", Some((2, "LF, but line 1 ends with CRLF"))),
        ("\n\r", Some((1, "CR, but line 1 ends with LF"))),
        ("\r\r\n", Some((1, "CRLF, but line 1 ends with CR"))),
        ("\r\u{FFFF}\n", Some((4, "LF, but line 1 ends with CR"))),
    ] {
        let found = convert(&conversion, text.as_bytes()).found;
        assert_eq!(found.len(), usize::from(expected.is_some()), "{text:?}");
        if let Some((offset, words)) = expected {
            assert_eq!(found[0].offset, offset, "{text:?}");
            assert_eq!(found[0].sentence, format!("line ends with {words}"), "{text:?}");
        }
    }
}

/// Any number of bytes that only change the state of an encoding may be between CR and LF.
#[test]
fn a_carriage_return_waits_for_its_line_feed_in_little_memory_and_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shifts");
    // 10 selects a window in SCSU; ESC ( B is ASCII in ISO-2022-JP.
    for (name, shift) in [("scsu", &b"\x10"[..]), ("iso-2022-jp", b"\x1B(B")] {
        let text = [b"a\nb\r", &shift.repeat(2 << 20)[..], b"\nc\n"].concat();
        std::fs::write(&path, &text).unwrap();
        for stdin in [false, true] {
            let mut command = common::oxiconv();
            command.args(["--check", "--deny", "mixed-newlines", "-f", name]);
            command.timeout(std::time::Duration::from_secs(60));
            if stdin {
                command.pipe_stdin(&path).unwrap();
            } else {
                command.arg(&path);
            }
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name} {stdin}");
            let out = String::from_utf8(output.stdout).unwrap();
            let place = ":2:2: error[mixed-newlines]: 0D at byte 3 (0x3): line ends with CRLF,";
            assert!(out.contains(place), "{name} {stdin}: {out}");
        }
        let output = common::oxiconv()
            .args(["--check", "--deny", "mixed-newlines", "-f", name])
            .write_stdin(text)
            .timeout(std::time::Duration::from_secs(60))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{name} through a pipe");
    }
}

/// A strict conversion stops before the CR, wherever the text is cut, and writes nothing of it.
#[test]
fn a_conversion_stops_before_a_carriage_return_however_the_text_is_cut() {
    for (text, before) in [
        ("a\nb\r\nc", "a\nb"),
        ("a\nb\rc", "a\nb"),
        ("a\nb\r", "a\nb"),
        ("a\r\nb\rc", "a\r\nb"),
        ("a\rb\r\nc", "a\rb"),
        ("a\r\nb\r\n", "a\r\nb\r\n"),
        ("a\r\nb\r\u{1}", "a\r\nb"),
        ("a\nb\r\u{2}", "a\nb"),
    ] {
        // An ill-formed subsequence decides as well.
        let input: Vec<u8> = text.bytes().map(|byte| if byte == 1 { 0xFF } else { byte }).collect();
        let conversion = strict("UTF-8", "UTF-16BE")
            .with(|it| it.deny([DeniedKind::MixedNewlines]).on_denied(OnDenied::Stop));
        let whole = convert(&conversion, &input);
        assert_eq!(whole.output, encode(before, "UTF-16BE"), "{text:?}");
        assert_eq!(whole.summary.stopped, before != text, "{text:?}");
        assert_eq!(whole.summary.bytes_read, before.len() as u64, "{text:?}");
        for late_end in [false, true] {
            let each: Vec<_> = (1..text.len()).collect();
            for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                let there = convert_cut(&conversion, &input, &cuts, late_end);
                assert_eq!(there, whole, "{text:?} cut at {cuts:?}");
            }
        }
    }
}

/// A carriage return that is held back and that the target lacks is found at its place, like any character.
#[test]
fn a_carriage_return_that_the_target_lacks_has_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    std::fs::write(&path, "a\n\r").unwrap();
    let args = ["-t", "utf-8-hunk3", "-e", "report", "--deny", "mixed-newlines"];
    let (_, _, err) = run(&[&args[..], &[path.to_str().unwrap()]].concat(), b"");
    let places: Vec<_> = err
        .lines()
        .filter_map(|line| {
            Some(line.split_once("error[")?.1.split(": ").take(2).collect::<Vec<_>>())
        })
        .collect();
    assert!(
        places.iter().any(|it| it[0] == "unmappable]" && it[1].starts_with("0D at byte 2 ")),
        "{err}"
    );
    assert!(!err.contains("not shown"), "{err}");
}

/// Long enough for several threads, with one fault in the middle: it is found, at its place.
#[test]
fn a_long_file_is_looked_at_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long");
    let mut text = b"0123456789abcde\n".repeat(512 * 1024);
    text[5_000_000] = 0;
    std::fs::write(&path, &text).unwrap();
    let path = path.to_str().unwrap();
    let (status, out, _) = run(&["--check", "--deny", "nul", "-j", "4", path], b"");
    assert_eq!(status, 1);
    assert!(out.contains(":312501:1: error[nul]: 00 at byte 5000000 (0x4c4b40)"), "{out}");
}

/// Declared line ends and the last one, by hand: however the text is cut, in bytes and in wide units, with any number of
/// threads.
#[test]
fn declared_line_ends_are_compared_however_the_text_is_cut() {
    use Newline::{Both, CarriageReturn, LineFeed};
    for (newline, text, expected) in [
        (Some(LineFeed), "", &[][..]),
        (Some(LineFeed), "a\nb\n", &[]),
        (Some(LineFeed), "a\nb\r\nc\r", &[("wrong-newline", 3), ("missing-final-newline", 7)]),
        (Some(LineFeed), "\r\u{FFFF}\n", &[("wrong-newline", 0)]),
        (Some(Both), "a\r\nb\r\n", &[]),
        (Some(Both), "a\r\n\n", &[("wrong-newline", 3)]),
        (Some(Both), "a\rb", &[("wrong-newline", 1), ("missing-final-newline", 3)]),
        (Some(CarriageReturn), "a\rb\r", &[]),
        (Some(CarriageReturn), "a\r\rb", &[("missing-final-newline", 4)]),
        (Some(CarriageReturn), "a\nb\r", &[("wrong-newline", 1)]),
        (Some(CarriageReturn), "a\r\n", &[("wrong-newline", 1)]),
        (None, "a\r\nb\n", &[]),
        (None, "a\nb", &[("missing-final-newline", 3)]),
        (None, "\n\n", &[]),
        (None, "a\r", &[("missing-final-newline", 2)]),
    ] {
        for (name, unit) in [("UTF-8", 1), ("UTF-16LE", 2), ("UTF-32BE", 4)] {
            let conversion = strictly(encoding(name), None).with(|it| {
                let it = it.final_newline(true);
                newline.map_or(it.clone(), |newline| it.newline(newline))
            });
            let bytes = encode(text, name);
            // All characters of the texts take one unit, except one that takes three bytes in UTF-8.
            let wide = |offset: u64| if unit == 1 { offset } else { offset * unit };
            let whole = convert(&conversion, &bytes);
            let found: Vec<_> = whole.found.iter().map(|found| (found.id, found.offset)).collect();
            let expected: Vec<_> = expected.iter().map(|(id, at)| (*id, wide(*at))).collect();
            assert_eq!(found, expected, "{newline:?} {text:?} {name}");
            assert_eq!(whole.summary.total(), expected.len() as u64);
            for late_end in [false, true] {
                let each: Vec<_> = (1..bytes.len()).collect();
                for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                    let there = convert_cut(&conversion, &bytes, &cuts, late_end);
                    assert_eq!(there, whole, "{newline:?} {text:?} {name} cut at {cuts:?}");
                }
            }
        }
    }
}

/// A declared line end replaces the first line as what others are compared with; a missing last one is found after a
/// text that several threads read.
#[test]
fn declared_line_ends_of_a_long_text_have_their_places() {
    let declared = strictly(encoding("UTF-8"), None)
        .with(|it| it.deny([DeniedKind::MixedNewlines]).newline(Newline::LineFeed));
    let found = convert(&declared, b"a\r\nb\n").found;
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), ["wrong-newline"]);
    let mut text = b"0123456789abcde\n".repeat(512 * 1024);
    text.extend_from_slice(b"end");
    let last =
        strictly(encoding("UTF-8"), None).with(|it| it.final_newline(true).threads(Threads::All));
    let found = convert(&last, &text).found;
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].place(),
        ("missing-final-newline", text.len() as u64, 0, 512 * 1024 + 1, 4)
    );
}
