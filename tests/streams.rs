//! Streams and the system: pipes, memory, closed pipes, interrupts, truncated files, full disks.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::sample;

fn oxiconv(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    command.args(args);
    command
}

fn piped(args: &[&str]) -> Child {
    oxiconv(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the peak resident memory of a running process in KiB.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// At the start, and after so much fast input that a separate thread reads ahead.
#[test]
fn what_a_pipe_gave_is_written_before_the_next_read() {
    let line = "x".repeat(1023) + "\n";
    let much = line.repeat(8 * 1024);
    for (args, before) in [
        (&["-f", "latin1"][..], ""),
        (&["-f", "latin1", "-j", "2"], &much),
        (&["-f", "koi8-r", "-t", "latin1", "-j", "4"], &much),
        // A letter may be held back for a mark, but a line must not be held back for the next one.
        (&["-t", "latin1//TRANSLIT", "-j", "4"], &much),
    ] {
        let mut child = piped(args);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        std::thread::scope(|scope| {
            scope.spawn(|| input.write_all(before.as_bytes()).unwrap());
            let mut got = vec![0; before.len()];
            output.read_exact(&mut got).unwrap();
            assert!(got == before.as_bytes());
        });
        for line in ["one", "two", "three"] {
            writeln!(input, "{line}").unwrap();
            let mut got = String::new();
            // This would wait forever if the line were held back.
            output.read_line(&mut got).unwrap();
            assert_eq!(got.trim_end(), line);
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[cfg(unix)]
#[test]
fn what_is_said_of_a_text_as_a_whole_stands_after_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("swapped");
    // Little-endian, although UTF-16 without a mark is read as big-endian.
    let text: Vec<u8> = "The quick brown fox.\n".bytes().flat_map(|byte| [byte, 0]).collect();
    fs::write(&path, text.repeat(200_000)).unwrap();
    for from in [r#"cat "$1" | "$0" -f utf-16 -j2 2>&1"#, r#""$0" -f utf-16 -j1 "$1" 2>&1"#] {
        let program = assert_cmd::cargo::cargo_bin!("oxiconv");
        let output =
            Command::new("sh").args(["-c", from]).arg(program).arg(&path).output().unwrap();
        assert!(output.stdout.ends_with(b"no byte order mark (see --endian)\n"), "{from}");
    }
}

/// If there is no memory for reading ahead, a long stream is read like a short one.
#[cfg(unix)]
#[test]
fn a_stream_needs_little_memory() {
    let line = b"as little as it may be\n".repeat(1000);
    let limited = r#"ulimit -v "$1" && exec "$0" -f latin1 -j2"#;
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    // Enough for the program's own mapping, and a little more.
    let size = fs::metadata(program).unwrap().len() / 1024;
    let mut child = Command::new("sh")
        .args(["-c", limited])
        .arg(program)
        .arg((size + 12 * 1024).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || (0..600).try_for_each(|_| input.write_all(&line)));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(output.stdout.len(), 600 * 23_000);
}

/// The program must not wait for the thread that reads the pipe, because the pipe may never yield more.
#[test]
fn a_stop_ends_it_though_the_pipe_stays_open() {
    let mut child = piped(&["-t", "utf-16", "-j", "2"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let mut text = vec![b'x'; 8 << 20];
    *text.last_mut().unwrap() = 0xFF;
    // The byte after FF shows that it is ill-formed. The pipe stays open.
    text.push(b'x');
    let _ = input.write_all(&text);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(reader.join().unwrap().unwrap(), 2 * (8 << 20));
    drop(input);
}

#[test]
fn a_character_cut_by_a_read_is_written_when_it_is_whole_and_reported_when_it_stays_cut() {
    let mut child = piped(&["-t", "utf-16be"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    input.write_all(b"a\xE2\x82").unwrap();
    let mut got = [0; 2];
    output.read_exact(&mut got).unwrap();
    assert_eq!(&got, b"\0a");
    input.write_all(b"\xAC\xF0\x9F").unwrap();
    output.read_exact(&mut got).unwrap();
    assert_eq!(&got, b"\x20\xAC");
    drop(input);
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    assert!(rest.is_empty());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains(":1:3: error[truncated-at-end]: F0 9F at byte 4 (0x4)"), "{err}");
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_a_pipe() {
    // 96 MiB are more than the limit, so growth would show.
    let piece = "grüße, привет, 你好 😀\n".repeat(2000);
    let commands = [
        &["-t", "utf-16"][..],
        &["-t", "ascii", "-e", "replace"],
        &["--check", "-f", "ascii"],
        &["-f", "auto-lines"],
    ];
    for args in sample::every(4, commands) {
        let mut child = piped(args);
        let mut input = child.stdin.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let mut errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        for _ in 0..96 * 1024 * 1024 / piece.len() {
            input.write_all(piece.as_bytes()).unwrap();
        }
        let kib = peak(&child);
        drop(input);
        child.wait().unwrap();
        reader.join().unwrap().unwrap();
        errors.join().unwrap().unwrap();
        assert!(kib < 64 * 1024, "{kib} KiB for {args:?}");
    }
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_a_mapped_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large");
    fs::write(&path, "grüße, привет\n".repeat(5_000_000)).unwrap();
    let mut child = oxiconv(&["-t", "utf-16le"]).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    // Most of the output, but not all of it: the process must still be alive when it is measured.
    let mut piece = vec![0; 1 << 20];
    let size = fs::metadata(&path).unwrap().len();
    let mut seen = 0;
    while seen < size {
        seen += output.read(&mut piece).unwrap() as u64;
    }
    let kib = peak(&child);
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(kib < 64 * 1024, "{kib} KiB");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly_as_it_ends_cat() {
    for (args, text) in [
        (&[][..], &b"text\n"[..]),
        (&["-t", "utf-16"], b"text\n"),
        (&["--check", "--max-reports", "0"], b"text \xFF\n"),
    ] {
        let mut child = piped(args);
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        let text = text.repeat(10_000);
        // Writing fails when nobody reads any more, which is when the program is gone.
        while input.write_all(&text).is_ok() {}
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(13), "{args:?}: {:?}", output.status);
        assert_eq!(output.stderr, b"", "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_a_clear_error() {
    let output = oxiconv(&["/proc/self/status"])
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "oxiconv: (standard output): cannot write: No space left on device\n"
    );
}

/// Waits until `ready` returns true, but not forever.
fn wait_for(mut ready: impl FnMut() -> bool) {
    let began = Instant::now();
    while !ready() {
        assert!(began.elapsed() < Duration::from_secs(20), "timed out");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_half_file_and_the_old_one_as_it_was() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        fs::write(&target, b"old").unwrap();
        // Whoever runs the tests may ignore these signals, and the program would inherit that.
        let mut child = Command::new("env")
            .arg("--default-signal=INT,TERM,HUP")
            .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["-o", target.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"begun\n").unwrap();
        wait_for(|| fs::read_dir(dir.path()).unwrap().count() == 2);
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{signal}");
        assert_eq!(fs::read(&target).unwrap(), b"old");
        drop(input);
    }
}

#[test]
fn a_mapped_file_that_shrinks_is_a_clear_error_and_no_crash() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large");
    fs::write(&path, vec![b'x'; 64 << 20]).unwrap();
    let mut child = oxiconv(&[path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first piece has arrived, and the full pipe blocks the program. Now truncate the file.
    let mut output = child.stdout.take().unwrap();
    let mut first = vec![0; 4096];
    output.read_exact(&mut first).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(4096).unwrap();
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    let result = child.wait_with_output().unwrap();
    let err = String::from_utf8(result.stderr).unwrap();
    assert_eq!(result.status.code(), Some(2), "{:?} {err}", result.status);
    assert_eq!(
        err,
        format!(
            "oxiconv: {}: cannot read: the file was truncated while it was being read\n",
            path.display()
        )
    );
    assert!(rest.iter().all(|byte| *byte == b'x'), "bytes were written that the file never had");
}

#[test]
fn standard_input_that_is_a_file_is_read_from_where_it_stands() {
    for length in [100, 1 << 20] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        fs::write(&path, [b"first\n".to_vec(), vec![b'y'; length]].concat()).unwrap();
        let mut file = File::open(&path).unwrap();
        file.read_exact(&mut [0; 6]).unwrap();
        let shared = file.try_clone().unwrap();
        let output = oxiconv(&[]).stdin(shared).output().unwrap();
        assert_eq!(output.stdout, vec![b'y'; length]);
        // Processes that share the file offset find it at the end.
        assert_eq!(file.read(&mut [0; 1]).unwrap(), 0);
    }
}

#[test]
fn nothing_is_quadratic_in_bad_input() {
    // Linear time takes a second, quadratic time an hour.
    let bad: Vec<(&[&str], Vec<u8>)> = vec![
        (&["-e", "replace"], vec![0xFF; 1 << 19]),
        (&["--check"], vec![0xE2; 1 << 19]),
        (&["-e", "replace", "-t", "ascii"], "€".repeat(1 << 18).into_bytes()),
        (&["-e", "report", "--max-reports", "0", "-t", "ascii"], "€".repeat(1 << 15).into_bytes()),
        (&["-e", "escape", "-f", "utf-16le"], [0x00, 0xD8].repeat(1 << 18)),
        (&["-c", "-f", "utf-32be"], vec![0xFF; 1 << 19]),
        (&["-t", "ascii//TRANSLIT"], "e\u{301}".repeat(1 << 18).into_bytes()),
        (&["-t", "ascii//TRANSLIT"], "\u{301}".repeat(1 << 18).into_bytes()),
        (&["-t", "ascii//TRANSLIT"], "ж日".repeat(1 << 17).into_bytes()),
    ];
    for (args, input) in bad {
        let mut child = piped(args);
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}");
    }
}

#[test]
fn a_mapped_file_that_shrinks_by_a_few_bytes_is_noticed_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large");
    let size = (8 << 20) - 100;
    fs::write(&path, vec![b'x'; size]).unwrap();
    let mut child = oxiconv(&["-j1", path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut vec![0; 4096]).unwrap();
    // The new end is in the same page, where the kernel supplies zeros instead of raising SIGBUS.
    File::options().write(true).open(&path).unwrap().set_len(size as u64 - 5).unwrap();
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    let result = child.wait_with_output().unwrap();
    assert_eq!(result.status.code(), Some(2));
    assert!(rest.iter().all(|byte| *byte == b'x'));
}

#[test]
fn findings_of_a_stream_are_shown_before_the_next_read() {
    let mut child = piped(&["--check"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for line in 1..=3 {
        input.write_all(b"caf\xE9\n").unwrap();
        let mut got = String::new();
        // This would wait forever if the finding were held back.
        output.read_line(&mut got).unwrap();
        assert!(got.contains(&format!(":{line}:4: error[truncated]")), "{got}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_is_an_error_without_leftovers() {
    let dir = tempfile::tempdir().unwrap();
    let script = format!(
        "ulimit -f 8; head -c 1000000 /dev/zero | '{}' -o '{}'",
        assert_cmd::cargo::cargo_bin!("oxiconv").display(),
        dir.path().join("out").display()
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{:?}", output.status);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write: File too large"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_so() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("out");
    let script = format!(
        "trap '' HUP; exec '{}' -o '{}'",
        assert_cmd::cargo::cargo_bin!("oxiconv").display(),
        target.display()
    );
    let mut child =
        Command::new("bash").args(["-c", &script]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"begun\n").unwrap();
    wait_for(|| fs::read_dir(dir.path()).unwrap().count() == 1);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "HUP", &id]).status().unwrap().success());
    input.write_all(b"ended\n").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(&target).unwrap(), b"begun\nended\n");
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_many_jobs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large");
    fs::write(&path, "grüße, привет\n".repeat(1_500_000)).unwrap();
    let links: Vec<_> = (0..16).map(|number| dir.path().join(format!("link{number}"))).collect();
    links.iter().for_each(|link| std::os::unix::fs::symlink(&path, link).unwrap());
    let mut child = oxiconv(&["--check", "-j16"]).args(&links).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id()))
            && let Some(line) = status.lines().find(|line| line.starts_with("VmHWM:"))
        {
            most = most.max(line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(most > 0, "the process was never measured");
    println!("{most} KiB at most");
    assert!(most < 64 * 1024, "{most} KiB");
}

/// Another program that shares standard output may have set O_NONBLOCK. Writes must wait all the same.
#[cfg(unix)]
#[test]
fn an_output_that_others_have_set_to_never_wait_is_waited_for() {
    let text = "é\u{20AC} text\n".repeat(300_000);
    let bad = [b"\xFF\n".repeat(3000), b"\xE9\n".repeat(3000)].concat();
    let dir = tempfile::tempdir().unwrap();
    let (good_path, bad_path) = (dir.path().join("good"), dir.path().join("bad"));
    std::fs::write(&good_path, &text).unwrap();
    std::fs::write(&bad_path, &bad).unwrap();
    for (args, path, lines) in [
        (&["-t", "utf-8"][..], &good_path, 300_000),
        (&["-t", "utf-8", "-o", "/dev/stdout"], &good_path, 300_000),
        (&["--check", "-q", "--max-reports", "0"], &bad_path, 6000),
    ] {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let flags = rustix::fs::fcntl_getfl(&writer).unwrap();
        rustix::fs::fcntl_setfl(&writer, flags | rustix::fs::OFlags::NONBLOCK).unwrap();
        let mut child =
            oxiconv(args).arg(path).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let mut got = Vec::new();
        let mut piece = [0; 4096];
        loop {
            // Reads more slowly than the program writes, so that the pipe is full now and then.
            if got.len() < 200_000 {
                std::thread::sleep(Duration::from_millis(1));
            }
            match reader.read(&mut piece).unwrap() {
                0 => break,
                len => got.extend_from_slice(&piece[..len]),
            }
        }
        let status = child.wait().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(got.iter().filter(|byte| **byte == b'\n').count(), lines, "{args:?} {err}");
        assert_eq!(status.code(), Some(i32::from(path == &bad_path)), "{err}");
        assert_eq!(err, "", "{args:?}");
    }
}

/// The same for standard input with O_NONBLOCK, from which file names come slowly.
#[cfg(unix)]
#[test]
fn names_of_files_are_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        std::fs::write(dir.path().join(name), "text\n").unwrap();
    }
    let (reader, mut writer) = std::io::pipe().unwrap();
    let flags = rustix::fs::fcntl_getfl(&reader).unwrap();
    rustix::fs::fcntl_setfl(&reader, flags | rustix::fs::OFlags::NONBLOCK).unwrap();
    let child = oxiconv(&["--check", "--files0-from", "-"])
        .current_dir(dir.path())
        .stdin(reader)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for name in [b"one\0", b"two\0"] {
        std::thread::sleep(Duration::from_millis(50));
        writer.write_all(name).unwrap();
    }
    drop(writer);
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("oxiconv: 2 files, "), "{err}");
    assert!(output.status.success(), "{err}");
}

/// POSIX lets a program start with closed standard streams. Without this check, output to a closed one would go to
/// /dev/null.
#[cfg(unix)]
#[test]
fn a_closed_standard_stream_is_an_error() {
    for (redirection, words) in
        [("<&-", "(standard input): cannot read"), (">&-", "(standard output): cannot write")]
    {
        let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
        let command = format!("'{program}' -f ascii -t utf-16le {redirection}");
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // If standard input is closed, nobody reads this.
        let _ = child.stdin.take().unwrap().write_all(b"text\n");
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(err, format!("oxiconv: {words}: Bad file descriptor\n"));
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stdout, b"");
    }
    // Output other than converted text is not lost silently either.
    for words in [
        "--check",
        "--explain",
        "--detect",
        "--list",
        "--list-translit",
        "--help",
        "-h",
        "--version",
        "--generate man",
    ] {
        let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
        let command = format!("printf 'caf\\351\\n' | '{program}' {words} 3>&1 >&-");
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.starts_with("oxiconv: (standard output): "), "{words}: {err}");
        assert!(err.ends_with(": Bad file descriptor\n"), "{words}: {err}");
        assert_eq!(output.status.code(), Some(2), "{words}");
    }
}
