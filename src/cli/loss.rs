//! Refuses a run that would lose a file, by whatever path or link the file is named, before anything is written.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use anyhow::bail;

use crate::io::{place_of, written_through};
use crate::report::{visible, visible_path};

use super::config::Destination;
use super::files::FileArg;

/// A place for a file. Two paths of one place have the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A file with one name: on a file system that ignores case, its path can be spelled in several ways.
    File(u64, u64),
    /// Its path with links resolved.
    Path(PathBuf),
}

/// Resolves places; each directory is looked up once.
#[derive(Default)]
struct Places {
    directories: HashMap<PathBuf, Option<PathBuf>>,
}

impl Places {
    /// Resolves the links of a path; `None` if it leads nowhere, which is reported later.
    fn path(&mut self, path: &Path) -> Option<PathBuf> {
        let is_link = fs::symlink_metadata(path).map_or(true, |metadata| metadata.is_symlink());
        if let (false, Some(name)) = (is_link, path.file_name()) {
            let parent = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            if !self.directories.contains_key(parent) {
                self.directories.insert(parent.to_owned(), parent.canonicalize().ok());
            }
            return Some(self.directories.get(parent)?.as_ref()?.join(name));
        }
        place_of(path).ok()
    }

    /// Returns the key of a place, and its path.
    fn key(&mut self, path: &Path) -> Option<(Key, PathBuf)> {
        let place = self.path(path)?;
        let key = match fs::metadata(&place) {
            Ok(metadata) if metadata.nlink() == 1 => Key::File(metadata.dev(), metadata.ino()),
            _ => Key::Path(place.clone()),
        };
        Some((key, place))
    }
}

/// Removes inputs that name a file a second time for the same output: converting one in place twice would ruin it.
pub(crate) fn each_once(place: &Destination, mut inputs: Vec<FileArg>) -> Vec<FileArg> {
    let (mut places, mut seen) = (Places::default(), HashSet::new());
    inputs.retain(|input| {
        let Some(path) = input.path.as_deref() else { return true };
        let Some((key, _)) = places.key(path) else { return true };
        let output = match place {
            Destination::InPlace(_) => None,
            Destination::Under(dir) => under(dir, path).ok(),
        };
        seen.insert((key, output))
    });
    inputs
}

/// Returns where `path` goes below `dir`: the same path, from the root or from the current directory.
pub(crate) fn under(dir: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    let mut target = dir.to_owned();
    for component in path.components() {
        match component {
            Component::Normal(name) => target.push(name),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => bail!(
                "{}: a path with .. cannot be written under {} (run from a parent directory)",
                visible_path(path),
                visible_path(dir)
            ),
        }
    }
    Ok(target)
}

/// Refuses a run that would lose a file: standard input, which has no place; two files written to one place; an output
/// or a backup in the place of a file that is yet to be read; an output that is its own input, by whatever link; a
/// descriptor of this process, which cannot be replaced.
///
/// Returns the directories that will be written to.
pub(crate) fn refuse_loss(
    place: &Destination,
    inputs: &[FileArg],
) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut places = Places::default();
    let (originals, mut directories) = originals(place, inputs, &mut places)?;
    match place {
        Destination::InPlace(None) => {}
        Destination::InPlace(Some(suffix)) => refuse_backups(suffix, &originals, &mut places)?,
        Destination::Under(dir) => {
            directories.extend(outputs_under(dir, inputs, &originals, &mut places)?);
        }
    }
    Ok(directories)
}

/// The input files: for each key, the path that names the file and the resolved path.
type Originals<'a> = HashMap<Key, (&'a Path, PathBuf)>;

/// Returns the input files, and the directories of those that are replaced. Refuses files that cannot be converted to a
/// file of their own.
fn originals<'a>(
    place: &Destination,
    inputs: &'a [FileArg],
    places: &mut Places,
) -> anyhow::Result<(Originals<'a>, BTreeSet<PathBuf>)> {
    let in_place = matches!(place, Destination::InPlace(_));
    let mut originals = HashMap::new();
    let mut directories = BTreeSet::new();
    for input in inputs {
        let Some(path) = input.path.as_deref() else {
            bail!(
                "standard input cannot be converted in place or into a directory (name the files)"
            );
        };
        if in_place && written_through(path).is_some() {
            bail!(
                "{} is a file that this process has open, so it cannot be replaced under that name; nothing was written (name \
                 the file itself)",
                visible_path(path)
            );
        }
        if let Some((key, original)) = places.key(path) {
            if in_place {
                directories.extend(original.parent().map(Path::to_owned));
            }
            originals.insert(key, (path, original));
        }
    }
    Ok((originals, directories))
}

/// Refuses a backup in the place of another input.
fn refuse_backups(
    suffix: &OsStr,
    originals: &Originals<'_>,
    places: &mut Places,
) -> anyhow::Result<()> {
    for (path, original) in originals.values() {
        let mut backup = original.as_os_str().to_owned();
        backup.push(suffix);
        let backup = PathBuf::from(backup);
        if let Some((other, _)) = places.key(&backup).and_then(|(key, _)| originals.get(&key))
            && other != path
        {
            bail!(
                "{} would be the backup of {}, but is also an input, {}; nothing was written (leave it out, by \
                 --exclude '*{}' with -r, or use another suffix)",
                visible_path(&backup),
                visible_path(path),
                visible_path(other),
                visible(&suffix.to_string_lossy())
            );
        }
    }
    Ok(())
}

/// Returns the directories of the outputs below `dir`. Refuses two outputs in one place, and an output in the place of
/// an input.
fn outputs_under(
    dir: &Path,
    inputs: &[FileArg],
    originals: &Originals<'_>,
    places: &mut Places,
) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut directories = BTreeSet::new();
    let mut taken: HashMap<Key, &Path> = HashMap::new();
    for path in inputs.iter().filter_map(|input| input.path.as_deref()) {
        // An error with a single path is reported later.
        let Ok(target) = under(dir, path) else { continue };
        let Some((key, file)) = places.key(&target) else { continue };
        directories.extend(file.parent().map(Path::to_owned));
        let label = visible_path(&target);
        match originals.get(&key) {
            Some((other, _)) if *other != path => {
                bail!(
                    "{label} would be overwritten, but is also an input, {}",
                    visible_path(other)
                );
            }
            Some((other, _)) => bail!(
                "{label} is the same file as {}, whose only copy would be overwritten; nothing was written (use -i to \
                 convert it in place)",
                visible_path(other)
            ),
            None => {}
        }
        let other = *taken.entry(key).or_insert(path);
        if other != path {
            let (one, two) = (visible_path(other), visible_path(path));
            bail!("{one} and {two} would both be written to {label}");
        }
    }
    Ok(directories)
}
