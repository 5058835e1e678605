//! One file of a batch: checked, or converted to a file of its own.
//!
//! ```text
//! manifest: done already? ─► repository: excluded? ─► binary? ─┬─► check
//!                                                              └─► refused? ─► convert ─► verify ─► `CommitQueue`
//! ```
//!
//! The questions come in the order of their cost: a lookup, the first 8 KiB, all of the file. Until a file reaches the
//! `CommitQueue`, nothing on disk has changed except for new directories and a temporary file, which any error removes.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use oxiconv_os::{FileStatus, FileVersion};
use oxiconv_report::{FixOutcome, visible_path};
use oxiconv_transcode::io::{FileReplacement, Input};
use oxiconv_transcode::{Observer, TextFingerprint, Transcoder};

use super::batch_plan::under;
use super::binary_files::looks_binary;
use super::commit::CommitQueue;
use super::config::{EachTarget, RunAction};
use super::file_input::{name_error, open, undetected};
use super::file_policy::FilePolicy;
use super::files::FileArg;
use super::fix::FixState;
use super::manifest::{Manifest, ManifestTask};
use super::ordered_output::FileOutput;
use super::refusal::{Objection, Refusals};
use super::replace::{NamedSink, Replaced, ReplacedFile};
use super::repository::Rules;
use super::result_totals::InputResult;
use super::run_context::RunContext;
use super::shard_piece::{PartInput, open_part};
use super::{detect, if_invalid, verify_result};

pub(crate) enum FileOutcome {
    Checked(InputResult),
    Detected {
        done: InputResult,
        is_known: bool,
    },
    /// It was converted, up to the fault that stopped its conversion if there was one. The flag says whether a byte
    /// changed.
    Converted(InputResult, bool),
    /// It was fixed, was right, or could not be fixed.
    Fixed(InputResult, FixOutcome),
    Binary,
    /// It looks binary, but this run has a later piece of it. The run with the first piece reports it.
    Elsewhere,
    /// Its repository excludes it, for this reason.
    Excluded(String),
    /// It was not converted, for this reason.
    Refused(String),
    /// It needs no conversion, for this reason.
    LeftAlone(&'static str),
}

/// Processes the files of a batch, one call per file, from several threads.
pub(crate) struct FileProcessor<'a> {
    pub(crate) ctx: RunContext<'a>,
    pub(crate) refusals: Refusals<'a>,
    pub(crate) commits: &'a CommitQueue<'a>,
    pub(crate) manifest: Option<&'a Manifest>,
    pub(crate) fixes: &'a FixState,
}

impl FileProcessor<'_> {
    /// Converts or checks one file. If its encoding cannot be detected, the file is refused, which is not an error.
    pub(crate) fn process(
        &self,
        file: &FileArg,
        rules: &Rules,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        self.try_process(file, rules, out).or_else(|error| match undetected(&error) {
            Some(words) => Ok(FileOutcome::Refused(words)),
            None => Err(error),
        })
    }

    /// Processes one file: asks the questions of the picture above, one after the other, and does what the first answer
    /// says.
    ///
    /// Whether the file looks binary is asked only if it was found in a directory, so that it may be anything, or if
    /// git would look into it too (`text=auto` with `eol`). And it is not asked if the repository says whether the file
    /// is text.
    fn try_process(
        &self,
        file: &FileArg,
        rules: &Rules,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let config = self.ctx.config;
        let task = self.task(file, rules)?;
        if let (Some(manifest), Some(task)) = (self.manifest, &task)
            && let Some([done]) = manifest.done(task).as_deref()
        {
            self.ctx.report_done(file, done, out);
            return Ok(match config.action {
                // Counted as written, so that the totals are those of a run that was never interrupted.
                RunAction::Each(_) => FileOutcome::Converted(done.clone(), true),
                _ => FileOutcome::Checked(done.clone()),
            });
        }
        if let RunAction::Detect(unit) = config.action {
            return Ok(match detect::detect(&self.ctx, unit, file, out)? {
                Some((done, is_known)) => FileOutcome::Detected { done, is_known },
                None => FileOutcome::Binary,
            });
        }
        if let RunAction::Fix(task) = &config.action {
            return self.fix(task, file, rules, out);
        }
        let policy = FilePolicy::new(config, rules.settings(file))?;
        let excluded = policy.settings.excluded.as_ref();
        if let Some(excluded) = excluded.filter(|excluded| excluded.value) {
            return Ok(FileOutcome::Excluded(excluded.by.to_string()));
        }
        let may_be_binary = (file.found || policy.settings.may_be_binary) && excluded.is_none();
        let (RunAction::Each(place), Some(path)) = (&config.action, &file.path) else {
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

    /// Converts one file to a file of its own, after the questions that only matter to a file that is written.
    ///
    /// They are asked in this order: may it be replaced at all, has this run written it itself, is it valid in the
    /// target already (`--if-invalid`), and would the conversion make readable text unreadable (`refusal.rs`).
    fn convert(
        &self,
        file: &FileArg,
        path: &Path,
        place: &EachTarget,
        task: Option<ManifestTask>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let config = self.ctx.config;
        if matches!(place, EachTarget::InPlace(_))
            && FileStatus::of_path(path).is_ok_and(|status| status.kind().is_special())
        {
            bail!("{}: not a regular file, so it cannot be replaced", file.label());
        }
        if self.commits.has_written(path) {
            bail!("{}: already written by this run", visible_path(path));
        }
        // Taken before anything is read. The file is replaced only if it still is this version at the time of the
        // rename, so a change that another program makes from here on is not overwritten.
        let version = FileVersion::of_path(path);
        if config.writing.if_invalid && if_invalid::is_valid(&config.conversion, file, path)? {
            return match place {
                EachTarget::InPlace(_) => {
                    Ok(FileOutcome::LeftAlone("unchanged: already valid in the target encoding"))
                }
                EachTarget::Under(dir) => {
                    self.copy(file, path, &under(dir, path, file.opening.decompress)?, out)
                }
            };
        }
        let target = match place {
            EachTarget::InPlace(_) => Cow::Borrowed(path),
            EachTarget::Under(dir) => Cow::Owned(under(dir, path, file.opening.decompress)?),
        };
        match self.refusals.objection(file, path, &target)? {
            Some(Objection::Refused(words)) => return Ok(FileOutcome::Refused(words)),
            Some(Objection::Noted(words)) if !config.messages.quiet => {
                self.ctx.report.note(out, file, &words);
            }
            _ => {}
        }
        let (done, changed) = match place {
            EachTarget::InPlace(backup) => {
                let backup = backup.as_ref().map(|backup| backup.path(path)).transpose()?;
                self.in_place(file, path, version, backup, out)?
            }
            EachTarget::Under(_) => (self.under(file, path, &target, task, out)?, true),
        };
        Ok(FileOutcome::Converted(done, changed))
    }

    /// Checks one file. It is opened only once, unless its repository declares something or this is a later piece of
    /// it.
    fn check(
        &self,
        file: &FileArg,
        mut policy: FilePolicy<'_>,
        may_be_binary: bool,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let PartInput { mut input, piece } = open_part(file, &policy.conversion)?;
        // All shards that have a piece of the file must agree on whether it is binary. So each of them looks at the
        // start of the file, and not at the start of its piece.
        let is_later = piece.as_ref().is_some_and(|piece| piece.start > 0);
        let mut whole = is_later.then(|| open(file)).transpose()?;
        let start = whole.as_mut().unwrap_or(&mut input);
        if may_be_binary && self.looks_binary(&policy, file, start)? {
            return Ok(if is_later { FileOutcome::Elsewhere } else { FileOutcome::Binary });
        }
        if file.opening.decompress && input.is_regular && policy.settings.charset.is_some() {
            // `look_for_utf8` opens the file again. The first decompressor is dropped before that, so that a thread
            // never has more than one window.
            drop(input);
            policy.look_for_utf8(self.ctx.config, file)?;
            input = open(file)?;
        } else {
            policy.look_for_utf8(self.ctx.config, file)?;
        }
        if let Some(words) = policy.words().filter(|_| self.ctx.config.messages.verbose) {
            self.ctx.report.aside(out, file, &words);
        }
        let input = PartInput { input, piece };
        let nowhere = NamedSink { writer: &mut io::sink(), name: "" };
        self.transcode_by(&policy, file, input, nowhere, None, out).map(FileOutcome::Checked)
    }

    /// Whether a file looks binary. Only asked of files that were found in a directory or are regular.
    fn looks_binary(
        &self,
        policy: &FilePolicy<'_>,
        file: &FileArg,
        input: &mut Input,
    ) -> anyhow::Result<bool> {
        // Looking at the start of a pipe would block until something is written to it. Standard input counts as text.
        if file.path.is_none() || !(file.found || input.is_regular) {
            return Ok(false);
        }
        looks_binary(&policy.conversion, &mut *input.source).with_context(|| file.label())
    }

    /// Converts a whole file by the options of the command line alone.
    fn transcode(
        &self,
        file: &FileArg,
        input: Input,
        sink: NamedSink<'_>,
        observer: Option<&mut dyn Observer>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<InputResult> {
        let policy = FilePolicy::plain(self.ctx.config);
        self.transcode_by(&policy, file, input.into(), sink, observer, out)
    }

    /// Converts a file, or a piece of one, by `policy`.
    fn transcode_by(
        &self,
        policy: &FilePolicy<'_>,
        file: &FileArg,
        input: PartInput,
        sink: NamedSink<'_>,
        observer: Option<&mut dyn Observer>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<InputResult> {
        let mut transcoder = Transcoder::new(&policy.conversion, sink.writer);
        if let Some(observer) = observer {
            transcoder = transcoder.observed_by(observer);
        }
        let done = self
            .ctx
            .run(&mut transcoder, file, policy, input, out)
            .map_err(|error| name_error(error, &file.label(), sink.name))?;
        transcoder.finish().map_err(|error| name_error(error, "", sink.name))?;
        Ok(done)
    }

    /// Replaces a file by its conversion if that changes a byte. Also returns whether it does.
    fn in_place(
        &self,
        file: &FileArg,
        path: &Path,
        version: Option<FileVersion>,
        backup: Option<PathBuf>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<(InputResult, bool)> {
        let (config, target) = (self.ctx.config, FileArg::output(path));
        let conversion = &config.conversion;
        let (dry_run, index) = (config.writing.dry_run, out.index());
        let replaced = ReplacedFile { file, path, version, conversion, backup, dry_run, index };
        let input = open(file)?;
        let convert = |sink: NamedSink<'_>, observer: Option<&mut dyn Observer>| {
            self.transcode(file, input, sink, observer, out)
        };
        let Replaced { done, changed, new } = self.replace(&replaced, convert, None)?;
        if let Some(new) = new
            && config.writing.diff
        {
            self.show_diff(&replaced, new, &done, out)?;
        } else if changed && dry_run {
            self.would_be_written(path, &done, out);
        } else if done.summary.stopped {
            self.not_written(&target, out);
        } else if !changed && config.messages.verbose {
            self.ctx.report.aside(out, &target, "unchanged: no byte would change");
        }
        Ok((done, changed))
    }

    fn under(
        &self,
        file: &FileArg,
        path: &Path,
        target: &Path,
        task: Option<ManifestTask>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<InputResult> {
        let label = visible_path(target);
        let arg = FileArg::output(target);
        let input = open(file)?;
        if self.ctx.config.writing.dry_run {
            FileReplacement::is_possible(target)
                .with_context(|| format!("{label}: cannot write"))?;
            let nowhere = NamedSink { writer: &mut io::sink(), name: &label };
            let done = self.transcode(file, input, nowhere, None, out)?;
            self.would_be_written(target, &done, out);
            return Ok(done);
        }
        make_directory_of(target)?;
        let mut replacement = FileReplacement::like(target, path)
            .with_context(|| format!("{label}: cannot write"))?;
        let mut fingerprint = TextFingerprint::default();
        let observer =
            self.ctx.config.writing.verify.then_some(&mut fingerprint as &mut dyn Observer);
        let sink = NamedSink { writer: &mut replacement, name: &label };
        let done = self.transcode(file, input, sink, observer, out)?;
        if done.summary.stopped {
            self.not_written(&arg, out);
        } else {
            self.verify(file, target, &replacement, fingerprint)?;
            let task = task.map(|task| (task, done.clone()));
            let bytes = done.summary.bytes_written;
            self.commits.add(target, replacement, bytes, None, out.index(), task)?;
        }
        Ok(done)
    }

    fn verify(
        &self,
        file: &FileArg,
        target: &Path,
        result: &FileReplacement,
        fingerprint: TextFingerprint,
    ) -> anyhow::Result<()> {
        let config = self.ctx.config;
        if !config.writing.verify {
            return Ok(());
        }
        verify_result::verify(&config.conversion, file, target, result, fingerprint)
    }

    fn task(&self, file: &FileArg, rules: &Rules) -> anyhow::Result<Option<ManifestTask>> {
        let Some(manifest) = self.manifest else { return Ok(None) };
        let config = self.ctx.config;
        let to = match (&config.action, &file.path) {
            (RunAction::Each(EachTarget::Under(dir)), Some(path)) => {
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

    /// Copies a file that is already valid to its place in the output directory.
    fn copy(
        &self,
        file: &FileArg,
        path: &Path,
        target: &Path,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        if self.ctx.config.writing.dry_run {
            let label = visible_path(target);
            FileReplacement::is_possible(target)
                .with_context(|| format!("{label}: cannot write"))?;
            let target = FileArg::output(target);
            self.ctx.report.note(out, &target, "would be copied unchanged");
        } else {
            make_directory_of(target)?;
            let (copy, bytes) = if_invalid::copy(file, path, target)?;
            self.commits.add(target, copy, bytes, None, out.index(), None)?;
        }
        Ok(FileOutcome::LeftAlone("copied unchanged: already valid in the target encoding"))
    }

    fn would_be_written(&self, target: &Path, done: &InputResult, out: &mut FileOutput<'_>) {
        let not = if done.summary.stopped { "not " } else { "" };
        self.ctx.report.note(out, &FileArg::output(target), &format!("would {not}be written"));
    }

    fn not_written(&self, target: &FileArg, out: &mut FileOutput<'_>) {
        if !self.ctx.config.messages.silent {
            self.ctx.report.note(out, target, "not written");
        }
    }
}

fn make_directory_of(target: &Path) -> anyhow::Result<()> {
    let Some(parent) = target.parent() else { return Ok(()) };
    let label = visible_path(target);
    fs::create_dir_all(parent).with_context(|| format!("{label}: cannot create its directory"))
}
