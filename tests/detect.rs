//! `--detect`: the line for each file, and the exit status.

#[cfg(unix)]
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Duration;

use oxiconv::{Detection, Detector, Encoding, Evidence};
#[cfg(unix)]
use serde_json::Value;
use serde_json::json;

use crate::formats::{Dir, Run, events, of_type};
use crate::sample;

/// The beginning of article 2 of the Universal Declaration of Human Rights.
const RUSSIAN: &str = "Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными \
                       настоящей Декларацией, без какого бы то ни было различия, как-то в отношении расы, цвета кожи, \
                       пола, языка, религии, политических или иных убеждений, национального или социального \
                       происхождения, имущественного, сословного или иного положения.\n";

fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    oxiconv::encode(text, Encoding::for_name(encoding).unwrap()).unwrap().into_owned()
}

fn detect(dir: &Dir, args: &[&str]) -> Run {
    dir.run(&[&["--detect"], args].concat())
}

/// Removes the confidence from each line. It changes whenever the detector is tuned.
fn without_percent(out: &str) -> Vec<String> {
    let percent = |field: &&str| !field.ends_with(" %");
    out.lines()
        .map(|line| line.split(", ").filter(percent).collect::<Vec<_>>().join(", "))
        .collect()
}

#[test]
fn a_line_has_the_path_the_encoding_the_mark_and_the_line_ends() {
    let dir = Dir::new();
    dir.write(b"a.txt", b"hello\nworld\n");
    dir.write(b"b.txt", "gr\u{FC}n\r\n".as_bytes());
    dir.write(b"c.txt", b"\xEF\xBB\xBFgreen\r");
    dir.write(b"d.txt", b"\xFF\xFEg\0\r\0\n\0\n\0");
    dir.write(b"e.txt", b"");
    dir.write(b"f.txt", &encoded(RUSSIAN, "windows-1251"));
    dir.write(b"g.txt", "gr\u{FC}n\u{85}".as_bytes());
    let names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "g.txt"];
    let Run { status, out, err } = detect(&dir, &names);
    assert_eq!((status, err), (0, vec![]));
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("c.txt: UTF-8, 100 %, BOM, CR\n"), "{out}");
    let lines = without_percent(&out);
    assert!(lines[5].starts_with("f.txt: windows-1251, no BOM, LF"), "{out}");
    assert_eq!(
        [&lines[..5], &lines[6..]].concat(),
        [
            "a.txt: ASCII only (also valid UTF-8), LF",
            "b.txt: UTF-8, no BOM, CRLF",
            "c.txt: UTF-8, BOM, CR",
            "d.txt: UTF-16, BOM, mixed line endings",
            "e.txt: empty",
            "g.txt: UTF-8, no BOM, NEL",
        ]
    );
}

/// The path is printed only if there are several files, as by uchardet.
/// "Please wait" is the same in Bosnian and Croatian. Article 2 of the Declaration is in no other language than Russian.
#[test]
fn a_language_that_is_not_clear_is_named_by_its_family() {
    let dir = Dir::new();
    dir.write(b"a.txt", &encoded("Molimo pričekajte\n", "windows-1250"));
    dir.write(b"b.txt", &encoded(RUSSIAN, "windows-1251"));
    let run = detect(&dir, &["a.txt", "b.txt"]);
    assert!(
        run.out().lines().next().unwrap().ends_with(", South Slavic language"),
        "{}",
        run.out()
    );
    assert!(run.out().trim_end().ends_with(", Russian"), "{}", run.out());
    let run = detect(&dir, &["--json", "a.txt", "b.txt"]);
    let events = events(&run.out);
    let tags: Vec<_> =
        of_type(&events, "detection").iter().map(|event| event["language"].clone()).collect();
    assert_eq!(tags, ["zls", "ru"]);
}

#[test]
fn quiet_prints_names_alone_and_silent_nothing() {
    let dir = Dir::new();
    dir.write(b"a", "gr\u{FC}n".as_bytes());
    dir.write(b"b", b"plain");
    assert_eq!(detect(&dir, &["-q", "a"]).out(), "UTF-8\n");
    assert_eq!(detect(&dir, &["-q", "a", "b"]).out(), "a: UTF-8\nb: US-ASCII\n");
    let from_stdin = dir.run_on(&["--detect", "-q"], "\u{20AC}".as_bytes());
    assert_eq!((from_stdin.status, from_stdin.out()), (0, "UTF-8\n"));
    let named = dir.run_on(&["--detect", "-", "b"], b"\xEF\xBB\xBF");
    assert_eq!(
        named.out(),
        "(standard input): UTF-8, 100 %, BOM, no line breaks\n\
         b: ASCII only (also valid UTF-8), no line breaks\n"
    );
    let silent = detect(&dir, &["-s", "a", "b"]);
    assert_eq!((silent.status, silent.out(), silent.err()), (0, "", ""));
}

#[test]
fn verbose_adds_the_evidence_and_the_line_ends() {
    let dir = Dir::new();
    dir.write(b"a", "gr\u{FC}n\nblau\nrot\r\n".as_bytes());
    let out = detect(&dir, &["-v", "a"]);
    let lines: Vec<_> = out.out().lines().skip(1).collect();
    assert_eq!(
        lines,
        ["    evidence: its well-formed sequences", "    line endings: 2 LF, 1 CRLF"]
    );
}

#[cfg(unix)]
#[test]
fn json_has_the_same_by_its_schema() {
    let dir = Dir::new();
    dir.write(b"a\nb", "gr\u{FC}n\r\n".as_bytes());
    dir.write(b"caf\xE9", b"");
    let names = [OsStr::new("--detect"), OsStr::new("--format=json"), OsStr::new("a\nb")];
    let Run { status, out, err } =
        dir.run(&[&names[..], &[OsStr::from_bytes(b"caf\xE9")]].concat());
    assert_eq!((status, err), (0, vec![]));
    let events = events(&out);
    assert_eq!(events[0]["task"], "detect");
    let mut found: Vec<Value> = of_type(&events, "detection").into_iter().cloned().collect();
    let confidence = found[0]["confidence"].take().as_f64().unwrap();
    assert!((0.9..=1.0).contains(&confidence), "{confidence}");
    let ends = |crlf: u64| json!({ "lf": 0, "crlf": crlf, "cr": 0, "nel": 0 });
    assert_eq!(
        found,
        [
            json!({
                "type": "detection", "path": { "text": "a\nb" }, "known": true, "encoding": "UTF-8",
                "confidence": null, "evidence": "well-formed", "mark": false, "newline": "crlf",
                "line_ends": ends(1), "language": null, "runners_up": [], "bytes": 7,
                "ill_formed": 0, "first_ill_formed": null,
            }),
            json!({
                // 63 61 66 E9 in base64 (RFC 4648).
                "type": "detection", "path": { "bytes": "Y2Fm6Q==" }, "known": true, "encoding": null,
                "confidence": 1.0, "evidence": null, "mark": false, "newline": "none",
                "line_ends": ends(0), "language": null, "runners_up": [], "bytes": 0,
                "ill_formed": 0, "first_ill_formed": null,
            }),
        ]
    );
    let summary = events.last().unwrap();
    assert_eq!((&summary["files"], &summary["unknown"]), (&json!(2), &json!(0)));
}

/// The only evidence follows 3.6 MB of ASCII, far behind the 128 KiB of a sample.
#[test]
fn what_comes_after_megabytes_of_ascii_is_looked_at() {
    let dir = Dir::new();
    let mut text = b"plain text\r\n".repeat(300_000);
    text.extend(encoded(RUSSIAN, "koi8-r"));
    dir.write(b"late.txt", &text);
    let run = detect(&dir, &["late.txt"]);
    assert!(run.out().starts_with("late.txt: KOI8-R, "), "{}", run.out());
    assert!(run.out().contains(", mixed line endings"), "{}", run.out());
    let verbose = detect(&dir, &["-v", "late.txt"]);
    assert!(
        verbose.out().contains("\n    line endings: 1 LF, 300,000 CRLF\n"),
        "{}",
        verbose.out()
    );
    // Escape sequences for colours must not be taken for those of ISO 2022.
    let mut log = b"\x1B[31merror\x1B[0m\n".repeat(100_000);
    log.extend("gr\u{FC}n".as_bytes());
    dir.write(b"log", &log);
    assert_eq!(detect(&dir, &["-q", "log"]).out(), "UTF-8\n");
}

/// The ASCII at the start has `~{` as in HZ, or an escape sequence, which prove nothing. The search must continue to
/// the Russian text behind it.
#[test]
fn a_sample_of_ascii_is_not_the_end_of_the_search() {
    let dir = Dir::new();
    for ascii in ["go ~{there}, \u{1B}[31mred\u{1B}[0m\n", "\u{1B}%?\n"] {
        let ascii = ascii.repeat(400_000 / ascii.len());
        let text = [ascii.as_bytes(), &encoded(RUSSIAN, "koi8-r"), ascii.as_bytes()].concat();
        dir.write(b"late", &text);
        assert_eq!(detect(&dir, &["-q", "late"]).out(), "KOI8-R\n");
        let expected = [&ascii, RUSSIAN, &ascii].concat();
        for run in [
            dir.run(&["-f", "auto", "late"]),
            dir.run(&["-f", "auto", "-j", "2", "late"]),
            dir.run_on(&["-f", "auto"], &text),
        ] {
            assert_eq!((run.status, run.err()), (0, ""));
            assert!(run.out() == expected);
        }
    }
}

/// A file and a pipe give the same answer. Most lengths put a CRLF across the boundary of a buffer.
#[test]
fn the_answer_does_not_depend_on_how_the_text_arrives() {
    let dir = Dir::new();
    // The longest are checked by several threads.
    let lengths = [4094, 4095, 4096, 65_535, 131_071, 262_143, 1_048_575, 9_000_003, 20_000_000];
    for len in sample::every(4, lengths) {
        let mut text = "ф\r\n".as_bytes().to_vec();
        text.resize(len, b'x');
        text.extend("\r\nё\r\n\rй\n".as_bytes());
        dir.write(b"t", &text);
        let from_file = detect(&dir, &["-v", "t"]).out;
        let from_file = String::from_utf8(from_file).unwrap();
        assert!(from_file.contains("line endings: 1 LF, 3 CRLF, 1 CR"), "{len}: {from_file}");
        let from_pipe = dir.run_on(&["--detect", "-v"], &text);
        assert_eq!(from_pipe.out(), from_file.replacen("t:", "(standard input):", 1), "{len}");
    }
}

/// Signs that are signals only together with what follows them, at the end of what has been read so far: of a pipe on
/// which nothing more has come yet, or of a block of a file.
#[cfg(unix)]
#[test]
fn a_sign_at_the_end_of_what_has_been_read_is_waited_for() {
    let dir = Dir::new();
    let fifo = dir.path(b"fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let detected = |args: &[&str]| {
        let mut command = crate::common::oxiconv();
        command.current_dir(dir.path(b"")).args(["--detect", "-q"]).args(args);
        let ended = command.timeout(Duration::from_secs(60)).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stdout).unwrap())
    };
    let ascii = b"hello world\n".repeat(100_000);
    for (sign, rest, encoding) in [
        (&b"+AB"[..], &b" x\n"[..], "US-ASCII\n"),
        (b"&AB", b" x\n", "US-ASCII\n"),
        (b"x~{", b" x\n", "US-ASCII\n"),
        (b"\x1B(", b"B x\n", "US-ASCII\n"),
        (b"+BB8EQAQ4B", b"DIENQRC- x\n", "UTF-7\n"),
    ] {
        let (shown, expected) = (sign.escape_ascii(), (Some(0), encoding.to_owned()));
        let first = [&ascii[..6000], sign].concat();
        let (path, rest_of_pipe) = (fifo.clone(), rest.to_vec());
        let writer = std::thread::spawn(move || {
            let mut pipe = File::options().write(true).open(path).unwrap();
            pipe.write_all(&first).unwrap();
            // The program reads the first piece by itself, and then waits.
            std::thread::sleep(Duration::from_millis(100));
            // The program is gone if it has been killed.
            let _ = pipe.write_all(&rest_of_pipe);
        });
        assert_eq!(detected(&["fifo"]), expected, "{shown}");
        writer.join().unwrap();
        for end in [16 << 10, 512 << 10, 1 << 20] {
            dir.write(b"f", &[&ascii[..end - sign.len()], sign, rest].concat());
            for how in ["--mmap=always", "--mmap=never"] {
                assert_eq!(detected(&[how, "f"]), expected, "{shown} {end} {how}");
            }
        }
    }
}

#[test]
fn the_rest_of_the_file_is_checked_too() {
    let dir = Dir::new();
    let mut text = RUSSIAN.repeat(1000).into_bytes();
    let good = text.len();
    // Next to Latin letters, E9 is not taken for a Cyrillic letter in windows-1251, but for a stray byte.
    text.extend(b"caf\xE9\n");
    dir.write(b"stray", &text);
    let run = detect(&dir, &["stray"]);
    assert_eq!(run.status, 0);
    let (mark, place) = ("no BOM, LF", good + 3);
    let expected = format!(
        "stray: UTF-8, 98 %, {mark}, 1 stray byte, 1 ill-formed sequence (at byte {place})\n"
    );
    assert_eq!(run.out(), expected);
    dir.write(b"lines", &[&text[..], &encoded(&RUSSIAN.repeat(1000), "windows-1251")].concat());
    let run = detect(&dir, &["lines"]);
    assert!(run.status == 0 && run.out().starts_with("lines: auto-lines, 75 %"), "{}", run.out());
    // Followed by as many pseudo-random bytes, it is not UTF-8.
    text.extend((0..good as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8));
    dir.write(b"both", &text);
    let run = detect(&dir, &["both", "stray"]);
    assert_eq!(run.status, 1);
    assert!(
        run.out().starts_with("both: encoding unclear (best guess UTF-8, 49 %"),
        "{}",
        run.out()
    );
    assert!(run.out().contains(&format!("(the first at byte {})", good + 3)), "{}", run.out());
    assert_eq!(run.err(), "oxiconv: 1 of 2 files is binary, or its encoding is unclear\n");
    assert_eq!(detect(&dir, &["-q", "both"]).out(), "unknown\n");
    let json = detect(&dir, &["--format", "json", "both"]);
    let events = events(&json.out);
    let [event] = of_type(&events, "detection")[..] else { panic!("{events:?}") };
    assert_eq!((&event["known"], &event["first_ill_formed"]), (&json!(false), &json!(good + 3)));
    assert_eq!((&event["encoding"], &event["confidence"]), (&json!("UTF-8"), &json!(0.49)));
    assert_eq!(events.last().unwrap()["unknown"], 1);
    assert_eq!((json.status, &events.last().unwrap()["exit_status"]), (1, &json!(1)));
}

#[test]
fn directories_are_searched_and_trouble_does_not_end_the_run() {
    let dir = Dir::new();
    dir.write(b"d/one.txt", "gr\u{FC}n\n".as_bytes());
    dir.write(b"d/two.txt", b"\xEF\xBB\xBFgreen\n");
    dir.write(b"d/.gitignore", b"three.txt\n");
    dir.write(b"d/three.txt", b"x");
    let run = detect(&dir, &["-r", "-q", "d"]);
    assert_eq!((run.status, run.out()), (0, "d/one.txt: UTF-8\nd/two.txt: UTF-8\n"));
    let run = detect(&dir, &["-q", "missing", "d", "d/one.txt"]);
    assert_eq!((run.status, run.out()), (2, "d/one.txt: UTF-8\n"));
    assert_eq!(
        run.err(),
        "oxiconv: missing: No such file or directory\n\
         oxiconv: d: is a directory (use -r to descend)\n"
    );
    dir.write(b"names", b"d/two.txt\0d/one.txt\0");
    let run = detect(&dir, &["-q", "--files0-from", "names"]);
    assert_eq!((run.status, run.out()), (0, "d/two.txt: UTF-8\nd/one.txt: UTF-8\n"));
}

#[test]
fn many_files_are_printed_in_their_order() {
    let dir = Dir::new();
    let names: Vec<_> = (0..300).map(|number| format!("{number:03}")).collect();
    for (number, name) in names.iter().enumerate() {
        let text = if number % 3 == 0 { "ä\n".repeat(50_000) } else { "x".to_owned() };
        dir.write(name.as_bytes(), text.as_bytes());
    }
    let args: Vec<&str> =
        ["-q", "-j", "8"].into_iter().chain(names.iter().map(|it| &**it)).collect();
    let run = detect(&dir, &args);
    let expected: String = (0..300)
        .map(|n| format!("{n:03}: {}\n", if n % 3 == 0 { "UTF-8" } else { "US-ASCII" }))
        .collect();
    assert_eq!(run.out(), expected);
}

#[cfg(unix)]
#[test]
fn devices_pipes_links_and_odd_names_are_files_too() {
    let dir = Dir::new();
    dir.write(b"new\nline\x1B[31m", b"x\n");
    symlink("new\nline\x1B[31m", dir.path(b"link")).unwrap();
    let run = detect(&dir, &["/dev/null", "new\nline\x1B[31m", "link"]);
    assert_eq!(
        run.out(),
        "/dev/null: empty\nnew\\u{a}line\\u{1b}[31m: ASCII only (also valid UTF-8), LF\n\
         link: ASCII only (also valid UTF-8), LF\n"
    );
    let fifo = dir.path(b"fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let writer = std::thread::spawn({
        let fifo = fifo.clone();
        move || File::options().write(true).open(fifo).unwrap().write_all("é".as_bytes()).unwrap()
    });
    assert_eq!(detect(&dir, &["-q", "fifo"]).out(), "UTF-8\n");
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_closed_output_ends_it_quietly() {
    let dir = Dir::new();
    dir.write(b"a", "ä".as_bytes());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--detect", "a"])
        .current_dir(dir.path(b""))
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!((ended.status.code(), ended.stderr), (None, vec![]));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--detect", "/dev/null"])
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let dir = Dir::new();
    dir.write(b"f", b"x");
    for (args, message) in [
        (&["-t", "utf-16", "f"][..], "--detect cannot be combined with --to"),
        (&["-o", "out", "f"], "--detect cannot be combined with --output"),
        (&["-i", "f"], "--detect cannot be combined with --in-place"),
        (&["-O", "out", "f"], "--detect cannot be combined with --output-dir"),
        (&["--check", "f"], "--detect cannot be combined with --check"),
        (&["--explain", "f"], "--detect cannot be combined with --explain"),
        (&["--files-with-findings", "f"], "--detect cannot be combined with --files-with-findings"),
        (&["-e", "replace", "f"], "--detect cannot be combined with --errors"),
        (&["--deny", "nul", "f"], "--detect cannot be combined with --deny"),
        (&["--list"], "--detect cannot be combined with --list"),
        (
            &["-f", "latin1", "f"],
            "--detect cannot be combined with -f ISO-8859-1 (to check that it is ISO-8859-1: --check -f ISO-8859-1)",
        ),
        (
            &["--format", "sarif", "f"],
            "--detect cannot be combined with --format sarif, only with text and json",
        ),
        (&["--dry-run", "f"], "--detect cannot be combined with --dry-run"),
        (&["--force", "f"], "--detect cannot be combined with --force"),
    ] {
        let run = detect(&dir, args);
        assert_eq!(run.status, 2, "{args:?}");
        let error = run.err();
        assert!(error.starts_with(&format!("oxiconv: {message}")), "{args:?}: {error}");
    }
    assert_eq!(detect(&dir, &["-f", "auto", "-q", "f"]).out(), "US-ASCII\n");
    assert_eq!(fs::read(dir.path(b"f")).unwrap(), b"x");
}

#[test]
fn an_answer_of_the_library_is_a_line_too() {
    let detection: Detection = Detector::new().detect("gr\u{FC}n".as_bytes());
    assert_eq!(detection.evidence, Evidence::WellFormed);
    assert_eq!(detection.to_string(), format!("UTF-8, {} %", detection.confidence));
}

/// `head -c` may leave half a character at the end. It must not count against the encoding.
#[test]
fn a_text_that_is_cut_inside_a_character_is_known_as_before() {
    let dir = Dir::new();
    for (text, encoding, name) in [
        ("당신의 부족이 아름답고 외로운", "CP949", "CP949"),
        ("人人生而自由，在尊严和权利上一律平等", "GB18030", "GB18030"),
        ("すべての人間は、生まれながらにして自由", "CP932", "CP932"),
        ("人人生而自由，在尊嚴和權利上一律平等", "BIG5-HKSCS", "BIG5-HKSCS"),
        ("すべての人間は、生まれながらにして自由", "EUC-JP", "EUC-JP"),
    ] {
        let bytes = encoded(text, encoding);
        dir.write(b"whole", &bytes);
        dir.write(b"cut", &bytes[..bytes.len() - 1]);
        let Run { status, out, .. } = detect(&dir, &["whole", "cut"]);
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<_> = out.lines().collect();
        let answer = lines[0].trim_start_matches("whole: ");
        assert!(answer.starts_with(&format!("{name}, 9")), "{out}");
        assert_eq!(status, 0, "{out}");
        let end = format!(", 1 ill-formed sequence (at byte {})", bytes.len() - 2);
        assert_eq!(lines[1], format!("cut: {answer}{end}"));
    }
}

/// `tail -c` may leave half a character at the start. The pairs of bytes after it are misaligned up to the next space.
#[test]
fn a_text_that_begins_inside_a_character_is_known() {
    let dir = Dir::new();
    let text = encoded("당신의 부족이 아름답고 외로운 사람들은", "CP949");
    dir.write(b"cut", &text[1..]);
    let Run { status, out, .. } = detect(&dir, &["cut"]);
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with("cut: CP949, 9"), "{out}");
    assert_eq!(status, 0);
}

/// Elsewhere than at the start and the end, fewer than one ill-formed byte in 200 is allowed.
#[test]
fn a_text_that_has_half_a_character_within_is_not_known() {
    let dir = Dir::new();
    let bytes = encoded("당신의 부족이 아름답고 외로운", "CP949");
    dir.write(b"within", &[&bytes[..bytes.len() - 1], b" \n", &bytes].concat());
    let Run { status, out, .. } = detect(&dir, &["within"]);
    assert_eq!(status, 1, "{}", String::from_utf8_lossy(&out));
}

/// The lower-case Russian letters in IBM866, one per line: A0 0A, A1 0A and so on. In UTF-16LE they would be Gujarati
/// letters, U+0AA0 and so on.
#[test]
fn a_column_of_letters_is_not_utf16() {
    let dir = Dir::new();
    let column: Vec<u8> = (0xA0..=0xAF).chain(0xE0..=0xEF).flat_map(|it| [it, b'\n']).collect();
    dir.write(b"column", &column);
    let Run { out, .. } = detect(&dir, &["column"]);
    let out = String::from_utf8(out).unwrap();
    assert!(!out.contains("UTF-16"), "{out}");
}

/// The letters of IBM866 are lead and continuation bytes of UTF-8, and any four bytes are two characters of UTF-16. A
/// word of them is surer than the shape of its bytes, but not than that of a word in UTF-16.
#[test]
fn short_words_are_told_from_unicode_by_their_letters() {
    for (name, texts) in [
        ("ibm866", &["не содержит", "выше списке.", "вашему", "были", "поддержка условий"][..]),
        ("iso-8859-5", &["раздел", "вашим", "Пшеница", "здание."]),
        ("koi8-r", &["главных", "Пакеты", "файла,"]),
        ("utf-16le", &["раздел", "вашим", "главных", "한국어", "你好吗？"]),
        ("utf-16be", &["раздел", "вашим", "главных", "한국어"]),
    ] {
        for text in texts {
            let bytes = encoded(text, name);
            let detection = Detector::new().detect(&bytes);
            let read = oxiconv::decode(&bytes, detection.encoding);
            assert_eq!(read.as_deref().ok(), Some(*text), "{name}: {detection:?}");
        }
    }
    // Most of it is UTF-8.
    let mixed = [&b"\xEF"[..], "Москва и Пермь".as_bytes()].concat();
    assert_eq!(Detector::new().detect(&mixed).encoding, Encoding::UTF_8);
}
