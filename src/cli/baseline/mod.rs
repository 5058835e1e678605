//! `--baseline` and `--write-baseline`: known findings pass, new ones fail, and vanished ones are reported.
//!
//! ```text
//! --write-baseline   findings of each text ─► record ─► json_lines ─► the file, replaced when complete
//! --baseline         the file ─► json_lines ─► match the findings of each text: known │ new; unmatched lines are gone
//! ```
//!
//! Findings with the same `Fingerprint` are only counted. So a text with a million equal findings is one line, memory
//! grows with the baseline and not with the findings, and lines that move within a file change nothing. A listed file
//! that is not part of the run is not judged, unless it no longer exists.
//!
//! The reporter of a run asks a `KnownInText` (`known_in_text.rs`) about each finding before it reaches the format. New
//! findings are passed on as such, and known ones as known, which formats for people ignore. Known findings are
//! subtracted from the `Summary`, so counts and exit status need no rules of their own. As long as a later finding may
//! be known, every one must be located, even beyond the limit of the format. While a baseline is written, all findings
//! are known.

mod directory;
mod json_lines;
mod known_in_text;

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};

use oxiconv_os::FileVersion;
use oxiconv_report::grouped;
use oxiconv_report::{Fingerprint, GoneFinding, KnownFinding, visible_path};
use oxiconv_transcode::io::FileReplacement;

use directory::BaselineDirectory;
use json_lines::KnownFindings;

pub(crate) use known_in_text::KnownInText;

/// Parses a baseline and writes it again. For fuzzing.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn rewritten(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let known = json_lines::read(bytes).map_err(|error| error.to_string())?;
    let mut written = Vec::new();
    json_lines::write(&known, &mut written).map_err(|error| error.to_string())?;
    Ok(written)
}

#[derive(Debug)]
pub(crate) enum BaselineFile {
    Compare(PathBuf),
    Write(PathBuf),
}

impl BaselineFile {
    /// Creates it from the values of `--baseline` and `--write-baseline`, which exclude each other.
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

pub(crate) enum Baseline<'a> {
    Compare(ListedBaseline),
    Write(RecordedBaseline<'a>),
}

impl<'a> Baseline<'a> {
    /// Reads the baseline, or checks that it can be written.
    pub(crate) fn open(file: &'a BaselineFile) -> anyhow::Result<Self> {
        let path = file.path();
        let opened = || match file {
            BaselineFile::Compare(path) => ListedBaseline::open(path).map(Self::Compare),
            BaselineFile::Write(path) => RecordedBaseline::open(path).map(Self::Write),
        };
        opened().with_context(|| visible_path(path))
    }

    /// Begins the text at `path`, or from standard input if that is `None`.
    pub(crate) fn text(&self, path: Option<&Path>) -> KnownInText<'_> {
        match self {
            Self::Compare(listed) => listed.text(path),
            Self::Write(recorded) => KnownInText::recorded(&recorded.different),
        }
    }

    /// Ends a text that was read completely. Returns the listed findings that it no longer has.
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
pub(crate) struct ListedBaseline {
    directory: BaselineDirectory,
    known: KnownFindings,
    /// The listed files that were read completely.
    read: Mutex<BTreeSet<Option<PathBuf>>>,
}

impl ListedBaseline {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path)?;
        let known = json_lines::read(BufReader::new(file))?;
        Ok(Self { directory: BaselineDirectory::of(path)?, known, read: Mutex::default() })
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

    /// Returns the listed files that no longer exist, with their findings.
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

/// A baseline that is being written.
pub(crate) struct RecordedBaseline<'a> {
    pub(crate) path: &'a Path,
    directory: BaselineDirectory,
    /// The version of the file to replace; another one, written meanwhile, is not overwritten.
    version: Option<FileVersion>,
    known: Mutex<KnownFindings>,
    /// The number of different findings in all texts.
    different: AtomicUsize,
}

impl<'a> RecordedBaseline<'a> {
    /// Refuses to replace a file that is not a baseline: with `--check --write-baseline a.txt`, the user may have meant
    /// to check a.txt.
    fn open(path: &'a Path) -> anyhow::Result<Self> {
        let version = FileVersion::of_path(path);
        if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
            && let Err(error) = json_lines::read_header(&mut BufReader::new(File::open(path)?))
            && !matches!(error, json_lines::BaselineFormatError::Version(_))
        {
            bail!("exists and is not a baseline, so it is not replaced (name another file)");
        }
        FileReplacement::is_possible(path).context("cannot write")?;
        let directory = BaselineDirectory::of(path)?;
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

    /// Returns the numbers of findings and of files that have any.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let known = lock(&self.known);
        let findings = known.values().flat_map(|of_file| of_file.values());
        (findings.map(|finding| finding.count).sum(), known.len() as u64)
    }

    /// Writes the new file, without putting it in place yet.
    pub(crate) fn file(&self) -> anyhow::Result<FileReplacement> {
        if self.different.load(Ordering::Relaxed) > known_in_text::MAX_DIFFERENT {
            bail!(
                "not written: more than {} different findings",
                grouped(known_in_text::MAX_DIFFERENT as u64)
            );
        }
        let write = || -> io::Result<FileReplacement> {
            let mut file = FileReplacement::new(self.path)?;
            file.only_over(self.version.clone());
            let mut lines = BufWriter::new(&mut file);
            json_lines::write(&lock(&self.known), &mut lines)?;
            lines.flush()?;
            drop(lines);
            Ok(file)
        };
        write().context("cannot write")
    }
}

/// Whether there is certainly nothing at a path. On any other error, such as a lack of permission, something may be
/// there.
fn is_missing(path: &Path) -> bool {
    let error = fs::metadata(path).err().map(|error| error.kind());
    matches!(error, Some(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
