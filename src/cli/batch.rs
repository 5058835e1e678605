//! Each file by itself: converted to a file of its own, or checked; several at the same time, told of in their order.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, bail};

use oxiconv::diagnostic::Silent;
use oxiconv::encoding::{detect, find};
use oxiconv::io::{LastWords, Replacement, Stream, Version};
use oxiconv::report::visible_path;
use oxiconv::transcode::{From, OnIllFormed, OnUnmappable, Transcoder};

use super::args::When;
use super::config::{Action, Config, Place};
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, size_of_all};
use super::finish::{Finish, clear_leftovers};
use super::job::{self, Done};
use super::join::{refuse_own_output, without_own_output};
use super::loss::{each_once, refuse_loss, under};
use super::messages::{Console, Order, Slot, To, chain};
use super::progress::Bar;
use super::sheet::Sheet;
use super::totals::Totals;
use super::{signals, stats};

/// Bytes in which a file that was found, not named, must show no zero byte to be taken for text.
const LOOK_AT: usize = 8 * 1024;
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
    let directories = match &config.action {
        Action::Each(place) => refuse_loss(place, &inputs)?,
        _ => BTreeSet::new(),
    };
    signals::clean_up_when_ended(config, &inputs);
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
    if !config.dry_run {
        clear_leftovers(&directories, config.quiet, &sheet, &mut slot);
    }
    slot.close();
    let finish = Finish::new(config);
    let totals = Mutex::new(totals);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // Nobody reads what there would be to say: no use in the other files.
            let Some(file) = inputs.get(index).filter(|_| !order.is_in_trouble()) else { break };
            let mut slot = order.slot(index + 1);
            let result = one(config, &sheet, file, &mut slot, (&console, &finish));
            match &result {
                Ok(Some(_)) => {}
                Ok(None) => sheet.passed_over(&mut slot, file),
                // Told at the end, once.
                Err(_) if order.is_in_trouble() => {}
                Err(error) => sheet.error(&mut slot, Some(file), &chain(error)),
            }
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(Some(done)) => totals.add(&done, config.listed),
                Ok(None) => totals.passed_over += 1,
                Err(_) => totals.add_error(),
            }
            drop(totals);
            if matches!(config.action, Action::Check) {
                LastWords::count();
            }
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
    let mut totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    finish.end(&order, &sheet, &mut totals);
    if let Some(error) = order.into_trouble() {
        let error = anyhow::Error::new(error).context("(standard output): cannot write");
        if sheet.is_text() || is_closed_pipe(&error) {
            return Err(error);
        }
        // What stands there already cannot be made whole.
        console.error(&chain(&error));
        return Ok(Exit::Trouble);
    }
    let several = inputs.len() > 1;
    let told = sheet.to() == To::Out && several && !config.stats;
    if totals.passed_over > 0 && !config.quiet && sheet.is_text() && !told {
        let s = if totals.passed_over == 1 { " that looks" } else { "s that look" };
        console.error(&format!("passed over {} file{s} binary", totals.passed_over));
    }
    if config.stats && !sheet.has_stderr() {
        stats::print(&console, &totals.summary, totals.files);
    }
    sheet.foot(&console, &totals, several);
    Ok(totals.exit)
}

/// Converts or checks one file; `None` where it was passed over.
fn one(
    config: &Config,
    sheet: &Sheet,
    file: &FileArg,
    slot: &mut Slot<'_>,
    (console, finish): (&Console, &Finish),
) -> anyhow::Result<Option<Done>> {
    if let Some(path) = file.path.as_deref().filter(|_| file.found)
        && looks_binary(config, path).with_context(|| file.label())?
    {
        return Ok(None);
    }
    if let (Action::Each(Place::InPlace(_)), Some(path)) = (&config.action, &file.path)
        && fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    {
        bail!("{}: is no regular file, and cannot be replaced", file.label());
    }
    if let Some(path) = file.path.as_deref().filter(|path| finish.has_written(path)) {
        bail!("{}: was written by this run already", visible_path(path));
    }
    // What is replaced in the end is what was read, or nothing.
    let version = match &config.action {
        Action::Each(Place::InPlace(_)) => file.path.as_deref().and_then(Version::of_path),
        _ => None,
    };
    let input = job::open(file)?;
    let run = |sink: &mut dyn Write, output: &str, slot: &mut Slot<'_>| {
        let mut transcoder = Transcoder::new(&config.conversion, sink);
        let done = job::run(config, sheet, &mut transcoder, file, input, slot, console.bar())
            .map_err(|error| job::name_error(error, &file.label(), output))?;
        transcoder.finish().map_err(|error| job::name_error(error, "", output))?;
        anyhow::Ok(done)
    };
    let (target, suffix) = match (&config.action, &file.path) {
        (Action::Each(Place::InPlace(suffix)), Some(path)) => (path.clone(), suffix.as_deref()),
        (Action::Each(Place::Under(dir)), Some(path)) => (under(dir, path)?, None),
        _ => return run(&mut io::sink(), "", slot).map(Some),
    };
    let label = visible_path(&target);
    if config.dry_run {
        let done = run(&mut io::sink(), &label, slot)?;
        let words = if done.summary.stopped { "would not be written" } else { "would be written" };
        sheet.note(slot, &FileArg { path: Some(target), found: false }, words);
        return Ok(Some(done));
    }
    if let (Action::Each(Place::Under(_)), Some(parent)) = (&config.action, target.parent()) {
        fs::create_dir_all(parent)
            .with_context(|| format!("{label}: cannot make its directory"))?;
    }
    let model = file.path.as_deref().unwrap_or(&target);
    let mut replacement =
        Replacement::like(&target, model).with_context(|| format!("{label}: cannot write"))?;
    replacement.only_over(version);
    let done = run(&mut replacement, &label, slot)?;
    if done.summary.stopped {
        if !config.silent {
            sheet.note(slot, &FileArg { path: Some(target), found: false }, "not written");
        }
    } else {
        let converted = (replacement, done.summary.bytes_written);
        finish.add(&target, converted, suffix, sheet, slot)?;
    }
    Ok(Some(done))
}

/// Whether the start of a file is none of a text in its encoding: it has U+0000 or other controls that no text has, or
/// more than a few ill-formed subsequences where its code units are wide, for then everything is well-formed by chance.
fn looks_binary(config: &Config, path: &Path) -> io::Result<bool> {
    let mut start = Vec::with_capacity(LOOK_AT);
    File::open(path)?.take(LOOK_AT as u64).read_to_end(&mut start)?;
    let encoding = match config.conversion.from {
        From::Named(encoding) => encoding,
        From::Detected => match detect(&start, true) {
            Some(encoding) => encoding,
            None => return Ok(false),
        },
    };
    if encoding.unit == 1 {
        return Ok(start.contains(&0));
    }
    let whole = start.len() - start.len() % encoding.unit;
    let mut conversion = config.conversion.clone();
    conversion.from = From::Named(encoding);
    conversion.to = find("UTF-8").ok();
    (conversion.on_ill_formed, conversion.on_unmappable) = (OnIllFormed::Skip, OnUnmappable::Skip);
    let mut text = Vec::new();
    let mut transcoder = Transcoder::new(&conversion, &mut text);
    let summary = transcoder
        .input(&mut Stream::new(&start[..whole], false), &mut Silent)
        .map_err(io::Error::other)?;
    transcoder.finish().map_err(io::Error::other)?;
    let controls = text.iter().any(|byte| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F));
    Ok(controls || summary.total() * 50 > (whole / encoding.unit) as u64)
}

/// How many files are worked on at a time, at most.
fn jobs(config: &Config) -> usize {
    let jobs = config.jobs.or_else(|| std::thread::available_parallelism().ok());
    jobs.map_or(1, NonZeroUsize::get)
}
