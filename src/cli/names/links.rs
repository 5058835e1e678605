//! Symbolic links that lead through a name that changes: their text stays, so they will lead nowhere.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::report::{Subject, visible_path};

use super::collect::Placed;
use super::plan::{Change, Step};
use super::report::NameReport;

/// Notes the links, of these, that lead through a name that changes.
pub(super) fn tell_broken(
    links: &[Placed],
    steps: &[Step],
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    let changes = steps.iter().filter_map(|step| match step {
        Step::Rename(change) => Some((&*change.place, change)),
        Step::Refuse { .. } => None,
    });
    let changes: HashMap<&Path, &Change> = changes.collect();
    if changes.is_empty() {
        return Ok(());
    }
    for link in links {
        if let Some(change) = first_change(&link.place, &changes) {
            let old = visible_path(Path::new(change.old()));
            let new = visible_path(Path::new(&change.new));
            let words = format!(
                "the symbolic link leads through {old}, which becomes {new}: it will lead nowhere"
            );
            report.note(Subject::File(&link.path), &words)?;
        }
    }
    Ok(())
}

/// Returns the first changed name in the text of a link.
fn first_change<'a>(link: &Path, changes: &HashMap<&Path, &'a Change>) -> Option<&'a Change> {
    let text = fs::read_link(link).ok()?;
    let mut at = link.parent()?.to_owned();
    for component in text.components() {
        match component {
            Component::RootDir | Component::Prefix(_) => at = PathBuf::from(OsStr::new("/")),
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Normal(name) => {
                let place = at.join(name);
                if let Some(change) = changes.get(&*place) {
                    return Some(change);
                }
                // Names after it are those of the directory that it leads to.
                at = fs::canonicalize(&place).unwrap_or(place);
            }
        }
    }
    None
}
