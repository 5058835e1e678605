//! Runs over any number of files take bounded memory. Names are not kept, the number of results that wait for their
//! turn is limited, and processing starts while the search for files continues.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::fd::OwnedFd;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Dir, start, texts};
use crate::sample;
#[cfg(unix)]
use rustix::fs::{Mode, OFlags};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

const BAD: &[u8] = b"bad \xFF\n";
/// The length of a name. It is long so that kept names would show in the memory use: 20,000 of them take 10 MB.
const LONG: usize = 500;
/// The accepted growth in KiB, for buffers and for what the allocator keeps.
const GROWTH: u64 = 1024;

/// Returns the peak resident set size of a running process in KiB.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Waits until all threads of a process have been asleep for ten looks in a row.
fn wait_until_idle(child: &Child) {
    let began = Instant::now();
    let mut idle = 0;
    while idle < 10 {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
        let waits = |stat: String| stat.rsplit(')').next().unwrap().trim_start().starts_with('S');
        let all_wait = threads
            .flatten()
            .all(|thread| fs::read_to_string(thread.path().join("stat")).is_ok_and(waits));
        idle = if all_wait { idle + 1 } else { 0 };
        assert!(began.elapsed() < Duration::from_secs(60), "the process never becomes idle");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Returns a path of about [`LONG`] bytes to the file `name`, with a terminating NUL.
fn long(name: &str) -> String {
    format!("{}{name}\0", "./".repeat((LONG - name.len()) / 2))
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_the_names_in_a_list() {
    let dir = Dir::new();
    dir.write("good", "grüße\n".as_bytes());
    for options in
        [&["--check", "-j1"][..], &["--check", "-j2"], &["--detect", "-q"], &["--explain"]]
    {
        let mut child = start(dir.0.path(), &[options, &["--files0-from", "-"]].concat());
        let mut names = child.stdin.take().unwrap();
        let mut out = child.stdout.take().unwrap();
        let reading = std::thread::spawn(move || {
            let _ = std::io::copy(&mut out, &mut std::io::sink());
        });
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut peaks = [0; 2];
        for (count, peak_then) in [2_000, 20_000].into_iter().zip(&mut peaks) {
            names.write_all(long("good").repeat(count).as_bytes()).unwrap();
            names.write_all(b"missing\0").unwrap();
            // Messages come in the order of the files, so all names before this one have been processed.
            let mut line = String::new();
            err.read_line(&mut line).unwrap();
            assert_eq!(line, "oxiconv: missing: No such file or directory\n");
            *peak_then = peak(&child);
        }
        drop(names);
        assert_eq!(child.wait().unwrap().code(), Some(2));
        reading.join().unwrap();
        println!("{options:?}: {peaks:?} KiB");
        assert!(peaks[1] < peaks[0] + GROWTH, "{options:?}: {peaks:?}");
    }
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_the_files_below_a_directory() {
    let dir = Dir::new();
    mkfifo(&dir.path("fifo"));
    let name = "n".repeat(200);
    // All names together are twice as long as the accepted growth, and four times in a thorough run.
    let many = if sample::is_thorough() { 20 } else { 10 };
    let peaks = [("few", 2), ("many", many)].map(|(top, directories)| {
        for at in 0..directories {
            let below = dir.path(&format!("{top}/{at}"));
            fs::create_dir_all(&below).unwrap();
            (0..1000)
                .for_each(|at| fs::write(below.join(format!("{name}{at}")), "text\n").unwrap());
        }
        let mut child = start(dir.0.path(), &["--check", "-j1", "-r", top, "fifo"]);
        wait_until_idle(&child);
        let peak = peak(&child);
        fs::write(dir.path("fifo"), "").unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert!(err.contains(&format!("{directories},001 files, ")), "{err}");
        assert!(child.wait().unwrap().success());
        peak
    });
    println!("{peaks:?} KiB");
    assert!(peaks[1] < peaks[0] + GROWTH, "{peaks:?}");
}

/// The first file is a FIFO, which blocks, and the results of all other files wait for it. Their number is limited, so
/// the program must stop reading the list.
#[cfg(unix)]
#[test]
fn what_waits_for_its_turn_is_bounded() {
    let dir = Dir::new();
    dir.write("good", b"text\n");
    mkfifo(&dir.path("fifo"));
    let (reader, mut names) = std::io::pipe().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .current_dir(dir.0.path())
        .args(["--check", "-j2", "--files0-from", "-"])
        .stdin(reader)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    names.write_all(b"fifo\0").unwrap();
    let flags = rustix::fs::fcntl_getfl(&names).unwrap();
    rustix::fs::fcntl_setfl(&names, flags | OFlags::NONBLOCK).unwrap();
    let name = long("good");
    let mut sent = 0;
    loop {
        // POSIX: a write of at most PIPE_BUF bytes to a pipe is atomic, so a name is never written in part.
        while names.write_all(name.as_bytes()).is_ok() {
            sent += 1;
        }
        wait_until_idle(&child);
        if names.write_all(name.as_bytes()).is_err() {
            break;
        }
        sent += 1;
        assert!(sent < 20_000, "the number of waiting files is not limited");
    }
    println!("{sent} names sent");
    fs::write(dir.path("fifo"), "").unwrap();
    rustix::fs::fcntl_setfl(&names, flags).unwrap();
    drop(names);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let files = err.split(" files, ").next().unwrap().replace([',', ' '], "");
    assert_eq!(files, format!("oxiconv:{}", sent + 1), "{err}");
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn findings_are_in_the_order_of_the_walk_with_any_number_of_threads() {
    let dir = Dir::new();
    let mut expected = String::new();
    // The walk sorts each directory by the bytes of its names.
    for name in ["B/x", "a/1", "a/10", "a/2", "a/b/c", "a/c", "a.d/1", "b"] {
        dir.write(&format!("t/{name}"), BAD);
        expected.push_str(&format!(
            "t/{name}:1:5: error[invalid-byte]: FF at byte 4 (0x4): FF never occurs in UTF-8\n"
        ));
    }
    dir.write("t/a/0", b"sound");
    dir.write("z", BAD);
    expected.insert_str(
        0,
        "z:1:5: error[invalid-byte]: FF at byte 4 (0x4): FF never occurs in UTF-8\n",
    );
    let one = dir.run(&["--check", "-r", "-j1", "z", "t"]);
    assert_eq!((one.0, &one.1), (1, &expected));
    for jobs in ["-j2", "-j8"] {
        for _ in 0..5 {
            assert_eq!(dir.run(&["--check", "-r", jobs, "z", "t"]), one);
        }
    }
}

/// Nests directories until their path is too long for the system, so that the walk fails there.
#[cfg(unix)]
fn unreadable(top: &Path) {
    let name = "d".repeat(250);
    let mut below: OwnedFd = fs::File::open(top).unwrap().into();
    for _ in 0..20 {
        rustix::fs::mkdirat(&below, &name, Mode::RWXU).unwrap();
        below = rustix::fs::openat(&below, &name, OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_error_in_the_middle_of_a_walk_ends_nothing_and_has_its_place() {
    let dir = Dir::new();
    dir.write("t/a", BAD);
    fs::create_dir(dir.path("t/b")).unwrap();
    unreadable(&dir.path("t/b"));
    dir.write("t/c", BAD);
    for jobs in ["-j1", "-j2"] {
        let (status, out, err) = dir.run(&["--check", "-q", "-r", "t", "--format", "json", jobs]);
        assert_eq!(status, 2, "{err}");
        let events: Vec<_> = out
            .lines()
            .filter(|line| {
                line.contains(r#""type":"finding""#) || line.contains(r#""type":"error""#)
            })
            .map(|line| {
                let has = |words: &str| line.contains(words);
                (has("t/a"), has("File name too long"), has("t/c"))
            })
            .collect();
        assert_eq!(events, [(true, false, false), (false, true, false), (false, false, true)]);
        assert!(err.ends_with(": File name too long\n"), "{err}");
    }
    fs::remove_dir_all(dir.path("t")).unwrap();
}

#[test]
fn files_are_processed_before_a_list_ends() {
    let dir = Dir::new();
    dir.write("bad", BAD);
    for jobs in ["-j1", "-j4"] {
        let mut child = start(dir.0.path(), &["--check", "-q", jobs, "--files0-from", "-"]);
        let mut names = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            // The zero byte completes the name. The file must be processed although nothing follows it yet.
            names.write_all(b"bad\0").unwrap();
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            assert!(line.starts_with("bad:1:5: error"), "{line}");
        }
        drop(names);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_run_over_a_list_without_end() {
    let dir = Dir::new();
    dir.write("bad", BAD);
    let mut child = start(dir.0.path(), &["--check", "-q", "-j2", "--files0-from", "-"]);
    let mut names = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    // The writer ends when the program closes its end of the pipe.
    let writing =
        std::thread::spawn(move || while names.write_all(&b"bad\0".repeat(100)).is_ok() {});
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    drop(out);
    writing.join().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(Signal::PIPE.as_raw()));
    assert!(output.stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_many_files_were_checked() {
    let dir = Dir::new();
    dir.write("bad", BAD);
    for (files, said) in [(0, "0"), (1, "1"), (3, "3")] {
        let mut child = start(dir.0.path(), &["--check", "-q", "-j1", "--files0-from", "-"]);
        let mut names = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..files {
            names.write_all(b"bad\0").unwrap();
            out.read_line(&mut String::new()).unwrap();
        }
        wait_until_idle(&child);
        let pid = Pid::from_child(&child);
        kill_process(pid, Signal::TERM).unwrap();
        let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        let said = format!("{said} checked so far; not all files were found yet\n");
        assert_eq!(err, format!("oxiconv: terminated: {said}"));
    }
}

/// Files before the error are checked and reported as usual. Files after it are not read.
#[test]
fn an_error_that_ends_the_search_comes_after_the_files_before_it() {
    let dir = Dir::new();
    dir.write("a/bad", BAD);
    dir.write("b/oxiconv.toml", b"nonsense\n");
    dir.write("b/bad", BAD);
    dir.write("c/bad", BAD);
    dir.write("list", b"a/bad\0\0c/bad\0");
    let finding = "a/bad:1:5: error[invalid-byte]: FF at byte 4 (0x4): FF never occurs in UTF-8\n";
    for (args, error) in [
        (&["--files0-from", "list"][..], "list: empty file name\n"),
        (&["-r", "a", "b", "c"], "oxiconv: b/oxiconv.toml:1:"),
    ] {
        let (status, out, err) = dir.run(&[&["--check", "-q", "-j2"], args].concat());
        assert_eq!((status, &out[..]), (2, finding), "{args:?}: {err}");
        assert!(err.contains(error), "{args:?}: {err}");
    }
    // If the error comes first, nothing is checked and there is no summary.
    let (status, out, err) = dir.run(&["--check", "-r", "b", "a"]);
    assert_eq!((status, &out[..]), (2, ""), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn a_name_that_never_ends_is_an_error_and_takes_no_memory() {
    let dir = Dir::new();
    let mut child = start(dir.0.path(), &["--check", "--files0-from", "-"]);
    let mut names = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || while names.write_all(&[b'x'; 4096]).is_ok() {});
    let (status, out, err) = texts(child.wait_with_output().unwrap());
    writing.join().unwrap();
    assert_eq!((status, &out[..]), (2, ""));
    let expected = "oxiconv: -: a file name is longer than 64 KiB (names end with a zero byte)\n";
    assert_eq!(err, expected);
}

/// Standard input cannot be both the list and a file.
#[test]
fn a_list_on_standard_input_does_not_name_standard_input() {
    let dir = Dir::new();
    dir.write("bad", BAD);
    for (args, expected) in [(&["--check", "-q"][..], 2), (&["-e", "replace"], 2)] {
        let mut child = start(dir.0.path(), &[args, &["--files0-from", "-"]].concat());
        child.stdin.take().unwrap().write_all(b"-\0bad\0").unwrap();
        let (status, _, err) = texts(child.wait_with_output().unwrap());
        assert_eq!(
            (status, &err[..]),
            (expected, "oxiconv: -: standard input is the list of names\n")
        );
    }
}

/// The file that standard output goes to must not be an input, whether the list comes from a file or a pipe.
#[test]
fn standard_output_in_a_list_is_refused() {
    let dir = Dir::new();
    let own = dir.write("own", BAD);
    dir.write("bad", BAD);
    dir.write("list", b"bad\0own\0");
    let error = "oxiconv: own: is also the output (use -i or -o to convert it in place)\n";
    for (list, piped, before) in [("list", &b""[..], ""), ("-", b"bad\0own\0", "bad:1:5: error")] {
        fs::write(&own, "").unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .current_dir(dir.0.path())
            .args(["--check", "-q", "--files0-from", list])
            .stdin(Stdio::piped())
            .stdout(fs::File::options().append(true).open(&own).unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(piped).unwrap();
        let (status, _, err) = texts(child.wait_with_output().unwrap());
        assert_eq!((status, &err[..]), (2, error), "{list}");
        let written = fs::read_to_string(&own).unwrap();
        assert!(
            written.starts_with(before) && written.is_empty() == before.is_empty(),
            "{written}"
        );
    }
}

/// Cached directories without rules are dropped from time to time. Those above the current one must stay cached, since
/// reading them again would repeat their note.
#[test]
fn a_note_on_rules_comes_once_however_many_directories_there_are() {
    let dir = Dir::new();
    fs::create_dir_all(dir.path("t/.editorconfig")).unwrap();
    fs::create_dir(dir.path("t/.git")).unwrap();
    for at in 0..3_000 {
        dir.write(&format!("t/{at:04}/f"), b"text\n");
    }
    dir.write("t/2999/.editorconfig", b"[*]\ncharset = nope\n");
    let (status, _, err) = dir.run(&["--check", "-r", "t"]);
    assert_eq!(status, 0, "{err}");
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert_eq!(lines[0], "oxiconv: t/.editorconfig: cannot be read: not a regular file; ignored");
    assert!(lines[1].starts_with("oxiconv: t/2999/.editorconfig:2: unknown value"), "{err}");
}

/// Conversion in place lists the files twice: once for the plan, and again while it converts. The second list also
/// contains the backups that the run has made.
#[test]
fn what_a_run_makes_is_not_one_of_its_inputs() {
    let dir = Dir::new();
    for at in 0..30 {
        dir.write(&format!("t/{}/{at}", at / 10), b"caf\xE9\n");
    }
    // A file with two names counts as two files.
    fs::hard_link(dir.path("t/0/1"), dir.path("t/2/other")).unwrap();
    let (status, _, err) =
        dir.run(&["-f", "latin1", "-i.bak", "-r", "--no-sync", "t", "t/1", "t/0/1"]);
    assert_eq!(status, 0, "{err}");
    assert!(err.ends_with("oxiconv: 31 written\n"), "{err}");
    for at in 0..30 {
        assert_eq!(dir.read(&format!("t/{}/{at}", at / 10)), "café\n".as_bytes());
        assert_eq!(dir.read(&format!("t/{}/{at}.bak", at / 10)), b"caf\xE9\n");
    }
    assert_eq!(dir.read("t/2/other"), "café\n".as_bytes());
    let files = |top: &str| fs::read_dir(dir.path(top)).unwrap().count();
    assert_eq!(["t/0", "t/1", "t/2"].map(files), [20, 20, 22]);
}

#[test]
fn a_file_that_is_named_several_times_is_converted_once() {
    let dir = Dir::new();
    dir.write("a", b"caf\xE9\n");
    dir.write("b", b"caf\xE9\n");
    dir.write("list", b"./a\0a\0b\0b\0");
    let list: &[u8] = &dir.read("list");
    for (from, piped) in [("list", &b""[..]), ("-", list)] {
        fs::write(dir.path("a"), b"caf\xE9\n").unwrap();
        fs::write(dir.path("b"), b"caf\xE9\n").unwrap();
        let mut child =
            start(dir.0.path(), &["-f", "latin1", "-i", "-r", "--files0-from", from, "a", "./b"]);
        child.stdin.take().unwrap().write_all(piped).unwrap();
        let (status, _, err) = texts(child.wait_with_output().unwrap());
        assert_eq!((status, &err[..]), (0, "oxiconv: 2 written\n"));
        assert_eq!([dir.read("a"), dir.read("b")], ["café\n".as_bytes(); 2]);
    }
}

/// The whole list is read before anything is written, even if it comes through a pipe.
#[cfg(unix)]
#[test]
fn conflicts_of_files_far_apart_are_refused_and_named() {
    let dir = Dir::new();
    for name in ["a", "a.bak", "b", "o/b"] {
        dir.write(name, b"caf\xE9\n");
    }
    for (args, expected) in [
        (
            &["-i.bak"][..],
            "oxiconv: ./a.bak is an input, but would also be the backup of a; nothing was written",
        ),
        (&["-O", "o"], "oxiconv: o/b would be overwritten, but is also an input, o/b\n"),
    ] {
        let mut child =
            start(dir.0.path(), &[args, &["-f", "latin1", "--files0-from", "-"]].concat());
        child.stdin.take().unwrap().write_all(b"a\0b\0o/b\0./a.bak\0a.bak\0").unwrap();
        let (status, _, err) = texts(child.wait_with_output().unwrap());
        assert_eq!(status, 2, "{err}");
        let root = dir.0.path().canonicalize().unwrap();
        let expected = expected.replace("{root}", root.to_str().unwrap());
        assert!(err.starts_with(&expected), "{err}");
    }
    for name in ["a", "a.bak", "b", "o/b"] {
        assert_eq!(dir.read(name), b"caf\xE9\n");
    }
}
