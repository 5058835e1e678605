use std::io::Write;
use std::time::{Duration, Instant};
#[cfg(unix)]
use std::{fs::File, os::unix::fs::PermissionsExt};

use super::super::FileReplacement;
use super::*;

fn ready(target: &Path, text: &str) -> Ready {
    let mut replacement = FileReplacement::new(target).unwrap();
    replacement.write_all(text.as_bytes()).unwrap();
    replacement.ready(None).unwrap()
}

#[test]
fn what_a_run_has_written_it_does_not_replace() {
    for sync in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        // Both were begun when the target did not exist, as with two spellings of one name on a file system that
        // ignores case.
        let group = vec![ready(&target, "one"), ready(&target, "two")];
        let completion = Completion::new(sync);
        let placed = completion.place(group);
        assert!(placed[0].is_ok() && completion.has_written(&target));
        let refused = placed[1].as_ref().unwrap_err().to_string();
        assert!(refused.contains("another file of this run"), "{refused}");
        assert_eq!(fs::read(&target).unwrap(), b"one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        completion.settle().unwrap();
    }
}

/// However two threads interleave: what the first one put there, the second one does not replace.
#[test]
fn two_threads_do_not_put_two_files_in_one_place() {
    for _ in 0..200 {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        let completion = Completion::new(false);
        let files = [ready(&target, "one"), ready(&target, "two")];
        let together = std::sync::Barrier::new(2);
        let placed: Vec<bool> = std::thread::scope(|scope| {
            let threads = files.map(|file| {
                scope.spawn(|| {
                    together.wait();
                    completion.place(vec![file])[0].is_ok()
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(placed.iter().filter(|placed| **placed).count(), 1);
    }
}

fn complete(replacement: FileReplacement, backup: Option<PathBuf>) -> io::Result<Vec<Note>> {
    let ready = replacement.ready(backup)?;
    Completion::new(true).place(vec![ready]).remove(0)
}

/// Permissions that were revoked, and bytes that were changed under the old modification time, show in the change
/// time.
#[cfg(unix)]
#[test]
fn what_has_other_rights_or_other_bytes_of_the_old_time_is_not_replaced() {
    let change: [fn(&Path); 2] = [
        |target| fs::set_permissions(target, PermissionsExt::from_mode(0o600)).unwrap(),
        |target| {
            let time = fs::metadata(target).unwrap().modified().unwrap();
            let mut file = File::options().write(true).open(target).unwrap();
            file.write_all(b"OLD").unwrap();
            file.set_modified(time).unwrap();
        },
    ];
    for change in change {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, PermissionsExt::from_mode(0o644)).unwrap();
        let mut replacement = FileReplacement::new(&target).unwrap();
        replacement.only_over(FileVersion::of_path(&target));
        replacement.write_all(b"new").unwrap();
        // File times advance in steps of a few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        change(&target);
        let changed = fs::read(&target).unwrap();
        assert!(complete(replacement, None).is_err());
        assert_eq!(fs::read(&target).unwrap(), changed);
    }
}

#[test]
fn what_another_program_has_changed_meanwhile_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("f");
    fs::write(&target, "old").unwrap();
    let mut replacement = FileReplacement::new(&target).unwrap();
    replacement.only_over(FileVersion::of_path(&target));
    replacement.write_all(b"new").unwrap();
    fs::write(&target, "older and longer").unwrap();
    let refused = complete(replacement, Some(dir.path().join("f.bak"))).unwrap_err().to_string();
    assert!(refused.contains("another program changed the file"), "{refused}");
    assert_eq!(fs::read(&target).unwrap(), b"older and longer");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Two runs do not check and replace one file at the same time: one waits, and then sees what the other did.
#[test]
fn a_file_that_another_run_holds_is_replaced_only_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("f");
    fs::write(&target, "old").unwrap();
    let mut replacement = FileReplacement::new(&target).unwrap();
    replacement.only_over(FileVersion::of_path(&target));
    replacement.write_all(b"new").unwrap();
    let ready = replacement.ready(None).unwrap();
    let held = Hold::of(&target).unwrap();
    let begun = Instant::now();
    let placing = std::thread::spawn(|| Completion::new(false).place(vec![ready]).remove(0));
    std::thread::sleep(Duration::from_millis(100));
    fs::write(&target, "changed by the other run").unwrap();
    drop(held);
    let placed = placing.join().unwrap();
    // It waits for a second at most, and this thread may have slept for longer.
    if begun.elapsed() < Duration::from_secs(1) {
        assert!(placed.unwrap_err().to_string().contains("another program changed the file"));
        assert_eq!(fs::read(&target).unwrap(), b"changed by the other run");
    }
}
