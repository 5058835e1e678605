//! `-f auto` and [`oxiconv::Detector`] in conversions.
//!
//! ASCII passes through at once. The rest is decoded in the encoding detected from a sample of it. An uncertain guess
//! is refused. If a fault turns up in a text whose encoding was detected, the messages mention the detection.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Command;

use crate::common::{Dir, run, start};
use crate::support::Random;
use oxiconv::{
    Detector, Encoding, Error, Evidence, InputEncoding, OnIllFormed, OnUncertain, Options, Reader,
    Writer,
};

const RUSSIAN: &str =
    "Съешь же ещё этих мягких французских булок, да выпей чаю, и будь здоров как бык.\n";

fn in_encoding(text: &str, encoding: &str) -> Vec<u8> {
    oxiconv::encode(text, Encoding::for_name(encoding).unwrap()).unwrap().into_owned()
}

/// Detection does not hold back ASCII. What follows waits until the sample is full, or for the end of the input.
#[test]
fn each_line_of_ascii_is_shown_at_once() {
    for args in [&["-f", "auto"][..], &["-f", "auto", "-j", "1"]] {
        let mut child = start(Path::new("."), args);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let lines = ["line", "ok", "", "a third ~ line", "+1 is no UTF-7"];
        for line in lines {
            writeln!(input, "{line}").unwrap();
            let mut got = String::new();
            // This would block forever if the line were held back.
            output.read_line(&mut got).unwrap();
            assert_eq!(got.strip_suffix('\n'), Some(line));
        }
        input.write_all(&in_encoding(RUSSIAN, "windows-1251").repeat(3)).unwrap();
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, RUSSIAN.repeat(3));
        assert!(child.wait().unwrap().success());
    }
}

/// The input stays open, so `read_exact` would block forever if the program waited for the end of the stream.
#[test]
fn a_stream_goes_on_as_soon_as_its_sample_is_full() {
    let text = RUSSIAN.repeat((150 << 10) / RUSSIAN.chars().count());
    let mut child = start(Path::new("."), &["-f", "auto"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut got = vec![0; text.len()];
    std::thread::scope(|scope| {
        let input = &mut input;
        let bytes = in_encoding(&text, "windows-1251");
        scope.spawn(move || input.write_all(&bytes).unwrap());
        output.read_exact(&mut got).unwrap();
    });
    assert!(got == text.as_bytes());
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The text starts with about 24 MB of ASCII. It comes from a mapped file and from a pipe, with one thread and several.
#[test]
fn a_text_is_judged_where_it_stops_being_ascii() {
    let dir = Dir::new();
    let plain = "A line of plain text that tells nothing at all.\n".repeat(500_000);
    let russian = RUSSIAN.repeat(60_000);
    let mut bytes = plain.clone().into_bytes();
    bytes.extend(in_encoding(&russian, "windows-1251"));
    dir.write("f", &bytes);
    let expected = run(&["-f", "windows-1251", "-t", "utf-16le"], &bytes).1;
    for jobs in ["1", "2", "4"] {
        let args = ["-f", "auto", "-t", "utf-16le", "-v", "-j", jobs];
        let program = || {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
            command.args(args).current_dir(dir.0.path());
            command
        };
        let mapped = program().arg("f").output().unwrap();
        let read = run(&args, &bytes);
        for (out, err) in
            [(mapped.stdout, String::from_utf8(mapped.stderr).unwrap()), (read.1, read.2)]
        {
            assert!(out == expected, "-j {jobs}: {err}");
            assert!(
                err.contains("windows-1251 (detected, ") && err.contains(" %) to UTF-16LE: "),
                "{err}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn memory_is_bounded_while_an_encoding_is_not_known() {
    for filler in [&b"plain text\n"[..], &in_encoding(RUSSIAN, "windows-1251")] {
        let mut child = start(Path::new("."), &["-f", "auto", "-o", "/dev/null"]);
        let mut input = child.stdin.take().unwrap();
        let much = filler.repeat((1 << 20) / filler.len());
        for _ in 0..150 {
            input.write_all(&much).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        let peak: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        drop(input);
        assert!(child.wait().unwrap().success());
        assert!(peak < 64 << 10, "{peak} KiB");
    }
}

/// UTF-16 and UTF-32 text may start with bytes that are all ASCII.
///
/// They must not pass through as ASCII, but be decoded in the detected encoding from the first byte.
#[test]
fn a_text_in_wide_units_is_read_from_its_first_byte() {
    let text = "hello, wide world\n".repeat(20);
    for encoding in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        let (status, out, err) = run(&["-f", "auto", "-v"], &in_encoding(&text, encoding));
        assert_eq!((status, String::from_utf8(out).as_deref()), (0, Ok(&*text)), "{err}");
        assert!(err.contains(&format!("{encoding} (detected, ")), "{err}");
    }
}

#[test]
fn ascii_to_the_end_is_read_as_utf8_and_said_to_be_ascii() {
    for input in [&b"plain\n"[..], b"", b"x", b"a ~ b ~"] {
        let (status, out, err) = run(&["-f", "auto", "-v"], input);
        assert_eq!((status, &out[..]), (0, input), "{err}");
        assert!(err.contains("US-ASCII (detected, 100 %) to UTF-8"), "{err}");
    }
}

/// Returns UTF-8 text that is longer than the sample, then a byte that is not UTF-8.
fn utf8_with_a_late_stray() -> Vec<u8> {
    let mut text = "plain\n".repeat(10);
    text.push_str(&RUSSIAN.repeat(2000));
    let mut bytes = text.into_bytes();
    bytes.extend(b"caf\xE9!\n");
    bytes.extend(RUSSIAN.as_bytes());
    bytes
}

#[test]
fn a_choice_that_turns_out_wrong_is_an_error_with_its_place() {
    let bytes = utf8_with_a_late_stray();
    let place = bytes.len() - RUSSIAN.len() - 3;
    let (status, out, err) = run(&["-f", "auto"], &bytes);
    assert_eq!((status, out.len()), (1, place));
    let mut lines = err.lines();
    let finding = format!("<stdin>:2011:4: error[truncated]: E9 at byte {place} ({place:#x}): ");
    let named = run(&["-f", "utf-8"], &bytes);
    let expected = named.2.lines().next().unwrap();
    assert!(expected.contains(&finding[7..]), "{expected}");
    assert_eq!(lines.next(), Some(expected));
    let account = "the encoding was detected as UTF-8, 99 %, by its well-formed sequences";
    assert!(err.contains(&format!(": {account} (name another with -f)\n")), "{err}");
    assert!(!named.2.contains("detected"), "{}", named.2);
    // No finding, no remark about the detection.
    assert_eq!(run(&["-f", "auto"], RUSSIAN.as_bytes()).2, "");
    // Modes that continue after the finding say the same.
    for mode in ["replace", "skip", "escape", "report"] {
        let (status, _, err) = run(&["-f", "auto", "-e", mode], &bytes);
        assert_eq!(status, i32::from(matches!(mode, "skip" | "report")), "{mode}: {err}");
        assert!(err.contains(account), "{mode}: {err}");
        assert!(!run(&["-f", "auto", "-e", mode, "-q"], &bytes).2.contains(account), "{mode}");
    }
    let (status, _, err) = run(&["-f", "auto", "--check"], &bytes);
    assert!(status == 1 && err.contains(account), "{err}");
}

#[test]
fn every_format_says_that_the_encoding_was_detected() {
    let bytes = utf8_with_a_late_stray();
    for format in ["github", "sarif", "html", "gitlab", "junit", "json"] {
        let (status, out, err) = run(&["-f", "auto", "--check", "--format", format], &bytes);
        let out = String::from_utf8(out).unwrap();
        assert!(status == 1 && out.contains("was detected as UTF-8, 99 %"), "{format}: {out}{err}");
    }
    let (_, out, _) = run(&["-f", "auto", "--check", "--format", "json"], &bytes);
    let out = String::from_utf8(out).unwrap();
    let end: serde_json::Value = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .find(|it: &serde_json::Value| it["type"] == "end")
        .unwrap();
    assert_eq!(end["detected"], "UTF-8");
    assert_eq!(end["confidence"], 0.99);
    assert_eq!(end["evidence"], "well-formed");
    assert_eq!(end["runners_up"], serde_json::json!([]));
}

#[test]
fn a_text_that_no_encoding_reads_is_refused_and_the_other_files_go_on() {
    let unsure = noise();
    let dir = Dir::new();
    dir.write("a", &unsure);
    dir.write("b", &in_encoding(RUSSIAN, "windows-1251").repeat(5));
    let refused = |err: &str| {
        err.contains("a: encoding unclear: ") || err.contains("a: the bytes do not look like text")
    };
    // In place, the refused file is unchanged.
    let (status, _, err) = dir.run(&["-f", "auto", "-i", "a", "b"]);
    assert!(status == 1 && refused(&err), "{err}");
    assert!(err.contains("(name it with -f"), "{err}");
    assert!(err.ends_with("oxiconv: 1 written, 1 refused\n"), "{err}");
    assert_eq!(dir.read("a"), unsure);
    assert_eq!(dir.read("b"), RUSSIAN.repeat(5).as_bytes());
    assert_eq!(fs::read_dir(dir.0.path()).unwrap().count(), 2, "a temporary file was left behind");
    // When files are joined, the leading ASCII is already written. The next file follows it.
    let (status, out, err) = dir.run(&["-f", "auto", "a", "b"]);
    assert!(status == 1 && refused(&err), "{err}");
    assert_eq!(out, format!("a line of ASCII\n{}", RUSSIAN.repeat(5)));
    assert_eq!(dir.run(&["-f", "auto", "-s", "a"]).2, "");
    let (status, _, err) = dir.run(&["-f", "auto", "-o", "c", "a"]);
    assert!(status == 1 && refused(&err) && err.contains("not written"), "{err}");
    assert!(!dir.path("c").exists());
    let (status, _, err) = dir.run(&["-f", "auto", "--check", "a", "b"]);
    assert!(status == 1 && refused(&err), "{err}");
    let (_, out, _) = dir.run(&["-f", "auto", "--check", "--format", "json", "a"]);
    assert!(out.contains(r#""type":"refused","path":{"text":"a"}"#), "{out}");
}

/// The library returns `Error::Undetected`, with the detection and the offset where it was needed.
#[test]
fn a_library_gets_the_detection_in_the_error() {
    let auto = || InputEncoding::Detected(Detector::new());
    let conversion = Options::new().build(auto(), Encoding::UTF_8).unwrap();
    let unsure = noise();
    let mut writer = Writer::new(Vec::new(), &conversion);
    let written = writer.write_all(&unsure);
    let error = match written {
        Ok(()) => writer.finish().map(drop).unwrap_err(),
        Err(error) => *error.into_inner().unwrap().downcast::<Error>().unwrap(),
    };
    let Error::Undetected(undetected) = error else { panic!("{error}") };
    assert_eq!(undetected.offset, 16);
    assert!(
        undetected.to_string().contains(undetected.detection.encoding.name())
            || undetected.detection.evidence == Evidence::Binary
    );
    let mut text = String::new();
    let error = Reader::new(&unsure[..], &conversion).read_to_string(&mut text).unwrap_err();
    assert!(error.get_ref().unwrap().is::<Error>(), "{error}");
    assert_eq!(text, "a line of ASCII\n");
    // After a conversion, the summary holds the detection.
    let cyrillic = in_encoding(RUSSIAN, "windows-1251").repeat(5);
    let mut reader = Reader::new(&cyrillic[..], &conversion);
    reader.read_to_string(&mut String::new()).unwrap();
    let detection = reader.summary().unwrap().detected.as_ref().unwrap();
    assert_eq!(
        (detection.encoding.name(), detection.evidence),
        ("windows-1251", Evidence::Letters)
    );
    // After a stop, the message of the error mentions it.
    let bytes = utf8_with_a_late_stray();
    let error = oxiconv::convert(&bytes, auto(), Encoding::UTF_8, &Options::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("(the encoding was detected as UTF-8, 99 %, by its well-formed sequences)"),
        "{error}"
    );
}

/// Returns a line of ASCII, then random bytes above 7F, which do not look like text in any encoding.
fn noise() -> Vec<u8> {
    let mut random = Random(15);
    let mut bytes = b"a line of ASCII\n".to_vec();
    bytes.extend((0..4000).map(|_| 0x80 | random.below(0x80) as u8));
    bytes
}

#[test]
fn a_guess_that_is_not_sure_is_refused_unless_forced() {
    let bytes = noise();
    let (status, out, err) = run(&["-f", "auto"], &bytes);
    assert_eq!((status, &out[..]), (1, &b"a line of ASCII\n"[..]));
    let (guesses, advice) = err
        .strip_prefix("oxiconv: (standard input): encoding unclear: ")
        .and_then(|rest| rest.split_once(" (name it with -f"))
        .unwrap_or_else(|| panic!("{err}"));
    assert_eq!(advice, "; --force uses the best guess)\n");
    assert!(guesses.split("; ").all(|guess| guess.ends_with(" %")), "{err}");
    let best = guesses.strip_prefix("best guess ").unwrap().split(',').next().unwrap();
    let named = run(&["-f", best, "-e", "replace", "-q"], &bytes);
    let forced = run(&["-f", "auto", "-e", "replace", "-q", "--force"], &bytes);
    assert!(forced == named, "{}{}", forced.2, named.2);
    // If the bytes do not look like text, no candidates are named.
    let binary = [b"a\n".to_vec(), b"\x01\0\0\x03\x04\x80\xFE".repeat(50)].concat();
    let (status, _, err) = run(&["-f", "auto"], &binary);
    let refusal =
        "the bytes do not look like text (if they are text, name their encoding with -f)\n";
    assert_eq!((status, &err[..]), (1, &format!("oxiconv: (standard input): {refusal}")[..]));
    let (status, out, _) = run(&["-f", "auto", "--force", "-e", "skip"], &binary);
    let ascii = [b"a\n".to_vec(), b"\x01\0\0\x03\x04".repeat(50)].concat();
    assert_eq!((status, out), (1, ascii));
    let (status, _, err) = run(&["--force", "-f", "utf-8"], b"");
    assert_eq!(status, 2);
    assert!(
        err.contains("--force requires --in-place, --output-dir or --output, or --from auto"),
        "{err}"
    );
    // The library offers the same choice.
    let auto = || InputEncoding::Detected(Detector::new());
    let options = Options::new().on_ill_formed(OnIllFormed::Replace);
    let error = oxiconv::convert(&bytes, auto(), Encoding::UTF_8, &options).unwrap_err();
    let Error::Undetected(undetected) = error else { panic!("{error}") };
    assert_eq!((undetected.offset, undetected.detection.encoding.name()), (16, best));
    assert!(!undetected.detection.is_enough());
    let options = options.on_uncertain(OnUncertain::Guess);
    let (text, _) = oxiconv::convert(&bytes, auto(), Encoding::UTF_8, &options).unwrap();
    assert!(text == named.1);
}
