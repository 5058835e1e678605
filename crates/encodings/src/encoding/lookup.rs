//! Finds the row of an encoding by a name as people write it, or the closest names.
//!
//! ```text
//! name ─► exactly, except for case (entries that begin with =) ─► without - _ and blanks, except between digits ─► row
//!                                                                 latin1, Latin-1 and LATIN_1 are one name
//!                                                                 ISO-IR-9-2 is not ISO-IR-92
//! NAME@vendor ─► that vendor's table, where it differs from what the plain name means
//! ```
//!
//! The index is sorted text with a line per name: a binary search needs nothing to be built or relocated at the start.

use std::collections::BTreeSet;

use super::Encoding;
use super::charsets::{NAMES, all, row};
use crate::take_least;

/// The words that may follow `@` in a name: vendors whose lists of names are known, and those of the archive's tables.
pub const VENDORS: [&str; 13] = [
    "glibc",
    "libiconv",
    "icu",
    "python",
    "whatwg",
    "recode",
    "windows",
    "java",
    "databases",
    "macos",
    "ibm",
    "aix",
    "solaris",
];

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message(name, nearest))]
#[non_exhaustive]
pub struct UnknownEncoding {
    /// The name as it was given.
    pub name: String,
    /// Names that may have been meant, closest first, each of another encoding: at most three, or the usual members of
    /// the family that was named.
    pub nearest: Vec<Nearest>,
}

/// A name that may have been meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// The name or alias that is close to what was given.
    pub name: &'static str,
    /// The encoding that has it.
    pub encoding: &'static Encoding,
}

/// The name, followed by the canonical one if it is an alias.
impl std::fmt::Display for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        if self.name == self.encoding.name() {
            Ok(())
        } else {
            write!(f, " ({})", self.encoding.name())
        }
    }
}

/// Names that mean a family and none of its tables, and the members that people most often mean. What a vendor means by
/// such a name is `NAME@VENDOR`.
const FAMILIES: [(&str, &[(&str, &str)]); 1] = [(
    "ebcdic",
    &[
        ("IBM037", "United States, Canada"),
        ("IBM500", "international"),
        ("IBM1047", "z/OS Unix"),
        ("IBM273", "Germany, Austria"),
        ("IBM1140", "037 with the euro sign"),
    ],
)];

/// Returns the usual members of the family that has this name, each with its users.
fn family(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    let name = normalize(name);
    FAMILIES.iter().find(|(known, _)| *known == name).map(|(_, members)| *members)
}

fn message(name: &str, nearest: &[Nearest]) -> String {
    let Some(members) = family(name) else {
        return format!("unknown encoding '{name}'{}", did_you_mean(nearest));
    };
    let members: Vec<_> = members.iter().map(|(name, whose)| format!("{name} ({whose})")).collect();
    let (last, head) = members.split_last().map_or(("", &[][..]), |(last, head)| (last, head));
    format!("'{name}' is ambiguous: choose {} or {last}", head.join(", "))
}

/// Whether a name of UTF-8 requests a byte order mark in output: Python's `utf-8-sig`, or `utf-8-bom`, which editors
/// use.
pub fn asks_for_mark(name: &str) -> bool {
    matches!(&*normalize(name), "utf8sig" | "utf8bom")
}

fn did_you_mean(nearest: &[Nearest]) -> String {
    match nearest {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [head @ .., last] => {
            let head: Vec<_> = head.iter().map(ToString::to_string).collect();
            format!("; did you mean {} or {last}?", head.join(", "))
        }
    }
}

/// Returns the form in which names are compared: without case, and without `-`, `_` and blanks except between digits,
/// where any of them is `-`.
pub fn normalize(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    let mut separated = false;
    for c in name.chars() {
        if matches!(c, '-' | '_') || c.is_whitespace() {
            separated = true;
            continue;
        }
        if separated && c.is_ascii_digit() && normal.ends_with(|last: char| last.is_ascii_digit()) {
            normal.push('-');
        }
        separated = false;
        normal.push(c.to_ascii_lowercase());
    }
    normal
}

/// Looks up an entry of the index, by binary search over its bytes: the middle is moved to the start of a line.
///
/// `low` and `high` are always starts of lines, or the end, and what is looked for is in a line between them. Each step
/// drops the line in the middle and all on one side of it, so the search ends although lines differ in length.
fn entry(key: &str) -> Option<&'static Encoding> {
    NAMES.iter().find_map(|names| {
        let (mut low, mut high) = (0, names.len());
        while low < high {
            let middle = (low + high) / 2;
            let start = names[..middle].rfind('\n').map_or(0, |end| end + 1);
            let line = names[start..].lines().next()?;
            let (known, number) = line.rsplit_once(' ')?;
            match known.as_bytes().cmp(key.as_bytes()) {
                std::cmp::Ordering::Equal => return row(number.parse().ok()?),
                std::cmp::Ordering::Less => low = start + line.len() + 1,
                std::cmp::Ordering::Greater => high = start,
            }
        }
        None
    })
}

/// Looks up a name as it is. `NAME@vendor` is found too, if that vendor's table has an entry of its own.
fn plain(name: &str) -> Option<&'static Encoding> {
    entry(&format!("={}", name.to_ascii_lowercase())).or_else(|| entry(&normalize(name)))
}

impl Encoding {
    /// Returns the encoding that has `name` among its names. Case, `-`, `_` and spaces make no difference, except
    /// between digits.
    ///
    /// Where vendors differ, a plain name means what it means in glibc's iconv, or else in the first of GNU libiconv,
    /// ICU, Python, the Encoding Standard and recode that knows it. `NAME@icu`, `@whatwg`, `@windows`, `@java`,
    /// `@python`, `@ibm`, `@macos`, `@glibc` and `@libiconv` give the table of that vendor if it is another one.
    ///
    /// # Errors
    ///
    /// If no encoding has this name: [`UnknownEncoding`] has the closest names.
    ///
    /// ```
    /// # use oxiconv_encodings as oxiconv;
    /// use oxiconv::Encoding;
    ///
    /// assert_eq!(Encoding::for_name("latin1")?, Encoding::ISO_8859_1);
    /// let error = Encoding::for_name("utf9").unwrap_err().to_string();
    /// assert!(error.starts_with("unknown encoding 'utf9'; did you mean UTF-8"));
    /// # Ok::<(), oxiconv::UnknownEncoding>(())
    /// ```
    pub fn for_name(name: &str) -> Result<&'static Self, UnknownEncoding> {
        let of_vendor = || {
            let (name, vendor) = name.rsplit_once('@')?;
            VENDORS.iter().any(|known| known.eq_ignore_ascii_case(vendor)).then(|| plain(name))?
        };
        plain(name)
            .or_else(of_vendor)
            .ok_or_else(|| UnknownEncoding { name: name.to_owned(), nearest: nearest(name) })
    }

    /// Iterates over all encodings that the enabled features provide.
    ///
    /// ```
    /// # use oxiconv_encodings as oxiconv;
    /// use oxiconv::Encoding;
    ///
    /// assert!(Encoding::all().any(|encoding| encoding.name() == "UTF-16LE"));
    /// ```
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        all()
    }
}

/// Iterates over all names of an encoding, the canonical one first.
pub fn names(encoding: &Encoding) -> impl Iterator<Item = &'static str> {
    std::iter::once(encoding.name()).chain(encoding.aliases())
}

/// Returns what may have been meant by a name that no encoding has: the members of a family; the plain name, if only
/// the vendor is unknown; otherwise the three most similar names, each of another encoding.
///
/// Similarity is not enough. The number of a code page is its identity, so a name with other digits is offered only if
/// it is a form of Unicode, or has the digits in another order.
fn nearest(wanted: &str) -> Vec<Nearest> {
    if let Some(members) = family(wanted) {
        let member = |(name, _): &(&'static str, _)| Some(Nearest { name, encoding: plain(name)? });
        return members.iter().filter_map(member).collect();
    }
    // The name is right, but there is no such vendor.
    if let Some((name, _)) = wanted.rsplit_once('@')
        && let Some(encoding) = plain(name)
    {
        return vec![Nearest { name: encoding.name(), encoding }];
    }
    /// Names that are less similar have too little in common (0: nothing, 1: everything).
    const MIN_SIMILARITY: f64 = 0.6;
    /// No name is nearly as long, and the time of a comparison is the product of both lengths.
    const MAX_NAME_LEN: usize = 100;
    let wanted = normalize(wanted);
    if wanted.len() > MAX_NAME_LEN {
        return Vec::new();
    }
    let mut scored: Vec<(f64, Nearest)> = all()
        .filter_map(|encoding| {
            names(encoding)
                .map(|name| (name, normalize(name)))
                .filter(|(name, known)| {
                    is_form(encoding, name)
                        || have_same_digits(&wanted, known)
                        || is_transposed(&wanted, known)
                })
                .map(|(name, known)| {
                    (strsim::normalized_damerau_levenshtein(&wanted, &known), name)
                })
                // Of equally close names the first, which is the canonical one if it is among them.
                .reduce(|best, next| if next.0 > best.0 { next } else { best })
                .map(|(score, name)| (score, Nearest { name, encoding }))
        })
        .filter(|(score, _)| *score >= MIN_SIMILARITY)
        .collect();
    let best = take_least(&mut scored, 3, |(score, _)| -score);
    best.into_iter().map(|(_, nearest)| nearest).collect()
}

/// Whether a name is the canonical one of a form of Unicode, such as UTF-8. Those are offered whatever their digits.
/// Their code page numbers are not: `CP12007` is no misspelling of CP1200, which is UTF-16.
fn is_form(encoding: &Encoding, name: &str) -> bool {
    encoding.is_unicode() && name == encoding.name()
}

/// Whether two names have the same digits in the same order. The number of a code page is its identity: a name with
/// another number is no misspelling, but another set of characters.
fn have_same_digits(a: &str, b: &str) -> bool {
    let digits = |name: &str| name.bytes().filter(u8::is_ascii_digit).collect::<Vec<_>>();
    digits(a) == digits(b)
}

/// Whether two names differ only in a number that has the same digits in another order. One of the digits may be
/// repeated in place of another: `windows1525` for `windows1252`.
fn is_transposed(a: &str, b: &str) -> bool {
    const MAX_DISTANCE: usize = 2;
    let split = |name: &str| {
        let (digits, rest): (Vec<_>, Vec<_>) = name.bytes().partition(u8::is_ascii_digit);
        // A zero before a number would be another way to write it.
        (digits.first().copied(), digits.into_iter().collect::<BTreeSet<_>>(), rest)
    };
    a.len() == b.len() && split(a) == split(b) && strsim::damerau_levenshtein(a, b) <= MAX_DISTANCE
}

#[cfg(test)]
mod tests;
