//! `--backup-dir` keeps the original of each file that is replaced under its path below a directory, complete or not at
//! all. Nothing that exists there is replaced, and nobody gets access to a backup who had none to its original.
//!
//! The promises are in docs/safety.md. [`Scene::assert_safe`] checks the backups below `kept`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::Signal;

use crate::faults::{Small, of_this_file, program_with_faults, with_faults};
use crate::scene::{Ended, LATIN1, NOBODY, Running, Scene, UTF8, is_root, skipped, text};

const KEEP: [&str; 5] = ["-f", "latin1", "-i", "--backup-dir", "kept"];

fn keep<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&KEEP, args].concat()
}

// Which originals are kept, and where.

#[test]
fn each_replaced_original_is_kept_under_its_path() {
    let mut scene = Scene::new();
    for name in ["a", "d/b", "d/e/c"] {
        scene.write(name, LATIN1);
    }
    scene.set_mode("d/b", 0o4640);
    scene.write("same", b"coffee\n");
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(scene.path("a")).unwrap();
    file.set_modified(then).unwrap();
    let inode = fs::metadata(scene.path("a")).unwrap().ino();
    scene.run(&keep(&["./a", "d/b", "d/e/../e/c", "d/e/c", "same"])).assert_says(
        2,
        "oxiconv: d/e/../e/c: a path with .. cannot be written under kept",
        "run from a parent directory",
    );
    // The file that was first named with `..` is a later name of the same file, and stays.
    assert_eq!(scene.names(), ["a", "d/b", "d/e/c", "kept/a", "kept/d/b", "same"]);
    scene.run(&keep(&["d/e/c"])).assert(0, "");
    for name in ["a", "d/b", "d/e/c"] {
        assert_eq!(scene.read(name), UTF8);
        assert_eq!(scene.read(&format!("kept/{name}")), LATIN1);
    }
    assert_eq!(scene.mode("kept/d/b"), 0o4640);
    let backup = fs::metadata(scene.path("kept/a")).unwrap();
    assert_eq!((backup.modified().unwrap(), backup.ino()), (then, inode));
    assert!(!scene.path("kept/same").exists());
    scene.assert_safe();
}

#[test]
fn absolute_paths_and_links_are_kept_as_outputs_of_a_directory_would_be() {
    let mut scene = Scene::new();
    let path = scene.write("d/f", LATIN1);
    scene.run(&keep(&[path.to_str().unwrap()])).assert(0, "");
    let below = path.strip_prefix("/").unwrap();
    assert_eq!(fs::read(scene.path("kept").join(below)).unwrap(), LATIN1);
    // The link stays a link. Its name is that of the backup, and the file to which it leads is kept.
    scene.write("d/f", LATIN1);
    symlink("d/f", scene.path("link")).unwrap();
    scene.run(&keep(&["link", "d/f"])).assert(0, "");
    assert!(scene.path("link").is_symlink() && !scene.path("kept/link").is_symlink());
    assert_eq!((scene.read("d/f"), scene.read("kept/link")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert!(!scene.path("kept/d").exists());
}

#[test]
fn a_path_that_leads_out_of_the_directory_stays_and_the_others_are_converted() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.write("d/g", LATIN1);
    let said = "oxiconv: ../f: a path with .. cannot be written under kept (run from a parent directory)\n";
    let run = |more: &[&str]| {
        let mut program = scene.program(&keep(&[more, &["../f", "g"]].concat()));
        Ended(program.current_dir(scene.path("d")).output().unwrap())
    };
    let dry = run(&["--dry-run"]);
    dry.assert(
        2,
        &format!("{said}oxiconv: g: would be written\noxiconv: 1 would be written, 1 failed\n"),
    );
    run(&[]).assert(2, &format!("{said}oxiconv: 1 written, 1 failed\n"));
    assert_eq!(scene.names(), ["d/g", "d/kept/g", "f"]);
    assert_eq!((scene.read("f"), scene.read("d/g")), (LATIN1.to_vec(), UTF8.to_vec()));
}

#[test]
fn an_older_backup_stays_and_a_note_names_the_new_one() {
    let mut scene = Scene::new();
    scene.write("d/f", LATIN1);
    scene.run(&keep(&["d/f"])).assert(0, "");
    for (number, text) in [(1, "third\n"), (2, "fourth\n")] {
        fs::write(scene.path("d/f"), text).unwrap();
        let said =
            format!("oxiconv: d/f: an older backup is kept; this one is kept/d/f.{number}\n");
        let args = ["-t", "utf-16le", "-i", "--backup-dir", "kept", "d/f"];
        scene.run(&args).assert(0, &said);
        assert_eq!(scene.read(&format!("kept/d/f.{number}")), text.as_bytes());
    }
    assert_eq!(scene.read("kept/d/f"), LATIN1);
    // A directory or a dangling link with the name of a backup stays too.
    scene.write("kept/g/x", b"x");
    symlink("nowhere", scene.path("kept/h")).unwrap();
    for name in ["g", "h"] {
        scene.write(name, LATIN1);
        scene.run(&keep(&[name])).assert_says(
            0,
            &format!("oxiconv: {name}: "),
            "an older backup is kept",
        );
        assert_eq!(scene.read(&format!("kept/{name}.1")), LATIN1);
    }
    assert!(scene.read("kept/g/x") == b"x" && !scene.path("kept/nowhere").exists());
}

/// The note is one line, whatever the names are.
#[test]
fn odd_names_are_kept_and_shown_on_one_line() {
    let scene = Scene::new();
    let name = "line\nfeed\x1B]0;title\x07";
    for number in 0..2 {
        fs::write(scene.path(name), LATIN1).unwrap();
        let ended = scene.run(&[
            "-f",
            "latin1",
            "-i",
            "--backup-dir",
            name.trim_end_matches('\x07'),
            "--",
            name,
        ]);
        let err = ended.err();
        assert_eq!((ended.status(), err.lines().count()), (0, number), "{err}");
        assert!(!err.contains(['\x1B', '\x07']), "{err:?}");
    }
    fs::write(scene.path("f"), LATIN1).unwrap();
    let ended = scene.run(&["-f", "latin1", "-i", "--backup-dir", name, "f"]);
    let said = "cannot write the backup line\\u{a}feed\\u{1b}]0;title\\u{7}/f: Not a directory\n";
    ended.assert(2, &format!("oxiconv: f: not replaced: {said}"));
}

#[test]
fn below_the_tree_that_is_searched_backups_are_no_inputs() {
    let mut scene = Scene::new();
    scene.write("t/a", LATIN1);
    scene.write("t/s/b", LATIN1);
    let args = ["-f", "latin1", "-i", "--backup-dir", "t/s/old", "-r", "t"];
    scene.run(&args).assert(0, "oxiconv: 2 written\n");
    let all = ["t/a", "t/s/b", "t/s/old/t/a", "t/s/old/t/s/b"];
    assert_eq!(scene.names(), all);
    // A second run finds the directory, and does not enter it.
    for name in ["t/a", "t/s/b"] {
        fs::write(scene.path(name), "ok\n").unwrap();
    }
    let ended = scene.run(&[&args[..], &["-vv"]].concat());
    ended.assert_says(0, "oxiconv: t/s/old: skipped: is the backup directory", "");
    assert!(ended.err().ends_with("oxiconv: 0 written, 2 unchanged\n"), "{}", ended.err());
    assert_eq!(scene.names(), all);
    let mut without = args.to_vec();
    without.drain(3..5);
    scene.run(&without).assert_says(0, "oxiconv: 2 written, 2 unchanged", "");
}

#[test]
fn a_dry_run_writes_nothing_there() {
    let mut scene = Scene::new();
    scene.write("d/f", LATIN1);
    scene.run(&keep(&["--dry-run", "d/f"])).assert(0, "oxiconv: d/f: would be written\n");
    assert!(!scene.path("kept").exists() && scene.converted() == 0);
    // It says what would fail, and an older backup is no fault.
    scene.write("file", b"");
    let args = ["-f", "latin1", "-i", "--dry-run", "--backup-dir", "file", "d/f"];
    scene.run(&args).assert(2, "oxiconv: d/f: cannot write the backup file/d/f: Not a directory\n");
    scene.write("kept/d/f", b"older");
    scene.set_mode("kept/d/f", 0o444);
    scene.run(&keep(&["--dry-run", "d/f"])).assert(0, "oxiconv: d/f: would be written\n");
}

// What is refused before anything is written.

#[test]
fn a_backup_does_not_take_the_place_of_an_input() {
    let mut scene = Scene::new();
    for name in ["f", "kept/f", "d/g"] {
        scene.write(name, LATIN1);
    }
    symlink("kept", scene.path("link")).unwrap();
    symlink(".", scene.path("here")).unwrap();
    let end = "; nothing was written (name another directory for backups)\n";
    for (dir, inputs, said) in [
        ("kept", &["f", "kept/f"][..], "kept/f is an input, but would also be the backup of f"),
        ("link", &["f", "./kept/f"], "./kept/f is an input, but would also be the backup of f"),
        (".", &["f"], "f is an input, but would also be its own backup"),
        ("here", &["./f"], "./f is an input, but would also be its own backup"),
        (
            "/",
            &[scene.path("d/g").to_str().unwrap()],
            "d/g is an input, but would also be its own backup",
        ),
        ("here", &["-r", "d"], "d/g is an input, but would also be its own backup"),
    ] {
        let ended = scene.run(&[&["-f", "latin1", "-i", "--backup-dir", dir], inputs].concat());
        assert_eq!(ended.status(), 2, "{dir} {inputs:?}");
        assert!(ended.err().ends_with(&format!("{said}{end}")), "{}", ended.err());
    }
    // A second name of the file is the same.
    fs::hard_link(scene.path("f"), scene.path("second")).unwrap();
    let ended = scene.run(&["-f", "latin1", "-i", "--backup-dir", "here", "f"]);
    ended.assert(2, &format!("oxiconv: f is an input, but would also be its own backup{end}"));
    assert_eq!(scene.converted(), 0);
    assert_eq!(scene.names(), ["d/g", "f", "here", "kept/f", "link", "second"]);
}

#[test]
fn two_originals_with_one_backup_are_refused() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    let path = path.to_str().unwrap();
    let other = path.strip_prefix('/').unwrap();
    scene.write(other, LATIN1);
    let said = format!("oxiconv: {other} and {path} would both be kept as kept/{other}\n");
    scene.run(&keep(&[other, path])).assert(2, &said);
    assert!(scene.converted() == 0 && !scene.path("kept").exists());
}

#[test]
fn it_is_accepted_only_in_place_and_without_a_suffix() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    for (args, said) in [
        (&[][..], "--backup-dir requires --in-place or --fix"),
        (&["-o", "new"], "--backup-dir requires --in-place or --fix"),
        (
            &["-O", "out"],
            "--output-dir cannot be combined with --backup-dir, which requires --in-place or --fix",
        ),
        (
            &["--check"],
            "--check cannot be combined with --backup-dir, which requires --in-place or --fix",
        ),
        (&["-i.bak"], "--backup-dir cannot be combined with a suffix of --in-place"),
    ] {
        let ended = scene.run(&[args, &["--backup-dir", "kept", "f"]].concat());
        ended.assert(2, &format!("oxiconv: {said}\n"));
    }
    let ended = scene.run(&["-i", "--backup-dir", "", "f"]);
    ended.assert_says(2, "oxiconv: --backup-dir requires a value", "");
    assert_eq!((scene.names(), scene.converted()), (vec!["f".to_owned()], 0));
}

#[test]
fn a_refusal_repeats_it_in_the_command_that_converts_the_file() {
    let mut scene = Scene::new();
    scene.write("f", b"\xFF\xFEa\0\n\0");
    let ended = scene.run(&["-f", "latin1", "-i", "--backup-dir", "the old", "f"]);
    let command = "oxiconv -f utf-16 -i --backup-dir 'the old' f";
    ended.assert_says(1, "oxiconv: f: not converted", &format!("to convert it: {command};"));
}

// Who may read a backup.

/// A directory above the original may be what keeps others from it, and such a directory need not be part of the path.
#[test]
fn directories_that_are_created_are_open_to_the_user_alone() {
    let mut scene = Scene::new();
    scene.write("d/e/f", LATIN1);
    scene.run(&keep(&["d/e/f"])).assert(0, "");
    for dir in ["kept", "kept/d", "kept/d/e"] {
        assert_eq!(scene.mode(dir), 0o700, "{dir}");
    }
    // One that exists keeps its mode.
    fs::create_dir(scene.path("open")).unwrap();
    fs::set_permissions(scene.path("open"), PermissionsExt::from_mode(0o755)).unwrap();
    scene.write("d/f", LATIN1);
    scene.run(&["-f", "latin1", "-i", "--backup-dir", "open", "d/f"]).assert(0, "");
    assert_eq!((scene.mode("open"), scene.mode("open/d")), (0o755, 0o700));
}

// Faults.

#[test]
fn a_directory_that_may_not_be_written_is_named_and_the_originals_stay() {
    if !is_root() {
        return skipped("only root can run the program as another user");
    }
    let mut scene = Scene::new();
    fs::set_permissions(scene.dir(), PermissionsExt::from_mode(0o777)).unwrap();
    for name in ["f", "g", "kept/x"] {
        scene.write(name, LATIN1);
        chown(scene.path(name), Some(NOBODY), Some(NOBODY)).unwrap();
        scene.remember(name);
    }
    let cause = "cannot write the backup kept/f: Permission denied\n";
    scene.run_as_nobody(&keep(&["f"])).assert(2, &format!("oxiconv: f: not replaced: {cause}"));
    let dry = scene.run_as_nobody(&keep(&["--dry-run", "f"]));
    dry.assert(2, &format!("oxiconv: f: {cause}"));
    assert_eq!(
        (scene.converted(), scene.names()),
        (0, ["f", "g", "kept/x"].map(String::from).into())
    );
    // Only one of the directories is closed.
    fs::set_permissions(scene.path("kept"), PermissionsExt::from_mode(0o777)).unwrap();
    fs::create_dir(scene.path("kept/d")).unwrap();
    scene.write("d/h", LATIN1);
    chown(scene.path("d"), Some(NOBODY), Some(NOBODY)).unwrap();
    chown(scene.path("d/h"), Some(NOBODY), Some(NOBODY)).unwrap();
    scene.remember("d/h");
    scene.run_as_nobody(&keep(&["f", "d/h", "g"])).assert(
        2,
        "oxiconv: d/h: not replaced: cannot write the backup kept/d/h: Permission denied\n\
         oxiconv: 2 written, 1 failed\n",
    );
    assert_eq!(scene.read("d/h"), LATIN1);
    assert_eq!((scene.read("kept/f"), scene.read("kept/g")), (LATIN1.to_vec(), LATIN1.to_vec()));
    scene.assert_safe();
}

/// A scene, and a directory for its backups on another file system.
fn on_two_file_systems() -> Option<(Scene, tempfile::TempDir)> {
    let scene = Scene::new();
    let other = tempfile::tempdir_in("/dev/shm").ok();
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    let other = other.filter(|other| device(other.path()) != device(scene.dir()));
    if other.is_none() {
        skipped("there is no second file system here");
    }
    Some((scene, other?))
}

#[test]
fn on_another_file_system_the_backup_is_a_copy_with_mode_owner_and_times() {
    let Some((mut scene, other)) = on_two_file_systems() else { return };
    scene.write("d/f", &text(300_000));
    scene.set_mode("d/f", 0o4640);
    if is_root() {
        chown(scene.path("d/f"), Some(NOBODY), Some(4321)).unwrap();
        scene.set_mode("d/f", 0o4640);
    }
    let before = fs::metadata(scene.path("d/f")).unwrap();
    let dir = other.path().join("new");
    let dir = dir.to_str().unwrap();
    let args = ["-f", "latin1", "-i", "--backup-dir", dir, "d/f"];
    scene.run(&args).assert(0, "");
    let backup = Path::new(dir).join("d/f");
    assert_eq!(fs::read(&backup).unwrap(), text(300_000));
    let after = fs::metadata(&backup).unwrap();
    let of = |it: &fs::Metadata| (it.mode(), it.uid(), it.gid(), it.modified().unwrap());
    assert_eq!(of(&after), of(&before));
    assert!(after.dev() != before.dev());
    // An older copy stays.
    scene.write("d/f", LATIN1);
    let said = format!("oxiconv: d/f: an older backup is kept; this one is {dir}/d/f.1\n");
    scene.run(&args).assert(0, &said);
    assert_eq!(fs::read(&backup).unwrap(), text(300_000));
    assert_eq!(fs::read(format!("{dir}/d/f.1")).unwrap(), LATIN1);
    assert_eq!(fs::read_dir(backup.parent().unwrap()).unwrap().count(), 2);
    scene.assert_safe();
}

/// Returns the syncs, links and renames of a run in order, each with its path, or its second path if it has two.
fn calls(scene: &Scene, args: &[&str]) -> Option<Vec<String>> {
    let out = scene.dir().with_extension("calls");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-y", "-e", "trace=fsync,fdatasync,syncfs,link,linkat,rename,renameat2"]);
    strace.arg("-o").arg(&out).arg(assert_cmd::cargo::cargo_bin!("oxiconv")).args(args);
    let traced = strace.current_dir(scene.dir()).output();
    let lines = traced.ok().filter(|it| it.status.success()).and(fs::read_to_string(&out).ok());
    let _ = fs::remove_file(&out);
    if lines.is_none() {
        skipped("system calls cannot be watched here (needs strace)");
    }
    let top = scene.dir().canonicalize().unwrap();
    let call = |line: &str| {
        let (name, rest) = line.split_once(' ')?.1.trim().split_once('(')?;
        let path = Path::new(match rest.split('"').nth(3) {
            Some(to) => to,
            None => rest.split(['<', '>']).nth(1)?,
        });
        let path = path.strip_prefix(&top).unwrap_or(path).display().to_string();
        let path = path.split(".oxiconv-").next()?;
        Some(format!("{name} {path}{}", if rest.contains(" = -1 ") { " fails" } else { "" }))
    };
    Some(lines?.lines().filter_map(call).collect())
}

/// Between two file systems there is no order of what reaches the disk first, so the backup has to be there before the
/// original goes. On one file system, the order of the calls is enough until the end of the run.
#[test]
fn a_backup_is_on_the_disk_before_the_original_goes() {
    let Some((mut scene, other)) = on_two_file_systems() else { return };
    // The empty path is the top of the scene, and a temporary file is shown as its directory.
    scene.write("f", LATIN1);
    let Some(linked) = calls(&scene, &keep(&["f"])) else { return };
    let end = ["linkat kept/f", "rename f", "fsync kept", "fsync "];
    assert_eq!(linked, [&["fdatasync ", "fsync "], &end[..]].concat());
    // The names of new directories are synced as well.
    scene.write("d/f", LATIN1);
    let end = ["linkat kept/d/f", "rename d/f", "fsync kept/d", "fsync d"];
    let linked = calls(&scene, &keep(&["d/f"])).unwrap();
    assert_eq!(linked, [&["fdatasync d/", "fsync kept"], &end[..]].concat());
    scene.write("f", LATIN1);
    let dir = other.path().to_str().unwrap();
    let copied = calls(&scene, &["-f", "latin1", "-i", "--backup-dir", dir, "f"]).unwrap();
    let expected = [
        "fdatasync ",
        &format!("linkat {dir}/f fails"),
        &format!("fsync {dir}/"),
        &format!("renameat2 {dir}/f"),
        &format!("fsync {dir}"),
        "rename f",
        "fsync ",
    ];
    assert_eq!(copied, expected);
    scene.write("f", LATIN1);
    let quick = calls(&scene, &keep(&["--no-sync", "f"])).unwrap();
    assert_eq!(quick, ["linkat kept/f fails", "linkat kept/f.1", "rename f"]);
}

#[test]
fn a_copy_that_the_disk_does_not_take_leaves_the_original_and_nothing_else() {
    let Some((mut scene, other)) = on_two_file_systems() else { return };
    scene.write("f", LATIN1);
    let dir = other.path().to_str().unwrap().to_owned();
    let args = ["-f", "latin1", "-i", "--backup-dir", &dir, "f"];
    let cause =
        format!("oxiconv: f: not replaced: cannot write the backup {dir}/f: Input/output error\n");
    // The first call syncs the copy, the second one its name.
    for when in 1..=2 {
        let fault = format!("fsync:error=EIO:when={when}");
        let Some(ended) = with_faults(&scene, &[&fault], &args) else { return };
        ended.assert(2, &cause);
        assert_eq!(scene.converted(), 0);
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0, "{when}");
        scene.assert_safe();
    }
    with_faults(&scene, &["rename:error=EIO"], &args)
        .unwrap()
        .assert(2, "oxiconv: f: not replaced: Input/output error\n");
    assert_eq!((scene.converted(), fs::read_dir(other.path()).unwrap().count()), (0, 0));
}

#[test]
fn a_rename_that_fails_leaves_the_original_and_no_backup() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.write("g", LATIN1);
    let faults = ["rename:error=EIO"];
    let Some(ended) = with_faults(&scene, &faults, &keep(&["f"])) else { return };
    ended.assert(2, "oxiconv: f: not replaced: Input/output error\n");
    assert_eq!((scene.names(), scene.converted()), (vec!["f".to_owned(), "g".to_owned()], 0));
    // Another name of the original that was there before is no backup of this run, and stays.
    fs::hard_link(scene.path("g"), scene.path("kept/g")).unwrap();
    with_faults(&scene, &faults, &keep(&["-q", "g"])).unwrap();
    assert_eq!(scene.read("kept/g"), LATIN1);
    scene.run(&keep(&["-q", "g"])).assert(0, "");
    assert_eq!((scene.read("g"), scene.read("kept/g")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert_eq!(scene.names(), ["f", "g", "kept/g"]);
}

#[test]
fn a_directory_that_cannot_be_synced_is_reported() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    fs::create_dir(scene.path("kept")).unwrap();
    let Some(mut run) = program_with_faults(&scene, &["fsync:error=EIO"], &keep(&["f"])) else {
        return;
    };
    let ended = Ended(of_this_file(&mut run, &scene.path("kept")).output().unwrap());
    let undone = "but a system crash may undo that: Input/output error\n";
    ended.assert(2, &format!("oxiconv: the files are converted, {undone}"));
    scene.assert_safe();
}

#[test]
fn a_full_disk_leaves_the_original_and_no_half_backup() {
    let (Some(small), mut scene) = (Small::mounted(64), Scene::new()) else { return };
    scene.write("large", &text(100_000));
    scene.write("small", LATIN1);
    let dir = small.0.dir().to_str().unwrap();
    let ended = scene.run(&["-f", "latin1", "-i", "--backup-dir", dir, "large", "small"]);
    let cause = format!("cannot write the backup {dir}/large: No space left on device");
    ended.assert_says(2, "oxiconv: large: not replaced", &cause);
    assert_eq!((scene.converted(), small.0.names()), (1, vec!["small".to_owned()]));
    assert_eq!(small.0.read("small"), LATIN1);
    scene.assert_safe();
}

// Runs that end early.

#[test]
fn runs_interrupted_at_any_time_keep_what_they_replace_and_no_more() {
    let original = text(4 << 20);
    let names = ["a", "d/b", "d/c"];
    let mut interrupted = 0;
    for is_copied in [false, true] {
        let Some((mut whole, other)) = on_two_file_systems() else { return };
        let other = other.path().join("kept");
        let dir = if is_copied { other.to_str().unwrap() } else { "kept" };
        let args = [&["-f", "latin1", "-i", "--backup-dir", dir], &names[..]].concat();
        names.iter().for_each(|name| drop(whole.write(name, &original)));
        let began = Instant::now();
        whole.run(&args).assert(0, "oxiconv: 3 written\n");
        let time = began.elapsed();
        for number in 0..6 {
            let _ = fs::remove_dir_all(&other);
            let mut scene = Scene::new();
            names.iter().for_each(|name| drop(scene.write(name, &original)));
            let mut run = scene.start(&args);
            std::thread::sleep(time * (number + 1) / 7);
            run.signal(Signal::INT);
            let status = run.end().status();
            assert!([0, 130].contains(&status), "{status}");
            interrupted += u32::from(status == 130);
            scene.assert_safe();
            let kept = if is_copied { other.clone() } else { scene.path("kept") };
            for name in names {
                let backup = kept.join(name);
                assert_eq!(scene.read(name) != original, backup.exists(), "{name}");
                assert!(!backup.exists() || fs::read(backup).unwrap() == original, "{name}");
            }
            for dir in [kept.clone(), kept.join("d")] {
                let files =
                    fs::read_dir(dir).into_iter().flatten().map(|it| it.unwrap().file_name());
                let temporary = |name: &std::ffi::OsString| name.to_string_lossy().starts_with('.');
                assert_eq!(files.filter(temporary).count(), 0);
            }
        }
    }
    assert!(interrupted > 3, "only {interrupted} of 12 runs were interrupted");
}

/// SIGKILL while the copy is synced leaves it under its temporary name. The next run that keeps a backup there removes
/// it.
#[test]
fn a_killed_run_leaves_the_original_and_the_next_one_tidies_up() {
    let Some((mut scene, other)) = on_two_file_systems() else { return };
    scene.write("f", LATIN1);
    let dir = other.path().to_str().unwrap();
    let args = ["-f", "latin1", "-i", "--backup-dir", dir, "f"];
    let kill = ["fsync:signal=SIGKILL:when=1"];
    let Some(killed) = program_with_faults(&scene, &kill, &args) else { return };
    assert_eq!(Running::new(killed).end().status(), 128 + 9);
    assert_eq!(scene.converted(), 0);
    let left: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(left.len() == 1 && left[0].starts_with(".oxiconv-"), "{left:?}");
    let ended = scene.run(&args);
    let removed = "removed a temporary file that an earlier run left when it was killed";
    ended.assert_says(0, &format!("oxiconv: {dir}/{}: {removed}", left[0]), "");
    assert_eq!((scene.read("f"), fs::read_dir(dir).unwrap().count()), (UTF8.to_vec(), 1));
    assert_eq!(fs::read(other.path().join("f")).unwrap(), LATIN1);
    scene.assert_safe();
}
