//! Which files a run reads: those named, those in a list, and those below directories, as far as globs and ignore rules
//! select them.

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
use super::name_list::{NameList, STDIN, is_rereadable};
use super::tree_walk::{TreeWalk, is_dir};
use oxiconv_os::reason;

const TOP: &str = ".";

#[derive(Debug)]
pub(crate) struct FileSelection {
    pub(crate) named: Vec<PathBuf>,
    pub(crate) files0_from: Option<PathBuf>,
    pub(crate) recursive: bool,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) hidden: bool,
    /// Read files that `.gitignore` and the like exclude.
    pub(crate) no_ignore: bool,
    /// The directories of outputs and of backups, at most one of which is given. Nothing below it is read, or the run
    /// would find what it has written.
    pub(crate) output_dir: Option<PathBuf>,
    pub(crate) backup_dir: Option<PathBuf>,
    pub(crate) opening: OpenMode,
    /// The bytes of a list that came through a pipe, if the inputs are listed more than once. A pipe can be read only
    /// once, and the bytes take less memory than a path for each name.
    pub(crate) kept_list: OnceLock<Arc<[u8]>>,
}

/// One input, or the name of an output in messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileArg {
    /// `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was found in a directory. Files that the user names are never skipped as binary.
    pub(crate) found: bool,
    /// The part to read, if that is not the whole file.
    pub(crate) part: Option<FilePart>,
    pub(crate) opening: OpenMode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenMode {
    pub(crate) decompress: bool,
    /// Whether the text has record descriptor words between its records, which tell nothing of its encoding.
    pub(crate) has_descriptors: bool,
    pub(crate) access: Access,
}

/// A shard's part of a file. `shard_piece.rs` moves each border to the next place where the text can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    /// In bytes of the whole file.
    pub(crate) borders: Range<u64>,
    /// The length of the whole file in bytes.
    pub(crate) size: u64,
}

/// A file, a directory, or anything else that `--names` can rename.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) path: PathBuf,
    pub(crate) is_link: bool,
    /// The top of the directory tree in which it was found; `None` if it was named.
    pub(crate) tree: Option<Rc<Path>>,
}

impl FileArg {
    pub(crate) fn label(&self) -> String {
        self.subject().label()
    }

    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject::of_path(self.path.as_deref())
    }

    /// Creates the input that an argument names; `-` is standard input.
    pub(crate) fn named(path: PathBuf) -> Self {
        let path = Some(path).filter(|path| path.as_os_str() != STDIN);
        Self { path, ..Self::default() }
    }

    /// Creates a name for messages about an output file.
    pub(crate) fn output(path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..Self::default() }
    }
}

impl FileSelection {
    /// Whether nothing is named, so that standard input is read.
    pub(crate) fn is_stdin(&self) -> bool {
        self.named.is_empty() && self.files0_from.is_none()
    }

    /// Passes everything that has a name to `visit`: files, directories, symbolic links and all else. Messages about
    /// what cannot be read go to `report_error`.
    pub(crate) fn names(
        &self,
        mut visit: impl FnMut(Name),
        mut report_error: impl FnMut(String),
    ) -> anyhow::Result<()> {
        for path in self.paths()? {
            let path = path?;
            // The link itself, not its target, is what has the name. Only with a trailing slash does the path of a link
            // mean the directory to which it leads.
            let kind = match path.symlink_metadata() {
                Ok(metadata) => metadata.file_type(),
                Err(error) => {
                    report_error(format!("{}: {}", visible_path(&path), reason(&error)));
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
            self.walk(&path, &mut visit, &mut report_error)?;
        }
        Ok(())
    }

    /// Returns the paths on the command line, then those in the list, each as soon as it is read.
    ///
    /// # Errors
    ///
    /// If the list cannot be opened.
    pub(crate) fn paths(&self) -> anyhow::Result<Paths> {
        let open = |path| match self.kept_list.get() {
            Some(kept) => Ok(NameList::kept(path, Arc::clone(kept))),
            None => NameList::open(path),
        };
        let list = self.files0_from.as_deref().map(open).transpose()?;
        Ok(Box::new(self.on_command_line().map(Ok).chain(list.into_iter().flatten())))
    }

    /// Returns the paths that can be listed again later: all of them, or only those on the command line if the list
    /// comes through a pipe.
    pub(crate) fn rereadable_paths(&self) -> anyhow::Result<Paths> {
        if self.is_rereadable() {
            self.paths()
        } else {
            Ok(Box::new(self.on_command_line().map(Ok)))
        }
    }

    fn on_command_line(&self) -> std::vec::IntoIter<PathBuf> {
        let here = if self.recursive { TOP } else { STDIN };
        let here = self.is_stdin().then(|| here.into());
        let named: Vec<_> = self.named.iter().cloned().chain(here).collect();
        named.into_iter()
    }

    /// Whether the inputs can be listed a second time.
    pub(crate) fn is_rereadable(&self) -> bool {
        self.kept_list.get().is_some() || self.files0_from.as_deref().is_none_or(is_rereadable)
    }

    /// Makes sure that the inputs can be listed a second time: a list that comes through a pipe is read to its end, and
    /// its bytes are kept.
    pub(crate) fn make_rereadable(&self) -> anyhow::Result<()> {
        if let Some(list) = self.files0_from.as_deref().filter(|_| !self.is_rereadable()) {
            let kept = NameList::open(list)?.read_all()?;
            self.kept_list.get_or_init(|| kept.into());
        }
        Ok(())
    }

    /// Returns the inputs if all of them are on the command line, so that nothing needs to be searched.
    pub(crate) fn all_named(&self) -> Option<Vec<FileArg>> {
        let is_searched = self.files0_from.is_some() || self.tops().next().is_some();
        (!is_searched).then(|| self.on_command_line().map(FileArg::named).collect())
    }

    /// Returns the total size of these inputs. `None` if it is not known before they are read, as with compressed
    /// files.
    pub(crate) fn size_of_all(&self, inputs: &[FileArg]) -> Option<u64> {
        if self.opening.decompress { None } else { size_of_all(inputs) }
    }

    fn walk(
        &self,
        top: &Path,
        visit: &mut dyn FnMut(DirEntry),
        report_error: &mut dyn FnMut(String),
    ) -> anyhow::Result<()> {
        for entry in self.walker(top)? {
            match entry {
                Ok(entry) => visit(entry),
                Err(words) => report_error(words),
            }
        }
        Ok(())
    }
}

pub(crate) type Paths = Box<dyn Iterator<Item = anyhow::Result<PathBuf>> + Send>;

impl FileSelection {
    /// Begins a walk below a directory that leaves out what is excluded, except by `--include`, which is about files
    /// only.
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

    /// Returns the directory of outputs or backups without symbolic links, if it exists.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        self.output_dir.as_ref().or(self.backup_dir.as_ref())?.canonicalize().ok()
    }

    /// Returns the globs of `--include`. As long as there are any, a file that matches none is ignored.
    ///
    /// That holds for files only. A directory that matches none is neither selected nor ignored, because files below it
    /// may match. So `is_ignore` is the question for a file, and `is_whitelist` the one for an entry that may be a
    /// directory (`names`).
    pub(crate) fn included(&self, top: &Path) -> anyhow::Result<Override> {
        globs(top, &self.include, "--include", "")
    }

    /// Returns the globs of `--exclude`. What they match is ignored.
    pub(crate) fn excluded(&self, top: &Path) -> anyhow::Result<Override> {
        globs(top, &self.exclude, "--exclude", "!")
    }

    /// Reports a wrong glob before anything is searched, even if no directory is.
    pub(crate) fn check_globs(&self) -> anyhow::Result<()> {
        let top = Path::new(TOP);
        self.included(top).and_then(|_| self.excluded(top)).map(drop)
    }

    /// Returns the directories on the command line that are searched.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &Path> {
        let here = self.is_stdin().then_some(Path::new(TOP));
        let all = self.named.iter().map(PathBuf::as_path).chain(here);
        all.filter(|path| self.recursive && path.is_dir())
    }
}

/// Builds the globs of an option. In an `Override`, unlike in a `.gitignore`, a plain glob selects, and one with `!`
/// before it excludes. Paths are shown as `./vendor/a.c`, so a `./` before the glob binds it to the directory.
fn globs(top: &Path, globs: &[String], option: &str, sign: &str) -> anyhow::Result<Override> {
    let mut builder = OverrideBuilder::new(top);
    for glob in globs {
        if glob.is_empty() {
            bail!("{option} requires a glob, not an empty argument");
        }
        // A `/` binds a glob to the directory that is searched, as `./` does in the paths that are printed.
        let rest = glob.trim_start_matches("./");
        let glob_of_paths = match glob.starts_with("./") && !rest.is_empty() {
            true => format!("{sign}/{rest}"),
            false => format!("{sign}{glob}"),
        };
        builder.add(&glob_of_paths).with_context(|| format!("{option} '{glob}'"))?;
    }
    Ok(builder.build()?)
}

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
