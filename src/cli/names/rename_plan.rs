//! The order in which names change, and which of them cannot.
//!
//! A directory comes after everything below it, so that every path is valid when its turn comes. If a new name is the
//! old name of another, that one comes first. This is also what `--rename` would do if nothing else changed the
//! directories meanwhile; each rename still checks that the new name is free.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;

use oxiconv_report::visible_path;
use oxiconv_transcode::io::longest_name;

use super::placed_name::PlacedName;

/// A name that would change, or cannot be converted.
#[derive(Debug)]
pub(super) struct ConvertedName {
    pub(super) old: PlacedName,
    /// The new name, or the reason why it cannot be converted.
    pub(super) new: Result<OsString, String>,
}

/// A name that changes.
#[derive(Debug)]
pub(super) struct NameChange {
    pub(super) old: PlacedName,
    pub(super) new: OsString,
}

/// What is done with a name.
#[derive(Debug)]
pub(super) enum RenameStep {
    Rename(NameChange),
    Refuse { old: PlacedName, reason: String },
}

/// Returns how many names change.
pub(super) fn changes(steps: &[RenameStep]) -> usize {
    steps.iter().filter(|step| matches!(step, RenameStep::Rename(_))).count()
}

/// Returns all steps in order.
pub(super) fn plan(mut entries: Vec<ConvertedName>) -> Vec<RenameStep> {
    entries.sort_by(|ConvertedName { old: a, .. }, ConvertedName { old: b, .. }| {
        children_first(&a.directory, &b.directory).then_with(|| a.name.cmp(&b.name))
    });
    // A name may have been given twice.
    entries.dedup_by(|ConvertedName { old: a, .. }, ConvertedName { old: b, .. }| {
        a.name == b.name && a.directory == b.directory
    });
    let mut steps = Vec::with_capacity(entries.len());
    let mut group: Vec<ConvertedName> = Vec::new();
    for entry in entries {
        if group.first().is_some_and(|first| first.old.directory != entry.old.directory) {
            plan_directory(&mut group, &mut steps);
        }
        group.push(entry);
    }
    plan_directory(&mut group, &mut steps);
    steps
}

/// Adds the steps for the names of one directory.
fn plan_directory(group: &mut Vec<ConvertedName>, steps: &mut Vec<RenameStep>) {
    let Some(directory) = group.first().map(|first| Rc::clone(&first.old.directory)) else {
        return;
    };
    let converted = group.iter().filter(|entry| entry.new.is_ok());
    let pending = converted.map(|entry| entry.old.name.clone()).collect();
    let longest = longest_name(&directory);
    let mut plan = DirectoryPlan {
        steps,
        directory,
        longest,
        pending,
        waiting: HashMap::new(),
        freed: HashSet::new(),
        taken: HashSet::new(),
    };
    for ConvertedName { old, new } in group.drain(..) {
        match new {
            Ok(new) => plan.add(NameChange { old, new }),
            Err(reason) => plan.steps.push(RenameStep::Refuse { old, reason }),
        }
    }
    plan.end();
}

/// Compares paths so that what is below a directory comes before it.
fn children_first(a: &Path, b: &Path) -> Ordering {
    let (mut a, mut b) = (a.components(), b.components());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Greater,
            (Some(_), None) => return Ordering::Less,
            (Some(a), Some(b)) if a != b => return a.cmp(&b),
            (Some(_), Some(_)) => {}
        }
    }
}

/// The plan for one directory.
struct DirectoryPlan<'a> {
    steps: &'a mut Vec<RenameStep>,
    directory: Rc<Path>,
    /// How many bytes a name may have.
    longest: Option<usize>,
    /// Names that change and have no step yet.
    pending: HashSet<OsString>,
    /// Changes to a name that is pending.
    waiting: HashMap<OsString, Vec<NameChange>>,
    /// Names that a step changes.
    freed: HashSet<OsString>,
    /// Names that a step gives.
    taken: HashSet<OsString>,
}

impl DirectoryPlan<'_> {
    /// Adds the step for a name, and those for the names that wait for it.
    fn add(&mut self, change: NameChange) {
        let mut ready = vec![change];
        while let Some(change) = ready.pop() {
            if self.pending.contains(&change.new) {
                self.waiting.entry(change.new.clone()).or_default().push(change);
                continue;
            }
            let name = change.old.name.clone();
            let step = match self.refusal(&change) {
                Some(reason) => RenameStep::Refuse { old: change.old, reason },
                None => {
                    self.freed.insert(name.clone());
                    self.taken.insert(change.new.clone());
                    RenameStep::Rename(change)
                }
            };
            self.steps.push(step);
            self.pending.remove(&name);
            // The first of them comes first.
            ready.extend(self.waiting.remove(&name).into_iter().flatten().rev());
        }
    }

    /// Returns why a name cannot change, if it cannot.
    fn refusal(&self, NameChange { old, new }: &NameChange) -> Option<String> {
        let shown = visible_path(Path::new(new));
        if self.taken.contains(new) {
            return Some(format!("another name becomes {shown} too"));
        }
        let len = new.len();
        if let Some(most) = self.longest.filter(|most| len > *most) {
            return Some(format!(
                "the new name would have {len} bytes, and the file system allows {most}"
            ));
        }
        if self.freed.contains(new) {
            return None;
        }
        let there = fs::symlink_metadata(self.directory.join(new)).ok()?;
        let own = fs::symlink_metadata(old.place()).ok();
        let is_same = own.is_some_and(|own| (own.dev(), own.ino()) == (there.dev(), there.ino()));
        Some(match is_same {
            true => {
                format!("{shown} is the same file already (a hard link, or equal to the system)")
            }
            false => exists(&shown),
        })
    }

    /// Ends the plan. Names that still wait would change places with each other.
    fn end(mut self) {
        let mut left: Vec<_> = self.waiting.drain().flat_map(|(_, changes)| changes).collect();
        left.sort_by(|a, b| a.old.name.cmp(&b.old.name));
        self.steps.extend(left.into_iter().map(|NameChange { old, new }| {
            let new = visible_path(Path::new(&new));
            RenameStep::Refuse { old, reason: format!("{new} exists, and cannot be renamed first") }
        }));
    }
}

/// Says that a name exists.
pub(super) fn exists(name: &str) -> String {
    format!("{name} exists already")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(top: &Path, names: &[(&str, &str)]) -> Vec<String> {
        let entry = |(old, new): &(&str, &str)| {
            let old = Path::new(old);
            let parent = old.parent().unwrap();
            let (shown, directory) = (parent.into(), top.join(parent).into());
            let old = PlacedName { shown, directory, name: old.file_name().unwrap().to_owned() };
            ConvertedName { old, new: Ok(new.into()) }
        };
        let shown = |step: RenameStep| match step {
            RenameStep::Rename(NameChange { old, new }) => {
                format!("{} -> {}", old.path().display(), new.display())
            }
            RenameStep::Refuse { old, reason } => format!("{}: {reason}", old.path().display()),
        };
        plan(names.iter().map(entry).collect()).into_iter().map(shown).collect()
    }

    #[test]
    fn what_is_below_a_directory_comes_before_it() {
        let nowhere = Path::new("/no/such/directory");
        let names =
            [("a", "1"), ("a/b", "2"), ("a/b/c", "3"), ("a-", "4"), ("a-/d", "5"), ("a", "1")];
        let expected = ["a/b/c -> 3", "a/b -> 2", "a-/d -> 5", "a -> 1", "a- -> 4"];
        assert_eq!(steps(nowhere, &names), expected);
    }

    #[test]
    fn a_name_that_another_needs_changes_first() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "d", "x", "y"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let names = [("a", "b"), ("b", "c"), ("c", "free"), ("x", "y"), ("y", "x")];
        let expected = [
            "c -> free",
            "b -> c",
            "a -> b",
            "x: y exists, and cannot be renamed first",
            "y: x exists, and cannot be renamed first",
        ];
        assert_eq!(steps(dir.path(), &names), expected);
        // If the name that another needs cannot change, neither can the other.
        let names = [("b", "c"), ("c", "d"), ("x", "free"), ("a", "free")];
        let expected = [
            "a -> free",
            "c: d exists already",
            "b: c exists already",
            "x: another name becomes free too",
        ];
        assert_eq!(steps(dir.path(), &names), expected);
    }
}
