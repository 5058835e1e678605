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

/// "Name\r\n" in the four schemes that have a mark, and what reads them.
const MARKED: [(&str, &[u8], &str, &str); 4] = [
    ("16le", b"\xFF\xFEN\0a\0m\0e\0\r\0\n\0", "UTF-16LE", "utf-16"),
    ("16be", b"\xFE\xFF\0N\0a\0m\0e\0\r\0\n", "UTF-16BE", "utf-16"),
    ("32le", b"\xFF\xFE\0\0N\0\0\0a\0\0\0\n\0\0\0", "UTF-32LE", "utf-32"),
    ("32be", b"\0\0\xFE\xFF\0\0\0N\0\0\0a\0\0\0\n", "UTF-32BE", "utf-32"),
];

#[test]
fn a_file_with_the_mark_of_another_encoding_is_a_finding_with_its_repair() {
    let dir = Dir::new();
    for (name, bytes, looks_like, option) in MARKED {
        dir.write(&format!("{name}/it's one"), bytes);
        let (status, out, err) = dir.run(&["--check", "-r", name]);
        let mark = if option == "utf-16" { &bytes[..2] } else { &bytes[..4] };
        let hex: Vec<_> = mark.iter().map(|byte| format!("{byte:02X}")).collect();
        let expected = format!(
            "{name}/it's one:1:1: error[other-encoding]: {} at byte 0 (0x0): the text looks like {looks_like}, with a \
             byte order mark (convert it: oxiconv -f {option} -i '{name}/it'\\''s one')",
            hex.join(" ")
        );
        assert_eq!((status, out.lines().next()), (1, Some(&expected[..])), "{err}");
        assert!(!err.contains("passed over"), "{err}");
        // A stream and a named file have the same findings; there is no file to be converted in place.
        let output = oxiconv().arg("--check").write_stdin(bytes).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            out.lines().next().unwrap().ends_with(&format!("(convert it: oxiconv -f {option})")),
            "{out}"
        );
        // The command does what it says.
        let file = format!("{name}/it's one");
        assert_eq!(dir.run(&["-f", option, "-i", &file]).0, 0);
        assert_eq!(dir.run(&["--check", "-r", name]), (0, String::new(), String::new()));
    }
}

#[test]
fn a_mark_is_a_finding_in_every_encoding_that_does_not_read_it() {
    let dir = Dir::new();
    dir.write("d/a", MARKED[0].1);
    for (from, repair) in [
        ("windows-1252", "oxiconv -f utf-16 -t windows-1252 -i d/a"),
        ("us-ascii", "oxiconv -f utf-16 -t us-ascii -i d/a"),
        ("utf-16be", "oxiconv -f utf-16 -t utf-16be -i d/a"),
        ("utf-32", "oxiconv -f utf-16 -t utf-32be -i d/a"),
    ] {
        let (status, out, err) = dir.run(&["--check", "-r", "-f", from, "d"]);
        assert_eq!(status, 1, "{from}: {out}{err}");
        assert!(out.lines().next().unwrap().ends_with(&format!("(convert it: {repair})")), "{out}");
    }
    for from in ["utf-16", "utf-16le", "auto"] {
        assert_eq!(dir.run(&["--check", "-r", "-f", from, "d"]).0, 0, "{from}");
    }
}

/// FF FE is also how files begin that are none of it.
#[test]
fn a_mark_before_what_is_no_text_is_a_sign_of_nothing() {
    let dir = Dir::new();
    // An unpaired surrogate, and controls.
    dir.write("d/1", b"\xFF\xFE\0\xD8\0\0");
    dir.write("d/2", b"\xFF\xFE\x01\0\x02\0");
    let (status, out, err) = dir.run(&["--check", "-r", "d"]);
    assert_eq!((status, &out[..]), (0, ""));
    assert!(err.contains("2 binary files passed over"), "{err}");
    let (_, out, _) = dir.run(&["--check", "d/1"]);
    assert!(!out.contains("other-encoding"), "{out}");
}

#[test]
fn every_form_for_machines_has_the_finding_and_its_repair() {
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
        assert!(out.contains("(convert it: oxiconv -f utf-16 -i 'd/a b')"), "{out}");
    }
}
