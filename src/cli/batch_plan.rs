//! Refuses a run that would lose a file, by whatever path or link the file is named, before anything is written.
//!
//! ```text
//! all inputs ─► digests of their names and places ─► duplicates ─► conflicts ─► BatchPlan
//! all inputs once more ─► those of the plan ─► converted
//! ```
//!
//! Two outputs in one place, or an output in the place of an input, are refused. A file that the run itself has made,
//! such as a backup, is no input, and no file is replaced twice.
//!
//! The files are listed several times instead of kept: 16 bytes of each name remain (`digests.rs`), by which the last
//! list leaves out what the run has written meanwhile. Names are looked up again for an error message only.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use anyhow::bail;

use oxiconv_report::{visible, visible_path};
use oxiconv_transcode::io::{Identity, Leftover, place_of, written_through};

use super::config::EachTarget;
use super::digests::{DigestCollector, Digester, Digests};
use super::files::FileArg;
use super::input_list::{InputEntry, InputList};
use super::own_output::refuse_one;
use super::shard::Troubles;

/// The most directories that are remembered at a time.
const MAX_DIRECTORIES: usize = 1024;

/// A place for a file. Two paths of one place have the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum PlaceKey {
    /// A file with one name: on a file system that ignores case, its path can be spelled in several ways.
    File(u64, u64),
    /// Its path with links resolved. (`Path` leaves separators out of its hash, so it is no base for a digest.)
    Path(OsString),
}

/// Resolves places; files of one directory look it up once.
#[derive(Default)]
struct PlaceResolver {
    directories: HashMap<PathBuf, Option<PathBuf>>,
}

impl PlaceResolver {
    /// Resolves the links of a path; `None` if it leads nowhere, which is reported later.
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

    /// Returns the key of a place, and its path.
    fn key(&mut self, path: &Path) -> Option<(PlaceKey, PathBuf)> {
        let place = self.path(path)?;
        let key = match fs::metadata(&place) {
            Ok(metadata) if metadata.nlink() == 1 => PlaceKey::File(metadata.dev(), metadata.ino()),
            _ => PlaceKey::Path(place.clone().into_os_string()),
        };
        Some((key, place))
    }
}

/// The ends of the names of compressed files.
const COMPRESSED: [&str; 2] = ["gz", "zst"];

/// Returns where `path` goes below `dir`: the same path, from the root or from the current directory. If compressed files
/// are decompressed, it loses their `.gz` or `.zst`.
pub(crate) fn under(dir: &Path, path: &Path, decompress: bool) -> anyhow::Result<PathBuf> {
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
    let is_compressed = |end: &OsStr| COMPRESSED.iter().any(|it| end.eq_ignore_ascii_case(it));
    if decompress && target.extension().is_some_and(is_compressed) {
        target.set_extension("");
    }
    Ok(target)
}

/// What is known of all inputs before the first one is converted.
pub(crate) struct BatchPlan {
    /// How many files will be converted.
    pub(crate) files: usize,
    /// Their size, if all of them are regular files.
    pub(crate) bytes: Option<u64>,
    pub(crate) first: Option<FileArg>,
    /// The directories that will be written to.
    pub(crate) directories: BTreeSet<PathBuf>,
    /// Inputs that are named like temporary files.
    pub(crate) leftovers: Vec<Identity>,
    /// What kept the first list from being complete. Files that are missing in it are not accepted.
    pub(crate) troubles: Troubles,
    pub(crate) accepted: Accepted,
}

/// The inputs that a plan accepts.
#[derive(Default)]
pub(crate) struct Accepted {
    digester: Digester,
    names: Digests,
    /// Names that are listed several times: only the first counts.
    repeated: HashSet<u128>,
    /// Names of files that have another name earlier in the list: converting one in place twice would ruin it.
    later: HashSet<u128>,
}

impl Accepted {
    /// Leaves out the files that are not in the plan, such as those that the run itself has made since.
    pub(crate) fn select<'i>(
        self,
        inputs: impl Iterator<Item = anyhow::Result<InputEntry>> + Send + 'i,
    ) -> impl Iterator<Item = anyhow::Result<InputEntry>> + Send + 'i {
        let mut taken = HashSet::new();
        inputs.filter(move |entry| match entry {
            Ok(InputEntry::File(file)) => self.has(file, &mut taken),
            _ => true,
        })
    }

    /// Whether a file is accepted; `taken` has the repeated names that were accepted before.
    fn has(&self, file: &FileArg, taken: &mut HashSet<u128>) -> bool {
        let Some(path) = file.path.as_deref() else { return true };
        let name = self.digester.digest(path.as_os_str());
        self.names.contains(name)
            && !self.later.contains(&name)
            && (!self.repeated.contains(&name) || taken.insert(name))
    }
}

/// Lists all inputs, from the start.
type ListInputs<'l, 'i> = &'l dyn Fn() -> anyhow::Result<InputList<'i>>;

/// Refuses a run that would lose a file: standard input, which has no place; two files written to one place; an output
/// or a backup in the place of a file that is yet to be read; an output that is its own input, by whatever link; a
/// descriptor of this process, which cannot be replaced; standard output.
///
/// `decompress` says whether compressed files are decompressed.
pub(crate) fn plan_batch(
    place: &EachTarget,
    decompress: bool,
    list: ListInputs<'_, '_>,
) -> anyhow::Result<BatchPlan> {
    let mut planner = BatchPlanner {
        place,
        decompress,
        list,
        places: PlaceResolver::default(),
        troubles: Troubles::new(),
    };
    let (mut plan, places) = planner.survey()?;
    planner.find_duplicates(&mut plan, places.inputs)?;
    match place {
        EachTarget::InPlace(None) => {}
        EachTarget::InPlace(Some(suffix)) => {
            planner.refuse_backups(suffix, &plan.accepted, &places.originals)?;
        }
        EachTarget::Under(dir) => {
            let directories = planner.outputs_under(dir, &plan.accepted, &places.originals)?;
            plan.directories.extend(directories);
        }
    }
    Ok(plan)
}

/// Digests of the places of all inputs.
struct InputPlaces {
    originals: Digests,
    /// Those of each original with its output: what is equal is converted once.
    inputs: Digests,
}

/// Makes a plan.
struct BatchPlanner<'a, 'i> {
    place: &'a EachTarget,
    decompress: bool,
    list: ListInputs<'a, 'i>,
    places: PlaceResolver,
    /// What kept the first list from being complete.
    troubles: Troubles,
}

impl BatchPlanner<'_, '_> {
    /// Lists all inputs for the first time. Refuses files that cannot be converted to a file of their own.
    fn survey(&mut self) -> anyhow::Result<(BatchPlan, InputPlaces)> {
        let in_place = matches!(self.place, EachTarget::InPlace(_));
        let stdout = Identity::of_stdout();
        let digester = Digester::default();
        let [mut names, mut originals, mut inputs] =
            [DigestCollector::default(), DigestCollector::default(), DigestCollector::default()];
        let (mut bytes, mut first, mut leftovers) = (Some(0), None, Vec::new());
        let mut directories = BTreeSet::new();
        for entry in (self.list)()? {
            let file = match entry? {
                InputEntry::File(file) => file,
                // Reported when the files are converted.
                InputEntry::Trouble(words) => {
                    self.troubles.insert(words);
                    continue;
                }
            };
            let Some(path) = file.path.as_deref() else {
                bail!(
                    "standard input cannot be converted in place or into a directory (name the files)"
                );
            };
            if in_place && written_through(path).is_some() {
                bail!(
                    "{} is a file that this process has open, so it cannot be replaced under that name; nothing was written \
                     (name the file itself)",
                    visible_path(path)
                );
            }
            if let Some(stdout) = stdout {
                refuse_one(&file, stdout)?;
            }
            names.push(digester.digest(path.as_os_str()));
            bytes = bytes.and_then(|bytes| Some(bytes + size_of(path)?));
            if Leftover::is_named_so(path) {
                leftovers.extend(Identity::of_path(path));
            }
            if let Some((key, original)) = self.places.key(path) {
                if in_place
                    && let Some(directory) = original.parent()
                    && !directories.contains(directory)
                {
                    directories.insert(directory.to_owned());
                }
                originals.push(digester.digest(&key));
                inputs.push(digester.digest(&self.input(key, path)));
            }
            first.get_or_insert(file);
        }
        let names = names.into_set();
        let accepted =
            Accepted { digester, repeated: names.repeated(), names, later: HashSet::new() };
        let files = accepted.names.len();
        let troubles = self.troubles.clone();
        let plan = BatchPlan { files, bytes, first, directories, leftovers, troubles, accepted };
        Ok((plan, InputPlaces { originals: originals.into_set(), inputs: inputs.into_set() }))
    }

    /// Returns what two names of one input have in common: its place and that of its output.
    fn input(&self, key: PlaceKey, path: &Path) -> (PlaceKey, Option<OsString>) {
        match self.place {
            EachTarget::InPlace(_) => (key, None),
            EachTarget::Under(dir) => {
                (key, self.under(dir, path).ok().map(PathBuf::into_os_string))
            }
        }
    }

    /// Returns where `path` goes below `dir`.
    fn under(&self, dir: &Path, path: &Path) -> anyhow::Result<PathBuf> {
        under(dir, path, self.decompress)
    }

    /// Finds names of one input, of which only the first is accepted.
    fn find_duplicates(&mut self, plan: &mut BatchPlan, inputs: Digests) -> anyhow::Result<()> {
        let repeated = inputs.repeated();
        drop(inputs);
        if repeated.is_empty() && plan.accepted.repeated.is_empty() {
            return Ok(());
        }
        let (mut first, mut later) = (HashMap::new(), HashSet::new());
        self.each(None, |planner, path| {
            let digester = &plan.accepted.digester;
            let name = digester.digest(path.as_os_str());
            if let Some((key, _)) = planner.places.key(path) {
                let input = digester.digest(&planner.input(key, path));
                if repeated.contains(&input) && *first.entry(input).or_insert(name) != name {
                    later.insert(name);
                }
            }
            Ok(())
        })?;
        plan.accepted.later = later;
        plan.files = 0;
        self.each(Some(&plan.accepted), |_, _| {
            plan.files += 1;
            Ok(())
        })
    }

    /// Passes the path of each input to `visit`, or of each that is accepted.
    ///
    /// # Errors
    ///
    /// Also if the list is less complete than the first: a file would be missed that must not be overwritten.
    fn each(
        &mut self,
        accepted: Option<&Accepted>,
        mut visit: impl FnMut(&mut Self, &Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut taken = HashSet::new();
        for entry in (self.list)()? {
            let file = match entry? {
                InputEntry::File(file) => file,
                InputEntry::Trouble(words) if self.troubles.contains(&words) => continue,
                InputEntry::Trouble(words) => bail!("{words}; nothing was written"),
            };
            if accepted.is_none_or(|accepted| accepted.has(&file, &mut taken))
                && let Some(path) = file.path.as_deref()
            {
                visit(self, path)?;
            }
        }
        Ok(())
    }

    /// Returns the first input in a place, if it is there still.
    fn input_at(
        &mut self,
        accepted: &Accepted,
        wanted: &PlaceKey,
    ) -> anyhow::Result<Option<PathBuf>> {
        let mut found = None;
        self.each(Some(accepted), |planner, path| {
            if found.is_none() && planner.places.key(path).is_some_and(|(key, _)| key == *wanted) {
                found = Some(path.to_owned());
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Refuses a backup in the place of another input.
    fn refuse_backups(
        &mut self,
        suffix: &OsStr,
        accepted: &Accepted,
        originals: &Digests,
    ) -> anyhow::Result<()> {
        self.each(Some(accepted), |planner, path| {
            let Some((_, original)) = planner.places.key(path) else { return Ok(()) };
            let mut backup = original.into_os_string();
            backup.push(suffix);
            let backup = PathBuf::from(backup);
            let Some((key, _)) = planner.places.key(&backup) else { return Ok(()) };
            if originals.contains(accepted.digester.digest(&key))
                && let Some(other) = planner.input_at(accepted, &key)?
                && other != path
            {
                bail!(
                    "{} would be the backup of {}, but is also an input, {}; nothing was written (leave it out, by \
                     --exclude '*{}' with -r, or use another suffix)",
                    visible_path(&backup),
                    visible_path(path),
                    visible_path(&other),
                    visible(&suffix.to_string_lossy())
                );
            }
            Ok(())
        })
    }

    /// Returns the directories of the outputs below `dir`. Refuses two outputs in one place, and an output in the place of
    /// an input.
    fn outputs_under(
        &mut self,
        dir: &Path,
        accepted: &Accepted,
        originals: &Digests,
    ) -> anyhow::Result<BTreeSet<PathBuf>> {
        let digester = &accepted.digester;
        let mut directories = BTreeSet::new();
        let mut taken = DigestCollector::default();
        self.each(Some(accepted), |planner, path| {
            // An error with a single path is reported later.
            let Ok(target) = planner.under(dir, path) else { return Ok(()) };
            let Some((key, file)) = planner.places.key(&target) else { return Ok(()) };
            if let Some(parent) = file.parent()
                && !directories.contains(parent)
            {
                directories.insert(parent.to_owned());
            }
            taken.push(digester.digest(&key));
            if !originals.contains(digester.digest(&key)) {
                return Ok(());
            }
            let label = visible_path(&target);
            match planner.input_at(accepted, &key)? {
                Some(other) if other != path => {
                    bail!(
                        "{label} would be overwritten, but is also an input, {}",
                        visible_path(&other)
                    );
                }
                Some(other) => bail!(
                    "{label} is the same file as {}, whose only copy would be overwritten; nothing was written (use -i to \
                     convert it in place)",
                    visible_path(&other)
                ),
                None => Ok(()),
            }
        })?;
        let repeated = taken.into_set().repeated();
        if !repeated.is_empty() {
            self.refuse_one_output_of_two(dir, accepted, &repeated)?;
        }
        Ok(directories)
    }

    /// Refuses the first two inputs whose outputs have one place, which is one of those in `repeated`.
    fn refuse_one_output_of_two(
        &mut self,
        dir: &Path,
        accepted: &Accepted,
        repeated: &HashSet<u128>,
    ) -> anyhow::Result<()> {
        let mut taken: HashMap<u128, PathBuf> = HashMap::new();
        self.each(Some(accepted), |planner, path| {
            let Ok(target) = planner.under(dir, path) else { return Ok(()) };
            let Some((key, _)) = planner.places.key(&target) else { return Ok(()) };
            let key = accepted.digester.digest(&key);
            if !repeated.contains(&key) {
                return Ok(());
            }
            if let Some(other) = taken.get(&key) {
                let (one, two) = (visible_path(other), visible_path(path));
                bail!("{one} and {two} would both be written to {}", visible_path(&target));
            }
            taken.insert(key, path.to_owned());
            Ok(())
        })
    }
}

/// Returns the size of a file; `None` if it is not a regular one. A missing file is reported when it is opened.
fn size_of(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok();
    metadata.map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
}
