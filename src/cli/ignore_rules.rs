//! What `.ignore`, `.gitignore` and `.git/info/exclude` exclude from a walk through a directory tree.
//!
//! ```text
//! directories above the top of the walk ─► levels ◄─ each directory of the walk, at its first entry
//! an entry ─► the closest level of .ignore, else of .gitignore, else of .git/info/exclude, else the user's own list
//! ```
//!
//! The crate `ignore` parses the globs and walks the tree. It could also find these files, but it opens whatever has
//! their name, and would wait forever on a `.gitignore` that is a pipe. So they are read here, with [`read_small`].
//!
//! The walk is depth-first, so the levels are a stack. If the directory of an entry is deeper than that of the entry
//! before, its rules are pushed; if it is less deep, the levels below it are popped. Depths are enough for this:
//! between the entries of two directories of equal depth, the second directory itself comes as an entry of its parent.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use oxiconv_report::visible_path;

use super::bounded_file::{cost, read_small};
use oxiconv_os::reason;

/// The files of rules in a directory. All levels of the first are asked before any level of the second.
const FILES: [&str; 2] = [".ignore", ".gitignore"];

/// The most bytes of one file of rules, and of all that are in effect in one directory. A long list has a few
/// kilobytes, but compiled globs can take 500 times their length in memory.
const MAX_BYTES: u64 = 64 * 1024;

#[derive(Debug)]
pub(super) struct IgnoreRules {
    /// The top of the walk, as the user named it.
    named: PathBuf,
    /// Its absolute path without symbolic links.
    top: PathBuf,
    /// The directories with rules, from the outermost to the present one.
    levels: Vec<IgnoreLevel>,
    depth: usize,
    own: Option<Gitignore>,
    /// Messages about files that could not be read, since they were last taken.
    errors: Vec<String>,
}

#[derive(Debug)]
struct IgnoreLevel {
    directory: PathBuf,
    /// Depth below the top of the walk; `None` above it.
    depth: Option<usize>,
    /// The rules of each of [`FILES`], then those of `.git/info/exclude`.
    rules: Vec<Option<Gitignore>>,
    /// What these files count towards [`MAX_BYTES`].
    cost: u64,
}

impl IgnoreRules {
    /// Reads the rules of a directory and of those above it. `None` if there is no such directory, which the walk
    /// reports.
    pub(super) fn new(named: &Path) -> Option<Self> {
        let top = fs::canonicalize(named).ok()?;
        let mut rules = Self {
            named: named.to_owned(),
            levels: Vec::new(),
            depth: 0,
            own: own_list(),
            errors: Vec::new(),
            top,
        };
        let above: Vec<_> = rules.top.ancestors().skip(1).map(Path::to_owned).collect();
        for directory in above.into_iter().rev() {
            rules.enter(directory, None);
        }
        rules.enter(rules.top.clone(), Some(0));
        Some(rules)
    }

    /// Returns what the rules say about the entry of the walk at this path and depth. Must be called in the order of
    /// the walk, because it also maintains the stack of levels.
    pub(super) fn matched(&mut self, path: &Path, depth: usize, is_dir: bool) -> Match<()> {
        let Ok(below) = path.strip_prefix(&self.named) else { return Match::None };
        let path = self.top.join(below);
        let parent = depth.saturating_sub(1);
        if parent < self.depth {
            self.levels.retain(|level| level.depth.is_none_or(|depth| depth <= parent));
        } else if let Some(directory) = path.parent().filter(|_| parent > self.depth) {
            self.enter(directory.to_owned(), Some(parent));
        }
        self.depth = parent;
        if self.levels.is_empty() && self.own.is_none() {
            return Match::None;
        }
        for file in 0..=FILES.len() {
            for level in self.levels.iter().rev() {
                let Some(rules) = &level.rules[file] else { continue };
                let Ok(path) = path.strip_prefix(&level.directory) else { continue };
                match rules.matched(path, is_dir) {
                    Match::None => {}
                    matched => return matched.map(drop),
                }
            }
        }
        self.own.as_ref().map_or(Match::None, |own| own.matched(&path, is_dir).map(drop))
    }

    pub(super) fn take_errors(&mut self) -> Vec<String> {
        std::mem::take(&mut self.errors)
    }

    /// Reads the rules of a directory, and pushes them if there are any.
    fn enter(&mut self, directory: PathBuf, depth: Option<usize>) {
        // Without search permission, each file in it would be an error of its own. The walk reports the directory,
        // which is enough.
        let searched = fs::metadata(directory.join("."));
        if searched.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied) {
            return;
        }
        let mut cost = 0;
        let files = FILES.map(|name| Some(directory.join(name)));
        let exclude = repository(&directory).map(|git| git.join("info/exclude"));
        let files = files.into_iter().chain([exclude]);
        let rules: Vec<_> = files.map(|path| self.read(&path?, &mut cost)).collect();
        if rules.iter().any(Option::is_some) {
            self.levels.push(IgnoreLevel { directory, depth, rules, cost });
        }
    }

    /// Reads a file of rules. `None` if there is none, if it has no rules, or if it cannot be used. `cost_here` adds up
    /// what the files of this directory count.
    fn read(&mut self, path: &Path, cost_here: &mut u64) -> Option<Gitignore> {
        let kept: u64 = self.levels.iter().map(|level| level.cost).sum();
        let mut read = || {
            let Some(bytes) = read_small(path, MAX_BYTES).map_err(|error| reason(&error))? else {
                return Ok(None);
            };
            *cost_here += cost(&bytes);
            if kept + *cost_here > MAX_BYTES {
                let all = MAX_BYTES >> 10;
                return Err(format!("more than {all} KiB with the ignore files above it"));
            }
            // The paths that are matched are relative to the directory of the file.
            globs(&bytes, Path::new("")).map(Some).ok_or("too many or too long globs".to_owned())
        };
        match read() {
            Ok(rules) => rules.filter(|rules| !rules.is_empty()),
            Err(what) => {
                let path = self.shown(path);
                self.errors.push(format!("{path}: {what}, so it excludes nothing"));
                None
            }
        }
    }

    /// Returns the path of a file of rules for messages, which begins with the top as the user named it.
    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.top) {
            Ok(below) => visible_path(&self.named.join(below)),
            Err(_) => visible_path(path),
        }
    }
}

/// Parses rules. A line that is not a valid glob, or not UTF-8, has no effect. `None` if the compiled globs would be
/// too large.
fn globs(bytes: &[u8], root: &Path) -> Option<Gitignore> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let mut builder = GitignoreBuilder::new(root);
    for line in bytes.strip_prefix(MARK).unwrap_or(bytes).split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Ok(line) = str::from_utf8(line) {
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().ok()
}

/// Returns the Git directory if `directory` is the top of a work tree. In a linked worktree, `.git` is a file with the
/// line `gitdir: PATH`, and the file `commondir` at that path leads to the directory that all worktrees share, which
/// has `info/exclude`.
fn repository(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    let kind = fs::metadata(&git).ok()?.file_type();
    if kind.is_dir() {
        return Some(git);
    }
    let first_line = |path: &Path| {
        let text = String::from_utf8(read_small(path, MAX_BYTES).ok()??).ok()?;
        text.lines().next().map(str::to_owned)
    };
    let git = directory.join(first_line(&git)?.strip_prefix("gitdir: ")?);
    let shared = first_line(&git.join("commondir"))?;
    Some(git.join(shared))
}

/// Returns the list that Git's `core.excludesFile` names, or the one at its default path. Its globs are relative to the
/// current directory.
fn own_list() -> Option<Gitignore> {
    let bytes = read_small(&gitconfig_excludes_path()?, MAX_BYTES).ok()??;
    let here = std::env::current_dir().and_then(fs::canonicalize).ok()?;
    globs(&bytes, &here)
}
