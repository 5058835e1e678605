//! Kinds of well-formed text that a policy may deny.

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
    /// Characters that are never visible and do nothing where they are: zero-width characters, tags, stray variation
    /// selectors and others with the property Default_Ignorable_Code_Point. Those of `Bidi` and `Bom` are not among
    /// them.
    Invisible,
    /// Characters above U+FFFF.
    NonBmp,
    /// A line that ends differently (CR LF, LF or CR) from the first one of its text.
    MixedNewlines,
    /// The first line of a text that ends with CR LF.
    Crlf,
    /// The first line of a text that ends with LF but not with CR LF.
    Lf,
    /// A text whose last line does not end with a line end.
    NoFinalNewline,
    /// A letter and its marks that are not in Normalization Form C (UAX 15), or a character that is in no form of its
    /// own.
    #[cfg(feature = "normalization")]
    NotNfc,
    /// Text that was damaged before: UTF-8 read in a charset, or text in one charset read in another.
    Mojibake,
    /// An identifier with ASCII letters and letters of other scripts that look like ASCII: `pаypal`, with U+0430.
    MixedScript,
    /// An identifier in letters of a script other than Latin that all look like ASCII, in a text that does not use the
    /// script otherwise; or one that mixes ASCII letters with full-width or mathematical ones.
    Confusable,
}

impl DeniedKind {
    /// All kinds, in order of precedence: if a character is of several denied kinds, its finding has the first of them.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Nul,
        Self::Bidi,
        Self::Bom,
        Self::Replacement,
        Self::Noncharacter,
        Self::PrivateUse,
        Self::Control,
        Self::Unassigned,
        Self::Invisible,
        Self::NonBmp,
        Self::MixedNewlines,
        Self::Crlf,
        Self::Lf,
        Self::NoFinalNewline,
        #[cfg(feature = "normalization")]
        Self::NotNfc,
        Self::Mojibake,
        Self::MixedScript,
        Self::Confusable,
    ];
    const COUNT: usize = if cfg!(feature = "normalization") { 18 } else { 17 };

    /// Whether it is reported once per text, or depends on more of the text than what is around it. A shard of a text
    /// (`--shard`), which is checked without the rest, could not find it.
    #[cfg(feature = "program")]
    pub const fn is_of_text(self) -> bool {
        matches!(
            self,
            Self::MixedNewlines
                | Self::Crlf
                | Self::Lf
                | Self::NotNfc
                | Self::Mojibake
                | Self::Confusable
        )
    }

    /// Whether each finding is a single character, for which a replacement can be written.
    #[must_use]
    pub const fn is_of_characters(self) -> bool {
        matches!(
            self,
            Self::Nul
                | Self::Bidi
                | Self::Bom
                | Self::Replacement
                | Self::Noncharacter
                | Self::PrivateUse
                | Self::Control
                | Self::Unassigned
                | Self::Invisible
                | Self::NonBmp
        )
    }

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
            Self::Invisible => "invisible",
            Self::NonBmp => "non-bmp",
            Self::MixedNewlines => "mixed-newlines",
            Self::Crlf => "crlf",
            Self::Lf => "lf",
            Self::NoFinalNewline => "no-final-newline",
            #[cfg(feature = "normalization")]
            Self::NotNfc => "not-nfc",
            Self::Mojibake => "mojibake",
            Self::MixedScript => "mixed-script",
            Self::Confusable => "confusable",
        }
    }
}
