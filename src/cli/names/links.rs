//! Symbolic links that lead through a name that changes. Their text stays, so they will lead nowhere.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use oxiconv_report::{Subject, visible_path};

use super::name_report::NameReport;
use super::placed_name::PlacedName;
use super::rename_plan::{NameChange, RenameStep};

/// Names that change, by their directories and names.
type Changes<'a> = HashMap<(&'a Path, &'a OsStr), &'a NameChange>;

/// Notes the links, of these, that lead through a name that changes.
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
        RenameStep::Refuse { .. } => None,
    });
    let changes: Changes<'_> = changes.collect();
    for link in links {
        if let Some(change) = first_change(link, &changes) {
            let old = visible_path(Path::new(&change.old.name));
            let new = visible_path(Path::new(&change.new));
            let words = format!(
                "the symbolic link leads through {old}, which becomes {new}: it will lead nowhere"
            );
            report.note(Subject::File(&link.path()), &words)?;
        }
    }
    Ok(())
}

/// Returns the first changed name in the text of a link.
fn first_change<'a>(link: &PlacedName, changes: &Changes<'a>) -> Option<&'a NameChange> {
    let text = fs::read_link(link.place()).ok()?;
    let mut at = link.directory.to_path_buf();
    for component in text.components() {
        match component {
            Component::RootDir | Component::Prefix(_) => at = PathBuf::from(OsStr::new("/")),
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Normal(name) => {
                if let Some(change) = changes.get(&(&*at, name)) {
                    return Some(change);
                }
                let place = at.join(name);
                // Names after it are those of the directory that it leads to.
                at = fs::canonicalize(&place).unwrap_or(place);
            }
        }
    }
    None
}
