use super::*;

#[test]
fn who_loses_owner_or_group_gives_nobody_more() {
    let lost = |owner: bool, group: bool| KeptOwnership { owner: !owner, group: !group };
    for (mode, kept, expected) in [
        (0o664, lost(true, true), 0o644),
        (0o664, lost(false, true), 0o644),
        (0o664, lost(true, false), 0o664),
        (0o660, lost(true, false), 0o660),
        (0o660, lost(false, true), 0o600),
        (0o604, lost(false, true), 0o600),
        (0o077, lost(true, false), 0o000),
        (0o4755, lost(true, false), 0o755),
        (0o6755, lost(false, true), 0o4755),
        (0o6775, lost(false, false), 0o6775),
    ] {
        assert_eq!(kept.mode(mode), expected, "{mode:o} {kept:?}");
    }
}

/// Also in a directory that gives its own group to new files. Only root may give it one of which it is no member.
#[test]
fn the_group_of_a_new_file_is_the_one_that_it_gets() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let dir = tempfile::tempdir().unwrap();
    for (group, mode) in [(None, 0o755), (Some(1), 0o755), (Some(1), 0o2755)] {
        if chown(dir.path(), None, group).is_err() {
            continue;
        }
        fs::set_permissions(dir.path(), PermissionsExt::from_mode(mode)).unwrap();
        let file = dir.path().join(format!("{group:?} {mode:o}"));
        let expected = group_of_new_file(Some(dir.path()));
        fs::write(&file, "x").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().gid(), expected, "{}", file.display());
    }
}

#[test]
fn a_group_gets_at_most_what_others_have() {
    for (mode, expected) in [(0o664, 0o644), (0o660, 0o600), (0o604, 0o604), (0o777, 0o777)] {
        assert_eq!(group_as_others(mode), expected);
    }
}
