//! Replaces a file by its conversion, for `-i` and `--fix`.
//!
//! ```text
//! convert ─► IfChanged ─┬─► no byte differs: nothing
//!                       └─► FileReplacement ─► verify, inspect ─► CommitQueue
//! ```
//!
//! A dry run converts in the same way, but into memory, and only as much as is worth a look.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use oxiconv_os::FileVersion;
use oxiconv_report::visible_path;
use oxiconv_transcode::io::{FileReplacement, Input, ReadSource, Source};
use oxiconv_transcode::{Conversion, Observer, TextFingerprint};

use super::batch_file::FileProcessor;
use super::diff::{FileDiff, KeptText};
use super::files::FileArg;
use super::ordered_output::FileOutput;
use super::output_streams::Stream;
use super::result_totals::InputResult;
use super::unchanged::IfChanged;
use super::verify_result::verify;

/// Where a conversion is written, and what messages call it.
pub(super) struct NamedSink<'a> {
    pub(super) writer: &'a mut dyn Write,
    pub(super) name: &'a str,
}

/// A file that is to be replaced, and how.
pub(super) struct ReplacedFile<'a> {
    pub(super) file: &'a FileArg,
    pub(super) path: &'a Path,
    /// The version that was read. Another one is not replaced.
    pub(super) version: Option<FileVersion>,
    pub(super) conversion: &'a Conversion,
    pub(super) backup: Option<PathBuf>,
    pub(super) dry_run: bool,
    /// The number of the output that reports it.
    pub(super) index: usize,
}

/// What became of a file.
pub(super) struct Replaced {
    pub(super) done: InputResult,
    /// Whether it was replaced, or would be, or would have been if a fault had not stopped the conversion.
    pub(super) changed: bool,
    /// In a dry run, what would be written, if that is of interest.
    pub(super) new: Option<KeptText>,
}

/// Decides by its text whether a result may replace the file.
type InspectResult<'a> = &'a mut dyn FnMut(&mut dyn Source) -> anyhow::Result<bool>;

impl FileProcessor<'_> {
    /// Replaces a file by what `convert` writes, if a byte of it differs and `inspect` accepts it.
    pub(super) fn replace(
        &self,
        replaced: &ReplacedFile<'_>,
        convert: impl FnOnce(NamedSink<'_>, Option<&mut dyn Observer>) -> anyhow::Result<InputResult>,
        inspect: Option<InspectResult<'_>>,
    ) -> anyhow::Result<Replaced> {
        let ReplacedFile { file, path, version, conversion, backup, index, .. } = replaced;
        let label = visible_path(path);
        let cannot_write = || format!("{label}: cannot write");
        let outcome = |done, changed| Replaced { done, changed, new: None };
        if replaced.dry_run {
            let keeps = inspect.is_some() || self.ctx.config.writing.diff;
            let mut sink =
                IfChanged::new(path, || Ok(KeptText::new(keeps))).with_context(cannot_write)?;
            let done = convert(NamedSink { writer: &mut sink, name: &label }, None)?;
            if done.summary.stopped {
                return Ok(outcome(done, true));
            }
            let Some(result) = sink.finish().with_context(cannot_write)? else {
                return Ok(outcome(done, false));
            };
            FileReplacement::is_possible(path).with_context(cannot_write)?;
            if let Some(backup) = backup {
                let words = || format!("{label}: cannot write the backup {}", visible_path(backup));
                FileReplacement::may_create(backup).with_context(words)?;
            }
            let is_accepted = match (inspect, result.text()) {
                (Some(inspect), Some(text)) => inspect(&mut ReadSource::of_file(text))?,
                _ => true,
            };
            let new = is_accepted.then_some(result);
            return Ok(Replaced { done, changed: is_accepted, new });
        }
        let begin = || {
            let mut replacement = FileReplacement::like(path, path)?;
            replacement.only_over(version.clone());
            Ok(replacement)
        };
        let mut sink = IfChanged::new(path, begin).with_context(cannot_write)?;
        let mut fingerprint = TextFingerprint::default();
        let verifies = self.ctx.config.writing.verify;
        let observer = verifies.then_some(&mut fingerprint as &mut dyn Observer);
        let done = convert(NamedSink { writer: &mut sink, name: &label }, observer)?;
        if done.summary.stopped {
            return Ok(outcome(done, true));
        }
        let Some(replacement) = sink.finish().with_context(cannot_write)? else {
            return Ok(outcome(done, false));
        };
        if verifies {
            verify(conversion, file, path, &replacement, fingerprint)?;
        }
        if let Some(inspect) = inspect {
            let read = || format!("{label}: cannot read what was written");
            let mut result = replacement.written().and_then(Input::of).with_context(read)?;
            if !inspect(&mut *result.source)? {
                return Ok(outcome(done, false));
            }
        }
        let bytes = done.summary.bytes_written;
        self.commits.add(path, replacement, bytes, backup.clone(), *index, None)?;
        Ok(outcome(done, true))
    }

    /// Prints how a file would change.
    pub(super) fn show_diff(
        &self,
        replaced: &ReplacedFile<'_>,
        new: KeptText,
        done: &InputResult,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<()> {
        let coloured = Stream::Out.is_coloured(self.ctx.config.messages.color);
        replaced.write_diff(new, done, coloured, &mut out.to(Stream::Out))
    }
}

impl ReplacedFile<'_> {
    pub(super) fn write_diff(
        &self,
        new: KeptText,
        done: &InputResult,
        coloured: bool,
        to: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let label = visible_path(self.path);
        FileDiff::of_file(self.path, &label, new, self.conversion, &done.summary)
            .and_then(|diff| diff.write(coloured, to))
            .with_context(|| label.clone())
    }
}
