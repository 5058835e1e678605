//! Sentences for the stateful Unicode encodings UTF-7, SCSU and BOCU-1, in which faults differ from those of UTF-8.

use super::finding::Finding;
use oxiconv_encodings::encoding::Family;
use oxiconv_encodings::unicode::IllFormedKind;

/// Describes the fault, if the general sentence would be wrong for the encoding.
pub(super) fn sentence(finding: &Finding<'_>, kind: IllFormedKind) -> Option<String> {
    let (family, hex) = (finding.encoding.family, finding.hex());
    let utf7 = matches!(family, Family::Utf7 | Family::Utf7Imap);
    if !utf7 && !matches!(family, Family::Scsu | Family::Bocu1) {
        return None;
    }
    let next = finding.next.map_or_else(String::new, |byte| format!("{byte:02X}"));
    Some(match (kind, family) {
        (IllFormedKind::UnpairedHighSurrogate, _) => {
            format!("no low surrogate follows the high surrogate in {hex}")
        }
        (IllFormedKind::UnpairedLowSurrogate, _) => {
            format!("no high surrogate precedes the low surrogate in {hex}")
        }
        (IllFormedKind::Truncated, _) if utf7 => {
            format!("{next} follows, but the base64 character is incomplete")
        }
        (IllFormedKind::TruncatedAtEnd, _) if utf7 => {
            "the input ends inside a base64 character".to_owned()
        }
        (IllFormedKind::UndefinedSequence, _) if utf7 => {
            format!("base64 ends after {hex}, but its leftover bits are not zero")
        }
        (IllFormedKind::InvalidByte, Family::Utf7Imap)
            if matches!(*finding.bytes, [b' '..=b'~']) =>
        {
            format!("{hex} is not a base64 digit; only 2D ends the base64")
        }
        (IllFormedKind::Overlong, Family::Utf7Imap) => {
            format!("{hex} is the base64 of a character that must be written directly")
        }
        (IllFormedKind::Overlong, Family::Bocu1) => {
            format!("{hex} encodes a character that must be written directly")
        }
        (IllFormedKind::Surrogate, Family::Bocu1) => {
            format!("{hex} encodes a surrogate code point")
        }
        (IllFormedKind::OutOfRange, Family::Bocu1) => {
            format!("{hex} encodes a value outside U+0000 to U+10FFFF")
        }
        (IllFormedKind::InvalidByte, Family::Scsu) => format!("{hex} is a reserved tag of SCSU"),
        (IllFormedKind::UndefinedSequence, Family::Scsu) => {
            format!("{hex} defines a window at a reserved offset")
        }
        _ => return None,
    })
}
