//! `--baseline` and `--write-baseline`: known findings pass, new ones fail, and those that are gone are reported.
//!
//! ```text
//! --write-baseline: findings of each text ─► recorded ─► lines ─► the file, replaced when complete
//! --baseline: the file ─► lines ─► findings of each text: known │ new; what remains of the lines is gone
//! ```
//!
//! Equal findings (`Fingerprint`) are only counted, so a text with a million of them is one line, and moved lines
//! change nothing. Only files of the run are judged, and files that no longer exist. So memory grows with the baseline,
//! not with the findings.
//!
//! `run_context.rs` asks a `KnownInText` (`compare.rs`) about each finding before the format gets it: as a finding if it is
//! new, otherwise as a known one, which formats for people ignore. Known findings are taken out of the `Summary`, so
//! counts and exit status need no rule of their own. While a later finding may be known, every finding needs its place,
//! whatever the limit of the format. A baseline that is being written knows every finding.

mod compare;
mod directory;
mod lines;

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};

use oxiconv_report::grouped;
use oxiconv_report::{Fingerprint, GoneFinding, KnownFinding, visible_path};
use oxiconv_transcode::io::{Replacement, Version};

use directory::Directory;
use lines::KnownFindings;

pub(crate) use compare::KnownInText;

/// Reads a baseline, and returns how it would be written.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn rewritten(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let known = lines::read(bytes).map_err(|error| error.to_string())?;
    let mut written = Vec::new();
    lines::write(&known, &mut written).map_err(|error| error.to_string())?;
    Ok(written)
}

/// What the arguments say about a baseline.
#[derive(Debug)]
pub(crate) enum BaselineFile {
    /// Findings are compared with this one.
    Compare(PathBuf),
    /// This one is written.
    Write(PathBuf),
}

impl BaselineFile {
    /// Returns the baseline that is read, or else the one that is written.
    pub(crate) fn new(read: Option<&Path>, written: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let file = match (read, written) {
            (Some(path), _) => Self::Compare(path.to_owned()),
            (None, Some(path)) => Self::Write(path.to_owned()),
            (None, None) => return Ok(None),
        };
        if file.path().as_os_str() == "-" {
            let option = file.option();
            bail!("{option} requires a file: its paths are relative to its directory (given: -)");
        }
        Ok(Some(file))
    }

    /// Returns the option that names it.
    pub(crate) fn option(&self) -> &'static str {
        match self {
            Self::Compare(_) => "--baseline",
            Self::Write(_) => "--write-baseline",
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Compare(path) | Self::Write(path) => path,
        }
    }
}

/// The baseline of a run.
pub(crate) enum Baseline<'a> {
    Compare(Listed),
    Write(Recorded<'a>),
}

impl<'a> Baseline<'a> {
    /// Reads the baseline, or checks that it can be written.
    pub(crate) fn open(file: &'a BaselineFile) -> anyhow::Result<Self> {
        let path = file.path();
        let opened = || match file {
            BaselineFile::Compare(path) => Listed::open(path).map(Self::Compare),
            BaselineFile::Write(path) => Recorded::open(path).map(Self::Write),
        };
        opened().with_context(|| visible_path(path))
    }

    /// Begins the text at `path`; `None` is standard input.
    pub(crate) fn text(&self, path: Option<&Path>) -> KnownInText<'_> {
        match self {
            Self::Compare(listed) => listed.text(path),
            Self::Write(recorded) => KnownInText::recorded(&recorded.different),
        }
    }

    /// Ends a text that was read to its end. Returns the listed findings that are gone.
    pub(crate) fn end_text(&self, path: Option<&Path>, text: KnownInText<'_>) -> Vec<GoneFinding> {
        match self {
            Self::Compare(listed) => listed.gone(path, text.into_left()),
            Self::Write(recorded) => {
                recorded.add(path, text);
                Vec::new()
            }
        }
    }
}

/// A baseline that findings are compared with.
pub(crate) struct Listed {
    directory: Directory,
    known: KnownFindings,
    /// The names of listed files that were read to their end.
    read: Mutex<BTreeSet<Option<PathBuf>>>,
}

impl Listed {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path)?;
        let known = lines::read(BufReader::new(file))?;
        Ok(Self { directory: Directory::of(path)?, known, read: Mutex::default() })
    }

    fn name_of(&self, path: Option<&Path>) -> Option<PathBuf> {
        path.map(|path| self.directory.name_of(path))
    }

    fn text(&self, path: Option<&Path>) -> KnownInText<'_> {
        let listed = self.known.get(&self.name_of(path)).into_iter().flatten();
        KnownInText::listed(listed.map(|(fingerprint, known)| (*fingerprint, known.count)))
    }

    fn gone(&self, path: Option<&Path>, left: HashMap<Fingerprint, u64>) -> Vec<GoneFinding> {
        let name = self.name_of(path);
        let Some(listed) = self.known.get(&name) else { return Vec::new() };
        let gone = listed.iter().filter_map(|(fingerprint, known)| {
            Some(GoneFinding { known: known.clone(), count: *left.get(fingerprint)? })
        });
        let gone = gone.collect();
        lock(&self.read).insert(name);
        gone
    }

    /// Returns the files that no longer exist, with the findings that are gone with them.
    pub(crate) fn gone_with_files(&self) -> Vec<(PathBuf, Vec<GoneFinding>)> {
        let read = lock(&self.read);
        let unread = self.known.iter().filter(|(name, _)| !read.contains(name));
        let gone = |known: &KnownFinding| GoneFinding { count: known.count, known: known.clone() };
        let files = unread.filter_map(|(name, known)| {
            let path = self.directory.path_of(name.as_deref()?);
            is_missing(&path).then(|| (path, known.values().map(gone).collect()))
        });
        files.collect()
    }
}

/// A baseline that is written.
pub(crate) struct Recorded<'a> {
    pub(crate) path: &'a Path,
    directory: Directory,
    /// The version of the file that will be replaced.
    version: Option<Version>,
    known: Mutex<KnownFindings>,
    /// How many different findings there are.
    different: AtomicUsize,
}

impl<'a> Recorded<'a> {
    /// Refuses to replace a file that is not a baseline: it may be one of the files to check.
    fn open(path: &'a Path) -> anyhow::Result<Self> {
        let version = Version::of_path(path);
        if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
            && let Err(error) = lines::read_head(&mut BufReader::new(File::open(path)?))
            && !matches!(error, lines::LinesError::Version(_))
        {
            bail!("exists and is not a baseline, so it is not replaced (name another file)");
        }
        Replacement::is_possible(path).context("cannot write")?;
        let directory = Directory::of(path)?;
        Ok(Self {
            path,
            directory,
            version,
            known: Mutex::default(),
            different: AtomicUsize::new(0),
        })
    }

    fn add(&self, path: Option<&Path>, text: KnownInText<'_>) {
        let findings = text.into_recorded();
        if !findings.is_empty() {
            let name = path.map(|path| self.directory.name_of(path));
            lock(&self.known).insert(name, findings);
        }
    }

    /// Returns the number of findings and of their files.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let known = lock(&self.known);
        let findings = known.values().flat_map(|of_file| of_file.values());
        (findings.map(|finding| finding.count).sum(), known.len() as u64)
    }

    /// Returns the new file, which is complete but not yet in its place.
    pub(crate) fn file(&self) -> anyhow::Result<Replacement> {
        if self.different.load(Ordering::Relaxed) > compare::MOST {
            bail!("not written: more than {} different findings", grouped(compare::MOST as u64));
        }
        let write = || -> io::Result<Replacement> {
            let mut file = Replacement::new(self.path)?;
            file.only_over(self.version.clone());
            let mut lines = BufWriter::new(&mut file);
            lines::write(&lock(&self.known), &mut lines)?;
            lines.flush()?;
            drop(lines);
            Ok(file)
        };
        write().context("cannot write")
    }
}

/// Whether nothing is at a path. A file that cannot be examined may be there.
fn is_missing(path: &Path) -> bool {
    let error = fs::metadata(path).err().map(|error| error.kind());
    matches!(error, Some(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
