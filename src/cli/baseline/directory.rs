//! The paths in a baseline. They are relative to its directory, so that a run from a subdirectory or on another machine
//! finds the same ones.

use std::io;
use std::path::{Component, Path, PathBuf};

pub(super) struct BaselineDirectory {
    /// As the user wrote it.
    named: PathBuf,
    /// The absolute path without symbolic links.
    path: PathBuf,
}

impl BaselineDirectory {
    pub(super) fn of(file: &Path) -> io::Result<Self> {
        let named = parent(file);
        Ok(Self { named: named.to_owned(), path: directory(named)? })
    }

    /// Returns the path of a file as the baseline lists it. Links in its directory are resolved, but the file itself
    /// may be one: a link and its target are two files with findings of their own.
    pub(super) fn name_of(&self, file: &Path) -> PathBuf {
        let Some(name) = file.file_name() else { return file.to_owned() };
        match directory(parent(file)) {
            Ok(above) => relative(&above.join(name), &self.path),
            // The directory was removed after the file was read.
            Err(_) => file.to_owned(),
        }
    }

    /// Returns the path of a listed file, relative to the current directory.
    pub(super) fn path_of(&self, name: &Path) -> PathBuf {
        self.named.join(name)
    }
}

fn parent(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

fn directory(path: &Path) -> io::Result<PathBuf> {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }.canonicalize()
}

/// Returns the relative path that leads from one absolute path to another.
fn relative(to: &Path, from: &Path) -> PathBuf {
    let shared = to.components().zip(from.components()).take_while(|(to, from)| to == from).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_from_the_directory_to_the_file() {
        for (to, from, expected) in [
            ("/r/a", "/r", "a"),
            ("/r/a/b", "/r", "a/b"),
            ("/r/a", "/r/ci", "../a"),
            ("/x", "/r/ci", "../../x"),
            ("/rr/a", "/r", "../rr/a"),
            ("/a", "/", "a"),
        ] {
            assert_eq!(relative(Path::new(to), Path::new(from)), Path::new(expected));
        }
    }
}
