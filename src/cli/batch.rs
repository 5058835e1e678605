//! A batch: each file is checked, or converted to a file of its own. Several are processed at the same time, and
//! reported in order.
//!
//! ```text
//! InputQueue ─► thread ─► FileProcessor ─┬─► FileOutput ─► OrderedOutput    reports, in the order of the files
//!  (searches)   thread                   ├─► Totals                         counts, exit status
//!               thread                   └─► CommitQueue                    -i, -O: synced and renamed in groups
//! ```
//!
//! The number of files is limited by what a run remembers of each:
//!
//! | run | memory per file | because |
//! |---|---|---|
//! | `--check`, `--explain`, `--detect` | nothing | |
//! | `--baseline`, `--write-baseline` | files with known or recorded findings | they are compared at the end |
//! | `-i`, `-O` | 16 bytes (48 while it plans), 16 more if it was written | no file is lost: see `batch_plan.rs` |
//! | `--fix` | 16 bytes for each that is not right | two names may be one file: see `fix/mod.rs` |
//! | files joined into one output | its path | all are known before the output is begun |
//! | `-vv` | its path | it says which files are skipped |

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxiconv_os::Identity;
use oxiconv_transcode::io::{LastWords, Leftover, place_of};

use super::args::When;
use super::baseline::{Baseline, BaselineFile};
use super::batch_file::{FileOutcome, FileProcessor};
use super::batch_plan::{BatchPlan, plan_batch};
use super::closing::closing;
use super::commit::{CommitQueue, clear_leftovers};
use super::config::{Config, RunAction};
use super::console::{Console, chain};
use super::end_baseline::end_baseline;
use super::exit_status::{ExitStatus, is_closed_pipe};
use super::files::FileArg;
use super::fix::FixState;
use super::input_list::{InputEntry, InputList};
use super::input_queue::{InputQueue, QueueItem};
use super::manifest::Manifest;
use super::ordered_output::{FileOutput, OrderedOutput};
use super::own_output::{own_files, refuse_named_output};
use super::progress::{Bar, WorkSize};
use super::refusal::Refusals;
use super::repository::Repository;
use super::result_totals::Totals;
use super::run_context::RunContext;
use super::run_report::RunReport;
use super::shard::{SearchErrors, share};
use super::signals;
use super::skipped::tell_skipped;

/// The most files processed at the same time: each takes memory.
const MAX_JOBS: usize = 8;
/// The same with `--decompress`: each decompressor may have a window of 8 MiB.
const MAX_DECOMPRESSING_JOBS: usize = 4;

/// Processes the files one by one: checks each, detects its encoding, or converts it to a file of its own.
///
/// What can fail before any file is read comes first: the baseline, the terminal for questions, the manifest, and the
/// list or plan of the files. An error in one of them refuses the run as a whole, before anything is printed or
/// converted.
///
/// The end has an order too. The queue has ended, so an error of the search is known. Committing the last group may add
/// errors about files that were counted as written. Only then is it certain whether every file could be read, which a
/// new baseline depends on, and what the totals are.
pub(crate) fn batch(config: &Config) -> anyhow::Result<ExitStatus> {
    let baseline = config.findings.baseline.as_ref().map(Baseline::open).transpose()?;
    let ask = config.ask()?;
    let manifest = Manifest::of(config)?;
    let BatchFiles { inputs, known, directories, leftovers } = files(config)?;
    match &known {
        Some(known) => signals::clean_up_when_ended(config, known.files, known.first.as_ref()),
        None => signals::clean_up_while_searching(config),
    }
    let queue = InputQueue::new(inputs, config.uses_repository.then(Repository::default))?;
    let report = RunReport::new(config);
    let when = if report.owns_stderr() { When::Never } else { config.messages.progress };
    let extent = || WorkSize {
        bytes: known.as_ref().and_then(|known| (known.bytes)()),
        counts_files: known.as_ref().is_none_or(|known| known.files > 1),
    };
    let console = Console::new(Bar::new(when, extent, false));
    let order = report.ordered_output(&console);
    report.begin(&console)?;
    // Output 0 is for messages before any file, so output `n` belongs to item `n - 1` of the queue.
    let mut out = order.file_output(0);
    report.defaults(&mut out);
    if config.messages.very_verbose && report.is_for_people() {
        let files = known.as_ref().map(|known| known.files);
        report.machine(
            &mut out,
            files.map_or_else(|| count(config), |it| Ok(Some(it)))?,
            config.threads(),
        );
        tell_skipped(&config.files, false, |words| out.error(words))?;
    }
    if !config.writing.dry_run {
        clear_leftovers(&directories, &leftovers, config.messages.quiet, report, &mut out);
    }
    out.close();
    let max_jobs = if config.files.opening.decompress { MAX_DECOMPRESSING_JOBS } else { MAX_JOBS };
    let max_jobs = known.as_ref().map_or(max_jobs, |known| known.files.min(max_jobs));
    let jobs = config.threads().min(max_jobs);
    let commits = CommitQueue::new(config, jobs, manifest.as_ref());
    let work = BatchRun {
        processor: FileProcessor {
            ctx: RunContext {
                config,
                report,
                bar: console.bar(),
                baseline: baseline.as_ref(),
                ask: ask.as_ref(),
            },
            refusals: Refusals::new(config),
            commits: &commits,
            manifest: manifest.as_ref(),
            fixes: &FixState::default(),
        },
        queue: &queue,
        searches: known.is_none(),
        order: &order,
        totals: Mutex::new(Totals::of_run(&config.action)),
    };
    let mut totals = work.run(jobs);
    if let Some(error) = queue.take_error() {
        let mut out = order.next_output();
        report.error(&mut out, None, &chain(&error));
        out.close();
        totals.add_error();
    }
    commits.end(&order, report, &mut totals);
    if let Some(error) = manifest.as_ref().and_then(Manifest::take_error) {
        let mut out = order.next_output();
        report.error(&mut out, None, &chain(&error));
        out.close();
        totals.add_error();
    }
    // If standard output has failed, the threads stopped early. The files that were not read must not count as clean in
    // a new baseline.
    if let Some(baseline) = baseline.as_ref().filter(|_| !order.has_failed()) {
        end_baseline(baseline, config, report, &order, &mut totals);
    }
    report_totals(config, report, &console, &order, &totals, queue.files().0)
}

struct BatchFiles<'a> {
    inputs: Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'a>,
    /// `None` if files are processed while others are still being searched for.
    known: Option<KnownFiles<'a>>,
    /// Directories to clear of temporary files that killed runs have left.
    directories: BTreeSet<PathBuf>,
    /// Inputs that are named like such files, and stay.
    leftovers: Vec<Identity>,
}

/// What is known of all files before the first one is processed.
struct KnownFiles<'a> {
    files: usize,
    first: Option<FileArg>,
    /// Returns their total size, if all of them are regular files. Called only if a progress bar asks for it.
    bytes: Box<dyn Fn() -> Option<u64> + 'a>,
}

/// Begins the list of files, and refuses a run that would lose one.
///
/// A run that only reads processes each file as soon as it is found. A run that writes has to list all files first,
/// because it must not begin if any output would take the place of any file that is still to be read.
fn files(config: &Config) -> anyhow::Result<BatchFiles<'_>> {
    if let RunAction::Each(place) = &config.action {
        config.files.make_rereadable()?;
        let BatchPlan { files, bytes, first, mut directories, leftovers, search_errors, accepted } =
            plan_batch(place, config.files.opening.decompress, &|| list(config))?;
        if !search_errors.is_empty() {
            // Among the files that could not be listed, there may be an input that is named like a leftover. So nothing
            // is removed.
            directories.clear();
        }
        let inputs = Box::new(accepted.select(share(config, search_errors, || list(config))?));
        let bytes = bytes.filter(|_| !config.files.opening.decompress);
        let known = config.sharding.is_none().then(|| KnownFiles {
            files,
            first,
            bytes: Box::new(move || bytes),
        });
        return Ok(BatchFiles { inputs, known, directories, leftovers });
    }
    refuse_named_output(&config.files)?;
    let named = config.files.all_named().filter(|_| config.sharding.is_none());
    let known = named.map(|all| KnownFiles {
        files: all.len(),
        first: all.first().cloned(),
        bytes: Box::new(move || config.files.size_of_all(&all)),
    });
    let directories: BTreeSet<_> =
        written_baseline(config).and_then(place_of_file).into_iter().collect();
    let (mut directories, mut leftovers) = (directories, Vec::new());
    let mut search_errors = SearchErrors::new();
    if !config.files.is_rereadable() {
        // Names that come through a pipe have not been read yet. One of them may be named like a leftover.
        directories.clear();
    } else if !directories.is_empty() {
        for entry in list(config)? {
            match entry? {
                InputEntry::File(file) => {
                    let path = file.path.filter(|path| Leftover::is_named_so(path));
                    leftovers.extend(path.as_deref().and_then(Identity::of_path));
                }
                InputEntry::Error(words) => drop(search_errors.insert(words)),
            }
        }
        if !search_errors.is_empty() {
            directories.clear();
        }
    }
    Ok(BatchFiles {
        inputs: share(config, search_errors, || list(config))?,
        known,
        directories,
        leftovers,
    })
}

fn list(config: &Config) -> anyhow::Result<InputList<'_>> {
    let baseline = config.findings.baseline.as_ref().map(BaselineFile::path);
    InputList::new(&config.files, own_files([baseline, config.resume.as_deref()]))
}

/// Counts the inputs by listing them; `None` if their names come through a pipe.
fn count(config: &Config) -> anyhow::Result<Option<usize>> {
    let lists = config.files.is_rereadable();
    let files = lists.then(|| list(config)).transpose()?;
    Ok(files.map(|files| files.flatten().filter_map(InputEntry::into_file).count()))
}

fn written_baseline(config: &Config) -> Option<&Path> {
    match &config.findings.baseline {
        Some(BaselineFile::Write(path)) => Some(path),
        Some(BaselineFile::Compare(_)) | None => None,
    }
}

/// Returns the directory in which a file will be written, without symbolic links.
fn place_of_file(path: &Path) -> Option<PathBuf> {
    place_of(path).ok()?.parent().map(Path::to_owned)
}

/// What the threads of a batch share.
struct BatchRun<'a, 'i> {
    processor: FileProcessor<'a>,
    queue: &'a InputQueue<'i>,
    /// Whether files are processed while others are still being searched for.
    searches: bool,
    order: &'a OrderedOutput<'a>,
    totals: Mutex<Totals>,
}

impl BatchRun<'_, '_> {
    fn run(self, jobs: usize) -> Totals {
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // If the system refuses another thread, the existing ones do the work.
                if std::thread::Builder::new().spawn_scoped(scope, || self.process_queue()).is_err()
                {
                    break;
                }
            }
            self.process_queue();
        });
        self.totals.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Processes files until the queue is empty. Each thread runs this.
    ///
    /// The index of an output is taken together with the file, under the lock of the queue. So the order of the outputs
    /// is the order of the files, whichever thread is faster.
    fn process_queue(&self) {
        while let Some((index, work)) = self.queue.take() {
            let index = index + 1;
            self.order.wait_to_begin(index);
            let mut out = self.order.file_output(index);
            // Nobody can read about the remaining files any more.
            if self.order.has_failed() {
                return out.close();
            }
            self.process(work, &mut out);
            out.close();
        }
        let config = self.processor.ctx.config;
        if let (files, true) = self.queue.files()
            && self.searches
        {
            signals::all_found(config, files);
        }
    }

    fn process(&self, work: QueueItem, out: &mut FileOutput<'_>) {
        let RunContext { config, report, bar, .. } = self.processor.ctx;
        match work {
            QueueItem::File(file, rules) => {
                let result = self.processor.process(&file, &rules, out);
                self.report_outcome(&file, &result, out);
                self.count(result);
                // A run that an interrupt ends says how much it has completed. What a check completes is a file that it
                // has read. Runs that write count an output when it is in place, and a new baseline is a single output.
                let reads = matches!(config.action, RunAction::Check | RunAction::Detect(_));
                if reads && written_baseline(config).is_none() {
                    LastWords::count();
                }
                if let Some(bar) = bar {
                    bar.count_file();
                }
            }
            QueueItem::Error(words) => {
                report.error(out, None, &words);
                self.totals().add_error();
            }
            QueueItem::Note(note) => report.rule_note(out, &note),
        }
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the outcome of a file, as far as it has not been reported while the file was processed.
    fn report_outcome(
        &self,
        file: &FileArg,
        result: &anyhow::Result<FileOutcome>,
        out: &mut FileOutput<'_>,
    ) {
        match result {
            Ok(
                FileOutcome::Checked(_)
                | FileOutcome::Detected { .. }
                | FileOutcome::Converted(..)
                | FileOutcome::Fixed(..),
            ) => {}
            Ok(FileOutcome::Binary) => {
                let is_told = self.processor.ctx.config.messages.very_verbose;
                self.processor.ctx.report.skipped(out, file, "looks binary", is_told);
            }
            Ok(FileOutcome::Excluded(why)) => {
                let is_told = self.processor.ctx.config.messages.verbose;
                self.processor.ctx.report.skipped(out, file, why, is_told);
            }
            Ok(FileOutcome::Refused(words)) if !self.processor.ctx.config.messages.silent => {
                self.processor.ctx.report.refused(out, file, words);
            }
            Ok(FileOutcome::LeftAlone(words)) if self.processor.ctx.config.messages.verbose => {
                self.processor.ctx.report.aside(out, file, words);
            }
            Ok(FileOutcome::Refused(_) | FileOutcome::LeftAlone(_) | FileOutcome::Elsewhere) => {}
            // The failure of standard output is an error of every file that is being processed. It is reported once, at
            // the end.
            Err(_) if self.order.has_failed() => {}
            Err(error) => self.processor.ctx.report.error(out, Some(file), &chain(error)),
        }
    }

    fn count(&self, result: anyhow::Result<FileOutcome>) {
        let mut totals = self.totals();
        match result {
            Ok(FileOutcome::Checked(done)) => totals.add(&done),
            Ok(FileOutcome::Detected { done, is_known }) => totals.add_detected(&done, is_known),
            Ok(FileOutcome::Converted(done, changed)) => totals.add_converted(&done, changed),
            Ok(FileOutcome::Fixed(done, outcome)) => totals.add_fixed(&done, outcome),
            Ok(FileOutcome::Binary) => totals.counts.skipped += 1,
            Ok(FileOutcome::Excluded(_)) => totals.counts.excluded += 1,
            Ok(FileOutcome::Refused(_)) => totals.add_refused(),
            Ok(FileOutcome::LeftAlone(_)) => totals.counts.left_alone += 1,
            Ok(FileOutcome::Elsewhere) => {}
            Err(_) => totals.add_failed(),
        }
    }
}

fn report_totals(
    config: &Config,
    report: RunReport<'_>,
    console: &Console,
    order: &OrderedOutput<'_>,
    totals: &Totals,
    inputs: usize,
) -> anyhow::Result<ExitStatus> {
    if let Some(error) = order.take_error() {
        let error = anyhow::Error::new(error).context("(standard output): cannot write");
        if report.is_for_people() || is_closed_pipe(&error) {
            return Err(error);
        }
        // The document on standard output is truncated, so the error cannot become part of it.
        console.error(&chain(&error));
        return Ok(ExitStatus::Trouble);
    }
    if report.is_for_people() && !config.messages.quiet {
        if inputs == 0 {
            console.error(match config.files.recursive {
                true => "no files found (-vv prints which files are skipped)",
                false => "no files: the list of --files0-from is empty",
            });
        }
        let says_counts = report.says_counts(inputs);
        for words in closing(config, &totals.counts, inputs, says_counts) {
            console.error(&words);
        }
    }
    report.stats(console, &totals.counts, totals.counts.files);
    report.end(console, order, totals, inputs);
    Ok(totals.exit)
}
