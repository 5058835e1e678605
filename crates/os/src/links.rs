//! Symbolic links in paths.

use std::fs;
use std::path::{Path, PathBuf};

/// The limit of Linux for symbolic links in a path.
pub const MAX_LINKS: usize = 40;

/// Returns where a symbolic link leads; `None` if `path` is none.
pub fn next_link(path: &Path) -> Option<PathBuf> {
    let next = fs::read_link(path).ok()?;
    Some(if next.is_absolute() { next } else { parent(path).join(next) })
}

/// Returns the directory of a path: `.` for a mere name.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
