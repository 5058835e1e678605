//! A batch: each file is checked, or converted to a file of its own. Several are processed at the same time, and
//! reported in order.
//!
//! What a run keeps of each file decides how many files it can have:
//!
//! | run | keeps | because |
//! |---|---|---|
//! | `--check`, `--explain`, `--detect` | nothing | |
//! | `--baseline`, `--write-baseline` | files with known or recorded findings | they are compared at the end |
//! | `-i`, `-O` | 16 bytes (48 while it plans), 16 more if it was written | no file is lost: see `loss.rs` |
//! | files joined into one output | the names | |
//! | `-vv` | all paths | it says which files are skipped |

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxiconv_transcode::io::{Identity, LastWords, Leftover, place_of};

use super::args::When;
use super::baseline::{Baseline, BaselineFile};
use super::closing::closing;
use super::config::{Action, Config};
use super::console::{Console, chain};
use super::each::{Each, FileOutcome};
use super::end_baseline::end_baseline;
use super::exit::{Exit, is_closed_pipe};
use super::files::FileArg;
use super::finish::{Finish, clear_leftovers};
use super::inputs::{Entry, Inputs};
use super::job::Job;
use super::loss::{Plan, plan};
use super::manifest::Manifest;
use super::ordered_output::{FileOutput, OrderedOutput};
use super::own_output::{own_files, refuse_named_output};
use super::progress::{Bar, Extent};
use super::refusal::Refusals;
use super::repository::Repository;
use super::run_report::RunReport;
use super::shard::{Troubles, share};
use super::signals;
use super::skipped::tell_skipped;
use super::totals::Totals;
use super::work_queue::{self as queue, WorkQueue};

/// The most files to process at the same time: each takes memory.
const MOST_JOBS: usize = 8;
/// The same if they are decompressed: each may have a window of 8 MiB.
const MOST_DECOMPRESSED: usize = 4;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
    let baseline = config.findings.baseline.as_ref().map(Baseline::open).transpose()?;
    let ask = config.ask()?;
    let manifest = Manifest::of(config)?;
    let Files { inputs, known, directories, leftovers } = files(config)?;
    match &known {
        Some(known) => signals::clean_up_when_ended(config, known.files, known.first.as_ref()),
        None => signals::clean_up_while_searching(config),
    }
    let queue = WorkQueue::new(inputs, config.uses_repository.then(Repository::default))?;
    let report = RunReport::new(config);
    let when = if report.owns_stderr() { When::Never } else { config.messages.progress };
    let extent = || Extent {
        bytes: known.as_ref().and_then(|known| (known.bytes)()),
        counts_files: known.as_ref().is_none_or(|known| known.files > 1),
    };
    let console = Console::new(Bar::new(when, extent, false));
    let order = report.ordered_output(&console);
    report.begin(&console)?;
    // The first output is for messages before any file.
    let mut out = order.file_output(0);
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
    let most = if config.files.opening.decompress { MOST_DECOMPRESSED } else { MOST_JOBS };
    let most = known.as_ref().map_or(most, |known| known.files.min(most));
    let jobs = config.threads().min(most);
    let finish = Finish::new(config, jobs, manifest.as_ref());
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
            finish: &finish,
            manifest: manifest.as_ref(),
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
    finish.end(&order, report, &mut totals);
    if let Some(error) = manifest.as_ref().and_then(Manifest::take_trouble) {
        let mut out = order.next_output();
        report.error(&mut out, None, &chain(&error));
        out.close();
        totals.add_error();
    }
    // If nobody reads the output, not every file was read.
    if let Some(baseline) = baseline.as_ref().filter(|_| !order.is_in_trouble()) {
        end_baseline(baseline, config, report, &order, &mut totals);
    }
    end(config, report, &console, &order, &totals, queue.files().0)
}

/// The files of a run.
struct Files<'a> {
    inputs: Box<dyn Iterator<Item = anyhow::Result<Entry>> + Send + 'a>,
    /// What is known before the first one is processed; `None` if they are still searched for.
    known: Option<Known<'a>>,
    /// The directories that will be written to.
    directories: BTreeSet<PathBuf>,
    /// Inputs that are named like temporary files.
    leftovers: Vec<Identity>,
}

/// What is known of all files.
struct Known<'a> {
    files: usize,
    first: Option<FileArg>,
    /// Returns their size, if all of them are regular files.
    bytes: Box<dyn Fn() -> Option<u64> + 'a>,
}

/// Begins the list of files, and refuses a run that would lose one.
///
/// What only reads keeps nothing of a file: each is processed as soon as it is found. What writes has to know all files
/// first, because it refuses to begin if any output has the place of any file that is still to be read.
fn files(config: &Config) -> anyhow::Result<Files<'_>> {
    if let Action::Each(place) = &config.action {
        config.files.make_lasting()?;
        let Plan { files, bytes, first, mut directories, leftovers, troubles, accepted } =
            plan(place, config.files.opening.decompress, &|| list(config))?;
        if !troubles.is_empty() {
            // What was not listed may be a leftover and an input. So nothing is removed.
            directories.clear();
        }
        let inputs = Box::new(accepted.select(share(config, troubles, || list(config))?));
        let bytes = bytes.filter(|_| !config.files.opening.decompress);
        let known = config.sharding.is_none().then(|| Known {
            files,
            first,
            bytes: Box::new(move || bytes),
        });
        return Ok(Files { inputs, known, directories, leftovers });
    }
    refuse_named_output(&config.files)?;
    let named = config.files.all_named().filter(|_| config.sharding.is_none());
    let known = named.map(|all| Known {
        files: all.len(),
        first: all.first().cloned(),
        bytes: Box::new(move || config.files.size_of_all(&all)),
    });
    let directories: BTreeSet<_> =
        written_baseline(config).and_then(place_of_file).into_iter().collect();
    let (mut directories, mut leftovers) = (directories, Vec::new());
    let mut troubles = Troubles::new();
    if !config.files.is_lasting() {
        // An input may be a leftover, and a list that comes through a pipe is not read yet. So nothing is removed.
        directories.clear();
    } else if !directories.is_empty() {
        for entry in list(config)? {
            match entry? {
                Entry::File(file) => {
                    let path = file.path.filter(|path| Leftover::is_named_so(path));
                    leftovers.extend(path.as_deref().and_then(Identity::of_path));
                }
                Entry::Trouble(words) => drop(troubles.insert(words)),
            }
        }
        if !troubles.is_empty() {
            directories.clear();
        }
    }
    Ok(Files { inputs: share(config, troubles, || list(config))?, known, directories, leftovers })
}

/// Begins the list of all inputs, from the start.
fn list(config: &Config) -> anyhow::Result<Inputs<'_>> {
    let baseline = config.findings.baseline.as_ref().map(BaselineFile::path);
    Inputs::new(&config.files, own_files([baseline, config.resume.as_deref()]))
}

/// Counts the inputs by listing them; `None` if the list comes through a pipe.
fn count(config: &Config) -> anyhow::Result<Option<usize>> {
    let lists = config.files.is_lasting();
    let files = lists.then(|| list(config)).transpose()?;
    Ok(files.map(|files| files.flatten().filter_map(Entry::into_file).count()))
}

/// Returns the path of the baseline to write, if one is written.
fn written_baseline(config: &Config) -> Option<&Path> {
    match &config.findings.baseline {
        Some(BaselineFile::Write(path)) => Some(path),
        Some(BaselineFile::Compare(_)) | None => None,
    }
}

/// Returns the directory of a file that is written, without symbolic links.
fn place_of_file(path: &Path) -> Option<PathBuf> {
    place_of(path).ok()?.parent().map(Path::to_owned)
}

/// The files, and what the threads that process them share.
struct Work<'a, 'i> {
    each: Each<'a>,
    queue: &'a WorkQueue<'i>,
    /// Whether files are processed while others are searched for.
    searches: bool,
    order: &'a OrderedOutput<'a>,
    totals: Mutex<Totals>,
}

impl Work<'_, '_> {
    /// Processes all files with this many threads.
    fn run(self, jobs: usize) -> Totals {
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // If the system cannot start another thread, the existing ones do the work.
                if std::thread::Builder::new().spawn_scoped(scope, || self.take_work()).is_err() {
                    break;
                }
            }
            self.take_work();
        });
        self.totals.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one piece of work after another until there are no more.
    fn take_work(&self) {
        while let Some((index, work)) = self.queue.take() {
            // The first output was for messages before any file.
            let index = index + 1;
            self.order.wait_to_begin(index);
            let mut out = self.order.file_output(index);
            // Nobody reads the output any more, so the other files need no processing.
            if self.order.is_in_trouble() {
                return out.close();
            }
            self.process(work, &mut out);
            out.close();
        }
        let config = self.each.job.config;
        if let (files, true) = self.queue.files()
            && self.searches
        {
            signals::all_found(config, files);
        }
    }

    fn process(&self, work: queue::Work, out: &mut FileOutput<'_>) {
        let Job { config, report, bar, .. } = self.each.job;
        match work {
            queue::Work::File(file, rules) => {
                let result = self.each.file(&file, &rules, out);
                self.say(&file, &result, out);
                self.count(result);
                let reads = matches!(config.action, Action::Check | Action::Detect);
                if reads && written_baseline(config).is_none() {
                    LastWords::count();
                }
                if let Some(bar) = bar {
                    bar.count_file();
                }
            }
            queue::Work::Trouble(words) => {
                report.error(out, None, &words);
                self.totals().add_error();
            }
            queue::Work::Note(note) => report.rule_note(out, &note),
        }
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
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
                if self.each.job.config.messages.verbose {
                    self.each.job.report.aside(out, file, words);
                }
            }
            Ok(FileOutcome::Refused(words)) if !self.each.job.config.messages.silent => {
                self.each.job.report.refused(out, file, words);
            }
            Ok(FileOutcome::LeftAlone(words)) if self.each.job.config.messages.verbose => {
                self.each.job.report.aside(out, file, words);
            }
            Ok(FileOutcome::Refused(_) | FileOutcome::LeftAlone(_) | FileOutcome::Elsewhere) => {}
            // Reported once, at the end.
            Err(_) if self.order.is_in_trouble() => {}
            Err(error) => self.each.job.report.error(out, Some(file), &chain(error)),
        }
    }

    fn count(&self, result: anyhow::Result<FileOutcome>) {
        let mut totals = self.totals();
        match result {
            Ok(FileOutcome::Checked(done)) => totals.add(&done),
            Ok(FileOutcome::Detected { done, is_known }) => totals.add_detected(&done, is_known),
            Ok(FileOutcome::Converted(done, changed)) => totals.add_converted(&done, changed),
            Ok(FileOutcome::Binary) => totals.counts.skipped += 1,
            Ok(FileOutcome::Excluded(_)) => totals.counts.excluded += 1,
            Ok(FileOutcome::Refused(_)) => totals.add_refused(),
            Ok(FileOutcome::LeftAlone(_)) => totals.counts.left_alone += 1,
            Ok(FileOutcome::Elsewhere) => {}
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
    if report.is_for_people() && !config.messages.quiet {
        if inputs == 0 {
            console.error("no files found (-vv prints which files are skipped)");
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
