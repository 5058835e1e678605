//! The steps of a plan are shown or done, one after the other.
//!
//! A name is in the list before it changes, so nothing is changed of which the list does not know. That is true after a
//! crash of the system too: the list is on the disk before the names of a group change.

use std::io;
use std::path::Path;
use std::rc::Rc;

use oxiconv_report::{Rename, visible_path};
use oxiconv_transcode::io::{Directory, RenameError};

use super::super::console::reason;
use super::name_report::NameReport;
use super::rename_plan::{NameChange, RenameStep, exists};

/// Shows all steps; if names are to be changed, changes them.
pub(super) fn run(
    steps: Vec<RenameStep>,
    renames: bool,
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    let mut renamer = Renamer::default();
    for group in steps.chunks(report.group()) {
        let mut changes = group.iter().filter_map(|step| match step {
            RenameStep::Rename(change) if renames => Some(change),
            RenameStep::Rename(_) | RenameStep::Refuse { .. } => None,
        });
        changes.try_for_each(|change| announce(change, report))?;
        report.sync()?;
        for step in group {
            match step {
                RenameStep::Refuse { old, reason } => report.refused(&old.path(), reason)?,
                RenameStep::Rename(change) if renames => drop(renamer.rename(change, report)?),
                RenameStep::Rename(change) => show(change, report)?,
            }
        }
    }
    Ok(())
}

/// Writes a change to the list before it is made.
pub(super) fn announce(change: &NameChange, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    report.before(&made(change, &change.old.path()))
}

/// Returns the change as it is reported when it is made.
fn made<'c>(change: &'c NameChange, path: &'c Path) -> Rename<'c> {
    Rename { path, name: Path::new(&change.new), directory: Some(&change.old.directory) }
}

/// Shows a change.
pub(super) fn show(change: &NameChange, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    let name = Path::new(&change.new);
    report.shown(&Rename { path: &change.old.path(), name, directory: None })
}

/// Changes names, and keeps the directory of the last one open.
#[derive(Default)]
pub(super) struct Renamer {
    open: Option<(Rc<Path>, Directory)>,
}

impl Renamer {
    /// Changes a name that was announced, and says whether that was possible.
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
        let renamed = directory.rename(&change.old.name, &change.new);
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

    fn directory(&mut self, path: &Rc<Path>) -> io::Result<&Directory> {
        if self.open.as_ref().is_none_or(|(known, _)| known != path) {
            self.open = None;
        }
        let (_, directory) = match self.open.take() {
            Some(open) => self.open.insert(open),
            None => self.open.insert((Rc::clone(path), Directory::open(path)?)),
        };
        Ok(directory)
    }
}

/// Whether the system refuses the new name itself.
fn is_about_the_name(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENAMETOOLONG | libc::EILSEQ))
}
