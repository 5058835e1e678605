//! The names of all encodings, and the rows of those that are data. tools/charsets/generate.py makes the files from
//! tools/charsets/charsets.tsv; nothing in them points anywhere, so that a program with 1,500 rows starts as quickly as
//! one with ten.

pub mod hand;
#[cfg(feature = "legacy")]
mod rows;

use super::Encoding;
#[cfg(feature = "legacy")]
use super::{Coding, SplitRule};
#[cfg(feature = "legacy")]
use crate::codec::Structure;

static TEXT: &str = include_str!("text.txt");
#[cfg(feature = "archive")]
static ARCHIVE_TEXT: &str = include_str!("text_archive.txt");

/// The sorted names, in the form in which they are compared, each with the number of its row.
pub static NAMES: &[&str] = &[
    include_str!("names_core.txt"),
    #[cfg(feature = "legacy")]
    include_str!("names.txt"),
    #[cfg(feature = "archive")]
    include_str!("names_archive.txt"),
];

/// A line of the text: name, summary, source, year, structure, vendors, common name, other names, with tabs between.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    at: u32,
    len: u16,
}

impl Line {
    pub const fn new(at: u32, len: u16) -> Self {
        Self { at, len }
    }

    /// Whether it is a line of the archive, whose text comes after all other.
    #[cfg(feature = "cli")]
    pub const fn is_in_archive(self) -> bool {
        self.at as usize >= TEXT.len()
    }

    fn field(self, number: usize) -> &'static str {
        let (at, len) = (self.at as usize, usize::from(self.len));
        let line = match TEXT.get(at..at + len) {
            Some(line) => line,
            #[cfg(feature = "archive")]
            None => &ARCHIVE_TEXT[at - TEXT.len()..][..len],
            #[cfg(not(feature = "archive"))]
            None => "",
        };
        line.split('\t').nth(number).unwrap_or_default()
    }

    fn optional(self, number: usize) -> Option<&'static str> {
        Some(self.field(number)).filter(|field| !field.is_empty())
    }

    fn words(self, number: usize) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.field(number).split(' ').filter(|word| !word.is_empty())
    }

    pub fn name(self) -> &'static str {
        self.field(0)
    }

    pub fn summary(self) -> &'static str {
        self.field(1)
    }

    pub fn source(self) -> &'static str {
        self.field(2)
    }

    pub fn year(self) -> Option<&'static str> {
        self.optional(3)
    }

    pub fn structure(self) -> Option<&'static str> {
        self.optional(4)
    }

    pub fn vendors(self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.words(5)
    }

    pub fn common_name(self) -> Option<&'static str> {
        self.optional(6)
    }

    pub fn aliases(self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.words(7)
    }
}

/// A row whose encoding is data.
#[cfg(feature = "legacy")]
const fn charset(at: u32, len: u16, structure: Structure) -> Encoding {
    Encoding {
        single_byte: matches!(structure, Structure::Single(_)),
        split: match structure {
            Structure::Single(_) => SplitRule::Units(1),
            Structure::Multi(multi) if multi.low => SplitRule::AfterLow,
            _ => SplitRule::Never,
        },
        ..Encoding::new(Line::new(at, len), Coding::Charset(structure))
    }
}

/// Returns the row with a number of the index; `None` if it is left out here.
pub fn row(number: usize) -> Option<&'static Encoding> {
    match number.checked_sub(hand::HAND_COUNT) {
        None => hand::HAND.get(number).copied(),
        #[cfg(feature = "legacy")]
        Some(number) if number < rows::MAIN.len() => Some(&rows::MAIN[number]),
        #[cfg(feature = "archive")]
        Some(number) => rows::ARCHIVE.get(number - rows::MAIN.len()),
        #[cfg(not(feature = "archive"))]
        Some(_) => None,
    }
}

/// Iterates over all rows.
pub fn all() -> impl Iterator<Item = &'static Encoding> + Clone {
    let all = hand::HAND.iter().copied();
    #[cfg(feature = "legacy")]
    let all = all.chain(&rows::MAIN);
    #[cfg(feature = "archive")]
    let all = all.chain(&rows::ARCHIVE);
    all
}
