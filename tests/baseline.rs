//! `--baseline` and `--write-baseline`: known findings pass, new ones fail, and known ones that are gone are reported.

use std::fs;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use crate::common::{Dir, oxiconv};
use crate::formats::{events, of_type, sarif_run};

/// The first line of every baseline.
const HEAD: &str = "{\"baseline\":\"oxiconv\",\"version\":1}\n";

/// Returns the line of a baseline for `count` findings of the byte FF in UTF-8.
///
/// The fingerprint is the FNV-1a hash of four parts, each followed by FF: `invalid-byte`, `UTF-8`, the byte, and an
/// empty part for the byte after it. Another program computed the hash.
fn ff(path: &str, count: u64) -> String {
    format!(
        "{{\"path\":{{\"text\":\"{path}\"}},\"kind\":\"invalid-byte\",\"encoding\":\"UTF-8\",\"bytes\":\"FF\",\
         \"count\":{count},\"fingerprint\":\"e0e96f2141dfd36a\"}}\n"
    )
}

/// Writes the baseline of these files, which must succeed.
fn write_baseline(dir: &Dir, files: &[&str]) {
    let args = [&["--check", "--write-baseline", "base.jsonl"], files].concat();
    let (status, out, err) = dir.run(&args);
    assert_eq!((status, &out[..]), (0, ""), "{err}");
}

/// Checks these files against the baseline.
fn compare(dir: &Dir, files: &[&str]) -> (i32, String, String) {
    dir.run(&[&["--check", "--baseline", "base.jsonl"], files].concat())
}

/// Returns path, line and column of each finding in the output for people.
fn places(out: &str) -> Vec<String> {
    out.lines().map(|line| line.split(": error").next().unwrap().to_owned()).collect()
}

#[test]
fn known_findings_pass_wherever_they_have_moved() {
    let dir = Dir::new();
    dir.write("a", b"one \xFF\ntwo \xFF\xE2\x82x\n");
    dir.write("b", b"fine\n");
    write_baseline(&dir, &["a", "b"]);
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), String::new()));
    dir.write("a", b"new line\n\n\xE2\x82x, two \xFF\nlonger one \xFF\n");
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), String::new()));
    let (status, out, err) = compare(&dir, &["a", "b"]);
    let counts = "oxiconv: 2 files, 39 bytes, 35 characters: no new findings, 3 known\n";
    assert_eq!((status, &out[..], &err[..]), (0, "", counts));
    // `-v` counts known findings for a single file too.
    let (_, _, err) = compare(&dir, &["-v", "a"]);
    assert_eq!(err, "oxiconv: a: UTF-8: 34 bytes, 30 characters, 0 findings, 3 known\n");
}

#[test]
fn a_new_finding_fails_even_if_it_equals_a_known_one() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\n");
    write_baseline(&dir, &["a"]);
    dir.write("a", b"\xFF \xFE\n\xFF\n");
    let (status, out, err) = compare(&dir, &["a"]);
    assert_eq!((status, &err[..]), (1, ""));
    assert_eq!(places(&out), ["a:1:3", "a:2:1"]);
    let (status, _, err) = compare(&dir, &["-q", "a", "a"]);
    assert_eq!((status, &err[..]), (1, ""));
    // A finding is a different one if its bytes, the byte after them, its kind or its encoding differ.
    dir.write("a", b"\xE2\x82x\n");
    write_baseline(&dir, &["a"]);
    for text in [&b"\xE2\x83x\n"[..], b"\xE2\x82y\n", b"\xE2\x82"] {
        dir.write("a", text);
        assert_eq!(compare(&dir, &["a"]).0, 1, "{text:?}");
    }
    dir.write("a", b"\xFF\n");
    write_baseline(&dir, &["a"]);
    assert_eq!(compare(&dir, &["a"]).0, 0);
    assert_eq!(compare(&dir, &["-f", "us-ascii", "a"]).0, 1);
}

#[test]
fn a_finding_that_is_gone_is_reported_and_passes() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\xFF\xFF \xFE\n");
    dir.write("it's one", b"\xFF\n");
    write_baseline(&dir, &["a", "it's one"]);
    dir.write("a", b"\xFF\n");
    dir.write("it's one", b"\n");
    let (status, out, err) = compare(&dir, &["a", "it's one"]);
    let expected = "\
        oxiconv: a: 3 known findings are gone; --write-baseline base.jsonl updates the baseline\n\
        oxiconv: it's one: 1 known finding is gone; --write-baseline base.jsonl updates the baseline\n\
        oxiconv: 2 files, 3 bytes, 2 characters: no new findings, 1 known, 4 gone\n";
    assert_eq!((status, &out[..], &err[..]), (0, "", expected));
    assert_eq!(compare(&dir, &["-q", "a", "it's one"]), (0, String::new(), String::new()));
    // The command in the message updates the baseline.
    write_baseline(&dir, &["a", "it's one"]);
    assert_eq!(dir.read("base.jsonl"), format!("{HEAD}{}", ff("a", 1)).as_bytes());
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), String::new()));
}

/// pre-commit passes only the names of changed files. The known findings of other files are gone only if those files
/// are.
#[test]
fn only_files_of_the_run_are_judged_and_those_that_no_longer_exist() {
    let dir = Dir::new();
    for name in ["a", "b", "d/c", "d/e"] {
        dir.write(name, b"\xFF\n");
    }
    write_baseline(&dir, &["a", "b", "d/c", "d/e"]);
    dir.write("b", b"fine\n");
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), String::new()));
    // The findings of deleted files are gone, even if a file now has the name of their directory. Naming a deleted
    // file is an error.
    fs::remove_file(dir.path("d/c")).unwrap();
    fs::remove_file(dir.path("d/e")).unwrap();
    let gone = |path| {
        format!(
            "oxiconv: {path}: 1 known finding is gone with the file; --write-baseline base.jsonl updates the baseline\n"
        )
    };
    let expected = gone("d/c") + &gone("d/e");
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), expected.clone()));
    fs::remove_dir(dir.path("d")).unwrap();
    dir.write("d", b"now a file\n");
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), expected.clone()));
    let (status, _, err) = compare(&dir, &["a", "d/c"]);
    assert_eq!(status, 2);
    assert!(err.starts_with("oxiconv: d/c: "), "{err}");
}

#[test]
fn the_findings_of_a_renamed_file_are_new() {
    let dir = Dir::new();
    dir.write("old", b"\xFF\n");
    write_baseline(&dir, &["old"]);
    fs::rename(dir.path("old"), dir.path("new")).unwrap();
    let (status, out, err) = compare(&dir, &["new"]);
    assert_eq!((status, places(&out)), (1, vec!["new:1:1".to_owned()]));
    assert!(err.starts_with("oxiconv: old: 1 known finding is gone with the file;"), "{err}");
}

#[test]
fn the_file_is_one_line_for_equal_findings_sorted_by_path() {
    let dir = Dir::new();
    dir.write("b", &b"\xFF\n".repeat(3));
    dir.write("a/x", b"\xFF");
    dir.write("fine", b"fine");
    let expected = format!("{HEAD}{}{}", ff("a/x", 1), ff("b", 3));
    for files in [&["b", "a/x", "fine"][..], &["-j1", "fine", "a/x", "b"], &["-j8", "-r", "."]] {
        write_baseline(&dir, files);
        assert_eq!(String::from_utf8(dir.read("base.jsonl")).unwrap(), expected, "{files:?}");
    }
    // A baseline need not be sorted. A merge may leave two lines for equal findings: then the larger count applies.
    dir.write(
        "base.jsonl",
        format!("{HEAD}{}{}{}", ff("b", 3), ff("a/x", 1), ff("b", 2)).as_bytes(),
    );
    assert_eq!(compare(&dir, &["b", "a/x"]).0, 0);
    dir.write("b", &b"\xFF\n".repeat(4));
    assert_eq!(places(&compare(&dir, &["b"]).1), ["b:4:1"]);
}

/// A hook that runs in a subdirectory and CI that runs at the top can share a baseline.
#[cfg(unix)]
#[test]
fn paths_are_relative_to_the_directory_of_the_baseline() {
    let dir = Dir::new();
    dir.write("src/deep/a", b"\xFF\n");
    dir.write("top", b"\xFF\n");
    fs::create_dir(dir.path("ci")).unwrap();
    let at = |place: &str, args: &[&str]| {
        let output =
            oxiconv().arg("--check").args(args).current_dir(dir.path(place)).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let silent = (0, String::new(), String::new());
    let write = at("", &["-q", "--write-baseline", "ci/base.jsonl", "-r", "."]);
    assert_eq!(write, silent);
    let written = String::from_utf8(dir.read("ci/base.jsonl")).unwrap();
    assert_eq!(written, format!("{HEAD}{}{}", ff("../src/deep/a", 1), ff("../top", 1)));
    let absolute = dir.path("src/deep/a").into_os_string().into_string().unwrap();
    for (place, baseline, file) in [
        ("", "ci/base.jsonl", "src/deep/a"),
        ("", "./ci/base.jsonl", "src/../src/deep//a"),
        ("src/deep", "../../ci/base.jsonl", "a"),
        ("ci", "base.jsonl", "../src/deep/a"),
        ("", "ci/base.jsonl", &absolute),
    ] {
        assert_eq!(at(place, &["--baseline", baseline, file]), silent, "{place} {file}");
    }
    // Links to directories are resolved. A link to a file has findings of its own.
    symlink("src", dir.path("link")).unwrap();
    symlink("src/deep/a", dir.path("link-to-a")).unwrap();
    assert_eq!(at("", &["--baseline", "link/../ci/base.jsonl", "link/deep/a"]), silent);
    let (status, out, _) = at("", &["--baseline", "ci/base.jsonl", "link-to-a"]);
    assert_eq!((status, places(&out)), (1, vec!["link-to-a:1:1".to_owned()]));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_is_in_base64() {
    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9");
    fs::write(dir.0.path().join(name), b"\xFF\n").unwrap();
    let run = |option: &str| {
        let args = ["--check", option, "base.jsonl"];
        oxiconv().args(args).arg(name).current_dir(dir.0.path()).output().unwrap()
    };
    assert_eq!(run("--write-baseline").status.code(), Some(0));
    // RFC 4648: 63 61 66 E9 is Y2Fm 6Q==.
    let expected = HEAD.to_owned() + &ff("x", 1).replace(r#""text":"x""#, r#""bytes":"Y2Fm6Q==""#);
    assert_eq!(String::from_utf8(dir.read("base.jsonl")).unwrap(), expected);
    let output = run("--baseline");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b""[..]));
}

#[test]
fn standard_input_and_lists_of_names_have_baselines_too() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\n");
    dir.write("names", b"a\0");
    let run = |option: &str, args: &[&str], input: &[u8]| {
        let mut command = oxiconv();
        command.args(["--check", option, "base.jsonl"]).args(args).current_dir(dir.0.path());
        command.write_stdin(input).output().unwrap().status.code()
    };
    assert_eq!(run("--write-baseline", &[], b"\xFF"), Some(0));
    assert_eq!(
        String::from_utf8(dir.read("base.jsonl")).unwrap(),
        HEAD.to_owned() + &ff("x", 1).replace(r#"{"text":"x"}"#, "null")
    );
    assert_eq!(run("--baseline", &[], b"text \xFF"), Some(0));
    assert_eq!(run("--baseline", &["-"], b"\xFF\xFF"), Some(1));
    assert_eq!(run("--write-baseline", &["--files0-from", "names"], b""), Some(0));
    assert_eq!(run("--baseline", &["--files0-from", "names"], b""), Some(0));
    assert_eq!(run("--baseline", &["--files0-from", "-"], b"a\0names\0"), Some(0));
    dir.write("a", b"\xFE\n");
    assert_eq!(run("--baseline", &["--files0-from", "names"], b""), Some(1));
}

#[test]
fn every_kind_of_finding_may_be_known() {
    let dir = Dir::new();
    dir.write("a", "\u{FEFF}a\u{202E}b\r\nc\u{20AC}\n\u{0}".as_bytes());
    let options = ["--bom", "forbid", "--deny", "bidi,nul,mixed-newlines", "-t", "latin1", "a"];
    let (status, out, _) = dir.run(&[&["--check"], &options[..]].concat());
    assert_eq!((status, out.lines().count()), (1, 6), "{out}");
    write_baseline(&dir, &options);
    assert_eq!(compare(&dir, &options), (0, String::new(), String::new()));
    // Notes are not counted, so baselines do not list them.
    dir.write("a", "a\u{FEFF}b\n".as_bytes());
    write_baseline(&dir, &["a"]);
    assert_eq!(dir.read("base.jsonl"), HEAD.as_bytes());
    let (status, out, _) = compare(&dir, &["-v", "a"]);
    assert_eq!((status, out.contains("note[bom-inside]")), (0, true), "{out}");
    // The byte order mark of another encoding.
    dir.write("a", b"\xFF\xFEa\0\n\0");
    assert_eq!(compare(&dir, &["a"]).0, 1);
    write_baseline(&dir, &["a"]);
    assert_eq!(compare(&dir, &["a"]).0, 0);
}

/// Known findings do not use up the limit, and findings beyond the limit are still compared.
#[test]
fn max_reports_counts_new_findings() {
    let dir = Dir::new();
    dir.write("a", &b"\xFF\n".repeat(50));
    write_baseline(&dir, &["a"]);
    assert_eq!(compare(&dir, &["--max-reports", "1", "a"]), (0, String::new(), String::new()));
    // The new findings come before, among and after the known ones.
    let text = [&b"\xFE\n"[..], &b"\xFF\n".repeat(30), b"\xFE\n", &b"\xFF\n".repeat(20), b"\xFE\n"];
    dir.write("a", &text.concat());
    for limit in ["1", "2"] {
        let (status, out, err) = compare(&dir, &["--max-reports", limit, "a"]);
        let left = 3 - limit.parse::<u64>().unwrap();
        let more = format!("oxiconv: a: {left} more not shown; --max-reports 0 shows all\n");
        assert_eq!(status, 1);
        assert_eq!(places(&out), ["a:1:1", "a:32:1"][..limit.parse().unwrap()]);
        assert!(err.ends_with(&more), "{err}");
    }
    // `-s` shows no findings, but the comparison still decides the status.
    assert_eq!(compare(&dir, &["-s", "a"]), (1, String::new(), String::new()));
    dir.write("a", &b"\xFF\n".repeat(50));
    assert_eq!(compare(&dir, &["-s", "a"]), (0, String::new(), String::new()));
    dir.write("a", &b"\xFF\n".repeat(40));
    let (status, _, err) = compare(&dir, &["--explain", "a"]);
    assert_eq!(status, 0);
    assert!(err.contains("10 known findings are gone"), "{err}");
}

/// The file is long enough for several threads.
#[test]
fn many_known_findings_are_one_line() {
    let dir = Dir::new();
    let line = b"some words before the byte, \xFF, and some after it\n";
    let mut text = line.repeat(100_000);
    dir.write("a", &text);
    write_baseline(&dir, &["-j2", "a"]);
    let expected = format!("{HEAD}{}", ff("a", 100_000));
    assert_eq!(String::from_utf8(dir.read("base.jsonl")).unwrap(), expected);
    for jobs in ["-j1", "-j2"] {
        assert_eq!(compare(&dir, &[jobs, "a"]), (0, String::new(), String::new()));
    }
    text.extend_from_slice(b"\xFF\n");
    dir.write("a", &text);
    for jobs in ["-j1", "-j2"] {
        let (status, out, _) = compare(&dir, &[jobs, "a"]);
        assert_eq!((status, places(&out)), (1, vec!["a:100001:1".to_owned()]));
    }
}

#[test]
fn a_baseline_of_too_many_different_findings_is_an_error() {
    let dir = Dir::new();
    // Each character is a different finding.
    let text: String = (0x1_0000..0x3_0000).filter_map(char::from_u32).collect();
    dir.write("a", text.as_bytes());
    dir.write("base.jsonl", HEAD.as_bytes());
    let (status, out, err) =
        dir.run(&["--check", "-t", "latin1", "--write-baseline", "base.jsonl", "a"]);
    let expected = "oxiconv: base.jsonl: not written: more than 100,000 different findings\n";
    assert_eq!((status, &out[..], &err[..]), (2, "", expected));
    assert_eq!(dir.read("base.jsonl"), HEAD.as_bytes());
}

#[test]
fn a_missing_or_malformed_baseline_is_an_error_with_its_line() {
    let dir = Dir::new();
    dir.write("a", b"fine\n");
    let error = |expected: &str| {
        let (status, out, err) = compare(&dir, &["a"]);
        assert_eq!((status, &out[..]), (2, ""));
        assert!(err.starts_with(expected), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    };
    error("oxiconv: base.jsonl: No such file or directory");
    fs::create_dir(dir.path("base.jsonl")).unwrap();
    error("oxiconv: base.jsonl: ");
    fs::remove_dir(dir.path("base.jsonl")).unwrap();
    for (text, expected) in [
        (String::new(), "line 1: not the first line of a baseline"),
        ("a list\n".to_owned(), "line 1: not the first line of a baseline"),
        (HEAD.replace('1', "2"), "line 1: the baseline has version 2, but"),
        (format!("{HEAD}{}<<<<<<< HEAD\n", ff("a", 1)), "line 3: not a line of a baseline"),
        (format!("{HEAD}\n{}", ff("a", 1)), "line 2: not a line of a baseline"),
        // Sums of such counts would overflow.
        (format!("{HEAD}{}", ff("a", u64::MAX)), "line 2: not a line of a baseline"),
        (format!("{HEAD}{}", &ff("a", 1)[..40]), "line 2: not a line of a baseline"),
    ] {
        dir.write("base.jsonl", text.as_bytes());
        error(&format!("oxiconv: base.jsonl: {expected}"));
    }
    // Machine-readable formats report the error too.
    let output = oxiconv()
        .args(["--check", "--format", "json", "--baseline", "base.jsonl", "a"])
        .current_dir(dir.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let events = events(&output.stdout);
    let message = of_type(&events, "error")[0]["message"].as_str().unwrap();
    assert!(message.starts_with("base.jsonl: line 2"), "{message}");
}

#[test]
fn options_that_do_not_go_together_are_errors() {
    let dir = Dir::new();
    dir.write("a", b"fine\n");
    for (args, expected) in [
        (&["--baseline", "b", "a"][..], "--baseline requires --check"),
        (
            &["--write-baseline", "b", "-i", "a"],
            "--in-place cannot be combined with --write-baseline, which requires --check",
        ),
        (&["--check", "--baseline", "-", "a"], "--baseline requires a file"),
        (&["--check", "--write-baseline", "-", "a"], "--write-baseline requires a file"),
        (&["--check", "--baseline", "b", "--write-baseline", "b", "a"], "cannot be combined with"),
    ] {
        let (status, _, err) = dir.run(args);
        assert_eq!(status, 2, "{args:?}");
        assert!(err.contains(expected), "{err}");
    }
    assert_eq!(dir.names(), ["a"]);
}

/// The shell expands `--write-baseline *.txt` so that the first text is named as the baseline.
#[test]
fn a_file_that_is_not_a_baseline_is_not_replaced() {
    let dir = Dir::new();
    dir.write("a.txt", b"precious\n");
    dir.write("b.txt", b"\xFF\n");
    let (status, out, err) = dir.run(&["--check", "--write-baseline", "a.txt", "b.txt"]);
    let expected =
        "oxiconv: a.txt: exists and is not a baseline, so it is not replaced (name another file)\n";
    assert_eq!((status, &out[..], &err[..]), (2, "", expected));
    assert_eq!(dir.read("a.txt"), b"precious\n");
    // An empty file, and a baseline of any version, may be replaced.
    for text in ["", HEAD, &HEAD.replace('1', "7")] {
        dir.write("a.txt", text.as_bytes());
        let (status, _, err) = dir.run(&["--check", "--write-baseline", "a.txt", "b.txt"]);
        assert_eq!((status, &err[..]), (0, "oxiconv: a.txt: written with 1 finding in 1 file\n"));
        assert_eq!(dir.read("a.txt"), format!("{HEAD}{}", ff("b.txt", 1)).as_bytes());
    }
}

/// If a baseline lacked a file, the next run would report the known findings of that file as new.
#[cfg(unix)]
#[test]
fn a_baseline_is_written_whole_or_not_at_all() {
    let dir = Dir::new();
    let old = format!("{HEAD}{}", ff("old", 1));
    dir.write("base.jsonl", old.as_bytes());
    dir.write("a", b"\xFF\n");
    let (status, out, err) =
        dir.run(&["--check", "--write-baseline", "base.jsonl", "a", "missing"]);
    assert_eq!((status, &out[..]), (2, ""));
    let expected = "oxiconv: base.jsonl: not written, because not every file could be read\n";
    assert!(err.contains(expected), "{err}");
    assert_eq!(dir.read("base.jsonl"), old.as_bytes());
    // The baseline is longer than `ulimit -f 2` allows, whether the shell's blocks have 512 bytes or 1024.
    for index in 0..40 {
        dir.write(&format!("d/{index}"), b"\xFF\xFE\xFD\n");
    }
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let command = format!(
        "ulimit -f 2; exec '{}' --check --write-baseline base.jsonl -r d",
        program.display()
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(dir.0.path())
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("oxiconv: base.jsonl: cannot write: "), "{err}");
    assert_eq!(dir.read("base.jsonl"), old.as_bytes());
    assert_eq!(dir.names(), ["a", "base.jsonl", "d"]);
    // A symbolic link is followed, not replaced.
    symlink("base.jsonl", dir.path("link")).unwrap();
    assert_eq!(dir.run(&["-q", "--check", "--write-baseline", "link", "a"]).0, 0);
    assert!(dir.path("link").is_symlink());
    assert_eq!(dir.read("base.jsonl"), format!("{HEAD}{}", ff("a", 1)).as_bytes());
}

/// The run ends when nobody reads its findings any more. A baseline of the files that it has read would be incomplete.
#[cfg(unix)]
#[test]
fn after_a_closed_pipe_the_old_baseline_stays() {
    let dir = Dir::new();
    for index in 0..200 {
        dir.write(&format!("d/{index}"), &b"\xFF\n".repeat(2000));
    }
    dir.write("base.jsonl", HEAD.as_bytes());
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let command = format!(
        "'{}' --check --format json --write-baseline base.jsonl -r d | head -c 1",
        program.display()
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(dir.0.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(dir.read("base.jsonl"), HEAD.as_bytes());
}

#[test]
fn a_recursive_run_leaves_out_its_baseline() {
    let dir = Dir::new();
    dir.write("d/a", b"\xFF\n");
    dir.write("d/b", b"fine\n");
    for option in ["--write-baseline", "--write-baseline", "--baseline"] {
        let (status, _, err) = dir.run(&["--check", option, "d/base.jsonl", "-r", "d"]);
        assert_eq!(status, 0);
        assert!(
            err.contains("oxiconv: 2 files, 7 bytes, 6 characters: no new findings, 1 known\n"),
            "{err}"
        );
    }
}

#[test]
fn json_has_all_findings_and_says_which_are_new() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\xFA\xFA\n");
    dir.write("b", b"\xFF\n");
    write_baseline(&dir, &["a", "b"]);
    dir.write("a", b"\xFF\xFD\n");
    fs::remove_file(dir.path("b")).unwrap();
    let args = ["--check", "--format", "json", "--baseline", "base.jsonl", "a"];
    let output = oxiconv().args(args).current_dir(dir.0.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"");
    let events = events(&output.stdout);
    let states: Vec<_> = of_type(&events, "finding")
        .iter()
        .map(|it| (it["bytes"].as_str().unwrap(), it["baseline"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("FF", "known"), ("FD", "new")]);
    let notes: Vec<_> = of_type(&events, "note")
        .iter()
        .map(|it| (it["path"]["text"].as_str().unwrap(), it["message"].as_str().unwrap()))
        .filter(|(_, message)| message.contains("gone"))
        .collect();
    let updates = "--write-baseline base.jsonl updates the baseline";
    assert_eq!(
        notes,
        [
            ("a", &format!("2 known findings are gone; {updates}")[..]),
            ("b", &format!("1 known finding is gone with the file; {updates}")),
        ]
    );
    for (event, member, count) in [
        ("end", "findings", 1),
        ("end", "known", 1),
        ("summary", "findings", 1),
        ("summary", "known", 1),
        ("summary", "gone", 3),
        ("summary", "files_with_findings", 1),
    ] {
        assert_eq!(of_type(&events, event)[0][member], count, "{event} {member}");
    }
    // Without a baseline, no event mentions one.
    let output = oxiconv().args(&args[..3]).arg("a").current_dir(dir.0.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("baseline") && !text.contains("known\":"), "{text}");
}

/// SARIF 2.1.0, 3.27.23 (`suppressions`) and 3.27.24 (`baselineState`): every result has both.
#[test]
fn sarif_has_the_state_of_each_result() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\xFE\xFE\xFE\n");
    dir.write("b", b"\xFF\n");
    write_baseline(&dir, &["a", "b"]);
    dir.write("a", b"\xFF\xFD\xFE\n");
    fs::remove_file(dir.path("b")).unwrap();
    let args = ["--check", "--format", "sarif", "--baseline", "base.jsonl", "a"];
    let output = oxiconv().args(args).current_dir(dir.0.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let run = sarif_run(&output.stdout);
    let results: Vec<_> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let print = result["partialFingerprints"]["oxiconvFinding/v1"].as_str().unwrap();
            let number = print.split_once(':').unwrap().1;
            let suppressed: Vec<_> = result["suppressions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| (it["kind"].as_str().unwrap(), it["status"].as_str().unwrap()))
                .collect();
            assert!(suppressed.is_empty() || suppressed == [("external", "accepted")]);
            let state = result["baselineState"].as_str().unwrap();
            let bytes = result["properties"]["bytes"].as_str().unwrap();
            (uri.as_str().unwrap(), bytes, number, state, suppressed.len())
        })
        .collect();
    // Of three equal findings, the second and the third are gone. They are one result, with a count of 2.
    assert_eq!(
        results,
        [
            ("a", "FF", "1", "unchanged", 1),
            ("a", "FD", "1", "new", 0),
            ("a", "FE", "1", "unchanged", 1),
            ("a", "FE", "2", "absent", 1),
            ("b", "FF", "1", "absent", 1),
        ]
    );
    assert_eq!(run["results"][3]["properties"]["count"], 2);
    assert_eq!(run["properties"]["known"], 2);
    let output = oxiconv().args(&args[..3]).arg("a").current_dir(dir.0.path()).output().unwrap();
    let run = sarif_run(&output.stdout);
    assert_eq!(run["results"][0].get("baselineState"), None);
    assert_eq!(run["results"][0].get("suppressions"), None);
}

#[test]
fn github_shows_new_findings_and_what_is_gone() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\xFE\n");
    write_baseline(&dir, &["a"]);
    dir.write("a", b"\xFF\xFD\n");
    let (status, out, _) = compare(&dir, &["--format", "github", "a"]);
    assert_eq!(status, 1);
    let commands: Vec<_> = out.lines().map(|line| line.split("::").nth(1).unwrap()).collect();
    assert!(commands[0].starts_with("error file=a,line=1,col=2,"), "{out}");
    assert!(out.contains("::notice file=a,title=oxiconv::1 known finding is gone;"), "{out}");
    assert!(out.contains("1 new finding in 1 file (1 invalid-byte), 1 known, 1 gone"), "{out}");
    assert_eq!(out.matches("::error").count(), 1, "{out}");
}

#[test]
fn names_of_files_with_new_findings_only() {
    let dir = Dir::new();
    dir.write("a", b"\xFF\n");
    dir.write("b", b"\xFF\n");
    write_baseline(&dir, &["a", "b"]);
    assert_eq!(compare(&dir, &["--files-with-findings", "a", "b"]).0, 0);
    dir.write("b", b"\xFF\n\xFF\n");
    let (status, out, err) = compare(&dir, &["--files-with-findings", "a", "b"]);
    assert_eq!((status, &out[..], &err[..]), (1, "b\n", ""));
}

/// These formats show only new findings. A finding has the same fingerprint with and without a baseline.
#[test]
fn gitlab_junit_and_html_leave_known_findings_out() {
    let dir = Dir::new();
    dir.write("a", b"one \xFA\n");
    write_baseline(&dir, &["a"]);
    dir.write("a", b"one \xFA, two \xFD, three \xFA\n");
    let run = |options: &[&str]| {
        let (status, out, err) = dir.run(&[&["--check", "a"], options].concat());
        assert_eq!((status, &err[..]), (1, ""), "{options:?}");
        out
    };
    for format in ["junit", "html"] {
        let (first, second) = ("byte 4 (0x4)", "byte 11 (0xb)");
        let out = run(&["--format", format]);
        assert!(out.contains(first) && out.contains(second), "{format}: {out}");
        let out = run(&["--format", format, "--baseline", "base.jsonl"]);
        assert!(!out.contains(first) && out.contains(second), "{format}: {out}");
    }
    let fingerprints = |options: &[&str]| -> Vec<String> {
        let issues: Vec<serde_json::Value> = serde_json::from_str(&run(options)).unwrap();
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let all = fingerprints(&["--format", "gitlab"]);
    let new = fingerprints(&["--format", "gitlab", "--baseline", "base.jsonl"]);
    assert_eq!((all.len(), &new[..]), (3, &all[1..]));
}

/// Warnings are counted, so they can be known findings. A kind that is turned off is no finding, neither known nor new.
#[test]
fn a_baseline_has_what_is_counted_under_the_rules_of_the_repository() {
    let dir = Dir::new();
    dir.write(
        "oxiconv.toml",
        b"[[rule]]\nseverity = { invalid-byte = \"off\", truncated = \"warning\" }\n",
    );
    dir.write("a", b"\xFF \xE2\x82x\n");
    write_baseline(&dir, &["a"]);
    let lines = String::from_utf8(dir.read("base.jsonl")).unwrap();
    assert!(lines.contains("truncated") && !lines.contains("invalid-byte"), "{lines}");
    assert_eq!(compare(&dir, &["a"]), (0, String::new(), String::new()));
    assert_eq!(places(&compare(&dir, &["--no-config", "a"]).1), ["a:1:1"]);
}
