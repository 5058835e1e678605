//! Where an output really goes: through links, and to descriptors that the process already has.

use std::fs::{self, File};
use std::io;
use std::os::fd::FromRawFd;
use std::path::{Component, Path, PathBuf};

use crate::io::Identity;

/// As many links as Linux follows.
const MOST: usize = 40;

/// The path of what `path` names, without links, although nothing may be there yet: two paths of one place have the
/// same.
///
/// # Errors
///
/// Those of the system, and links that lead nowhere.
pub fn place_of(path: &Path) -> io::Result<PathBuf> {
    if let Ok(place) = path.canonicalize() {
        return Ok(place);
    }
    let path = where_links_lead(path)?;
    // The directories that are there, without links; the others will be made as they are written.
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

/// Where a path leads through symbolic links although nothing is there yet.
pub(super) fn where_links_lead(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match next_link(&path) {
            Some(next) => path = next,
            None => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn next_link(path: &Path) -> Option<PathBuf> {
    let next = fs::read_link(path).ok()?;
    Some(if next.is_absolute() { next } else { parent(path).join(next) })
}

/// What `path` names, if that is a descriptor of this process (`/dev/stdout`, `/dev/fd/3`, a link to one): it is
/// written to where it stands, as the shell opened it.
pub(super) fn own_descriptor(path: &Path) -> Option<io::Result<File>> {
    let mut path = path.to_owned();
    for _ in 0..MOST {
        if let Some(number) = descriptor_number(&path) {
            return Some(duplicate(number));
        }
        path = next_link(&path)?;
    }
    None
}

fn descriptor_number(path: &Path) -> Option<i32> {
    let name = path.file_name()?.to_str()?;
    let number = name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())??;
    let dir = parent(path).canonicalize().ok()?;
    // Linux has a link there, to the following.
    if dir == Path::new("/dev/fd") {
        return Some(number);
    }
    let own = Path::new("/proc").join(std::process::id().to_string());
    let below = dir.strip_prefix(own).ok()?;
    let is_one = below == Path::new("fd") || below.starts_with("task") && below.ends_with("fd");
    is_one.then_some(number)
}

fn duplicate(number: i32) -> io::Result<File> {
    // SAFETY: a number that is no descriptor is answered with an error; the new one is nobody else's.
    unsafe {
        match libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}

/// The regular file that `path` names by a descriptor of this process, if it does: it will be written to, not replaced.
pub fn written_through(path: &Path) -> Option<Identity> {
    Identity::of_file(&own_descriptor(path)?.ok()?)
}

/// The directory that a path stands in.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn own_descriptors_are_known_by_all_their_names() {
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"] {
            assert!(own_descriptor(Path::new(path)).is_some(), "{path}");
        }
        for path in ["/dev/null", "/dev/fd", "/proc/1/fd/1", "1", "/dev/fd/+1"] {
            assert!(own_descriptor(Path::new(path)).is_none(), "{path}");
        }
        assert!(own_descriptor(Path::new("/dev/fd/99999")).unwrap().is_err());
    }
}
