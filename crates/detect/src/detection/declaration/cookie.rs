//! Coding cookies: the comments by which Python, Ruby and Emacs know the encoding of a source file.

use std::ops::Range;

use super::bytes::{end_of, find as find_word, lines};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds the cookies in the first two lines, where Python, Ruby and Emacs look for them. Emacs needs its markers, and
/// takes any line that has them. Python takes a comment without markers.
pub(super) fn find(head: &[u8]) -> Vec<EncodingDeclaration> {
    let mut may_follow = true;
    let mut found = Vec::new();
    for line in lines(head).take(2) {
        let text = &head[..line.end];
        let start = end_of(text, line.start, |byte| matches!(byte, b' ' | b'\t' | b'\x0C'));
        let is_comment = text.get(start) == Some(&b'#');
        let python = (is_comment && may_follow).then(|| after_coding(text, start)).flatten();
        // Python examines the second line only if the first one is blank or a comment.
        may_follow = is_comment || start == line.end;
        let label = python.or_else(|| between_markers(text, line));
        found.extend(label.and_then(|range| {
            EncodingDeclaration::at(head, DeclarationKind::Cookie, without_newline(head, range))
        }));
    }
    found
}

/// Finds the label in a comment: `coding[:=][ \t]*([-_.a-zA-Z0-9]+)` (PEP 263).
fn after_coding(text: &[u8], mut at: usize) -> Option<Range<usize>> {
    loop {
        at += text.get(at..)?.windows(6).position(|word| word == b"coding")? + 6;
        if !matches!(text.get(at), Some(b':' | b'=')) {
            continue;
        }
        let start = end_of(text, at + 1, |byte| matches!(byte, b' ' | b'\t'));
        let end = end_of(text, start, is_of_label);
        if end > start {
            return Some(start..end);
        }
    }
}

/// Finds the label in a line with `-*- coding: … -*-`, alone or among other variables (Emacs manual, Specifying File
/// Variables).
fn between_markers(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let start = find_word(text, line.start, b"-*-")? + 3;
    let end = find_word(text, start, b"-*-")?;
    let mut at = start;
    while at < end {
        let next = end_of(&text[..end], at, |byte| byte != b';');
        let name = end_of(text, at, |byte| byte == b' ' || byte == b'\t');
        let colon = end_of(&text[..next], name, |byte| byte != b':');
        if text[name..colon].trim_ascii_end().eq_ignore_ascii_case(b"coding") && colon < next {
            let label = end_of(text, colon + 1, |byte| byte == b' ' || byte == b'\t');
            return Some(label..end_of(&text[..next], label, is_of_label));
        }
        at = next + 1;
    }
    None
}

const fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

/// Strips the suffix by which Emacs names the line ends.
fn without_newline(head: &[u8], range: Range<usize>) -> Range<usize> {
    let label = &head[range.clone()];
    let suffix = [&b"-unix"[..], b"-dos", b"-mac"].into_iter().find(|end| label.ends_with(end));
    range.start..range.end - suffix.map_or(0, <[u8]>::len)
}
