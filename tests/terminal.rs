//! Output to a terminal. No input may move the cursor, or hide or reverse text, and each error starts on a new line.

#[cfg(unix)]
use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Read;
#[cfg(unix)]
use std::os::fd::OwnedFd;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::process::{Command, Stdio};

use crate::common::oxiconv;

/// Characters that hide, move or reverse text, and their escapes.
const UNPRINTABLE: [(&str, &str); 10] = [
    ("\x1B]0;x\x07", "\\u{1b}]0;x\\u{7}"),
    ("\n", "\\u{a}"),
    ("\u{9B}31m", "\\u{9b}31m"),
    ("\u{AD}", "\\u{ad}"),
    ("\u{200B}", "\\u{200b}"),
    ("\u{2028}", "\\u{2028}"),
    ("\u{2029}", "\\u{2029}"),
    ("\u{202E}", "\\u{202e}"),
    ("\u{E0041}", "\\u{e0041}"),
    ("\u{FE0F}", "\\u{fe0f}"),
];

fn is_clean(text: &str) -> bool {
    UNPRINTABLE[..1].iter().chain(&UNPRINTABLE[2..]).all(|(raw, _)| !text.contains(raw))
}

/// With `oxiconv --check *`, the name of a file may be parsed as an option and so end up in an error message.
#[cfg(unix)]
#[test]
fn names_in_errors_of_usage_are_escaped() {
    for (raw, escape) in UNPRINTABLE {
        for word in [format!("--{raw}"), format!("--errors={raw}"), format!("--from={raw}")] {
            let output = oxiconv().args(["--check", &word]).write_stdin("").output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{word:?}");
            assert!(output.stdout.is_empty(), "{word:?}");
            assert!(text.starts_with("oxiconv: "), "{text:?}");
            assert!(text.contains(escape), "{word:?}: {text:?}");
            assert!(is_clean(&text), "{word:?}: {text:?}");
            assert!(text.contains("--help"), "{text:?}");
        }
    }
    // clap itself replaces bytes that are not UTF-8.
    let word = OsStr::from_bytes(b"--caf\xE9\x1B[2J");
    let output = oxiconv().args([OsStr::new("--check"), word]).write_stdin("").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(is_clean(&text) && !text.contains('\x1B'), "{text:?}");
    // --help and --version still print to standard output.
    for word in ["--help", "--version"] {
        let output = oxiconv().arg(word).arg("\x1B").output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{word}");
        assert!(!output.stdout.is_empty());
    }
}

/// Escapes apply to file names in every report, and to the text in a picture of --explain.
///
/// Escapes are wider than the character, so the mark below must move right with them.
#[cfg(unix)]
#[test]
fn names_and_text_in_reports_are_escaped() {
    for (raw, escape) in UNPRINTABLE {
        let dir = tempfile::tempdir().unwrap();
        let name = format!("a{raw}b");
        fs::write(dir.path().join(&name), b"ok\n\xFF\n").unwrap();
        for options in [&["--check"][..], &["--explain"], &["--check", "--format=github"]] {
            let mut command = oxiconv();
            let output = command.current_dir(dir.path()).args(options).arg(&name).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name:?}");
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(is_clean(&text), "{options:?}: {text:?}");
        }
        for format in ["--format=json", "--format=sarif"] {
            let mut command = oxiconv();
            let args = ["--check", format, &name];
            let output = command.current_dir(dir.path()).args(args).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(is_clean(&text), "{format}: {text:?}");
        }
        let missing = format!("no{raw}file");
        let output = oxiconv().current_dir(dir.path()).arg(&missing).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("no{escape}file")) && is_clean(&text), "{text:?}");
        if raw == "\n" {
            continue;
        }
        let input = [raw.as_bytes(), b"\xFF"].concat();
        let output = oxiconv().arg("--explain").write_stdin(input).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(is_clean(&text), "{text:?}");
        let lines: Vec<_> = text.lines().skip(2).take(2).collect();
        assert_eq!(lines[0], format!("  1 | {escape}<FF>"));
        assert_eq!(lines[1], format!("    | {}^^^^", " ".repeat(escape.len())));
    }
}

/// Runs the program and returns what a terminal shows. `streams` connects it to standard output and standard error.
#[cfg(unix)]
fn on_terminal(args: &[&str], input: &[u8], streams: [bool; 2]) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let controller: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let path = std::path::Path::new(OsStr::from_bytes(name.as_bytes()));
    let terminal = File::options().read(true).write(true).open(path).unwrap();
    let stream = |on_it: bool| {
        if on_it { Stdio::from(terminal.try_clone().unwrap()) } else { Stdio::null() }
    };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("input");
    fs::write(&file, input).unwrap();
    let status = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(args)
        .env("NO_COLOR", "1")
        .stdin(File::open(file).unwrap())
        .stdout(stream(streams[0]))
        .stderr(stream(streams[1]))
        .status()
        .unwrap();
    assert!(status.code().is_some());
    drop(terminal);
    // The whole output fits into the terminal's buffer. Reading fails once nothing has the terminal open any more.
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    let mut controller = File::from(controller);
    while let Ok(len @ 1..) = controller.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..len]);
    }
    String::from_utf8_lossy(&shown).replace("\r\n", "\n").replace('\0', "")
}

#[cfg(unix)]
#[test]
fn an_error_begins_on_a_line_of_its_own() {
    let error =
        "(standard input):1:4: error[invalid-byte]: FF at byte 3 (0x3): FF never occurs in UTF-8\n";
    let second = error.replace(":1:4:", ":2:1:").replace("byte 3 (0x3)", "byte 4 (0x4)");
    let both = [true, true];
    assert_eq!(on_terminal(&["-q"], b"abc\xFF", both), format!("abc\n{error}"));
    assert_eq!(on_terminal(&["-q"], b"abc\n\xFF", both), format!("abc\n{second}"));
    let utf_16 = &["-q", "-t", "utf-16le"];
    assert_eq!(on_terminal(utf_16, b"abc\xFF", both), format!("abc\n{error}"));
    assert_eq!(on_terminal(utf_16, b"abc\n\xFF", both), format!("abc\n{second}"));
    // Without text before it, there is no line to end. A message with only counts starts on a new line too.
    let first = on_terminal(&[], b"\xFF", both);
    assert!(first.starts_with("(standard input):1:1: error"), "{first:?}");
    let count = on_terminal(&["-e", "replace"], b"abc\xFFd", both);
    assert!(count.starts_with("abc\u{FFFD}d\noxiconv: (standard input): 1 "), "{count:?}");
    // If only one stream is the terminal, no line feed is added.
    assert_eq!(on_terminal(&["-q"], b"abc\xFF", [true, false]), "abc");
    assert_eq!(on_terminal(&["-q"], b"abc\xFF", [false, true]), error);
    // Text without findings is shown unchanged.
    assert_eq!(on_terminal(&[], b"abc", both), "abc");
}

/// Progress is a single line. It shows a percentage only once the total size of all files is known.
#[cfg(unix)]
#[test]
fn progress_says_what_is_known() {
    let own = ["Cargo.toml", "README.md"];
    let args = ["--check", "-q", "--progress", "always"];
    let stderr = [false, true];
    let list = format!("{}\0{}\0", own[0], own[1]);
    let searched =
        on_terminal(&[&args[..], &["--files0-from", "-"]].concat(), list.as_bytes(), stderr);
    assert!(searched.contains(" files ") && !searched.contains('%'), "{searched:?}");
    let named = on_terminal(&[&args[..], &own].concat(), b"", stderr);
    assert!(named.contains(" files ") && named.contains('%'), "{named:?}");
    assert!(named.contains("KREADME.md            "), "{named:?}");
    // The columns stay in place while the numbers grow.
    let frames = named.split('\r').map(|frame| frame.trim_start_matches("\x1b[2K"));
    let mut columns: Vec<_> =
        frames.filter_map(|frame| Some(frame[..frame.find(" ETA ")?].chars().count())).collect();
    assert!(columns.len() > 1, "{named:?}");
    columns.dedup();
    assert_eq!(columns.len(), 1, "{named:?}");
    let one = on_terminal(&[&args[..], &own[..1]].concat(), b"", stderr);
    assert!(!one.contains(" file") && one.contains('%'), "{one:?}");
    for shown in [searched, named, one] {
        assert!(!shown.contains('\n'), "{shown:?}");
    }
}

/// A terminal shows which encoding was detected. In a script, standard error stays empty.
#[cfg(unix)]
#[test]
fn a_detected_encoding_is_shown_on_a_terminal() {
    let text = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?\n";
    let note = "oxiconv: (standard input): windows-1251 (99 %) \u{2192} UTF-8\n";
    assert_eq!(on_terminal(&["-f", "auto"], text, [false, true]), note);
    assert_eq!(on_terminal(&["-f", "auto", "-q"], text, [false, true]), "");
    assert_eq!(on_terminal(&["-f", "windows-1251"], text, [false, true]), "");
    assert_eq!(on_terminal(&["-f", "auto"], text, [true, false]), "Привет, как дела?\n");
    let piped = oxiconv().args(["-f", "auto"]).write_stdin(&text[..]).output().unwrap();
    assert!(piped.stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn detected_encodings_are_in_columns_on_a_terminal() {
    let ascii = "ASCII only (also valid UTF-8)";
    let args = ["--detect", "LICENSE-MIT", "Cargo.lock"];
    let columns = format!("LICENSE-MIT: {ascii}  LF\nCargo.lock:  {ascii}  LF\n");
    assert_eq!(on_terminal(&args, b"", [true, false]), columns);
    let fields = format!("LICENSE-MIT: {ascii}, LF\nCargo.lock: {ascii}, LF\n");
    let piped = oxiconv().args(args).output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), fields);
}
