//! Input and output files: atomic replacement, many files in a run, links, permissions. No fault may lose data.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use crate::common::{Dir, oxiconv};
use crate::support::skipped;

const LATIN1: &[u8] = b"caf\xE9\n";
const UTF8: &[u8] = "café\n".as_bytes();
const BAD: &[u8] = b"bad \xFF\n";

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn several_files_are_joined() {
    let dir = Dir::new();
    dir.write("a", LATIN1);
    dir.write("b", b"\xE9");
    assert_eq!(dir.run(&["-f", "latin1", "a", "b"]), (0, "café\né".to_owned(), String::new()));
}

#[test]
fn each_file_is_decoded_from_a_fresh_state() {
    let dir = Dir::new();
    dir.write("a", b"x\xE2\x82");
    dir.write("b", b"\xACy");
    let (status, out, err) = dir.run(&["-e", "report", "a", "b"]);
    assert_eq!((status, &out[..]), (1, "x\u{FFFD}\u{FFFD}y"));
    assert!(err.contains("a:1:2: error[truncated-at-end]: E2 82 at byte 1 "), "{err}");
    assert!(err.contains("b:1:1: error[unexpected-continuation]: AC at byte 0 "), "{err}");
}

#[test]
fn a_missing_file_is_named_the_others_are_converted_and_the_status_is_2() {
    let dir = Dir::new();
    dir.write("a", b"1");
    dir.write("b", b"2");
    let (status, out, err) = dir.run(&["a", "none", "b"]);
    assert_eq!((status, &out[..]), (2, "12"));
    assert_eq!(err, "oxiconv: none: No such file or directory\n");
    let (status, _, err) = dir.run(&["."]);
    assert_eq!((status, &err[..]), (2, "oxiconv: .: is a directory (use -r to descend)\n"));
}

#[test]
fn an_output_file_is_written_when_complete() {
    let dir = Dir::new();
    dir.write("in", LATIN1);
    assert_eq!(dir.run(&["-f", "latin1", "-o", "out", "in"]).0, 0);
    assert_eq!(dir.read("out"), UTF8);
    dir.write("empty", b"");
    assert_eq!(dir.run(&["-t", "utf-16", "-o", "empty.out", "empty"]).0, 0);
    assert_eq!(dir.read("empty.out"), b"");
    assert_eq!(dir.names(), ["empty", "empty.out", "in", "out"]);
}

#[test]
fn a_failure_leaves_the_old_output_untouched_and_no_half_file() {
    let dir = Dir::new();
    dir.write("bad", BAD);
    dir.write("out", b"old");
    let (status, _, err) = dir.run(&["-o", "out", "bad"]);
    assert_eq!(status, 1);
    assert!(err.ends_with("oxiconv: out: not written\n"), "{err}");
    assert_eq!(dir.read("out"), b"old");
    assert_eq!(dir.run(&["-o", "out", "bad", "none"]).0, 1);
    assert_eq!(dir.run(&["-e", "replace", "-o", "out", "none", "bad"]).0, 2);
    assert_eq!(dir.read("out"), b"old");
    assert_eq!(dir.run(&["-o", "new", "bad"]).0, 1);
    assert_eq!(dir.names(), ["bad", "out"]);
}

#[test]
fn output_equal_to_input_works_for_small_and_for_mapped_files() {
    let dir = Dir::new();
    for repeat in [1, 100_000] {
        dir.write("f", &LATIN1.repeat(repeat));
        assert_eq!(dir.run(&["-f", "latin1", "-o", "f", "f"]).0, 0);
        assert_eq!(dir.read("f"), UTF8.repeat(repeat));
    }
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_new_files_have_the_usual_ones() {
    let dir = Dir::new();
    let old = dir.write("f", LATIN1);
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(dir.run(&["-f", "latin1", "-i", "f"]).0, 0);
    assert_eq!((mode(&old), dir.read("f")), (0o640, UTF8.to_vec()));
    dir.write("in", LATIN1);
    assert_eq!(dir.run(&["-f", "latin1", "-o", "new", "in"]).0, 0);
    let usual = dir.write("usual", b"");
    assert_eq!(mode(&dir.path("new")), mode(&usual));
}

#[test]
fn in_place_keeps_a_backup_where_it_is_asked_for() {
    let dir = Dir::new();
    dir.write("a", LATIN1);
    dir.write("b", LATIN1);
    assert_eq!(dir.run(&["-f", "latin1", "-i=.bak", "a"]), (0, String::new(), String::new()));
    assert_eq!(dir.run(&["-f", "latin1", "-i.bak", "b"]), (0, String::new(), String::new()));
    assert_eq!((dir.read("a"), dir.read("a.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert_eq!((dir.read("b"), dir.read("b.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert_eq!(dir.run(&["-i=x/y", "a"]).0, 2);
    assert_eq!(dir.names(), ["a", "a.bak", "b", "b.bak"]);
}

#[cfg(unix)]
#[test]
fn in_place_a_failing_file_stays_as_it_was_and_does_not_stop_the_others() {
    let dir = Dir::new();
    dir.write("1", b"one");
    let bad = dir.write("2", BAD);
    let before = fs::metadata(&bad).unwrap().ino();
    dir.write("3", b"three");
    let (status, _, err) = dir.run(&["-t", "utf-16be", "-i", "1", "2", "none", "3"]);
    assert_eq!(status, 2);
    assert_eq!(
        err,
        "2:1:5: error[invalid-byte]: FF at byte 4 (0x4): FF never occurs in UTF-8\n\
         oxiconv: 2: not written\n\
         oxiconv: none: No such file or directory\n\
         oxiconv: 2 written, 2 failed\n"
    );
    assert_eq!((dir.read("2"), fs::metadata(&bad).unwrap().ino()), (BAD.to_vec(), before));
    assert_eq!(
        (dir.read("1"), dir.read("3")),
        (b"\0o\0n\0e".to_vec(), b"\0t\0h\0r\0e\0e".to_vec())
    );
    assert_eq!(dir.names(), ["1", "2", "3"]);
}

#[test]
fn a_file_named_twice_is_converted_once() {
    let dir = Dir::new();
    dir.write("a", LATIN1);
    assert_eq!(dir.run(&["-f", "latin1", "-i", "a", "./a", "a"]).0, 0);
    assert_eq!(dir.read("a"), UTF8);
}

#[cfg(unix)]
#[test]
fn in_place_through_a_link_replaces_the_file_and_not_the_link() {
    let dir = Dir::new();
    dir.write("real/file", LATIN1);
    symlink("real/file", dir.path("link")).unwrap();
    symlink("link", dir.path("link2")).unwrap();
    assert_eq!(dir.run(&["-f", "latin1", "-i", "link2"]).0, 0);
    assert!(dir.path("link").is_symlink() && dir.path("link2").is_symlink());
    assert_eq!(dir.read("real/file"), UTF8);
    dir.write("in", LATIN1);
    symlink("real/made", dir.path("dangling")).unwrap();
    assert_eq!(dir.run(&["-f", "latin1", "-o", "dangling", "in"]).0, 0);
    assert_eq!(dir.read("real/made"), UTF8);
    symlink("loop", dir.path("loop")).unwrap();
    assert_eq!(dir.run(&["-o", "loop", "in"]).0, 2);
}

#[cfg(unix)]
#[test]
fn an_output_directory_gets_the_same_relative_paths() {
    let dir = Dir::new();
    dir.write("a/b/c", LATIN1);
    dir.write("d", LATIN1);
    let absolute = dir.write("e", LATIN1);
    assert_eq!(
        dir.run(&["-f", "latin1", "-O", "out", "a/b/c", "./d", absolute.to_str().unwrap()]).0,
        0
    );
    assert_eq!((dir.read("out/a/b/c"), dir.read("out/d")), (UTF8.to_vec(), UTF8.to_vec()));
    let below = Path::new("out").join(absolute.strip_prefix("/").unwrap());
    assert_eq!(dir.read(below.to_str().unwrap()), UTF8);
    assert_eq!(dir.read("a/b/c"), LATIN1);
    let (status, _, err) = dir.run(&["-O", "out", "../x"]);
    assert_eq!(status, 2);
    assert!(err.contains("../x"), "{err}");
}

#[cfg(unix)]
#[test]
fn two_files_that_would_become_one_are_refused() {
    let dir = Dir::new();
    dir.write("a", b"1");
    let absolute = dir.path("a");
    dir.write(&format!(".{}", absolute.display()), b"2");
    let relative = absolute.strip_prefix("/").unwrap().to_str().unwrap();
    let (status, _, err) = dir.run(&["-O", "out", absolute.to_str().unwrap(), relative]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("would both be written to"), "{err}");
}

#[test]
fn recursion_skips_binary_ignored_and_output_files_and_says_how_many() {
    let dir = Dir::new();
    dir.write("t/a.txt", LATIN1);
    dir.write("t/sub/b.txt", LATIN1);
    dir.write("t/binary", b"a\0b");
    dir.write("t/ignored.log", LATIN1);
    dir.write("t/.gitignore", b"*.log\n");
    dir.write("t/out/old", LATIN1);
    let (status, _, err) = dir.run(&["-f", "latin1", "-r", "-O", "t/out", "t"]);
    assert_eq!((status, &err[..]), (0, "oxiconv: 2 written, 1 skipped as binary\n"));
    assert_eq!(dir.read("t/out/t/a.txt"), UTF8);
    assert_eq!(dir.read("t/out/t/sub/b.txt"), UTF8);
    assert!(!dir.path("t/out/t/ignored.log").exists());
    assert!(!dir.path("t/out/t/out").exists());
    // UTF-16 is not skipped as binary for its zero bytes. A file given by name is always read, even if it is binary.
    dir.write("u/x", b"\xFF\xFEa\0");
    assert_eq!(dir.run(&["-f", "utf-16", "-r", "-i", "u"]).0, 0);
    assert_eq!(dir.read("u/x"), b"a");
    assert_eq!(dir.run(&["--check", "t/binary"]).0, 0);
}

#[test]
fn include_and_exclude_choose_among_what_is_found() {
    let dir = Dir::new();
    for name in ["d/a.txt", "d/b.md", "d/sub/c.txt", "d/sub/skip.txt"] {
        dir.write(name, BAD);
    }
    let found = |args: &[&str]| {
        let (_, out, _) = dir.run(&[&["--check", "-r"], args, &["d"]].concat());
        let names: Vec<_> =
            out.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect();
        names
    };
    assert_eq!(found(&["--include", "*.txt"]), ["d/a.txt", "d/sub/c.txt", "d/sub/skip.txt"]);
    assert_eq!(found(&["--include", "*.txt", "--exclude", "skip.*"]), ["d/a.txt", "d/sub/c.txt"]);
    assert_eq!(found(&["--exclude", "sub"]), ["d/a.txt", "d/b.md"]);
    assert_eq!(dir.run(&["--check", "--include", "*", "d/a.txt"]).0, 2);
}

#[cfg(unix)]
#[test]
fn names_can_come_from_a_list_ended_by_zero_bytes() {
    let dir = Dir::new();
    dir.write("a\nb", b"1");
    dir.write("c", b"2");
    dir.write("list", b"a\nb\0c\0");
    assert_eq!(dir.run(&["--files0-from", "list"]).1, "12");
    let output = oxiconv()
        .current_dir(dir.0.path())
        .args(["--files0-from", "-", "c"])
        .write_stdin("a\nb")
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"21");
    dir.write("empty", b"");
    assert_eq!(dir.run(&["--files0-from", "empty"]), (0, String::new(), String::new()));
    assert_eq!(dir.run(&["--files0-from", "none"]).0, 2);
    dir.write("hole", b"a\0\0b\0");
    assert_eq!(dir.run(&["--files0-from", "hole"]).0, 2);
}

#[test]
fn a_dry_run_says_what_would_change_and_writes_nothing() {
    let dir = Dir::new();
    dir.write("a", LATIN1);
    dir.write("b", BAD);
    let (status, _, err) = dir.run(&["--dry-run", "-i", "a", "b"]);
    assert_eq!(status, 1);
    assert!(err.contains("oxiconv: a: would not be written\n"), "{err}");
    let (status, _, err) = dir.run(&["--dry-run", "-f", "latin1", "-O", "out", "a"]);
    assert_eq!((status, &err[..]), (0, "oxiconv: out/a: would be written\n"));
    assert_eq!(
        (dir.names(), dir.read("a")),
        (vec!["a".to_owned(), "b".to_owned()], LATIN1.to_vec())
    );
}

#[test]
fn an_output_that_is_also_an_input_is_refused_before_anything_is_written() {
    let dir = Dir::new();
    dir.write("f", b"text");
    let append = |args: &[&str], stdin: bool| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
        command.current_dir(dir.0.path()).args(args);
        if stdin {
            command.stdin(fs::File::open(dir.path("f")).unwrap());
        }
        command.stdout(fs::File::options().append(true).open(dir.path("f")).unwrap());
        command.output().unwrap()
    };
    for (args, stdin) in
        [(&["f"][..], false), (&[], true), (&["-"], true), (&["--check", "f"], false)]
    {
        let output = append(args, stdin);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is also the output"), "{args:?}");
        assert_eq!(dir.read("f"), b"text");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_to_not_replaced() {
    let dir = Dir::new();
    dir.write("f", b"text");
    assert_eq!(dir.run(&["-o", "/dev/null", "f"]).0, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    assert_eq!(dir.run(&["-o", "/dev/stdout", "f"]).1, "text");
    assert_eq!(dir.run(&["-o", "-", "f"]).1, "text");
    let (status, _, err) = dir.run(&["-o", "/dev/full", "f"]);
    assert_eq!(
        (status, &err[..]),
        (2, "oxiconv: /dev/full: cannot write: No space left on device\n")
    );
    let (status, _, err) = dir.run(&["-o", "none/f", "f"]);
    assert_eq!(status, 2);
    assert!(err.starts_with("oxiconv: none/f: cannot write: "), "{err}");
    assert_eq!(dir.run(&["-o", ".", "f"]).0, 2);
}

#[cfg(unix)]
#[test]
fn files_of_no_known_size_are_read() {
    let (status, out, _) = Dir::new().run(&["/proc/self/status"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("Name:"), "{out}");
}

#[test]
fn findings_come_in_the_order_of_the_files_whatever_the_number_of_threads() {
    let dir = Dir::new();
    let names: Vec<_> = (0..60).map(|number| format!("f{number:02}")).collect();
    for (number, name) in names.iter().enumerate() {
        // The first files take the longest, so with several threads the later ones finish first.
        dir.write(name, &[vec![b'x'; (60 - number) * 2000], b"\xFF\n".repeat(number % 7)].concat());
    }
    let args = |jobs: &'static str| {
        let mut args = vec!["--check", "--max-reports", "0", "-j", jobs];
        args.extend(names.iter().map(String::as_str));
        args
    };
    let one = dir.run(&args("1"));
    assert_eq!(one.0, 1);
    assert_eq!(one.1.lines().count(), (0..60).map(|number| number % 7).sum::<usize>());
    for jobs in ["2", "8"] {
        assert_eq!(dir.run(&args(jobs)), one, "{jobs}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_or_hold_control_characters_work_and_are_shown_safely() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"caf\xE9\x1B[31m");
    fs::write(dir.0.path().join(name), BAD).unwrap();
    let output = oxiconv().current_dir(dir.0.path()).args(["--check"]).arg(name).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.starts_with("caf\\xE9\\u{1b}[31m:1:5: error[invalid-byte]"), "{out:?}");
    let output =
        oxiconv().current_dir(dir.0.path()).args(["-fl1", "-i"]).arg(name).output().unwrap();
    assert!(output.status.success());
    assert_eq!(fs::read(dir.0.path().join(name)).unwrap(), "bad ÿ\n".as_bytes());
}

#[test]
fn standard_input_has_no_place_to_be_replaced_in() {
    let dir = Dir::new();
    dir.write("f", b"x");
    for args in [&["-i"][..], &["-i", "-"], &["-O", "out"], &["-O", "out", "f", "-"]] {
        let (status, _, err) = dir.run(args);
        assert_eq!(status, 2);
        assert!(err.contains("standard input"), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    // Root may write to any file, so the rule has no effect for root.
    if rustix::process::geteuid().is_root() {
        skipped("the rule cannot be seen as root");
        return;
    }
    let dir = Dir::new();
    let path = dir.write("f", LATIN1);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let (status, _, err) = dir.run(&["-f", "latin1", "-i", "f"]);
    assert_eq!(status, 2);
    assert!(err.contains("f: cannot write: Permission denied"), "{err}");
    assert_eq!(dir.read("f"), LATIN1);
}

#[test]
fn recursion_passes_over_binary_files_in_every_encoding() {
    let dir = Dir::new();
    let gzip =
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03\xD3\x2B\xAE\x2C\x4E\xCC\x4B\x2C\xCA\x57\xC8\x4D\xCC\x4B\x07";
    let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1F\x15\xC4\x89";
    dir.write("t/a.gz", gzip);
    dir.write("t/b.png", png);
    dir.write("t/text", b"\xFF\xFEo\0k\0\n\0");
    for from in ["auto", "utf-16", "utf-32"] {
        let (status, _, err) = dir.run(&["-f", from, "-e", "replace", "-r", "-O", from, "t"]);
        // With -f utf-32, text with a UTF-16 byte order mark is not skipped as binary, but refused.
        assert_eq!(status, i32::from(from == "utf-32"), "{from} {err}");
        assert_eq!(err.contains("t/text: not converted: "), from == "utf-32", "{err}");
        assert!(err.contains("skipped "), "{from} {err}");
        assert!(!dir.path(&format!("{from}/t/a.gz")).exists(), "{from}");
        assert!(!dir.path(&format!("{from}/t/b.png")).exists(), "{from}");
    }
    assert_eq!(dir.read("utf-16/t/text"), b"ok\n");
    assert_eq!(dir.read("auto/t/text"), b"ok\n");
}

#[test]
fn include_leaves_gitignore_and_hidden_files_alone() {
    let dir = Dir::new();
    dir.write("t/.gitignore", b"ignored.txt\n");
    for name in ["t/ignored.txt", "t/.hidden.txt", "t/seen.txt"] {
        dir.write(name, BAD);
    }
    let (_, out, _) = dir.run(&["--check", "-r", "--include", "*.txt", "t"]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("t/seen.txt:"), "{out}");
}

#[test]
fn what_would_lose_a_file_is_refused_before_anything_is_written() {
    let dir = Dir::new();
    dir.write("e", b"one");
    dir.write("o/e", b"two");
    dir.write("f", b"three");
    dir.write("f.bak", b"four");
    dir.write("list", b"-\0");
    for args in [
        &["-O", "o", "e", "o/e"][..],
        &["-i.bak", "f", "f.bak"],
        &["-i", "--files0-from", "list"],
        &["-O", "o", "--files0-from", "list"],
    ] {
        let (status, _, err) = dir.run(args);
        assert_eq!(status, 2, "{args:?} {err}");
    }
    assert_eq!((dir.read("o/e"), dir.read("f.bak")), (b"two".to_vec(), b"four".to_vec()));
    assert_eq!(dir.names(), ["e", "f", "f.bak", "list", "o"]);
}

#[cfg(unix)]
#[test]
fn a_link_beside_its_file_gets_an_output_of_its_own() {
    let dir = Dir::new();
    dir.write("b", LATIN1);
    symlink("b", dir.path("a")).unwrap();
    assert_eq!(dir.run(&["-f", "latin1", "-O", "out", "a", "b"]).0, 0);
    assert_eq!((dir.read("out/a"), dir.read("out/b")), (UTF8.to_vec(), UTF8.to_vec()));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_replaced() {
    let dir = Dir::new();
    let (status, _, err) = dir.run(&["-i.bak", "/dev/null"]);
    assert_eq!(status, 2);
    assert!(err.contains("not a regular file"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_copy_is_no_more_open_than_its_original() {
    let dir = Dir::new();
    let private = dir.write("f", LATIN1);
    fs::set_permissions(&private, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(dir.run(&["-f", "latin1", "-O", "out", "f"]).0, 0);
    assert_eq!(mode(&dir.path("out/f")), 0o600);
}

#[test]
fn an_access_list_stays() {
    let dir = Dir::new();
    let path = dir.write("f", LATIN1);
    let set = std::process::Command::new("setfacl").args(["-m", "u:1:rw,g::-"]).arg(&path).status();
    if !set.is_ok_and(|status| status.success()) {
        skipped("no setfacl, or no access lists on this file system");
        return;
    }
    let list = || {
        std::process::Command::new("getfacl").args(["-c", "-n"]).arg(&path).output().unwrap().stdout
    };
    let before = list();
    assert_eq!(dir.run(&["-f", "latin1", "-i", "f"]).0, 0);
    assert_eq!(String::from_utf8(list()).unwrap(), String::from_utf8(before).unwrap());
}

#[test]
fn a_thousand_jobs_are_no_trouble() {
    let dir = Dir::new();
    let names: Vec<_> = (0..200).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| drop(dir.write(name, LATIN1)));
    let mut args = vec!["-f", "latin1", "-i", "-j", "100000"];
    args.extend(names.iter().map(String::as_str));
    assert_eq!(dir.run(&args).0, 0);
    assert!(names.iter().all(|name| dir.read(name) == UTF8));
}

/// `oxiconv --check -r . >findings` creates `findings` before the program starts, but it is not meant as an input.
///
/// If its name was given as an argument, it was meant, so that is an error.
#[cfg(unix)]
#[test]
fn a_recursive_run_leaves_its_own_output_out() {
    let dir = Dir::new();
    dir.write("d/bad", BAD);
    let run = |args: &[&str]| {
        let out = fs::File::create(dir.path("d/findings")).unwrap();
        let program = assert_cmd::cargo::cargo_bin!("oxiconv");
        let output = std::process::Command::new(program)
            .current_dir(dir.0.path())
            .args(args)
            .stdout(out)
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(&["--check", "-r", "d"]), (1, String::new()));
    assert!(dir.read("d/findings").starts_with(b"d/bad:1:5: error[invalid-byte]: "));
    let (status, err) = run(&["--check", "-r", "d", "d/findings"]);
    assert_eq!(status, 2);
    assert!(err.contains("d/findings: is also the output"), "{err}");
}

/// The program preallocates space for a large output file, and must free what it did not use.
#[cfg(unix)]
#[test]
fn a_large_new_file_takes_no_more_room_than_it_needs() {
    let dir = Dir::new();
    let text = "a line of text, again and again\n".repeat(700_000);
    dir.write("in", text.as_bytes());
    let (status, _, _) = dir.run(&["-f", "utf-8", "-t", "utf-16le", "in", "-o", "out"]);
    assert_eq!(status, 0);
    let metadata = fs::metadata(dir.path("out")).unwrap();
    assert_eq!(metadata.len(), 2 * text.len() as u64);
    assert!(metadata.blocks() * 512 < metadata.len() + (1 << 20), "{} blocks", metadata.blocks());
}

/// A run over several files ends with a line that counts the outcomes. A run over one file does not.
#[test]
fn a_run_that_converts_several_files_ends_with_its_outcomes() {
    let dir = Dir::new();
    let write = || {
        dir.write("a", LATIN1);
        dir.write("b", LATIN1);
        dir.write("c", b"plain\n");
    };
    let latin1 = ["-f", "latin1"];
    let run = |args: &[&str]| dir.run(&[&latin1, args].concat()).2;
    write();
    assert_eq!(run(&["-i", "a"]), "");
    write();
    assert_eq!(run(&["-i", "a", "c"]), "oxiconv: 1 written, 1 unchanged\n");
    write();
    assert_eq!(run(&["-q", "-i", "a", "c"]), "");
    assert_eq!(run(&["-s", "-O", "out", "a", "c"]), "");
    write();
    let dry = "oxiconv: a: would be written\noxiconv: b: would be written\n\
               oxiconv: 2 would be written, 1 unchanged\n";
    assert_eq!(run(&["--dry-run", "-i", "a", "b", "c"]), dry);
    assert_eq!(dir.read("a"), LATIN1);
    // With an output directory, unchanged files are written too.
    assert_eq!(run(&["-O", "out", "a", "b", "c"]), "oxiconv: 3 written\n");
    // The table of --stats does not include the outcomes, so the line stays.
    let err = run(&["--stats", "-O", "out", "a", "b", "c"]);
    assert!(err.starts_with("oxiconv: 3 written\nfiles "), "{err}");
    // The output for `d` is a directory, which shows only when the finished file is put in place. It counts as failed.
    std::fs::create_dir(dir.path("out/d")).unwrap();
    dir.write("d", LATIN1);
    let err = run(&["-O", "out", "a", "d"]);
    assert!(err.ends_with("\noxiconv: 1 written, 1 failed\n"), "{err}");
    // A check converts nothing, and with -o all files make one output, so neither counts files written.
    assert!(!run(&["--check", "a", "b"]).contains("written"));
    assert_eq!(run(&["-o", "joined", "a", "b"]), "");
}

#[test]
fn the_outcomes_are_members_of_the_last_json_event() {
    let dir = Dir::new();
    dir.write("a", LATIN1);
    dir.write("b", b"plain\n");
    dir.write("c", BAD);
    let json = |args: &[&str]| -> serde_json::Value {
        let (_, _, err) = dir.run(&[&["--format", "json"], args].concat());
        serde_json::from_str(err.lines().last().unwrap()).unwrap()
    };
    let summary = json(&["-f", "latin1", "-i", "a", "b", "none"]);
    assert_eq!(
        (&summary["written"], &summary["unchanged"], &summary["failed"]),
        (&1.into(), &1.into(), &1.into())
    );
    let summary = json(&["-i", "c"]);
    assert_eq!((&summary["written"], &summary["failed"]), (&0.into(), &1.into()));
    assert_eq!(json(&["-o", "joined", "b"]).get("written"), None);
}

/// ripgrep has options of the same names.
#[test]
fn hidden_and_ignored_files_are_read_on_demand() {
    let dir = Dir::new();
    for name in ["d/a", "d/.hidden", "d/.git/config", "d/x.log", "d/y.tmp", "d/sub/.h/b"] {
        dir.write(name, b"\xFF\n");
    }
    dir.write("d/.gitignore", b"*.log\n");
    dir.write("d/.ignore", b"*.tmp\n");
    let names = |options: &[&str]| {
        let args = [&["--files-with-findings", "-r", "d"], options].concat();
        let (status, out, err) = dir.run(&args);
        assert_eq!((status, &err[..]), (1, ""), "{args:?}");
        out
    };
    assert_eq!(names(&[]), "d/a\n");
    assert_eq!(names(&["--hidden"]), "d/.git/config\nd/.hidden\nd/a\nd/sub/.h/b\n");
    assert_eq!(names(&["--no-ignore"]), "d/a\nd/x.log\nd/y.tmp\n");
    assert_eq!(names(&["--no-ignore", "--exclude", "*.log"]), "d/a\nd/y.tmp\n");
    let all = names(&["--hidden", "--no-ignore"]);
    assert_eq!(all, "d/.git/config\nd/.hidden\nd/a\nd/sub/.h/b\nd/x.log\nd/y.tmp\n");
    for option in ["--hidden", "--no-ignore"] {
        let (status, _, err) = dir.run(&["--check", option, "d/a"]);
        assert_eq!(status, 2);
        assert!(err.contains("--recursive"), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn very_verbose_says_which_files_are_skipped_and_why() {
    let dir = Dir::new();
    for name in ["d/a", "d/.h/x", "d/.h/y", "d/i.log", "d/e.txt", "d/node/1", "d/node/2"] {
        dir.write(name, b"fine\n");
    }
    dir.write("d/bin", b"a\0b");
    dir.write("d/.gitignore", b"*.log\nnode/\n");
    std::os::unix::fs::symlink("a", dir.path("d/link")).unwrap();
    let skipped = |options: &[&str]| -> Vec<String> {
        let (status, _, err) = dir.run(&[&["--check", "-vv", "-j2", "-r", "d"], options].concat());
        assert_eq!(status, 0);
        let skipped = err.lines().filter_map(|line| line.strip_prefix("oxiconv: d/"));
        skipped.filter(|line| line.contains(": skipped: ")).map(str::to_owned).collect()
    };
    assert_eq!(
        skipped(&["--exclude", "e.*"]),
        [
            ".gitignore: skipped: is hidden (--hidden includes it)",
            ".h: skipped: is hidden (--hidden includes it)",
            "e.txt: skipped: matches --exclude",
            "i.log: skipped: is ignored by .gitignore or the like (--no-ignore includes it)",
            "link: skipped: is a symbolic link",
            "node: skipped: is ignored by .gitignore or the like (--no-ignore includes it)",
            "bin: skipped: looks binary",
        ]
    );
    let others = ["--include", "e.*", "--hidden", "--no-ignore"];
    assert_eq!(
        skipped(&others)[..2],
        [
            ".gitignore: skipped: does not match --include",
            ".h/x: skipped: does not match --include",
        ]
    );
    // The first line says how the files are processed. Formats for programs include nothing of this.
    let (_, _, err) = dir.run(&["--check", "-vv", "-j2", "d/a", "d/e.txt"]);
    assert!(err.starts_with("oxiconv: 2 files, 2 threads, kernels: "), "{err}");
    let (_, out, err) = dir.run(&["--check", "-vv", "--format", "json", "-r", "d"]);
    assert!(err.is_empty() && !out.contains("kernels"), "{err}{out}");
    // -v alone prints neither.
    let (_, _, err) = dir.run(&["--check", "-v", "-r", "d"]);
    assert!(!err.contains("kernels") && !err.contains("hidden"), "{err}");
    // The first run creates the output directory. The second one skips it.
    let (_, _, err) = dir.run(&["-vv", "-O", "d/out", "-r", "d"]);
    assert!(!err.contains("d/out: skipped"), "{err}");
    let (_, _, err) = dir.run(&["-vv", "-O", "d/out", "-r", "d"]);
    assert!(err.contains("oxiconv: d/out: skipped: is the output directory\n"), "{err}");
}

/// Without this message, a mistyped path or filter would look like a tree without faults.
#[test]
fn a_directory_without_files_is_said_to_have_none() {
    let dir = Dir::new();
    dir.write("d/.hidden", b"\xFF");
    let none = "oxiconv: no files found (-vv prints which files are skipped)\n";
    for args in [&["--check", "-r", "d"][..], &["-r", "-O", "out", "d"]] {
        assert_eq!(dir.run(args), (0, String::new(), none.to_owned()), "{args:?}");
        assert_eq!(dir.run(&[args, &["-q"]].concat()), (0, String::new(), String::new()));
    }
    dir.write("empty.list", b"");
    let empty = "oxiconv: no files: the list of --files0-from is empty\n";
    let args = ["--check", "--files0-from", "empty.list"];
    assert_eq!(dir.run(&args), (0, String::new(), empty.to_owned()));
}
