//! Wildcards, which shells of Windows leave to the program.
//!
//! Only the paths of a command line have any. PowerShell removes the quotes of a word without blanks, so nothing tells
//! `--include '*.txt'` from a word without quotes, and the values of options must stay what they are.

use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};

use super::file_io::is_hidden;

/// [`is_hidden`] has the rule for names that begin with a dot: glob's own also leaves out those that are named.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Returns the paths, with each that has wildcards replaced by the files that match it. One without matches stays, so
/// that an error names it.
pub fn expand_wildcards(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let expanded = |path: PathBuf| match matches(&path) {
        found if found.is_empty() => vec![path],
        found => found,
    };
    paths.into_iter().flat_map(expanded).collect()
}

/// No name has a `*` or a `?`, so a path that has one is no file. Brackets are part of many names. `**` is left to `-r`.
fn matches(path: &Path) -> Vec<PathBuf> {
    let text = path.to_str().unwrap_or_default();
    if !text.contains(['*', '?']) || text.contains("**") || text.starts_with(r"\\?\") {
        return Vec::new();
    }
    // Since the days of MS-DOS, `*.*` is every name, also one without a dot.
    let text = text.strip_suffix(".*").filter(|text| text.ends_with('*')).unwrap_or(text);
    let found = glob_with(&text.replace('[', "[[]"), OPTIONS);
    let found = found.into_iter().flatten().filter_map(Result::ok);
    found.filter(|found| !is_hidden_match(found, Path::new(text))).collect()
}

/// Whether a wildcard stands for a hidden name, which no shell of Unix allows: `*` is not `.git` or `desktop.ini`.
fn is_hidden_match(found: &Path, pattern: &Path) -> bool {
    // Each component matches one, so both paths have as many, but for a `.` at the start.
    found.ancestors().zip(pattern.ancestors()).any(|(found, pattern)| {
        let (Some(name), Some(pattern)) = (found.file_name(), pattern.file_name()) else {
            return false;
        };
        let pattern = pattern.as_encoded_bytes();
        let is_named = pattern.starts_with(b".") || !pattern.iter().any(|it| b"*?".contains(it));
        !is_named && is_hidden(name, || fs::symlink_metadata(found).ok())
    })
}
