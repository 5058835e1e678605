//! A batch: each file is checked, or converted to a file of its own. Several are processed at the same time, and
//! reported in order.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::io::LastWords;

use super::config::{Action, Config, Destination};
use super::console::{Console, chain};
use super::each::{Each, FileOutcome};
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, size_of_all};
use super::finish::{Finish, clear_leftovers};
use super::job::Job;
use super::loss::{each_once, refuse_loss};
use super::ordered_output::{FileOutput, OrderedOutput};
use super::own_output::{refuse_own_output, without_own_output};
use super::progress::Bar;
use super::refusal::Refusals;
use super::repository::Repository;
use super::run_report::RunReport;
use super::signals;
use super::totals::Totals;
use super::values::When;

/// The most files to process at the same time: each takes memory.
const MOST_JOBS: usize = 8;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
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
    let mut totals = Totals::default();
    // The first output is for messages before any file.
    let mut out = order.file_output(0);
    for words in &trouble {
        report.error(&mut out, None, words);
        totals.add_error();
    }
    for note in &repository.notes {
        report.rule_note(&mut out, note);
    }
    if !config.dry_run {
        clear_leftovers(&directories, &inputs, config.quiet, report, &mut out);
    }
    out.close();
    let jobs = jobs(config).min(inputs.len()).min(MOST_JOBS);
    let finish = Finish::new(config, jobs);
    let work = Work {
        each: Each {
            job: Job { config, report, bar: console.bar() },
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
    let inputs = without_own_output(config.files.inputs(|words| trouble.push(words))?);
    let inputs = match &config.action {
        Action::Each(place) => each_once(place, inputs),
        _ => inputs,
    };
    refuse_own_output(&inputs)?;
    let directories = match &config.action {
        Action::Each(place) => refuse_loss(place, &inputs)?,
        _ => BTreeSet::new(),
    };
    Ok(Files { inputs, directories, trouble })
}

/// Returns how many files to process at the same time.
fn jobs(config: &Config) -> usize {
    let jobs = config.jobs.or_else(|| std::thread::available_parallelism().ok());
    jobs.map_or(1, NonZeroUsize::get)
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
            if matches!(self.each.job.config.action, Action::Check) {
                LastWords::count();
            }
            out.close();
        }
    }

    /// Reports the outcome of a file, unless it was reported already.
    fn say(&self, file: &FileArg, result: &anyhow::Result<FileOutcome>, out: &mut FileOutput<'_>) {
        match result {
            Ok(FileOutcome::Done(_)) => {}
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
            Ok(FileOutcome::Done(done)) => totals.add(&done),
            Ok(FileOutcome::Binary) => totals.counts.skipped += 1,
            Ok(FileOutcome::Excluded(_)) => totals.counts.excluded += 1,
            Ok(FileOutcome::Refused(_)) => totals.add_refused(),
            Ok(FileOutcome::LeftAlone(_)) => totals.counts.left_alone += 1,
            Err(_) => totals.add_error(),
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
        if !report.says_counts(inputs) {
            skipped(totals.counts.skipped).inspect(|words| console.error(words));
            excluded(totals.counts.excluded).inspect(|words| console.error(words));
        }
        left_alone(config, totals.counts.left_alone).inspect(|words| console.error(words));
    }
    report.stats(console, &totals.counts, totals.counts.files);
    report.end(console, order, totals, inputs);
    Ok(totals.exit)
}

/// Returns the message about files that look binary; `None` if there are none.
fn skipped(files: u64) -> Option<String> {
    let (s, look) = if files == 1 { ("", "that looks") } else { ("s", "that look") };
    (files > 0).then(|| format!("skipped {files} file{s} {look} binary"))
}

/// Returns the message about files that a rule leaves out; `None` if there are none.
fn excluded(files: u64) -> Option<String> {
    let s = if files == 1 { "" } else { "s" };
    (files > 0).then(|| {
        format!("skipped {files} file{s} that the repository excludes (-v says why; --no-config checks all)")
    })
}

/// Returns the message about files that are valid in the target encoding already; `None` if there are none.
fn left_alone(config: &Config, files: u64) -> Option<String> {
    let to = config.conversion.to().filter(|_| files > 0)?.name();
    let s = if files == 1 { "" } else { "s" };
    let words = match config.action {
        Action::Each(Destination::Under(_)) => {
            format!("copied {files} file{s} unchanged: already valid {to}")
        }
        _ => format!("left {files} file{s} unchanged: already valid {to}"),
    };
    Some(words)
}
