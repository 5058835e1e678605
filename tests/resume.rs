//! `--resume`: work listed as done in the manifest is not repeated, unless something that it depends on has changed.

use std::fs::{self, File};
use std::io::Write;
use std::path::MAIN_SEPARATOR;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{Dir, start};
use crate::sample;

/// Returns what changes if a file is written again, because outputs are replaced by new files.
fn inode(dir: &Dir, name: &str) -> u64 {
    crate::system::identity(&dir.path(name))
}

/// Sets the modification time of a file.
fn touch(dir: &Dir, name: &str, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    File::options().append(true).open(dir.path(name)).unwrap().set_modified(time).unwrap();
}

#[track_caller]
fn ok(dir: &Dir, args: &[&str]) {
    assert_eq!(dir.run(args), (0, String::new(), String::new()), "{args:?}");
}

const SHARD: [&str; 9] =
    ["-f", "latin1", "--shard", "2/3", "in", "-o", "out", "--resume", "manifest"];

#[test]
fn an_output_that_is_done_is_not_written_again() {
    let dir = Dir::new();
    dir.write("in", &b"caf\xE9\n".repeat(30));
    ok(&dir, &SHARD);
    let first = inode(&dir, "out");
    assert_eq!(dir.read("out"), "café\n".repeat(10).as_bytes());
    ok(&dir, &SHARD);
    assert_eq!(inode(&dir, "out"), first, "it was written again");
    let (_, _, errors) = dir.run(&[&SHARD[..], &["-v"]].concat());
    assert_eq!(errors, "oxiconv: in: already done, according to the manifest\n");
    // Without --resume it is written again.
    ok(&dir, &SHARD[..7]);
    assert_ne!(inode(&dir, "out"), first);
}

#[test]
fn what_a_result_depends_on_is_compared() {
    let dir = Dir::new();
    dir.write("in", &b"caf\xE9\n".repeat(30));
    ok(&dir, &SHARD);
    let mut last = inode(&dir, "out");
    let mut is_redone = |dir: &Dir, what: &str, args: &[&str]| {
        ok(dir, args);
        assert_ne!(inode(dir, "out"), last, "{what}");
        last = inode(dir, "out");
        ok(dir, args);
        assert_eq!(inode(dir, "out"), last, "{what}: was done, but was repeated");
    };
    touch(&dir, "in", 1_000_000);
    is_redone(&dir, "the time of the input", &SHARD);
    let mut options = SHARD;
    options[1] = "windows-1252";
    is_redone(&dir, "the encoding", &options);
    options[3] = "1/3";
    is_redone(&dir, "the part", &options);
    is_redone(&dir, "a replacement", &[&options[..], &["--newline", "crlf"]].concat());
    // The first task is in the manifest too, but later tasks have since replaced its output.
    is_redone(&dir, "the output of another task", &SHARD);
    touch(&dir, "out", 2_000_000);
    is_redone(&dir, "the time of the output", &SHARD);
    File::options().append(true).open(dir.path("out")).unwrap().write_all(b"x").unwrap();
    is_redone(&dir, "the size of the output", &SHARD);
    fs::rename(dir.path("out"), dir.path("moved")).unwrap();
    ok(&dir, &SHARD);
    assert_eq!(dir.read("out"), "café\n".repeat(10).as_bytes(), "a missing output");
    // The result does not depend on the number of threads.
    let last = inode(&dir, "out");
    ok(&dir, &[&SHARD[..], &["-j", "1"]].concat());
    assert_eq!(inode(&dir, "out"), last);
    // A renamed input counts as a different one.
    fs::rename(dir.path("in"), dir.path("in2")).unwrap();
    let mut other = SHARD;
    other[4] = "in2";
    ok(&dir, &other);
    assert_ne!(inode(&dir, "out"), last);
}

#[test]
fn a_file_with_findings_is_done_again_and_reported_again() {
    let dir = Dir::new();
    dir.write("bad", b"a\xFF\n");
    let args = ["-e", "report", "bad", "-o", "out", "--resume", "manifest"];
    let first = dir.run(&args);
    assert_eq!(first.0, 1);
    assert!(first.2.contains("error[invalid-byte]"), "{}", first.2);
    assert_eq!(dir.run(&args), first);
    // A conversion that stops writes no output, and does not count as done.
    let args = ["bad", "-o", "none", "--resume", "manifest"];
    assert_eq!(dir.run(&args).0, 1);
    assert_eq!(dir.run(&args).0, 1);
    assert!(!dir.path("none").exists());
    assert_eq!(dir.read("manifest").iter().filter(|byte| **byte == b'\n').count(), 1);
}

#[test]
fn a_check_prints_the_same_document_again() {
    let dir = Dir::new();
    for number in 0..20 {
        let text =
            if number % 7 == 3 { "x\u{7}\n".repeat(number) } else { "grüße\n".repeat(number) };
        dir.write(&format!("tree/{number:02}"), text.as_bytes());
    }
    dir.write("tree/bad", b"\xFF");
    for options in [&[][..], &["--shard", "2/3"]] {
        let args = ["--check", "--deny", "control", "--format", "json", "-r", "tree"];
        let args = [&args[..], options].concat();
        let plain = dir.run(&args);
        assert_eq!(plain.0, if options.is_empty() { 1 } else { 0 });
        let resumed = [&args[..], &["--resume", "manifest"]].concat();
        for _ in 0..3 {
            assert_eq!(dir.run(&resumed), plain);
        }
    }
    // The manifest lists only the files without findings.
    let lines = String::from_utf8(dir.read("manifest")).unwrap();
    // On Windows, a backslash that JSON escapes.
    let has = |name: &str| lines.contains(&format!("tree{}{name}", MAIN_SEPARATOR.escape_debug()));
    assert!(has("00") && !has("bad") && !has("03"));
    // A conversion prints the same document again too, on standard error. It says that all files were written, even
    // those that an earlier run wrote.
    let args = ["-e", "replace", "-f", "utf-8", "--format", "json", "-r", "tree", "-O"];
    let (status, _, plain) = dir.run(&[&args[..], &["plain"]].concat());
    assert_eq!(status, 0, "{plain}");
    for _ in 0..2 {
        let resumed = [&args[..], &["out", "--resume", "manifest2"]].concat();
        assert_eq!(dir.run(&resumed), (0, String::new(), plain.clone()));
    }
    // The manifest itself is found in the tree, but it is not an input.
    let args = ["--check", "-r", ".", "--resume", "manifest", "--format", "json"];
    assert!(!dir.run(&args).1.contains("\"./manifest\""));
}

#[test]
fn rules_of_the_repository_are_part_of_what_a_check_depends_on() {
    let dir = Dir::new();
    dir.write("tree/a.txt", b"a\n");
    let args = ["--check", "-r", "tree", "--resume", "manifest"];
    assert_eq!(dir.run(&args).0, 0);
    dir.write("tree/.editorconfig", b"root = true\n[*]\nend_of_line = crlf\n");
    assert_eq!(dir.run(&args).0, 1);
}

fn wait_for(dir: &Dir, child: &mut Child, outputs: usize) {
    let began = Instant::now();
    let written = || fs::read_dir(dir.path("out/in")).map_or(0, Iterator::count);
    while written() < outputs && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "no output was written");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_that_was_killed_goes_on() {
    const FILES: usize = 600;
    let dir = Dir::new();
    for number in 0..FILES {
        dir.write(&format!("in/{number}"), format!("{number} caf\u{e9}\n").repeat(50).as_bytes());
    }
    let args = ["-t", "utf-16", "-r", "-O", "out", "--resume", "manifest", "in"];
    // With syncing, files are put in place in groups. Without it, each by itself, so the runs can be killed in between.
    let args = [&args[..], &["--no-sync", "-j", "2"]].concat();
    let mut killed = 0;
    let mut done = 0;
    for outputs in [20, 200, 400] {
        let mut child = start(dir.0.path(), &args);
        wait_for(&dir, &mut child, outputs);
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let lines = dir.read("manifest").iter().filter(|byte| **byte == b'\n').count();
        assert!(lines >= done, "the manifest lost lines");
        done = lines;
    }
    assert!(killed > 0 && done > 1, "{killed} were killed, {done} lines");
    let names = String::from_utf8(dir.read("manifest")).unwrap();
    let kept: Vec<_> = (0..FILES)
        .map(|number| format!("in/{number}"))
        .filter(|name| names.contains(&format!("{{\"text\":\"{name}\"}}")))
        .map(|name| (inode(&dir, &format!("out/{name}")), name))
        .collect();
    let (status, _, errors) = dir.run(&args);
    assert_eq!(status, 0, "{errors}");
    for (inode_before, name) in kept {
        assert_eq!(inode(&dir, &format!("out/{name}")), inode_before, "{name} was rewritten");
    }
    for number in 0..FILES {
        let text = format!("\u{feff}{}", format!("{number} caf\u{e9}\n").repeat(50));
        let expected: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(dir.read(&format!("out/in/{number}")) == expected, "{number}");
    }
}

#[test]
fn runs_at_the_same_time_do_no_harm() {
    let dir = Dir::new();
    let text = "line é\n".repeat(20_000);
    dir.write("in", text.as_bytes());
    let mut children = Vec::new();
    for copy in 0..3 {
        for k in 1..=4 {
            let _ = copy;
            let (shard, output) = (format!("{k}/4"), format!("out.{k}"));
            let args = ["--shard", &shard, "in", "-o", &output, "--resume", "manifest"];
            children.push(start(dir.0.path(), &args));
        }
    }
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let joined: Vec<_> = (1..=4).flat_map(|k| dir.read(&format!("out.{k}"))).collect();
    assert!(joined == text.as_bytes());
    let manifest = String::from_utf8(dir.read("manifest")).unwrap();
    for line in manifest.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    // Of two runs of a shard, one may have replaced the output last, and the other may have written its line last. Then the
    // next run writes the output once more. The one after that has nothing to do.
    for k in 1..=4 {
        let (shard, output) = (format!("{k}/4"), format!("out.{k}"));
        let args = ["--shard", &shard, "in", "-o", &output, "--resume", "manifest"];
        ok(&dir, &args);
        let last = inode(&dir, &output);
        ok(&dir, &args);
        assert_eq!(inode(&dir, &output), last);
    }
    let joined: Vec<_> = (1..=4).flat_map(|k| dir.read(&format!("out.{k}"))).collect();
    assert!(joined == text.as_bytes());
}

#[test]
fn an_unfinished_line_is_ignored_and_another_file_is_refused() {
    let dir = Dir::new();
    dir.write("in", &b"caf\xE9\n".repeat(30));
    ok(&dir, &SHARD);
    let whole = dir.read("manifest");
    let mut last = inode(&dir, "out");
    let mut is_written_again = false;
    let head = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in sample::every(4, head..whole.len()) {
        fs::write(dir.path("manifest"), &whole[..cut]).unwrap();
        let (status, _, errors) = dir.run(&SHARD);
        assert_eq!((status, &*errors), (0, ""), "{cut}");
        // The number of the first file may be that of a later one again.
        is_written_again |= inode(&dir, "out") != last;
        last = inode(&dir, "out");
    }
    assert!(is_written_again);
    ok(&dir, &SHARD);
    assert_eq!(inode(&dir, "out"), last, "the line after an unfinished one was ignored");
    for (bytes, said) in [
        (&b"name,value\n1,2\n"[..], "manifest: not a manifest"),
        (b"{}\n", "manifest: not a manifest"),
        (b"{\"manifest\":\"other\",\"version\":1}\n", "manifest: not a manifest"),
        (
            b"{\"manifest\":\"oxiconv\",\"version\":7}\n",
            "the manifest has version 7, but this program reads only version 1",
        ),
        (b"\xFF\0", "manifest: not a manifest"),
    ] {
        fs::write(dir.path("manifest"), bytes).unwrap();
        let (status, _, errors) = dir.run(&SHARD);
        assert!(status == 2 && errors.contains(said), "{errors}");
        assert_eq!(dir.read("manifest"), bytes, "the other file was changed");
    }
    // Lines that are not tasks are ignored.
    let odd = [&whole[..head], b"[]\n{\"task\":1}\nnull\n", &whole[head..]].concat();
    fs::write(dir.path("manifest"), &odd).unwrap();
    ok(&dir, &SHARD);
}

#[cfg(unix)]
#[test]
fn what_keeps_nothing_cannot_be_resumed() {
    let dir = Dir::new();
    dir.write("in", b"a\n");
    for (args, said) in [
        (&["in"][..], "--resume requires -o, -O or --check"),
        (&["-i", "in"], "--in-place cannot be combined with --resume"),
        (&["--check", "--baseline", "b", "in"], "--baseline"),
        (&["-O", "out", "--dry-run", "in"], "--dry-run"),
    ] {
        let (status, _, errors) = dir.run(&[args, &["--resume", "manifest"]].concat());
        assert!(status == 2 && errors.contains(said), "{errors}");
    }
    let (status, _, errors) = dir.run(&["--check", "in", "--resume", "/dev/null"]);
    assert_eq!((status, &*errors), (2, "oxiconv: /dev/null: a manifest must be a regular file\n"));
    let (status, _, errors) = dir.run(&["--check", "in", "--resume", "none/manifest"]);
    assert_eq!(status, 2);
    assert!(errors.starts_with("oxiconv: none/manifest: cannot open the manifest"), "{errors}");
}
