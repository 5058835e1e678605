//! Plans a run that writes files, and refuses it before anything is written if it would lose one, by whatever path or
//! link the file is named.
//!
//! ```text
//! 1st listing   digest every name, place and output ──┐   standard input, own descriptors: refused
//! 2nd, 3rd      only if two digests are equal         ├─► BatchPlan
//! next          outputs and backups against inputs ───┘   conflicts: refused
//! last          files of the plan only ─► converted
//! ```
//!
//! `a.txt` and `link-to-a.txt` are one input, and converting it twice in place would ruin it, so only the first name
//! counts. Two outputs in one place are refused, and so is an output or a backup in the place of an input.
//!
//! No pass keeps the paths, because a million of them took 86 MB. The directories are listed again for each pass, and
//! what a pass must remember about a file is a 16-byte digest (`digests.rs`). The last listing also finds what the run
//! itself has created by then: outputs, backups, temporary files. Their names are not among the digests of the first
//! listing, which is how they are left out. When digests show a conflict, one more pass looks up the names for the
//! error message.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::bail;

use oxiconv_os::Identity;
use oxiconv_report::visible_path;
use oxiconv_transcode::io::{Leftover, written_through};

use super::backup_place::BackupPlace;
use super::config::EachTarget;
use super::digests::{DigestCollector, Digester, Digests};
use super::files::FileArg;
use super::input_list::{InputEntry, InputList};
use super::own_output::refuse_one;
use super::places::{PlaceKey, PlaceResolver};
use super::shard::SearchErrors;

/// Extensions that `--decompress` removes.
const COMPRESSED: [&str; 2] = ["gz", "zst"];

/// Returns the output path for `path` below `dir`: `/a/b` and `./a/b` both become `dir/a/b`. With `decompress`, the
/// extension `.gz` or `.zst` is dropped.
///
/// # Errors
///
/// If `path` contains `..`, which would lead out of `dir`.
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

/// What the passes over all inputs have found out, before the first one is converted.
pub(crate) struct BatchPlan {
    pub(crate) files: usize,
    /// Their total size, if all of them are regular files.
    pub(crate) bytes: Option<u64>,
    pub(crate) first: Option<FileArg>,
    pub(crate) directories: BTreeSet<PathBuf>,
    /// Inputs that are named like the temporary files of killed runs.
    pub(crate) leftovers: Vec<Identity>,
    /// Why the first listing is incomplete. Files missing from it are not accepted.
    pub(crate) search_errors: SearchErrors,
    pub(crate) accepted: Accepted,
}

/// Recognizes the inputs of a plan by the digests of their names.
#[derive(Default)]
pub(crate) struct Accepted {
    digester: Digester,
    names: Digests,
    /// Names that are listed several times. Only the first occurrence is converted.
    repeated: HashSet<u128>,
    /// Names of files that have another name earlier in the list. They are left out.
    later: HashSet<u128>,
}

impl Accepted {
    /// Drops files that are not in the plan, such as those that the run itself has created since.
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

    /// Whether a file is accepted. `taken` holds the repeated names that were accepted before.
    fn has(&self, file: &FileArg, taken: &mut HashSet<u128>) -> bool {
        let Some(path) = file.path.as_deref() else { return true };
        let name = self.digester.digest(path.as_os_str());
        self.names.contains(name)
            && !self.later.contains(&name)
            && (!self.repeated.contains(&name) || taken.insert(name))
    }
}

type ListInputs<'l, 'i> = &'l dyn Fn() -> anyhow::Result<InputList<'i>>;

/// Plans the conversion of each file to `place`. `decompress` says whether compressed files are decompressed, which
/// changes the names of outputs.
///
/// # Errors
///
/// If the run would lose a file, or cannot replace one:
///
/// * Standard input is an input. It has no place.
/// * Standard output is an input.
/// * In place, an input names a descriptor of this process (`/dev/fd/3`), which is written to rather than replaced.
/// * Two files would be written to one place.
/// * An output or a backup would take the place of an input, possibly its own.
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
        search_errors: SearchErrors::new(),
    };
    let (mut plan, places) = planner.survey()?;
    planner.find_duplicates(&mut plan, places.inputs)?;
    let directories = planner.refuse_conflicts(&plan.accepted, &places.originals)?;
    plan.directories.extend(directories);
    Ok(plan)
}

struct InputPlaces {
    originals: Digests,
    /// Digests of each original together with its output. Inputs with equal digests are converted once.
    inputs: Digests,
}

struct BatchPlanner<'a, 'i> {
    place: &'a EachTarget,
    decompress: bool,
    list: ListInputs<'a, 'i>,
    places: PlaceResolver,
    /// Why the first listing is incomplete.
    search_errors: SearchErrors,
}

impl BatchPlanner<'_, '_> {
    /// Makes the first pass over all inputs. Refuses those that cannot be converted to a file of their own.
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
                // The last listing reports it.
                InputEntry::Error(words) => {
                    self.search_errors.insert(words);
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
        let names = names.into_sorted();
        let accepted =
            Accepted { digester, repeated: names.repeated(), names, later: HashSet::new() };
        let files = accepted.names.len();
        let search_errors = self.search_errors.clone();
        let plan =
            BatchPlan { files, bytes, first, directories, leftovers, search_errors, accepted };
        Ok((plan, InputPlaces { originals: originals.into_sorted(), inputs: inputs.into_sorted() }))
    }

    /// Returns what two names of one input have in common: its place, and below a directory its output. With `-O`, the
    /// names `a` and `link-to-a` have different outputs, and both are wanted.
    fn input(&self, key: PlaceKey, path: &Path) -> (PlaceKey, Option<OsString>) {
        match self.place {
            EachTarget::InPlace(_) => (key, None),
            EachTarget::Under(dir) => {
                (key, self.under(dir, path).ok().map(PathBuf::into_os_string))
            }
        }
    }

    fn under(&self, dir: &Path, path: &Path) -> anyhow::Result<PathBuf> {
        under(dir, path, self.decompress)
    }

    /// Finds inputs that are listed under several names, and keeps the first name of each. The digests show whether
    /// there are any. Only then are the files listed again: once to find the first names, once to count what is left.
    ///
    /// ```text
    /// listed, in place     a.txt          link-to-a.txt       a.txt
    /// its input            x              x                   x          x was listed three times: repeated
    /// its name             first of x     another: `later`    first of x, but itself repeated
    /// accepted             yes            no                  no: `taken` has the name
    /// ```
    ///
    /// A name that is listed twice is not `later` than itself. That is what `Accepted::repeated` is for.
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

    /// Lists the inputs again, and passes the path of each to `visit`, or of each that is accepted.
    ///
    /// # Errors
    ///
    /// Those of `visit` and of the search. Also if a part of the tree cannot be read that the first pass has read: a
    /// file that must not be overwritten could be missed.
    fn each(
        &mut self,
        accepted: Option<&Accepted>,
        mut visit: impl FnMut(&mut Self, &Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut taken = HashSet::new();
        for entry in (self.list)()? {
            let file = match entry? {
                InputEntry::File(file) => file,
                InputEntry::Error(words) if self.search_errors.contains(&words) => continue,
                InputEntry::Error(words) => bail!("{words}; nothing was written"),
            };
            if accepted.is_none_or(|accepted| accepted.has(&file, &mut taken))
                && let Some(path) = file.path.as_deref()
            {
                visit(self, path)?;
            }
        }
        Ok(())
    }

    /// Returns the path of the first input with this key, for an error message. `None` if it is gone by now.
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

    /// Returns the path of the file that the run creates for an input, besides the one that it replaces: the output
    /// below a directory, or the backup.
    fn created(&self, path: &Path) -> Option<PathBuf> {
        // A path with `..` is an error of that file alone, reported when its turn comes.
        match self.place {
            EachTarget::InPlace(backup) => backup.as_ref()?.path(path).ok(),
            EachTarget::Under(dir) => self.under(dir, path).ok(),
        }
    }

    /// Returns the directories of the files that the run creates. Refuses two of them in one place, and one in the
    /// place of an input.
    fn refuse_conflicts(
        &mut self,
        accepted: &Accepted,
        originals: &Digests,
    ) -> anyhow::Result<BTreeSet<PathBuf>> {
        let mut directories = BTreeSet::new();
        if matches!(self.place, EachTarget::InPlace(None)) {
            return Ok(directories);
        }
        let digester = &accepted.digester;
        let mut taken = DigestCollector::default();
        self.each(Some(accepted), |planner, path| {
            let Some(created) = planner.created(path) else { return Ok(()) };
            let Some((key, file)) = planner.places.key(&created) else { return Ok(()) };
            if let Some(parent) = file.parent()
                && !directories.contains(parent)
            {
                directories.insert(parent.to_owned());
            }
            taken.push(digester.digest(&key));
            if originals.contains(digester.digest(&key))
                && let Some(other) = planner.input_at(accepted, &key)?
            {
                planner.refuse_over_input(path, &created, &other)?;
            }
            Ok(())
        })?;
        let repeated = taken.into_sorted().repeated();
        if !repeated.is_empty() {
            self.refuse_one_of_two(accepted, &repeated)?;
        }
        Ok(directories)
    }

    /// Refuses a file that would be created in the place of an input: `other`, which may be `path` itself.
    fn refuse_over_input(&self, path: &Path, created: &Path, other: &Path) -> anyhow::Result<()> {
        let (input, label) = (visible_path(other), visible_path(created));
        let backup_of = match path == other {
            true => "its own backup".to_owned(),
            false => format!("the backup of {}", visible_path(path)),
        };
        match self.place {
            EachTarget::Under(_) if other != path => {
                bail!("{label} would be overwritten, but is also an input, {input}")
            }
            EachTarget::Under(_) => bail!(
                "{label} is the same file as {input}, whose only copy would be overwritten; nothing was written (use \
                 -i to convert it in place)"
            ),
            EachTarget::InPlace(Some(BackupPlace::Suffix(suffix))) if other != path => bail!(
                "{input} is an input, but would also be {backup_of}; nothing was written (leave it out, by \
                 --exclude '*{}' with -r, or use another suffix)",
                visible_path(Path::new(suffix))
            ),
            EachTarget::InPlace(Some(BackupPlace::Under(_))) => bail!(
                "{input} is an input, but would also be {backup_of}; nothing was written (name another directory for \
                 backups)"
            ),
            // A link with the name of the backup leads to the input. The backup gets another name.
            EachTarget::InPlace(_) => Ok(()),
        }
    }

    /// Refuses the first two inputs for which a file would be created in one place. `repeated` are the digests of such
    /// places.
    fn refuse_one_of_two(
        &mut self,
        accepted: &Accepted,
        repeated: &HashSet<u128>,
    ) -> anyhow::Result<()> {
        let verb = match self.place {
            EachTarget::InPlace(_) => "kept as",
            EachTarget::Under(_) => "written to",
        };
        let mut taken: HashMap<u128, PathBuf> = HashMap::new();
        self.each(Some(accepted), |planner, path| {
            let Some(created) = planner.created(path) else { return Ok(()) };
            let Some((key, _)) = planner.places.key(&created) else { return Ok(()) };
            let key = accepted.digester.digest(&key);
            if !repeated.contains(&key) {
                return Ok(());
            }
            if let Some(other) = taken.get(&key) {
                let (one, two) = (visible_path(other), visible_path(path));
                bail!("{one} and {two} would both be {verb} {}", visible_path(&created));
            }
            taken.insert(key, path.to_owned());
            Ok(())
        })
    }
}

/// Returns the size of a file; `None` if it is not a regular one. A missing file counts as empty, and is reported when
/// it is opened.
fn size_of(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok();
    metadata.map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
}
