//! `--resume`: a manifest of what runs have done, so that a later run of the same job can skip it.
//!
//! ```text
//! {"manifest":"oxiconv","version":1}
//! {"task":{"options":"9fb21c651e98df25","files":[{"path":{"text":"a.csv"},"state":{…}}]},"results":[…],"output":{…}}
//! ```
//!
//! Each line is a task that is done: input files without any finding, and the output made of them. Files with findings
//! are left out, so that every run reports them again.
//!
//! A task is looked up by everything that its result depends on: the options, and for each file the path, the size, the
//! modification time and the part that was read. If any of these changes, the key is another one, and the old line is
//! never found. The output is not part of the key: it must still have the size and time that were recorded.
//!
//! Memory holds a digest and an offset per line, so that a manifest can have ten million of them. When a task comes up,
//! its line is read again and the tasks are compared, so equal digests would do no harm.
//!
//! Lines are appended, each with a single write in append mode, so several runs can share a manifest. A line that a
//! killed run left incomplete is ignored, and closed with a line feed so that the next one is not appended to it.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use oxiconv_report::{OwnedPath, stable_hash, visible_path};
use oxiconv_transcode::diagnostic::{PieceExtent, Summary};

use super::config::Config;
use super::digests::Digester;
use super::exit_status::ExitStatus;
use super::files::{FileArg, FilePart};
use super::result_totals::InputResult;

/// The program and the format version in the first line.
const PROGRAM: &str = env!("CARGO_PKG_NAME");
const VERSION: u32 = 1;
/// The most bytes of the first line, in any version of the format.
const MAX_HEAD_BYTES: u64 = 256;

#[derive(Debug, Deserialize, Serialize)]
struct ManifestHead {
    manifest: String,
    version: u32,
}

/// Every other line: a task that is done.
#[derive(Debug, Deserialize, Serialize)]
struct TaskLine {
    task: ManifestTask,
    results: Vec<ResultRecord>,
    output: Option<OutputRecord>,
}

/// Everything that the result of a task depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub(crate) struct ManifestTask {
    options: String,
    files: Vec<TaskFile>,
    /// The path of its output, if it has one.
    to: Option<OwnedPath>,
}

/// An input file, in the state in which it is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
struct TaskFile {
    path: OwnedPath,
    state: FileState,
    /// The borders of the part that is read, if that is not the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<[u64; 2]>,
}

/// What is compared to tell whether a file has changed: its size in bytes, and its modification time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
struct FileState {
    size: u64,
    time: String,
}

/// The counts for a file without findings, as they are reported again.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct ResultRecord {
    bytes: u64,
    bytes_written: u64,
    characters: u64,
    lines: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<PieceRecord>,
}

/// The piece of a file that a shard has read, as reports print it.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct PieceRecord {
    start: u64,
    end: u64,
    size: u64,
    lines: u64,
    column: u64,
}

/// The output of a task, in the state in which it was left.
#[derive(Debug, Deserialize, Serialize)]
struct OutputRecord {
    state: FileState,
}

impl FileState {
    fn of(metadata: &Metadata) -> Self {
        let time = metadata.modified().map(|time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => format!("{}.{:09}", after.as_secs(), after.subsec_nanos()),
            Err(before) => format!("-{}", before.duration().as_nanos()),
        });
        let time = time.unwrap_or_default();
        Self { size: metadata.len(), time }
    }
}

impl TaskFile {
    /// Returns the file in its present state; `None` if it is not a regular file with a path.
    fn of(file: &FileArg) -> Option<Self> {
        let path = file.path.as_deref()?;
        let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let part = file.part.as_ref().map(|FilePart { borders, .. }| [borders.start, borders.end]);
        Some(Self { path: OwnedPath::of(path), state: FileState::of(&metadata), part })
    }
}

impl ResultRecord {
    /// Returns the record of a result; `None` if there is anything that every run must report.
    fn of(done: &InputResult) -> Option<Self> {
        let InputResult { summary, exit, shown, withheld, .. } = done;
        let is_clean = *exit == ExitStatus::Clean
            && (summary.total(), summary.repaired, *shown, *withheld) == (0, 0, 0, 0);
        let piece = summary.extent.as_ref().map(|extent| PieceRecord {
            start: extent.range.start,
            end: extent.range.end,
            size: extent.size,
            lines: extent.lines,
            column: extent.column,
        });
        let Summary { bytes_read, bytes_written, characters, lines, .. } = *summary;
        is_clean.then_some(Self { bytes: bytes_read, bytes_written, characters, lines, piece })
    }

    /// Returns the result as it was when the file was read.
    fn into_done(self) -> InputResult {
        let extent = self.piece.map(|piece| PieceExtent {
            range: piece.start..piece.end,
            size: piece.size,
            lines: piece.lines,
            column: piece.column,
        });
        let mut summary = Summary::default();
        summary.bytes_read = self.bytes;
        summary.bytes_written = self.bytes_written;
        summary.characters = self.characters;
        summary.lines = self.lines;
        summary.extent = extent;
        InputResult { summary, exit: ExitStatus::Clean, shown: 0, withheld: 0, known: 0, gone: 0 }
    }
}

pub(crate) struct Manifest {
    path: PathBuf,
    /// A hash of all options that a result depends on, as 16 hexadecimal digits.
    options: String,
    digester: Digester,
    /// The offset of the line of each task, by the digest of the task. Lines that this run adds are not looked up.
    offsets: HashMap<u128, u64>,
    /// Opened for appending and reading. Appending does not depend on the offset that reading leaves behind.
    file: Mutex<File>,
    /// The first error of adding a line.
    error: Mutex<Option<io::Error>>,
}

impl Manifest {
    /// Opens the manifest of a run, if it has one.
    ///
    /// # Errors
    ///
    /// As for [`Manifest::open`].
    pub(crate) fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let version = env!("CARGO_PKG_VERSION");
        let open = |path| Self::open(path, &format!("{version} {}", config.determinants()));
        config.resume.as_deref().map(open).transpose()
    }

    /// Opens the manifest at `path`, or creates it. `options` names all that results depend on besides the files.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or is not a manifest of this version.
    fn open(path: &Path, options: &str) -> anyhow::Result<Self> {
        let label = || visible_path(path);
        let options = format!("{:016x}", stable_hash(options.as_bytes()));
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("{}: cannot open the manifest", label()))?;
        if !file.metadata()?.is_file() {
            bail!("{}: a manifest must be a regular file", label());
        }
        let digester = Digester::default();
        let offsets = read(&mut file, &digester).with_context(label)?;
        let manifest = Self {
            path: path.to_owned(),
            options,
            digester,
            offsets,
            file: Mutex::new(file),
            error: Mutex::default(),
        };
        Ok(manifest)
    }

    /// Returns the task of converting `files` to the file `to`, or of checking them. `more` is what their results
    /// depend on besides the options of the run. `None` if one of them is not a regular file.
    pub(crate) fn task<'f>(
        &self,
        files: impl IntoIterator<Item = &'f FileArg>,
        to: Option<&Path>,
        more: &str,
    ) -> Option<ManifestTask> {
        let files: Option<Vec<_>> = files.into_iter().map(TaskFile::of).collect();
        let options = match more {
            "" => self.options.clone(),
            more => format!("{} {:016x}", self.options, stable_hash(more.as_bytes())),
        };
        Some(ManifestTask { options, files: files?, to: to.map(OwnedPath::of) })
    }

    /// Returns the results of a task, one per file, if it is done and its output is unchanged.
    pub(crate) fn done(&self, task: &ManifestTask) -> Option<Vec<InputResult>> {
        let offset = self.offsets.get(&self.digester.digest(task))?;
        let line = self.line_at(*offset).ok()?;
        let is_same = line.task == *task && line.results.len() == task.files.len();
        let is_there = match (&line.output, &task.to) {
            (None, None) => true,
            (Some(OutputRecord { state }), Some(to)) => {
                let metadata = to.clone().path().and_then(|to| fs::metadata(to).ok());
                metadata.is_some_and(|metadata| {
                    metadata.is_file() && FileState::of(&metadata) == *state
                })
            }
            _ => false,
        };
        (is_same && is_there)
            .then(|| line.results.into_iter().map(ResultRecord::into_done).collect())
    }

    fn line_at(&self, offset: u64) -> io::Result<TaskLine> {
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(offset))?;
        let mut line = Vec::new();
        BufReader::new(&mut *file).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }

    /// Adds a task that is done, with the results of its files in their order. If one of them has a finding, nothing is
    /// added: the next run does the task again, and reports it again.
    ///
    /// An error does not stop the run, whose output is in place. [`Manifest::take_error`] returns it at the end.
    pub(crate) fn add<'d>(
        &self,
        task: ManifestTask,
        done: impl IntoIterator<Item = &'d InputResult>,
    ) {
        let results: Option<Vec<_>> = done.into_iter().map(ResultRecord::of).collect();
        let Some(results) = results else { return };
        // The output is in place by now, so this is the state that a later run must find it in. If it is gone already,
        // there is nothing to skip.
        let output = match task.to.clone().map(OwnedPath::path) {
            None => None,
            Some(path) => match path.and_then(|path| fs::metadata(path).ok()) {
                Some(metadata) => Some(OutputRecord { state: FileState::of(&metadata) }),
                None => return,
            },
        };
        let added = serde_json::to_vec(&TaskLine { task, results, output })
            .map_err(io::Error::from)
            .and_then(|mut line| {
                line.push(b'\n');
                lock(&self.file).write_all(&line)
            });
        if let Err(error) = added {
            lock(&self.error).get_or_insert(error);
        }
    }

    /// Takes the first error of adding a task, if there was one.
    pub(crate) fn take_error(&self) -> Option<anyhow::Error> {
        let error = lock(&self.error).take()?;
        let words = format!("{}: cannot write the manifest", visible_path(&self.path));
        Some(anyhow::Error::new(error).context(words))
    }
}

/// Reads the bytes of a manifest, looks up each of its tasks, and returns how many there are.
///
/// # Errors
///
/// What is wrong with the manifest.
pub(super) fn count_tasks(bytes: &[u8]) -> Result<usize, String> {
    let read = || {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        file.rewind()?;
        let digester = Digester::default();
        let offsets = read(&mut file, &digester)?;
        let manifest = Manifest {
            path: PathBuf::new(),
            options: String::new(),
            digester,
            offsets,
            file: Mutex::new(file),
            error: Mutex::default(),
        };
        for offset in manifest.offsets.values() {
            let line = manifest.line_at(*offset)?;
            manifest.done(&line.task);
        }
        anyhow::Ok(manifest.offsets.len())
    };
    read().map_err(|error| error.to_string())
}

/// Reads all lines, and returns the offset of each task's line by the digest of the task. Writes the first line of a
/// new manifest, and closes an incomplete last line.
fn read(file: &mut File, digester: &Digester) -> anyhow::Result<HashMap<u128, u64>> {
    let mut offsets = HashMap::new();
    let mut reader = BufReader::with_capacity(1 << 16, &*file);
    let (mut offset, mut line) = (0, Vec::new());
    (&mut reader).take(MAX_HEAD_BYTES).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        let head = ManifestHead { manifest: PROGRAM.to_owned(), version: VERSION };
        let mut head = serde_json::to_vec(&head)?;
        head.push(b'\n');
        file.write_all(&head)?;
        return Ok(offsets);
    }
    match serde_json::from_slice::<ManifestHead>(&line) {
        Ok(head) if head.manifest == PROGRAM && head.version == VERSION => {}
        Ok(head) if head.manifest == PROGRAM => {
            bail!(
                "the manifest has version {}, but this program reads only version {VERSION}",
                head.version
            )
        }
        _ => bail!("not a manifest"),
    }
    loop {
        offset += line.len() as u64;
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(offsets);
        }
        if let Ok(line) = serde_json::from_slice::<TaskLine>(&line) {
            offsets.insert(digester.digest(&line.task), offset);
        }
        // Only the last line can lack its line feed. A run that was killed while it wrote the line has left it so.
        if line.last() != Some(&b'\n') {
            drop(reader);
            file.write_all(b"\n")?;
            return Ok(offsets);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
