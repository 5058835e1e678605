//! The Content-Type in the header of a mail (RFC 2045), or of an HTTP response.

use std::ops::Range;

use super::bytes::{begins, end_of, is_space, lines};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// The header of a mail that has a Content-Type.
pub(super) struct MailHeader {
    /// What it declares, if that applies to the whole text.
    pub(super) declaration: Option<EncodingDeclaration>,
}

/// Reads the header at the start of a mail; `None` without a Content-Type.
///
/// Its `charset` is about the whole text only if the mail has a single part, and if that part is there as it is. In
/// base64 and quoted-printable the text is ASCII, and the declaration is about what it decodes to.
pub(super) fn header(head: &[u8]) -> Option<MailHeader> {
    let fields = fields(head)?;
    let value = |name: &[u8]| {
        let field = fields.iter().find(|field| begins(&head[(*field).clone()], name))?;
        Some(field.start + name.len()..field.end)
    };
    let content = value(b"content-type:")?;
    let encoded = value(b"content-transfer-encoding:").is_some_and(|value| {
        let value = head[value].trim_ascii();
        [&b"base64"[..], b"quoted-printable"].iter().any(|it| value.eq_ignore_ascii_case(it))
    });
    let text = head[content.clone()].trim_ascii_start();
    let is_one = begins(text, b"text/") && !encoded;
    let charset = is_one.then(|| parameter(head, content, b"charset")).flatten();
    let declaration =
        charset.and_then(|range| EncodingDeclaration::at(head, DeclarationKind::Mail, range));
    Some(MailHeader { declaration })
}

/// Returns the fields of the header, each with its continuation lines; `None` if any line is not a field.
fn fields(head: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut fields: Vec<Range<usize>> = Vec::new();
    for (number, line) in lines(head).enumerate() {
        let text = &head[line.clone()];
        if text.is_empty() {
            break;
        }
        // The first line may be that of an mbox file or an HTTP response.
        if number == 0 && (text.starts_with(b"From ") || text.starts_with(b"HTTP/")) {
            continue;
        }
        if matches!(text[0], b' ' | b'\t') {
            fields.last_mut()?.end = line.end;
            continue;
        }
        let name = end_of(head, line.start, |byte| matches!(byte, b'!'..=b'9' | b';'..=b'~'));
        if name == line.start || head.get(name) != Some(&b':') {
            return None;
        }
        fields.push(line);
    }
    Some(fields)
}

/// Finds the value of a parameter (RFC 2045, 5.1), without quotes.
fn parameter(head: &[u8], field: Range<usize>, name: &[u8]) -> Option<Range<usize>> {
    let text = &head[..field.end];
    let mut at = field.start;
    loop {
        at = end_of_value(text, at)? + 1;
        let start = end_of(text, at, is_space);
        let end = end_of(text, start, |byte| !is_space(byte) && !matches!(byte, b'=' | b';'));
        let equals = end_of(text, end, is_space);
        if !text[start..end].eq_ignore_ascii_case(name) || text.get(equals) != Some(&b'=') {
            continue;
        }
        let value = end_of(text, equals + 1, is_space);
        return Some(match text.get(value)? {
            b'"' => value + 1..end_of(text, value + 1, |byte| byte != b'"'),
            _ => {
                let ends = |byte: u8| !is_space(byte) && !matches!(byte, b';' | b'(' | b'"');
                value..end_of(text, value, ends)
            }
        });
    }
}

/// Returns the index of the next semicolon that is not within quotes.
fn end_of_value(text: &[u8], at: usize) -> Option<usize> {
    let mut quoted = false;
    (at..text.len()).find(|at| {
        quoted ^= text[*at] == b'"';
        text[*at] == b';' && !quoted
    })
}
