//! Well-formed text that is not wanted: the kinds of findings that a policy enables.

/// A class of characters, or a property of a text, that a policy may deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DeniedKind {
    /// U+0000.
    Nul,
    /// The embedding, override and isolate controls of bidirectional text: U+202A to U+202E, U+2066 to U+2069.
    Bidi,
    /// U+FEFF inside a text.
    Bom,
    /// U+FFFD, a trace of an earlier conversion.
    Replacement,
    /// The 66 noncharacters (D14).
    Noncharacter,
    /// Private-use code points (D49).
    PrivateUse,
    /// C0 and C1 except tab, line feed and carriage return, and U+007F.
    Control,
    /// Reserved code points, to which no character is assigned.
    Unassigned,
    /// Everything above U+FFFF.
    NonBmp,
    /// A line that ends differently from the first one of its text: with CR LF, LF, or CR.
    MixedNewlines,
    /// A letter and its marks that are not in Normalization Form C (UAX 15), or a character that is in no form of its own.
    #[cfg(feature = "normalization")]
    NotNfc,
}

impl DeniedKind {
    /// All kinds. If a character belongs to several, the first one that is denied is the kind of its finding.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Nul,
        Self::Bidi,
        Self::Bom,
        Self::Replacement,
        Self::Noncharacter,
        Self::PrivateUse,
        Self::Control,
        Self::Unassigned,
        Self::NonBmp,
        Self::MixedNewlines,
        #[cfg(feature = "normalization")]
        Self::NotNfc,
    ];
    const COUNT: usize = if cfg!(feature = "normalization") { 11 } else { 10 };

    /// Returns the stable short id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Nul => "nul",
            Self::Bidi => "bidi",
            Self::Bom => "bom",
            Self::Replacement => "replacement",
            Self::Noncharacter => "noncharacter",
            Self::PrivateUse => "private-use",
            Self::Control => "control",
            Self::Unassigned => "unassigned",
            Self::NonBmp => "non-bmp",
            Self::MixedNewlines => "mixed-newlines",
            #[cfg(feature = "normalization")]
            Self::NotNfc => "not-nfc",
        }
    }
}
