//! Where a name is: a path whose directory has no symbolic links.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A name in its directory. Names of one directory share its path.
#[derive(Clone, Debug)]
pub(super) struct PlacedName {
    /// The directory as it was given or found.
    pub(super) shown: Rc<Path>,
    /// The same directory, by its absolute path without symbolic links.
    pub(super) directory: Rc<Path>,
    pub(super) name: OsString,
}

impl PlacedName {
    /// Returns the path as it was given or found.
    pub(super) fn path(&self) -> PathBuf {
        self.shown.join(&self.name)
    }

    /// Returns the absolute path.
    pub(super) fn place(&self) -> PathBuf {
        self.directory.join(&self.name)
    }
}

/// The directories of names.
#[derive(Default)]
pub(super) struct Directories {
    known: HashMap<Rc<Path>, Rc<Path>>,
}

impl Directories {
    /// Returns the place of the name that a path ends in; `None` if it ends in none, as `..` and the root do.
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
