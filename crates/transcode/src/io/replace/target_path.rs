//! Finding the file that is really written: through symbolic links, and by descriptors that the process already has.

use std::fs::{self, File};
use std::io;
use std::os::fd::FromRawFd;
use std::path::{Component, Path, PathBuf};

use crate::io::Identity;

/// The limit of Linux for symbolic links in a path.
const MAX_LINKS: usize = 40;

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

fn next_link(path: &Path) -> Option<PathBuf> {
    let next = fs::read_link(path).ok()?;
    Some(if next.is_absolute() { next } else { parent(path).join(next) })
}

/// Returns a duplicate of the descriptor that `path` names, if it names one of this process (`/dev/stdout`,
/// `/dev/fd/3`, a link to one). The output is then written at its current position, as the shell opened it. Opening the
/// path anew would start at byte 0, over what is there, and fails for a socket.
pub(super) fn own_descriptor(path: &Path) -> Option<io::Result<File>> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Some(number) = descriptor_number(&path) {
            return Some(duplicate(number));
        }
        path = next_link(&path)?;
    }
    None
}

/// Returns the number of the descriptor that `path` names without following a final link:
///
/// ```text
/// /dev/fd/1               number in a directory /dev/fd
/// /proc/self/fd/1         … in /proc/PID/fd, to which the directory resolves
/// /proc/thread-self/fd/1  … in /proc/PID/task/TID/fd
/// /dev/stdout             none: a link, which `own_descriptor` follows to one of the above
/// ```
///
/// The PID must be that of this process: descriptors of another one are files like any other.
fn descriptor_number(path: &Path) -> Option<i32> {
    let name = path.file_name()?.to_str()?;
    let number = name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())??;
    let dir = parent(path).canonicalize().ok()?;
    // On Linux, this is a link to /proc/self/fd, which the rest recognizes. Other systems have a real directory.
    if dir == Path::new("/dev/fd") {
        return Some(number);
    }
    let own = Path::new("/proc").join(std::process::id().to_string());
    let below = dir.strip_prefix(own).ok()?;
    let is_one = below == Path::new("fd") || below.starts_with("task") && below.ends_with("fd");
    is_one.then_some(number)
}

fn duplicate(number: i32) -> io::Result<File> {
    // SAFETY: a number that is not a descriptor gives an error, and the new descriptor belongs to nobody else.
    unsafe {
        match libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}

/// Returns the identity of the regular file that `path` names through a descriptor of this process. It is written
/// through the descriptor, not replaced.
pub fn written_through(path: &Path) -> Option<Identity> {
    Identity::of_file(&own_descriptor(path)?.ok()?)
}

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
        for path in ["/dev/stdout", "/dev/fd/1"] {
            assert!(own_descriptor(Path::new(path)).is_some(), "{path}");
        }
        for path in ["/dev/null", "/dev/fd", "1", "/dev/fd/+1"] {
            assert!(own_descriptor(Path::new(path)).is_none(), "{path}");
        }
        assert!(own_descriptor(Path::new("/dev/fd/99999")).unwrap().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn own_descriptors_are_known_below_proc() {
        for path in ["/proc/self/fd/1", "/proc/thread-self/fd/1"] {
            assert!(own_descriptor(Path::new(path)).is_some(), "{path}");
        }
        let task = format!("/proc/self/task/{}", std::process::id());
        for path in ["/proc/1/fd/1", &task] {
            assert!(own_descriptor(Path::new(path)).is_none(), "{path}");
        }
    }
}
