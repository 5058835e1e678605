//! The header of a GEDCOM file, the format of genealogical programs.

use super::bytes::{end_of, is_space, lines, mark_len};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds `1 CHAR …` in the header, which is the first record: it extends from `0 HEAD` to the next line of level 0.
pub(super) fn find(head: &[u8]) -> Option<EncodingDeclaration> {
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
    EncodingDeclaration::at(head, DeclarationKind::Gedcom, label..end)
}
