//! Names of encodings as iconv reads them: with suffixes, and with some meanings of their own.
//!
//! ```text
//! ISO-10646/UCS4//TRANSLIT/IGNORE ─► name ISO-10646/UCS4, words IGNORE and TRANSLIT
//! latin1//IGNORE,TRANSLIT         ─► name latin1, the same words
//! UTF-8//                         ─► name UTF-8
//! ```
//!
//! The rules are those of glibc. Blanks, `/` and `,` at the end are ignored. If a name has two slashes or more, what
//! follows its last `/` or `,` is a suffix, which is removed; this is repeated until fewer than two slashes are left.
//! With one slash, `ISO-10646/UCS4` is a name, and `latin1/TRANSLIT` an unknown one.

use super::{Encoding, UnknownEncoding};
use crate::codec::ByteOrder;

/// GNU libiconv's name for the charset of the locale. glibc's is the empty name.
const OF_LOCALE: &str = "char";

/// What the suffixes of a name request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// `TRANSLIT`: a character that the target lacks is replaced by similar text.
    pub transliterate: bool,
    /// `IGNORE`: whatever cannot be converted is dropped.
    pub ignore: bool,
    /// `NON_IDENTICAL_DISCARD`, of GNU libiconv: unmappable characters are dropped.
    pub discard: bool,
    /// Ill-formed subsequences are dropped. No suffix requests only this, but `iconvctl` of GNU libiconv can.
    pub discard_ill_formed: bool,
}

impl Suffixes {
    /// Returns what either of the two requests.
    pub fn and(self, other: Self) -> Self {
        Self {
            transliterate: self.transliterate || other.transliterate,
            ignore: self.ignore || other.ignore,
            discard: self.discard || other.discard,
            discard_ill_formed: self.discard_ill_formed || other.discard_ill_formed,
        }
    }

    /// Whether ill-formed subsequences are dropped.
    pub fn skips_ill_formed(self) -> bool {
        self.ignore || self.discard_ill_formed
    }

    /// Adds what a word requests, and returns whether the word is known.
    fn add(&mut self, word: &str) -> bool {
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        self.transliterate |= is("TRANSLIT");
        self.ignore |= is("IGNORE");
        self.discard |= is("NON_IDENTICAL_DISCARD");
        is("TRANSLIT") || is("IGNORE") || is("NON_IDENTICAL_DISCARD")
    }
}

/// A name without its suffixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuffixedName<'a> {
    /// The name of the encoding; it may be empty.
    pub name: &'a str,
    /// What the known suffixes request.
    pub suffixes: Suffixes,
    /// The first unknown suffix, if there is one.
    pub unknown: Option<&'a str>,
}

impl<'a> SuffixedName<'a> {
    /// Splits a name from its suffixes.
    pub fn new(code: &'a str) -> Self {
        let is_separator = |c: char| matches!(c, '/' | ',');
        let trimmed = |code: &'a str| {
            code.trim_end_matches(|c: char| is_separator(c) || c.is_ascii_whitespace())
        };
        let mut split = Self { name: trimmed(code), suffixes: Suffixes::default(), unknown: None };
        while split.name.matches('/').count() >= 2
            && let Some(at) = split.name.rfind(is_separator)
        {
            let word = &split.name[at + 1..];
            if !split.suffixes.add(word) {
                split.unknown = Some(word);
            }
            split.name = trimmed(&split.name[..at]);
        }
        split
    }

    /// Splits a path from its suffixes. Paths have slashes of their own, so only known words after two slashes are
    /// suffixes: `./x.ucm//TRANSLIT`, `a//b/x.ucm//`.
    pub fn of_path(code: &'a str) -> Self {
        let mut split = Self { name: code, suffixes: Suffixes::default(), unknown: None };
        while let Some((path, words)) = split.name.rsplit_once("//") {
            let mut suffixes = split.suffixes;
            let words = words.split([',', '/']).map(str::trim).filter(|word| !word.is_empty());
            if path.is_empty() || !words.into_iter().all(|word| suffixes.add(word)) {
                break;
            }
            split = Self { name: path, suffixes, unknown: None };
        }
        split
    }
}

/// The byte order of the machine.
pub const NATIVE: ByteOrder =
    if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// An encoding as glibc's iconv reads and writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IconvEncoding {
    /// For reading. If it is unmarked, a byte order mark gives the byte order, or else that of the machine is used.
    pub read: &'static Encoding,
    /// For writing.
    pub written: &'static Encoding,
    /// Whether a byte order mark is written before the text.
    pub marked: bool,
}

impl IconvEncoding {
    /// Returns the encoding that `code`, a name with suffixes, means, and what the suffixes request. An empty name
    /// means `charset`, that of the locale.
    ///
    /// # Errors
    ///
    /// If no encoding has this name. The error quotes it as it was given, with its suffixes, or `charset`.
    pub fn for_code(code: &str, charset: &str) -> Result<(Self, Suffixes), UnknownEncoding> {
        let SuffixedName { name, suffixes, .. } = SuffixedName::new(code);
        let is_of_locale = name.is_empty() || name.eq_ignore_ascii_case(OF_LOCALE);
        let (name, typed) = if is_of_locale { (charset, charset) } else { (name, code) };
        let encoding = Self::for_name(name)
            .map_err(|error| UnknownEncoding { name: typed.to_owned(), ..error })?;
        Ok((encoding, suffixes))
    }

    /// Returns the encoding that glibc means by a name without suffixes.
    ///
    /// UTF-16 and UTF-32 have a byte order mark. So has UNICODE, but it can represent only the characters of UCS-2.
    /// UCS-2 is in the byte order of the machine and UCS-4 is big-endian; U+FEFF is a character in both. WCHAR_T is
    /// UCS-4 in the byte order of the machine.
    ///
    /// # Errors
    ///
    /// If no encoding has this name.
    pub fn for_name(name: &str) -> Result<Self, UnknownEncoding> {
        let is = |names: [&str; 2]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is(["WCHAR_T", "INTERNAL"]) {
            let native = Encoding::UCS_4.in_order(NATIVE);
            return Ok(Self { read: native, written: native, marked: false });
        }
        let (encoding, marked) = if is(["UNICODE", "CSUNICODE"]) {
            (Encoding::UCS_2, true)
        } else {
            // glibc ignores all other characters in a name.
            let is_kept = |c: &char| c.is_ascii_alphanumeric() || "_-/.,:".contains(*c);
            let encoding = Encoding::for_name(name).or_else(|error| {
                Encoding::for_name(&name.chars().filter(is_kept).collect::<String>())
                    .map_err(|_| error)
            })?;
            (encoding, encoding.mark == super::Mark::ByteOrder)
        };
        Ok(Self::of(encoding, marked))
    }

    fn of(encoding: &'static Encoding, marked: bool) -> Self {
        let Some(orders) = encoding.orders else {
            return Self { read: encoding, written: encoding, marked: false };
        };
        let order = if encoding == Encoding::UCS_4 { ByteOrder::Big } else { NATIVE };
        let ordered = orders[usize::from(order == ByteOrder::Little)];
        let read = if marked { encoding } else { ordered };
        Self { read, written: ordered, marked }
    }
}

/// An encoding that has no name in iconv: a table.
impl From<&'static Encoding> for IconvEncoding {
    fn from(encoding: &'static Encoding) -> Self {
        Self::of(encoding, false)
    }
}

#[cfg(test)]
mod tests;
