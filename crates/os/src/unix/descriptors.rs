//! Paths that name descriptors which the process already has.

use std::fs::File;
use std::io;
use std::os::fd::FromRawFd;
use std::path::Path;

use crate::links::{MAX_LINKS, next_link, parent};

/// Returns a duplicate of the descriptor that `path` names, if it names one of this process (`/dev/stdout`,
/// `/dev/fd/3`, a link to one). The output is then written at its current position, as the shell opened it. Opening the
/// path anew would start at byte 0, over what is there, and fails for a socket.
pub fn own_descriptor(path: &Path) -> Option<io::Result<File>> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
