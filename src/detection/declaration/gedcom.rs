//! The header of a GEDCOM file, the format of genealogical programs.

use super::bytes::{end_of, is_space, lines, mark_len};
use super::statement::{Declaration, Kind};
use crate::encoding::Encoding;

/// What the words of GEDCOM mean. `ANSI` is what Windows programs write of their own; the last ones are those of programs for
/// DOS and the Macintosh.
const WORDS: [(&str, &str); 9] = [
    ("ANSEL", "ANSEL"),
    ("UNICODE", "UTF-16"),
    ("UTF-8", "UTF-8"),
    ("ASCII", "US-ASCII"),
    ("ANSI", "windows-1252"),
    ("IBMPC", "IBM437"),
    ("IBM", "IBM437"),
    ("MSDOS", "IBM850"),
    ("MACINTOSH", "macintosh"),
];

/// Returns the encoding that a label means. Some programs write the name of a code page, which is no word of GEDCOM.
pub(super) fn encoding(label: &str) -> Option<&'static Encoding> {
    let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(label));
    Encoding::for_name(word.map_or(label, |(_, name)| name)).ok()
}

/// Returns the word for an encoding, if there is one.
pub(super) fn label_of(encoding: &'static Encoding) -> Option<&'static str> {
    let has = |name: &str| Encoding::for_name(name).is_ok_and(|known| known == encoding.unmarked());
    WORDS.iter().find(|(_, name)| has(name)).map(|(word, _)| *word)
}

/// Finds `1 CHAR …` in the header, which is the first record: from `0 HEAD` to the next line of level 0.
pub(super) fn find(head: &[u8]) -> Option<Declaration> {
    let start = mark_len(head);
    let text = |line: std::ops::Range<usize>| head[line.start.max(start)..line.end].trim_ascii();
    let mut lines = lines(head).skip_while(|line| text(line.clone()).is_empty());
    if text(lines.next()?) != b"0 HEAD" {
        return None;
    }
    let line = lines
        .take_while(|line| !text(line.clone()).starts_with(b"0 "))
        .find(|line| text(line.clone()).starts_with(b"1 CHAR "))?;
    let level = end_of(head, line.start, is_space);
    let label = end_of(head, level + b"1 CHAR ".len(), is_space);
    let end = end_of(&head[..line.end], label, |byte| !is_space(byte));
    Declaration::at(head, Kind::Gedcom, label..end)
}
