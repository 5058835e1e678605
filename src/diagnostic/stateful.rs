//! The sentences that are other ones in the encodings with state: UTF-7, SCSU, BOCU-1.

use super::Finding;
use crate::unicode::IllFormedKind;

/// What is wrong, where the general sentence would not be right.
pub(super) fn sentence(finding: &Finding<'_>, kind: IllFormedKind) -> Option<String> {
    let (name, hex) = (finding.encoding, finding.hex());
    let utf7 = name.starts_with("UTF-7");
    if !utf7 && !matches!(name, "SCSU" | "BOCU-1") {
        return None;
    }
    let next = finding.next.map_or_else(String::new, |byte| format!("{byte:02X}"));
    Some(match (kind, name) {
        (IllFormedKind::UnpairedHighSurrogate, _) => {
            format!("no low surrogate follows the high surrogate in {hex}")
        }
        (IllFormedKind::UnpairedLowSurrogate, _) => {
            format!("no high surrogate precedes the low surrogate in {hex}")
        }
        (IllFormedKind::Truncated, _) if utf7 => {
            format!("a character in base64 is cut short by {next}")
        }
        (IllFormedKind::TruncatedAtEnd, _) if utf7 => {
            "the input ends inside a character in base64".to_owned()
        }
        (IllFormedKind::UndefinedSequence, _) if utf7 => {
            format!("the base64 ends after {hex}, and the bits left over are not zero")
        }
        (IllFormedKind::InvalidByte, "UTF-7-IMAP") if matches!(finding.bytes, [b' '..=b'~']) => {
            format!("{hex} stands inside base64, which only 2D ends")
        }
        (IllFormedKind::Overlong, "UTF-7-IMAP") => {
            format!("{hex} is base64 of a character that stands for itself")
        }
        (IllFormedKind::Overlong, "BOCU-1") => {
            format!("{hex} is the difference to a character that stands for itself")
        }
        (IllFormedKind::Surrogate, "BOCU-1") => {
            format!("{hex} is the difference to a surrogate code point, no character")
        }
        (IllFormedKind::OutOfRange, "BOCU-1") => {
            format!("{hex} is the difference to a value outside U+0000 to U+10FFFF")
        }
        (IllFormedKind::InvalidByte, "SCSU") => format!("{hex} is a reserved tag of SCSU"),
        (IllFormedKind::UndefinedSequence, "SCSU") => {
            format!("{hex} defines a window at an offset that is reserved")
        }
        _ => return None,
    })
}
