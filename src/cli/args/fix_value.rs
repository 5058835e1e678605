//! The values of `--fix` and `--min-confidence`.

use super::value_parsers::{Keyword, keyword, number};

/// Which files `--fix` changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FixMode {
    /// All that it is certain of.
    All,
    /// Those that the user agrees to.
    Ask,
}

pub(super) const HOW: [Keyword<FixMode>; 2] = [
    keyword("all", FixMode::All, "Fix all files whose encoding is certain"),
    keyword("ask", FixMode::Ask, "Ask about each file, on the terminal"),
];

pub(super) fn min_confidence(value: &str) -> Result<u8, String> {
    match number("--min-confidence", value.trim_end_matches([' ', '%']))? {
        percent @ 50..=100 => Ok(percent),
        _ => Err("--min-confidence must be from 50 to 100".to_owned()),
    }
}
