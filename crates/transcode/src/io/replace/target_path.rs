//! Finding the file that is really written: through symbolic links, and by descriptors that the process already has.

use std::io;
use std::path::{Component, Path, PathBuf};

use oxiconv_os::{Identity, MAX_LINKS, next_link, own_descriptor, parent};

/// Resolves the symbolic links of `path`, even if it does not exist yet. Two paths of one target give the same result,
/// so they can be compared before anything is created.
///
/// # Errors
///
/// If the system cannot look up a component of the path, or after 40 symbolic links, as in a loop.
pub fn place_of(path: &Path) -> io::Result<PathBuf> {
    if let Ok(place) = path.canonicalize() {
        return Ok(place);
    }
    let path = where_links_lead(path)?;
    // The longest part of the path that exists is resolved, and the rest is appended. What does not exist contains no
    // links, so the result is the same as after the directories have been created, which happens when the output is
    // written.
    let mut missing = Vec::new();
    let mut there = path.as_path();
    loop {
        match parent_and_name(there) {
            Some((above, name)) => {
                missing.push(name);
                there = above;
            }
            None => return Ok(path.clone()),
        }
        if let Ok(mut place) = there.canonicalize() {
            place.extend(missing.iter().rev());
            return Ok(place);
        }
    }
}

fn parent_and_name(path: &Path) -> Option<(&Path, Component<'_>)> {
    let name = path.components().next_back()?;
    matches!(name, Component::Normal(_)).then(|| (parent(path), name))
}

/// Follows the last component of a path through symbolic links, even if the final target does not exist yet.
pub(super) fn where_links_lead(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match next_link(&path) {
            Some(next) => path = next,
            None => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Returns the identity of the regular file that `path` names through a descriptor of this process. It is written
/// through the descriptor, not replaced.
pub fn written_through(path: &Path) -> Option<Identity> {
    Identity::of_file(&own_descriptor(path)?.ok()?)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_paths_of_one_place_are_one_even_before_anything_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        fs::create_dir(dir.join("real")).unwrap();
        symlink("real", dir.join("link")).unwrap();
        symlink("link/new", dir.join("leads")).unwrap();
        let expected = dir.join("real/new");
        for path in ["real/new", "link/new", "leads", "link/../real/new"] {
            assert_eq!(place_of(&dir.join(path)).unwrap(), expected, "{path}");
        }
        assert_eq!(place_of(&dir.join("link/a/b/c")).unwrap(), dir.join("real/a/b/c"));
        symlink("round", dir.join("round")).unwrap();
        assert!(place_of(&dir.join("round")).is_err());
    }
}
