//! From a name as a person writes it to its row, or to the nearest names.

use super::{ALL, Encoding};

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding '{name}'{}", did_you_mean(nearest))]
pub struct UnknownEncoding {
    /// The name as it was given.
    pub name: String,
    /// Canonical names of what may have been meant, the nearest first; at most three.
    pub nearest: Vec<&'static str>,
}

fn did_you_mean(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [head @ .., last] => format!("; did you mean {} or {last}?", head.join(", ")),
    }
}

/// The form in which names are compared: without case, `-`, `_` and blanks.
pub fn normalize(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// The encoding that has `name` among its names.
///
/// # Errors
///
/// [`UnknownEncoding`] with the nearest names where there is none.
pub fn find(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
    let wanted = normalize(name);
    ALL.iter()
        .find(|encoding| names(encoding).any(|known| normalize(known) == wanted))
        .ok_or_else(|| UnknownEncoding { name: name.to_owned(), nearest: nearest(&wanted) })
}

/// All names of an encoding, the canonical one first.
pub fn names(encoding: &Encoding) -> impl Iterator<Item = &'static str> {
    std::iter::once(encoding.name).chain(encoding.aliases.iter().copied())
}

fn nearest(wanted: &str) -> Vec<&'static str> {
    /// Below this the names have too little in common (0 nothing, 1 the same).
    const ENOUGH: f64 = 0.6;
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

    #[test]
    fn lookup_ignores_case_hyphens_underscores_and_blanks() {
        for name in ["UTF-16LE", "utf16le", "Utf_16_Le", " utf 16-LE ", "UTF--16LE"] {
            assert_eq!(find(name).unwrap().name, "UTF-16LE", "{name}");
        }
        assert_eq!(find("latin1").unwrap().name, "ISO-8859-1");
        assert_eq!(find("l1").unwrap().name, "ISO-8859-1");
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_ones() {
        let error = find("utf9").unwrap_err();
        assert_eq!(error.nearest[0], "UTF-8");
        assert!(
            error.to_string().starts_with("unknown encoding 'utf9'; did you mean UTF-8"),
            "{error}"
        );
        assert_eq!(find("zzzzzzzzzz").unwrap_err().to_string(), "unknown encoding 'zzzzzzzzzz'");
        assert_eq!(find("").unwrap_err().to_string(), "unknown encoding ''");
    }
}
