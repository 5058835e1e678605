//! The `@charset` rule of a style sheet.

use super::bytes::mark_len;
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// Finds `@charset "…";`. It must be exactly these bytes at the start (CSS Syntax 3, 3.2).
pub(super) fn find(head: &[u8]) -> Option<EncodingDeclaration> {
    const RULE: &[u8] = b"@charset \"";
    let start = mark_len(head);
    let label = start + RULE.len();
    let rest = head.get(start..)?.strip_prefix(RULE)?;
    let len = rest.iter().position(|byte| *byte == b'"')?;
    (rest.get(len + 1) == Some(&b';')).then_some(())?;
    EncodingDeclaration::at(head, DeclarationKind::Css, label..label + len)
}
