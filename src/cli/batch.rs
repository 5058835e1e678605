//! Each file by itself: converted to a file of its own, or checked; several at the same time, told of in their order.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;

use crate::io::LastWords;

use super::args::When;
use super::config::{Action, Config, Destination};
use super::each::{Each, FileOutcome};
use super::exit::{Exit, is_closed_pipe};
use super::files::size_of_all;
use super::finish::{Finish, clear_leftovers};
use super::join::{refuse_own_output, without_own_output};
use super::loss::{each_once, refuse_loss};
use super::messages::{Console, OrderedOutput, Stream, chain};
use super::output_format::OutputFormat;
use super::progress::Bar;
use super::refusal::Refusals;
use super::totals::Totals;
use super::{signals, stats};

/// Files worked on at the same time, at most: each takes memory.
const MOST_JOBS: usize = 8;

pub(crate) fn batch(config: &Config) -> anyhow::Result<Exit> {
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
    signals::clean_up_when_ended(config, &inputs);
    let output_format = OutputFormat::new(config);
    let when = if output_format.has_stderr() { When::Never } else { config.progress };
    let console = Console::new(config.color, Bar::new(when, size_of_all(&inputs), false));
    let order = OrderedOutput::new(&console, &output_format);
    output_format.head(&console).context("(standard output): cannot write")?;
    let mut totals = Totals { told_in_full: config.stats, ..Totals::default() };
    // The first output is for what there is to say before any file.
    let mut file_output = order.file_output(0);
    for words in &trouble {
        output_format.error(&mut file_output, None, words);
        totals.add_error();
    }
    if !config.dry_run {
        clear_leftovers(&directories, &inputs, config.quiet, &output_format, &mut file_output);
    }
    file_output.close();
    let jobs = jobs(config).min(inputs.len()).min(MOST_JOBS);
    let finish = Finish::new(config, jobs);
    let each = Each {
        config,
        output_format: &output_format,
        console: &console,
        refusals: Refusals::new(config),
        finish: &finish,
    };
    let totals = Mutex::new(totals);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // Nobody reads what there would be to say: no use in the other files.
            let Some(file) = inputs.get(index).filter(|_| !order.is_in_trouble()) else { break };
            let mut file_output = order.file_output(index + 1);
            let result = each.file(file, &mut file_output);
            match &result {
                Ok(FileOutcome::Done(_)) => {}
                Ok(FileOutcome::Binary) => output_format.skipped(&mut file_output, file),
                Ok(FileOutcome::Refused(words)) if !config.silent => {
                    output_format.refused(&mut file_output, file, words);
                }
                Ok(FileOutcome::LeftAlone(words)) if config.verbose => {
                    output_format.aside(&mut file_output, file, words);
                }
                Ok(FileOutcome::Refused(_) | FileOutcome::LeftAlone(_)) => {}
                // Told at the end, once.
                Err(_) if order.is_in_trouble() => {}
                Err(error) => output_format.error(&mut file_output, Some(file), &chain(error)),
            }
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(FileOutcome::Done(done)) => totals.add(&done, config.listed),
                Ok(FileOutcome::Binary) => totals.passed_over += 1,
                Ok(FileOutcome::Refused(_)) => totals.add_refused(),
                Ok(FileOutcome::LeftAlone(_)) => totals.left_alone += 1,
                Err(_) => totals.add_error(),
            }
            drop(totals);
            if matches!(config.action, Action::Check) {
                LastWords::count();
            }
            file_output.close();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // Where the system has no more threads to give, those that there are do the work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let mut totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    finish.end(&order, &output_format, &mut totals);
    if let Some(error) = order.into_trouble() {
        let error = anyhow::Error::new(error).context("(standard output): cannot write");
        if output_format.is_text() || is_closed_pipe(&error) {
            return Err(error);
        }
        // What stands there already cannot be made whole.
        console.error(&chain(&error));
        return Ok(Exit::Trouble);
    }
    let several = inputs.len() > 1;
    let told = output_format.to() == Stream::Out && several && !config.stats;
    if totals.passed_over > 0 && !config.quiet && output_format.is_text() && !told {
        let s = if totals.passed_over == 1 { " that looks" } else { "s that look" };
        console.error(&format!("skipped {} file{s} binary", totals.passed_over));
    }
    if let Some(to) = config.conversion.to
        && totals.left_alone > 0
        && !config.quiet
        && output_format.is_text()
    {
        let (files, be) = match totals.left_alone {
            1 => ("1 file".to_owned(), "is"),
            many => (format!("{many} files"), "are"),
        };
        let words = match config.action {
            Action::Each(Destination::Under(_)) => {
                format!("copied {files} unchanged that {be} valid")
            }
            _ => format!("left {files} alone that {be} valid"),
        };
        console.error(&format!("{words} {} already", to.name));
    }
    if config.stats && !output_format.has_stderr() {
        stats::print(&console, &totals.summary, totals.files);
    }
    output_format.foot(&console, &totals, several);
    Ok(totals.exit)
}

/// How many files are worked on at a time, at most.
fn jobs(config: &Config) -> usize {
    let jobs = config.jobs.or_else(|| std::thread::available_parallelism().ok());
    jobs.map_or(1, NonZeroUsize::get)
}
