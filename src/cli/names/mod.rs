//! `--names`: the names of files and directories are converted, instead of their text.
//!
//! ```text
//! files.rs: all that has a name ─► collect: mapping, tree (its encoding) ─► plan: order, refusals ─┐
//! the list of an earlier run ─► undo ──────────────────────────────────────────────────────────────┴─► run ─► report
//! ```
//!
//! A `Mapping` is all that is known of how a name changes; nothing else depends on how it was found. The plan decides
//! which names are refused, so what is shown is what `--rename` would do. It works with places: paths whose directory
//! has no symbolic links. Only names that change, and those of unknown encoding, take memory.

mod collect;
mod links;
mod list;
mod mapping;
mod place;
mod plan;
mod report;
mod run;
mod tree;
mod undo;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::io::stdout_file;

use super::config::{Config, JoinTarget, NamesTask};
use super::console::Console;
use super::exit_status::ExitStatus;
use super::signals;
use super::skipped::tell_skipped;
use collect::Collection;
use list::List;
use report::NameReport;

/// The name of the program in messages.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Reads a list of changed names, and returns how many there are to restore.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn count_changes(bytes: &[u8]) -> Result<usize, String> {
    undo::changes(bytes).map(|changes| changes.len()).map_err(|error| error.to_string())
}

/// Converts names, or restores them.
pub(crate) fn names(config: &Config, task: &NamesTask) -> anyhow::Result<ExitStatus> {
    let console = Console::new(None);
    signals::clean_up(PROGRAM, signals::words_of_names(None));
    match task {
        NamesTask::Show => convert(config, NameReport::new(config, &console, true), None),
        NamesTask::Rename(JoinTarget::Stdout) => {
            let list = List::new(stdout_file()?, "(standard output)".to_owned());
            convert(config, NameReport::new(config, &console, false), Some(list))
        }
        NamesTask::Rename(JoinTarget::File(path)) => {
            let list = List::create(path)?;
            convert(config, NameReport::new(config, &console, true), Some(list))
        }
        NamesTask::Undo { of, list } => {
            let changes = undo::read(of)?;
            let list = list.as_deref().map(List::create).transpose()?;
            let changed = (!config.writing.dry_run).then_some(changes.len());
            signals::set_words(PROGRAM, signals::words_of_names(changed));
            let mut report = NameReport::new(config, &console, true);
            report.begin(list)?;
            undo::undo(changes, config.writing.dry_run, &mut report)?;
            report.end(if config.writing.dry_run { "would be restored" } else { "restored" }, None)
        }
    }
}

/// Converts names; with a list, changes them.
fn convert(
    config: &Config,
    mut report: NameReport<'_>,
    list: Option<List>,
) -> anyhow::Result<ExitStatus> {
    let renames = list.is_some();
    report.begin(list)?;
    let mut collection = Collection::new(config)?;
    collection.collect(&mut report)?;
    let (entries, links) = collection.entries(&mut report)?;
    let steps = plan::plan(entries);
    if config.messages.very_verbose && config.findings.format.facts().is_for_people {
        tell_skipped(&config.files, true, |words| report.message(words))?;
    }
    if renames {
        signals::set_words(PROGRAM, signals::words_of_names(Some(plan::changes(&steps))));
    }
    links::tell_broken(&links, &steps, &mut report)?;
    run::run(steps, renames, &mut report)?;
    let is_default = !config.overrides.from && config.conversion.to() == Some(Encoding::UTF_8);
    if is_default && report.has_refused() {
        report.hint("-f names the encoding of names that are not UTF-8; -f auto detects it");
    }
    let (done, how) = match renames {
        true => ("renamed", None),
        false => ("would be renamed", (!config.writing.dry_run).then_some("--rename does it")),
    };
    report.end(done, how)
}
