//! The names of all encodings, and the rows of those that are data.
//!
//! ```text
//! tools/charsets/charsets.tsv ─┐                  ┌─► this folder: rows, descriptions, names sorted for lookup
//! tools/charsets/names/        ├─► generate.py ───┤
//! tools/charsets/sources/      ┘                  └─► codec/set/: the sets of codes
//! ```
//!
//! A row of the table has a name, a structure, a source with corrections, and the converters of other programs that it
//! equals. Its other names are those that these programs list. Where two programs mean different tables by one name,
//! the plain name has glibc's meaning, and `NAME@icu` and the like lead to the others. CONTRIBUTING.md has the columns
//! and the steps to add a row.
//!
//! Rows hold numbers and no pointers, so they need no relocation: a program with 1,500 rows starts as quickly as one
//! with ten. `ci/charsets` compares every sequence of every charset with glibc, ICU, Python and encoding_rs, in both
//! directions, and fails on a difference that `ci/charsets.known` does not explain.

#[cfg(feature = "legacy")]
mod charset_rows;
pub mod hand;
mod order;

use super::Encoding;

/// The sorted names, in the form in which they are compared, each with the number of its row.
pub static NAMES: &[&str] = &[
    include_str!("names_core.txt"),
    #[cfg(feature = "legacy")]
    include_str!("names.txt"),
    #[cfg(feature = "archive")]
    include_str!("names_archive.txt"),
];

/// The names that iconv lists and that differ from a name of a row only in case, `-`, `_` and blanks, one per line.
pub const SPELLINGS: &str = include_str!("spellings.txt");

/// The groups of encodings, one per line: script, family and the numbers of the rows.
#[cfg(feature = "legacy")]
pub const GROUPS: &str = include_str!("groups.txt");

/// The charsets that detection considers, one per line: the number of the row, how rare it is in bits, and its
/// group.
#[cfg(feature = "legacy")]
pub const CANDIDATES: &str = include_str!("candidates.txt");

/// Returns the row with this number in the index; `None` if the features leave it out. First come the rows of
/// `registry.rs`, then the main ones, then the archive.
pub fn row(number: usize) -> Option<&'static Encoding> {
    match number.checked_sub(hand::HAND_COUNT) {
        None => order::HAND.get(number).copied(),
        #[cfg(feature = "legacy")]
        Some(number) if number < charset_rows::MAIN.len() => Some(&charset_rows::MAIN[number]),
        #[cfg(feature = "archive")]
        Some(number) => charset_rows::ARCHIVE.get(number - charset_rows::MAIN.len()),
        #[cfg(not(feature = "archive"))]
        Some(_) => None,
    }
}

/// Iterates over all rows.
pub fn all() -> impl Iterator<Item = &'static Encoding> + Clone {
    let all = order::HAND.iter().copied();
    #[cfg(feature = "legacy")]
    let all = all.chain(&charset_rows::MAIN);
    #[cfg(feature = "archive")]
    let all = all.chain(&charset_rows::ARCHIVE);
    all
}
