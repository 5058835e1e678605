//! Plans the order of renames, and which of them are refused.
//!
//! * A directory comes after everything below it, so that each path is still valid when its turn comes.
//! * If a new name is the old name of another file, that file comes first. A chain is executed from its end:
//!
//! ```text
//! a -> b, b -> c, c -> free      planned as c -> free, b -> c, a -> b
//! x -> y, y -> x                 both refused: no order works without a temporary name
//! ```
//!
//! Without `--rename`, the plan is only shown. Other programs may change the directories between plan and execution, so
//! each rename checks again that the new name is free.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

use oxiconv_os::{FileStatus, longest_name};
use oxiconv_report::visible_path;

use super::placed_name::PlacedName;

/// A name that the conversion changes, or that it cannot convert.
#[derive(Debug)]
pub(super) struct ConvertedName {
    pub(super) old: PlacedName,
    /// The new name, or the reason why it cannot be converted.
    pub(super) new: Result<OsString, String>,
}

#[derive(Debug)]
pub(super) struct NameChange {
    pub(super) old: PlacedName,
    pub(super) new: OsString,
}

#[derive(Debug)]
pub(super) enum RenameStep {
    Rename(NameChange),
    Refuse {
        old: PlacedName,
        reason: String,
    },
    /// There is no new name.
    NotConverted {
        old: PlacedName,
        reason: String,
    },
}

pub(super) fn changes(steps: &[RenameStep]) -> usize {
    steps.iter().filter(|step| matches!(step, RenameStep::Rename(_))).count()
}

/// Returns a step for each name, in the order of execution.
pub(super) fn plan(mut entries: Vec<ConvertedName>) -> Vec<RenameStep> {
    entries.sort_by(|ConvertedName { old: a, .. }, ConvertedName { old: b, .. }| {
        children_first(&a.directory, &b.directory).then_with(|| a.name.cmp(&b.name))
    });
    // The command line may name a file twice, also by different paths.
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

/// Plans the names in one directory, and empties `group`.
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
            Err(reason) => plan.steps.push(RenameStep::NotConverted { old, reason }),
        }
    }
    plan.end();
}

/// Orders paths like `Path::cmp`, except that a directory comes after everything below it.
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
///
/// A change whose new name is still the old name of another waits under that name until the other has its step.
/// Whatever waits in the end waits in a circle.
struct DirectoryPlan<'a> {
    steps: &'a mut Vec<RenameStep>,
    directory: Rc<Path>,
    /// The length limit of names in this file system, in bytes; `None` if it is not known.
    longest: Option<usize>,
    /// Old names that have no step yet.
    pending: HashSet<OsString>,
    /// Changes by their new name, which is pending.
    waiting: HashMap<OsString, Vec<NameChange>>,
    /// Old names that a planned step renames, and that are free after it.
    freed: HashSet<OsString>,
    /// New names of planned steps.
    taken: HashSet<OsString>,
}

impl DirectoryPlan<'_> {
    /// Adds a step for a change unless it must wait, and then steps for the changes that waited for it, and so on. A
    /// stack instead of recursion, because a chain may be as long as the directory.
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
            // Reversed, so that the first to wait is popped first.
            ready.extend(self.waiting.remove(&name).into_iter().flatten().rev());
        }
    }

    /// Returns the reason if a change must be refused, given the steps planned so far.
    ///
    /// The plan is asked before the disk. A name that a planned step frees still exists on disk, and one that a planned
    /// step takes does not exist yet. If the new name exists and is the same file, it is a hard link, or the file
    /// system treats both names as equal (by case or by normalization); the message says so.
    fn refusal(&self, NameChange { old, new }: &NameChange) -> Option<String> {
        let shown = visible_path(Path::new(new));
        if self.taken.contains(new) {
            return Some(format!("another file would also become {shown}"));
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
        let there = FileStatus::of_name(&self.directory.join(new)).ok()?;
        let own = FileStatus::of_name(&old.place()).ok();
        let is_same = own.is_some_and(|own| own.is_same_file(&there));
        Some(match is_same {
            true => {
                format!(
                    "{shown} is already the same file (a hard link, or a name that the file system treats as equal)"
                )
            }
            false => exists(&shown),
        })
    }

    /// Refuses the changes that still wait: their names would have to change places.
    fn end(mut self) {
        let mut left: Vec<_> = self.waiting.drain().flat_map(|(_, changes)| changes).collect();
        left.sort_unstable_by(|a, b| a.old.name.cmp(&b.old.name));
        self.steps.extend(left.into_iter().map(|NameChange { old, new }| {
            let new = visible_path(Path::new(&new));
            RenameStep::Refuse { old, reason: format!("{new} exists and cannot itself be renamed") }
        }));
    }
}

pub(super) fn exists(name: &str) -> String {
    format!("{name} already exists")
}

#[cfg(test)]
mod tests {
    use std::path::MAIN_SEPARATOR;

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
            RenameStep::Refuse { old, reason } | RenameStep::NotConverted { old, reason } => {
                format!("{}: {reason}", old.path().display())
            }
        };
        plan(names.iter().map(entry).collect()).into_iter().map(shown).collect()
    }

    #[test]
    fn what_is_below_a_directory_comes_before_it() {
        let nowhere = Path::new("/no/such/directory");
        let names =
            [("a", "1"), ("a/b", "2"), ("a/b/c", "3"), ("a-", "4"), ("a-/d", "5"), ("a", "1")];
        let expected = ["a/b/c -> 3", "a/b -> 2", "a-/d -> 5", "a -> 1", "a- -> 4"];
        let steps: Vec<_> =
            steps(nowhere, &names).iter().map(|step| step.replace(MAIN_SEPARATOR, "/")).collect();
        assert_eq!(steps, expected);
    }

    #[test]
    fn a_name_that_another_needs_changes_first() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "d", "x", "y"] {
            std::fs::write(dir.path().join(name), name).unwrap();
        }
        let names = [("a", "b"), ("b", "c"), ("c", "free"), ("x", "y"), ("y", "x")];
        let expected = [
            "c -> free",
            "b -> c",
            "a -> b",
            "x: y exists and cannot itself be renamed",
            "y: x exists and cannot itself be renamed",
        ];
        assert_eq!(steps(dir.path(), &names), expected);
        // If one link of a chain is refused, so are those that wait for it.
        let names = [("b", "c"), ("c", "d"), ("x", "free"), ("a", "free")];
        let expected = [
            "a -> free",
            "c: d already exists",
            "b: c already exists",
            "x: another file would also become free",
        ];
        assert_eq!(steps(dir.path(), &names), expected);
    }
}
