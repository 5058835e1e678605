use super::*;

#[test]
fn nothing_that_exists_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let opened = DirectoryHandle::open(&dir.path().canonicalize().unwrap()).unwrap();
    fs::write(dir.path().join("a"), "a").unwrap();
    fs::write(dir.path().join("b"), "b").unwrap();
    std::os::unix::fs::symlink("nowhere", dir.path().join("link")).unwrap();
    let rename = |old: &str, new: &str| opened.rename(old.as_ref(), new.as_ref());
    assert!(matches!(rename("a", "b"), Err(RenameError::Exists)));
    assert!(matches!(rename("a", "link"), Err(RenameError::Exists)));
    let missing = rename("missing", "new");
    assert!(matches!(missing, Err(RenameError::System(e)) if e.kind() == io::ErrorKind::NotFound));
    rename("a", "c").unwrap();
    rename("link", "moved").unwrap();
    let read = |name| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!((read("b"), read("c")), ("b".to_owned(), "a".to_owned()));
    assert_eq!(fs::read_link(dir.path().join("moved")).unwrap(), Path::new("nowhere"));
    assert_eq!(longest_name(dir.path()), Some(255));
}

#[test]
fn no_symbolic_link_is_followed_to_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("real/below")).unwrap();
    std::os::unix::fs::symlink("real", top.join("link")).unwrap();
    for (path, is_open) in
        [("real", true), ("real/below", true), ("link", false), ("link/below", false)]
    {
        assert_eq!(DirectoryHandle::open(&top.join(path)).is_ok(), is_open, "{path}");
    }
    assert!(DirectoryHandle::open(Path::new("relative")).is_err());
    assert!(DirectoryHandle::open(&top.join("real/../real")).is_err());
}
