//! What kinds of things are found.

use super::denied::DeniedKind;
use crate::unicode::IllFormedKind;

/// What kind of thing was found. [`Kind::id`] is the stable name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes that the input's encoding does not allow.
    IllFormed(IllFormedKind),
    /// A valid character for which the target encoding has no room.
    Unmappable,
    /// A byte order mark, although there must be none.
    MarkForbidden,
    /// No byte order mark, although there must be one.
    MarkMissing,
    /// The byte order mark of UTF-16 or UTF-32, and text that is well-formed there, in a text that is read in another
    /// encoding.
    OtherEncoding,
    /// U+FEFF inside a text, as files joined with their marks have it. No fault: a note.
    MarkInside,
    /// What is well-formed, but denied by a policy.
    Denied(DeniedKind),
}

impl Kind {
    /// The stable short id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::IllFormed(kind) => kind.id(),
            Self::Unmappable => "unmappable",
            Self::MarkForbidden => "bom-forbidden",
            Self::MarkMissing => "bom-missing",
            Self::OtherEncoding => "other-encoding",
            Self::MarkInside => "bom-inside",
            Self::Denied(kind) => kind.id(),
        }
    }

    /// Whether the text is at fault. What is no fault is a note: shown, but not counted.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::MarkInside)
    }
}

/// What is said of a U+FEFF inside a text, whether it is a fault or not.
pub(super) const MARK_INSIDE: &str =
    "U+FEFF inside the text, where it is a character, not a byte order mark";
