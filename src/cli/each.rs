//! One file of a batch: checked, or converted to a file of its own.
//!
//! ```text
//! skip binary files ─► refuse texts in another encoding ─► convert ─► compare ─► rename, with others (`finish`)
//! ```

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};

use oxiconv_report::visible_path;
use oxiconv_transcode::io::{Input, Replacement, Version};
use oxiconv_transcode::{Observer, TextFingerprint, Transcoder};

use super::binary::looks_binary;
use super::config::{Action, Destination};
use super::file_policy::FilePolicy;
use super::files::FileArg;
use super::finish::Finish;
use super::input::{name_error, open, undetected};
use super::job::Job;
use super::loss::under;
use super::manifest::{Manifest, Task};
use super::ordered_output::FileOutput;
use super::piece::{PartInput, open_part};
use super::refusal::{Objection, Refusals};
use super::repository::Rules;
use super::totals::Done;
use super::unchanged::IfChanged;
use super::{detect, if_invalid, verify};

/// The outcome of one file.
pub(crate) enum FileOutcome {
    /// It was checked.
    Checked(Done),
    /// Its encoding was detected, or is not known.
    Detected { done: Done, is_known: bool },
    /// It was converted, up to the fault that stopped its conversion if there was one. It says whether a byte changed.
    Converted(Done, bool),
    /// It looks binary, and was skipped.
    Binary,
    /// Another run reports it: this is not the first piece of it.
    Elsewhere,
    /// Its repository leaves it out, for this reason.
    Excluded(String),
    /// It was not converted, for this reason.
    Refused(String),
    /// It needs no conversion, for this reason.
    LeftAlone(&'static str),
}

/// Where a conversion is written, and what messages call it.
struct Sink<'a> {
    writer: &'a mut dyn Write,
    name: &'a str,
}

/// What all files of a batch share.
pub(crate) struct Each<'a> {
    pub(crate) job: Job<'a>,
    pub(crate) refusals: Refusals<'a>,
    pub(crate) finish: &'a Finish<'a>,
    /// What is done, if that is kept.
    pub(crate) manifest: Option<&'a Manifest>,
}

impl Each<'_> {
    /// Converts or checks one file.
    pub(crate) fn file(
        &self,
        file: &FileArg,
        rules: &Rules,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        self.try_file(file, rules, out).or_else(|error| match undetected(&error) {
            Some(words) => Ok(FileOutcome::Refused(words)),
            None => Err(error),
        })
    }

    fn try_file(
        &self,
        file: &FileArg,
        rules: &Rules,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let config = self.job.config;
        let task = self.task(file, rules)?;
        if let (Some(manifest), Some(task)) = (self.manifest, &task)
            && let Some([done]) = manifest.done(task).as_deref()
        {
            self.job.report_done(file, done, out);
            return Ok(match config.action {
                // The report is that of a run that was never stopped.
                Action::Each(_) => FileOutcome::Converted(done.clone(), true),
                _ => FileOutcome::Checked(done.clone()),
            });
        }
        if matches!(config.action, Action::Detect) {
            return Ok(match detect::detect(&self.job, file, out)? {
                Some((done, is_known)) => FileOutcome::Detected { done, is_known },
                None => FileOutcome::Binary,
            });
        }
        let policy = FilePolicy::new(config, rules.settings(file))?;
        let excluded = policy.settings.excluded.as_ref();
        if let Some(excluded) = excluded.filter(|excluded| excluded.value) {
            return Ok(FileOutcome::Excluded(format!("skipped: {}", excluded.by)));
        }
        let may_be_binary = (file.found || policy.settings.may_be_binary) && excluded.is_none();
        let (Action::Each(place), Some(path)) = (&config.action, &file.path) else {
            let outcome = self.check(file, policy, may_be_binary, out)?;
            if let (Some(manifest), Some(task), FileOutcome::Checked(done)) =
                (self.manifest, task, &outcome)
            {
                manifest.add(task, [done]);
            }
            return Ok(outcome);
        };
        if may_be_binary && self.looks_binary(&policy, file, &mut open(file)?)? {
            return Ok(FileOutcome::Binary);
        }
        self.convert(file, path, place, task, out)
    }

    /// Converts one file to a file of its own.
    fn convert(
        &self,
        file: &FileArg,
        path: &Path,
        place: &Destination,
        task: Option<Task>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let config = self.job.config;
        if matches!(place, Destination::InPlace(_))
            && fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
        {
            bail!("{}: not a regular file, so it cannot be replaced", file.label());
        }
        if self.finish.has_written(path) {
            bail!("{}: already written by this run", visible_path(path));
        }
        // What is replaced in the end is the version seen here, or nothing.
        let version = Version::of_path(path);
        if config.writing.if_invalid && if_invalid::is_valid(&config.conversion, file, path)? {
            return match place {
                Destination::InPlace(_) => {
                    Ok(FileOutcome::LeftAlone("unchanged: already valid in the target encoding"))
                }
                Destination::Under(dir) => {
                    self.copy(file, path, &under(dir, path, file.opening.decompress)?, out)
                }
            };
        }
        let target = match place {
            Destination::InPlace(_) => Cow::Borrowed(path),
            Destination::Under(dir) => Cow::Owned(under(dir, path, file.opening.decompress)?),
        };
        match self.refusals.of(file, path, &target)? {
            Some(Objection::Refused(words)) => return Ok(FileOutcome::Refused(words)),
            Some(Objection::Noted(words)) if !config.messages.quiet => {
                self.job.report.note(out, file, &words);
            }
            _ => {}
        }
        let (done, changed) = match place {
            Destination::InPlace(suffix) => {
                self.in_place(file, path, version, suffix.as_deref(), out)?
            }
            Destination::Under(_) => (self.under(file, path, &target, task, out)?, true),
        };
        Ok(FileOutcome::Converted(done, changed))
    }

    /// Checks one file. It is opened once, unless its repository declares something.
    fn check(
        &self,
        file: &FileArg,
        mut policy: FilePolicy<'_>,
        may_be_binary: bool,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let PartInput { mut input, piece } = open_part(file, &policy.conversion)?;
        let is_later = piece.as_ref().is_some_and(|piece| piece.start > 0);
        let mut whole = is_later.then(|| open(file)).transpose()?;
        let start = whole.as_mut().unwrap_or(&mut input);
        if may_be_binary && self.looks_binary(&policy, file, start)? {
            return Ok(if is_later { FileOutcome::Elsewhere } else { FileOutcome::Binary });
        }
        if file.opening.decompress && input.is_regular && policy.settings.charset.is_some() {
            // One window at a time: the file is read before it is read again.
            drop(input);
            policy.look_for_utf8(self.job.config, file)?;
            input = open(file)?;
        } else {
            policy.look_for_utf8(self.job.config, file)?;
        }
        if let Some(words) = policy.words().filter(|_| self.job.config.messages.verbose) {
            self.job.report.aside(out, file, &words);
        }
        let input = PartInput { input, piece };
        let nowhere = Sink { writer: &mut io::sink(), name: "" };
        self.run_by(&policy, file, input, nowhere, None, out).map(FileOutcome::Checked)
    }

    /// Whether a file looks binary, if it was found or is regular.
    fn looks_binary(
        &self,
        policy: &FilePolicy<'_>,
        file: &FileArg,
        input: &mut Input,
    ) -> anyhow::Result<bool> {
        // What a pipe gives would be waited for. Standard input is text.
        if file.path.is_none() || !(file.found || input.is_regular) {
            return Ok(false);
        }
        looks_binary(&policy.conversion, &mut *input.source).with_context(|| file.label())
    }

    /// Converts one file.
    fn run(
        &self,
        file: &FileArg,
        input: Input,
        sink: Sink<'_>,
        observer: Option<&mut dyn Observer>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<Done> {
        let policy = FilePolicy::plain(self.job.config);
        self.run_by(&policy, file, input.into(), sink, observer, out)
    }

    fn run_by(
        &self,
        policy: &FilePolicy<'_>,
        file: &FileArg,
        input: PartInput,
        sink: Sink<'_>,
        observer: Option<&mut dyn Observer>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<Done> {
        let mut transcoder = Transcoder::new(&policy.conversion, sink.writer);
        if let Some(observer) = observer {
            transcoder = transcoder.observed_by(observer);
        }
        let done = self
            .job
            .run(&mut transcoder, file, policy, input, out)
            .map_err(|error| name_error(error, &file.label(), sink.name))?;
        transcoder.finish().map_err(|error| name_error(error, "", sink.name))?;
        Ok(done)
    }

    /// Replaces a file by its conversion, if that changes a byte. Also returns whether it does.
    fn in_place(
        &self,
        file: &FileArg,
        path: &Path,
        version: Option<Version>,
        suffix: Option<&OsStr>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<(Done, bool)> {
        let target = FileArg::output(path);
        let (done, changed) = if self.job.config.writing.dry_run {
            self.try_in_place(file, path, out)?
        } else {
            self.convert_in_place(file, path, version, suffix, out)?
        };
        if !changed && self.job.config.messages.verbose {
            self.job.report.aside(out, &target, "unchanged: no byte would change");
        }
        Ok((done, changed))
    }

    /// Reports what would happen to a file in place. Also returns whether a byte of it would change.
    fn try_in_place(
        &self,
        file: &FileArg,
        path: &Path,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<(Done, bool)> {
        let label = visible_path(path);
        let cannot_write = || format!("{label}: cannot write");
        let input = open(file)?;
        let mut sink = IfChanged::new(path, || Ok(io::sink())).with_context(cannot_write)?;
        let done = self.run(file, input, Sink { writer: &mut sink, name: &label }, None, out)?;
        let stopped = done.summary.stopped;
        let changed = stopped || sink.finish().with_context(cannot_write)?.is_some();
        if changed && !stopped {
            Replacement::is_possible(path).with_context(cannot_write)?;
        }
        if changed {
            self.would_be_written(path, &done, out);
        }
        Ok((done, changed))
    }

    /// Converts a file in place. Also returns whether a byte of it changed, or would have.
    fn convert_in_place(
        &self,
        file: &FileArg,
        path: &Path,
        version: Option<Version>,
        suffix: Option<&OsStr>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<(Done, bool)> {
        let label = visible_path(path);
        let cannot_write = || format!("{label}: cannot write");
        let input = open(file)?;
        let begin = || {
            let mut replacement = Replacement::like(path, path)?;
            replacement.only_over(version.clone());
            Ok(replacement)
        };
        let mut sink = IfChanged::new(path, begin).with_context(cannot_write)?;
        let mut fingerprint = TextFingerprint::default();
        let observer =
            self.job.config.writing.verify.then_some(&mut fingerprint as &mut dyn Observer);
        let replaced = Sink { writer: &mut sink, name: &label };
        let done = self.run(file, input, replaced, observer, out)?;
        if done.summary.stopped {
            self.not_written(&FileArg::output(path), out);
            return Ok((done, true));
        }
        let replacement = sink.finish().with_context(cannot_write)?;
        let changed = replacement.is_some();
        if let Some(replacement) = replacement {
            self.verify(file, path, &replacement, fingerprint)?;
            let bytes = done.summary.bytes_written;
            self.finish.add(path, replacement, bytes, suffix, out.index(), None)?;
        }
        Ok((done, changed))
    }

    /// Writes the conversion of a file to `target`.
    fn under(
        &self,
        file: &FileArg,
        path: &Path,
        target: &Path,
        task: Option<Task>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<Done> {
        let label = visible_path(target);
        let arg = FileArg::output(target);
        let input = open(file)?;
        if self.job.config.writing.dry_run {
            Replacement::is_possible(target).with_context(|| format!("{label}: cannot write"))?;
            let nowhere = Sink { writer: &mut io::sink(), name: &label };
            let done = self.run(file, input, nowhere, None, out)?;
            self.would_be_written(target, &done, out);
            return Ok(done);
        }
        make_directory_of(target)?;
        let mut replacement =
            Replacement::like(target, path).with_context(|| format!("{label}: cannot write"))?;
        let mut fingerprint = TextFingerprint::default();
        let observer =
            self.job.config.writing.verify.then_some(&mut fingerprint as &mut dyn Observer);
        let sink = Sink { writer: &mut replacement, name: &label };
        let done = self.run(file, input, sink, observer, out)?;
        if done.summary.stopped {
            self.not_written(&arg, out);
        } else {
            self.verify(file, target, &replacement, fingerprint)?;
            let task = task.map(|task| (task, done.clone()));
            let bytes = done.summary.bytes_written;
            self.finish.add(target, replacement, bytes, None, out.index(), task)?;
        }
        Ok(done)
    }

    /// Compares the result with what was to be written, if that is wanted.
    fn verify(
        &self,
        file: &FileArg,
        target: &Path,
        result: &Replacement,
        fingerprint: TextFingerprint,
    ) -> anyhow::Result<()> {
        let config = self.job.config;
        if !config.writing.verify {
            return Ok(());
        }
        verify::verify(&config.conversion, file, target, result, fingerprint)
    }

    /// Returns what the result of a file depends on, if there is a manifest.
    fn task(&self, file: &FileArg, rules: &Rules) -> anyhow::Result<Option<Task>> {
        let Some(manifest) = self.manifest else { return Ok(None) };
        let config = self.job.config;
        let to = match (&config.action, &file.path) {
            (Action::Each(Destination::Under(dir)), Some(path)) => {
                Some(under(dir, path, file.opening.decompress)?)
            }
            _ => None,
        };
        let declared = match config.uses_repository {
            true => format!("{:?}", rules.settings(file)),
            false => String::new(),
        };
        Ok(manifest.task([file], to.as_deref(), &declared))
    }

    /// Copies a file that is valid already to its place among the converted ones.
    fn copy(
        &self,
        file: &FileArg,
        path: &Path,
        target: &Path,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        if self.job.config.writing.dry_run {
            let label = visible_path(target);
            Replacement::is_possible(target).with_context(|| format!("{label}: cannot write"))?;
            let target = FileArg::output(target);
            self.job.report.note(out, &target, "would be copied unchanged");
        } else {
            make_directory_of(target)?;
            let (copy, bytes) = if_invalid::copy(file, path, target)?;
            self.finish.add(target, copy, bytes, None, out.index(), None)?;
        }
        Ok(FileOutcome::LeftAlone("copied unchanged: already valid in the target encoding"))
    }

    fn would_be_written(&self, target: &Path, done: &Done, out: &mut FileOutput<'_>) {
        let not = if done.summary.stopped { "not " } else { "" };
        self.job.report.note(out, &FileArg::output(target), &format!("would {not}be written"));
    }

    fn not_written(&self, target: &FileArg, out: &mut FileOutput<'_>) {
        if !self.job.config.messages.silent {
            self.job.report.note(out, target, "not written");
        }
    }
}

fn make_directory_of(target: &Path) -> anyhow::Result<()> {
    let Some(parent) = target.parent() else { return Ok(()) };
    let label = visible_path(target);
    fs::create_dir_all(parent).with_context(|| format!("{label}: cannot create its directory"))
}
