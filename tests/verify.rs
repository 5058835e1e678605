//! `--verify`: a file is replaced only if the new one decodes to the characters that were meant to be written.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::system::write_at;

fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let output = crate::common::oxiconv().current_dir(dir).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Converts a long windows-1252 file in place, and corrupts the temporary file meanwhile, which nobody can on Windows.
/// Returns the status, the messages, and whether the original is unchanged; `None` if the corruption came too late.
#[cfg(unix)]
fn spoiled(option: &str) -> Option<(i32, String, bool)> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    let original = b"caf\xE9 au lait\n".repeat(2 << 20);
    fs::write(&path, &original).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .current_dir(dir.path())
        .args(["-f", "windows-1252", "-i", option, "f"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut done = false;
    while !done && child.try_wait().unwrap().is_none() {
        let temporary = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.file_name().unwrap().as_encoded_bytes().starts_with(b".oxiconv-"));
        // The start of the file is written by now, so the program does not overwrite the corrupt byte.
        let file = temporary.and_then(|path| File::options().write(true).open(path).ok());
        if let Some(file) = file.filter(|file| file.metadata().is_ok_and(|it| it.len() > 300_000)) {
            write_at(&file, b"X", 14 * 1000);
            done = true;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let output = child.wait_with_output().unwrap();
    let now = fs::read(&path).unwrap();
    let leftovers = fs::read_dir(dir.path()).unwrap().count() - 1;
    assert_eq!(leftovers, 0, "a temporary file was left behind");
    let untouched = now == original;
    let message = String::from_utf8(output.stderr).unwrap();
    done.then(|| (output.status.code().unwrap(), message, untouched))
}

/// Repeats an attempt that may come too late on a busy machine.
fn until_in_time<T>(attempt: impl Fn() -> Option<T>) -> T {
    (0..20).find_map(|_| attempt()).expect("all twenty attempts came too late")
}

#[cfg(unix)]
#[test]
fn a_result_that_was_spoiled_replaces_nothing_and_the_place_is_named() {
    let (status, message, untouched) = until_in_time(|| spoiled("--verify"));
    assert!(untouched, "{message}");
    assert_eq!(status, 2, "{message}");
    // The corrupt byte is at 14 * 1000. Each line has 13 characters and 14 bytes of UTF-8.
    let place = "at byte 14000 (0x36b0), character 13001 ";
    assert!(message.starts_with("oxiconv: f: not replaced: the file on disk differs"), "{message}");
    assert!(message.contains(place), "{message}");
}

#[cfg(unix)]
#[test]
fn it_is_the_default_in_place() {
    let (status, message, untouched) = until_in_time(|| spoiled("-q"));
    assert_eq!((status, untouched), (2, true), "{message}");
}

#[cfg(unix)]
#[test]
fn no_verify_replaces_without_a_look() {
    let (status, message, untouched) = until_in_time(|| spoiled("--no-verify"));
    assert_eq!((status, &message[..], untouched), (0, "", false));
}

/// One-way mappings, and characters that the target composes, are not differences.
#[test]
fn what_the_target_reads_back_as_another_character_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    for (to, text, written) in [
        ("cp932", "100¥ ‾\n", &b"100\x5C \x7E\n"[..]),
        ("windows-1258", "xa\u{301}y\n", b"xa\xECy\n"),
        ("utf-16", "é\n", b"\xFF\xFE\xE9\0\n\0"),
        ("utf-7", "é", b"+AOk-"),
        ("html", "a & é", b"a &amp; &#xE9;"),
    ] {
        let path = dir.path().join("f");
        fs::write(&path, text).unwrap();
        let ended = run(dir.path(), &["-t", to, "-i", "f"]);
        assert_eq!(ended, (0, String::new(), String::new()), "{to}");
        let now = fs::read(&path).unwrap();
        assert!(now == written || to == "html", "{to}: {now:X?}");
    }
    // glibc's table maps letters that IBM932 lacks to the control SUBSTITUTE, which would lose them.
    let path = dir.path().join("f");
    fs::write(&path, "clé").unwrap();
    let (status, _, err) = run(dir.path(), &["-t", "ibm932", "-i", "f"]);
    assert_eq!(status, 2, "{err}");
    assert!(
        err.contains(
            "U+00E9 (character 3) would be lost, because IBM932 writes it as a control code"
        ),
        "{err}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "clé");
    // C99 cannot represent text that looks like an escape. It would be read back as another character.
    let path = dir.path().join("f");
    fs::write(&path, "ab\\u00e9 é").unwrap();
    let (status, _, err) = run(dir.path(), &["-t", "c99", "-i", "f"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("at byte 2 (0x2), character 3 "), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "ab\\u00e9 é");
}

/// Byte order marks, replacements, escapes and characters of a fallback are part of the text to be written.
#[test]
fn remedies_are_a_part_of_what_is_compared() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    let input =
        [&b"\xEF\xBB\xBFcaf\xE9 \xE2\x82\xAC "[..], &"ж".repeat(1000).into_bytes()].concat();
    for args in [
        &["-e", "replace", "-t", "utf-16"][..],
        &["-e", "escape", "-t", "ascii"],
        &["-e", "skip", "-t", "latin1"],
        &["-e", "replace", "--unmappable", "xml", "-t", "utf-7"],
        &["--fallback", "windows-1252", "--bom", "strip"],
        &["-e", "replace", "--bom", "add", "-t", "utf-32be"],
        &["-e", "replace", "--unmappable", "translit", "-t", "koi8-r"],
    ] {
        fs::write(&path, &input).unwrap();
        let args = [args, &["-q", "--force", "-i", "f"]].concat();
        let (status, _, err) = run(dir.path(), &args);
        assert!(status < 2 && err.is_empty(), "{args:?}: {status} {err}");
        assert_ne!(fs::read(&path).unwrap(), input, "{args:?}");
    }
}

#[test]
fn it_goes_with_files_that_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), "é").unwrap();
    let requires = "--verify requires --in-place or --output-dir";
    let with_check =
        "--check cannot be combined with --verify, which requires --in-place or --output-dir";
    for (args, message) in [
        (&["--verify", "f"][..], requires),
        (&["--verify", "-o", "out", "f"], requires),
        (&["--check", "--verify", "f"], with_check),
    ] {
        let (status, _, err) = run(dir.path(), args);
        assert_eq!((status, err), (2, format!("oxiconv: {message}\n")), "{args:?}");
    }
    let (status, _, err) = run(dir.path(), &["--verify", "-t", "utf-16", "-O", "out", "f"]);
    assert_eq!((status, &err[..]), (0, ""));
    assert_eq!(fs::read(dir.path().join("out/f")).unwrap(), b"\xFF\xFE\xE9\0");
}
