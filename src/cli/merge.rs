//! `--merge-findings`: merges the JSON documents of all shards into the document of the whole run.
//!
//! `Merge` in the report crate reads each document more than once. What comes through a pipe is copied to a temporary
//! file first.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use oxiconv_os::{BlockingFile, FileStatus, Identity, stdin_file, stdout_file};
use oxiconv_report::counted;
use oxiconv_report::{Document, LONGEST_EVENT, Merge, MergeError, Subject, visible_path};
use oxiconv_transcode::io::{Completion, FileReplacement, LastWords, place_of, remove_leftovers};

use super::args::Args;
use super::bounded_file::open_finite;
use super::commit::words;
use super::config::{JoinTarget, MessageConfig};
use super::console::Console;
use super::exit_status::ExitStatus;
use super::signals;

const STREAM: &str = "-";

pub(crate) fn merge(args: &Args) -> anyhow::Result<ExitStatus> {
    if args.files.is_empty() {
        bail!("--merge-findings requires the documents of all shards as files");
    }
    if args.files.iter().filter(|path| is_stream(path)).count() > 1 {
        bail!("- can be given only once: standard input has one document");
    }
    let target = JoinTarget::new(args);
    refuse_own_output(&args.files, &target)?;
    signals::clean_up("oxiconv", signals::words_of_join(&target));
    let documents: Vec<_> =
        args.files.iter().map(|path| ShardDocument::new(path)).collect::<Result<_, _>>()?;
    let documents: Vec<&dyn Document> = documents.iter().map(|it| it as &dyn Document).collect();
    let merge = Merge::new(documents)?;
    let console = Console::new(None);
    let quiet = MessageConfig::from(&args.messages).quiet;
    match &target {
        JoinTarget::Stdout => {
            let mut out = BufWriter::new(BlockingFile(stdout_file().context("(standard output)")?));
            merge.write(&mut out).map_err(|error| named(error, "(standard output)"))?;
            LastWords::count();
        }
        JoinTarget::File(path) => write(&merge, path, args, &console)?,
    }
    for remark in merge.remarks().iter().filter(|_| !quiet) {
        console.error(remark);
    }
    Ok(match merge.exit_status() {
        0 => ExitStatus::Clean,
        1 => ExitStatus::Found,
        _ => ExitStatus::Trouble,
    })
}

/// Adds the name of the output to an error of writing it. Other errors name their document.
fn named(error: MergeError, output: &str) -> anyhow::Error {
    match error {
        MergeError::Write(error) => {
            anyhow::Error::new(error).context(format!("{output}: cannot write"))
        }
        other => other.into(),
    }
}

/// Writes the merged document to a file, which is replaced only when the new one is complete.
fn write(merge: &Merge<'_>, path: &Path, args: &Args, console: &Console) -> anyhow::Result<()> {
    let quiet = MessageConfig::from(&args.messages).quiet;
    let label = visible_path(path);
    clear_leftovers(path, &args.files, quiet, console);
    let cannot_write = || format!("{label}: cannot write");
    let mut file = FileReplacement::new(path).with_context(cannot_write)?;
    let mut buffered = BufWriter::with_capacity(1 << 16, &mut file);
    merge.write(&mut buffered).map_err(|error| named(error, &label))?;
    drop(buffered);
    let completion = Completion::new(!args.output.no_sync);
    for placed in completion.place(vec![file.ready(None).with_context(cannot_write)?]) {
        for note in placed.with_context(cannot_write)?.iter().filter(|_| !quiet) {
            console.error(&format!("{label}: {}", words(note)));
        }
    }
    completion.settle().with_context(cannot_write)
}

/// Removes temporary files that killed runs have left next to the output.
fn clear_leftovers(path: &Path, documents: &[PathBuf], quiet: bool, console: &Console) {
    let Some(directory) = place_of(path).ok().and_then(|it| it.parent().map(Path::to_owned)) else {
        return;
    };
    let inputs: Vec<_> = documents.iter().filter_map(|path| Identity::of_path(path)).collect();
    let is_input = |path: &Path| Identity::of_path(path).is_some_and(|it| inputs.contains(&it));
    let removed = remove_leftovers(&directory, is_input).iter().filter(|it| it.removed).count();
    if removed > 0 && !quiet {
        let files = counted(removed as u64, "temporary file");
        console.error(&format!(
            "{}: removed {files} that an earlier run left when it was killed",
            visible_path(&directory)
        ));
    }
}

/// Refuses an output that is also one of the documents: its shard would have to run again before another merge.
fn refuse_own_output(documents: &[PathBuf], target: &JoinTarget) -> anyhow::Result<()> {
    let output = match target {
        JoinTarget::Stdout => Identity::of_stdout(),
        JoinTarget::File(path) => Identity::of_path(path),
    };
    let Some(output) = output else { return Ok(()) };
    for path in documents {
        let identity = if is_stream(path) { Identity::of_stdin() } else { Identity::of_path(path) };
        if identity == Some(output) {
            bail!("{}: is also the output", label(path));
        }
    }
    Ok(())
}

fn is_stream(path: &Path) -> bool {
    path.as_os_str() == STREAM
}

fn label(path: &Path) -> String {
    if is_stream(path) { Subject::StandardInput.label() } else { visible_path(path) }
}

struct ShardDocument {
    label: String,
    from: DocumentBytes,
}

enum DocumentBytes {
    /// In a regular file. It is opened for each reading and not kept open: there may be more documents than a process
    /// may have descriptors.
    Path(PathBuf),
    /// In an unnamed temporary file, because they came through a pipe.
    Copy(File),
}

impl ShardDocument {
    fn new(path: &Path) -> anyhow::Result<Self> {
        let label = label(path);
        let from = if is_stream(path) {
            copy(&mut BlockingFile(stdin_file().with_context(|| label.clone())?), &label)?
        } else {
            let file = open_finite(path).with_context(|| label.clone())?;
            match FileStatus::of_file(&file).with_context(|| label.clone())?.is_regular() {
                true => DocumentBytes::Path(path.to_owned()),
                false => copy(&mut BlockingFile(file), &label)?,
            }
        };
        Ok(Self { label, from })
    }
}

/// Copies a document to a temporary file. Stops at a line that is too long for an event, because a stream that is not a
/// document may never end and would fill the disk. The merge then reports that line.
fn copy(from: &mut dyn Read, label: &str) -> anyhow::Result<DocumentBytes> {
    let cannot_keep = || format!("{label}: cannot be copied to a temporary file");
    let mut file = tempfile::tempfile().with_context(cannot_keep)?;
    let mut bytes = vec![0; 1 << 16];
    let mut line_len = 0;
    while line_len <= LONGEST_EVENT {
        let read = from.read(&mut bytes).with_context(|| label.to_owned())?;
        if read == 0 {
            break;
        }
        let read = &bytes[..read];
        line_len = match memchr::memrchr(b'\n', read) {
            Some(end) => read.len() - end - 1,
            None => line_len + read.len(),
        };
        file.write_all(read).with_context(cannot_keep)?;
    }
    Ok(DocumentBytes::Copy(file))
}

impl Document for ShardDocument {
    fn label(&self) -> &str {
        &self.label
    }

    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match &self.from {
            DocumentBytes::Path(path) => Box::new(File::open(path)?),
            DocumentBytes::Copy(file) => {
                let mut file = file;
                file.rewind()?;
                Box::new(file)
            }
        })
    }
}
