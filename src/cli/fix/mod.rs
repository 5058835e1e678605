//! `--fix`: makes each file right, in place, if it is certain what the file is.
//!
//! ```text
//! is it right?  (`rightness.rs`: a check by the rules of its repository) ──► nothing to do
//!   └─► what is it?  (`detect`) ─► plan: how to read and write it ─────────► left to a person, for a reason
//!         └─► does its text contradict that?  (`refusal`, `doubts.rs`) ────► left
//!               └─► convert, compare, check again, replace, as with -i ────► fixed
//! ```
//!
//! What a file is, `--detect` says; what contradicts that, the refusals of `-i` say, and the doubts that are worth a
//! search only where a file is about to be changed; and what it should be, the command line and the repository say
//! (`wanted.rs`). `plan.rs` joins these answers to a conversion, and `carry_out.rs` converts.
//!
//! Files are fixed as they are found, because most files of a tree are right already, and reading each of them once is
//! then all that is done. A file that is found under two paths is fixed once. Each of its hard links is fixed.

mod carry_out;
mod cut_characters;
mod disguise;
mod doubts;
mod plan;
mod question;
mod rightness;
mod wanted;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};

use oxiconv_detect::detection::Detection;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_os::{FileStatus, FileVersion};
use oxiconv_report::{FixOutcome, FixRow, TextBefore};
use oxiconv_transcode::Options;
use oxiconv_transcode::diagnostic::Summary;
use oxiconv_transcode::io::Leftover;

use super::batch_file::{FileOutcome, FileProcessor};
use super::binary_files::looks_binary;
use super::config::FixTask;
use super::detect::{ExaminedFile, examine};
use super::digests::Digester;
use super::file_input::{name_error, open};
use super::file_policy::FilePolicy;
use super::files::FileArg;
use super::ordered_output::FileOutput;
use super::output_streams::Stream;
use super::places::PlaceResolver;
use super::progress::MeteredSource;
use super::refusal::Refusals;
use super::repository::Rules;
use super::result_totals::InputResult;
use carry_out::CarriedOut;
use doubts::doubt;
use plan::FixPlan;
use rightness::{check, is_right};
use wanted::WantedText;

/// What the threads of a run share.
#[derive(Default)]
pub(crate) struct FixState {
    /// The files that are being fixed, or were.
    claims: Mutex<Claims>,
    /// The directories in which temporary files that killed runs have left were looked for.
    cleared: Mutex<HashSet<PathBuf>>,
}

/// The places of the files that threads have taken to fix.
#[derive(Default)]
struct Claims {
    places: PlaceResolver,
    digester: Digester,
    taken: HashSet<u128>,
}

/// A file that is not right.
struct WrongFile<'a> {
    task: &'a FixTask,
    file: &'a FileArg,
    path: &'a Path,
    /// What was found before it was examined. Only this version is replaced.
    version: Option<FileVersion>,
    policy: FilePolicy<'a>,
    /// The counts of the text, read as it should be, up to the first ill-formed subsequence.
    checked: Summary,
    wanted: WantedText,
    examined: ExaminedFile,
}

impl FileProcessor<'_> {
    /// Fixes one file, if it needs it, and reports it.
    pub(super) fn fix(
        &self,
        task: &FixTask,
        file: &FileArg,
        rules: &Rules,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let config = self.ctx.config;
        let Some(path) = file.path.as_deref() else {
            bail!("standard input cannot be fixed in place (name the files)");
        };
        let is_special = |status: FileStatus| status.kind().is_special();
        if !file.found && FileStatus::of_path(path).is_ok_and(is_special) {
            bail!("{}: not a regular file, so it cannot be replaced", file.label());
        }
        // What another run has there for a moment is no input.
        if file.found && Leftover::is_named_so(path) {
            return Ok(FileOutcome::Elsewhere);
        }
        let policy = FilePolicy::new(config, rules.settings(file))?;
        if let Some(excluded) = policy.settings.excluded.as_ref().filter(|it| it.value) {
            return Ok(FileOutcome::Excluded(excluded.by.to_string()));
        }
        // Nearly any text is well-formed in an 8-bit encoding, also UTF-8.
        let mut read_as = policy.clone();
        read_as.look_for_utf8(config, file)?;
        if policy.settings.charset.is_none() {
            read_as.look_for_utf8_not(wanted::encoding(&policy), config, file)?;
        }
        if let Some(bar) = self.ctx.bar {
            bar.begin_file(file);
        }
        let mut source = MeteredSource { source: open(file)?.source, bar: self.ctx.bar };
        let (checked, is_doubtful) =
            check(&mut source, &read_as).map_err(|error| name_error(error, &file.label(), ""))?;
        if !is_doubtful && is_right(&policy, &checked) {
            // Where a rule accepts any encoding, it was detected.
            let detected = checked.detected.clone();
            let was = match &detected {
                _ if checked.bytes_read == 0 => TextBefore::Empty,
                Some(detected) => TextBefore::Detected(detected),
                None => TextBefore::Named(wanted::encoding(&policy)),
            };
            return Ok(self.report_fix(file, &self.row(was), checked, out));
        }
        drop(source);
        if !self.fixes.claim(path) {
            return Ok(FileOutcome::Elsewhere);
        }
        let version = FileVersion::of_path(path);
        let threads = policy.conversion.options().threads;
        let examined = examine(&mut *open(file)?.source, task.detector, threads)
            .map_err(|error| name_error(error, &file.label(), ""))?;
        let wanted = WantedText::new(&policy);
        let wrong = WrongFile { task, file, path, version, policy, checked, wanted, examined };
        self.fix_wrong(&wrong, out)
    }

    /// Fixes a file if it is certain what it is, and the user agrees, if asked.
    fn fix_wrong(
        &self,
        wrong: &WrongFile<'_>,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<FileOutcome> {
        let WrongFile { task, file, path, wanted, examined, .. } = wrong;
        let mut plan = FixPlan::new(task, examined, wanted, path)?;
        if let FixPlan::Convert(conversion) = &plan {
            let refusals = Refusals::of(self.ctx.config, conversion);
            // Data may have the letter frequencies of a text.
            if looks_binary(conversion, &mut *open(file)?.source).with_context(|| file.label())? {
                plan = FixPlan::Binary;
            } else if let Some(words) = refusals.contradiction(file, path)? {
                plan = FixPlan::Leave(words);
            } else if let Some(detection) = &examined.detection
                && let Some(words) = doubt(detection, file)?
            {
                plan = FixPlan::Leave(words.to_owned());
            }
        } else if let Some(encoding) = examined.detection.as_ref().map(Detection::read_as)
            && encoding.unit() == 1
            && looks_binary(
                &Options::new().build(encoding, Encoding::UTF_8)?,
                &mut *open(file)?.source,
            )
            .with_context(|| file.label())?
        {
            // Bytes among which no text can be, such as a short file with a zero byte, are nothing to decide about.
            plan = FixPlan::Binary;
        }
        let CarriedOut { row, done, diff } = match self.ctx.ask {
            Some(ask) => self.carry_out_if_agreed(wrong, plan, ask, out)?,
            None => self.carry_out(wrong, &plan, self.ctx.config.writing.dry_run, out)?,
        };
        if self.ctx.config.writing.diff && !diff.is_empty() {
            // The failure of standard output is reported at the end of the run.
            let _ = out.write(Stream::Out, &diff);
            return Ok(FileOutcome::Fixed(InputResult::of(done), row.outcome()));
        }
        Ok(self.report_fix(file, &row, done, out))
    }

    fn row<'r>(&self, was: TextBefore<'r>) -> FixRow<'r> {
        let is_proposed = self.ctx.config.writing.dry_run;
        FixRow { was, changes: Vec::new(), left: None, is_proposed }
    }

    /// Prints the row of a file, unless it says nothing that people want to know, and returns the outcome.
    fn report_fix(
        &self,
        file: &FileArg,
        row: &FixRow<'_>,
        summary: Summary,
        out: &mut FileOutput<'_>,
    ) -> FileOutcome {
        let messages = self.ctx.config.messages;
        let is_wanted = match row.outcome() {
            FixOutcome::Left | FixOutcome::PartlyFixed => !messages.silent,
            FixOutcome::Fixed => !messages.quiet,
            FixOutcome::Right | FixOutcome::Binary => {
                let shows_all = row.is_proposed && !self.ctx.config.writing.diff;
                messages.verbose || shows_all && !messages.quiet
            }
        };
        if is_wanted || !self.ctx.report.is_for_people() {
            self.ctx.report.fixed(out, file, row);
        }
        FileOutcome::Fixed(InputResult::of(summary), row.outcome())
    }
}

impl FixState {
    /// Takes note of a file that this thread is about to fix. Returns false if it was taken before, by whatever path.
    fn claim(&self, path: &Path) -> bool {
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((key, _)) = claims.places.key(path) else { return true };
        let digest = claims.digester.digest(&key);
        claims.taken.insert(digest)
    }
}
