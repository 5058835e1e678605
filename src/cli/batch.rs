//! Each file by itself: converted to a file of its own, or checked; several at the same time, told of in their order.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, bail};

use oxiconv::io::Replacement;
use oxiconv::report::visible_path;
use oxiconv::transcode::Transcoder;

use super::args::When;
use super::binary::looks_binary;
use super::config::{Action, Config, Place};
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, each_once, size_of_all};
use super::if_invalid;
use super::job::{self, Done};
use super::join::{refuse_own_output, without_own_output};
use super::messages::{Console, Order, Slot, To, chain};
use super::progress::Bar;
use super::refusal::Refusals;
use super::sheet::Sheet;
use super::totals::Totals;
use super::unchanged::IfChanged;
use super::{signals, stats};

/// Files worked on at the same time, at most: each takes memory.
const MOST_JOBS: usize = 8;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
    let mut trouble = Vec::new();
    let inputs = without_own_output(config.files.inputs(|words| trouble.push(words))?);
    let inputs = match config.action {
        Action::Each(Place::InPlace(_)) => each_once(inputs),
        _ => inputs,
    };
    refuse_own_output(&inputs)?;
    if let Action::Each(place) = &config.action {
        refuse_loss(place, &inputs)?;
    }
    if matches!(config.action, Action::Each(_)) && !config.dry_run {
        signals::clean_up_when_ended();
    }
    let sheet = Sheet::new(config);
    let when = if sheet.has_stderr() { When::Never } else { config.progress };
    let console = Console::new(config.color, Bar::new(when, size_of_all(&inputs), false));
    let order = Order::new(&console, &sheet);
    sheet.head(&console).context("(standard output): cannot write")?;
    let mut totals = Totals { told_in_full: config.stats, ..Totals::default() };
    // The first slot is for what there is to say before any file.
    let mut slot = order.slot(0);
    for words in &trouble {
        sheet.error(&mut slot, None, words);
        totals.add_error();
    }
    slot.close();
    let totals = Mutex::new(totals);
    let refusals = Refusals::new(config);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // Nobody reads what there would be to say: no use in the other files.
            let Some(file) = inputs.get(index).filter(|_| !order.is_in_trouble()) else { break };
            let mut slot = order.slot(index + 1);
            let result = one(config, &refusals, &sheet, file, &mut slot, &console);
            match &result {
                Ok(Outcome::Done(_)) => {}
                Ok(Outcome::Binary) => sheet.passed_over(&mut slot, file),
                Ok(Outcome::Refused(words)) if !config.silent => {
                    sheet.refused(&mut slot, file, words);
                }
                Ok(Outcome::LeftAlone(words)) if config.verbose => {
                    sheet.aside(&mut slot, file, words);
                }
                Ok(Outcome::Refused(_) | Outcome::LeftAlone(_)) => {}
                // Told at the end, once.
                Err(_) if order.is_in_trouble() => {}
                Err(error) => sheet.error(&mut slot, Some(file), &chain(error)),
            }
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(Outcome::Done(done)) => totals.add(&done, config.listed),
                Ok(Outcome::Binary) => totals.passed_over += 1,
                Ok(Outcome::Refused(_)) => totals.add_refused(),
                Ok(Outcome::LeftAlone(_)) => totals.left_alone += 1,
                Err(_) => totals.add_error(),
            }
            drop(totals);
            slot.close();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs(config).min(inputs.len()).min(MOST_JOBS) {
            // Where the system has no more threads to give, those that there are do the work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    if let Some(error) = order.into_trouble() {
        let error = anyhow::Error::new(error).context("(standard output): cannot write");
        if sheet.is_text() || is_closed_pipe(&error) {
            return Err(error);
        }
        // What stands there already cannot be made whole.
        console.error(&chain(&error));
        return Ok(Exit::Trouble);
    }
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    let several = inputs.len() > 1;
    let told = sheet.to() == To::Out && several && !config.stats;
    if totals.passed_over > 0 && !config.quiet && sheet.is_text() && !told {
        let s = if totals.passed_over == 1 { " that looks" } else { "s that look" };
        console.error(&format!("passed over {} file{s} binary", totals.passed_over));
    }
    if let Some(to) = config.conversion.to
        && totals.left_alone > 0
        && !config.quiet
        && sheet.is_text()
    {
        let (files, be) = match totals.left_alone {
            1 => ("1 file".to_owned(), "is"),
            many => (format!("{many} files"), "are"),
        };
        console.error(&format!("left {files} alone that {be} valid {} already", to.name));
    }
    if config.stats && !sheet.has_stderr() {
        stats::print(&console, &totals.summary, totals.files);
    }
    sheet.foot(&console, &totals, several);
    Ok(totals.exit)
}

/// What became of one file.
enum Outcome {
    /// It was read to its end, or to where its conversion stopped.
    Done(Done),
    /// It looks binary, and was skipped.
    Binary,
    /// It was not converted, for this reason.
    Refused(String),
    /// It needs no conversion, for this reason.
    LeftAlone(&'static str),
}

/// Converts or checks one file.
fn one(
    config: &Config,
    refusals: &Refusals<'_>,
    sheet: &Sheet,
    file: &FileArg,
    slot: &mut Slot<'_>,
    console: &Console,
) -> anyhow::Result<Outcome> {
    if let Some(path) = file.path.as_deref().filter(|_| file.found)
        && looks_binary(&config.conversion, path).with_context(|| file.label())?
    {
        return Ok(Outcome::Binary);
    }
    if let (Action::Each(Place::InPlace(_)), Some(path)) = (&config.action, &file.path)
        && fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    {
        bail!("{}: is no regular file, and cannot be replaced", file.label());
    }
    if let (Action::Each(place), Some(path)) = (&config.action, &file.path) {
        if config.if_invalid && if_invalid::is_valid(&config.conversion, file, path)? {
            let Place::Under(dir) = place else {
                return Ok(Outcome::LeftAlone("left alone: it is valid in the target already"));
            };
            let target = under(dir, path)?;
            if config.dry_run {
                let target = FileArg { path: Some(target), found: false };
                sheet.note(slot, &target, "would be written");
            } else {
                make_directory_of(&target)?;
                if_invalid::copy(path, &target)?;
            }
            return Ok(Outcome::LeftAlone("copied as it is: it is valid in the target already"));
        }
        if let Some(words) = refusals.of(file, path)? {
            return Ok(Outcome::Refused(words));
        }
        if let Some(words) = refusals.note_on(file, path)? {
            sheet.note(slot, file, &words);
        }
    }
    let input = job::open(file)?;
    let run = |sink: &mut dyn Write, output: &str, slot: &mut Slot<'_>| {
        let mut transcoder = Transcoder::new(&config.conversion, sink);
        let done = job::run(config, sheet, &mut transcoder, file, input, slot, console.bar())
            .map_err(|error| job::name_error(error, &file.label(), output))?;
        transcoder.finish().map_err(|error| job::name_error(error, "", output))?;
        anyhow::Ok(done)
    };
    let (path, place) = match (&config.action, &file.path) {
        (Action::Each(place), Some(path)) => (path, place),
        _ => return run(&mut io::sink(), "", slot).map(Outcome::Done),
    };
    let target = match place {
        Place::InPlace(_) => path.clone(),
        Place::Under(dir) => under(dir, path)?,
    };
    let label = visible_path(&target);
    let cannot_write = || format!("{label}: cannot write");
    let (done, changed) = match place {
        Place::InPlace(_) if config.dry_run => {
            let mut sink = IfChanged::new(path, || Ok(io::sink())).with_context(cannot_write)?;
            let done = run(&mut sink, &label, slot)?;
            let changed =
                done.summary.stopped || sink.finish().with_context(cannot_write)?.is_some();
            (done, changed)
        }
        Place::InPlace(suffix) => {
            let begin = || Replacement::like(&target, path);
            let mut sink = IfChanged::new(path, begin).with_context(cannot_write)?;
            let done = run(&mut sink, &label, slot)?;
            let mut changed = true;
            if !done.summary.stopped {
                let replacement = sink.finish().with_context(cannot_write)?;
                changed = replacement.is_some();
                if let Some(replacement) = replacement {
                    replacement.complete(suffix.as_deref()).with_context(cannot_write)?;
                }
            }
            (done, changed)
        }
        Place::Under(_) if config.dry_run => (run(&mut io::sink(), &label, slot)?, true),
        Place::Under(_) => {
            make_directory_of(&target)?;
            let mut replacement = Replacement::like(&target, path).with_context(cannot_write)?;
            let done = run(&mut replacement, &label, slot)?;
            if !done.summary.stopped {
                replacement.complete(None).with_context(cannot_write)?;
            }
            (done, true)
        }
    };
    let target = FileArg { path: Some(target), found: false };
    match (config.dry_run, done.summary.stopped) {
        (_, false) if !changed && config.verbose => {
            sheet.aside(slot, &target, "left alone: no byte of it changes");
        }
        (_, false) if !changed => {}
        (true, true) => sheet.note(slot, &target, "would not be written"),
        (true, false) => sheet.note(slot, &target, "would be written"),
        (false, true) if !config.silent => sheet.note(slot, &target, "not written"),
        (false, _) => {}
    }
    Ok(Outcome::Done(done))
}

fn make_directory_of(target: &Path) -> anyhow::Result<()> {
    let Some(parent) = target.parent() else { return Ok(()) };
    let label = visible_path(target);
    fs::create_dir_all(parent).with_context(|| format!("{label}: cannot make its directory"))
}

/// Where `path` goes under `dir`: the same path, from the root or from here.
fn under(dir: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    let mut target = dir.to_owned();
    for component in path.components() {
        match component {
            Component::Normal(name) => target.push(name),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => bail!(
                "{}: a path with .. has no place under {}; run from a directory above",
                visible_path(path),
                visible_path(dir)
            ),
        }
    }
    Ok(target)
}

/// Refuses what would lose a file: standard input, which has no place; two that would be written to one place; one
/// written, or kept as a backup, where another is still to be read.
fn refuse_loss(place: &Place, inputs: &[FileArg]) -> anyhow::Result<()> {
    let mut taken = HashMap::new();
    let names: HashMap<_, _> = inputs
        .iter()
        .filter_map(|input| input.path.as_deref())
        .filter_map(|path| Some((path.canonicalize().ok()?, path)))
        .collect();
    for input in inputs {
        let Some(path) = input.path.as_deref() else {
            bail!("standard input cannot be converted in place or into a directory: name files");
        };
        let target = match place {
            Place::InPlace(None) => continue,
            Place::InPlace(Some(suffix)) => {
                let mut backup = path.as_os_str().to_owned();
                backup.push(suffix);
                PathBuf::from(backup)
            }
            // Trouble with a single path is told when its turn comes.
            Place::Under(dir) => match under(dir, path) {
                Ok(target) => target,
                Err(_) => continue,
            },
        };
        let label = visible_path(&target);
        if let Some(other) = target.canonicalize().ok().and_then(|place| names.get(&place))
            && *other != path
        {
            bail!(
                "{label} would be overwritten, and is also to be read as {}",
                visible_path(other)
            );
        }
        if let Some(other) = taken.insert(target, path).filter(|other| *other != path) {
            let (one, two) = (visible_path(other), visible_path(path));
            bail!("{one} and {two} would both be written to {label}");
        }
    }
    Ok(())
}

/// How many files are worked on at a time, at most.
fn jobs(config: &Config) -> usize {
    let jobs = config.jobs.or_else(|| std::thread::available_parallelism().ok());
    jobs.map_or(1, NonZeroUsize::get)
}
