//! System calls and pages of memory: few to start, and few for each piece of a long file.

use crate::common::NO_CONFIG;
use crate::support::skipped;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const LEN: usize = 32 * 1024 * 1024;
/// The size of a piece, which is the unit of work of a thread.
const PIECE: usize = 512 * 1024;

/// Returns the system calls of these kinds that the program makes, by strace. Returns `None` without strace.
fn calls(kinds: &str, arguments: &[&str], file: &Path) -> Option<String> {
    let report = tempfile::NamedTempFile::new().unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-e", &format!("trace={kinds}"), "-o"])
        .arg(report.path())
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(arguments)
        .arg(file)
        .env("XDG_CONFIG_HOME", NO_CONFIG)
        .stdout(Stdio::null())
        .status();
    let Ok(status) = traced else {
        skipped("system calls cannot be watched here (needs strace)");
        return None;
    };
    assert!(status.success());
    Some(std::fs::read_to_string(report.path()).unwrap())
}

/// Nothing else may be opened, except for the cache of the dynamic linker.
#[test]
#[cfg(target_env = "gnu")]
fn a_start_opens_the_c_library_and_the_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"caf\xE9\n").unwrap();
    let Some(calls) = calls("open,openat", &["-f", "latin1", "-t", "utf-16"], file.path()) else {
        return;
    };
    let opened: Vec<_> = calls.lines().filter_map(|line| line.split('"').nth(1)).collect();
    let name = file.path().to_str().unwrap();
    let others =
        |path: &&str| *path != name && !path.contains("/libc.so.") && *path != "/etc/ld.so.cache";
    // Without link-time optimization, as in tests, the program may be linked to libgcc_s as well.
    let others: Vec<_> =
        opened.into_iter().filter(others).filter(|path| !path.contains("/libgcc_s.so.")).collect();
    assert_eq!(others, [""; 0], "{calls}");
}

/// Whether there are defaults is asked once for each directory, and once for the file of the user.
#[test]
fn a_start_looks_for_defaults_with_a_call_per_directory() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let looked_for = |arguments: &[&str]| {
        let calls = calls("%file", arguments, file.path())?;
        Some(calls.lines().filter(|line| line.contains("oxiconv.toml")).count())
    };
    let here = std::env::current_dir().unwrap();
    let Some(count) = looked_for(&["-f", "latin1"]) else { return };
    assert_eq!(count, here.ancestors().count() + 1);
    assert_eq!(looked_for(&["-f", "latin1", "--no-config"]), Some(0));
}

#[test]
fn a_piece_is_examined_once() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&"я пишу, ".repeat(LEN / 13).into_bytes()).unwrap();
    let kinds = "statx,fstat";
    let Some(calls) = calls(kinds, &["--check", "-j2", "-f", "UTF-8"], file.path()) else { return };
    let examined = calls.lines().filter(|line| line.contains("stat")).count();
    let pieces = LEN / PIECE;
    // 40 allows for the calls at the start of the program.
    assert!(examined <= pieces + 40, "{examined} for {pieces} pieces");
}

/// Returns the number of pages of memory that the program touches while it converts a file: its minor page faults.
fn pages(from: &str, to: &str, input: &Path, output: &Path) -> u64 {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["-f", from, "-t", to])
        .stdin(File::open(input).unwrap())
        .stdout(File::create(output).unwrap())
        .spawn()
        .unwrap();
    // The counters of a zombie are final, and can be read until the process is waited for.
    let pages = loop {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        if fields[0] == "Z" {
            break fields[7].parse().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    assert!(child.wait().unwrap().success());
    pages
}

/// A table of all characters of a large charset has 32 to 100 pages, and takes longer to build than a line takes to
/// convert. So it must not be built for one line: at most 64 pages more than for ISO-8859-1 are allowed.
#[test]
fn a_line_is_converted_without_tables_of_a_whole_charset() {
    let dir = tempfile::tempdir().unwrap();
    let [text, written, back] = ["text", "written", "back"].map(|name| dir.path().join(name));
    let pages_of = |charset: &str, line: &str| {
        std::fs::write(&text, line).unwrap();
        let to = pages("UTF-8", charset, &text, &written);
        let from = pages(charset, "UTF-8", &written, &back);
        assert_eq!(std::fs::read_to_string(&back).unwrap(), line, "{charset}");
        [from, to]
    };
    let [from, to] = pages_of("ISO-8859-1", "é line\n");
    for charset in ["BIG5", "BIG5-HKSCS", "EUC-TW", "GB18030", "GBK"] {
        let [from_it, to_it] = pages_of(charset, "中文字 line\n");
        assert!(from_it < from + 64, "from {charset}: {from_it}, from ISO-8859-1 {from}");
        assert!(to_it < to + 64, "to {charset}: {to_it}, to ISO-8859-1 {to}");
    }
}
