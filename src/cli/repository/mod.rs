//! What a repository declares about its files: `.editorconfig`, `.gitattributes` and `oxiconv.toml`.
//!
//! ```text
//! the directory of an input ─► rules: each file of rules is read once, from the top down ─► Rules
//! Rules and a name ─► settings: oxiconv.toml over .gitattributes over .editorconfig ─► DeclaredSettings
//! DeclaredSettings and the options of the command line ─► FilePolicy (file_policy.rs)
//! ```
//!
//! How far up each kind of file is searched for differs:
//!
//! * `.editorconfig`: all directories above, up to a file that says `root = true`
//! * `.gitattributes`: all directories up to the top of the git repository
//! * `oxiconv.toml`: only the closest one, within the git repository
//!
//! The real directory of an input counts, so a path with `..` or through a symbolic link leads to the same rules. The
//! rules of a directory are read before its first input, by the one thread that searches for inputs. Therefore notes
//! and errors come in the same order in every run. Directories without rules are forgotten from time to time, so memory
//! does not grow with the tree.
//!
//! The tests compare with `git check-attr` and with the EditorConfig core for Python.

mod declaration;
mod editorconfig;
mod gitattributes;
mod glob;
mod oxiconv_toml;
mod settings;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use oxiconv_os::{plain_path, slashed};
use oxiconv_report::visible_path;

use super::bounded_file::{cost, read_small};
use super::files::FileArg;
use declaration::RuleFile;
pub(crate) use declaration::{Declared, DeclaringLine, RuleNote};
use editorconfig::EditorConfig;
use gitattributes::Attributes;
use oxiconv_os::reason;
use oxiconv_toml::OwnRules;
pub(crate) use oxiconv_toml::{DEFAULTS, FILE_NAME, TABLES};
pub(crate) use settings::DeclaredSettings;

/// The size limit of one file of rules, and of all together, in bytes. Parsed rules stay in memory for the run.
pub(super) const MAX_SIZE: u64 = 256 * 1024;
const MAX_TOTAL_SIZE: u64 = 1024 * 1024;

/// How many directories without rules are remembered.
const MAX_DIRECTORIES: usize = 1024;

#[derive(Default)]
pub(crate) struct Repository {
    loader: Loader,
    /// The rules by the directory part of an input's path as it was named. Cleared when it gets too large.
    named: HashMap<PathBuf, Rules>,
    /// Fast path: most inputs are in the same directory as the one before.
    last: Option<(PathBuf, Rules)>,
}

/// The rules for the inputs in one directory; `None` if there are none in it or above.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules(Option<Arc<RuleDirectory>>);

/// A directory with the rules in it, and a link to the one above.
#[derive(Debug)]
struct RuleDirectory {
    path: PathBuf,
    parent: Option<Arc<RuleDirectory>>,
    is_top: bool,
    editorconfig: Option<EditorConfig>,
    attributes: Option<Attributes>,
    own: Option<OwnRules>,
}

impl Repository {
    /// Returns the rules for an input, and reads those of its directory unless they are known.
    ///
    /// # Errors
    ///
    /// If an `oxiconv.toml` cannot be read.
    pub(crate) fn rules(&mut self, input: &FileArg) -> anyhow::Result<Rules> {
        let Some(path) = input.path.as_deref() else { return Ok(Rules::default()) };
        let named = parent(path);
        if let Some((last, rules)) = &self.last
            && last.as_os_str() == named.as_os_str()
        {
            return Ok(rules.clone());
        }
        let rules = match self.named.get(named) {
            Some(rules) => rules.clone(),
            None => self.read_rules(named)?,
        };
        self.last = Some((named.to_owned(), rules.clone()));
        Ok(rules)
    }

    fn read_rules(&mut self, named: &Path) -> anyhow::Result<Rules> {
        // A path that does not exist is reported when the input is opened.
        let Ok(real) = named.canonicalize() else { return Ok(Rules::default()) };
        let directory = self.loader.directory(&real)?;
        let has_rules = directory.chain().any(RuleDirectory::has_rules);
        let rules = Rules(has_rules.then_some(directory));
        if self.named.len() >= MAX_DIRECTORIES {
            self.named.clear();
        }
        self.named.insert(named.to_owned(), rules.clone());
        self.loader.forget(&real);
        Ok(rules)
    }

    /// Takes the notes on the rules that were read since the last call.
    pub(crate) fn take_notes(&mut self) -> Vec<RuleNote> {
        std::mem::take(&mut self.loader.notes)
    }
}

impl Rules {
    pub(crate) fn settings(&self, input: &FileArg) -> DeclaredSettings {
        let name = input.path.as_deref().and_then(Path::file_name);
        match (&self.0, name) {
            (Some(directory), Some(name)) => directory.settings(&directory.path.join(name)),
            _ => DeclaredSettings::default(),
        }
    }
}

/// Parses rules as if they were in a file of this name, and returns what they declare for `path`, and the notes. For
/// fuzzing.
///
/// # Errors
///
/// The message if they cannot be used at all.
pub(super) fn read_rules(name: &str, bytes: &[u8], path: &Path) -> Result<String, String> {
    let path = &*slashed(path);
    let (mut notes, mut settings) = (Vec::new(), DeclaredSettings::default());
    let mut file = RuleFile::new(Path::new(name).into(), &mut notes);
    match name {
        ".editorconfig" => EditorConfig::read(bytes, &mut file).apply(path, &mut settings),
        ".gitattributes" => {
            let attributes = Attributes::read(bytes, true, None, &mut file);
            settings = gitattributes::settings(&[(&attributes, path.into())]);
        }
        _ => {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            let rules = OwnRules::read(text, &file).map_err(|error| error.to_string())?;
            settings = rules.settings(path);
        }
    }
    file.finish();
    Ok(format!("{settings:?} {notes:?}"))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl RuleDirectory {
    fn has_rules(&self) -> bool {
        self.editorconfig.is_some() || self.attributes.is_some() || self.own.is_some()
    }

    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |directory| directory.parent.as_deref())
    }

    /// Iterates over this directory and those above it, up to the top of its git repository, or to the root if there is
    /// none.
    fn repository(&self) -> impl Iterator<Item = &Self> {
        let top = self.chain().position(|directory| directory.is_top);
        self.chain().take(top.map_or(usize::MAX, |top| top + 1))
    }

    fn relative<'p>(&self, path: &'p Path) -> Cow<'p, [u8]> {
        slashed(path.strip_prefix(&self.path).unwrap_or(path))
    }

    /// Merges what is declared for the file at `path`, which is in this directory.
    ///
    /// EditorConfig files are collected from the closest up to the first with `root = true`, and applied from the top
    /// down, so that closer ones override. `take_while` looks at the `root` of the file before: the one that says it is
    /// still included.
    fn settings(&self, path: &Path) -> DeclaredSettings {
        let own = self.repository().find_map(|directory| {
            Some(directory.own.as_ref()?.settings(&directory.relative(path)))
        });
        let attributes: Vec<_> = self
            .repository()
            .filter_map(|directory| {
                Some((directory.attributes.as_ref()?, directory.relative(path)))
            })
            .collect();
        let mut root = false;
        let configs: Vec<_> = self
            .chain()
            .filter_map(|directory| Some((directory.editorconfig.as_ref()?, directory)))
            .take_while(|(config, _)| !std::mem::replace(&mut root, config.root))
            .collect();
        let mut weakest = DeclaredSettings::default();
        for (config, directory) in configs.into_iter().rev() {
            config.apply(&directory.relative(path), &mut weakest);
        }
        own.unwrap_or_default().over(gitattributes::settings(&attributes)).over(weakest)
    }
}

#[derive(Default)]
struct Loader {
    known: HashMap<PathBuf, Arc<RuleDirectory>>,
    notes: Vec<RuleNote>,
    /// The size of all files of rules read so far.
    bytes: u64,
    /// The directories read since those without rules were last forgotten.
    plain: usize,
}

impl Loader {
    /// Returns the directory at `path`, which is absolute and has no symbolic links.
    ///
    /// Recurses to the root first, because a `.gitattributes` is read knowing the macros of the topmost one. That is
    /// the one at the top of the git repository or, outside of any, the topmost that exists.
    fn directory(&mut self, path: &Path) -> anyhow::Result<Arc<RuleDirectory>> {
        if let Some(known) = self.known.get(path) {
            return Ok(Arc::clone(known));
        }
        let parent = path.parent().map(|parent| self.directory(parent)).transpose()?;
        let is_top = path.join(".git").symlink_metadata().is_ok();
        let in_git =
            |directory: &RuleDirectory| directory.chain().any(|directory| directory.is_top);
        let below_top = parent.as_deref().is_some_and(|parent| {
            in_git(parent) || parent.chain().any(|directory| directory.attributes.is_some())
        });
        let outermost = is_top || !below_top;
        let editorconfig = self.rules(path, ".editorconfig", EditorConfig::read);
        let attributes = self.rules(path, ".gitattributes", |bytes, file| {
            let above = parent.iter().flat_map(|parent| parent.repository());
            let top = above.filter_map(|directory| directory.attributes.as_ref()).last();
            Attributes::read(bytes, outermost, top, file)
        });
        let own = self.own_rules(path)?;
        let directory =
            RuleDirectory { path: path.to_owned(), parent, is_top, editorconfig, attributes, own };
        let directory = Arc::new(directory);
        self.known.insert(path.to_owned(), Arc::clone(&directory));
        Ok(directory)
    }

    /// Forgets directories without rules once there are many. Those above `path` stay: one of them may have a file that
    /// cannot be read, which was noted and must not be noted again.
    fn forget(&mut self, path: &Path) {
        self.plain += 1;
        if self.plain >= MAX_DIRECTORIES {
            self.plain = 0;
            self.known.retain(|known, directory| directory.has_rules() || path.starts_with(known));
        }
    }

    /// Reads a file of rules of another program. Faults in it are only noted, unlike those in `oxiconv.toml`.
    fn rules<T>(
        &mut self,
        directory: &Path,
        name: &str,
        read: impl FnOnce(&[u8], &mut RuleFile<'_>) -> T,
    ) -> Option<T> {
        let path = directory.join(name);
        let bytes = self.bytes_of(&path).transpose()?;
        let mut file = RuleFile::new(label(&path), &mut self.notes);
        let rules = match bytes {
            Ok(bytes) => Some(read(&bytes, &mut file)),
            Err(error) => {
                file.note(None, &format!("cannot be read: {}; ignored", reason(&error)));
                None
            }
        };
        file.finish();
        rules
    }

    fn own_rules(&mut self, directory: &Path) -> anyhow::Result<Option<OwnRules>> {
        let path = directory.join(FILE_NAME);
        let Some(bytes) = self.bytes_of(&path).transpose() else { return Ok(None) };
        let file = RuleFile::new(label(&path), &mut self.notes);
        let name = || visible_path(&file.label);
        let bytes = bytes.with_context(name)?;
        let text = std::str::from_utf8(&bytes).with_context(name)?;
        OwnRules::read(text, &file).map(Some)
    }

    /// Reads a file if it exists, within the limits.
    fn bytes_of(&mut self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let bytes = read_small(path, MAX_SIZE)?;
        self.bytes += bytes.as_deref().map_or(0, cost);
        if self.bytes > MAX_TOTAL_SIZE {
            return Err(io::Error::other("more than 1 MiB of rules in all"));
        }
        Ok(bytes)
    }
}

/// Returns the path of a file of rules for messages: relative to the current directory (`a/.editorconfig`,
/// `../.editorconfig`) unless it is in neither a directory below nor above.
pub(super) fn label(path: &Path) -> Arc<Path> {
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    // What the environment names may be by another spelling: a short name of Windows, or through a link.
    let real = path.parent().and_then(|directory| fs::canonicalize(directory).ok());
    let real = real.zip(path.file_name()).map(|(directory, name)| directory.join(name));
    let (here, path) = (plain_path(&here), plain_path(real.as_deref().unwrap_or(path)));
    let directory = path.parent().unwrap_or(path);
    if let Ok(below) = path.strip_prefix(here) {
        return below.into();
    }
    match here.strip_prefix(directory) {
        Ok(above) => {
            let up: PathBuf = above.components().map(|_| "..").collect();
            up.join(path.file_name().unwrap_or_default()).into()
        }
        Err(_) => path.into(),
    }
}
