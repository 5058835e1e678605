//! The family of an encoding: the rule by which its text is well-formed. It decides the terms in which a fault is
//! described.

/// The rule by which a text is well-formed, as far as diagnosis needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// UTF-8 (Unicode 3.9, D92).
    Utf8,
    /// CESU-8 (UTR 26).
    Cesu8,
    /// Java's modified UTF-8.
    Mutf8,
    /// WTF-8.
    Wtf8,
    /// UTF-8 with all surrogates.
    GeneralizedUtf8,
    /// An extended UTF-8, which carries plain numbers.
    Extended(FirstUnit),
    /// UTF-16 (D91).
    Utf16,
    /// WTF-16: any sequence of 16-bit units.
    Wtf16,
    /// UTF-32 (D90).
    Utf32,
    /// UCS-2.
    Ucs2,
    /// UCS-4, of 31 bits.
    Ucs4,
    /// US-ASCII.
    Ascii,
    /// ASCII with escapes for other characters.
    Escapes {
        /// Whether ASCII characters can be escaped too. If not, plain text that looks like an escape cannot be written.
        of_ascii: bool,
    },
    /// UTF-7 for mail.
    Utf7,
    /// UTF-7 for IMAP mailboxes.
    Utf7Imap,
    /// SCSU.
    Scsu,
    /// BOCU-1.
    Bocu1,
    /// An encoding that shares its rule with no other: legacy charsets, UTF-1, UTF-EBCDIC.
    Other,
}

/// How the first unit of a sequence gives the number of its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstUnit {
    /// The number of leading ones in the byte is the number of bytes, two or more (RFC 2279).
    Ones {
        /// Bytes of the longest sequence.
        most: u32,
    },
    /// The same for units of this many bits, 1 to 9 ("Extending UTF-8 to eight bytes", table nine).
    OnesOf {
        /// Bits of a unit.
        bits: u32,
    },
    /// Two lengths for each number of ones (the same document, table ten).
    Pairs,
}

impl Family {
    /// Returns how the first unit of a sequence gives its length, if it does.
    pub const fn first_unit(self) -> Option<FirstUnit> {
        match self {
            Self::Extended(first) => Some(first),
            _ if self.is_like_utf8() => Some(FirstUnit::Ones { most: 4 }),
            _ => None,
        }
    }

    /// Whether the first byte of a sequence gives its length as in UTF-8.
    pub const fn is_like_utf8(self) -> bool {
        matches!(self, Self::Utf8 | Self::Cesu8 | Self::Mutf8 | Self::Wtf8 | Self::GeneralizedUtf8)
    }

    /// Whether its code units have 16 or 32 bits.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::Utf16 | Self::Wtf16 | Self::Utf32) || self.is_ucs()
    }

    /// Whether it is UCS-2 or UCS-4.
    pub const fn is_ucs(self) -> bool {
        matches!(self, Self::Ucs2 | Self::Ucs4)
    }
}
