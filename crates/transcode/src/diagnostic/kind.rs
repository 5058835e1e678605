//! The kinds of findings.

use super::denied_kind::DeniedKind;
use oxiconv_encodings::unicode::IllFormedKind;

/// The kind of a finding. [`Kind::id`] is its stable name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes that are ill-formed in the encoding of the input.
    IllFormed(IllFormedKind),
    /// A record descriptor word that is wrong, or a record that the end of the input truncates. It always stops the
    /// conversion, because nobody knows where the next record begins.
    InvalidRecord,
    /// A valid character that the target encoding cannot represent.
    Unmappable,
    /// A byte order mark that must not be there.
    MarkForbidden,
    /// A missing byte order mark.
    MarkMissing,
    /// Well-formed UTF-16 or UTF-32 with its byte order mark, in a text that is read in another encoding.
    OtherEncoding,
    /// A line that ends differently from what is declared for its text. Only the first one of a text is reported.
    WrongNewline,
    /// A missing line end at the end of a text for which one is declared.
    MissingFinalNewline,
    /// U+FEFF inside a text, as if files with marks were concatenated. This is a note, not a fault.
    MarkInside,
    /// Text that was damaged before: `Ã©` instead of `é`. This is a note, not a fault, unless a policy denies it.
    Mojibake,
    /// Well-formed text that a policy denies.
    Denied(DeniedKind),
}

impl Kind {
    /// The kinds without subkinds.
    const ALONE: [Self; 9] = [
        Self::Unmappable,
        Self::MarkForbidden,
        Self::MarkMissing,
        Self::OtherEncoding,
        Self::WrongNewline,
        Self::MissingFinalNewline,
        Self::MarkInside,
        Self::Mojibake,
        Self::InvalidRecord,
    ];

    /// Iterates over all kinds, for tests of what each of them must have.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        let ill_formed = IllFormedKind::ALL.map(Self::IllFormed);
        let denied = DeniedKind::ALL.map(Self::Denied);
        ill_formed.into_iter().chain(Self::ALONE).chain(denied)
    }

    /// Returns the stable short id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::IllFormed(kind) => kind.id(),
            Self::InvalidRecord => "invalid-record",
            Self::Unmappable => "unmappable",
            Self::MarkForbidden => "bom-forbidden",
            Self::MarkMissing => "bom-missing",
            Self::OtherEncoding => "other-encoding",
            Self::WrongNewline => "wrong-newline",
            Self::MissingFinalNewline => "missing-final-newline",
            Self::MarkInside => "bom-inside",
            Self::Mojibake => DeniedKind::Mojibake.id(),
            Self::Denied(kind) => kind.id(),
        }
    }

    /// Whether it is about bytes that probably belong to another encoding.
    #[doc(hidden)]
    pub const fn is_of_bytes(self) -> bool {
        matches!(self, Self::IllFormed(_) | Self::OtherEncoding)
    }

    /// Whether it is a fault. Otherwise it is a note, which is shown but not counted.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::MarkInside | Self::Mojibake)
    }
}

/// The sentence for U+FEFF inside a text, whether it is a fault or a note.
pub(super) const MARK_INSIDE: &str =
    "U+FEFF inside the text, where it is a character, not a byte order mark";

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler asks for an arm for each new kind, and this test for its entry in the list.
    #[test]
    fn the_kinds_that_are_alone_are_all_listed() {
        let place = |kind| match kind {
            Kind::IllFormed(_) | Kind::Denied(_) => None,
            Kind::Unmappable => Some(0),
            Kind::MarkForbidden => Some(1),
            Kind::MarkMissing => Some(2),
            Kind::OtherEncoding => Some(3),
            Kind::WrongNewline => Some(4),
            Kind::MissingFinalNewline => Some(5),
            Kind::MarkInside => Some(6),
            Kind::Mojibake => Some(7),
            Kind::InvalidRecord => Some(8),
        };
        let places: Vec<_> = Kind::ALONE.into_iter().filter_map(place).collect();
        assert_eq!(places, (0..Kind::ALONE.len()).collect::<Vec<_>>());
    }
}
