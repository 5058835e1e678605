//! What only Windows has: wildcards that the program expands, code pages of the system, attributes, files that are open
//! elsewhere, junctions, and names that are no Unicode. `ci/windows_console` has its console.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use windows_sys::Win32::Globalization::{CP_ACP, CP_OEMCP, MultiByteToWideChar};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_HIDDEN, FILE_ATTRIBUTE_READONLY, FILE_SHARE_READ, FILE_SHARE_WRITE,
};

use crate::common::{Dir, oxiconv, start};
use crate::formats::events;
use crate::support::skipped;

const OLD: &[u8] = b"caf\xE9\r\n";
const NEW: &[u8] = "caf\u{E9}\r\n".as_bytes();

#[test]
fn wildcards_are_expanded() {
    let dir = Dir::new();
    let names = [
        "a1.txt",
        "a2.TXT",
        "b.txt",
        "a1.dat",
        ".a.txt",
        "[ab].txt",
        "hidden.txt",
        ".git/f",
        "sub/f",
        "sub/a3.txt",
        "sub/deep/a4.txt",
    ];
    for name in names {
        dir.write(name, b"\xFF");
    }
    let hide = Command::new("attrib").arg("+h").arg(dir.path("hidden.txt")).status();
    assert!(hide.unwrap().success());
    for (patterns, names) in [
        (&["a*.txt"][..], "a1.txt a2.TXT"),
        (&["?.txt"], "b.txt"),
        (&["b*.*"], "b.txt"),
        // What is hidden must be named, or found by the dot of its name.
        (&["*.txt"], "[ab].txt a1.txt a2.TXT b.txt"),
        (&["*/f", "hidden.txt"], "sub/f hidden.txt"),
        (&["./*/f", ".git/*"], "sub/f .git/f"),
        (&[".*.txt"], ".a.txt"),
        (&["b.txt", "*.dat"], "b.txt a1.dat"),
        (&["sub/*.txt"], "sub/a3.txt"),
        (&[r"sub\*.txt"], "sub/a3.txt"),
        (&["*/*/*.txt"], "sub/deep/a4.txt"),
        // Names may have brackets, as those of files that were downloaded twice have.
        (&["[ab].txt"], "[ab].txt"),
        (&["[ab]*"], "[ab].txt"),
        // PowerShell removes the quotes of patterns that are meant for the program.
        (&["-r", "sub", "--include", "*3.txt"], "sub/a3.txt"),
        (&["-r", "--exclude", "*a*.txt", "--exclude=a2.TXT", "."], "./a1.dat ./b.txt ./sub/f"),
    ] {
        let (status, output, error) = dir.run(&[&["--files-with-findings"], patterns].concat());
        let found: Vec<_> = output.lines().map(|line| line.replace('\\', "/")).collect();
        assert_eq!((status, found.join(" ").as_str()), (1, names), "{patterns:?}: {error}");
    }
    // Every name, also one without a dot.
    dir.write("plain", b"\xFF");
    assert_eq!(dir.run(&["--files-with-findings", "p*.*"]).1, "plain\n");
    // What matches nothing is taken for a name, so the error shows it.
    let (status, _, error) = dir.run(&["--check", "*.nix"]);
    assert!(status == 2 && error.contains("*.nix: no file matches"), "{error}");
    // Nothing enters hidden directories through `**`.
    assert_eq!(dir.run(&["--files-with-findings", "**/f"]).1, "");
    // The names of encodings have patterns of their own.
    dir.write("koi8-x", b"");
    let (status, output, _) = dir.run(&["--list", "koi8-[ru]"]);
    assert_eq!((status, output.as_str()), (0, "KOI8-R\nKOI8-U\n"));
}

/// Decodes bytes by the system, in a code page that it has set.
fn decoded_by_the_system(page: u32, bytes: &[u8]) -> String {
    let mut units = [0; 4 * 256];
    // SAFETY: pointers and lengths are those of live slices.
    let len = unsafe {
        MultiByteToWideChar(
            page,
            0,
            bytes.as_ptr(),
            bytes.len() as i32,
            units.as_mut_ptr(),
            units.len() as i32,
        )
    };
    String::from_utf16(&units[..len as usize]).unwrap()
}

#[test]
fn code_pages_are_those_of_the_system() {
    let letters: &[u8] = b"ab \x80\x84\x94\x99\xA4\xC0\xC4\xD0\xE0\xE4\xE9\xF0\xF6\xFC.";
    for (name, page) in [("ansi", CP_ACP), ("oem", CP_OEMCP)] {
        let expected = decoded_by_the_system(page, letters);
        let output = oxiconv()
            .args(["-f", name, "-t", "utf-8", "-e", "replace"])
            .write_stdin(letters)
            .output()
            .unwrap();
        // A code page of two bytes, or UTF-8, need not have these sequences, and then the replacements may differ.
        let has_all = !expected.contains('\u{FFFD}');
        assert!(output.status.code().is_some_and(|status| status <= 1), "{output:?}");
        assert!(!has_all || output.stdout == expected.as_bytes(), "{name}: {output:?}, {expected}");
    }
}

#[test]
fn a_pipe_that_nobody_reads_any_more_ends_it_quietly() {
    let dir = Dir::new();
    dir.write("f", &b"caf\xE9 ".repeat(1 << 20));
    for args in [
        &["-f", "cp1252", "f"][..],
        &["-f", "cp1252", "-t", "utf-16", "f"],
        &["--check", "--json", "f"],
    ] {
        let mut child = start(dir.0.path(), args);
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(141), &b""[..]), "{args:?}");
    }
}

#[test]
fn a_hidden_file_stays_hidden() {
    let dir = Dir::new();
    let path = dir.write("f", OLD);
    let is_hidden = || fs::metadata(&path).unwrap().file_attributes() & FILE_ATTRIBUTE_HIDDEN != 0;
    assert!(Command::new("attrib").arg("+h").arg(&path).status().unwrap().success());
    if !is_hidden() {
        return skipped("files cannot be hidden here");
    }
    assert_eq!(dir.run(&["-f", "cp1252", "-i.bak", "f"]), (0, String::new(), String::new()));
    assert_eq!(dir.read("f"), NEW);
    assert!(is_hidden());
}

#[test]
fn a_read_only_file_is_refused_with_the_reason() {
    let dir = Dir::new();
    let path = dir.write("f", OLD);
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    for options in [&["-f", "cp1252", "-i"][..], &["-f", "cp1252", "-i.bak"], &["--fix"]] {
        let (status, _, error) = dir.run(&[options, &["f"]].concat());
        assert!(status == 2 && error.contains("read-only"), "{options:?}: {status} {error}");
        assert_eq!((dir.read("f"), dir.names()), (OLD.to_vec(), vec!["f".to_owned()]));
    }
    assert!(fs::metadata(&path).unwrap().file_attributes() & FILE_ATTRIBUTE_READONLY != 0);
    // Otherwise the directory cannot be removed.
    #[expect(clippy::permissions_set_readonly_false, reason = "that is about Unix")]
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
}

/// Opens a file so that other programs may do with it only what `share` says.
fn held(path: &Path, share: u32) -> File {
    File::options().read(true).share_mode(share).open(path).unwrap()
}

#[test]
fn a_file_that_cannot_be_replaced_now_is_refused_and_the_others_are_converted() {
    // Most programs that read a file let others read it as well, and a few let them write.
    for share in [0, FILE_SHARE_READ, FILE_SHARE_READ | FILE_SHARE_WRITE] {
        let dir = Dir::new();
        let path = dir.write("a", OLD);
        dir.write("b", OLD);
        let file = held(&path, share);
        let (status, _, error) = dir.run(&["-f", "cp1252", "-i", "a", "b"]);
        drop(file);
        assert!(status == 2 && error.contains("another program has the file open"), "{error}");
        assert_eq!((dir.read("a"), dir.read("b")), (OLD.to_vec(), NEW.to_vec()));
        assert_eq!(dir.names(), ["a", "b"]);
    }
}

#[test]
fn a_path_of_any_length_is_converted() {
    let dir = Dir::new();
    let mut path = dir.0.path().to_owned();
    for _ in 0..6 {
        path.push("a directory with a rather long name, so that a few of them are enough");
    }
    fs::create_dir_all(&path).unwrap();
    path.push("f");
    fs::write(&path, OLD).unwrap();
    assert!(path.as_os_str().len() > 400);
    let name = path.to_str().unwrap();
    assert_eq!(dir.run(&["-f", "cp1252", "-i", name]), (0, String::new(), String::new()));
    assert_eq!(fs::read(&path).unwrap(), NEW);
}

#[test]
fn a_junction_is_followed_by_its_name_and_not_searched() {
    let dir = Dir::new();
    let file = dir.write("real/f", OLD);
    fs::create_dir(dir.path("top")).unwrap();
    let made = Command::new("cmd")
        .args(["/d", "/c", "mklink", "/J"])
        .args([dir.path("top").join("junction"), dir.path("real")])
        .output()
        .unwrap();
    if !made.status.success() || !dir.path("top/junction/f").exists() {
        return skipped("junctions cannot be made here");
    }
    let (status, _, error) = dir.run(&["--check", "-r", "top"]);
    assert_eq!(status, 0, "{error}");
    assert_eq!(
        dir.run(&["-f", "cp1252", "-i", "top/junction/f"]),
        (0, String::new(), String::new())
    );
    assert_eq!(fs::read(file).unwrap(), NEW);
    assert_eq!(fs::read_dir(dir.path("real")).unwrap().count(), 1);
}

#[test]
fn names_that_windows_drops_or_forbids_are_not_made() {
    let dir = Dir::new();
    // Fullwidth characters, which a transliteration to ASCII makes those of paths.
    for name in ["a\u{FF3C}b", "c\u{FF1A}d", "e\u{FF0E}"] {
        dir.write(name, b"");
    }
    let before = dir.names();
    let args = ["--names", "--force", "-r", "-t", "us-ascii//TRANSLIT", "-f", "utf-8", "."];
    let (status, _, error) = dir.run(&args);
    assert!(status != 0 && error.contains("does not allow") && error.contains("drops"), "{error}");
    assert_eq!(dir.names(), before);
}

#[test]
fn a_name_that_is_not_unicode_is_in_base64() {
    let dir = Dir::new();
    let name = OsString::from_wide(&[0x61, 0xD800, 0x62]);
    if fs::write(dir.0.path().join(&name), b"\xFF").is_err() {
        return skipped("names must be Unicode here");
    }
    let mut child = start(dir.0.path(), &["--check", "-r", "--format", "json", "."]);
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let path = events(&output.stdout)
        .into_iter()
        .find_map(|event| event["path"]["bytes"].as_str().map(str::to_owned))
        .expect("a path that is no text");
    assert_eq!(BASE64_STANDARD.decode(path).unwrap(), b".\\a\xED\xA0\x80b");
}
