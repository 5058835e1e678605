//! The places of files: whether two paths lead to one file, which may not exist yet.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use oxiconv_os::{FileStatus, Identity};
use oxiconv_transcode::io::place_of;

/// Capacity of the cache of resolved directories. It is emptied when full, and what comes up again is resolved again.
const MAX_DIRECTORIES: usize = 1024;

/// Identifies the place of a file: two paths that lead to one place have equal keys.
///
/// A regular file with a single link is identified by what it is, because a file system that ignores case has several
/// spellings of its path. Several hard links have one identity, but are different places: replacing the file through
/// one of them leaves the others as they are. They are identified by their resolved paths, as are files that do not
/// exist yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PlaceKey {
    File(Identity),
    /// The path with links resolved, as an `OsString`: the hash of a `Path` skips separators, so different paths could
    /// be given equal digests on purpose.
    Path(OsString),
}

/// Resolves paths to places. Directories are cached, so that the files of one directory resolve it once.
#[derive(Default)]
pub(crate) struct PlaceResolver {
    directories: HashMap<PathBuf, Option<PathBuf>>,
}

impl PlaceResolver {
    /// Returns the path without symbolic links. `None` if it leads nowhere, which is reported when the file is opened.
    fn path(&mut self, path: &Path) -> Option<PathBuf> {
        let is_link = fs::symlink_metadata(path).map_or(true, |metadata| metadata.is_symlink());
        if let (false, Some(name)) = (is_link, path.file_name()) {
            let parent = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            if !self.directories.contains_key(parent) {
                if self.directories.len() >= MAX_DIRECTORIES {
                    self.directories.clear();
                }
                self.directories.insert(parent.to_owned(), parent.canonicalize().ok());
            }
            return Some(self.directories.get(parent)?.as_ref()?.join(name));
        }
        place_of(path).ok()
    }

    /// Returns the key of a place, and its path without symbolic links.
    pub(crate) fn key(&mut self, path: &Path) -> Option<(PlaceKey, PathBuf)> {
        let place = self.path(path)?;
        let status = FileStatus::of_path(&place).ok().filter(|status| status.links() == 1);
        let key = match status.and_then(|status| status.identity()) {
            Some(identity) => PlaceKey::File(identity),
            None => PlaceKey::Path(place.clone().into_os_string()),
        };
        Some((key, place))
    }
}
