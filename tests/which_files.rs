//! Which files are skipped, refused or left alone, and which are not: nothing that is wrong is passed without a word,
//! and nothing that is right is written again.

mod common;

use std::fs;
use std::path::PathBuf;

use common::oxiconv;
use tempfile::TempDir;

struct Dir(TempDir);

impl Dir {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Runs the program in the directory.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = oxiconv().current_dir(self.0.path()).args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

/// U+1F600 in UTF-16BE, again and again: a text, and all of it denied.
#[test]
fn what_is_denied_is_no_sign_of_binary() {
    let dir = Dir::new();
    dir.write("d/smile", &b"\xD8\x3D\xDE\x00".repeat(10));
    let (status, out, err) = dir.run(&["--check", "-f", "utf-16", "--deny", "non-bmp", "-r", "d"]);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.starts_with("d/smile:1:1: error[non-bmp]: D8 3D DE 00 at byte 0 "), "{out}");
    assert_eq!(out.lines().count(), 10, "{out}");
}
