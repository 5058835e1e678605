//! The leader of a MARC 21 record, the format of library catalogues (ISO 2709).
//!
//! ```text
//! 00714cam a2200205 a 4500      5 digits, 4 characters, the character coding scheme, 2 2, 5 digits, 3 characters, 450
//!          ▲ a: UTF-8   blank: MARC-8
//! ```

use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

const CODING_SCHEME: usize = 9;

/// Finds the character coding scheme of the first record.
pub(super) fn find(head: &[u8]) -> Option<EncodingDeclaration> {
    let leader = head.first_chunk::<24>()?;
    let digits = |at: std::ops::Range<usize>| leader[at].iter().all(u8::is_ascii_digit);
    let codes = leader[5..9].iter().chain(&leader[17..20]);
    let is_leader = digits(0..5)
        && digits(12..17)
        && leader[10..12] == *b"22"
        && leader[20..23] == *b"450"
        && codes.into_iter().all(|byte| matches!(byte, b' '..=b'~'));
    let scheme = leader[CODING_SCHEME];
    (is_leader && matches!(scheme, b'a' | b' ')).then(|| EncodingDeclaration {
        kind: DeclarationKind::Marc,
        label: char::from(scheme).into(),
        range: CODING_SCHEME..CODING_SCHEME + 1,
    })
}
