//! No file becomes readable for other users, no original or backup is lost, and outputs such as pipes are not replaced.
//!
//! The promises are in docs/safety.md.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::scene::{
    ACCESS, DEFAULT, Ended, LATIN1, NOBODY, Running, Scene, UTF8, attribute, is_root, is_waiting,
    list, list_for_nobody, set, skipped, wait_until,
};

/// Whether another user can read a file. Needs root.
fn nobody_reads(path: &Path) -> bool {
    let mut cat = Command::new("cat");
    cat.arg(path).uid(NOBODY).gid(NOBODY).output().unwrap().status.success()
}

// Read permissions.

#[test]
fn a_default_access_list_of_the_directory_opens_no_file() {
    for args in [&["-i"][..], &["-i.bak"], &["-o", "f"]] {
        let mut scene = Scene::new();
        let path = scene.write("f", LATIN1);
        scene.set_mode("f", 0o640);
        if !set(scene.dir(), DEFAULT, &list_for_nobody()) {
            return;
        }
        let args = [&["-f", "latin1"], args, &["f"]].concat();
        scene.run(&args).assert(0, "");
        assert_eq!((scene.read("f"), scene.mode("f")), (UTF8.to_vec(), 0o640));
        assert_eq!(attribute(&path, ACCESS), None);
        assert!(!is_root() || !nobody_reads(&path));
        scene.assert_safe();
    }
}

#[test]
fn a_new_file_gets_what_its_directory_gives_and_no_more_than_its_original_has() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.set_mode("f", 0o600);
    fs::create_dir(scene.path("out")).unwrap();
    if !set(&scene.path("out"), DEFAULT, &list_for_nobody()) {
        return;
    }
    scene.run(&["-f", "latin1", "-O", "out", "f"]).assert(0, "");
    assert_eq!(scene.mode("out/f"), 0o600);
    assert!(!is_root() || !nobody_reads(&scene.path("out/f")));
}

#[test]
fn an_access_list_is_kept_exactly() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    // The owning group has no access, but the mask is rw, and the mode shows the mask as the group's bits.
    let kept = list(&[(1, 6, !0), (2, 4, NOBODY), (4, 0, !0), (16, 6, !0), (32, 0, !0)]);
    if !set(&path, ACCESS, &kept) {
        return;
    }
    scene.remember("f");
    scene.run(&["-f", "latin1", "-i.bak", "f"]).assert(0, "");
    assert_eq!(attribute(&path, ACCESS), Some(kept.clone()));
    assert_eq!(attribute(&scene.path("f.bak"), ACCESS), Some(kept));
    scene.assert_safe();
}

/// Creates a directory in which the user [`NOBODY`] may replace files, and a file with this owner, group and mode.
fn open_scene(owner: u32, group: u32, mode: u32) -> Option<Scene> {
    if !is_root() {
        skipped("only root can make files of others");
        return None;
    }
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    fs::set_permissions(scene.dir(), fs::Permissions::from_mode(0o777)).unwrap();
    chown(scene.path("f"), Some(owner), Some(group)).unwrap();
    scene.set_mode("f", mode);
    Some(scene)
}

#[test]
fn a_group_that_cannot_be_kept_gives_the_new_one_what_the_others_had() {
    let Some(scene) = open_scene(NOBODY, 0, 0o664) else { return };
    scene.run_as_nobody(&["-f", "latin1", "-i", "f"]).assert(
        0,
        "oxiconv: f: could not keep the owner or group: it was 1234:0 with mode 0664, and is now \
         1234:1234 with mode 0644\n",
    );
    assert_eq!((scene.read("f"), scene.mode("f")), (UTF8.to_vec(), 0o644));
}

#[test]
fn an_owner_that_cannot_be_kept_takes_nothing_from_the_group() {
    let Some(scene) = open_scene(0, NOBODY, 0o4664) else { return };
    let ended = scene.run_as_nobody(&["-f", "latin1", "-i", "f"]);
    ended.assert_says(0, "oxiconv: f: could not keep the owner", "is now 1234:1234 with mode 0664");
    assert_eq!(scene.mode("f"), 0o664, "a set-user-ID bit would now apply to another user");
    // -q suppresses the message.
    let Some(scene) = open_scene(0, NOBODY, 0o664) else { return };
    scene.run_as_nobody(&["-q", "-f", "latin1", "-i", "f"]).assert(0, "");
}

#[test]
fn owner_and_group_stay_where_the_system_allows() {
    let Some(scene) = open_scene(NOBODY, 4321, 0o4710) else { return };
    scene.run(&["-f", "latin1", "-i.bak", "f"]).assert(0, "");
    for name in ["f", "f.bak"] {
        let metadata = fs::metadata(scene.path(name)).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (NOBODY, 4321), "{name}");
        assert_eq!(scene.mode(name), 0o4710, "{name}");
    }
    scene.assert_safe();
}

// Attributes, times, links.

#[test]
fn other_attributes_are_kept() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    let long = vec![b'x'; 1000];
    if !set(&path, "user.origin", b"a\0b") || !set(&path, "user.long", &long) {
        return;
    }
    scene.run(&["-f", "latin1", "-i", "f"]).assert(0, "");
    assert_eq!(attribute(&path, "user.origin"), Some(b"a\0b".to_vec()));
    assert_eq!(attribute(&path, "user.long"), Some(long));
}

/// Only root may set attributes in the namespace `security`.
#[test]
fn attributes_that_cannot_be_kept_are_named() {
    let Some(scene) = open_scene(NOBODY, NOBODY, 0o644) else { return };
    let said = "oxiconv: f: could not keep security.one";
    for (name, end) in [("security.one", "\n"), ("security.two", ", security.two\n")] {
        fs::write(scene.path("f"), LATIN1).unwrap();
        for name in ["security.one", name] {
            if !set(&scene.path("f"), name, b"x") {
                return;
            }
        }
        let ended = scene.run_as_nobody(&["-f", "latin1", "-i", "f"]);
        ended.assert(0, &format!("{said}{end}"));
        chown(scene.path("f"), Some(NOBODY), Some(NOBODY)).unwrap();
    }
}

#[test]
fn the_time_of_change_is_new_and_a_backup_keeps_the_old_one() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    let then = SystemTime::now() - Duration::from_secs(1_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    let modified = |name: &str| fs::metadata(scene.path(name)).unwrap().modified().unwrap();
    let then = modified("f");
    scene.run(&["-f", "latin1", "-i.bak", "f"]).assert(0, "");
    assert_eq!(modified("f.bak"), then);
    assert!(modified("f") > then + Duration::from_secs(900_000));
}

#[test]
fn a_hard_link_that_parts_is_reported() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    for (name, said) in [
        ("g", "oxiconv: f: 1 other hard link to it did not change with it\n"),
        ("h", "oxiconv: f: 2 other hard links to it did not change with it\n"),
    ] {
        fs::write(&path, LATIN1).unwrap();
        fs::hard_link(&path, scene.path(name)).unwrap();
        if name == "h" {
            fs::remove_file(scene.path("g")).unwrap();
            fs::hard_link(&path, scene.path("g")).unwrap();
        }
        scene.run(&["-f", "latin1", "-i", "f"]).assert(0, said);
        assert_eq!((scene.read("f"), scene.read(name)), (UTF8.to_vec(), LATIN1.to_vec()));
    }
}

#[test]
fn two_names_of_one_file_are_both_converted() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    fs::hard_link(&path, scene.path("g")).unwrap();
    scene.run(&["-q", "-f", "latin1", "-j1", "-i", "f", "g"]).assert(0, "");
    assert_eq!((scene.read("f"), scene.read("g")), (UTF8.to_vec(), UTF8.to_vec()));
}

// Originals and backups.

/// The same as for a conversion: a symbolic link stays one, other hard links keep the old text, a backup has the old
/// text, and a file that cannot be replaced is reported and unchanged.
#[test]
fn a_repair_in_place_obeys_the_rules_for_files() {
    const DAMAGED: &[u8] = "un cafÃ© noir\n".as_bytes();
    const MEANT: &[u8] = "un café noir\n".as_bytes();
    let mut scene = Scene::new();
    scene.write("dir/f", DAMAGED);
    scene.set_mode("dir/f", 0o640);
    symlink("dir/f", scene.path("link")).unwrap();
    scene.run(&["--repair", "-q", "-i.bak", "link"]).assert(0, "");
    assert!(scene.path("link").is_symlink());
    assert_eq!((scene.read("dir/f"), scene.mode("dir/f")), (MEANT.to_vec(), 0o640));
    assert_eq!(scene.read("dir/f.bak"), DAMAGED);
    scene.write("g", DAMAGED);
    fs::hard_link(scene.path("g"), scene.path("h")).unwrap();
    let ended = scene.run(&["--repair", "-i", "g"]);
    ended.assert_says(0, "oxiconv: g: 1 other hard link to it did not change with it", "");
    assert_eq!((scene.read("g"), scene.read("h")), (MEANT.to_vec(), DAMAGED.to_vec()));
    scene.run(&["--repair", "-i", "missing"]).assert_says(2, "oxiconv: missing: No such file", "");
    if is_root() {
        // The other user may not write to the directory.
        scene.write("closed/f", DAMAGED);
        let ended = scene.run_as_nobody(&["--repair", "-i", "closed/f"]);
        ended.assert_says(2, "oxiconv: closed/f: ", "Permission denied");
        assert_eq!(scene.read("closed/f"), DAMAGED);
    }
    assert_eq!(scene.temporaries(), [""; 0]);
}

#[test]
fn a_backup_of_a_link_does_not_replace_another_input() {
    let mut scene = Scene::new();
    scene.write("dir/b", LATIN1);
    scene.write("dir/b.bak", b"other text\n");
    symlink("dir/b", scene.path("a")).unwrap();
    let ended = scene.run(&["-f", "latin1", "-i.bak", "a", "dir/b.bak"]);
    ended.assert_says(2, "oxiconv: ", "dir/b.bak is an input, but would also be the backup of a");
    assert_eq!(scene.converted(), 0);
    assert_eq!(scene.names(), ["a", "dir/b", "dir/b.bak"]);
}

#[test]
fn two_outputs_in_one_place_by_a_link_are_refused() {
    let mut scene = Scene::new();
    scene.write("in/x", b"one\n");
    scene.write("in/y", b"two\n");
    fs::create_dir_all(scene.path("out/in")).unwrap();
    symlink("y", scene.path("out/in/x")).unwrap();
    let ended = scene.run(&["-O", "out", "in/x", "in/y"]);
    ended.assert_says(2, "oxiconv: in/x and in/y would both be written to out/in/y", "");
    assert!(!scene.path("out/in/y").exists());
    // The same through symbolic links to a directory.
    fs::remove_file(scene.path("out/in/x")).unwrap();
    fs::create_dir(scene.path("real")).unwrap();
    for (dir, file) in [("p", "one\n"), ("q", "two\n")] {
        scene.write(&format!("{dir}/f"), file.as_bytes());
        symlink("../real", scene.path(&format!("out/{dir}"))).unwrap();
    }
    let ended = scene.run(&["-O", "out", "p/f", "q/f"]);
    ended.assert_says(2, "oxiconv: p/f and q/f would both be written to out/q/f", "");
    assert!(!scene.path("real/f").exists());
}

#[test]
fn an_output_directory_does_not_replace_an_original_by_a_link() {
    let mut scene = Scene::new();
    scene.write("x", LATIN1);
    fs::create_dir(scene.path("out")).unwrap();
    symlink("../x", scene.path("out/x")).unwrap();
    let ended = scene.run(&["-f", "latin1", "-O", "out", "x"]);
    ended.assert_says(2, "oxiconv: out/x is the same file as x", "use -i");
    assert_eq!(scene.read("x"), LATIN1);
    // The same through a symbolic link to the directory, and with the directory itself.
    scene.write("in/x", LATIN1);
    symlink("../in", scene.path("out/in")).unwrap();
    let ended = scene.run(&["-f", "latin1", "-O", "out", "in/x"]);
    ended.assert_says(2, "oxiconv: out/in/x is the same file as in/x", "use -i");
    let ended = scene.run(&["-f", "latin1", "-O", ".", "in/x"]);
    ended.assert_says(2, "oxiconv: ./in/x is the same file as in/x", "use -i");
    fs::remove_file(scene.path("out/in")).unwrap();
    // The output is another input, through a symbolic link to its directory.
    scene.write("d/f", LATIN1);
    scene.write("e/d/f", LATIN1);
    symlink("e", scene.path("link")).unwrap();
    let ended = scene.run(&["-f", "latin1", "-O", "link", "d/f", "e/d/f"]);
    ended.assert_says(2, "oxiconv: link/d/f would be overwritten", "also an input, e/d/f");
    assert_eq!(scene.converted(), 0);
}

#[test]
fn a_file_named_twice_for_one_output_is_converted_once() {
    let mut scene = Scene::new();
    scene.write("in/y", LATIN1);
    scene.run(&["-f", "latin1", "-O", "out", "in/y", "./in/y", "in/y"]).assert(0, "");
    assert_eq!(scene.read("out/in/y"), "café\n".as_bytes());
}

#[test]
fn what_the_process_has_open_is_not_converted_in_place_by_that_name() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    symlink("/dev/stdin", scene.path("link")).unwrap();
    for name in ["/dev/stdin", "/dev/fd/0", "link"] {
        for option in ["-i", "-i.bak"] {
            let open = fs::File::options().read(true).write(true).open(&path).unwrap();
            let mut program = scene.program(&["-f", "latin1", "--force", option, name]);
            let ended = Ended(program.stdin(open).output().unwrap());
            let start = format!("oxiconv: {name} is a file that this process has open");
            ended.assert_says(2, &start, "name the file itself");
            assert_eq!(scene.read("f"), LATIN1);
        }
    }
}

#[test]
fn an_output_that_is_also_an_input_and_was_changed_meanwhile_is_not_replaced() {
    let mut scene = Scene::new();
    let path = scene.write("f", LATIN1);
    let fifo = scene.mkfifo("fifo");
    let mut run = scene.start(&["-f", "latin1", "-o", "f", "f", "fifo"]);
    wait_until("the program waits", || is_waiting(&mut run));
    let longer = [LATIN1, b"added\n"].concat();
    fs::write(&path, &longer).unwrap();
    drop(fs::File::options().write(true).open(fifo).unwrap());
    run.end().assert_says(2, "oxiconv: f: cannot write", "another program changed the file");
    assert_eq!(scene.read("f"), longer);
    assert_eq!(scene.temporaries(), [""; 0]);
}

#[test]
fn a_leftover_that_is_named_as_an_input_is_converted_and_not_removed() {
    let mut scene = Scene::new();
    let name = "d/.oxiconv-0123456789abcdef";
    scene.write(name, LATIN1);
    scene.run(&["-f", "latin1", "-o", "d/rescued", name]).assert(0, "");
    assert_eq!(scene.read("d/rescued"), "café\n".as_bytes());
    assert_eq!(scene.read(name), LATIN1);
}

#[test]
fn a_backup_of_what_could_not_be_replaced_is_removed_or_named() {
    if !is_root() {
        return skipped("a file of another owner in a sticky directory needs root");
    }
    let scene = Scene::new();
    fs::create_dir(scene.path("st")).unwrap();
    fs::write(scene.path("st/f"), LATIN1).unwrap();
    for (name, mode) in [("st", 0o1777), ("st/f", 0o666)] {
        fs::set_permissions(scene.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }
    let ended = scene.run_as_nobody(&["-f", "latin1", "-i.bak", "st/f"]);
    assert_eq!(ended.status(), 2, "{}", ended.err());
    assert_eq!(scene.read("st/f"), LATIN1);
    // In a sticky directory a user may not remove files of others. A backup that is a hard link to such a file stays.
    if scene.path("st/f.bak").exists() {
        assert!(ended.err().contains("its backup f.bak was written"), "{}", ended.err());
    }
    assert!(
        !ended.err().contains("now"),
        "a change is reported that did not happen: {}",
        ended.err()
    );
}

#[test]
fn a_new_file_does_not_turn_the_mask_of_an_access_list_into_the_groups_rights() {
    let mut scene = Scene::new();
    let path = scene.write("in", LATIN1);
    // The owner and one named user have rw, as does the mask. The group and others have no access.
    let (owner, user, group, mask, others) = (1, 2, 4, 0x10, 0x20);
    let entries = [
        (owner, 6, u32::MAX),
        (user, 6, NOBODY),
        (group, 0, u32::MAX),
        (mask, 6, u32::MAX),
        (others, 0, u32::MAX),
    ];
    if !set(&path, "system.posix_acl_access", &list(&entries)) {
        return skipped("this file system has no access lists");
    }
    assert_eq!(scene.mode("in"), 0o660, "the mask shows as the group's bits");
    scene.run(&["-f", "latin1", "-O", "out", "in"]).assert(0, "");
    assert_eq!(scene.mode("out/in"), 0o600);
}

/// If the new file has a different group than the original, the members of that group were "others" for the original.
#[test]
fn a_new_file_of_another_group_gives_it_what_the_others_have() {
    for (group, mode, expected) in [
        (NOBODY, 0o664, 0o644),
        (NOBODY, 0o666, 0o666),
        (NOBODY, 0o670, 0o600),
        (NOBODY, 0o606, 0o606),
        (0, 0o664, 0o664),
        (0, 0o670, 0o670),
    ] {
        let Some(scene) = open_scene(0, group, mode) else { return };
        let limited = scene.limited("umask 0;", &["-f", "latin1", "-O", "out", "f"]).output();
        Ended(limited.unwrap()).assert(0, "");
        assert_eq!(scene.mode("out/f"), expected, "{group} {mode:o}");
    }
}

#[test]
fn names_that_differ_in_case_are_one_file_where_the_system_says_so() {
    let mut scene = Scene::new();
    let image = scene.path("image");
    fs::File::create(&image).unwrap().set_len(8 << 20).unwrap();
    fs::create_dir(scene.path("mounted")).unwrap();
    let setup = "mkfs.ext4 -q -O casefold image && mount -o loop image mounted && \
                 mkdir mounted/d && chattr +F mounted/d";
    let made = is_root()
        && Command::new("sh")
            .args(["-c", setup])
            .current_dir(scene.dir())
            .output()
            .unwrap()
            .status
            .success();
    if made {
        scene.write("mounted/d/a", LATIN1);
        scene.run(&["-f", "latin1", "-i", "mounted/d/a", "mounted/d/A"]).assert(0, "");
        assert_eq!(scene.read("mounted/d/a"), UTF8);
        scene.write("x", b"one\n");
        scene.write("X", b"two\n");
        let ended = scene.run(&["-j", "1", "-O", "mounted/d", "x", "X"]);
        ended.assert_says(2, "oxiconv: mounted/d/X: not replaced", "another file of this run");
        assert_eq!(scene.read("mounted/d/x"), b"one\n");
    }
    let _ = Command::new("umount").arg(scene.path("mounted")).output();
    if !made {
        skipped("no file system that ignores case can be mounted here");
    }
}

#[test]
fn a_second_backup_leaves_the_first_one_alone() {
    let mut scene = Scene::new();
    scene.write("a", LATIN1);
    scene.run(&["-f", "latin1", "-i.bak", "a"]).assert(0, "");
    for (number, text) in [(1, "third\n"), (2, "fourth\n")] {
        fs::write(scene.path("a"), text).unwrap();
        let said = format!("oxiconv: a: an older backup is kept; this one is a.bak.{number}\n");
        scene.run(&["-t", "utf-16le", "-i.bak", "a"]).assert(0, &said);
        assert_eq!(scene.read(&format!("a.bak.{number}")), text.as_bytes());
    }
    assert_eq!(scene.read("a.bak"), LATIN1);
    assert_eq!(scene.names(), ["a", "a.bak", "a.bak.1", "a.bak.2"]);
}

#[test]
fn a_backup_by_copy_has_what_its_original_has() {
    // If hard links are protected, a user may not create one to another user's set-user-ID file, so the backup is a
    // copy.
    let protected = fs::read_to_string("/proc/sys/fs/protected_hardlinks");
    let is_protected = protected.is_ok_and(|text| text.trim() == "1");
    let Some(scene) = open_scene(0, NOBODY, 0o4664).filter(|_| is_protected) else {
        return skipped("needs root, and protected hard links");
    };
    scene.run_as_nobody(&["-q", "-f", "latin1", "-i.bak", "f"]).assert(0, "");
    assert_eq!((scene.read("f"), scene.read("f.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    let metadata = fs::metadata(scene.path("f.bak")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), scene.mode("f.bak")), (NOBODY, NOBODY, 0o664));
    assert_eq!(scene.names(), ["f", "f.bak"]);
}

// Outputs that are written to and not replaced.

#[test]
fn standard_output_by_its_path_is_written_to_where_it_stands() {
    let mut scene = Scene::new();
    scene.write("f", b"text\n");
    symlink("/dev/stdout", scene.path("link")).unwrap();
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "/dev/fd/5"] {
        for redirection in [">x 5>&1", ">>x 5>&1"] {
            fs::write(scene.path("x"), "before\n").unwrap();
            let inode = fs::metadata(scene.path("x")).unwrap().ino();
            let script = format!("( echo head; \"$0\" -o {target} f; echo tail ) {redirection}");
            let program = assert_cmd::cargo::cargo_bin!("oxiconv");
            let ended = Command::new("bash")
                .args(["-c", &script])
                .arg(program)
                .current_dir(scene.dir())
                .output()
                .unwrap();
            Ended(ended).assert(0, "");
            let before = if redirection.starts_with(">>") { "before\n" } else { "" };
            let expected = format!("{before}head\ntext\ntail\n");
            assert_eq!(String::from_utf8(scene.read("x")).unwrap(), expected, "{target}");
            assert_eq!(fs::metadata(scene.path("x")).unwrap().ino(), inode, "{target}");
        }
    }
    assert_eq!(scene.names(), ["f", "link", "x"]);
}

#[test]
fn an_input_that_is_written_through_is_refused() {
    let mut scene = Scene::new();
    scene.write("f", b"text\n");
    let mut command = scene.program(&["-o", "/dev/stdout", "f"]);
    command.stdout(fs::File::options().append(true).open(scene.path("f")).unwrap());
    let ended = Ended(command.output().unwrap());
    ended.assert_says(2, "oxiconv: f: is also the output", "");
    assert_eq!(scene.read("f"), b"text\n");
    scene
        .run(&["-o", "/dev/fd/77", "f"])
        .assert(2, "oxiconv: /dev/fd/77: cannot write: Bad file descriptor\n");
}

#[test]
fn a_fifo_is_written_through() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    let fifo = scene.mkfifo("fifo");
    let run = scene.start(&["-f", "latin1", "-o", "fifo", "f"]);
    assert_eq!(fs::read(&fifo).unwrap(), UTF8);
    run.end().assert(0, "");
    assert!(!fs::metadata(&fifo).unwrap().is_file());
}

// Syncing, locks, and leftovers.

/// Returns the system calls of a run, one per line, in order; `None` if they cannot be traced.
fn calls(scene: &Scene, args: &[&str]) -> Option<Vec<String>> {
    let out = scene.dir().with_extension("calls");
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let traced = Command::new("strace")
        .args([
            "-f",
            "-e",
            "trace=fdatasync,fsync,syncfs,rename,renameat,renameat2,link,linkat",
            "-o",
        ])
        .arg(&out)
        .arg(program)
        .args(args)
        .current_dir(scene.dir())
        .output();
    let text = traced.ok().filter(|it| it.status.success()).and(fs::read_to_string(&out).ok());
    let _ = fs::remove_file(&out);
    if text.is_none() {
        skipped("system calls cannot be watched here (needs strace)");
    }
    let name = |line: &str| Some(line.split_once(' ')?.1.trim().split('(').next()?.to_owned());
    // strace shows `???` for a call that it can no longer read because the process has ended.
    let names =
        text?.lines().filter(|line| line.contains('(')).filter_map(name).collect::<Vec<_>>();
    Some(names.into_iter().filter(|name| name != "???").collect())
}

#[test]
fn what_is_written_is_on_the_disk_before_the_original_goes() {
    let mut scene = Scene::new();
    let names: Vec<_> = (0..20).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let mut args = vec!["-f", "latin1", "-i", "-j", "2"];
    args.extend(names.iter().map(String::as_str));
    let Some(calls) = calls(&scene, &args) else { return };
    // Many files: one sync for all of them before the renames, and one of the directory at the end.
    let expected = [vec!["syncfs"], vec!["rename"; 20], vec!["fsync"]].concat();
    assert_eq!(calls, expected);
    // Few files: one sync per file.
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let few = self::calls(&scene, &["-f", "latin1", "-i", "f0", "f1"]).unwrap();
    assert_eq!(few, ["fdatasync", "fdatasync", "rename", "rename", "fsync"]);
    args.push("--no-sync");
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let quick = self::calls(&scene, &args).unwrap();
    assert!(quick.iter().all(|call| call.starts_with("rename")), "{quick:?}");
    scene.run(&["-o", "out", "f0"]).assert(0, "");
    let single = self::calls(&scene, &["-o", "out", "f1"]).unwrap();
    assert_eq!(single, ["fdatasync", "rename", "fsync"]);
}

#[test]
fn the_files_that_wait_for_each_other_keep_within_the_descriptors() {
    let mut scene = Scene::new();
    let names: Vec<_> = (0..200).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    let mut args = vec!["-f", "latin1", "-i"];
    args.extend(names.iter().map(String::as_str));
    for (limit, jobs) in [("ulimit -n 60;", "2"), ("ulimit -n 256;", "8"), ("ulimit -n 128;", "8")]
    {
        names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
        let args = [&["-j", jobs][..], &args].concat();
        let ended = Ended(scene.limited(limit, &args).output().unwrap());
        ended.assert(0, "oxiconv: 200 written\n");
        assert_eq!(scene.converted(), 200);
        scene.assert_safe();
    }
}

#[test]
fn a_temporary_file_in_use_is_left_alone_and_a_killed_runs_is_removed() {
    let mut scene = Scene::new();
    scene.write("f", LATIN1);
    scene.write("out", b"old\n");
    scene.mkfifo("fifo");
    let mut first = Running::new(scene.program(&["-f", "latin1", "-o", "out", "fifo"]));
    wait_until("the first run has begun", || scene.temporaries().len() == 1);
    // The lock of the first run's temporary file protects it from this run. If this run removes the file before it is
    // locked, the first run creates it again.
    scene.run(&["-f", "latin1", "-i", "f"]).assert(0, "");
    wait_until("it has one", || scene.temporaries().len() == 1);
    let used = scene.temporaries().remove(0);
    first.signal(rustix::process::Signal::KILL);
    assert_eq!(first.end().status(), 128 + 9);
    assert_eq!((scene.temporaries(), scene.read("out")), (vec![used.clone()], b"old\n".to_vec()));
    for args in [&["-f", "latin1", "--dry-run", "-i", "f"][..], &["--check", "f"]] {
        scene.run(args);
        assert_eq!(scene.temporaries().len(), 1, "{args:?}");
    }
    let ended = scene.run(&["-o", "new", "f"]);
    let real = scene.dir().canonicalize().unwrap().join(used);
    ended.assert(
        0,
        &format!(
            "oxiconv: {}: removed a temporary file that an earlier run left when it was killed\n",
            real.display()
        ),
    );
    scene.assert_safe();
}

#[test]
fn a_leftover_of_another_user_is_named_and_stays() {
    let Some(mut scene) = open_scene(NOBODY, NOBODY, 0o644) else { return };
    let name = ".oxiconv-0123456789abcdef";
    scene.write(name, b"x");
    scene.set_mode(name, 0o600);
    scene.run_as_nobody(&["-f", "latin1", "-i", "f"]).assert_says(
        0,
        &format!("oxiconv: {}: ", scene.dir().canonicalize().unwrap().join(name).display()),
        "an earlier run may have left this temporary file",
    );
    assert_eq!((scene.read("f"), scene.temporaries()), (UTF8.to_vec(), vec![name.to_owned()]));
}
