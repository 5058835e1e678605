//! What a check of a long file asks of the system: little for each piece.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::Command;

/// Bytes of the file.
const LEN: usize = 32 * 1024 * 1024;
/// Bytes of a piece.
const PIECE: usize = 512 * 1024;

#[test]
fn a_piece_is_examined_once() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&"я пишу, ".repeat(LEN / 13).into_bytes()).unwrap();
    let report = tempfile::NamedTempFile::new().unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-e", "trace=statx,fstat", "-o"])
        .arg(report.path())
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--check", "-j2", "-f", "UTF-8"])
        .arg(file.path())
        .status();
    let Ok(status) = traced else {
        eprintln!("left out: system calls cannot be watched here (needs strace)");
        return;
    };
    assert!(status.success());
    let calls = std::fs::read_to_string(report.path()).unwrap();
    let examined = calls.lines().filter(|line| line.contains("stat")).count();
    let pieces = LEN / PIECE;
    // The start of the program examines some files too.
    assert!(examined <= pieces + 40, "{examined} for {pieces} pieces");
}
