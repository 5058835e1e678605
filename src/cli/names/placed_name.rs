//! A name with the real path of its directory, so that two paths to one file compare equal.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A name in its directory. All names in a directory share its paths, which keeps a large run small.
#[derive(Clone, Debug)]
pub(super) struct PlacedName {
    /// The directory as the user wrote it, or as the search found it, for messages.
    pub(super) shown: Rc<Path>,
    /// The absolute path of the directory, without symbolic links. The name itself may be one: it is not followed.
    pub(super) directory: Rc<Path>,
    pub(super) name: OsString,
}

impl PlacedName {
    /// Returns the path for messages.
    pub(super) fn path(&self) -> PathBuf {
        self.shown.join(&self.name)
    }

    pub(super) fn place(&self) -> PathBuf {
        self.directory.join(&self.name)
    }
}

/// The real paths of directories, each resolved once.
#[derive(Default)]
pub(super) struct Directories {
    known: HashMap<Rc<Path>, Rc<Path>>,
}

impl Directories {
    /// Resolves the directory of a path. Returns `None` if the path does not end in a name, like `..` and the root.
    pub(super) fn place(&mut self, path: &Path) -> io::Result<Option<PlacedName>> {
        let Some(name) = path.file_name() else { return Ok(None) };
        let shown = path.parent().unwrap_or(Path::new(""));
        let (shown, directory) = match self.known.get_key_value(shown) {
            Some(known) => known,
            None => {
                let here = shown.as_os_str().is_empty();
                let directory = fs::canonicalize(if here { Path::new(".") } else { shown })?;
                self.known.insert(shown.into(), directory.into());
                let known = self.known.get_key_value(shown);
                known.ok_or(io::ErrorKind::NotFound)?
            }
        };
        let (shown, directory) = (Rc::clone(shown), Rc::clone(directory));
        Ok(Some(PlacedName { shown, directory, name: name.to_owned() }))
    }
}
