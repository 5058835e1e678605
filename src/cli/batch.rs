//! Each file by itself: converted to a file of its own, or checked; several at the same time, told of in their order.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, bail};

use oxiconv::diagnostic::Summary;
use oxiconv::io::Replacement;
use oxiconv::report::visible_path;
use oxiconv::transcode::{From, Transcoder};

use super::config::{Action, Config, Place};
use super::exit::Exit;
use super::files::{FileArg, each_once, size_of_all};
use super::job;
use super::join::refuse_own_output;
use super::messages::{Console, Order, Slot, chain};
use super::progress::Bar;
use super::{signals, stats};

/// Bytes in which a file that was found, not named, must show no zero byte to be taken for text.
const LOOK_AT: usize = 8 * 1024;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
    let mut trouble = Vec::new();
    let inputs = config.files.inputs(|words| trouble.push(words))?;
    let inputs = match config.action {
        Action::Each(_) => each_once(inputs),
        _ => inputs,
    };
    refuse_own_output(&inputs)?;
    if let Action::Each(Place::Under(dir)) = &config.action {
        refuse_same_target(dir, &inputs)?;
    }
    if matches!(config.action, Action::Each(_)) && !config.dry_run {
        signals::clean_up_when_ended();
    }
    let console =
        Console::new(config.color, Bar::new(config.progress, size_of_all(&inputs), false));
    for words in &trouble {
        console.error(words);
    }
    let order = Order::new(&console);
    let totals =
        Mutex::new(Totals::new(if trouble.is_empty() { Exit::Clean } else { Exit::Trouble }));
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = inputs.get(index) else { break };
            let mut slot = order.slot(index);
            let result = one(config, file, &mut slot, &console);
            if let Err(error) = &result {
                slot.error(&chain(error));
            }
            totals.lock().unwrap_or_else(PoisonError::into_inner).add(config, result);
            slot.close();
        }
    };
    if config.jobs.min(inputs.len()) > 1 {
        std::thread::scope(|scope| {
            for _ in 0..config.jobs.min(inputs.len()) {
                scope.spawn(work);
            }
        });
    } else {
        work();
    }
    if let Some(error) = order.into_trouble() {
        return Err(anyhow::Error::new(error).context("(standard output): cannot write"));
    }
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    if totals.passed_over > 0 && !config.quiet {
        let s = if totals.passed_over == 1 { " that looks" } else { "s that look" };
        console.error(&format!("passed over {} file{s} binary", totals.passed_over));
    }
    if config.stats {
        stats::print(&console, &totals.summary, totals.files);
    }
    Ok(totals.exit)
}

/// What all files together came to.
struct Totals {
    exit: Exit,
    summary: Summary,
    files: usize,
    passed_over: usize,
}

impl Totals {
    fn new(exit: Exit) -> Self {
        Self { exit, summary: Summary::default(), files: 0, passed_over: 0 }
    }

    fn add(&mut self, config: &Config, result: anyhow::Result<Option<Summary>>) {
        match result {
            Ok(None) => self.passed_over += 1,
            Ok(Some(summary)) => {
                self.files += 1;
                self.exit = self.exit.max(Exit::of(&summary, config.listed));
                self.summary.add(&summary);
            }
            Err(_) => self.exit = Exit::Trouble,
        }
    }
}

/// Converts or checks one file; `None` where it was passed over.
fn one(
    config: &Config,
    file: &FileArg,
    slot: &mut Slot<'_>,
    console: &Console,
) -> anyhow::Result<Option<Summary>> {
    if let Some(path) = file.path.as_deref().filter(|_| file.found)
        && looks_binary(config, path).with_context(|| file.label())?
    {
        return Ok(None);
    }
    let input = job::open(file)?;
    let run = |sink: &mut dyn Write, output: &str, slot: &mut Slot<'_>| {
        let mut transcoder = Transcoder::new(&config.conversion, sink);
        let summary = job::run(config, &mut transcoder, file, input, slot, console.bar())
            .map_err(|error| job::name_error(error, &file.label(), output))?;
        transcoder.finish().map_err(|error| job::name_error(error, "", output))?;
        anyhow::Ok(summary)
    };
    let (target, suffix) = match (&config.action, &file.path) {
        (Action::Each(Place::InPlace(suffix)), Some(path)) => (path.clone(), suffix.as_deref()),
        (Action::Each(Place::Under(dir)), Some(path)) => (under(dir, path)?, None),
        _ => return run(&mut io::sink(), "", slot).map(Some),
    };
    let label = visible_path(&target);
    if config.dry_run {
        let summary = run(&mut io::sink(), &label, slot)?;
        let words = if summary.stopped { "would not be written" } else { "would be written" };
        slot.error(&format!("{label}: {words}"));
        return Ok(Some(summary));
    }
    if let (Action::Each(Place::Under(_)), Some(parent)) = (&config.action, target.parent()) {
        fs::create_dir_all(parent)
            .with_context(|| format!("{label}: cannot make its directory"))?;
    }
    let mut replacement =
        Replacement::new(&target).with_context(|| format!("{label}: cannot write"))?;
    let summary = run(&mut replacement, &label, slot)?;
    if summary.stopped {
        if !config.silent {
            slot.error(&format!("{label}: not written"));
        }
    } else {
        replacement.complete(suffix).with_context(|| format!("{label}: cannot write"))?;
    }
    Ok(Some(summary))
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

/// Refuses two files that would be written to one place: the one would be lost.
fn refuse_same_target(dir: &Path, inputs: &[FileArg]) -> anyhow::Result<()> {
    let mut taken = HashMap::new();
    for path in inputs.iter().filter_map(|input| input.path.as_deref()) {
        // Trouble with a single path is told when its turn comes.
        let Ok(target) = under(dir, path) else { continue };
        let label = visible_path(&target);
        if let Some(other) = taken.insert(target, path) {
            bail!(
                "{} and {} would both be written to {label}",
                visible_path(other),
                visible_path(path)
            );
        }
    }
    Ok(())
}

/// Whether a file has a zero byte near its start, where its encoding gives none to text.
fn looks_binary(config: &Config, path: &Path) -> io::Result<bool> {
    match config.conversion.from {
        From::Named(encoding) if encoding.unit == 1 => {
            let mut start = Vec::with_capacity(LOOK_AT);
            File::open(path)?.take(LOOK_AT as u64).read_to_end(&mut start)?;
            Ok(start.contains(&0))
        }
        // Zero bytes are what UTF-16 and UTF-32 are made of.
        _ => Ok(false),
    }
}
