//! `--names`: converts the names of files and directories instead of their text.
//!
//! ```text
//! files.rs: all names ─► collect: mapping, tree (its encoding) ─► rename_plan: order, refusals ─┐
//! list of an earlier run ─► undo ───────────────────────────────────────────────────────────────┴─► renamer
//! ```
//!
//! A `NameMapping` computes the new name, and nothing else depends on how. The plan decides which renames are refused
//! and in which order the others happen, so without `--rename` the run shows what `--rename` would do.
//!
//! The plan compares directories by their real paths, because one directory can be reached by several. Only names that
//! change, and those whose encoding is not known yet, take memory.

mod collect;
mod links;
mod mapping;
mod name_report;
mod placed_name;
mod rename_list;
mod rename_plan;
mod renamer;
mod tree;
mod undo;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_os::stdout_file;

use super::config::{Config, JoinTarget, NamesTask};
use super::console::Console;
use super::exit_status::ExitStatus;
use super::signals;
use super::skipped::tell_skipped;
use collect::Collection;
use name_report::NameReport;
use rename_list::RenameList;

const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Parses a list of changed names, and returns how many of them there are to restore. For fuzzing.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn count_changes(bytes: &[u8]) -> Result<usize, String> {
    undo::changes(bytes).map(|changes| changes.len()).map_err(|error| error.to_string())
}

pub(crate) fn names(config: &Config, task: &NamesTask) -> anyhow::Result<ExitStatus> {
    let console = Console::new(None);
    signals::clean_up(PROGRAM, signals::words_of_names(None));
    match task {
        NamesTask::Show => convert(config, NameReport::new(config, &console, true), None),
        NamesTask::Rename(JoinTarget::Stdout) => {
            let list = RenameList::new(stdout_file()?, "(standard output)".to_owned());
            convert(config, NameReport::new(config, &console, false), Some(list))
        }
        NamesTask::Rename(JoinTarget::File(path)) => {
            let list = RenameList::create(path)?;
            convert(config, NameReport::new(config, &console, true), Some(list))
        }
        NamesTask::Undo { of, list } => {
            let changes = undo::read(of)?;
            let list = list.as_deref().map(RenameList::create).transpose()?;
            let changed = (!config.writing.dry_run).then_some(changes.len());
            signals::set_words(PROGRAM, signals::words_of_names(changed));
            let mut report = NameReport::new(config, &console, true);
            report.begin(list)?;
            undo::undo(changes, config.writing.dry_run, &mut report)?;
            report.end(if config.writing.dry_run { "would be restored" } else { "restored" }, None)
        }
    }
}

/// Converts names and shows the changes or, if there is a list to write them to, renames the files.
fn convert(
    config: &Config,
    mut report: NameReport<'_>,
    list: Option<RenameList>,
) -> anyhow::Result<ExitStatus> {
    let renames = list.is_some();
    report.begin(list)?;
    let mut collection = Collection::new(config)?;
    collection.collect(&mut report)?;
    let (entries, links) = collection.entries(&mut report)?;
    // Not those that the plan refuses: another encoding would not help them.
    let has_impossible = entries.iter().any(|entry| entry.new.is_err());
    let steps = rename_plan::plan(entries);
    if config.messages.very_verbose && config.findings.format.facts().is_for_people {
        tell_skipped(&config.files, true, |words| report.message(words))?;
    }
    if renames {
        signals::set_words(PROGRAM, signals::words_of_names(Some(rename_plan::changes(&steps))));
    }
    links::tell_broken(&links, &steps, &mut report)?;
    renamer::run(steps, renames, &mut report)?;
    let is_default = !config.overrides.from && config.conversion.to() == Some(Encoding::UTF_8);
    if is_default && has_impossible {
        report.hint(
            "some names are not UTF-8: give their encoding with -f, or detect it with -f auto",
        );
    }
    let (done, how) = match renames {
        true => ("renamed", None),
        false => ("would be renamed", (!config.writing.dry_run).then_some("--rename does it")),
    };
    report.end(done, how)
}
