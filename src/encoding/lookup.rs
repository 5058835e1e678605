//! Finds the row of an encoding from a name as a person writes it, or the closest names.

use super::{ALL, Encoding};

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding '{name}'{}", did_you_mean(nearest))]
#[non_exhaustive]
pub struct UnknownEncoding {
    /// The name as it was given.
    pub name: String,
    /// Canonical names of encodings that may have been meant, closest first; at most three.
    pub nearest: Vec<&'static str>,
}

fn did_you_mean(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [head @ .., last] => format!("; did you mean {} or {last}?", head.join(", ")),
    }
}

/// Returns the form in which names are compared: without case, `-`, `_` and spaces.
pub fn normalize(name: &str) -> String {
    compared(name).collect()
}

fn compared(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
}

/// A name and the index of its row.
type Entry = (&'static str, u16);

/// All names, sorted by their normalized form.
static INDEX: [Entry; count()] = sorted();

const fn count() -> usize {
    let (mut count, mut row) = (0, 0);
    while row < ALL.len() {
        count += 1 + ALL[row].aliases.len();
        row += 1;
    }
    count
}

/// Sorts the names at compile time: the lookup needs no initialization and no memory.
const fn sorted() -> [Entry; count()] {
    let mut index = [("", 0); count()];
    let (mut len, mut row) = (0, 0);
    while row < ALL.len() {
        index[len] = (ALL[row].name, row as u16);
        len += 1;
        let mut alias = 0;
        while alias < ALL[row].aliases.len() {
            index[len] = (ALL[row].aliases[alias], row as u16);
            len += 1;
            alias += 1;
        }
        row += 1;
    }
    // Shell sort: insertion sorts with decreasing gaps.
    let mut distance = len / 2;
    while distance > 0 {
        let mut next = distance;
        while next < len {
            let mut at = next;
            while at >= distance && stands_before(index[at].0, index[at - distance].0) {
                index.swap(at, at - distance);
                at -= distance;
            }
            next += 1;
        }
        distance /= 2;
    }
    index
}

/// Whether `a` comes before `b` in the index. Both are ASCII.
const fn stands_before(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut i, mut j) = (0, 0);
    loop {
        while i < a.len() && matches!(a[i], b'-' | b'_' | b' ') {
            i += 1;
        }
        while j < b.len() && matches!(b[j], b'-' | b'_' | b' ') {
            j += 1;
        }
        if i == a.len() || j == b.len() {
            return j < b.len();
        }
        let (x, y) = (a[i].to_ascii_lowercase(), b[j].to_ascii_lowercase());
        if x != y {
            return x < y;
        }
        i += 1;
        j += 1;
    }
}

impl Encoding {
    /// Returns the encoding that has `name` among its names. Case, `-`, `_` and spaces make no difference.
    ///
    /// # Errors
    ///
    /// If there is none: [`UnknownEncoding`] has the closest names.
    ///
    /// ```
    /// use oxiconv::Encoding;
    ///
    /// assert_eq!(Encoding::for_name("latin1")?, Encoding::ISO_8859_1);
    /// let error = Encoding::for_name("utf9").unwrap_err().to_string();
    /// assert!(error.starts_with("unknown encoding 'utf9'; did you mean UTF-8"));
    /// # Ok::<(), oxiconv::UnknownEncoding>(())
    /// ```
    pub fn for_name(name: &str) -> Result<&'static Self, UnknownEncoding> {
        match INDEX.binary_search_by(|(known, _)| compared(known).cmp(compared(name))) {
            Ok(at) => Ok(ALL[usize::from(INDEX[at].1)]),
            Err(_) => {
                let nearest = nearest(&normalize(name));
                Err(UnknownEncoding { name: name.to_owned(), nearest })
            }
        }
    }

    /// All encodings that there are, of those that the features bring.
    ///
    /// ```
    /// use oxiconv::Encoding;
    ///
    /// assert!(Encoding::all().iter().any(|encoding| encoding.name() == "UTF-16LE"));
    /// ```
    #[must_use]
    pub fn all() -> &'static [&'static Self] {
        ALL
    }
}

/// Iterates over all names of an encoding, the canonical one first.
pub fn names(encoding: &Encoding) -> impl Iterator<Item = &'static str> {
    std::iter::once(encoding.name).chain(encoding.aliases.iter().copied())
}

fn nearest(wanted: &str) -> Vec<&'static str> {
    /// Names that are less similar have too little in common (0 nothing, 1 identical).
    const ENOUGH: f64 = 0.6;
    /// No name is nearly as long, and the comparison takes as many steps as both names have characters, multiplied.
    const LONGEST: usize = 100;
    if wanted.len() > LONGEST {
        return Vec::new();
    }
    let mut scored: Vec<_> = ALL
        .iter()
        .map(|encoding| {
            let score = names(encoding)
                .map(|known| strsim::normalized_damerau_levenshtein(wanted, &normalize(known)))
                .fold(0.0, f64::max);
            (score, encoding.name)
        })
        .filter(|(score, _)| *score >= ENOUGH)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_encodings_share_a_name() {
        let mut owner = HashMap::new();
        for encoding in ALL {
            for name in names(encoding) {
                if let Some(other) = owner.insert(normalize(name), encoding.name) {
                    panic!("{name} is a name of {other} and of {}, or stands twice", encoding.name);
                }
            }
        }
    }

    /// The index is sorted by what the lookup compares: each name of each row leads to its row.
    #[test]
    fn every_name_leads_to_its_encoding() {
        for &encoding in ALL {
            for name in names(encoding) {
                assert!(name.bytes().all(|byte| byte.is_ascii_graphic()), "{name}");
                assert_eq!(Encoding::for_name(name), Ok(encoding), "{name}");
                assert_eq!(Encoding::for_name(&name.to_uppercase()), Ok(encoding), "{name}");
                assert_eq!(Encoding::for_name(&normalize(name)), Ok(encoding), "{name}");
            }
        }
    }

    #[test]
    fn lookup_ignores_case_hyphens_underscores_and_blanks() {
        for name in ["UTF-16LE", "utf16le", "Utf_16_Le", " utf 16-LE ", "UTF--16LE"] {
            assert_eq!(Encoding::for_name(name).unwrap().name, "UTF-16LE", "{name}");
        }
        assert_eq!(Encoding::for_name("latin1").unwrap().name, "ISO-8859-1");
        assert_eq!(Encoding::for_name("l1").unwrap().name, "ISO-8859-1");
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_ones() {
        let error = Encoding::for_name("utf9").unwrap_err();
        assert_eq!(error.nearest[0], "UTF-8");
        assert!(
            error.to_string().starts_with("unknown encoding 'utf9'; did you mean UTF-8"),
            "{error}"
        );
        assert_eq!(
            Encoding::for_name("zzzzzzzzzz").unwrap_err().to_string(),
            "unknown encoding 'zzzzzzzzzz'"
        );
        assert_eq!(Encoding::for_name("").unwrap_err().to_string(), "unknown encoding ''");
    }
}
