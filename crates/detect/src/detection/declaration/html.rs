//! The meta elements of an HTML document, found by the prescan of the HTML Standard (13.2.3.2).
//!
//! Browsers use the same algorithm, so what it finds is what the page was read as. Unlike a browser, this code does not
//! know that the text is HTML, so it also requires the start of a document.

use std::ops::Range;

use super::bytes::{begins, end_of, find as find_word, is_space, mark_len, skip_spaces};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds all declarations before the body.
pub(super) fn find(head: &[u8]) -> Vec<EncodingDeclaration> {
    let mut found = Vec::new();
    // A text that only mentions meta elements, such as an article on HTML, is not a document. One begins with `<`, or
    // has a doctype, `<html` or `<head` before the meta element.
    let first = skip_spaces(head, mark_len(head));
    let mut is_document = head.get(first) == Some(&b'<');
    let mut at = first;
    while at < head.len() {
        let rest = &head[at..];
        at = if rest.starts_with(b"<!--") {
            // The hyphens that begin the comment may also end it: `<!-->` is a whole comment.
            find_word(head, at + 2, b"-->").map_or(head.len(), |end| end + 3)
        } else if is_tag(rest, b"<meta") {
            let (declared, end) = meta(head, at + b"<meta".len());
            found.extend(declared.filter(|_| is_document));
            end
        } else if matches!(rest, [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..])
            || matches!(rest, [b'<', b'a'..=b'z' | b'A'..=b'Z', ..])
        {
            if is_tag(rest, b"<body") {
                break;
            }
            is_document |= is_tag(rest, b"<html") || is_tag(rest, b"<head");
            let mut end = end_of(head, at + 1, |byte| !is_space(byte) && byte != b'>');
            while let Some(attribute) = Attribute::next(head, end) {
                end = attribute.end;
            }
            end.max(at + 1)
        } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
            is_document |= begins(rest, b"<!doctype html");
            end_of(head, at, |byte| byte != b'>') + 1
        } else {
            at + 1
        };
    }
    found
}

/// Whether `bytes` begin with a tag of this name.
fn is_tag(bytes: &[u8], name: &[u8]) -> bool {
    let after = bytes.get(name.len()).copied();
    begins(bytes, name) && after.is_some_and(|byte| is_space(byte) || matches!(byte, b'/' | b'>'))
}

/// Reads the attributes of a meta element from `at` on. Returns what it declares, and the end of the attributes.
fn meta(head: &[u8], mut at: usize) -> (Option<EncodingDeclaration>, usize) {
    let (mut is_pragma, mut needs_pragma, mut label) = (false, false, None);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    while let Some(attribute) = Attribute::next(head, at) {
        at = attribute.end;
        let name = head[attribute.name.clone()].to_ascii_lowercase();
        if seen.contains(&name) {
            continue;
        }
        let value = attribute.value;
        match &name[..] {
            b"http-equiv" => {
                is_pragma = head[value].eq_ignore_ascii_case(b"content-type");
            }
            b"content" if label.is_none() => {
                if let Some(charset) = charset_in(head, value) {
                    (label, needs_pragma) = (Some(charset), true);
                }
            }
            b"charset" => (label, needs_pragma) = (Some(value), false),
            _ => {}
        }
        seen.push(name);
    }
    let label = label.filter(|_| is_pragma || !needs_pragma);
    (label.and_then(|range| EncodingDeclaration::at(head, DeclarationKind::Html, range)), at)
}

/// Finds the label in the value of the attribute `content` (HTML, 2.4.2.3, extracting a character encoding from a meta
/// element).
fn charset_in(head: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    let text = &head[..value.end];
    let mut at = value.start;
    loop {
        at = find_word(text, at, b"charset")? + b"charset".len();
        let equals = skip_spaces(text, at);
        if text.get(equals) != Some(&b'=') {
            continue;
        }
        let start = skip_spaces(text, equals + 1);
        return match text.get(start) {
            None => None,
            Some(quote @ (b'"' | b'\'')) => {
                let end = end_of(text, start + 1, |byte| byte != *quote);
                (end < text.len()).then_some(start + 1..end)
            }
            Some(_) => Some(start..end_of(text, start, |byte| !is_space(byte) && byte != b';')),
        };
    }
}

struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
    /// The index of the first byte after it.
    end: usize,
}

impl Attribute {
    /// Reads the next attribute from `at` on, if there is one (HTML, 13.2.3.2, getting an attribute).
    fn next(head: &[u8], at: usize) -> Option<Self> {
        let start = end_of(head, at, |byte| is_space(byte) || byte == b'/');
        if matches!(head.get(start), None | Some(b'>')) {
            return None;
        }
        // An equals sign at the start belongs to the name.
        let belongs = |byte: u8| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>');
        let name = start..end_of(head, start + 1, belongs);
        let equals = skip_spaces(head, name.end);
        if head.get(equals) != Some(&b'=') {
            return Some(Self { value: name.end..name.end, end: name.end, name });
        }
        let start = skip_spaces(head, equals + 1);
        let (value, end) = match head.get(start) {
            Some(quote @ (b'"' | b'\'')) => {
                let end = end_of(head, start + 1, |byte| byte != *quote);
                // A value that the end of the head truncates does not count.
                (end < head.len()).then_some(())?;
                (start + 1..end, end + 1)
            }
            _ => {
                let end = end_of(head, start, |byte| !is_space(byte) && byte != b'>');
                (start..end, end)
            }
        };
        Some(Self { name, value, end })
    }
}
