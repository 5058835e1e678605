//! `--undo-rename`: restores the old names from a list, the most recent change first.
//!
//! The list may be truncated by a crash, come from another version, or be hostile. A line is used only if it can be
//! undone safely: both names are single components, and the directory is absolute. The renames themselves never
//! overwrite a file, nor follow a symbolic link in place of the directory.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail};
use serde::Deserialize;

use oxiconv_os::{BlockingFile, plain_path, stdin_file};
use oxiconv_report::{OwnedPath, Subject, visible_path};

use super::super::bounded_file::open_finite;
use super::mapping::impossible;
use super::name_report::NameReport;
use super::placed_name::PlacedName;
use super::rename_plan::{NameChange, exists};
use super::renamer::{Renamer, announce, show};

const STDIN: &str = "-";

/// The members of a line that matter here.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum RenameListLine {
    Start {
        version: u32,
        task: String,
    },
    Rename {
        path: OwnedPath,
        name: OwnedPath,
        directory: Option<OwnedPath>,
    },
    /// If a rename of this path precedes, it was announced but not made.
    Refused {
        path: Option<OwnedPath>,
    },
    Error {
        path: Option<OwnedPath>,
    },
    #[serde(other)]
    Other,
}

/// The versions of the JSON format that this program can undo.
const VERSIONS: RangeInclusive<u32> = 1..=2;
/// The length limit of a line, in bytes: a path and its directory, each byte of which may take six as `\uXXXX`.
const MAX_LINE_LEN: u64 = 128 * 1024;
/// The task in the first line of a list; other tasks write reports of the same form.
const TASK: &str = "names";

/// Reads a list, and returns the changes that undo it, the most recent first.
pub(super) fn read(list: &Path) -> anyhow::Result<Vec<NameChange>> {
    let (label, read) = match list.as_os_str() == STDIN {
        true => {
            let label = Subject::StandardInput.label();
            let file = stdin_file().with_context(|| label.clone())?;
            (label, changes(BufReader::new(BlockingFile(file))))
        }
        false => {
            let label = visible_path(list);
            let file = open_finite(list).with_context(|| label.clone())?;
            (label, changes(BufReader::new(file)))
        }
    };
    let mut changes = match read {
        Ok(changes) => changes,
        Err(ListError::Read(error)) => return Err(error).context(label),
        Err(ListError::Line(line, what)) => {
            bail!("{label}: line {line}: {what} (--rename writes the list)")
        }
    };
    changes.reverse();
    Ok(changes)
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ListError {
    #[error("cannot read")]
    Read(#[from] io::Error),
    /// The number of an invalid line, from 1, and what is wrong with it.
    #[error("line {0}: {1}")]
    Line(usize, &'static str),
}

/// Returns the changes that undo those of a list, oldest first.
pub(super) fn changes(mut list: impl BufRead) -> Result<Vec<NameChange>, ListError> {
    let mut changes: Vec<Option<NameChange>> = Vec::new();
    // The index in `changes` of the last change of each path, as the list writes it.
    let mut numbers: HashMap<PathBuf, usize> = HashMap::new();
    let mut directory_before = None;
    let mut bytes = Vec::new();
    for number in 1.. {
        let wrong = |what| ListError::Line(number, what);
        bytes.clear();
        let read = list.by_ref().take(MAX_LINE_LEN + 1).read_until(b'\n', &mut bytes)?;
        if read == 0 && number > 1 {
            break;
        }
        if read as u64 > MAX_LINE_LEN {
            return Err(wrong("not a line of a list of changed names"));
        }
        let line = match serde_json::from_slice(&bytes) {
            Ok(line) => line,
            // A line without an end was being written when the run ended. Its name was not changed yet.
            Err(_) if number > 1 && !bytes.ends_with(b"\n") => break,
            Err(_) => return Err(wrong("not a line of a list of changed names")),
        };
        match line {
            RenameListLine::Start { version, task }
                if number == 1 && task == TASK && VERSIONS.contains(&version) => {}
            RenameListLine::Start { .. } if number == 1 => {
                return Err(wrong("the start of another list"));
            }
            _ if number == 1 => return Err(wrong("not the start of a list of changed names")),
            RenameListLine::Rename { path, name, directory: Some(directory) } => {
                let change = change(path, name, directory, directory_before.as_ref());
                let (path, change) = change.ok_or_else(|| wrong("not a change of a name"))?;
                directory_before = Some(Rc::clone(&change.old.directory));
                numbers.insert(path, changes.len());
                changes.push(Some(change));
            }
            // The change was announced but not made. A name that the plan refused was not announced.
            RenameListLine::Refused { path: Some(path) }
            | RenameListLine::Error { path: Some(path) } => {
                if let Some(number) = path.path().and_then(|path| numbers.remove(&path)) {
                    changes[number] = None;
                }
            }
            _ => {}
        }
    }
    Ok(changes.into_iter().flatten().collect())
}

/// Returns the path of a rename in the list, and the change that undoes it. Shares the `known` directory if it is the
/// same.
fn change(
    path: OwnedPath,
    name: OwnedPath,
    directory: OwnedPath,
    known: Option<&Rc<Path>>,
) -> Option<(PathBuf, NameChange)> {
    let (path, name, directory) = (path.path()?, name.path()?, directory.path()?);
    let new = path.file_name()?.to_owned();
    let is_name = |name: &OsStr| impossible(name.as_encoded_bytes()).is_none();
    if !is_name(name.as_os_str()) || !is_name(&new) || !directory.is_absolute() {
        return None;
    }
    let directory = match known.filter(|known| ***known == *directory) {
        Some(known) => Rc::clone(known),
        None => directory.into(),
    };
    let shown = match plain_path(&directory) {
        plain if plain.as_os_str() == directory.as_os_str() => Rc::clone(&directory),
        plain => plain.into(),
    };
    let old = PlacedName { shown, directory, name: name.into_os_string() };
    Some((path, NameChange { old, new }))
}

/// Makes the changes in this order or, in a dry run, shows them.
///
/// If a change fails, the place that it should have restored is remembered: paths of earlier changes may lead through
/// it, and would find another file there, or none.
pub(super) fn undo(
    changes: Vec<NameChange>,
    dry_run: bool,
    report: &mut NameReport<'_>,
) -> anyhow::Result<()> {
    let mut renamer = Renamer::default();
    let mut shown = PreviewedTree::default();
    let mut failed: HashSet<PathBuf> = HashSet::new();
    for change in changes {
        report.count();
        let (path, target) = (&change.old.place(), change.old.directory.join(&change.new));
        let is_done = if path.ancestors().any(|directory| failed.contains(directory)) {
            report.refused(path, "the name of its directory was not restored")?;
            false
        } else if !shown.is_there(path) {
            let is_restored = shown.is_there(&target);
            match is_restored {
                // The run was interrupted after it listed this change and before it made it.
                true => report.unchanged()?,
                false => report.refused(path, "it is missing")?,
            }
            is_restored
        } else if !dry_run {
            announce(&change, report)?;
            renamer.rename(&change, report)?
        } else if shown.is_there(&target) {
            let name = visible_path(Path::new(&change.new));
            report.refused(path, &exists(&name))?;
            false
        } else {
            show(&change, report)?;
            shown.rename(path, target.clone());
            true
        };
        if !is_done {
            failed.insert(target);
        }
    }
    Ok(())
}

/// The file system as it would be after the changes that a dry run has shown, because later ones depend on them.
///
/// ```text
/// on disk   d/old                    after  d -> e   and   e/old -> e/new
/// asked     e/new                    real   d/old
/// ```
#[derive(Default)]
struct PreviewedTree {
    /// The real path of what is shown at a new path.
    real: HashMap<PathBuf, PathBuf>,
    /// Real paths that no longer have their name.
    gone: HashSet<PathBuf>,
}

impl PreviewedTree {
    fn rename(&mut self, place: &Path, target: PathBuf) {
        let real = self.real(place);
        self.gone.insert(real.clone());
        self.real.insert(target, real);
    }

    /// Translates a path, component by component, since any directory in it may be renamed.
    fn real(&self, place: &Path) -> PathBuf {
        let (mut asked, mut real) = (PathBuf::new(), PathBuf::new());
        for component in place.components() {
            asked.push(component);
            real.push(component);
            if let Some(known) = self.real.get(&asked) {
                real.clone_from(known);
            }
        }
        real
    }

    fn is_there(&self, place: &Path) -> bool {
        let real = self.real(place);
        let exists = |path: &Path| match path.symlink_metadata() {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        (self.real.contains_key(place) || !self.gone.contains(&real)) && exists(&real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        r#"{"type":"start","version":1,"tool":"oxiconv","tool_version":"0.1.0","task":"names"}"#;

    fn read(lines: &[&str]) -> Result<Vec<String>, String> {
        let text = [&[START], lines].concat().join("\n") + "\n";
        let changes = changes(text.as_bytes());
        let shown =
            |it: NameChange| format!("{} -> {}", it.old.place().display(), it.new.display());
        changes
            .map(|changes| changes.into_iter().map(shown).collect())
            .map_err(|error| error.to_string())
    }

    /// The old name is what the path ends in, the new name is under the directory. Unknown lines are ignored.
    /// Its paths are those of Unix.
    #[cfg(unix)]
    #[test]
    fn a_change_is_undone_where_it_was_made() {
        let line = r#"{"type":"rename","path":{"bytes":"YS9iw6k="},"name":{"text":"x"},"directory":{"text":"/d/a"}}"#;
        assert_eq!(read(&[line]).unwrap(), ["/d/a/x -> bé"]);
        let shown = r#"{"type":"rename","path":{"text":"a"},"name":{"text":"x"}}"#;
        let later = r#"{"type":"something","else":[1]}"#;
        assert!(read(&[shown, later]).unwrap().is_empty());
        let refused = r#"{"type":"refused","path":{"bytes":"YS9iw6k="},"message":"exists"}"#;
        assert!(read(&[line, refused]).unwrap().is_empty());
        let other = r#"{"type":"error","path":{"text":"other"},"message":"no"}"#;
        assert_eq!(read(&[line, other]).unwrap().len(), 1);
    }

    #[test]
    fn a_list_that_names_no_name_is_refused() {
        let line = |path: &str, name: &str, directory: &str| {
            format!(
                r#"{{"type":"rename","path":{{"text":"{path}"}},"name":{{"text":"{name}"}},"directory":{{"text":"{directory}"}}}}"#
            )
        };
        for (path, name, directory) in [
            ("a", "../x", "/d"),
            ("a", "..", "/d"),
            ("a", "", "/d"),
            ("a", "x\\u0000", "/d"),
            ("..", "x", "/d"),
            ("a", "x", "d"),
        ] {
            let wrong = read(&[&line(path, name, directory)]).unwrap_err();
            assert_eq!(wrong, "line 2: not a change of a name", "{path} {name} {directory}");
        }
        assert_eq!(read(&["text"]).unwrap_err(), "line 2: not a line of a list of changed names");
        // The change on a line that a crash truncated was not made.
        let text = format!("{START}\n{}", &line("a", "x", "/d")[..40]);
        assert!(changes(text.as_bytes()).unwrap().is_empty());
        let endless = format!("{START}\n{}", "a".repeat(MAX_LINE_LEN as usize + 1));
        assert!(changes(endless.as_bytes()).is_err());
        for text in ["", "a", "a\n", "{}\n", "{\"type\":\"end\"}\n"] {
            let wrong = changes(text.as_bytes()).unwrap_err();
            assert!(matches!(wrong, ListError::Line(1, _)), "{text}");
        }
        let check = START.replace("names", "check");
        let wrong = changes(check.as_bytes()).unwrap_err().to_string();
        assert_eq!(wrong, "line 1: the start of another list");
    }
}
