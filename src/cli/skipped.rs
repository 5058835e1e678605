//! `-vv`: which files below the directories of a run are not read, and why.
//!
//! The normal walk never sees what it leaves out. So the tree is walked twice: as the run does it, remembering all
//! paths, and without any filter. What only the second walk finds was skipped, and the reason is worked out from there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::{DirEntry, WalkBuilder};

use oxiconv_report::visible_path;

use super::files::FileSelection;
use super::tree_walk::{is_dir, is_hidden_entry};

/// Passes a message to `tell` for each file that is not read. A directory that is not entered has a single message.
/// With `names`, the run is about names, for which files of every kind are read.
pub(crate) fn tell_skipped(
    selection: &FileSelection,
    names: bool,
    mut tell: impl FnMut(&str),
) -> anyhow::Result<()> {
    for top in selection.tops() {
        tell_skipped_below(selection, top, names, &mut tell)?;
    }
    Ok(())
}

fn tell_skipped_below(
    selection: &FileSelection,
    top: &Path,
    names: bool,
    tell: &mut impl FnMut(&str),
) -> anyhow::Result<()> {
    let included = selection.included(top)?;
    let excluded = selection.excluded(top)?;
    let output = selection.output();
    // Its errors are reported by the walk of the run itself.
    let walked: HashSet<PathBuf> =
        selection.walker(top)?.flatten().map(DirEntry::into_path).collect();
    let walked = Arc::new(walked);
    let entered = Arc::clone(&walked);
    let all = WalkBuilder::new(top)
        .standard_filters(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| {
            entry.depth() == 0 || entry.path().parent().is_some_and(|dir| entered.contains(dir))
        })
        .build();
    for entry in all.flatten() {
        let is_dir = is_dir(&entry);
        let path = entry.path();
        let reason = if walked.contains(path) {
            match entry.file_type() {
                _ if names => continue,
                Some(kind) if kind.is_symlink() => "is a symbolic link",
                Some(kind) if kind.is_file() && included.matched(path, false).is_ignore() => {
                    "does not match --include"
                }
                Some(kind) if !kind.is_file() && !kind.is_dir() => "is not a regular file",
                _ => continue,
            }
        } else if excluded.matched(path, is_dir).is_ignore() {
            "matches --exclude"
        } else if !selection.hidden && is_hidden_entry(&entry) {
            "is hidden (--hidden includes it)"
        } else if is_dir && output.is_some() && path.canonicalize().ok() == output {
            match selection.backup_dir {
                Some(_) => "is the backup directory",
                None => "is the output directory",
            }
        } else {
            "is ignored by .gitignore or the like (--no-ignore includes it)"
        };
        tell(&format!("{}: skipped: {reason}", visible_path(path)));
    }
    Ok(())
}
