//! The XML declaration.

use super::bytes::{self, begins, is_space, mark_len, skip_spaces};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds the encoding declaration in the XML declaration, with which a document must begin (XML 1.0, 2.8 and 4.3.3).
pub(super) fn find(head: &[u8]) -> Option<EncodingDeclaration> {
    let start = mark_len(head);
    let (name, rest) = head.get(start..)?.split_at_checked(b"<?xml".len())?;
    if name != b"<?xml" || !rest.first().is_some_and(|byte| is_space(*byte)) {
        return None;
    }
    let start = start + name.len();
    let text = &head[..bytes::find(head, start, b"?>")?];
    let mut at = start;
    loop {
        at = bytes::find(text, at, b"encoding")?;
        let is_name = is_space(text[at - 1]);
        at += b"encoding".len();
        let equals = skip_spaces(text, at);
        if !is_name || !begins(&text[equals..], b"=") {
            continue;
        }
        let quote_at = skip_spaces(text, equals + 1);
        let quote = *text.get(quote_at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let label = quote_at + 1;
        let end = label + text[label..].iter().position(|byte| *byte == quote)?;
        return EncodingDeclaration::at(head, DeclarationKind::Xml, label..end);
    }
}
