//! What `.ignore`, `.gitignore` and `.git/info/exclude` exclude from a walk through a directory tree.
//!
//! ```text
//! the directories above the top of the walk ─► Levels ◄─ each directory of the walk, when the first entry of it comes
//! an entry ─► the closest level of .ignore, else of .gitignore, else of .git/info/exclude, else the user's own list
//! ```
//!
//! The crate `ignore` has the globs and the walk. It would also find these files, but opens whatever has their name,
//! and one that is a pipe or a device would never end ([`read_small`]). The walk passes the entries of a directory one
//! after the other, and those of its directories in between, so the levels are a stack.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use oxiconv_report::visible_path;

use super::bounded_file::{cost, read_small};
use super::reason::reason;

/// The files of rules in a directory: each has effect where none before it says anything of an entry.
const FILES: [&str; 2] = [".ignore", ".gitignore"];

/// The most bytes of a file, and of all that have effect at a place. What is made of globs can take 500 times their length
/// in memory, and a long list is a few kilobytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The rules of a walk.
#[derive(Debug)]
pub(super) struct IgnoreRules {
    /// The top of the walk, as it was named, and its absolute path without symbolic links.
    named: PathBuf,
    top: PathBuf,
    /// The directories with rules, from the outermost to the present one.
    levels: Vec<IgnoreLevel>,
    /// The depth of the present directory; 0 is the top.
    depth: usize,
    /// The user's own list.
    own: Option<Gitignore>,
    /// What could not be read, in words, since it was last taken.
    trouble: Vec<String>,
}

/// The rules of one directory.
#[derive(Debug)]
struct IgnoreLevel {
    directory: PathBuf,
    /// `None` above the top.
    depth: Option<usize>,
    /// Those of [`FILES`], then those of its repository.
    rules: Vec<Option<Gitignore>>,
    /// What the files count towards the limit.
    cost: u64,
}

impl IgnoreRules {
    /// Reads the rules of a directory and of those above it. `None` if there is no such directory: the walk says so.
    pub(super) fn new(named: &Path) -> Option<Self> {
        let top = fs::canonicalize(named).ok()?;
        let mut rules = Self {
            named: named.to_owned(),
            levels: Vec::new(),
            depth: 0,
            own: own_list(),
            trouble: Vec::new(),
            top,
        };
        let above: Vec<_> = rules.top.ancestors().skip(1).map(Path::to_owned).collect();
        for directory in above.into_iter().rev() {
            rules.enter(directory, None);
        }
        rules.enter(rules.top.clone(), Some(0));
        Some(rules)
    }

    /// Returns what the rules say of an entry of the walk at this path and depth.
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

    /// Takes what could not be read since the last call.
    pub(super) fn take_trouble(&mut self) -> Vec<String> {
        std::mem::take(&mut self.trouble)
    }

    /// Reads the rules of a directory.
    fn enter(&mut self, directory: PathBuf, depth: Option<usize>) {
        // What may not be searched has no entries, as the walk will say.
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

    /// Reads a file of rules, if there is one with any.
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
            // Their paths are relative to the directory.
            globs(&bytes, Path::new("")).map(Some).ok_or("too many or too long globs".to_owned())
        };
        match read() {
            Ok(rules) => rules.filter(|rules| !rules.is_empty()),
            Err(what) => {
                let path = self.shown(path);
                self.trouble.push(format!("{path}: {what}, so it excludes nothing"));
                None
            }
        }
    }

    /// Returns the path of a file of rules in messages: below the top as that was named.
    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.top) {
            Ok(below) => visible_path(&self.named.join(below)),
            Err(_) => visible_path(path),
        }
    }
}

/// Reads rules. A line that is not one has no effect, as in git.
/// Returns nothing if what is made of the globs would be too large.
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

/// Returns the directory of the repository that has its top here: `.git`, or for a worktree the one that it shares.
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

/// Returns the list that git's `core.excludesFile` names, or the one in its usual place. Its globs count from the current
/// directory.
fn own_list() -> Option<Gitignore> {
    let bytes = read_small(&gitconfig_excludes_path()?, MAX_BYTES).ok()??;
    let here = std::env::current_dir().and_then(fs::canonicalize).ok()?;
    globs(&bytes, &here)
}
