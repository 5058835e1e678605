//! The header of a PO file, gettext's catalogue of messages.

use super::bytes::{begins, end_of, find as find_word, is_space, lines};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds the Content-Type of the first message, whose `msgid` is empty (GNU gettext manual, PO Files).
pub(super) fn find(head: &[u8]) -> Option<EncodingDeclaration> {
    let mut lines = lines(head);
    lines.find(|line| head[line.clone()].starts_with(b"msgid"))?;
    let line = lines.find(|line| begins(&head[line.clone()], b"\"content-type:"))?;
    let text = &head[..line.end];
    let label = find_word(text, line.start, b"charset=")? + b"charset=".len();
    let belongs = |byte: u8| !is_space(byte) && !matches!(byte, b'\\' | b'"' | b';');
    EncodingDeclaration::at(head, DeclarationKind::Po, label..end_of(text, label, belongs))
}
