//! `--diff`: shows how files would change, and changes none. The diffs are written by hand; git, if it is installed,
//! is asked whether it reads them.

#[cfg(unix)]
use std::fs;
#[cfg(target_os = "linux")]
use std::io::Read;
use std::process::Command;

use crate::common::{Dir, oxiconv, texts};
use crate::scene::skipped;

/// Runs the program in a directory of files, which must be the same afterwards. Returns its exit status and outputs.
fn run(files: &[(&str, &[u8])], args: &[&str]) -> (i32, String, String) {
    let dir = Dir::new();
    for (name, bytes) in files {
        dir.write(name, bytes);
    }
    let result = dir.run(args);
    for (name, bytes) in files {
        assert_eq!(dir.read(name), *bytes, "{name} {args:?}");
    }
    let names = files.iter().map(|(name, _)| name.split('/').next().unwrap().to_owned());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names.dedup();
    assert_eq!(dir.names(), names, "{args:?}");
    result
}

/// Returns the diff of one file, `f`. There must be no messages.
fn diff(text: &[u8], args: &[&str]) -> String {
    let args = [args, &["--diff", "f"]].concat();
    let (status, diff, messages) = run(&[("f", text)], &args);
    assert_eq!((status, &messages[..]), (0, ""), "{args:?}");
    diff
}

#[test]
fn what_is_read_in_another_encoding_is_shown_byte_by_byte() {
    assert_eq!(
        diff(b"one\ncaf\xE9 \xA9\nthree\n", &["-f", "latin1"]),
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-caf\\xE9 \\xA9\n+café ©\n three\n"
    );
    // Not well-formed in the target.
    assert_eq!(
        diff("café\n".as_bytes(), &["-t", "latin1"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-café\n+caf\\xE9\n"
    );
    assert_eq!(
        diff(b"caf\xE9 \xD0\xB6\n", &["--fallback", "latin1", "-q"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-caf\\xE9 ж\n+café ж\n"
    );
    assert_eq!(
        diff(
            b"one\n\xD0\xB6 a\n\xE6\xE8\xE7\xED\xFC \xE8 \xEC\xE8\xF0\n",
            &["-f", "auto-lines", "-q"]
        ),
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n ж a\n-\\xE6\\xE8\\xE7\\xED\\xFC \\xE8 \\xEC\\xE8\\xF0\n\
         +жизнь и мир\n"
    );
}

#[test]
fn each_file_that_would_change_is_shown_in_the_order_of_the_command_line() {
    let files: &[(&str, &[u8])] =
        &[("b", "dÃ©jÃ\u{A0} vu\n".as_bytes()), ("c", b"plain\n"), ("a", "cafÃ©\n".as_bytes())];
    let (status, out, err) = run(files, &["--repair", "--diff", "b", "c", "a"]);
    assert_eq!(
        out,
        "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-dÃ©jÃ\u{A0} vu\n+déjà vu\n\
         --- a/a\n+++ b/a\n@@ -1 +1 @@\n-cafÃ©\n+café\n"
    );
    assert_eq!(
        (status, &err[..]),
        (
            0,
            "oxiconv: b: 1 damaged part would be repaired\noxiconv: a: 1 damaged part would be repaired\n\
             oxiconv: 2 would be written, 1 unchanged\n"
        )
    );
    // The same, whatever says that files are converted in place.
    for also in [&["-i"][..], &["-i.bak"], &["-j8"]] {
        let args = [&["--repair", "-q", "--diff", "b", "c", "a"], also].concat();
        assert_eq!(run(files, &args), (0, out.clone(), String::new()), "{also:?}");
    }
    // The diff replaces the list of what would be repaired, unless that is asked for.
    let (_, listed, err) = run(files, &["--repair", "--dry-run", "--diff", "a"]);
    assert!(listed.ends_with("+café\n") && err.starts_with("a:1:4: note[mojibake]"), "{err}");
}

#[test]
fn files_in_directories_are_found() {
    let (status, out, err) = run(
        &[
            ("d/e/a", b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?\n"),
            ("d/b", b"\x00\x01\x02"),
        ],
        &["-f", "auto", "--diff", "-i", "-r", "."],
    );
    assert_eq!(
        out,
        "--- a/d/e/a\n+++ b/d/e/a\n@@ -1 +1 @@\n\
         -\\xCF\\xF0\\xE8\\xE2\\xE5\\xF2, \\xEA\\xE0\\xEA \\xE4\\xE5\\xEB\\xE0?\n\
         +Привет, как дела?\n"
    );
    assert_eq!((status, &err[..]), (0, "oxiconv: 1 would be written, 1 skipped as binary\n"));
}

#[test]
fn changed_line_ends_can_be_seen() {
    assert_eq!(
        diff(b"a\r\nb\r\n", &["--newline", "lf"]),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\\r\n-b\\r\n+a\n+b\n"
    );
    assert_eq!(
        diff(b"a\nb", &["--newline", "crlf", "--final-newline"]),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\\r\n+b\\r\n"
    );
    // An old Mac has written some of the lines.
    assert_eq!(
        diff(b"1\n2\n3\n4\na\rb\r5\n6\n7\n8\n", &["--newline", "lf"]),
        "--- a/f\n+++ b/f\n@@ -2,7 +2,9 @@\n 2\n 3\n 4\n-a\\rb\\r5\n+a\n+b\n+5\n 6\n 7\n 8\n"
    );
    assert_eq!(
        diff(b"a\nb", &["--final-newline"]),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    );
}

#[test]
fn a_byte_order_mark_can_be_seen() {
    assert_eq!(
        diff(b"\xEF\xBB\xBFa\n", &["--bom", "strip"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\\u{FEFF}a\n+a\n"
    );
    assert_eq!(diff(b"a\n", &["--bom", "add"]), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+\\u{FEFF}a\n");
}

#[test]
fn text_without_ascii_is_decoded_first() {
    let utf16 = b"\xFF\xFEh\0\xE9\0\r\0\n\0x\0";
    for from in ["utf-16", "auto"] {
        assert_eq!(
            diff(utf16, &["-f", from, "-q"]),
            "--- a/f\n+++ b/f\nUTF-16 to UTF-8: the text stays the same\n"
        );
    }
    assert_eq!(
        diff(utf16, &["-f", "utf-16", "--newline", "lf"]),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-hé\\r\n+hé\n x\n\\ No newline at end of file\n"
    );
    assert_eq!(
        diff("hé\r\n".as_bytes(), &["-t", "utf-16", "--newline", "lf"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-hé\\r\n+hé\n"
    );
    assert_eq!(
        diff(b"h\xE9\n", &["-f", "latin1", "-t", "utf-16le"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-h\\xE9\n+hé\n"
    );
    // Without a mark, the output is big-endian.
    assert_eq!(
        diff(b"a\n", &["-t", "utf-16", "--bom", "strip"]),
        "--- a/f\n+++ b/f\nUTF-8 to UTF-16: the text stays the same\n"
    );
    // An unpaired surrogate.
    assert_eq!(
        diff(b"\0a\xDC\0\0\n", &["-f", "utf-16be", "-e", "replace", "-q"]),
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\\xDC\\x00\n+a\u{FFFD}\n"
    );
}

#[test]
fn ebcdic_is_decoded_as_the_options_say() {
    assert_eq!(
        diff(b"\x88\x85\x93\x93\x96\x15", &["-f", "ibm1047", "--ebcdic-newline", "lf"]),
        "--- a/f\n+++ b/f\nIBM1047 to UTF-8: the text stays the same\n"
    );
    assert_eq!(
        diff(b"\x88\x89\x15", &["-f", "ibm1047"]),
        "--- a/f\n+++ b/f\nIBM1047 to UTF-8: the text stays the same\n"
    );
    // NEL becomes a line end.
    assert_eq!(
        diff(b"\x88\x15\x89\x15", &["-f", "ibm1047", "--newline", "lf"]),
        "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n-h\\u{85}i\\u{85}\n\\ No newline at end of file\n+h\n+i\n"
    );
    // A record is a line.
    assert_eq!(
        diff(b"\x88\x89\x88\x40", &["-f", "ibm1047", "--record-length", "2", "--trim-records"]),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n hi\n-h \n+h\n"
    );
}

#[test]
fn a_file_that_would_not_change_is_not_shown() {
    assert_eq!(diff("café\n".as_bytes(), &[]), "");
    assert_eq!(diff(b"", &["--final-newline"]), "");
    let (status, out, err) = run(&[("f", b"a\n")], &["-v", "--newline", "lf", "--diff", "f"]);
    assert_eq!((status, &out[..]), (0, ""));
    assert!(err.ends_with("oxiconv: f: unchanged: no byte would change\n"), "{err}");
}

/// Statuses and messages are those of `-i --dry-run`.
#[test]
fn files_that_fail_or_are_refused_are_reported_as_in_a_dry_run() {
    let files: &[(&str, &[u8])] =
        &[("bad", b"caf\xE9 a\n"), ("good", b"a\r\n"), ("utf8", "é\n".as_bytes())];
    let dry = |args: &[&str]| run(files, &[&["-i", "--dry-run"], args].concat());
    let diff = |args: &[&str]| run(files, &[&["--diff"], args].concat());
    // A fault.
    let args = ["--newline", "lf", "bad"];
    assert_eq!(dry(&args).0, 1);
    assert_eq!(diff(&args), dry(&args));
    assert!(diff(&args).2.ends_with("oxiconv: bad: would not be written\n"));
    // UTF-8 is refused.
    let args = ["-f", "latin1", "utf8"];
    assert_eq!(dry(&args).0, 1);
    assert_eq!(diff(&args), dry(&args));
    // The others are shown.
    let (status, out, err) = diff(&["--newline", "lf", "bad", "none", "good"]);
    assert_eq!((status, &out[..]), (2, "--- a/good\n+++ b/good\n@@ -1 +1 @@\n-a\\r\n+a\n"));
    assert!(err.contains("oxiconv: none: No such file"), "{err}");
    assert!(err.ends_with("oxiconv: 1 would be written, 2 failed\n"), "{err}");
    // What is left out leaves a status, too.
    let (status, out, _) = diff(&["-c", "-q", "bad"]);
    assert_eq!((status, &out[..]), (1, "--- a/bad\n+++ b/bad\n@@ -1 +1 @@\n-caf\\xE9 a\n+caf a\n"));
}

#[cfg(unix)]
#[test]
fn colours_are_for_terminals_or_on_request() {
    const PLAIN: &str = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-\\xE9\n+é\n";
    const COLOURED: &str = "\x1B[1m--- a/f\x1B[0m\n\x1B[1m+++ b/f\x1B[0m\n\x1B[36m@@ -1,2 +1,2 @@\x1B[0m\n a\n\
         \x1B[31m-\x1B[7m\\xE9\x1B[27m\x1B[0m\n\x1B[32m+é\x1B[0m\n";
    let latin1 = |args: &[&str]| diff(b"a\n\xE9\n", &[&["-f", "latin1"], args].concat());
    assert_eq!(latin1(&[]), PLAIN);
    assert_eq!(latin1(&["--color", "never"]), PLAIN);
    let coloured = latin1(&["--color", "always"]);
    assert_eq!(coloured, COLOURED);
    // On a terminal.
    let dir = Dir::new();
    dir.write("f", b"a\n\xE9\n");
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    let script = Command::new("script")
        .current_dir(dir.0.path())
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .args(["-qec", &format!("{program} -f latin1 --diff f"), "/dev/null"])
        .output();
    let Ok(output) = script else { return skipped("script is not installed") };
    let shown = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    assert_eq!(shown, coloured);
}

/// No text of a file and no name can move the cursor, change colours or hide.
#[cfg(unix)]
#[test]
fn nothing_in_a_file_reaches_the_terminal() {
    let text = "a\x1B]0;title\x07\x1B[2J\u{9B}31m\u{202E}\u{200B}\u{2028}\0\x08\x7F\u{E0041}\rb\n";
    let shown = "a\\u{1B}]0;title\\u{7}\\u{1B}[2J\\u{9B}31m\
                 \\u{202E}\\u{200B}\\u{2028}\\u{0}\\u{8}\\u{7F}\\u{E0041}\\rb";
    let name = "n\x1B[2J\u{202E}";
    let (_, out, _) = run(&[(name, text.as_bytes())], &["--bom", "add", "--diff", name]);
    assert_eq!(
        out,
        format!(
            "--- a/n\\u{{1b}}[2J\\u{{202e}}\n+++ b/n\\u{{1b}}[2J\\u{{202e}}\n@@ -1 +1 @@\n\
             -{shown}\n+\\u{{FEFF}}{shown}\n"
        )
    );
    // Every byte, before and after.
    let all: Vec<_> = (0..=255).collect();
    for args in [&["-f", "latin1", "--newline", "crlf"][..], &["-e", "replace", "-q"]] {
        let diff = diff(&all, args);
        assert!(diff.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'), "{diff:?}");
    }
}

#[test]
fn a_file_that_is_too_large_is_named_and_not_shown() {
    const TOO_LARGE: &str = "--- a/f\n+++ b/f\n\
         The file is too large to show: over 4 MiB (--dry-run says whether it would change)\n";
    const MOST: usize = 4 << 20;
    assert_eq!(diff(&b"a\r\n".repeat(MOST / 3 + 1), &["--newline", "lf"]), TOO_LARGE);
    // The result alone is too large.
    assert_eq!(diff(&b"a\n".repeat(MOST / 2), &["--newline", "crlf"]), TOO_LARGE);
    assert_eq!(diff(&b"a".repeat(MOST + 1), &["--newline", "lf"]), "");
    // As large as possible, and all different.
    let lines = MOST / 3;
    let shown = diff(&b"a\r\n".repeat(lines), &["--newline", "lf"]);
    let (head, rest) = shown.split_at("--- a/f\n+++ b/f\n@@ -1,1398101 +1,1398101 @@\n".len());
    assert_eq!(head, format!("--- a/f\n+++ b/f\n@@ -1,{lines} +1,{lines} @@\n"));
    assert!(rest == "-a\\r\n".repeat(lines) + &"+a\n".repeat(lines));
}

/// The promise is 64 MiB, whatever the file is.
#[cfg(unix)]
#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded() {
    const MOST: usize = 4 << 20;
    let dir = Dir::new();
    let skips = ["--deny", "nul", "--denied", "skip", "--newline", "lf"];
    // The CR becomes a line end, so that the texts have different numbers of lines.
    let repeated = |text: &str, end: &str| text.repeat((MOST - 8) / text.len()) + end;
    let distinct: String = (0..130_000).map(|line| format!("{line}\n\0\n")).collect();
    let wide = "\u{4E00}\n".repeat(MOST / 6).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let texts: [(&str, Vec<u8>, &[&str]); 4] = [
        // Every other character is an escape in colour.
        ("escapes", repeated("\x07a", "").into(), &["--bom", "add", "--color=always"]),
        // The most lines.
        ("short", repeated("\n\0\n", "\rx").into(), &skips),
        // The most lines in which those in common are searched for.
        ("distinct", (distinct + "\rx").into(), &skips),
        // Both sides are decoded.
        ("wide", wide, &["-f", "utf-16le", "-t", "utf-16be", "--newline", "crlf"]),
    ];
    for (name, text, args) in texts {
        dir.write(name, &text);
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .current_dir(dir.0.path())
            .args(args)
            .args(["-q", "--diff", name])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = program.stdout.take().unwrap();
        let (mut piece, mut most, mut len) = (vec![0; 64 << 10], 0, 0);
        loop {
            let read = output.read(&mut piece).unwrap();
            if read == 0 {
                break;
            }
            len += read;
            let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let peak = peak.map(|peak| peak.trim_end_matches("kB").trim().parse().unwrap());
            most = most.max(peak.unwrap_or(0));
        }
        assert!(program.wait().unwrap().success(), "{name}");
        assert!(len > text.len(), "{name}: {len} bytes");
        assert!(most > 0 && most <= 64 << 10, "{name}: {most} KiB");
    }
}

#[test]
fn what_it_cannot_be_combined_with_is_refused() {
    let needs = "which requires a conversion in place";
    for (args, message) in [
        (&["--check", "f"][..], format!("--check cannot be combined with --diff, {needs}")),
        (&["--explain", "f"], format!("--explain cannot be combined with --diff, {needs}")),
        (&["--detect", "f"], format!("--detect cannot be combined with --diff, {needs}")),
        (&["--names", "f"], format!("--names cannot be combined with --diff, {needs}")),
        (&["--list"], format!("--list cannot be combined with --diff, {needs}")),
        (&["-O", "out", "f"], format!("--output-dir cannot be combined with --diff, {needs}")),
        (&["-o", "out", "f"], "--diff cannot be combined with --output".to_owned()),
        (&["-i", "-o", "out", "f"], "--in-place cannot be combined with --output".to_owned()),
        (&["--shard", "1/2", "f"], "--diff cannot be combined with --shard".to_owned()),
        (&["--format", "json", "f"], "--diff cannot be combined with --format json, only with text".to_owned()),
        (&["--format", "github", "f"], "--diff cannot be combined with --format github, only with text".to_owned()),
        (
            &[],
            "--diff requires files: standard input is not converted in place (name a FILE, or use -r)".to_owned(),
        ),
        (
            &["f", "-"],
            "--diff requires files: standard input is not converted in place (name a FILE, or use -r)".to_owned(),
        ),
    ] {
        let (status, out, err) = run(&[("f", b"a\r\n")], &[&["--diff"], args].concat());
        assert_eq!((status, &out[..], err), (2, "", format!("oxiconv: {message}\n")), "{args:?}");
    }
    // A list of names is no input.
    let dir = Dir::new();
    dir.write("f", b"a\r\n");
    let mut command = oxiconv();
    command.current_dir(dir.0.path()).args(["--newline", "lf", "--diff", "--files0-from", "-"]);
    let (status, out, _) = texts(command.write_stdin("f").output().unwrap());
    assert_eq!((status, &out[..]), (0, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\\r\n+a\n"));
}

#[cfg(unix)]
#[test]
fn standard_output_that_fails_is_an_error_and_a_closed_pipe_is_none() {
    let dir = Dir::new();
    dir.write("f", b"a\r\n");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    command.current_dir(dir.0.path()).args(["--newline", "lf", "--diff", "f", "f"]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command.stdout(full).output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap()),
        (Some(2), "oxiconv: (standard output): cannot write: No space left on device\n".to_owned())
    );
    dir.write("long", &b"a\r\n".repeat(300_000));
    let shown = crate::common::shell("oxiconv --newline lf --diff long | head -n 3", dir.0.path());
    assert_eq!(
        String::from_utf8(shown).unwrap(),
        "--- a/long\n+++ b/long\n@@ -1,300000 +1,300000 @@\n"
    );
}

/// A diff of text in UTF-8 is a patch. git applies it, and the result is that of `-i`.
#[cfg(unix)]
#[test]
fn git_applies_the_diff() {
    let dir = Dir::new();
    let mut text = String::new();
    for line in 0..200 {
        text.push_str(match line % 17 {
            0 => "cafÃ©\n",
            3 | 5 => "\n",
            9 => "\tplain }\n",
            _ => "line\n",
        });
    }
    text.push_str("dÃ©jÃ\u{A0} vu");
    let options = ["--repair", "--final-newline", "-q"];
    let name = "my file";
    dir.write(name, text.as_bytes());
    let (status, patch, _) = dir.run(&[&options[..], &["--diff", name]].concat());
    assert_eq!(status, 0);
    dir.write("patch", patch.as_bytes());
    let git = |args: &[&str]| {
        Command::new("git")
            .current_dir(dir.0.path())
            .env("GIT_CEILING_DIRECTORIES", dir.0.path().parent().unwrap())
            .args(args)
            .output()
    };
    let Ok(applied) = git(&["apply", "patch"]) else { return skipped("git is not installed") };
    assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
    dir.write("converted", text.as_bytes());
    assert_eq!(dir.run(&[&options[..], &["-i", "converted"]].concat()).0, 0);
    assert_eq!(dir.read(name), dir.read("converted"));
    // The hunks are those of git.
    dir.write(name, text.as_bytes());
    let theirs =
        git(&["diff", "--no-index", "--no-color", "--no-prefix", name, "converted"]).unwrap();
    let hunks = |diff: &str| diff[diff.find("@@").unwrap()..].to_owned();
    let without_names = |diff: String| {
        let lines = diff.lines().map(|line| match line.strip_prefix("@@ ") {
            Some(range) => format!("@@ {}@@", range.split("@@").next().unwrap()),
            None => line.to_owned(),
        });
        lines.collect::<Vec<_>>()
    };
    let theirs = String::from_utf8(theirs.stdout).unwrap();
    assert_eq!(without_names(hunks(&patch)), without_names(hunks(&theirs)));
}
