//! Candidates for names of encodings.
//!
//! A shell drops candidates that do not begin with exactly what was typed. But in names of encodings, case and
//! separators do not matter. So a candidate is the typed text plus the rest of a name, in the typed case:
//!
//! ```text
//! lat     latin1            utf16l     utf16le (UTF-16LE)
//! LAT     LATIN1            iso8859-   iso8859-1 (ISO-8859-1)
//! ```

use super::candidate::CompletionCandidate;
use crate::cli::common_encodings::is_common;
use oxiconv_encodings::encoding::Encoding;

/// Returns one candidate per encoding that has a matching name.
///
/// Encodings whose main name matches come first, then those of which only an alias does. Within both groups, common
/// encodings come first. The tables in ICU's archive are offered only if nothing else matches.
pub(super) fn names(typed: &str) -> Vec<CompletionCandidate> {
    let find = |archive: bool| {
        let encodings = Encoding::all().filter(|encoding| encoding.is_in_archive() == archive);
        let (common, rare): (Vec<_>, Vec<_>) = encodings.partition(|it| is_common(it));
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for encoding in common.into_iter().chain(rare) {
            match main_name(encoding, typed) {
                Some(candidate) => found.push(candidate),
                None => others.extend(other_name(encoding, typed)),
            }
        }
        found.append(&mut others);
        found
    };
    let found = find(false);
    if found.is_empty() { find(true) } else { found }
}

/// Returns candidates for iconv's suffixes after the name of an encoding.
pub(super) fn suffixes(name: &str, typed: &str) -> Vec<CompletionCandidate> {
    if Encoding::for_name(name).is_err() {
        return Vec::new();
    }
    [
        ("TRANSLIT", "write similar text for unmappable characters"),
        ("IGNORE", "leave out what cannot be converted"),
    ]
    .into_iter()
    .filter_map(|(suffix, description)| {
        Some(CompletionCandidate::new(format!("{name}//{}", joined(typed, suffix)?), description))
    })
    .collect()
}

fn main_name(encoding: &'static Encoding, typed: &str) -> Option<CompletionCandidate> {
    let word = completed(typed, encoding.name(), encoding)?;
    Some(CompletionCandidate::new(word, encoding.summary()))
}

fn other_name(encoding: &'static Encoding, typed: &str) -> Option<CompletionCandidate> {
    let word = encoding.aliases().find_map(|name| completed(typed, name, encoding))?;
    Some(CompletionCandidate::new(word, format!("{}: {}", encoding.name(), encoding.summary())))
}

/// Joins `typed` and the rest of a name of `encoding`. Returns `None` if the result would not mean that encoding.
fn completed(typed: &str, name: &str, encoding: &'static Encoding) -> Option<String> {
    // Shells insert the word without quoting it.
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:,=/+@".contains(&byte);
    let word = joined(typed, name).filter(|_| name.bytes().all(is_safe))?;
    Encoding::for_name(&word).is_ok_and(|found| found == encoding).then_some(word)
}

/// Joins `typed` and the rest of a name that begins with it, ignoring case, `-` and `_`.
///
/// A name that begins with exactly what was typed is returned as it is. Otherwise both are walked letter by letter,
/// without their separators, so `utf16l` and `UTF-16LE` agree up to the L, and the rest is `E`. If a separator was
/// typed last, the name's own at that place is dropped, or there would be two. The rest is in small letters if any were
/// typed, and in capitals otherwise.
fn joined(typed: &str, name: &str) -> Option<String> {
    if name.starts_with(typed) {
        return Some(name.to_owned());
    }
    let mut rest = name.chars();
    for letter in typed.chars().filter(|letter| !is_separator(*letter)) {
        let next = rest.find(|next| !is_separator(*next))?;
        if !next.eq_ignore_ascii_case(&letter) {
            return None;
        }
    }
    let rest = match typed.ends_with(is_separator) {
        true => rest.as_str().trim_start_matches(is_separator),
        false => rest.as_str(),
    };
    let rest = match typed.bytes().any(|byte| byte.is_ascii_lowercase()) {
        true => rest.to_ascii_lowercase(),
        false => rest.to_ascii_uppercase(),
    };
    Some(format!("{typed}{rest}"))
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_completed_in_the_case_that_was_typed() {
        for (typed, name, word) in [
            ("lat", "latin1", Some("latin1")),
            ("LAT", "latin1", Some("LATIN1")),
            ("Win", "windows-1252", Some("Windows-1252")),
            ("cp12", "CP1250", Some("cp1250")),
            ("utf16l", "UTF-16LE", Some("utf16le")),
            ("iso8859-", "ISO-8859-1", Some("iso8859-1")),
            ("", "KOI8-R", Some("KOI8-R")),
            ("koi9", "KOI8-R", None),
            ("koi8-r2", "KOI8-R", None),
        ] {
            assert_eq!(joined(typed, name).as_deref(), word, "{typed} {name}");
        }
    }
}
