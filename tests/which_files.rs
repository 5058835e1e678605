//! Which files are skipped, refused or left unchanged: no fault goes unreported, and no valid file is rewritten.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;

use crate::common::{Dir, oxiconv};
#[cfg(unix)]
use crate::support::skipped;

/// The file is U+1F600 in UTF-16BE, repeated. Every character is denied, and still the file is text.
#[test]
fn what_is_denied_is_no_sign_of_binary() {
    let dir = Dir::new();
    dir.write("d/smile", &b"\xD8\x3D\xDE\x00".repeat(10));
    let (status, out, err) = dir.run(&["--check", "-f", "utf-16", "--deny", "non-bmp", "-r", "d"]);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.starts_with("d/smile:1:1: error[non-bmp]: D8 3D DE 00 at byte 0 "), "{out}");
    assert_eq!(out.lines().count(), 10, "{out}");
}

/// Denying U+0000 does not turn binary files below a directory into text, so they are still skipped. A file given by
/// name is always read.
#[test]
fn denied_characters_are_found_below_directories() {
    let dir = Dir::new();
    dir.write("d/a.txt", "if \u{202E}x\n".as_bytes());
    dir.write("d/b/clean.txt", b"text\n");
    dir.write("d/b/ends.txt", b"one\r\ntwo\n");
    dir.write("d/picture", b"\x89PNG\0\0");
    let deny = ["--check", "--deny", "nul,bidi,mixed-newlines", "-r"];
    let (status, out, err) = dir.run(&[&deny[..], &["d"]].concat());
    let places: Vec<_> = out.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!((status, &places[..]), (1, &["d/a.txt:1:4", "d/b/ends.txt:2:4"][..]), "{out}{err}");
    let counts = "2 findings in 2 files (1 bidi, 1 mixed-newlines), 1 binary file skipped";
    assert!(err.starts_with("oxiconv: 3 files, ") && err.trim_end().ends_with(counts), "{err}");
    // In place, a denied character stops the conversion of its file, and of no other.
    let (status, _, err) =
        dir.run(&["-f", "utf-8", "-t", "utf-16", "--deny", "bidi", "-r", "-i", "d"]);
    assert_eq!(status, 1, "{err}");
    assert_eq!(dir.read("d/a.txt"), "if \u{202E}x\n".as_bytes());
    assert_eq!(dir.read("d/b/clean.txt"), b"\xFF\xFEt\0e\0x\0t\0\n\0");
    let named = dir.run(&["--check", "--deny", "nul", "-f", "latin1", "d/picture"]);
    assert!(named.0 == 1 && named.1.contains("error[nul]"), "{}", named.1);
}

/// A line in UTF-16 and UTF-32 with a byte order mark: file name, bytes, name in messages, name for `-f`.
const MARKED: [(&str, &[u8], &str, &str); 4] = [
    ("16le", b"\xFF\xFEN\0a\0m\0e\0\r\0\n\0", "UTF-16LE", "utf-16"),
    ("16be", b"\xFE\xFF\0N\0a\0m\0e\0\r\0\n", "UTF-16BE", "utf-16"),
    ("32le", b"\xFF\xFE\0\0N\0\0\0a\0\0\0\n\0\0\0", "UTF-32LE", "utf-32"),
    ("32be", b"\0\0\xFE\xFF\0\0\0N\0\0\0a\0\0\0\n", "UTF-32BE", "utf-32"),
];

#[cfg(unix)]
#[test]
fn a_file_with_the_mark_of_another_encoding_is_a_finding_with_its_repair() {
    let dir = Dir::new();
    for (name, bytes, looks_like, option) in MARKED {
        dir.write(&format!("{name}/it's one"), bytes);
        let (status, out, err) = dir.run(&["--check", "-r", name]);
        let mark = if option == "utf-16" { &bytes[..2] } else { &bytes[..4] };
        let hex: Vec<_> = mark.iter().map(|byte| format!("{byte:02X}")).collect();
        let expected = format!(
            "{name}/it's one:1:1: error[other-encoding]: {} at byte 0 (0x0): the text looks like {looks_like} with a \
             byte order mark",
            hex.join(" ")
        );
        assert_eq!((status, out.lines().next()), (1, Some(&expected[..])), "{err}");
        assert!(!err.contains("skipped"), "{err}");
        assert!(err.contains(&format!(": to convert it: oxiconv -f {option} -i.bak \"")), "{err}");
        assert!(!err.contains("looks like"), "the finding says that: {err}");
        // Standard input has the same finding.
        let output = oxiconv().arg("--check").write_stdin(bytes).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(err.ends_with(&format!(" (try -f {option})\n")), "{err}");
        let file = format!("{name}/it's one");
        assert_eq!(dir.run(&["-f", option, "-i", &file]).0, 0);
        assert_eq!(dir.run(&["--check", "-r", name]), (0, String::new(), String::new()));
    }
}

#[test]
fn a_mark_is_a_finding_in_every_encoding_that_does_not_read_it() {
    let dir = Dir::new();
    dir.write("d/a", MARKED[0].1);
    for from in ["windows-1252", "us-ascii", "utf-16be", "utf-32"] {
        let (status, out, err) = dir.run(&["--check", "-r", "-f", from, "d"]);
        assert_eq!(status, 1, "{from}: {out}{err}");
        assert!(out.starts_with("d/a:1:1: error[other-encoding]: FF FE at byte 0"), "{out}");
        assert!(err.contains(": to convert it: oxiconv -f utf-16 -i.bak d/a\n"), "{err}");
    }
    for from in ["utf-16", "utf-16le", "auto"] {
        assert_eq!(dir.run(&["--check", "-r", "-f", from, "d"]).0, 0, "{from}");
    }
}

/// A binary file may happen to begin with FF FE. The mark counts only if well-formed text without control codes
/// follows.
#[test]
fn a_mark_before_what_is_no_text_is_a_sign_of_nothing() {
    let dir = Dir::new();
    // An unpaired surrogate, and controls.
    dir.write("d/1", b"\xFF\xFE\0\xD8\0\0");
    dir.write("d/2", b"\xFF\xFE\x01\0\x02\0");
    let (status, out, err) = dir.run(&["--check", "-r", "d"]);
    assert_eq!((status, &out[..]), (0, ""));
    assert!(err.contains("2 binary files skipped"), "{err}");
    let (_, out, _) = dir.run(&["--check", "d/1"]);
    assert!(!out.contains("other-encoding"), "{out}");
}

#[test]
fn every_format_for_machines_has_the_finding_and_its_repair() {
    let dir = Dir::new();
    dir.write("d/a b", MARKED[0].1);
    for (format, kind) in [
        ("json", r#""kind":"other-encoding""#),
        ("sarif", r#""ruleId":"other-encoding""#),
        ("github", "title=oxiconv other-encoding"),
    ] {
        let (status, out, _) = dir.run(&["--check", "--format", format, "-r", "d"]);
        assert_eq!(status, 1, "{format}");
        assert!(out.contains(kind), "{out}");
        let repair =
            if format == "github" { "(try -f utf-16)" } else { "oxiconv -f utf-16 'd/a b'" };
        assert!(out.contains(repair), "{out}");
    }
}

#[test]
fn a_conversion_that_a_mark_contradicts_is_refused_and_the_other_files_go_on() {
    for place in [&["-i"][..], &["-i.bak"], &["-O", "out"]] {
        // Files given by name or found below a directory. The mark is ill-formed in UTF-8, but may be replaced or
        // dropped there, and windows-1252 decodes it.
        for (files, options) in [
            (&["-r", "d"][..], &[][..]),
            (&["-r", "d"], &["-e", "replace"]),
            (&["-r", "d"], &["-f", "windows-1252"]),
            (&["d/a b", "d/z"], &["-f", "windows-1252"]),
            (&["d/a b", "d/z"], &["-c"]),
        ] {
            let dir = Dir::new();
            dir.write("d/a b", MARKED[0].1);
            dir.write("d/z", b"text");
            let args = [options, &["-t", "utf-16be"], place, files].concat();
            let (status, out, err) = dir.run(&args);
            assert_eq!((status, &out[..]), (1, ""), "{args:?} {err}");
            let place = place.join(" ");
            // Strict, a conversion from UTF-8 would stop at the mark.
            let force = if options.is_empty() { "" } else { "; --force converts it anyway" };
            let expected = format!(
                "oxiconv: d/a b: not converted: it looks like UTF-16LE with a byte order mark (to convert it: oxiconv -f \
                 utf-16 -t utf-16be {place} 'd/a b'{force})\noxiconv: 1 written, 1 refused\n"
            );
            assert_eq!(err, expected, "{args:?}");
            assert_eq!(dir.read("d/a b"), MARKED[0].1);
            assert!(!dir.path("d/a b.bak").exists() && !dir.path("out/d/a b").exists());
            let z = if place.starts_with("-O") { "out/d/z" } else { "d/z" };
            assert_eq!(dir.read(z), b"\0t\0e\0x\0t");
        }
    }
}

#[test]
fn force_converts_what_a_mark_contradicts() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\xFEA\0");
    assert_eq!(dir.run(&["-f", "latin1", "-i", "--force", "a"]).0, 0);
    assert_eq!(dir.read("a"), b"\xC3\xBF\xC3\xBEA\0");
    let of_force = "--force requires --in-place, --output-dir or --output, or --from auto";
    let of_if_invalid = "--if-invalid requires --in-place or --output-dir";
    for (args, cause) in [
        (&["--force", "a"][..], of_force),
        (&["--check", "--force", "a"], of_force),
        (&["--if-invalid", "a"], of_if_invalid),
    ] {
        let (status, _, err) = dir.run(args);
        assert_eq!(status, 2, "{args:?}");
        assert!(err.contains(cause), "{err}");
    }
}

const LATIN1: &[u8] = b"caf\xE9\n";
const UTF8: &[u8] = "café\n".as_bytes();

/// After the first run the file is UTF-8, which is also well-formed in many double-byte encodings, as ideographs or
/// half-width kana. A second run must not convert it again.
#[test]
fn a_conversion_in_place_is_not_done_twice() {
    for (from, text) in [
        ("utf-16", "a list of even length\n"),
        ("utf-16le", "naïve, of even length\n"),
        ("ucs-2be", "0123456789\n\n"),
        ("cp932", "日本語テキスト\n"),
        ("gb18030", "中文\n"),
        ("big5", "中文。\n"),
    ] {
        let dir = Dir::new();
        let (_, encoded, _) = crate::common::run(&["-t", from], text.as_bytes());
        dir.write("f", &encoded);
        assert_eq!(dir.run(&["-q", "-f", from, "-i", "f"]).0, 0, "{from}");
        assert_eq!(dir.read("f"), text.as_bytes(), "{from}");
        let (status, _, err) = dir.run(&["-f", from, "-i", "f"]);
        let words = "oxiconv: f: not converted: already valid UTF-8";
        assert!(status == 1 && err.starts_with(words), "{from}: {err}");
        assert_eq!(dir.read("f"), text.as_bytes(), "{from}");
    }
    // The reverse: UTF-16 that is well-formed UTF-8 by chance is converted. The control code gives it away: U+4E01 is
    // 4E 01.
    let dir = Dir::new();
    dir.write("f", b"\x4E\x2D\x4E\x01");
    assert_eq!(dir.run(&["-q", "-f", "utf-16be", "-i", "f"]).0, 0);
    assert_eq!(dir.read("f"), "中丁".as_bytes());
}

/// A second run must recognize the output of the first, of which it compares samples. Two kinds of output were once
/// written twice. UTF-7 and its like have no line at which they start over, so a sample was compared as if the text
/// ended there. In LMBCS a line feed may be half of a letter, so the samples could not be lines.
#[test]
fn long_output_in_place_is_not_written_twice() {
    let russian = "Все люди рождаются свободными и равными. ".repeat(20);
    let greek = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι. ".repeat(20);
    for (target, text) in [
        ("utf-7", &russian[..]),
        ("utf-7-imap", &greek),
        ("iso-2022-kr", &russian),
        ("lmbcs-1", &"ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ\n".repeat(20)),
        ("lmbcs-1", &"Oyina kutekawo erinnya lya ebikwatako, enziriŷaŷana.\n".repeat(20)),
    ] {
        let dir = Dir::new();
        dir.write("f", text.as_bytes());
        let (status, _, err) = dir.run(&["-t", target, "-i", "f"]);
        assert_eq!(status, 0, "{target}: {err}");
        let once = dir.read("f");
        assert_ne!(once, text.as_bytes(), "{target}");
        let (status, _, err) = dir.run(&["-t", target, "-i", "f"]);
        assert!(
            status == 1 && err.starts_with("oxiconv: f: not converted: already "),
            "{target}: {err}"
        );
        assert_eq!(dir.read("f"), once, "{target}");
    }
}

#[cfg(unix)]
#[test]
fn utf8_is_not_encoded_twice_in_place() {
    for options in [&["-i"][..], &["-i.bak"], &["-i", "-r"]] {
        let dir = Dir::new();
        dir.write("d/1", LATIN1);
        let utf8 = dir.write("d/2.csv", UTF8);
        dir.write("d/3", b"plain");
        dir.write("d/4", LATIN1);
        let files: &[&str] =
            if options.contains(&"-r") { &["d"] } else { &["d/1", "d/2.csv", "d/3", "d/4"] };
        let before = fs::metadata(&utf8).unwrap();
        let (status, out, err) = dir.run(&[&["-f", "cp1252"], options, files].concat());
        assert_eq!((status, &out[..]), (1, ""));
        assert_eq!(
            err,
            "oxiconv: d/2.csv: not converted: already valid UTF-8, but -f says windows-1252 (--force converts it \
             anyway)\noxiconv: 2 written, 1 unchanged, 1 refused\n"
        );
        let after = fs::metadata(&utf8).unwrap();
        assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
        assert_eq!(dir.read("d/2.csv"), UTF8);
        assert!(!dir.path("d/2.csv.bak").exists());
        assert_eq!(
            (dir.read("d/1"), dir.read("d/3"), dir.read("d/4")),
            (UTF8.to_vec(), b"plain".to_vec(), UTF8.to_vec())
        );
        assert_eq!(dir.run(&[&["-f", "cp1252"], options, files].concat()).0, 1);
        assert_eq!((dir.read("d/1"), dir.read("d/4")), (UTF8.to_vec(), UTF8.to_vec()));
        assert_eq!(dir.run(&["-f", "cp1252", "-i", "--force", "d/2.csv"]).0, 0);
        assert_eq!(dir.read("d/2.csv"), "cafÃ©\n".as_bytes());
    }
}

#[test]
fn utf8_is_refused_only_where_an_original_would_be_lost() {
    let dir = Dir::new();
    // The only non-ASCII character is at the end of a long file, so its start says nothing.
    dir.write("a", &[&b"x".repeat(600_000), UTF8].concat());
    let twice = [&b"x".repeat(600_000), "cafÃ©\n".as_bytes()].concat();
    assert_eq!(dir.run(&["-f", "cp1252", "-O", "out", "a"]).0, 0);
    assert_eq!(dir.read("out/a"), twice);
    assert_eq!(dir.run(&["-f", "cp1252", "-o", "b", "a"]).0, 0);
    assert_eq!(dir.read("b"), twice);
    assert_eq!(dir.run(&["-f", "cp1252", "--dry-run", "-i", "a"]).0, 1);
    assert_eq!(dir.run(&["-f", "cp1252", "-i", "a"]).0, 1);
    // US-ASCII needs no such check: the first non-ASCII byte is ill-formed.
    assert_eq!(dir.run(&["-f", "us-ascii", "-i", "a"]).0, 1);
    let (_, _, err) = dir.run(&["-f", "us-ascii", "-i", "a"]);
    assert!(err.contains("error[invalid-byte]"), "{err}");
    // One stray byte at the end, and the file is not UTF-8.
    dir.write("c", b"\xC3\xA9\xE9");
    assert_eq!(dir.run(&["-f", "latin1", "-i", "c"]), (0, String::new(), String::new()));
    assert_eq!(dir.read("c"), "Ã©é".as_bytes());
}

#[test]
fn a_refused_file_is_an_event_for_machines_and_silence_keeps_the_status() {
    let dir = Dir::new();
    dir.write("a", UTF8);
    let run = |more: &[&str]| dir.run(&[&["-f", "cp1252", "-i", "a"], more].concat());
    let (status, _, err) = run(&["--format", "json"]);
    assert_eq!(status, 1);
    let events: Vec<serde_json::Value> =
        err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[1]["type"], "refused");
    assert_eq!(events[1]["path"]["text"], "a");
    assert_eq!((&events[2]["refused"], &events[2]["exit_status"]), (&1.into(), &1.into()));
    let (status, _, err) = run(&["--format", "github"]);
    assert_eq!(status, 1);
    assert!(err.starts_with("::error file=a,title=oxiconv refused::not converted: "), "{err}");
    let (status, _, err) = run(&["--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&err).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!((status, &invocation["exitCode"]), (1, &1.into()));
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    assert!(run(&["-q"]).2.contains("not converted"));
    assert_eq!(run(&["-s"]), (1, String::new(), String::new()));
}

#[cfg(unix)]
#[test]
fn if_invalid_converts_what_is_not_valid_in_the_target() {
    let dir = Dir::new();
    dir.write("d/latin1", LATIN1);
    let utf8 = dir.write("d/utf8", UTF8);
    dir.write("d/ascii", b"plain");
    let before = fs::metadata(&utf8).unwrap();
    let args = ["-f", "cp1252", "-i.bak", "--if-invalid", "-r", "d"];
    let (status, out, err) = dir.run(&args);
    assert_eq!((status, &out[..]), (0, ""), "{err}");
    assert_eq!(err, "oxiconv: 1 written, 2 unchanged\n");
    assert_eq!((dir.read("d/latin1"), dir.read("d/utf8")), (UTF8.to_vec(), UTF8.to_vec()));
    assert!(dir.path("d/latin1.bak").exists() && !dir.path("d/utf8.bak").exists());
    let after = fs::metadata(&utf8).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    let (_, _, err) = dir.run(&["-f", "cp1252", "-i", "--if-invalid", "-v", "d/utf8"]);
    assert_eq!(
        err,
        "oxiconv: d/utf8: unchanged: already valid in the target encoding\n\
         oxiconv: left 1 file unchanged: already valid UTF-8\n"
    );
    assert_eq!(dir.run(&["-f", "cp1252", "-i", "--if-invalid", "-q", "d/utf8"]).2, "");
    let (_, _, err) =
        dir.run(&["-f", "cp1252", "-i", "--if-invalid", "--format", "json", "d/utf8"]);
    assert!(err.lines().last().unwrap().contains(r#""left_alone":1,"#), "{err}");
}

/// An output directory is complete, so valid files are copied into it unchanged.
#[test]
fn if_invalid_copies_what_is_valid_into_a_directory() {
    let dir = Dir::new();
    dir.write("d/latin1", LATIN1);
    dir.write("d/utf8", &[b"\xEF\xBB\xBF", UTF8].concat());
    let args = ["-f", "cp1252", "--if-invalid", "-O", "out", "-r", "d"];
    let (status, _, err) = dir.run(&[&args[..], &["--dry-run"]].concat());
    assert_eq!(status, 0);
    assert!(err.contains("out/d/utf8: would be copied unchanged\n"), "{err}");
    assert!(!dir.path("out").exists());
    assert!(err.ends_with("oxiconv: 1 would be written, 1 copied unchanged\n"), "{err}");
    let (status, _, err) = dir.run(&args);
    assert_eq!((status, &err[..]), (0, "oxiconv: 1 written, 1 copied unchanged\n"));
    assert_eq!(dir.read("out/d/latin1"), UTF8);
    assert_eq!(dir.read("out/d/utf8"), [b"\xEF\xBB\xBF", UTF8].concat());
}

#[test]
fn if_invalid_is_refused_where_it_could_not_tell() {
    let dir = Dir::new();
    dir.write("a", UTF8);
    // Validity in these encodings proves nothing: single-byte encodings accept nearly any bytes, UTF-8 is often
    // well-formed in multi-byte encodings, and UCS-2 is written without a byte order mark.
    for to in [
        "windows-1252",
        "latin1",
        "koi8-r",
        "utf-16le",
        "scsu",
        "gb18030",
        "gbk",
        "big5",
        "cp932",
        "euc-jp",
        "cp949",
        "ucs-2",
        "ucs-4",
    ] {
        let (status, _, err) = dir.run(&["-t", to, "-i", "--if-invalid", "a"]);
        assert_eq!(status, 2, "{to}");
        assert!(err.contains("nearly every text is valid in it"), "{err}");
    }
    let (status, ..) = dir.run(&["-t", "utf-16", "--bom", "strip", "-i", "--if-invalid", "a"]);
    assert_eq!((status, dir.read("a")), (2, UTF8.to_vec()));
    // US-ASCII rejects half of all bytes, and UTF-16 is written with a byte order mark.
    assert_eq!(dir.run(&["-t", "ascii//TRANSLIT", "-i", "--if-invalid", "a"]).0, 0);
    assert_eq!(dir.read("a"), b"cafe\n");
    dir.write("b", b"ab");
    dir.write("c", b"\xFE\xFF\0c");
    assert_eq!(dir.run(&["-t", "utf-16", "-i", "--if-invalid", "b", "c"]).0, 0);
    assert_eq!(
        (dir.read("b"), dir.read("c")),
        (b"\xFF\xFEa\0b\0".to_vec(), b"\xFE\xFF\0c".to_vec())
    );
    // ASCII text in UTF-16 without a mark is well-formed UTF-8. Its zero bytes give it away.
    dir.write("w", b"o\0k\0");
    assert_eq!(dir.run(&["-f", "utf-16le", "-i", "--if-invalid", "w"]).0, 0);
    assert_eq!(dir.read("w"), b"ok");
}

/// Not even the timestamps change, and no temporary file is created in the directory.
#[cfg(unix)]
#[test]
fn a_file_of_which_no_byte_changes_is_left_alone() {
    let long = "a line of text, über alles\n".repeat(60_000);
    for (options, bytes) in [
        (&[][..], &b"plain\n"[..]),
        (&["-f", "windows-1252"], b"plain\n"),
        (&["-f", "windows-1252", "--force"], b"plain\n"),
        (&[], b""),
        (&[], long.as_bytes()),
        (&["--fallback", "windows-1252"], long.as_bytes()),
        (&["-f", "utf-16", "-t", "utf-16"], b"\xFF\xFEa\0"),
        (&["-f", "latin1", "-t", "latin1"], b"caf\xE9"),
        (&["-j", "1"], long.as_bytes()),
    ] {
        let dir = Dir::new();
        let path = dir.write("d/f", bytes);
        let before = fs::metadata(&path).unwrap();
        let directory = fs::metadata(dir.path("d")).unwrap();
        for place in [&["-i"][..], &["-i.bak"], &["-i", "--dry-run"]] {
            let args = [options, place, &["d/f"]].concat();
            assert_eq!(dir.run(&args), (0, String::new(), String::new()), "{args:?}");
        }
        let after = fs::metadata(&path).unwrap();
        let stamp =
            |file: &fs::Metadata| (file.ino(), file.mtime(), file.mtime_nsec(), file.ctime_nsec());
        assert_eq!(stamp(&before), stamp(&after), "{options:?}");
        assert_eq!(dir.read("d/f"), bytes);
        assert_eq!(fs::read_dir(dir.path("d")).unwrap().count(), 1);
        if bytes.len() < 1000 {
            // Up to 256 KiB of output are buffered. Only a longer one needs a temporary file before it is known to be
            // the same.
            assert_eq!(directory.mtime_nsec(), fs::metadata(dir.path("d")).unwrap().mtime_nsec());
        }
        let (status, _, err) = dir.run(&[options, &["-i", "-v", "d/f"]].concat());
        assert_eq!(status, 0);
        assert!(err.ends_with("oxiconv: d/f: unchanged: no byte would change\n"), "{err}");
    }
}

#[test]
fn a_file_of_which_one_byte_changes_is_written() {
    // The change is at the end of a long file, or the result is a prefix or a suffix of the original.
    for (options, bytes, expected) in [
        (
            &["-f", "latin1"][..],
            [&b"x".repeat(700_000)[..], b"\xE9"].concat(),
            [&b"x".repeat(700_000)[..], "é".as_bytes()].concat(),
        ),
        (&["-e", "skip"], b"text\xFF".to_vec(), b"text".to_vec()),
        (&["--bom", "strip"], b"\xEF\xBB\xBFtext".to_vec(), b"text".to_vec()),
    ] {
        let dir = Dir::new();
        dir.write("f", &bytes);
        let (_, _, err) = dir.run(&[options, &["-i", "--dry-run", "f"]].concat());
        assert!(err.ends_with("oxiconv: f: would be written\n"), "{err}");
        assert_eq!(dir.read("f"), bytes);
        dir.run(&[options, &["-i.bak", "f"]].concat());
        assert_eq!((dir.read("f"), dir.read("f.bak")), (expected, bytes), "{options:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_and_does_not_change_is_no_error() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        skipped("root may write every file");
        return;
    }
    let dir = Dir::new();
    let path = dir.write("d/f", b"plain");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(dir.path("d"), fs::Permissions::from_mode(0o555)).unwrap();
    let result = dir.run(&["-i", "d/f"]);
    fs::set_permissions(dir.path("d"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(result, (0, String::new(), String::new()));
}

/// The mark is ill-formed in UTF-8 and well-formed in windows-1252. `--explain` counts it as a finding in both, and
/// exits with 1.
#[test]
fn a_mark_of_another_encoding_is_explained() {
    let dir = Dir::new();
    dir.write("d/a", MARKED[0].1);
    for from in ["utf-8", "windows-1252", "utf-16be"] {
        let (status, out, err) = dir.run(&["--explain", "-r", "-f", from, "d"]);
        assert_eq!(status, 1, "{from}: {out}{err}");
        assert!(out.contains("oxiconv -f utf-16 -i.bak d/a"), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn the_names_of_files_with_findings_are_printed_alone() {
    let dir = Dir::new();
    dir.write("bad", b"\xFF\n\xFE\n");
    dir.write("good", b"fine\n");
    dir.write("two\nlines", b"\xFF\n");
    dir.write("bom", b"\xEF\xBB\xBFfine\n");
    let names = |args: &[&str]| dir.run(&[&["--files-with-findings"], args].concat());
    let silent = |status, out: &str| (status, out.to_owned(), String::new());
    assert_eq!(names(&["good", "bad", "bom"]), silent(1, "bad\n"));
    assert_eq!(names(&["good"]), silent(0, ""));
    assert_eq!(names(&["bad", "--check", "-j1"]), silent(1, "bad\n"));
    assert_eq!(names(&["--null", "two\nlines", "bad"]), silent(1, "two\nlines\0bad\0"));
    assert_eq!(names(&["-0", "--bom", "forbid", "bom", "good"]), silent(1, "bom\0"));
    assert_eq!(names(&["-t", "us-ascii", "--deny", "mixed-newlines", "bad"]), silent(1, "bad\n"));
    assert_eq!(names(&["-s", "bad"]), silent(1, ""));
    // A file that cannot be read is an error, and its name is not printed.
    let (status, out, err) = names(&["bad", "missing"]);
    assert_eq!((status, &out[..]), (2, "bad\n"));
    assert!(err.starts_with("oxiconv: missing: "), "{err}");
    // Standard input has a name too. A note alone does not get the file listed.
    let stdin = |options: &[&str], input: &'static [u8]| {
        let args = [&["--files-with-findings"], options].concat();
        let output = oxiconv().args(args).write_stdin(input).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(stdin(&[], b"a\xFF"), (1, "(standard input)\n".to_owned()));
    assert_eq!(stdin(&["-v"], "a\u{FEFF}b".as_bytes()), (0, String::new()));
    for others in [&["--format", "json"][..], &["--explain"], &["-i"], &["--stats"], &["-c"]] {
        let (status, _, err) = names(&[others, &["bad"]].concat());
        assert_eq!(status, 2, "{others:?}");
        assert!(err.contains("cannot be "), "{err}");
    }
    let (status, _, err) = dir.run(&["--check", "-0", "bad"]);
    assert_eq!((status, &err[..]), (2, "oxiconv: --null requires --files-with-findings\n"));
}

/// The name is printed at the first finding. Waiting for the rest would hang here, because the pipe stays open.
#[test]
fn a_file_is_read_up_to_its_first_finding_for_its_name() {
    use std::io::Write;
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .arg("--files-with-findings")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"bad \xFF and more\n").unwrap();
    let status = child.wait().unwrap();
    drop(input);
    assert_eq!(status.code(), Some(1));
}

/// A file is listed only for findings that the rules of the repository leave as errors, not for those that are off or
/// notes.
#[test]
fn the_names_of_files_follow_the_severities_of_the_repository() {
    let dir = Dir::new();
    dir.write("oxiconv.toml", b"[[rule]]\nseverity = { invalid-byte = \"off\", nul = \"note\" }\n");
    dir.write("off", b"\xFF\n");
    dir.write("note", b"\0\n");
    dir.write("later", b"\xFF\n\0\n\xE2\x82x\n");
    let files = ["--files-with-findings", "--deny", "nul", "off", "note", "later"];
    assert_eq!(dir.run(&files), (1, "later\n".to_owned(), String::new()));
    assert_eq!(dir.run(&files[..5]), (0, String::new(), String::new()));
}
