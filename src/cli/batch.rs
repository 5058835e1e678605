//! A batch: each file is checked, or converted to a file of its own. Several are processed at the same time, and
//! reported in order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::io::{LastWords, place_of};

use super::baseline::{Baseline, BaselineFile};
use super::closing::closing;
use super::config::{Action, Config};
use super::console::{Console, chain};
use super::each::{Each, FileOutcome};
use super::end_baseline::end_baseline;
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, size_of_all};
use super::finish::{Finish, clear_leftovers};
use super::job::Job;
use super::loss::{each_once, refuse_loss};
use super::ordered_output::{FileOutput, OrderedOutput};
use super::own_output::{refuse_own_output, without_own_files};
use super::progress::Bar;
use super::refusal::Refusals;
use super::repository::Repository;
use super::run_report::RunReport;
use super::signals;
use super::skipped::tell_skipped;
use super::totals::Totals;
use super::values::When;

/// The most files to process at the same time: each takes memory.
const MOST_JOBS: usize = 8;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
    let baseline = config.baseline.as_ref().map(Baseline::open).transpose()?;
    let ask = config.ask()?;
    let Files { inputs, directories, trouble } = files(config)?;
    signals::clean_up_when_ended(config, &inputs);
    let repository = match config.uses_repository {
        true => Repository::load(&inputs)?,
        false => Repository::default(),
    };
    let report = RunReport::new(config);
    let when = if report.owns_stderr() { When::Never } else { config.progress };
    let console = Console::new(Bar::new(when, size_of_all(&inputs), false));
    let order = report.ordered_output(&console);
    report.begin(&console)?;
    let mut totals = Totals::of_run(&config.action);
    // The first output is for messages before any file.
    let mut out = order.file_output(0);
    for words in &trouble {
        report.error(&mut out, None, words);
        totals.add_error();
    }
    for note in &repository.notes {
        report.rule_note(&mut out, note);
    }
    if config.very_verbose && report.is_for_people() {
        report.machine(&mut out, inputs.len(), config.threads());
        tell_skipped(&config.files, false, |words| out.error(words))?;
    }
    if inputs.is_empty() && report.is_for_people() && !config.quiet {
        out.error("no files found (-vv prints which files are skipped)");
    }
    if !config.dry_run {
        clear_leftovers(&directories, &inputs, config.quiet, report, &mut out);
    }
    out.close();
    let jobs = config.threads().min(inputs.len()).min(MOST_JOBS);
    let finish = Finish::new(config, jobs);
    let work = Work {
        each: Each {
            job: Job {
                config,
                report,
                bar: console.bar(),
                baseline: baseline.as_ref(),
                ask: ask.as_ref(),
            },
            refusals: Refusals::new(config),
            repository: &repository,
            finish: &finish,
        },
        inputs: &inputs,
        order: &order,
        next: AtomicUsize::new(0),
        totals: Mutex::new(totals),
    };
    let mut totals = work.run(jobs);
    finish.end(&order, report, &mut totals);
    // If nobody reads the output, not every file was read.
    if let Some(baseline) = baseline.as_ref().filter(|_| !order.is_in_trouble()) {
        end_baseline(baseline, config, report, &order, &mut totals);
    }
    end(config, report, &console, &order, &totals, inputs.len())
}

/// The files of a run.
struct Files {
    inputs: Vec<FileArg>,
    /// The directories that will be written to.
    directories: BTreeSet<PathBuf>,
    /// Errors from the search for files.
    trouble: Vec<String>,
}

/// Finds the files, and refuses a run that would lose one.
fn files(config: &Config) -> anyhow::Result<Files> {
    let mut trouble = Vec::new();
    let baseline = config.baseline.as_ref().map(BaselineFile::path);
    let inputs = without_own_files(config.files.inputs(|words| trouble.push(words))?, baseline);
    let inputs = match &config.action {
        Action::Each(place) => each_once(place, inputs),
        _ => inputs,
    };
    refuse_own_output(&inputs)?;
    let directories = match &config.action {
        Action::Each(place) => refuse_loss(place, &inputs)?,
        _ => written_baseline(config).and_then(place_of_file).into_iter().collect(),
    };
    Ok(Files { inputs, directories, trouble })
}

/// Returns the path of the baseline to write, if one is written.
fn written_baseline(config: &Config) -> Option<&Path> {
    match &config.baseline {
        Some(BaselineFile::Write(path)) => Some(path),
        Some(BaselineFile::Compare(_)) | None => None,
    }
}

/// Returns the directory of a file that is written, without symbolic links.
fn place_of_file(path: &Path) -> Option<PathBuf> {
    place_of(path).ok()?.parent().map(Path::to_owned)
}

/// The files, and what the threads that process them share.
struct Work<'a> {
    each: Each<'a>,
    inputs: &'a [FileArg],
    order: &'a OrderedOutput<'a>,
    next: AtomicUsize,
    totals: Mutex<Totals>,
}

impl Work<'_> {
    /// Processes all files with this many threads.
    fn run(self, jobs: usize) -> Totals {
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // If the system cannot start another thread, the existing ones do the work.
                if std::thread::Builder::new().spawn_scoped(scope, || self.take_files()).is_err() {
                    break;
                }
            }
            self.take_files();
        });
        self.totals.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one file after another until there are no more.
    fn take_files(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            // Nobody reads the output any more, so the other files need no processing.
            let Some(file) = self.inputs.get(index).filter(|_| !self.order.is_in_trouble()) else {
                break;
            };
            let mut out = self.order.file_output(index + 1);
            let result = self.each.file(file, &mut out);
            self.say(file, &result, &mut out);
            self.count(result);
            let config = self.each.job.config;
            let reads = matches!(config.action, Action::Check | Action::Detect);
            if reads && written_baseline(config).is_none() {
                LastWords::count();
            }
            out.close();
        }
    }

    /// Reports the outcome of a file, unless it was reported already.
    fn say(&self, file: &FileArg, result: &anyhow::Result<FileOutcome>, out: &mut FileOutput<'_>) {
        match result {
            Ok(
                FileOutcome::Checked(_) | FileOutcome::Detected { .. } | FileOutcome::Converted(..),
            ) => {}
            Ok(FileOutcome::Binary) => self.each.job.report.skipped(out, file),
            Ok(FileOutcome::Excluded(words)) => {
                self.each.job.report.skipped(out, file);
                if self.each.job.config.verbose {
                    self.each.job.report.aside(out, file, words);
                }
            }
            Ok(FileOutcome::Refused(words)) if !self.each.job.config.silent => {
                self.each.job.report.refused(out, file, words);
            }
            Ok(FileOutcome::LeftAlone(words)) if self.each.job.config.verbose => {
                self.each.job.report.aside(out, file, words);
            }
            Ok(FileOutcome::Refused(_) | FileOutcome::LeftAlone(_)) => {}
            // Reported once, at the end.
            Err(_) if self.order.is_in_trouble() => {}
            Err(error) => self.each.job.report.error(out, Some(file), &chain(error)),
        }
    }

    fn count(&self, result: anyhow::Result<FileOutcome>) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok(FileOutcome::Checked(done)) => totals.add(&done),
            Ok(FileOutcome::Detected { done, is_known }) => totals.add_detected(&done, is_known),
            Ok(FileOutcome::Converted(done, changed)) => totals.add_converted(&done, changed),
            Ok(FileOutcome::Binary) => totals.counts.skipped += 1,
            Ok(FileOutcome::Excluded(_)) => totals.counts.excluded += 1,
            Ok(FileOutcome::Refused(_)) => totals.add_refused(),
            Ok(FileOutcome::LeftAlone(_)) => totals.counts.left_alone += 1,
            Err(_) => totals.add_failed(),
        }
    }
}

/// Reports the totals of all files.
fn end(
    config: &Config,
    report: RunReport<'_>,
    console: &Console,
    order: &OrderedOutput<'_>,
    totals: &Totals,
    inputs: usize,
) -> anyhow::Result<Exit> {
    if let Some(error) = order.take_trouble() {
        let error = anyhow::Error::new(error).context("(standard output): cannot write");
        if report.is_for_people() || is_closed_pipe(&error) {
            return Err(error);
        }
        // What is printed already cannot be completed.
        console.error(&chain(&error));
        return Ok(Exit::Trouble);
    }
    if report.is_for_people() && !config.quiet {
        let says_counts = report.says_counts(inputs);
        for words in closing(config, &totals.counts, inputs, says_counts) {
            console.error(&words);
        }
    }
    report.stats(console, &totals.counts, totals.counts.files);
    report.end(console, order, totals, inputs);
    Ok(totals.exit)
}
