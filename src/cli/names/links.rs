//! Notes on symbolic links that a rename breaks. The target of a link is text, which the run does not change:
//!
//! ```text
//! l -> d\xE9/f     renaming d\xE9 to dé leaves l dangling
//! ```

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

use oxiconv_report::{Subject, visible_path};

use super::name_report::NameReport;
use super::placed_name::PlacedName;
use super::rename_plan::{NameChange, RenameStep};

/// The names that change, by real directory and old name.
type Changes<'a> = HashMap<(&'a Path, &'a OsStr), &'a NameChange>;

/// Notes which of `links` lead through a name that changes.
pub(super) fn tell_broken(
    links: &[PlacedName],
    steps: &[RenameStep],
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    if links.is_empty() {
        return Ok(());
    }
    let changes = steps.iter().filter_map(|step| match step {
        RenameStep::Rename(change) => Some(((&*change.old.directory, &*change.old.name), change)),
        RenameStep::Refuse { .. } | RenameStep::NotConverted { .. } => None,
    });
    let changes: Changes<'_> = changes.collect();
    for link in links {
        if let Some(change) = first_change(link, &changes) {
            let old = visible_path(Path::new(&change.old.name));
            let new = visible_path(Path::new(&change.new));
            let words = format!(
                "the symbolic link goes through {old}, which becomes {new}, so it will be broken"
            );
            report.note(Subject::File(&link.path()), &words)?;
        }
    }
    Ok(())
}

/// Follows the target of a link component by component, as the system would, and returns the first name that changes.
fn first_change<'a>(link: &PlacedName, changes: &Changes<'a>) -> Option<&'a NameChange> {
    let text = fs::read_link(link.place()).ok()?;
    let mut at = link.directory.to_path_buf();
    for component in text.components() {
        match component {
            Component::RootDir | Component::Prefix(_) => at.push(component),
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Normal(name) => {
                if let Some(change) = changes.get(&(&*at, name)) {
                    return Some(change);
                }
                let place = at.join(name);
                // The component may be a link itself. The next one is then a name in the directory that it leads to.
                at = fs::canonicalize(&place).unwrap_or(place);
            }
        }
    }
    None
}
