use std::fs;
use std::io::Write;

use super::*;

#[test]
fn a_file_in_use_is_opened_by_nobody_else_and_removed_by_its_owner() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    let mut file = create_used(&path, Permissions::PRIVATE).unwrap();
    file.write_all(b"text").unwrap();
    assert!(File::open(&path).is_err());
    assert!(matches!(take_unused(&path), UsedFile::Used));
    remove_used(&file, &path);
    drop(file);
    assert!(!path.exists());
    assert!(matches!(take_unused(&path), UsedFile::Missing));
    fs::write(&path, "left").unwrap();
    assert!(matches!(take_unused(&path), UsedFile::Unused(_)));
    assert!(path.exists());
}

#[test]
fn a_second_hold_waits_for_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    fs::write(&path, "x").unwrap();
    let hold = Hold::of(&path).unwrap();
    let other = std::thread::spawn({
        let path = path.clone();
        move || {
            let begun = std::time::Instant::now();
            let held = Hold::of(&path).is_some();
            (held, begun.elapsed())
        }
    });
    std::thread::sleep(std::time::Duration::from_millis(200));
    drop(hold);
    let (held, waited) = other.join().unwrap();
    assert!(held && waited.as_millis() >= 100, "{waited:?}");
}
