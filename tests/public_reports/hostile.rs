//! Hostile input: pipes and devices in place of small files, endless lines, swapped directories, floods of findings.

use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

use crate::common::{Dir, oxiconv, run_text, start, texts};

const BAD: &[u8] = b"\xFF\n";

/// Runs the program in `dir`. Instead of hanging, a run is ended after a minute, and its test fails.
fn soon(dir: &Dir, args: &[&str]) -> (i32, String, String) {
    let mut command = oxiconv();
    texts(command.current_dir(&dir.0).args(args).timeout(Duration::from_secs(60)).output().unwrap())
}

fn fifo(dir: &Dir, name: &str) {
    let path = dir.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Opening a pipe or reading `/dev/zero` would hang the walk. Each place where an ignore file is looked for is tested.
#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_as_an_ignore_file_excludes_nothing() {
    for name in [".gitignore", ".ignore", ".git/info/exclude", "sub/.gitignore", "sub/sub/.ignore"]
    {
        for device in [None, Some("/dev/zero"), Some("/dev/tty"), Some(".")] {
            let dir = Dir::new();
            for file in ["d/a", "d/sub/b", "d/sub/sub/c"] {
                dir.write(file, BAD);
            }
            let path = format!("d/{name}");
            match device {
                None => fifo(&dir, &path),
                Some(device) => {
                    std::fs::create_dir_all(dir.path(&path).parent().unwrap()).unwrap();
                    symlink(device, dir.path(&path)).unwrap();
                }
            }
            let (status, out, err) = soon(&dir, &["--check", "-r", "d"]);
            let message = format!("oxiconv: {path}: not a regular file, so it excludes nothing\n");
            assert!(status == 2 && err.contains(&message), "{path} {device:?}: {status} {err}");
            assert_eq!(out.lines().count(), 3, "{path} {device:?}: {out}");
            // -vv and --names use the same walk.
            let (_, _, err) = soon(&dir, &["--check", "-vv", "-r", "d"]);
            assert!(err.contains(&message), "{path}: {err}");
            let (_, _, err) = soon(&dir, &["--names", "-r", "-f", "latin1", "--dry-run", "d"]);
            assert!(err.contains(&message), "{path}: {err}");
            // With --no-ignore, none is opened.
            let (status, _, err) = soon(&dir, &["--check", "-q", "--no-ignore", "-r", "d"]);
            assert_eq!((status, &err[..]), (1, ""), "{path}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_ignore_file_above_the_top_is_checked_too() {
    let dir = Dir::new();
    dir.write("repo/d/a", BAD);
    fifo(&dir, "repo/.gitignore");
    let (status, out, err) = soon(&dir, &["--check", "-r", "repo/d"]);
    assert!(status == 2 && out.starts_with("repo/d/a:"), "{out}");
    assert!(err.contains("repo/.gitignore: not a regular file"), "{err}");
}

#[test]
fn an_ignore_file_has_a_limit() {
    let dir = Dir::new();
    dir.write("d/a", BAD);
    let mut rules = b"a\n".repeat(32 * 1024);
    dir.write("d/.gitignore", &rules);
    assert_eq!(soon(&dir, &["--check", "-q", "-r", "d"]).0, 0);
    rules.push(b'\n');
    dir.write("d/.gitignore", &rules);
    let (status, out, err) = soon(&dir, &["--check", "-r", "d"]);
    assert!(status == 2 && out.starts_with("d/a:"), "{out}");
    assert!(err.contains("d/.gitignore: larger than 64 KiB, so it excludes nothing"), "{err}");
}

/// Links to the null device are a common way to hide a file, and count as empty.
#[cfg(unix)]
#[test]
fn the_null_device_has_no_rules() {
    let dir = Dir::new();
    dir.write("d/a", b"fine\n");
    symlink("/dev/null", dir.path("d/.gitignore")).unwrap();
    assert_eq!(soon(&dir, &["--check", "-r", "d"]), (0, String::new(), String::new()));
}

/// The expected list is that of `git ls-files --others --exclude-standard` for these rules, except that hidden files
/// are included only if a rule names them.
#[test]
fn ignore_rules_are_those_of_git() {
    let dir = Dir::new();
    let files = [
        "d/keep.txt",
        "d/x.log",
        "d/sub/x.log",
        "d/sub/keep.log",
        "d/build/o",
        "d/sub/build/o",
        "d/sub/deep/only.md",
        "d/other/only.md",
        "d/.shown/a",
        "d/.hidden/a",
        "d/excluded.tmp",
        "d/sub/over.txt",
    ];
    for file in files {
        dir.write(file, BAD);
    }
    dir.write(
        "d/.gitignore",
        b"\xEF\xBB\xBF# comment\n*.log\r\n/build/\n!.shown\nsub/deep/*.md\n\xFF\n",
    );
    dir.write("d/sub/.gitignore", b"!keep.log\nover.txt\n");
    dir.write("d/sub/.ignore", b"!over.txt\n");
    dir.write("d/.git/info/exclude", b"*.tmp\n");
    let (status, out, err) = soon(&dir, &["--files-with-findings", "-r", "d"]);
    assert_eq!((status, &err[..]), (1, ""));
    let expected = [
        "d/.shown/a",
        "d/keep.txt",
        "d/other/only.md",
        "d/sub/build/o",
        "d/sub/keep.log",
        "d/sub/over.txt",
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), expected);
    // The same rules apply to a walk from a subdirectory, to a path through `..`, and to an absolute path.
    let output = oxiconv()
        .current_dir(dir.path("d/sub"))
        .args(["--files-with-findings", "-r", ".", "../other"])
        .output()
        .unwrap();
    let (_, out, _) = texts(output);
    let out = out.replace('\\', "/");
    assert_eq!(out, "./build/o\n./keep.log\n./over.txt\n../other/only.md\n");
    let top = dir.path("d").canonicalize().unwrap();
    let (_, out, _) = soon(&dir, &["--files-with-findings", "-r", top.to_str().unwrap()]);
    assert_eq!(out.lines().count(), expected.len(), "{out}");
}

#[cfg(unix)]
#[test]
fn the_rules_of_a_worktree_are_those_of_its_repository() {
    let dir = Dir::new();
    dir.write("main/.git/info/exclude", b"*.tmp\n");
    dir.write("main/.git/worktrees/w/commondir", b"../..\n");
    dir.write("w/a.tmp", BAD);
    let git = dir.path("main/.git/worktrees/w");
    dir.write("w/.git", format!("gitdir: {}\n", git.display()).as_bytes());
    assert_eq!(soon(&dir, &["--check", "-q", "-r", "w"]).0, 0);
    // A `.git` file that names a missing directory, or is a pipe, adds no rules.
    dir.write("w/.git", b"gitdir: /nowhere\n");
    assert_eq!(soon(&dir, &["--check", "-q", "-r", "w"]).0, 1);
    std::fs::remove_file(dir.path("w/.git")).unwrap();
    fifo(&dir, "w/.git");
    assert_eq!(soon(&dir, &["--check", "-q", "-r", "w"]).0, 1);
}

#[cfg(unix)]
#[test]
fn a_list_of_names_that_never_ends_is_refused() {
    let dir = Dir::new();
    for device in ["/dev/zero", "/dev/full"] {
        let (status, _, err) = soon(&dir, &["--undo-rename", device]);
        assert_eq!((status, err), (2, format!("oxiconv: {device}: is a device\n")));
        let (status, _, err) = soon(&dir, &["--merge-findings", device, "x"]);
        assert_eq!((status, err), (2, format!("oxiconv: {device}: is a device\n")));
    }
    let start =
        r#"{"type":"start","version":2,"tool":"oxiconv","tool_version":"0.2.0","task":"names"}"#;
    let endless = format!("{start}\n{}", "a".repeat(1 << 20));
    let list = dir.write("list", endless.as_bytes());
    let (status, _, err) = soon(&dir, &["--undo-rename", list.to_str().unwrap()]);
    assert!(status == 2 && err.contains("line 2: not a line of a list"), "{err}");
}

#[test]
fn a_pipe_without_a_line_end_is_read_to_a_limit() {
    for args in [&["--undo-rename", "-"][..], &["--merge-findings", "-", "missing"]] {
        let dir = Dir::new();
        dir.write("missing", b"");
        let mut child = start(dir.0.path(), args);
        let mut to = child.stdin.take().unwrap();
        let zeros = [0; 1 << 16];
        // 64 MiB without a line feed. The program must give up and close the pipe long before.
        let ended = (0..1 << 10).any(|_| to.write_all(&zeros).is_err());
        drop(to);
        let (status, _, err) = texts(child.wait_with_output().unwrap());
        assert!(ended && status == 2, "{args:?}: {status} {err}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_directory_is_not_followed() {
    let dir = Dir::new();
    dir.write("d/sub/caf\u{e9}", b"x");
    let name = std::ffi::OsString::from("d/sub/caf\u{e9}");
    let latin1: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"d/sub/caf\xE9");
    std::fs::rename(dir.path("d/sub/caf\u{e9}"), dir.0.path().join(latin1)).unwrap();
    let (status, list, err) =
        dir.run(&["--names", "--rename", "-r", "-f", "latin1", "--format", "json", "d"]);
    assert_eq!(status, 0, "{err}");
    assert!(dir.0.path().join(&name).exists());
    dir.write("list", list.as_bytes());
    // A link to another directory, which has a file of the same name, replaces the directory in the list.
    std::fs::rename(dir.path("d/sub"), dir.path("moved")).unwrap();
    dir.write("victim/caf\u{e9}", b"y");
    for target in ["../victim", "../moved"] {
        symlink(target, dir.path("d/sub")).unwrap();
        let (status, _, err) = soon(&dir, &["--undo-rename", "list"]);
        assert_eq!(status, 2, "{err}");
        assert!(dir.path("victim/caf\u{e9}").exists() && dir.path("moved/caf\u{e9}").exists());
        std::fs::remove_file(dir.path("d/sub")).unwrap();
    }
    std::fs::rename(dir.path("moved"), dir.path("d/sub")).unwrap();
    assert_eq!(soon(&dir, &["--undo-rename", "list"]).0, 0);
    assert!(dir.0.path().join(latin1).exists());
}

/// Returns the findings of a json document: kind, line, column, offset. An event for a run of findings is expanded.
fn findings(document: &str) -> Vec<(String, u64, u64, u64)> {
    let mut findings = Vec::new();
    for line in document.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        if event["type"] != "finding" {
            continue;
        }
        let number = |name: &str| event[name].as_u64().unwrap();
        let length = number("length");
        assert_eq!(event["bytes"].as_str().unwrap().len() as u64, 2 * length);
        for n in 0..event["count"].as_u64().unwrap_or(1) {
            let kind = event["kind"].as_str().unwrap().to_owned();
            findings.push((
                kind,
                number("line"),
                number("column") + n,
                number("offset") + n * length,
            ));
        }
    }
    findings
}

/// Returns the findings in the text format, which has one line for each, in the same form as [`findings`].
fn in_text(args: &[&str], input: &[u8]) -> Vec<(String, u64, u64, u64)> {
    let all = [&["--check", "--max-reports", "0"], args].concat();
    let (_, out, _) = run_text(&all, input);
    let finding = |line: &str| {
        let mut parts = line.strip_prefix("(standard input):").unwrap().splitn(3, ':');
        let mut number = || parts.next().unwrap().parse().unwrap();
        let (row, column) = (number(), number());
        let rest = parts.next().unwrap();
        let kind = rest.split(['[', ']']).nth(1).unwrap().to_owned();
        let offset = rest.split(" at byte ").nth(1).unwrap().split(' ').next().unwrap();
        (kind, row, column, offset.parse().unwrap())
    };
    out.lines().map(finding).collect()
}

#[test]
fn a_run_of_equal_findings_is_one_event_and_every_place_follows() {
    let long = [&b"ab\n"[..], &b"\xFF".repeat(10_000), b"\nz\xC3\xC3\xC3"].concat();
    for (args, input) in [
        (&[][..], &long[..]),
        (&[], b"\xFF\xFF\xFE\xFE\xC3\xC3(\x80\x80\n\x80\xE2\x82\xE2\x82\xE2\x82"),
        (&["--deny", "nul"], b"a\0\0\0\n\0\0b\0"),
        (&["-t", "latin1"], "a\u{20AC}\u{20AC}\u{20AC}\u{2020}\u{20AC}".as_bytes()),
        (&["-f", "utf-16le"], b"\0\xD8\0\xD8\0\xD8a\0\0\xDC\0\xDC"),
        (&["-f", "cp1252"], b"\x81\x81\x81\x8D\x8D\n\x81"),
        (&["-f", "cp932"], b"\x80\x81\x81\x81\xFF\xFF"),
        (&["--deny", "lf"], b"\n\n\na\n"),
    ] {
        let json = [&["--check", "--format", "json"], args].concat();
        let (_, document, _) = run_text(&json, input);
        assert_eq!(findings(&document), in_text(args, input), "{args:?} {document}");
        let end: serde_json::Value = document
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .find(|event| event["type"] == "end")
            .unwrap();
        assert_eq!(end["findings"].as_u64().unwrap() as usize, findings(&document).len());
    }
    let (_, document, _) = run_text(&["--check", "--format", "json"], &long);
    assert!(document.lines().filter(|line| line.contains(r#""type":"finding""#)).count() < 10);
    assert!(document.contains(r#""count":"#), "{document}");
}

/// The limit counts findings, not events. A conversion prints each finding at once, so it cannot join them to runs.
#[test]
fn runs_are_only_in_checks_and_within_the_limit() {
    let input = b"\xFF".repeat(20);
    let (_, document, _) = run_text(&["--check", "--format", "json", "--max-reports", "3"], &input);
    assert_eq!(findings(&document).len(), 3);
    assert!(document.contains(r#""withheld":17"#), "{document}");
    let (_, _, document) = run_text(&["-e", "report", "--format", "json"], &input);
    assert!(!document.contains("count\":"), "{document}");
    assert_eq!(findings(&document).len(), 20);
}

/// This has more findings than are held back for guesses (4,096), so both ways to print them are tested.
#[test]
fn runs_do_not_depend_on_how_the_text_arrives() {
    let dir = Dir::new();
    let mut text = Vec::new();
    for n in 0..6000_u32 {
        text.extend([0xFF].repeat(n as usize % 5));
        text.extend([0xE2, 0x82].repeat(n as usize % 3));
        text.extend(format!("{n}\n").bytes());
    }
    let path = dir.write("t", &text);
    let of_file = |jobs: &str| {
        run_text(&["--check", "--format", "json", jobs, path.to_str().unwrap()], b"").1
    };
    assert_eq!(of_file("-j1"), of_file("-j7"));
    let expected = run_text(&["--check", "--format", "json"], &text).1;
    assert_eq!(findings(&of_file("-j1")), findings(&expected));
    for step in [997, 4096, 70_001] {
        let mut child = start(dir.0.path(), &["--check", "--format", "json", "-"]);
        let mut to = child.stdin.take().unwrap();
        let text = text.clone();
        let writer = std::thread::spawn(move || {
            for piece in text.chunks(step) {
                to.write_all(piece).unwrap();
                to.flush().unwrap();
            }
        });
        let (_, out, _) = texts(child.wait_with_output().unwrap());
        writer.join().unwrap();
        assert_eq!(out, expected, "{step}");
    }
}

/// Up to 512 groups of findings are held back until the cause is judged, and are then drawn by it. The text that it was
/// judged by once depended on the chunks.
#[test]
fn pictures_do_not_depend_on_how_the_text_arrives() {
    let dir = Dir::new();
    // Pseudo-random bytes, mostly ill-formed, by the linear congruential generator of Numerical Recipes.
    let mut state = 1_u32;
    let text: Vec<u8> = (0..5000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    let whole = run_text(&["--check", "--format", "html"], &text).1;
    for cut in [1, 700, 2409, 3709, 4999] {
        let mut child = start(dir.0.path(), &["--check", "--format", "html"]);
        let mut to = child.stdin.take().unwrap();
        to.write_all(&text[..cut]).unwrap();
        to.flush().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        to.write_all(&text[cut..]).unwrap();
        drop(to);
        let (_, out, _) = texts(child.wait_with_output().unwrap());
        assert_eq!(out, whole, "{cut}");
    }
}

/// A long line in another encoding once took 200 times its memory, so it is decoded in parts of 16 KiB. `ulimit -v`
/// allows the program 120 MB for a line of 2.4 MB.
#[cfg(unix)]
#[test]
fn a_long_line_in_another_encoding_takes_little_memory() {
    let dir = Dir::new();
    dir.write("t", &b"na\xEFve caf\xE9 ".repeat(200_000));
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    let script = format!("ulimit -v 120000; exec {program} -f auto-lines -j1 t");
    let output = Command::new("bash").args(["-c", &script]).current_dir(&dir.0).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, "na\u{ef}ve caf\u{e9} ".repeat(200_000).as_bytes());
}

#[test]
fn a_number_with_its_digits_in_another_order_gets_a_suggestion() {
    for (wanted, meant) in [
        ("windows-1525", "windows-1252"),
        ("cp1521", "CP1251"),
        ("iso-8895-1", "ISO-8859-1"),
        ("iso-8859-51", "ISO-8859-15"),
    ] {
        let (status, _, err) = run_text(&["-f", wanted], b"");
        let found = err.to_lowercase().contains(&meant.to_lowercase());
        assert!(status == 2 && found, "{wanted}: {err}");
    }
}

#[test]
fn an_unknown_encoding_says_how_to_search() {
    for args in [&["-f", "russian"][..], &["-t", "zzzz"], &["--list", "nothing-like-it"]] {
        let (status, _, err) = run_text(args, b"");
        assert_eq!(status, 2);
        assert!(err.contains("--list PART"), "{args:?}: {err}");
    }
}
