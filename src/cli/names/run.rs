//! The steps of a plan are shown or done, one after the other.
//!
//! A name is in the list before it changes, so nothing is changed of which the list does not know. That is true after a
//! crash of the system too: the list is on the disk before the names of a group change.

use std::io;
use std::path::Path;
use std::rc::Rc;

use oxiconv_report::{Rename, visible_path};
use oxiconv_transcode::io::{DirectoryHandle, RenameError};

use super::super::console::reason;
use super::plan::{Change, Step, exists};
use super::report::NameReport;

/// Shows all steps; if names are to be changed, changes them.
pub(super) fn run(
    steps: Vec<Step>,
    renames: bool,
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    let mut renamer = Renamer::default();
    for group in steps.chunks(report.group()) {
        let mut changes = group.iter().filter_map(|step| match step {
            Step::Rename(change) if renames => Some(change),
            Step::Rename(_) | Step::Refuse { .. } => None,
        });
        changes.try_for_each(|change| announce(change, report))?;
        report.sync()?;
        for step in group {
            match step {
                Step::Refuse { old, reason } => report.refused(&old.path(), reason)?,
                Step::Rename(change) if renames => drop(renamer.rename(change, report)?),
                Step::Rename(change) => show(change, report)?,
            }
        }
    }
    Ok(())
}

/// Writes a change to the list before it is made.
pub(super) fn announce(change: &Change, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    report.before(&made(change, &change.old.path()))
}

/// Returns the change as it is reported when it is made.
fn made<'c>(change: &'c Change, path: &'c Path) -> Rename<'c> {
    Rename { path, name: Path::new(&change.new), directory: Some(&change.old.directory) }
}

/// Shows a change.
pub(super) fn show(change: &Change, report: &mut NameReport<'_>) -> anyhow::Result<()> {
    let name = Path::new(&change.new);
    report.shown(&Rename { path: &change.old.path(), name, directory: None })
}

/// Changes names, and keeps the directory of the last one open.
#[derive(Default)]
pub(super) struct Renamer {
    open: Option<(Rc<Path>, DirectoryHandle)>,
}

impl Renamer {
    /// Changes a name that was announced, and says whether that was possible.
    pub(super) fn rename(
        &mut self,
        change: &Change,
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

/// Whether the system refuses the new name itself.
fn is_about_the_name(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENAMETOOLONG | libc::EILSEQ))
}
