//! The charset rule of a style sheet.

use super::bytes::mark_len;
use super::statement::{Declaration, Kind};

/// Finds `@charset "…";`, exactly these bytes at the start (CSS Syntax 3, 3.2).
pub(super) fn find(head: &[u8]) -> Option<Declaration> {
    const RULE: &[u8] = b"@charset \"";
    let start = mark_len(head);
    let label = start + RULE.len();
    let rest = head.get(start..)?.strip_prefix(RULE)?;
    let len = rest.iter().position(|byte| *byte == b'"')?;
    (rest.get(len + 1) == Some(&b';')).then_some(())?;
    Declaration::at(head, Kind::Css, label..label + len)
}
