//! The order in which names change, and which of them cannot.
//!
//! What is below a directory comes before it, so that every path is valid when its turn comes. If a new name is the old
//! name of another, that one comes first. This is also what `--rename` would do if nothing else changed the directories
//! meanwhile; each rename still checks that the new name is free.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::io::longest_name;
use crate::report::visible_path;

/// A name that would change, or cannot be converted.
#[derive(Debug)]
pub(super) struct Entry {
    /// The path as it was given or found.
    pub(super) path: PathBuf,
    /// The path of the same file, whose directory is without symbolic links.
    pub(super) place: PathBuf,
    /// The new name, or the reason why it cannot be converted.
    pub(super) new: Result<OsString, String>,
}

/// A name that changes.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: PathBuf,
    pub(super) place: PathBuf,
    pub(super) new: OsString,
}

impl Change {
    /// Returns the directory that has the name.
    pub(super) fn directory(&self) -> &Path {
        self.place.parent().unwrap_or(Path::new("/"))
    }

    /// Returns the old name.
    pub(super) fn old(&self) -> &OsStr {
        self.place.file_name().unwrap_or_default()
    }

    fn target(&self) -> PathBuf {
        self.directory().join(&self.new)
    }
}

/// What is done with a name.
#[derive(Debug)]
pub(super) enum Step {
    Rename(Change),
    Refuse { path: PathBuf, reason: String },
}

/// Returns how many names change.
pub(super) fn changes(steps: &[Step]) -> usize {
    steps.iter().filter(|step| matches!(step, Step::Rename(_))).count()
}

/// Returns all steps in order.
pub(super) fn plan(mut entries: Vec<Entry>) -> Vec<Step> {
    entries.sort_by(|a, b| children_first(&a.place, &b.place));
    // A name may have been given twice.
    entries.dedup_by(|a, b| a.place == b.place);
    let pending = entries.iter().filter(|it| it.new.is_ok()).map(|it| it.place.clone()).collect();
    let mut plan = Plan { pending, ..Plan::default() };
    for Entry { path, place, new } in entries {
        match new {
            Ok(new) => plan.add(Change { path, place, new }),
            Err(reason) => plan.steps.push(Step::Refuse { path, reason }),
        }
    }
    plan.steps()
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

#[derive(Default)]
struct Plan {
    steps: Vec<Step>,
    /// The places of names that change and have no step yet.
    pending: HashSet<PathBuf>,
    /// Changes to the name at a place that is pending.
    waiting: HashMap<PathBuf, Vec<Change>>,
    /// Places whose name was changed by a step.
    freed: HashSet<PathBuf>,
    /// Places that a step gives a name to.
    taken: HashSet<PathBuf>,
    /// The bytes that a name may have in the directory that was looked at last.
    longest: Option<(PathBuf, Option<usize>)>,
}

impl Plan {
    /// Adds the step for a name, and those for the names that wait for it.
    fn add(&mut self, change: Change) {
        let mut ready = vec![change];
        while let Some(change) = ready.pop() {
            let target = change.target();
            if self.pending.contains(&target) {
                self.waiting.entry(target).or_default().push(change);
                continue;
            }
            let place = change.place.clone();
            let step = match self.refusal(&change, &target) {
                Some(reason) => Step::Refuse { path: change.path, reason },
                None => {
                    self.freed.insert(place.clone());
                    self.taken.insert(target);
                    Step::Rename(change)
                }
            };
            self.steps.push(step);
            self.pending.remove(&place);
            // The first of them comes first.
            ready.extend(self.waiting.remove(&place).into_iter().flatten().rev());
        }
    }

    /// Returns why a name cannot change, if it cannot.
    fn refusal(&mut self, change: &Change, target: &Path) -> Option<String> {
        let new = visible_path(Path::new(&change.new));
        if self.taken.contains(target) {
            return Some(format!("another name becomes {new} too"));
        }
        let len = change.new.len();
        if let Some(most) = self.longest(change.directory()).filter(|most| len > *most) {
            return Some(format!(
                "the new name would have {len} bytes, and the file system allows {most}"
            ));
        }
        let there = fs::symlink_metadata(target).ok().filter(|_| !self.freed.contains(target))?;
        let own = fs::symlink_metadata(&change.place).ok();
        let is_same = own.is_some_and(|own| (own.dev(), own.ino()) == (there.dev(), there.ino()));
        Some(match is_same {
            true => format!("{new} is the same file already (a hard link, or equal to the system)"),
            false => exists(&new),
        })
    }

    fn longest(&mut self, directory: &Path) -> Option<usize> {
        match &self.longest {
            Some((known, longest)) if known == directory => *longest,
            _ => {
                let longest = longest_name(directory);
                self.longest = Some((directory.to_owned(), longest));
                longest
            }
        }
    }

    /// Returns the steps. Names that still wait would change places with each other.
    fn steps(mut self) -> Vec<Step> {
        let mut left: Vec<_> = self.waiting.into_values().flatten().collect();
        left.sort_by(|a, b| children_first(&a.place, &b.place));
        self.steps.extend(left.into_iter().map(|change| {
            let new = visible_path(Path::new(&change.new));
            let reason = format!("{new} exists, and cannot be renamed first");
            Step::Refuse { path: change.path, reason }
        }));
        self.steps
    }
}

/// Says that a name exists.
pub(super) fn exists(name: &str) -> String {
    format!("{name} exists already")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(directory: &Path, names: &[(&str, &str)]) -> Vec<String> {
        let entry = |(old, new): &(&str, &str)| Entry {
            path: old.into(),
            place: directory.join(old),
            new: Ok(new.into()),
        };
        let shown = |step: Step| match step {
            Step::Rename(change) => {
                format!("{} -> {}", change.path.display(), change.new.display())
            }
            Step::Refuse { path, reason } => format!("{}: {reason}", path.display()),
        };
        plan(names.iter().map(entry).collect()).into_iter().map(shown).collect()
    }

    #[test]
    fn what_is_below_a_directory_comes_before_it() {
        let nowhere = Path::new("/no/such/directory");
        let names = [("a", "1"), ("a/b", "2"), ("a/b/c", "3"), ("a-", "4"), ("b", "5"), ("a", "1")];
        let expected = ["a/b/c -> 3", "a/b -> 2", "a -> 1", "a- -> 4", "b -> 5"];
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
        let expected = ["c: d exists already", "b: c exists already", "a: another name becomes"];
        let got = steps(dir.path(), &[("a", "free"), ("b", "c"), ("c", "d"), ("d", "d2")]);
        assert_eq!(got, ["a -> free", "d -> d2", "c -> d", "b -> c"]);
        let got = steps(dir.path(), &[("b", "c"), ("c", "d"), ("x", "free"), ("a", "free")]);
        assert_eq!(got[1..3], expected[..2], "{got:?}");
        assert_eq!(got[0], "a -> free");
        assert_eq!(got[3], "x: another name becomes free too");
    }
}
