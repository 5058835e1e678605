use std::fs;

use super::super::new_file::{Permissions, create_used};
use super::*;

#[test]
fn nothing_that_exists_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let opened = DirectoryHandle::open(&dir.path().canonicalize().unwrap()).unwrap();
    fs::write(dir.path().join("a"), "a").unwrap();
    fs::write(dir.path().join("b"), "b").unwrap();
    let rename = |old: &str, new: &str| opened.rename(old.as_ref(), new.as_ref());
    assert!(matches!(rename("a", "b"), Err(RenameError::Exists)));
    let missing = rename("missing", "new");
    assert!(matches!(missing, Err(RenameError::System(e)) if e.kind() == io::ErrorKind::NotFound));
    rename("a", "c").unwrap();
    let read = |name| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!((read("b"), read("c")), ("b".to_owned(), "a".to_owned()));
}

#[test]
fn a_file_takes_the_place_of_another_and_of_none() {
    let dir = tempfile::tempdir().unwrap();
    let (target, free) = (dir.path().join("target"), dir.path().join("free"));
    fs::write(&target, "old").unwrap();
    let path = dir.path().join("new");
    let file = create_used(&path, Permissions::USUAL).unwrap();
    let refused = rename_new(&file, &path, &target).unwrap().unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    rename_over(&file, &path, &target).unwrap();
    rename_new(&file, &path, &free).unwrap().unwrap();
    drop(file);
    assert!(!target.exists() && !path.exists());
    assert_eq!(fs::read(&free).unwrap(), b"");
}

#[test]
fn a_file_that_is_open_for_a_moment_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let (path, target) = (dir.path().join("new"), dir.path().join("f"));
    fs::write(&target, "old").unwrap();
    let file = create_used(&path, Permissions::PRIVATE).unwrap();
    let open = || File::options().read(true).share_mode(FILE_SHARE_READ).open(&target).unwrap();
    let scanner = open();
    let refused = rename_over(&file, &path, &target).unwrap_err();
    assert_eq!(refused.to_string(), "another program has the file open");
    drop(scanner);
    let scanner = open();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(10));
            drop(scanner);
        });
        rename_over(&file, &path, &target).unwrap();
    });
    assert!(!path.exists());
}
