//! The input files: those named, those listed in a file, and those below directories.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use oxiconv_report::{Subject, visible_path};
use oxiconv_transcode::io::Access;

use super::ignore_rules::IgnoreRules;
use super::name_list::{NameList, STDIN, is_lasting};
use super::reason::reason;
use super::tree_walk::{TreeWalk, is_dir};

/// The directory that is searched if none is named.
const TOP: &str = ".";

/// What the arguments say about files.
#[derive(Debug)]
pub(crate) struct FileSelection {
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
    pub(crate) opening: OpenMode,
    /// The list that came through a pipe, if it must be read more than once.
    pub(crate) kept_list: OnceLock<Arc<[u8]>>,
}

/// One input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileArg {
    /// `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was found in a directory rather than named: only then may it be skipped.
    pub(crate) found: bool,
    /// What is read of it, if that is not all.
    pub(crate) part: Option<FilePart>,
    pub(crate) opening: OpenMode,
}

/// How files are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenMode {
    /// Whether they are decompressed, if they are compressed.
    pub(crate) decompress: bool,
    pub(crate) access: Access,
}

/// A part of a file, which begins and ends at the next places where its text can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    /// In bytes of the file.
    pub(crate) borders: Range<u64>,
    /// The length of the file in bytes.
    pub(crate) size: u64,
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

    /// Creates an input that is named; `-` is standard input.
    pub(crate) fn named(path: PathBuf) -> Self {
        let path = Some(path).filter(|path| path.as_os_str() != STDIN);
        Self { path, ..Self::default() }
    }

    /// Creates the name of an output file.
    pub(crate) fn output(path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..Self::default() }
    }
}

impl FileSelection {
    /// Whether nothing is named, so that standard input is read.
    pub(crate) fn is_stdin(&self) -> bool {
        self.named.is_empty() && self.more_from.is_none()
    }

    /// Passes everything that has a name to `visit`: files, directories, symbolic links and the rest, with the top of
    /// the directory tree that it was found in, if it was found and not named.
    pub(crate) fn names(
        &self,
        mut visit: impl FnMut(Name),
        mut trouble: impl FnMut(String),
    ) -> anyhow::Result<()> {
        for path in self.paths()? {
            let path = path?;
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
                self.include.is_empty()
                    || entry.depth() > 0
                        && included.matched(entry.path(), is_dir(entry)).is_whitelist()
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

    /// Returns the paths that are named: on the command line, then in the list, as they come.
    ///
    /// # Errors
    ///
    /// If the list cannot be opened.
    pub(crate) fn paths(&self) -> anyhow::Result<Paths> {
        let open = |path| match self.kept_list.get() {
            Some(kept) => Ok(NameList::kept(path, Arc::clone(kept))),
            None => NameList::open(path),
        };
        let list = self.more_from.as_deref().map(open).transpose()?;
        Ok(Box::new(self.on_command_line().map(Ok).chain(list.into_iter().flatten())))
    }

    /// Returns the paths that can be read more than once: all, or those on the command line if a list comes through a
    /// pipe.
    pub(crate) fn known_paths(&self) -> anyhow::Result<Paths> {
        if self.is_lasting() { self.paths() } else { Ok(Box::new(self.on_command_line().map(Ok))) }
    }

    fn on_command_line(&self) -> std::vec::IntoIter<PathBuf> {
        let here = if self.recursive { TOP } else { STDIN };
        let here = self.is_stdin().then(|| here.into());
        let named: Vec<_> = self.named.iter().cloned().chain(here).collect();
        named.into_iter()
    }

    /// Whether the inputs can be listed a second time.
    pub(crate) fn is_lasting(&self) -> bool {
        self.kept_list.get().is_some() || self.more_from.as_deref().is_none_or(is_lasting)
    }

    /// Reads a list that comes through a pipe to its end, and keeps it, so that the inputs can be listed a second time.
    pub(crate) fn make_lasting(&self) -> anyhow::Result<()> {
        if let Some(list) = self.more_from.as_deref().filter(|_| !self.is_lasting()) {
            let kept = NameList::open(list)?.read_all()?;
            self.kept_list.get_or_init(|| kept.into());
        }
        Ok(())
    }

    /// Returns the inputs if each of them is named on the command line, so that there is nothing to search.
    pub(crate) fn all_named(&self) -> Option<Vec<FileArg>> {
        let is_searched = self.more_from.is_some() || self.tops().next().is_some();
        (!is_searched).then(|| self.on_command_line().map(FileArg::named).collect())
    }

    /// Returns the total size of the texts of these inputs, if it is known before they are read.
    pub(crate) fn size_of_all(&self, inputs: &[FileArg]) -> Option<u64> {
        if self.opening.decompress { None } else { size_of_all(inputs) }
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
                Err(words) => trouble(words),
            }
        }
        Ok(())
    }
}

/// Paths that are named.
pub(crate) type Paths = Box<dyn Iterator<Item = anyhow::Result<PathBuf>> + Send>;

impl FileSelection {
    /// Walks below a directory, without what is not to be read there.
    pub(crate) fn walker(&self, top: &Path) -> anyhow::Result<TreeWalk> {
        let output = self.output();
        let enters = move |entry: &DirEntry| {
            let may_be = output.is_some() && is_dir(entry);
            !may_be || entry.path().canonicalize().ok() != output
        };
        let mut walk = WalkBuilder::new(top);
        walk.overrides(self.excluded(top)?);
        let rules = if self.no_ignore { None } else { IgnoreRules::new(top) };
        Ok(TreeWalk::new(&mut walk, rules, self.hidden, enters))
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

    /// Checks the globs, before anything is searched.
    pub(crate) fn check_globs(&self) -> anyhow::Result<()> {
        let top = Path::new(TOP);
        self.included(top).and_then(|_| self.excluded(top)).map(drop)
    }

    /// Returns the directories that are searched.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &Path> {
        let here = self.is_stdin().then_some(Path::new(TOP));
        let all = self.named.iter().map(PathBuf::as_path).chain(here);
        all.filter(|path| self.recursive && path.is_dir())
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
fn size_of_all(inputs: &[FileArg]) -> Option<u64> {
    inputs
        .iter()
        .map(|input| {
            let metadata = std::fs::metadata(input.path.as_deref()?).ok();
            // A missing file is reported when it is opened.
            metadata.map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
        })
        .sum()
}
