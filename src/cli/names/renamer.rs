//! Executes the steps of a plan in order, or shows them.
//!
//! Every change is in the list before it is made, so the list can undo whatever was done when a run ends early. To keep
//! this true across a system crash, the list is synced before each group of renames: write the group to the list, sync,
//! rename, next group.

use std::io;
use std::path::Path;
use std::rc::Rc;

use oxiconv_os::{DirectoryHandle, RenameError, is_about_the_name};
use oxiconv_report::{Rename, visible_path};
use oxiconv_transcode::io::rename_in;

use super::name_report::NameReport;
use super::rename_plan::{NameChange, RenameStep, exists};
use oxiconv_os::reason;

/// Executes the steps if `renames`, or shows them. Refusals are reported either way.
pub(super) fn run(
    steps: Vec<RenameStep>,
    renames: bool,
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    let mut renamer = Renamer::default();
    for group in steps.chunks(report.group()) {
        let mut changes = group.iter().filter_map(|step| match step {
            RenameStep::Rename(change) if renames => Some(change),
            _ => None,
        });
        changes.try_for_each(|change| announce(change, report))?;
        report.sync()?;
        for step in group {
            match step {
                RenameStep::Refuse { old, reason } => report.refused(&old.path(), reason)?,
                RenameStep::NotConverted { old, reason } => {
                    report.not_converted(&old.path(), reason)?;
                }
                RenameStep::Rename(change) if renames => drop(renamer.rename(change, report)?),
                RenameStep::Rename(change) => show(change, report)?,
            }
        }
    }
    Ok(())
}

pub(super) fn announce(change: &NameChange, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    report.before(&made(change, &change.old.path()))
}

/// Describes a change that is made. With the real directory, so that it can be undone from anywhere.
fn made<'c>(change: &'c NameChange, path: &'c Path) -> Rename<'c> {
    Rename { path, name: Path::new(&change.new), directory: Some(&change.old.directory) }
}

pub(super) fn show(change: &NameChange, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    let name = Path::new(&change.new);
    report.shown(&Rename { path: &change.old.path(), name, directory: None })
}

/// Renames files relative to an open directory. It is kept open for the next change, which is likely to be in it too,
/// and stays the same directory even if another program moves it.
#[derive(Default)]
pub(super) struct Renamer {
    open: Option<(Rc<Path>, DirectoryHandle)>,
}

impl Renamer {
    /// Makes a change that was announced. Returns whether it succeeded; failures are reported.
    pub(super) fn rename(
        &mut self,
        change: &NameChange,
        report: &mut NameReport<'_>,
    ) -> anyhow::Result<bool> {
        let path = &change.old.path();
        let directory = match self.directory(&change.old.directory) {
            Ok(directory) => directory,
            Err(error) => {
                report.failed(path, &reason(&error))?;
                return Ok(false);
            }
        };
        let renamed = rename_in(directory, &change.old.name, &change.new);
        let is_renamed = renamed.is_ok();
        match renamed {
            Ok(()) => report.renamed(&made(change, path)),
            Err(RenameError::Exists) => {
                report.refused(path, &exists(&visible_path(Path::new(&change.new))))
            }
            Err(RenameError::System(error)) if is_about_the_name(&error) => {
                report.refused(path, &reason(&error))
            }
            Err(RenameError::System(error)) => report.failed(path, &reason(&error)),
            Err(error) => report.refused(path, &error.to_string()),
        }?;
        Ok(is_renamed)
    }

    fn directory(&mut self, path: &Rc<Path>) -> io::Result<&DirectoryHandle> {
        if self.open.as_ref().is_none_or(|(known, _)| known != path) {
            self.open = None;
        }
        let (_, directory) = match self.open.take() {
            Some(open) => self.open.insert(open),
            None => self.open.insert((Rc::clone(path), DirectoryHandle::open(path)?)),
        };
        Ok(directory)
    }
}
