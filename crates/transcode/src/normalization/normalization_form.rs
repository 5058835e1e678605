//! The four forms.

use unicode_normalization::char::{decompose_canonical, decompose_compatible};

/// A normalization form (UAX 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalizationForm {
    /// Canonical composition: é is one character. The usual form of text.
    Nfc,
    /// Canonical decomposition: é is `e` and U+0301, as in file names of macOS.
    Nfd,
    /// Compatibility composition: ﬁ becomes `fi`, ² becomes `2`, and then as NFC. It loses distinctions.
    Nfkc,
    /// Compatibility decomposition: the same, and then as NFD.
    Nfkd,
}

impl NormalizationForm {
    /// Whether letters and marks are composed.
    pub(super) const fn composes(self) -> bool {
        matches!(self, Self::Nfc | Self::Nfkc)
    }

    /// Passes on the full decomposition of a character.
    pub(super) fn decompose(self, c: char, pass: impl FnMut(char)) {
        match self {
            Self::Nfc | Self::Nfd => decompose_canonical(c, pass),
            Self::Nfkc | Self::Nfkd => decompose_compatible(c, pass),
        }
    }
}
