//! Hints: after the findings of a file with ill-formed text, every format says what the file probably is and which
//! command repairs it. The expected sentences are written by hand.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cases::{Case, cases, written};
use crate::common::options_of_hints;
use crate::common::oxiconv;
#[cfg(unix)]
use crate::common::shell;
use crate::formats::{Run, commands, events, of_type, sarif_run};
use crate::sample;
use crate::support::Cut;
#[cfg(unix)]
use crate::support::Random;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use oxiconv::report::{FormatOptions, Hint, Subject, format};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Detail;
use oxiconv_transcode::io::Source;
use oxiconv_transcode::{Error, OnIllFormed, Options, Transcoder};
use serde_json::{Value, json};

/// The hints of [`cases`]: file, cause, sentence.
const HINTS: [(&str, &str, &str); 13] = [
    (
        "notes.txt",
        "legacy",
        "looks like windows-1252 or ISO-8859-1, which agree on these bytes: judged by byte frequencies over 32 bytes, \
         with no multi-byte UTF-8 (try -f windows-1252)",
    ),
    (
        "mixed.txt",
        "single-byte",
        "both stray bytes fit windows-1252, and the rest is valid UTF-8 (try --fallback windows-1252)",
    ),
    ("dump.sql", "cesu-8", "looks like CESU-8: it has 1 surrogate pair (try -f cesu-8)"),
    (
        "modified.txt",
        "java-nul",
        "looks like MUTF-8: it has 1 surrogate pair and 1 C0 80 sequence (try -f mutf-8)",
    ),
    (
        "name.ser",
        "java-string",
        "looks like a string written by Java: its length, then MUTF-8: the text begins with AC ED 00 05, the signature of a \
         Java object stream, and the number of bytes that follow, 14",
    ),
    (
        "list.txt",
        "wide-units",
        "looks like UTF-16, little-endian: the text begins with its byte order mark, FF FE (try -f utf-16)",
    ),
    (
        "cut.log",
        "cut",
        "1 incomplete character, and the rest is valid UTF-8 (try -c; incomplete characters are dropped, so the exit \
         status is 1)",
    ),
    (
        "buffer.txt",
        "cut",
        "1 incomplete character, and the rest is plain ASCII (try -c; incomplete characters are dropped, so the exit \
         status is 1)",
    ),
    (
        "sjis.txt",
        "legacy",
        "looks like Shift_JIS (the Windows variant, CP932): judged by byte frequencies over 29 bytes, with 3 multi-byte \
         UTF-8 characters by chance (try -f cp932)",
    ),
    (
        "path.txt",
        "overlong",
        "2 overlong forms, and the rest is plain ASCII (try -e replace; overlong forms can get past security checks, so they \
         are never decoded: each byte becomes U+FFFD)",
    ),
    (
        "names.txt",
        "unpaired-surrogate",
        "looks like WTF-8: it has 1 unpaired surrogate (try -f wtf-8 --unmappable replace; each unpaired surrogate becomes \
         U+FFFD)",
    ),
    (
        "python.txt",
        "surrogate-escape",
        "it has 1 byte escaped by Python's surrogateescape that fits windows-1252, and the rest is plain ASCII (try --repair)",
    ),
    (
        "rfc2279.txt",
        "long-form",
        "looks like UTF-8-RFC2279: it has 2 RFC 2279 sequences (try -f utf-8-rfc2279 --unmappable escape; no character has \
         such a value, so it is written as \\u{...})",
    ),
];

fn check(dir: &std::path::Path, options: &[&str], file: &str) -> Run {
    let output =
        oxiconv().current_dir(dir).arg("--check").args(options).arg(file).output().unwrap();
    Run { status: output.status.code().unwrap(), out: output.stdout, err: output.stderr }
}

fn run_on(args: &[&str], input: &[u8]) -> Run {
    let output = oxiconv().args(args).write_stdin(input).output().unwrap();
    Run { status: output.status.code().unwrap(), out: output.stdout, err: output.stderr }
}

/// Returns the first message about standard input without its prefix: the hint, if there is one.
fn hint_on(args: &[&str], input: &[u8]) -> Option<String> {
    let run = run_on(args, input);
    let hint = run.err().lines().find_map(|line| line.strip_prefix("oxiconv: (standard input): "));
    hint.map(str::to_owned)
}

#[test]
fn every_format_has_the_same_hint() {
    let cases = cases();
    let dir = written(&cases);
    for Case { file, options, .. } in &cases {
        let hint = HINTS.iter().find(|hint| hint.0 == *file);
        let sentences: Vec<_> = hint.iter().map(|hint| hint.2.to_owned()).collect();

        let text = check(dir.path(), options, file);
        // A finding has named the encoding already, so only the command is left to say.
        let is_told = text.out().contains("error[other-encoding]");
        let says = |words: &str| match words.split_once(" (try ") {
            Some((_, options)) if is_told => {
                format!("to convert it: oxiconv {}", options.trim_end_matches(')'))
            }
            _ => words.to_owned(),
        };
        let lines: Vec<_> =
            hint.iter().map(|hint| format!("oxiconv: {file}: {}", says(hint.2))).collect();
        let said = options_of_hints(text.err(), file);
        assert_eq!(said.lines().collect::<Vec<_>>(), lines);
        // For a file, the text format prints the whole command, and not just its options.
        let in_place = hint.iter().filter(|hint| hint.2.contains("(try ")).count();
        assert_eq!(text.err().matches(&format!(" -i.bak {file}")).count(), in_place, "{file}");
        let quiet = check(dir.path(), &[options, &["-q"][..]].concat(), file);
        assert_eq!((quiet.out(), quiet.err()), (text.out(), ""), "{file}");

        let with = |format| [options, &["--format", format][..]].concat();
        let github = commands(&check(dir.path(), &with("github"), file).out).0;
        let notices: Vec<_> = github
            .iter()
            .filter(|command| command.name == "notice" && command.get("file") == Some(file))
            .map(|command| command.message.clone())
            .collect();
        assert_eq!(notices, sentences);

        let json = events(&check(dir.path(), &with("json"), file).out);
        let events = of_type(&json, "hint");
        let said: Vec<_> = events.iter().map(|event| event["message"].as_str().unwrap()).collect();
        assert_eq!(said, sentences);
        let causes: Vec<_> = events.iter().map(|event| event["cause"].as_str().unwrap()).collect();
        assert_eq!(causes, hint.iter().map(|hint| hint.1).collect::<Vec<_>>());

        let sarif = sarif_run(&check(dir.path(), &with("sarif"), file).out);
        let notes = sarif["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        let said: Vec<_> = notes
            .iter()
            .map(|note| note["message"]["text"].as_str().unwrap())
            .map(|text| text.replace("{{", "{").replace("}}", "}"))
            .collect();
        assert_eq!(said, sentences);
        for (note, event) in notes.iter().zip(events) {
            assert_eq!(note["level"], "note");
            assert_eq!(note["properties"]["repair"], event["repair"]);
        }
    }
}

/// A log with lines in windows-1251, CP932 and UTF-8. A text in a single encoding gets the hint for that encoding.
#[test]
fn lines_in_several_encodings_are_read_one_by_one() {
    let russian = b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\n";
    let japanese = b"\x83t\x83@\x83C\x83\x8B\x82\xAA\x8C\xA9\x82\xC2\x82\xA9\x82\xE8\x82\xDC\x82\xB9\x82\xF1\n";
    let log = [&russian[..], japanese, "日本語と русский\n".as_bytes()].concat().repeat(3);
    let fits = "of those that are not UTF-8, 3 fit windows-1251, 3 fit CP932 (try -f auto-lines)";
    let expected = format!("looks like lines in several encodings: {fits}");
    assert_eq!(hint_on(&["--check"], &log), Some(expected));
    let events = events(&run_on(&["--check", "--format", "json"], &log).out);
    let hint = of_type(&events, "hint")[0].clone();
    assert_eq!(hint["cause"], "lines");
    assert_eq!(hint["repair"]["options"], json!(["-f", "auto-lines"]));
    let output = oxiconv().args(["-q", "-f", "auto-lines"]).write_stdin(&*log).output().unwrap();
    let text = "ошибка: файл не найден\nファイルが見つかりません\n日本語と русский\n".repeat(3);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
    for (line, name) in [(&russian[..], "windows-1251"), (japanese, "CP932")] {
        let hint = hint_on(&["--check"], &line.repeat(6)).unwrap();
        assert!(hint.contains(name) && !hint.contains("auto-lines"), "{hint}");
    }
}

/// The output of the command is what the case expects, and a check of it finds nothing.
#[cfg(unix)]
#[test]
fn every_suggested_command_makes_the_file_clean() {
    let cases = cases();
    let dir = written(&cases);
    let mut repaired = 0;
    for case in &cases {
        let options = [case.options, &["--format", "json"][..]].concat();
        let events = events(&check(dir.path(), &options, case.file).out);
        let hints = of_type(&events, "hint");
        let findings = of_type(&events, "finding");
        let repairs = hints.iter().chain(&findings).filter_map(|event| event["repair"].as_object());
        for repair in repairs {
            let command = repair["command"].as_str().unwrap();
            let got = shell(&format!("{command} 2>/dev/null"), dir.path());
            assert_eq!(&got, case.repaired.as_ref().unwrap(), "{}: {command}", case.file);
            assert_eq!(run_on(&["--check"], &got).status, 0, "{}", case.file);
            repaired += 1;
        }
    }
    assert!(repaired > 20, "{repaired}");
}

#[test]
fn a_json_finding_says_what_it_probably_is() {
    let output = run_on(&["--check", "--format", "json"], b"Gr\xC3\xBC\xC3\x9Fe, caf\xE9!\n");
    let events = events(&output.out);
    let members = |event: &Value| {
        ["cause", "guess", "evidence", "repair"].map(|member| event[member].clone())
    };
    let repair = json!({
        "options": ["--fallback", "windows-1252"],
        "skip": 0,
        "command": "oxiconv --fallback windows-1252",
        "loss": null,
    });
    assert_eq!(
        members(of_type(&events, "finding")[0]),
        [
            json!("single-byte"),
            json!("U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in windows-1252 or ISO-8859-1"),
            json!("the rest is valid UTF-8, and all stray bytes fit it"),
            repair.clone(),
        ]
    );
    assert_eq!(
        members(of_type(&events, "hint")[0]),
        [
            json!("single-byte"),
            json!("UTF-8 with bytes of windows-1252"),
            json!("the stray byte fits windows-1252, and the rest is valid UTF-8"),
            repair,
        ]
    );
    // Nothing explains FF between two ideographs, so there is no guess.
    let unknown = events_of(b"\xE6\x97\xA5\xFF\xE6\x9C\xAC\n");
    assert!(of_type(&unknown, "hint").is_empty());
    assert_eq!(of_type(&unknown, "finding")[0].get("guess"), None);
}

fn events_of(input: &[u8]) -> Vec<Value> {
    events(&run_on(&["--check", "--format", "json"], input).out)
}

/// Applies the fixes of all results to `bytes`, from the last to the first, so that the offsets stay right.
fn fixed(bytes: &[u8]) -> Vec<u8> {
    let sarif = sarif_run(&run_on(&["--check", "--format", "sarif"], bytes).out);
    let mut text = bytes.to_vec();
    for result in sarif["results"].as_array().unwrap().iter().rev() {
        for fix in result["fixes"].as_array().into_iter().flatten() {
            let replacement = &fix["artifactChanges"][0]["replacements"][0];
            let region = &replacement["deletedRegion"];
            let number = |name| region[name].as_u64().unwrap() as usize;
            let (start, len) = (number("byteOffset"), number("byteLength"));
            assert_eq!(start, result["locations"][0]["physicalLocation"]["region"]["byteOffset"]);
            let content = &replacement["insertedContent"];
            let inserted = BASE64_STANDARD.decode(content["binary"].as_str().unwrap()).unwrap();
            assert_eq!(inserted, content["text"].as_str().unwrap().as_bytes());
            text.splice(start..start + len, inserted);
        }
    }
    text
}

#[test]
fn the_fixes_of_sarif_do_what_the_repair_does() {
    for (bytes, repair, expected) in [
        (
            &b"Gr\xC3\xBC\xC3\x9Fe, \x93caf\xE9 \x94\n"[..],
            &["--fallback", "windows-1252"][..],
            "Grüße, “café ”\n",
        ),
        (b"caf\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80!\n", &["-f", "cesu-8"], "café 😀!\n"),
        (
            b"\xE9t\xE9 \xED\xA0\xBD\xED\xB8\x80 voil\xE0 un caf\xE9\n",
            &["-f", "cesu-8", "--fallback", "windows-1252"],
            "été 😀 voilà un café\n",
        ),
        ("Первая.\n".as_bytes(), &[], "Первая.\n"),
        (
            &["Первая строка в UTF-8, вторая нет.\n".as_bytes(), b"\xEF\xF0\xE8\xE2\xE5\xF2\n"]
                .concat(),
            &["--fallback", "windows-1251"],
            "Первая строка в UTF-8, вторая нет.\nпривет\n",
        ),
        // Overlong forms, truncated characters and unknown bytes get no fix. Overlong forms are used in attacks.
        (b"\xC3\xA9 \xC0\xAF\n", &["-e", "replace"], ""),
        (b"\xC3\xA9 \xE2\x82", &["-c"], ""),
        (b"\xE6\x97\xA5\xFF\xE6\x9C\xAC\n", &["-e", "replace"], ""),
    ] {
        let got = fixed(bytes);
        if expected.is_empty() {
            assert_eq!(got, bytes);
        } else {
            assert_eq!(String::from_utf8(got).unwrap(), expected);
            assert_eq!(String::from_utf8(run_on(repair, bytes).out).unwrap(), expected);
        }
    }
}

/// A stray byte is taken for a letter only if the letters around it are of the same script. A quotation mark goes with
/// Cyrillic letters.
#[test]
fn no_letter_is_guessed_amid_another_script() {
    let around = |before: &str, byte: u8, after: &str| {
        [before.as_bytes(), &[byte], after.as_bytes()].concat()
    };
    let japanese = ("これは日本語の", "テキストです。\n");
    for byte in [0xC0, 0xC1, 0xE9, 0xF5, 0xFE, 0xFF, 0x93] {
        let text = around(japanese.0, byte, japanese.1);
        assert_eq!(hint_on(&["--check"], &text), None, "{byte:02X}");
        let shown = run_on(&["--explain"], &text);
        assert!(!shown.out().contains("probably"), "{}", shown.out());
    }
    for (before, byte, after) in
        [("привет, ", 0xE9, " мир\n"), ("سلام ", 0xF1, " سلام\n"), ("日本。 ", 0xFF, " 日本\n")]
    {
        assert_eq!(hint_on(&["--check"], &around(before, byte, after)), None, "{before}");
    }
    let fits = "the stray byte fits windows-1252, and the rest is";
    for (before, byte, after, rest) in [
        ("na", 0xEF, "ve\n", "plain ASCII"),
        ("un café, deux caf", 0xE9, "s\n", "valid UTF-8"),
        ("по-французски caf", 0xE9, " то же\n", "valid UTF-8"),
        ("Он сказал ", 0x93, "да.\n", "valid UTF-8"),
    ] {
        let text = around(before, byte, after);
        let hint = hint_on(&["--check"], &text).unwrap();
        let legacy = "looks like windows-1252 or ISO-8859-1";
        assert!(
            hint.starts_with(&format!("{fits} {rest} (")) || hint.starts_with(legacy),
            "{hint}"
        );
    }
}

/// UTF-16 without a byte order mark is hard to recognize in scripts whose code units have few zero bytes. Its control
/// characters, like those of binary data, at least rule out a single-byte encoding.
#[test]
fn controls_rule_out_single_bytes() {
    for text in [
        "这是一个中文文本文件。今天天气很好。\n",
        "Съешь ещё этих булок\n",
        "Příliš žluťoučký kůň\n",
    ] {
        let units = text.repeat(40).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for input in [&units[..], b"\x89PNG\r\n\x1A\n\0\0"] {
            let hint = hint_on(&["--check"], input).unwrap_or_default();
            assert!(!hint.contains("windows-125"), "{hint}");
        }
    }
}

/// One byte is too little for byte frequencies, so the encoding is not judged by them.
#[test]
fn one_sign_is_one_of_windows_1252() {
    for sign in [0xA9, 0xAE, 0xB6, 0xBD, 0x93] {
        let text = [b"Copyright ", &[sign][..], b"Foo Inc.\n"].concat();
        let hint = hint_on(&["--check"], &text).unwrap();
        assert!(hint.starts_with("the stray byte fits windows-1252, and "), "{sign:X}: {hint}");
    }
}

#[test]
fn the_bytes_of_a_longer_text_are_counted_with_separators() {
    let line = "Съешь ещё этих булок\n";
    assert_eq!(line.chars().count(), 21);
    let text = run_on(&["-t", "windows-1251"], line.repeat(100).as_bytes()).out;
    let expected = "looks like windows-1251: judged by byte frequencies over 2,100 bytes, with no \
                    multi-byte UTF-8 (try -f windows-1251)";
    assert_eq!(hint_on(&["--check"], &text).unwrap(), expected);
}

#[test]
fn different_causes_are_said_to_be_different() {
    let text = b"caf\xC3\xA9, caf\xE9 \xC0\xAF\n";
    assert_eq!(
        hint_on(&["--check"], text).unwrap(),
        "no single command repairs all of it: 1 overlong form and bytes of windows-1252"
    );
    let shown = run_on(&["--explain"], text);
    assert!(
        shown.out().ends_with(
            "(standard input): 3 findings with different causes; no single command repairs\nall\n\n"
        ),
        "{}",
        shown.out()
    );
    let event = &events_of(text);
    let hint = of_type(event, "hint")[0];
    assert_eq!(
        (&hint["cause"], &hint["guess"], &hint["repair"]),
        (&json!("several"), &Value::Null, &Value::Null)
    );
}

/// A conversion of a pipe ends at the finding that stops it, since reading on could block. The hint is judged by what
/// has been read so far.
#[cfg(unix)]
#[test]
fn a_conversion_that_stops_judges_what_it_has_read() {
    for (input, expected) in [
        (
            &b"caf\xE9 au lait"[..],
            Some(
                "E9 is é in windows-1252, and the text before it is plain ASCII (try --fallback windows-1252)",
            ),
        ),
        (
            b"\xC3\xBC \x93hello\x94\n",
            Some(
                "93 is “ in windows-1252, and the text before it is valid UTF-8 (try --fallback windows-1252)",
            ),
        ),
        (
            b"\xFF\xFEN\0a\0",
            Some(
                "looks like UTF-16, little-endian: the text begins with its byte order mark, FF FE (try -f utf-16)",
            ),
        ),
        (
            b"\xFF\xFE\0\0N\0\0\0",
            Some(
                "looks like UTF-32, little-endian: the text begins with its byte order mark, FF FE 00 00 (try -f utf-32)",
            ),
        ),
        // Each of these bytes could be a letter of another script, or half of a double-byte character.
        (
            b"\xF0\xD2\xC9\xD7\xC5\xD4\n",
            Some("the rest was not read (--explain reads it and says what the text probably is)"),
        ),
        (
            b"\x82\xB1\x82\xEA\n",
            Some("the rest was not read (--explain reads it and says what the text probably is)"),
        ),
        (b"\xE6\x97\xA5\xFF\xE6\x9C\xAC\n", None),
    ] {
        assert_eq!(hint_on(&[], input).as_deref(), expected, "{input:X?}");
        // The same byte by byte, from a slow pipe. Python's error about the closed pipe is dropped, because it could
        // end up in the line of the hint.
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("text"), input).unwrap();
        let slowly = "python3 -c '
import sys, time
for byte in open(\"text\", \"rb\").read():
    sys.stdout.buffer.write(bytes([byte])); sys.stdout.buffer.flush(); time.sleep(0.002)' 2>/dev/null | oxiconv 2>&1 >/dev/null | tail -n +2";
        let shown = String::from_utf8(shell(slowly, dir.path())).unwrap();
        let shown = shown.lines().find(|line| line.starts_with("oxiconv: "));
        let shown = shown.and_then(|line| line.strip_prefix("oxiconv: (standard input): "));
        assert_eq!(shown, expected, "{input:X?}");
    }
}

/// A file can be read on without blocking, so a conversion that stops has the same hint as `--check`. The first finding
/// alone says little about the encoding.
#[test]
fn a_conversion_of_a_file_that_stops_has_the_hint_of_check() {
    let dir = tempfile::tempdir().unwrap();
    for (input, repair) in [
        // "Слово за слово в Неве"; "Změna života"; "grün, Größe" after the byte order mark of UTF-8.
        (
            &b"\xF3\xCC\xCF\xD7\xCF \xDA\xC1 \xD3\xCC\xCF\xD7\xCF \xD7 \xEE\xC5\xD7\xC5\n"[..],
            "-f koi8-",
        ),
        (b"Zm\xECna \x9Eivota\n", "--fallback windows-1250"),
        (b"\xEF\xBB\xBFgr\xFCn, Gr\xF6\xDFe\n", "--fallback windows-1252"),
        // "привет" in UTF-8, then in windows-1251.
        (
            b"\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\n\xEF\xF0\xE8\xE2\xE5\xF2\n",
            "--fallback windows-1251",
        ),
    ] {
        fs::write(dir.path().join("text"), input).unwrap();
        let hint = |arguments: &[&str]| {
            let output = oxiconv().current_dir(&dir).args(arguments).output().unwrap();
            let run = Run { status: 1, out: output.stdout, err: output.stderr };
            run.err()
                .lines()
                .find_map(|line| line.strip_prefix("oxiconv: text: "))
                .map(|line| options_of_hints(line, "text"))
        };
        let of_stop = hint(&["text"]);
        assert_eq!(of_stop, hint(&["--check", "text"]), "{input:X?}");
        assert!(of_stop.as_ref().is_some_and(|hint| hint.contains(repair)), "{of_stop:?}");
    }
}

#[test]
fn a_stop_does_not_wait_for_the_rest() {
    let started = Instant::now();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"caf\xE9 ").unwrap();
    // `stdin` is still open here, so the program cannot have waited for the end of the input.
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(started.elapsed() < Duration::from_secs(20));
    drop(stdin);
}

#[test]
fn no_hint_where_the_user_has_decided() {
    let text = b"caf\xC3\xA9, caf\xE9\n";
    for options in [
        &["-e", "replace"][..],
        &["-e", "skip"],
        &["-c"],
        &["-e", "escape"],
        &["--fallback", "windows-1252"],
        &["--fallback", "windows-1252", "-e", "report"],
        &["-e", "report", "-q"],
        &["--check", "-q"],
        &["--check", "-s"],
    ] {
        let run = run_on(options, text);
        assert!(!run.err().contains("windows-1252, and the"), "{options:?}: {}", run.err());
    }
    let reported = hint_on(&["-e", "report"], text).unwrap();
    assert!(reported.starts_with("the stray byte fits windows-1252, and the rest is valid UTF-8"));
    // Findings without ill-formed text have no hint.
    assert_eq!(hint_on(&["--check", "-t", "latin1"], "5 €\n".as_bytes()), None);
    assert_eq!(hint_on(&["--check", "--deny", "nul"], b"a\0\n"), None);
}

/// Returns what a format prints for `source`, and its hint.
fn printed(name: &str, source: &mut dyn Source, from: &str) -> (String, Option<Hint>) {
    let conversion = Options::new()
        .detail(Detail::Evidence)
        .on_ill_formed(OnIllFormed::Replace)
        .build(Encoding::for_name(from).unwrap(), None)
        .unwrap();
    let mut sink = std::io::sink();
    let mut transcoder = Transcoder::new(&conversion, &mut sink);
    let mut shown = Vec::new();
    let format = format(name, &FormatOptions::default()).unwrap();
    let mut reporter =
        format.reporter(Subject::StandardInput, format.facts().most_findings, &mut shown);
    transcoder.input(source, &mut *reporter).or_else(Error::into_summary).unwrap();
    let remainder = reporter.close().unwrap();
    (String::from_utf8(shown).unwrap(), remainder.hint)
}

#[test]
fn nothing_depends_on_where_the_text_is_cut() {
    for case in sample::every(3, cases()) {
        let bytes = &case.bytes;
        let from = case.options.iter().skip_while(|word| **word != "-f").nth(1).unwrap_or(&"utf-8");
        for name in ["text", "json", "sarif"] {
            let whole = printed(name, &mut Cut::new(bytes, &[], false), from);
            for late_end in [false, true] {
                for cut in 1..bytes.len() {
                    let got = printed(name, &mut Cut::new(bytes, &[cut], late_end), from);
                    assert_eq!(got, whole, "{} cut at {cut}", case.file);
                }
                let each: Vec<_> = (1..bytes.len()).collect();
                let got = printed(name, &mut Cut::new(bytes, &each, late_end), from);
                assert_eq!(got, whole, "{}", case.file);
            }
        }
    }
}

/// The hint is judged by the start of a text (64 KiB) and by the text from shortly before the first finding on. Here
/// the first finding is far behind the start, and of the text between them only the characters are counted.
#[cfg(unix)]
#[test]
fn the_hint_on_a_long_text_does_not_depend_on_how_it_arrives() {
    let mut random = Random(29);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("text");
    let utf8 = "--fallback windows-1252";
    let cases = [
        // All well-formed non-ASCII characters are in the part that is only counted. With fewer characters than bytes,
        // it is not ASCII.
        ("é", 200_000, &b"caf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n"[..], utf8),
        ("é", 5_000_000, b"caf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n", utf8),
        ("", 200_000, b"caf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n", "-f windows-1252"),
        ("", 5_000_000, b"caf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n", "-f windows-1252"),
        ("", 200_000, b"caf\xED\xA0\xBD\xED\xB8\x80\n", "-f cesu-8"),
        // The counted part may have a character of four bytes, which CESU-8 does not have, so the worst is assumed.
        ("é", 200_000, b"caf\xED\xA0\xBD\xED\xB8\x80\n", "-f generalized-utf-8 -t wtf-8"),
    ];
    for (clean, size, faults, expected) in sample::every(3, cases) {
        let ascii = "plain text of a line, nothing else\n".repeat(size / 35 + 1);
        let mut text = ascii.clone().into_bytes();
        text.splice(size / 2..size / 2, clean.bytes());
        text.extend_from_slice(faults);
        text.extend_from_slice(&ascii.as_bytes()[..size / 2]);
        let whole = printed("json", &mut Cut::new(&text, &[], false), "utf-8");
        let message = whole.1.as_ref().unwrap().message();
        assert!(message.contains(&format!("(try {expected})")), "{message}");
        for _ in 0..4 {
            let mut cuts: Vec<_> =
                (0..random.below(40)).map(|_| random.below(text.len())).collect();
            cuts.sort_unstable();
            cuts.retain(|cut| *cut > 0);
            assert_eq!(printed("json", &mut Cut::new(&text, &cuts, true), "utf-8"), whole);
        }
        fs::write(&path, &text).unwrap();
        for command in [
            "oxiconv --check -j 1 text",
            "oxiconv --check -j 4 text",
            "oxiconv --check <text",
            "cat text | oxiconv --check",
            "cat text | oxiconv --check -j 4 --max-reports 1",
            "oxiconv -e report text >/dev/null",
        ] {
            let shown =
                String::from_utf8(shell(&format!("{{ {command}; }} 2>&1"), dir.path())).unwrap();
            let shown = options_of_hints(&shown, "text");
            assert!(shown.contains(&format!(": {message}\n")), "{command}: {message}: {shown}");
        }
    }
}

/// To get guesses, findings are held back until the text has been judged. At most 4,096 are, so that memory stays
/// bounded; if there are more, none gets a guess.
#[test]
fn of_very_many_findings_none_has_a_guess_and_the_file_has_its_hint() {
    let hint = |count: &str| {
        format!("all {count} stray bytes fit windows-1252, and the rest is valid UTF-8")
    };
    for (count, named, guessed) in [(4096, "4,096", 4096), (4097, "4,097", 0)] {
        let text = b"caf\xC3\xA9 caf\xE9 \n".repeat(count);
        let events = events_of(&text);
        let findings = of_type(&events, "finding");
        let known = findings.iter().filter(|finding| finding.get("guess").is_some());
        assert_eq!((findings.len(), known.count()), (count, guessed));
        assert_eq!(of_type(&events, "hint")[0]["evidence"], hint(named));
    }
}

/// The cause is judged by at most 4 MiB: up to 64 KiB from the start, and the rest from shortly before the first
/// finding on. If these 4 MiB end within a character, it must not count as truncated.
#[test]
fn of_a_long_text_a_part_is_examined_and_the_hint_says_so() {
    let clean = "é €".repeat(4 << 20);
    let stray = [b"caf\xE9 ", clean.as_bytes(), b"caf\xE9 \xFF\xFE"].concat();
    let events = events_of(&stray);
    let guessed: Vec<_> = of_type(&events, "finding")
        .iter()
        .map(|finding| (finding["offset"].clone(), finding.get("guess").is_some()))
        .collect();
    let last = stray.len() as u64;
    assert_eq!(
        guessed,
        [
            (json!(3), true),
            (json!(last - 4), false),
            (json!(last - 2), false),
            (json!(last - 1), false)
        ]
    );
    assert_eq!(
        of_type(&events, "hint")[0]["evidence"],
        "in the 4 MiB examined, the stray byte fits windows-1252, and the rest is valid UTF-8"
    );
}

/// A conversion may read from a pipe that stays open, so its findings are not held back for guesses.
#[cfg(unix)]
#[test]
fn a_conversion_shows_each_finding_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let shows_at_once = |format: &str| {
        let live = format!(
            "{{ printf 'caf\\xe9 x\\n'; sleep 3; }} | oxiconv -e report --format {format} 2>&1 >/dev/null | \
             {{ read -r -t 2 first; [ '{format}' = json ] && read -r -t 2 first && read -r -t 2 first; echo \"$first\"; }}"
        );
        let shown = String::from_utf8(shell(&live, dir.path())).unwrap();
        assert!(shown.contains("truncated"), "{format}: {shown}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| shows_at_once("text"));
        shows_at_once("json");
    });
}

#[test]
fn explain_says_that_a_file_is_clean() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.txt"), "naïve\n").unwrap();
    fs::write(dir.path().join("wide.txt"), b"\xFF\xFEa\0").unwrap();
    fs::write(dir.path().join("empty.txt"), "").unwrap();
    let run = |args: &[&str]| {
        let output =
            oxiconv().current_dir(dir.path()).arg("--explain").args(args).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let notes = "notes.txt: no findings: 7 bytes of well-formed UTF-8\n";
    assert_eq!(run(&["notes.txt"]), (0, notes.to_owned()));
    assert_eq!(run(&["empty.txt"]).1, "empty.txt: no findings: 0 bytes of well-formed UTF-8\n");
    assert_eq!(
        run(&["-f", "utf-16", "wide.txt"]).1,
        "wide.txt: no findings: 4 bytes of well-formed UTF-16LE\n"
    );
    assert_eq!(
        run(&["notes.txt", "empty.txt"]).1,
        format!("{notes}empty.txt: no findings: 0 bytes of well-formed UTF-8\n")
    );
    assert_eq!(run(&["-q", "notes.txt"]), (0, String::new()));
    assert_eq!(run(&["-s", "notes.txt"]), (0, String::new()));
    // If a baseline or a rule suppresses all findings, the text must not be called well-formed.
    fs::write(dir.path().join("known.txt"), b"caf\xE9 ol\xE9\n").unwrap();
    let left_out = "known.txt: no findings to report: 9 bytes\n";
    let baseline = ["--check", "--write-baseline", "base", "known.txt"];
    assert_eq!(
        oxiconv().current_dir(dir.path()).args(baseline).output().unwrap().status.code(),
        Some(0)
    );
    assert_eq!(run(&["--baseline", "base", "known.txt"]), (0, left_out.to_owned()));
    let off = "[[rule]]\nseverity = { truncated = \"off\" }\n";
    fs::write(dir.path().join("oxiconv.toml"), off).unwrap();
    assert_eq!(run(&["known.txt"]), (0, left_out.to_owned()));
    fs::remove_file(dir.path().join("known.txt")).unwrap();
    // With -r, clean files are not listed: a directory may have many.
    fs::remove_file(dir.path().join("wide.txt")).unwrap();
    assert_eq!(run(&["-r", "."]), (0, String::new()));
}
