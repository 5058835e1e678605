//! Wildcards, which shells of Windows leave to the program.
//!
//! Only the paths of a command line have any. PowerShell removes the quotes of a word without blanks, so nothing tells
//! `--include '*.txt'` from a word without quotes, and the values of options must stay what they are.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};

/// As in cmd and PowerShell, a name that begins with a dot is one like any other.
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

/// No name has a `*` or a `?`, so a path that has one is no file. Brackets are part of many names.
fn matches(path: &Path) -> Vec<PathBuf> {
    let text = path.to_str().unwrap_or_default();
    if !text.contains(['*', '?']) || text.starts_with(r"\\?\") {
        return Vec::new();
    }
    let found = glob_with(&text.replace('[', "[[]"), OPTIONS);
    found.into_iter().flatten().filter_map(Result::ok).collect()
}
