//! `[defaults]` in `oxiconv.toml`: options of conversions for runs whose command line does not give them.
//! docs/defaults.md describes it.
//!
//! ```text
//! the user's file, the repository's file ─► DeclaredDefault: a line, and what clap makes of it
//!                                                │ unless the command line says it, or excludes it
//! Args of the command line ──────────────────────┴─► Args
//! ```
//!
//! So a value is parsed by the parser of its option, and whether it fits the command line is decided by the rules about
//! combinations. Under the name `iconv` no file is looked for.

mod default_file;
mod default_key;

use std::path::Path;
use std::sync::Arc;

use self::default_file::DeclaredDefault;
use self::default_key::KEYS;
use super::args::Args;
use super::combinations;
use super::if_invalid;
use super::repository::DeclaringLine;
use super::requested_conversion::conversion;

/// Adds the defaults to the arguments of a conversion. Returns the lines that apply, for `-v`.
///
/// # Errors
///
/// If a file cannot be read, or has an unknown key or value.
pub(crate) fn apply(args: &mut Args) -> anyhow::Result<Vec<DeclaringLine>> {
    let mut declared = default_file::declared()?;
    declared.retain(|default| !default.key.is_given(args));
    let mut lines = Vec::new();
    for key in &KEYS {
        let default = declared.iter_mut().find(|default| default.key.name == key.name);
        let Some(DeclaredDefault { args: Some(value), by, .. }) = default else { continue };
        (key.swap)(args, value);
        args.given.add(&key.id());
        if let Err(error) = check(args) {
            (key.swap)(args, value);
            args.given.remove(&key.id());
            by.words += &format!(", which has no effect: {error}");
        }
        lines.push(by.clone());
    }
    Ok(lines)
}

/// Fails if these arguments are refused.
fn check(args: &Args) -> anyhow::Result<()> {
    let mode = combinations::mode(args)?;
    let (conversion, _) = conversion(args, mode)?;
    if args.output.if_invalid {
        if_invalid::check_target(&conversion)?;
    }
    Ok(())
}

/// Reads the defaults of a repository as if they were in a file of this name, for fuzzing.
///
/// # Errors
///
/// The message if they cannot be used.
pub(super) fn read(name: &str, text: &str) -> Result<String, String> {
    let name: Arc<Path> = Path::new(name).into();
    let declared = default_file::read(text, &name).map_err(|error| error.to_string())?;
    let lines = declared.iter().map(|default| format!("{} {:?}\n", default.by, default.args));
    Ok(lines.collect())
}
