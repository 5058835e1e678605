//! Faults of the system: a full disk, no descriptors, no memory, no threads, files that change.
//!
//! After each fault, every original is unchanged or fully converted, no file is more accessible than before, and
//! nothing is left behind. The message names the file and the cause, and the exit status is right. docs/safety.md
//! promises this.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::sample;
use crate::scene::{
    Ended, LATIN1, NOBODY, Running, Scene, UTF8, converted, is_root, is_waiting, skipped, text,
    wait_until,
};
use rustix::process::Signal;

// The disk.

/// A scene on a small in-memory file system.
pub struct Small(pub Scene);

impl Small {
    /// Mounts a tmpfs of this many KiB; `None` if that is not possible here.
    pub fn mounted(kib: u32) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let size = format!("size={kib}k,mode=755");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "none"]).arg(dir.path()).stderr(Stdio::null());
        if !is_root() || !mount.status().is_ok_and(|status| status.success()) {
            skipped("no file system can be mounted here (needs root)");
            return None;
        }
        Some(Self(Scene::of(dir)))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.dir()).status();
    }
}

#[test]
fn a_full_disk_leaves_the_original_and_names_the_cause() {
    let Some(mut small) = Small::mounted(256) else { return };
    let scene = &mut small.0;
    scene.write("small", LATIN1);
    // The converted file is twice as long and does not fit.
    scene.write("large", &b"\xE9".repeat(120 << 10));
    let cause = "No space left on device";
    let ended = scene.run(&["-f", "latin1", "-i", "-j", "1", "small", "large"]);
    ended.assert_says(2, "oxiconv: large: cannot write", cause);
    assert_eq!(scene.converted(), 1);
    scene.assert_safe();
    for args in [&["-i.bak"][..], &["-o", "large"], &["-O", "out"], &["-o", "new"]] {
        let args = [&["-f", "latin1"], args, &["large"]].concat();
        scene.run(&args).assert_says(2, "oxiconv: ", cause);
        assert_eq!(scene.converted(), 1);
        scene.assert_safe();
    }
    assert_eq!(scene.names(), ["large", "small"]);
}

#[test]
fn a_read_only_file_system_is_named() {
    let Some(mut small) = Small::mounted(256) else { return };
    let scene = &mut small.0;
    scene.write("f", LATIN1);
    let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(scene.dir()).status();
    assert!(remount.unwrap().success());
    let ended = scene.run(&["-f", "latin1", "-i", "f"]);
    ended.assert_says(2, "oxiconv: f: cannot write", "Read-only file system");
    scene.assert_safe();
}

#[test]
fn a_device_that_is_full_is_named() {
    let mut scene = Scene::new();
    scene.write("f", &text(3 << 20));
    let cause = "cannot write: No space left on device\n";
    scene
        .run(&["-f", "latin1", "-o", "/dev/full", "f"])
        .assert(2, &format!("oxiconv: /dev/full: {cause}"));
    let mut command = scene.program(&["-f", "latin1", "f"]);
    command.stdout(File::options().write(true).open("/dev/full").unwrap());
    let ended = Ended(command.output().unwrap());
    ended.assert_says(2, "oxiconv: (standard output)", "No space left on device");
    scene.assert_safe();
}

#[test]
fn a_write_error_in_the_middle_leaves_the_original() {
    let mut scene = Scene::new();
    scene.write("f", &text(300_000));
    for args in [&["-i"][..], &["-i.bak"], &["-o", "f"], &["-o", "new"], &["-O", "out"]] {
        let args = [&["-f", "latin1"], args, &["f"]].concat();
        // bash counts `ulimit -f` in blocks of 1024 bytes.
        let ended = Ended(scene.limited("ulimit -f 64;", &args).output().unwrap());
        ended.assert_says(2, "oxiconv: ", "cannot write: File too large");
        assert_eq!((scene.converted(), scene.names()), (0, vec!["f".to_owned()]));
        scene.assert_safe();
    }
}

/// Runs the program under strace, which makes system calls fail; `None` if strace does not work here.
pub fn with_faults(scene: &Scene, faults: &[&str], args: &[&str]) -> Option<Ended> {
    program_with_faults(scene, faults, args).map(|mut it| Ended(it.output().unwrap()))
}

pub fn program_with_faults(scene: &Scene, faults: &[&str], args: &[&str]) -> Option<Command> {
    let probe = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !probe.is_ok_and(|it| it.status.success()) {
        skipped("system calls cannot be made to fail here (needs strace)");
        return None;
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "/dev/null"]);
    command.args(faults.iter().flat_map(|fault| ["-e".to_owned(), format!("inject={fault}")]));
    command.arg(assert_cmd::cargo::cargo_bin!("oxiconv")).args(args);
    command.current_dir(scene.dir());
    Some(command)
}

/// Limits the faults to system calls on one file.
pub fn of_this_file<'c>(command: &'c mut Command, path: &Path) -> &'c mut Command {
    let args: Vec<_> = command.get_args().map(OsStr::to_owned).collect();
    let dir = command.get_current_dir().unwrap().to_owned();
    *command = Command::new("strace");
    command.arg("-P").arg(path).args(args).current_dir(dir)
}

/// A single file is synced with `fdatasync`, a batch with `syncfs`.
#[test]
fn what_the_disk_does_not_take_replaces_nothing() {
    let mut scene = Scene::new();
    let names: Vec<_> = (0..20).map(|number| format!("f{number}")).collect();
    for count in [1, 20] {
        names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
        let args: Vec<_> = ["-f", "latin1", "-i.bak"]
            .into_iter()
            .chain(names[..count].iter().map(String::as_str))
            .collect();
        let faults = ["fdatasync:error=EIO", "syncfs:error=EIO"];
        let Some(ended) = with_faults(&scene, &faults, &args) else { return };
        ended.assert_says(2, "oxiconv: f0: not replaced", "Input/output error");
        scene.assert_safe();
        assert_eq!((scene.converted(), scene.names().len()), (0, 20));
    }
}

/// One of 20 files is faulty, and only that one is not replaced.
///
/// ```text
/// sync_file_range    call 1 asks whether the system has it, 2 to 21 start writing, 22 to 41 wait
/// syncfs             waits for the rest; if it fails, each file is synced by itself, with
/// fdatasync
/// ```
///
/// The kernel reports a lost write only once. So a file with an error of `sync_file_range` has failed, although a later
/// `fdatasync` of it succeeds, as it does here. An error of `syncfs` says nothing about which file is faulty; it also
/// follows the errors of the other calls.
#[test]
fn a_file_that_the_disk_does_not_take_stays_and_the_others_are_replaced() {
    let (io, full) = ("Input/output error", "No space left on device");
    for (faults, causes) in [
        (&["sync_file_range:error=EIO:when=2"][..], &[io][..]),
        (&["sync_file_range:error=ENOSPC:when=21"], &[full]),
        (&["sync_file_range:error=EIO:when=22"], &[io]),
        (&["sync_file_range:error=ENOSPC:when=41"], &[full]),
        (&["sync_file_range:error=EDQUOT:when=30"], &["Disk quota exceeded"]),
        // After the first call, this is no sign of a system without it.
        (&["sync_file_range:error=EINVAL:when=30"], &["Invalid argument"]),
        (&["sync_file_range:error=EIO:when=30", "syncfs:error=EIO"], &[io]),
        (&["syncfs:error=EIO", "fdatasync:error=EIO:when=7"], &[io]),
        (
            &[
                "sync_file_range:error=ENOSPC:when=30",
                "syncfs:error=EIO",
                "fdatasync:error=EIO:when=7",
            ],
            &[full, io],
        ),
    ] {
        let Some((ended, converted)) = batch_with_faults(faults) else { return };
        assert_eq!(converted, 20 - causes.len(), "{faults:?}: {}", ended.err());
        for cause in causes {
            ended.assert_says(2, "oxiconv: f", &format!(": not replaced: {cause}"));
        }
    }
}

/// Without `sync_file_range`, or where a sandbox forbids it, each file is synced by itself.
#[test]
fn a_system_that_cannot_sync_files_together_is_no_fault() {
    for error in ["EINVAL", "ENOSYS", "ESPIPE", "EPERM"] {
        let missing = format!("sync_file_range:error={error}");
        let Some((ended, converted)) = batch_with_faults(&[&missing]) else { return };
        assert_eq!((ended.status(), converted), (0, 20), "{error}: {}", ended.err());
        let faults = [&*missing, "fdatasync:error=EIO:when=7"];
        let (ended, converted) = batch_with_faults(&faults).unwrap();
        ended.assert_says(2, "oxiconv: f", ": not replaced: Input/output error");
        assert_eq!(converted, 19, "{error}");
    }
}

/// Converts 20 files in place, which are synced together, and returns how many were replaced.
fn batch_with_faults(faults: &[&str]) -> Option<(Ended, usize)> {
    let mut scene = Scene::new();
    let names: Vec<_> = (0..20).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let args: Vec<_> =
        ["-f", "latin1", "-i"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ended = with_faults(&scene, faults, &args)?;
    scene.assert_safe();
    Some((ended, scene.converted()))
}

/// `syncfs` covers only one file system, so it cannot replace the `fdatasync` of these files.
#[test]
fn files_on_two_file_systems_are_synced_one_by_one() {
    let (Some(mut small), mut scene) = (Small::mounted(256), Scene::new()) else { return };
    let names: Vec<_> = (0..10).map(|number| format!("f{number}")).collect();
    let paths: Vec<_> = names
        .iter()
        .flat_map(|name| [scene.write(name, LATIN1), small.0.write(name, LATIN1)])
        .map(|path| path.into_os_string().into_string().unwrap())
        .collect();
    let args: Vec<_> =
        ["-f", "latin1", "-i"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let Some(ended) = with_faults(&scene, &["fdatasync:error=EIO"], &args) else { return };
    assert_eq!((ended.status(), scene.converted(), small.0.converted()), (2, 0, 0));
}

/// Some file systems have nothing to sync and fail with EINVAL.
#[test]
fn a_file_system_without_a_disk_is_no_fault() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    let faults = ["fdatasync,fsync:error=EINVAL"];
    let Some(ended) = with_faults(&scene, &faults, &["-f", "latin1", "-i", "f"]) else { return };
    ended.assert(0, "");
    assert_eq!(scene.read("f"), UTF8);
}

#[test]
fn a_directory_that_cannot_be_synced_is_reported() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    let faults = ["fsync:error=EIO"];
    let Some(ended) = with_faults(&scene, &faults, &["-f", "latin1", "-i", "f"]) else { return };
    let undone = "but a system crash may undo that: Input/output error\n";
    ended.assert(2, &format!("oxiconv: the files are converted, {undone}"));
    scene.assert_safe();
    let run = |args: &[&str]| with_faults(&scene, &faults, args).unwrap();
    // The file exists, so the message must not claim that it is not written.
    run(&["-o", "new", "f"]).assert(2, &format!("oxiconv: new: written, {undone}"));
    assert_eq!(scene.read("new"), UTF8);
    let recorded = run(&["--check", "--write-baseline", "base", "f"]);
    assert!(recorded.err().contains(&format!("oxiconv: base: written, {undone}")));
}

/// There are more directories than the program remembers at a time, so some are synced before the end.
#[test]
fn many_directories_that_cannot_be_synced_are_reported_once() {
    let mut scene = Scene::new();
    for number in 0..1100 {
        scene.write(&format!("d{number}/f"), LATIN1);
    }
    let args = ["-f", "latin1", "-i", "-r", "."];
    let Some(ended) = with_faults(&scene, &["fsync:error=EIO"], &args) else { return };
    let undone = "the files are converted, but a system crash may undo that: Input/output error";
    ended.assert(2, &format!("oxiconv: {undone}\noxiconv: 1,100 written\n"));
    assert_eq!(scene.converted(), 1100);
}

/// A run that writes lists each directory more than once. Whichever listing fails, one message reports it and names the
/// directory.
#[test]
fn a_directory_that_cannot_be_listed_for_a_moment_is_reported() {
    let mut scene = Scene::new();
    let names: Vec<_> = ["e", "e/sub"]
        .into_iter()
        .flat_map(|dir| ["1", "2"].map(|it| format!("{dir}/{it}")))
        .collect();
    let commands = [&["-i"][..], &["-i.bak"], &["-O", "out"], &["-O", "out", "--shard", "1/1"]];
    for args in sample::every(4, commands) {
        let (mut reported, mut whole) = (0, 0);
        for when in (1..=24).map(|call| format!(":when={call}")).chain([String::new()]) {
            names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
            let fault = format!("getdents64:error=EIO{when}");
            let args = [&["-f", "latin1", "-j1", "-r"], args, &["e"]].concat();
            let Some(ended) = with_faults(&scene, &[&fault], &args) else { return };
            let out = if args.contains(&"-O") { "out/" } else { "" };
            let done = names.iter().filter(|name| {
                fs::read(scene.path(&format!("{out}{name}"))).is_ok_and(|text| text == UTF8)
            });
            let (done, err) = (done.count(), ended.err());
            match ended.status() {
                0 => {
                    assert_eq!(done, names.len(), "{args:?} {when}: {err}");
                    whole += 1;
                }
                status => {
                    let named = ["e", "e/sub"]
                        .iter()
                        .filter(|dir| err.contains(&format!("oxiconv: {dir}: Input/output error")));
                    let counts = (named.count(), err.matches("Input/output").count());
                    assert_eq!((status, counts), (2, (1, 1)), "{args:?} {when}: {err}");
                    assert!(done < names.len() || !err.contains("nothing was written"), "{err}");
                    reported += 1;
                }
            }
            for name in scene.names() {
                fs::remove_file(scene.path(&name)).unwrap();
            }
        }
        assert!(reported > 6 && whole > 0, "{args:?}: {reported} {whole}");
    }
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let faults = ["getdents64:error=EIO:when=3"];
    with_faults(&scene, &faults, &["--check", "-f", "latin1", "-j1", "-r", "e"])
        .unwrap()
        .assert_says(2, "oxiconv: e/sub: Input/output error", "");
}

/// Without hard links, a backup is a copy. The copy is synced before the original is replaced. If that fails, the
/// original is kept.
#[test]
fn a_backup_by_copy_is_on_the_disk_or_the_original_stays() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    let args = ["-f", "latin1", "-i.bak", "f"];
    let no_links = "link,linkat:error=EPERM";
    let Some(ended) = with_faults(&scene, &[no_links, "fsync:error=EIO:when=1"], &args) else {
        return;
    };
    ended.assert_says(2, "oxiconv: f: ", "cannot write the backup f.bak: Input/output error");
    assert_eq!((scene.names(), scene.converted()), (vec!["f".to_owned()], 0));
    with_faults(&scene, &[no_links], &args).unwrap().assert(0, "");
    assert_eq!((scene.read("f"), scene.read("f.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    scene.assert_safe();
    // The same if `renameat2` cannot refuse to replace an existing file: the older backup is kept.
    let no_replace = "renameat2:error=EINVAL";
    with_faults(&scene, &[no_links, no_replace], &["-t", "utf-16le", "-i.bak", "f"])
        .unwrap()
        .assert(0, "oxiconv: f: an older backup is kept; this one is f.bak.1\n");
    assert_eq!((scene.read("f.bak"), scene.read("f.bak.1")), (LATIN1.to_vec(), UTF8.to_vec()));
    assert_eq!(scene.names(), ["f", "f.bak", "f.bak.1"]);
}

#[test]
fn a_backup_whose_name_is_too_long_is_an_error() {
    let mut scene = Scene::new();
    let name = "f".repeat(252);
    scene.write(&name, LATIN1);
    let ended = scene.run(&["-f", "latin1", "-i.bak", &name]);
    let said = format!("cannot write the backup {name}.bak: File name too long");
    ended.assert_says(2, "oxiconv: fff", &said);
    assert_eq!((scene.names(), scene.converted()), (vec![name], 0));
}

#[test]
fn a_rename_that_fails_leaves_the_original_and_no_backup() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    let args = ["-f", "latin1", "-i.bak", "f"];
    let Some(ended) = with_faults(&scene, &["rename:error=EIO"], &args) else { return };
    ended.assert(2, "oxiconv: f: not replaced: Input/output error\n");
    assert_eq!((scene.names(), scene.converted()), (vec!["f".to_owned()], 0));
}

/// Before a temporary file is locked, another run may take it for a leftover of a killed run and remove it. The fault
/// delays the lock by a second.
#[test]
fn a_temporary_file_that_another_run_removes_is_made_again() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.write("g", LATIN1);
    let late = ["flock:delay_enter=1000000:when=1"];
    let Some(first) = program_with_faults(&scene, &late, &["-f", "latin1", "-i", "f"]) else {
        return;
    };
    let first = Running::new(first);
    wait_until("the first run has begun", || scene.temporaries().len() == 1);
    assert_eq!(scene.run(&["-f", "latin1", "-i", "g"]).status(), 0);
    first.end().assert(0, "");
    scene.assert_safe();
    assert_eq!(scene.converted(), 2);
}

// Files that change, and files without permission to change them.

#[test]
fn an_input_that_shrinks_is_named_and_the_output_stays() {
    let mut scene = Scene::new();
    let text = text(16 << 20);
    scene.write("f", &text);
    let fifo = scene.mkfifo("fifo");
    let run = scene.start(&["-f", "latin1", "-o", "fifo", "f"]);
    let mut pipe = File::open(fifo).unwrap();
    let mut read = vec![0; 100];
    pipe.read_exact(&mut read).unwrap();
    // The pipe holds only a part of the output, so the program is blocked and has more to read.
    File::options().write(true).open(scene.path("f")).unwrap().set_len(1000).unwrap();
    pipe.read_to_end(&mut read).unwrap();
    run.end().assert_says(2, "oxiconv: f: ", "truncated while it was being read");
    assert!(converted(&text).starts_with(&read), "bytes were written that the file never had");
    assert_eq!(scene.temporaries(), [""; 0]);
}

/// A small file is read, not mapped. A read finds the end too early if the file was truncated, or if a network file
/// system has lost it. Whichever read that is, the converted text is complete or the run fails.
#[test]
fn an_input_that_ends_before_its_length_is_an_error() {
    let mut scene = Scene::new();
    let text = text(100_000);
    for (args, output) in [
        (&["-i"][..], Some("f")),
        (&["-i.bak"], Some("f")),
        (&["-o", "new"], Some("new")),
        (&["-o", "f"], Some("f")),
        (&["-O", "out"], Some("out/f")),
        (&[], None),
        (&["--check"], None),
        (&["--check", "--shard", "1/1"], None),
    ] {
        let mut failed = 0;
        for when in ["1+", "2+", "4+", "1", "2", "3", "5", "8"] {
            scene.write("f", &text);
            let fault = format!("read:retval=0:when={when}");
            let args = [&["-f", "latin1"], args, &["f"]].concat();
            let Some(mut run) = program_with_faults(&scene, &[&fault], &args) else { return };
            let ended = Ended(of_this_file(&mut run, &scene.path("f")).output().unwrap());
            if ended.status() == 0 {
                let whole = output.map(|name| scene.read(name));
                assert!(whole.is_none_or(|it| it == converted(&text)), "{args:?} {when}");
            } else {
                ended.assert_says(2, "oxiconv: f: cannot read: the file ended at byte ", "100000");
                assert!(scene.names() == ["f"] && scene.read("f") == text, "{args:?} {when}");
                failed += 1;
            }
            assert!(ended.status() != 0 || when != "1+", "{args:?}");
            for left in ["f.bak", "new", "out/f"] {
                let _ = fs::remove_file(scene.path(left));
            }
        }
        assert!(failed > 2, "{args:?}");
    }
}

/// The kernel generates the files in `/sys`, and reports a length of 4096 bytes for each.
#[test]
fn a_file_that_the_kernel_makes_up_may_end_before_its_length() {
    let names = ["/sys/kernel/uevent_seqnum", "/sys/kernel/mm/transparent_hugepage/enabled"];
    let Some(path) = names.into_iter().find(|path| File::open(path).is_ok()) else {
        return skipped("there is no /sys here");
    };
    let scene = Scene::new();
    assert_eq!(fs::metadata(path).unwrap().len(), 4096);
    for args in [&["--check"][..], &["-o", "new"], &["-f", "latin1", "-o", "new"]] {
        scene.run(&[args, &[path]].concat()).assert(0, "");
    }
    assert_eq!(scene.read("new"), fs::read(path).unwrap());
}

#[test]
fn an_input_that_vanishes_is_named_and_the_others_are_converted() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.write("g", LATIN1);
    let fifo = scene.mkfifo("fifo");
    let run = scene.start(&["-f", "latin1", "-j", "1", "-O", "out", "fifo", "f", "g"]);
    let mut pipe = File::options().write(true).open(fifo).unwrap();
    fs::rename(scene.path("f"), scene.path("gone")).unwrap();
    pipe.write_all(LATIN1).unwrap();
    drop(pipe);
    run.end().assert(2, "oxiconv: f: No such file or directory\noxiconv: 2 written, 1 failed\n");
    assert_eq!((scene.read("out/fifo"), scene.read("out/g")), (UTF8.to_vec(), UTF8.to_vec()));
    assert_eq!(scene.names(), ["fifo", "g", "gone", "out/fifo", "out/g"]);
}

#[test]
fn a_directory_or_a_file_that_may_not_be_written_is_named() {
    let mut scene = Scene::new();
    scene.write("closed/f", LATIN1);
    scene.write("g", LATIN1);
    if is_root() {
        for name in ["closed/f", "g"] {
            std::os::unix::fs::chown(scene.path(name), Some(NOBODY), Some(NOBODY)).unwrap();
            scene.remember(name);
        }
    }
    fs::set_permissions(scene.path("closed"), PermissionsExt::from_mode(0o555)).unwrap();
    scene.set_mode("g", 0o444);
    let run = |args: &[&str]| if is_root() { scene.run_as_nobody(args) } else { scene.run(args) };
    for args in [&["-i"][..], &["-i.bak"], &["-o", "closed/new"]] {
        let args = [&["-f", "latin1"], args, &["closed/f"]].concat();
        run(&args).assert_says(2, "oxiconv: closed/", "cannot write: Permission denied");
    }
    run(&["-f", "latin1", "-i", "g"]).assert(2, "oxiconv: g: cannot write: Permission denied\n");
    // A dry run reports the same.
    for (args, named) in [
        (&["-i", "g"][..], "oxiconv: g: "),
        (&["-i", "closed/f"], "oxiconv: closed/f: "),
        (&["-O", "closed", "g"], "oxiconv: closed/g: "),
    ] {
        let args = [&["-f", "latin1", "--dry-run"], args].concat();
        run(&args).assert(2, &format!("{named}cannot write: Permission denied\n"));
    }
    // Output to a device through a link needs no writable directory.
    fs::create_dir_all(scene.path("out/closed/f")).unwrap();
    std::os::unix::fs::symlink("/dev/null", scene.path("out/g")).unwrap();
    for (dry, said) in [(&[][..], ""), (&["--dry-run"], "oxiconv: out/g: would be written\n")] {
        let to = |dir| [&["-f", "latin1", "-O", dir], dry].concat();
        run(&[&to("out")[..], &["g"]].concat()).assert(0, said);
        for (dir, cause) in [("out", "is a directory"), ("g", "Not a directory")] {
            let ended = run(&[&to(dir)[..], &["closed/f"]].concat());
            ended.assert_says(2, &format!("oxiconv: {dir}/closed/f: cannot "), cause);
        }
    }
    scene.assert_safe();
    assert_eq!(scene.converted(), 0);
    fs::set_permissions(scene.path("closed"), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn two_runs_at_once_over_one_file_leave_it_whole() {
    for _ in 0..if sample::is_thorough() { 12 } else { 4 } {
        let mut scene = Scene::new();
        let original = text(4 << 20);
        scene.write("f", &original);
        let runs: Vec<_> = (0..2).map(|_| scene.start(&["-f", "latin1", "-i.bak", "f"])).collect();
        let ended: Vec<_> = runs.into_iter().map(Running::end).collect();
        let done = ended.iter().filter(|run| run.status() == 0).count();
        for run in ended.iter().filter(|run| run.status() != 0) {
            if run.status() == 1 {
                // This run began after the other one had ended.
                run.assert_says(1, "oxiconv: f: not converted", "already valid UTF-8");
            } else {
                // The other run replaced the file while this one was reading it.
                run.assert_says(2, "oxiconv: f: not replaced", "another program changed the file");
            }
        }
        assert!(done == 1 && scene.read("f") == converted(&original), "{done}");
        assert_eq!((scene.read("f.bak"), scene.temporaries().len()), (original, 0));
    }
}

#[test]
fn odd_names_are_converted_and_shown_on_one_line() {
    let scene = Scene::new();
    for name in
        [&b"line\nfeed"[..], b"esc\x1B]0;title\x07", b"caf\xE9", b" ", b"-dash", b"\xFF\xFE"]
    {
        let name = OsStr::from_bytes(name);
        fs::write(scene.dir().join(name), LATIN1).unwrap();
        let ended = scene.program(&["-f", "latin1", "-i.bak", "--"]).arg(name).output().unwrap();
        Ended(ended).assert(0, "");
        assert_eq!(fs::read(scene.dir().join(name)).unwrap(), UTF8, "{name:?}");
        fs::write(scene.dir().join(name), b"\xFF").unwrap();
        let ended = Ended(scene.program(&["-i", "--"]).arg(name).output().unwrap());
        assert_eq!((ended.status(), ended.err().lines().count()), (1, 2), "{}", ended.err());
        assert!(!ended.err().contains(['\x1B', '\x07']), "{:?}", ended.err());
    }
    assert_eq!(scene.temporaries(), [""; 0]);
}

// Exhausted system resources.

#[test]
fn without_descriptors_the_cause_is_named() {
    let mut scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.write(name, LATIN1);
    }
    let mut causes = 0;
    for most in 3..24 {
        let limit = format!("ulimit -n {most};");
        for args in [&["-i.bak", "a", "b", "c"][..], &["-o", "new", "a"], &["-O", "out", "a", "b"]]
        {
            let args = [&["-f", "latin1"], args].concat();
            let ended = Ended(scene.limited(&limit, &args).output().unwrap());
            scene.assert_safe();
            match ended.status() {
                0 => {}
                // There are too few descriptors to load the program.
                127 => {}
                _ => {
                    ended.assert_says(2, "oxiconv: ", "Too many open files");
                    causes += 1;
                }
            }
            for name in ["a", "b", "c"] {
                let _ = fs::remove_file(scene.path(&format!("{name}.bak")));
                scene.write(name, LATIN1);
            }
            let _ = fs::remove_dir_all(scene.path("out"));
            let _ = fs::remove_file(scene.path("new"));
        }
    }
    assert!(causes > 0);
}

#[test]
fn without_memory_nothing_is_lost() {
    let mut scene = Scene::new();
    let original = text(2 << 20);
    let mut statuses = Vec::new();
    for kib in (4_000..60_000).step_by(2_500) {
        scene.write("f", &original);
        let args = ["-f", "latin1", "-i", "f"];
        let limited = scene.limited(&format!("ulimit -v {kib};"), &args).output().unwrap();
        let ended = Ended(limited);
        scene.assert_safe();
        let status = ended.status();
        assert_eq!(scene.converted() == 1, status == 0, "{status} {}", ended.err());
        match status {
            0 => {}
            // In this order: the program cannot be loaded, it aborts, it reports an error.
            126 | 127 | 137 | 139 => {}
            134 => assert!(ended.err().contains("memory"), "{}", ended.err()),
            _ => ended.assert_says(2, "oxiconv: ", "memory"),
        }
        statuses.push(status);
    }
    assert!(statuses.contains(&0) && statuses.iter().any(|status| *status != 0), "{statuses:?}");
}

#[test]
fn without_threads_the_work_goes_on() {
    let mut scene = Scene::new();
    fs::set_permissions(scene.dir(), PermissionsExt::from_mode(0o777)).unwrap();
    for (args, bytes) in [
        (&["-i"][..], 10),
        (&["-i"], 8 << 20),
        (&["-o", "f"], 8 << 20),
        (&["-i", "-j", "8", "g", "h"], 1 << 20),
        (&["-i", "--progress", "always"], 8 << 20),
    ] {
        for name in ["f", "g", "h"] {
            let _ = fs::remove_file(scene.path(name));
            scene.write(name, &text(bytes));
            if is_root() {
                std::os::unix::fs::chown(scene.path(name), Some(NOBODY), Some(NOBODY)).unwrap();
                scene.remember(name);
            }
        }
        let args = [&["-f", "latin1"], args, &["f"]].concat();
        let mut command = scene.limited("ulimit -u 1;", &args);
        if is_root() {
            // `ulimit -u` does not apply to root.
            command.uid(NOBODY).gid(NOBODY);
        }
        let ended = Ended(command.output().unwrap());
        assert_eq!(ended.status(), 0, "{}", ended.err());
        scene.assert_safe();
        assert_eq!(scene.converted(), if args.contains(&"g") { 3 } else { 1 });
    }
    // An interrupt is still handled.
    scene.mkfifo("fifo");
    let mut command = scene.limited("ulimit -u 1;", &["-o", "new", "fifo"]);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut run = Running::new(command);
    wait_until("it has begun", || scene.temporaries().len() == 1);
    wait_until("it waits", || is_waiting(&mut run));
    run.signal(Signal::INT);
    run.end().assert(130, "oxiconv: interrupted: new is not written\n");
    scene.assert_safe();
}

#[test]
fn thousands_of_arguments_are_converted() {
    let mut scene = Scene::new();
    // More files than a process may have open.
    let count = if sample::is_thorough() { 10_000 } else { 2_000 };
    let names: Vec<_> = (0..count).map(|number| format!("f{number:04}")).collect();
    names.iter().for_each(|name| fs::write(scene.path(name), LATIN1).unwrap());
    scene.remember("f0000");
    let mut args = vec!["-f", "latin1", "-i"];
    args.extend(names.iter().map(String::as_str));
    scene.run(&args).assert(0, &format!("oxiconv: {},000 written\n", count / 1000));
    assert!(names.iter().all(|name| scene.read(name) == UTF8));
    scene.assert_safe();
}

/// Offsets above 4 GiB need more than 32 bits. By default, only the last shard is checked. The whole file, in which the
/// column needs more than 32 bits too, takes half a minute to read, so it is checked only if all cases are requested.
#[test]
fn a_sparse_file_of_5_gib_is_checked_to_its_end() {
    let scene = Scene::new();
    let mut file = File::create(scene.path("f")).unwrap();
    if file.set_len(5 << 30).is_err() {
        return skipped("the file system has no files of 5 GiB");
    }
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(b"\xFF").unwrap();
    // In a shard, columns count from the start of its piece, which is 80 MiB long.
    let part = (&["--check", "--shard", "64/64", "f"][..], "83886080");
    let whole = (&["--check", "f"][..], "5368709121");
    for (args, column) in [part].into_iter().chain(sample::is_whole().then_some(whole)) {
        let ended = scene.run(args);
        let place =
            format!("f:1:{column}: error[invalid-byte]: FF at byte 5368709120 (0x140000000): ");
        assert!(ended.out().starts_with(&place) && ended.status() == 1, "{}", ended.out());
    }
}

// The promises in docs/safety.md.

#[test]
fn every_promise_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/safety.md")).unwrap();
    let (mut promises, mut in_table) = (0, false);
    for row in page.lines() {
        in_table = row == "| promise | test |" || in_table && row.starts_with('|');
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        if !in_table || cells[0] == "promise" || cells[0].starts_with("--") {
            continue;
        }
        promises += 1;
        for named in cells[1].split("<br>") {
            let (file, name) = named.trim().trim_matches('`').split_once("::").expect(row);
            let text = fs::read_to_string(root.join(file)).expect(row);
            assert!(text.contains(&format!("fn {name}() {{")), "{named} does not exist");
            let is_run = text.contains(&format!("    {name},\n"))
                || text.contains(&format!("#[test]\nfn {name}() {{"))
                || text.contains(&format!("#[test]\n    fn {name}() {{"));
            assert!(is_run, "{named} is not run");
        }
    }
    assert!(promises > 20, "{promises}");
}
