//! What the program asks of the system: little to start, and little for each piece of a long file.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes of the file.
const LEN: usize = 32 * 1024 * 1024;
/// Bytes of a piece.
const PIECE: usize = 512 * 1024;

/// Returns the system calls of these kinds that the program makes with these arguments, if they can be watched here.
fn calls(kinds: &str, arguments: &[&str], file: &Path) -> Option<String> {
    let report = tempfile::NamedTempFile::new().unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-e", &format!("trace={kinds}"), "-o"])
        .arg(report.path())
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(arguments)
        .arg(file)
        .stdout(Stdio::null())
        .status();
    let Ok(status) = traced else {
        eprintln!("left out: system calls cannot be watched here (needs strace)");
        return None;
    };
    assert!(status.success());
    Some(std::fs::read_to_string(report.path()).unwrap())
}

/// With GNU libc, what is opened is the C library, with the list of libraries, and the file.
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
    // The tests' program, which is not optimized as a whole, may have one more library.
    let others: Vec<_> =
        opened.into_iter().filter(others).filter(|path| !path.contains("/libgcc_s.so.")).collect();
    assert_eq!(others, [""; 0], "{calls}");
}

#[test]
fn a_piece_is_examined_once() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&"я пишу, ".repeat(LEN / 13).into_bytes()).unwrap();
    let kinds = "statx,fstat";
    let Some(calls) = calls(kinds, &["--check", "-j2", "-f", "UTF-8"], file.path()) else { return };
    let examined = calls.lines().filter(|line| line.contains("stat")).count();
    let pieces = LEN / PIECE;
    // The start of the program examines some files too.
    assert!(examined <= pieces + 40, "{examined} for {pieces} pieces");
}
