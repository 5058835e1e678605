//! The input files: those named, those listed in a file, and those below directories.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};

use crate::io::BlockingFile;
use crate::report::{Subject, visible, visible_path};

use super::reason::reason;

/// The name of standard input on the command line.
const STDIN: &str = "-";
/// The directory that is searched if none is named.
const TOP: &str = ".";

/// What the arguments say about files.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) named: Vec<PathBuf>,
    pub(crate) more_from: Option<PathBuf>,
    pub(crate) recursive: bool,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    /// Whether hidden files are read.
    pub(crate) hidden: bool,
    /// Whether files are read that .gitignore and the like name.
    pub(crate) no_ignore: bool,
    /// A directory that will be written to: nothing below it is read.
    pub(crate) not_under: Option<PathBuf>,
}

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileArg {
    /// `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was found in a directory rather than named: only then may it be skipped.
    pub(crate) found: bool,
}

/// Something that has a name.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) path: PathBuf,
    pub(crate) is_link: bool,
    /// The top of the directory tree that it was found in.
    pub(crate) tree: Option<Rc<Path>>,
}

impl FileArg {
    /// Returns its name in messages.
    pub(crate) fn label(&self) -> String {
        self.subject().label()
    }

    /// Returns its name in events.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject::of_path(self.path.as_deref())
    }

    /// Creates the name of an output file.
    pub(crate) fn output(path: &Path) -> Self {
        Self { path: Some(path.to_owned()), found: false }
    }
}

impl Selection {
    /// Whether nothing is named, so that standard input is read.
    pub(crate) fn is_stdin(&self) -> bool {
        self.named.is_empty() && self.more_from.is_none()
    }

    /// Returns all inputs in order. Errors with single directories are passed to `trouble` and end nothing.
    pub(crate) fn inputs(&self, mut trouble: impl FnMut(String)) -> anyhow::Result<Vec<FileArg>> {
        let mut inputs = Vec::new();
        for path in self.all_named()? {
            if path.as_os_str() == STDIN {
                inputs.push(FileArg { path: None, found: false });
            } else if self.recursive && path.is_dir() {
                let included = self.included(&path)?;
                let is_input = |entry: &DirEntry| {
                    entry.file_type().is_some_and(|kind| kind.is_file())
                        && !included.matched(entry.path(), false).is_ignore()
                };
                let mut visit = |entry: DirEntry| {
                    if is_input(&entry) {
                        inputs.push(FileArg { path: Some(entry.into_path()), found: true });
                    }
                };
                self.walk(&path, &mut visit, &mut trouble)?;
            } else {
                inputs.push(FileArg { path: Some(path), found: false });
            }
        }
        Ok(inputs)
    }

    /// Passes everything that has a name to `visit`: files, directories, symbolic links and the rest, with the top of the directory
    /// tree that it was found in, if it was found and not named.
    pub(crate) fn names(
        &self,
        mut visit: impl FnMut(Name),
        mut trouble: impl FnMut(String),
    ) -> anyhow::Result<()> {
        for path in self.all_named()? {
            // With a slash after it, the name of a symbolic link means its directory.
            let kind = match path.symlink_metadata() {
                Ok(metadata) => metadata.file_type(),
                Err(error) => {
                    trouble(format!("{}: {}", visible_path(&path), reason(&error)));
                    continue;
                }
            };
            if !(self.recursive && kind.is_dir()) {
                visit(Name { path, is_link: kind.is_symlink(), tree: None });
                continue;
            }
            let included = self.included(&path)?;
            let is_included = |entry: &DirEntry| {
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                self.include.is_empty()
                    || entry.depth() > 0 && included.matched(entry.path(), is_dir).is_whitelist()
            };
            let tree: Rc<Path> = Rc::from(&*path);
            let mut visit = |entry: DirEntry| {
                if is_included(&entry) {
                    let (is_link, tree) = (entry.path_is_symlink(), Some(Rc::clone(&tree)));
                    visit(Name { path: entry.into_path(), is_link, tree });
                }
            };
            self.walk(&path, &mut visit, &mut trouble)?;
        }
        Ok(())
    }

    /// Returns the paths that are named, on the command line and in the list.
    fn all_named(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut named = self.named.clone();
        if let Some(list) = &self.more_from {
            named.extend(names_in(list)?);
        }
        if self.is_stdin() {
            named.push(if self.recursive { TOP } else { STDIN }.into());
        }
        Ok(named)
    }

    /// Passes everything below a directory to `visit`, and the directory itself.
    fn walk(
        &self,
        top: &Path,
        visit: &mut dyn FnMut(DirEntry),
        trouble: &mut dyn FnMut(String),
    ) -> anyhow::Result<()> {
        for entry in self.walker(top)? {
            match entry {
                Ok(entry) => visit(entry),
                Err(error) => trouble(walk_error(&error)),
            }
        }
        Ok(())
    }
}

impl Selection {
    /// Walks below a directory, without what is not to be read there.
    pub(crate) fn walker(&self, top: &Path) -> anyhow::Result<Walk> {
        let output = self.output();
        let mut walk = WalkBuilder::new(top);
        walk.hidden(!self.hidden)
            .overrides(self.excluded(top)?)
            .require_git(false)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .filter_entry(move |entry| {
                output.is_none() || entry.path().canonicalize().ok() != output
            });
        if self.no_ignore {
            walk.parents(false)
                .ignore(false)
                .git_ignore(false)
                .git_global(false)
                .git_exclude(false);
        }
        Ok(walk.build())
    }

    /// Returns the directory that will be written to, without symbolic links, if it exists.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        self.not_under.as_ref().and_then(|dir| dir.canonicalize().ok())
    }

    /// Returns the globs of --include. A file is read unless they ignore it.
    pub(crate) fn included(&self, top: &Path) -> anyhow::Result<Override> {
        globs(top, &self.include, "--include", "")
    }

    /// Returns the globs of --exclude, which ignore what they match.
    pub(crate) fn excluded(&self, top: &Path) -> anyhow::Result<Override> {
        globs(top, &self.exclude, "--exclude", "!")
    }

    /// Returns the directories that are searched.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &Path> {
        let here = self.is_stdin().then_some(Path::new(TOP));
        let all = self.named.iter().map(PathBuf::as_path).chain(here);
        all.filter(|path| self.recursive && path.is_dir())
    }
}

/// Returns the path and the reason of an error in a walk through a directory.
fn walk_error(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { path, err } => {
            format!("{}: {}", visible_path(path), walk_error(err))
        }
        ignore::Error::WithDepth { err, .. } => walk_error(err),
        // The error of the system is inside one that repeats the path.
        ignore::Error::Io(error) => {
            let source = std::error::Error::source(error);
            reason(source.and_then(|source| source.downcast_ref()).unwrap_or(error))
        }
        other => visible(&other.to_string()),
    }
}

/// Builds the globs of an option, each prefixed with `sign`: a plain glob selects, one after `!` excludes.
fn globs(top: &Path, globs: &[String], option: &str, sign: &str) -> anyhow::Result<Override> {
    let mut builder = OverrideBuilder::new(top);
    for glob in globs {
        if glob.is_empty() {
            bail!("{option} requires a glob, not an empty argument");
        }
        builder.add(&format!("{sign}{glob}")).with_context(|| format!("{option} '{glob}'"))?;
    }
    Ok(builder.build()?)
}

/// Returns the total size of all inputs, if all of them are regular files.
pub(crate) fn size_of_all(inputs: &[FileArg]) -> Option<u64> {
    inputs
        .iter()
        .map(|input| {
            let metadata = std::fs::metadata(input.path.as_deref()?).ok();
            // A missing file is reported when it is opened.
            metadata.map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
        })
        .sum()
}

fn names_in(list: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    let read = if list.as_os_str() == STDIN {
        BlockingFile(std::io::stdin().lock()).read_to_end(&mut names).map(drop)
    } else {
        std::fs::read(list).map(|bytes| names = bytes)
    };
    read.with_context(|| format!("cannot read the names in {}", visible_path(list)))?;
    let names = names.strip_suffix(b"\0").unwrap_or(&names);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    names
        .split(|byte| *byte == 0)
        .map(|name| match name {
            [] => bail!("{}: empty file name", visible_path(list)),
            name => Ok(PathBuf::from(OsString::from_vec(name.to_vec()))),
        })
        .collect()
}
