//! Finds and reads the files that may have `[defaults]`.
//!
//! A run without one asks the system once for each directory above it, and once for the file of the user: nothing is
//! opened. Whether a directory is in a repository is asked only if there is an `oxiconv.toml`.

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::{Command, CommandFactory};
use toml::de::DeValue;

use oxiconv_os::{exists, user_config_directory};
use oxiconv_report::visible_path;

use super::default_key::{DefaultKey, DefaultValue, KEYS};
use crate::cli::args::{self, Args};
use crate::cli::bounded_file::read_small;
use crate::cli::repository::{DEFAULTS, DeclaringLine, FILE_NAME, MAX_SIZE, TABLES, label};
use crate::cli::toml_reader::{SpannedValue, TomlReader};
use crate::cli::usage;

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DefaultsOwner {
    User,
    /// Whoever wrote the repository. The user may just have cloned it.
    Repository,
}

/// A line of `[defaults]`.
pub(super) struct DeclaredDefault {
    pub(super) key: &'static DefaultKey,
    /// The arguments with this option alone. `None` if the line says that it is not given.
    pub(super) args: Option<Args>,
    pub(super) by: DeclaringLine,
}

/// Returns the defaults of both files. Those of the repository replace those of the user.
pub(super) fn declared() -> anyhow::Result<Vec<DeclaredDefault>> {
    let user = user_file().filter(|path| exists(path));
    let in_repository = repository_file(user.as_deref());
    let mut command = None;
    let mut declared = Vec::new();
    for (owner, path) in [(DefaultsOwner::User, user), (DefaultsOwner::Repository, in_repository)] {
        let Some(path) = path else { continue };
        let name = label(&path);
        let bytes = bytes_of(&path).with_context(|| visible_path(&name))?;
        let Some(bytes) = bytes else { continue };
        let text = std::str::from_utf8(&bytes).with_context(|| visible_path(&name))?;
        let new =
            DefaultsReader { toml: TomlReader::new(text, &name), owner }.read(&mut command)?;
        declared.retain(|old: &DeclaredDefault| new.iter().all(|it| it.key.name != old.key.name));
        declared.extend(new);
    }
    // As in `args::parse`, freeing it would take time.
    std::mem::forget(command);
    Ok(declared)
}

/// Reads `[defaults]` of a repository, for fuzzing.
pub(super) fn read(text: &str, name: &Arc<Path>) -> anyhow::Result<Vec<DeclaredDefault>> {
    let toml = TomlReader::new(text, name);
    DefaultsReader { toml, owner: DefaultsOwner::Repository }.read(&mut None)
}

/// Returns the path of the user's own file, which may not exist.
fn user_file() -> Option<PathBuf> {
    Some(user_config_directory()?.join("oxiconv").join(FILE_NAME))
}

/// Returns the path of the closest file in the repository of the current directory, except that of the user.
///
/// Outside of a repository there is none, so that nobody can put one above the directories of others.
fn repository_file(user: Option<&Path>) -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let closest = here.ancestors().find(|directory| exists(&directory.join(FILE_NAME)))?;
    let is_top = |directory: &Path| directory.join(".git").symlink_metadata().is_ok();
    let mut below = here.ancestors().take_while(|directory| *directory != closest);
    if below.any(is_top) || !closest.ancestors().any(is_top) {
        return None;
    }
    let path = closest.join(FILE_NAME);
    let is_of_user = user.is_some_and(|user| match (user.canonicalize(), path.canonicalize()) {
        (Ok(user), Ok(path)) => user == path,
        _ => false,
    });
    (!is_of_user).then_some(path)
}

/// Reads a file. A directory that may not be searched, such as the home of another user, has none.
fn bytes_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read_small(path, MAX_SIZE) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
        read => read,
    }
}

struct DefaultsReader<'a> {
    toml: TomlReader<'a>,
    owner: DefaultsOwner,
}

impl DefaultsReader<'_> {
    /// Reads the table. `command` is the definition of the options, which is made if it is needed.
    fn read(&self, command: &mut Option<Command>) -> anyhow::Result<Vec<DeclaredDefault>> {
        let table = self.toml.parse()?;
        let mut declared = Vec::new();
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), self.owner) {
                (DEFAULTS, _) => {
                    for (key, value) in self.toml.table(value)? {
                        let known = self.key(key.get_ref(), &key.span())?;
                        let command = command.get_or_insert_with(Args::command);
                        let args = self.parse(known, value, command)?;
                        let words = format!("{} = {}", known.name, self.toml.written(value));
                        let by = self.toml.line(&key.span(), &words);
                        declared.push(DeclaredDefault { key: known, args, by });
                    }
                }
                // The rules are read with the files that they are about.
                (other, DefaultsOwner::Repository) if TABLES.contains(&other) => {}
                (_, DefaultsOwner::Repository) => {
                    return Err(self.toml.unknown(&key.span(), &TABLES));
                }
                (_, DefaultsOwner::User) => {
                    return Err(self.toml.unknown(&key.span(), &[DEFAULTS]));
                }
            }
        }
        Ok(declared)
    }

    fn key(&self, name: &str, at: &Range<usize>) -> anyhow::Result<&'static DefaultKey> {
        let allowed = KEYS.iter().filter(|key| key.is_allowed(self.owner));
        let allowed: Vec<_> = allowed.map(|key| key.name).collect();
        match KEYS.iter().find(|key| key.name == name) {
            Some(key) if key.is_allowed(self.owner) => Ok(key),
            Some(_) => {
                let here = allowed.join(", ");
                let words = format!(
                    "{name} is a default only in your own ~/.config/oxiconv/{FILE_NAME} (in a repository: {here})"
                );
                Err(self.toml.error(at, &words))
            }
            None => Err(self.toml.unknown(at, &allowed)),
        }
    }

    /// Parses a value as if it were on the command line. Returns the arguments with this option alone.
    fn parse(
        &self,
        key: &DefaultKey,
        value: &SpannedValue<'_>,
        command: &mut Command,
    ) -> anyhow::Result<Option<Args>> {
        let word = match key.value {
            DefaultValue::Flag if !self.toml.flag(value)? => return Ok(None),
            DefaultValue::Flag => format!("--{}", key.name),
            DefaultValue::Text => format!("--{}={}", key.name, self.toml.string(value)?),
            DefaultValue::Number => match value.get_ref() {
                DeValue::Integer(_) => format!("--{}={}", key.name, self.toml.written(value)),
                _ => return Err(self.toml.error(&value.span(), "this must be a number")),
            },
            DefaultValue::List => match value.get_ref() {
                DeValue::String(one) => format!("--{}={one}", key.name),
                _ => {
                    let values = self.toml.array(value)?.iter().map(|one| self.toml.string(one));
                    let values: Vec<_> = values.collect::<Result<_, _>>()?;
                    format!("--{}={}", key.name, values.join(","))
                }
            },
        };
        let parsed = args::read(command, &["oxiconv".into(), OsString::from(word)])
            .map_err(|error| anyhow!(usage::message(&error, command)));
        let fault = |words: &str| self.toml.error(&value.span(), words);
        let args = parsed.map_err(|error| fault(&error.to_string()))?;
        match key.fault(&args) {
            Some(words) => Err(fault(words)),
            None => Ok(Some(args)),
        }
    }
}
