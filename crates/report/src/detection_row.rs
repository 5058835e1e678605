//! What is printed about a file whose encoding was detected.

use oxiconv_detect::detection::{Detection, Evidence};
use oxiconv_encodings::encoding::Encoding;

/// The result of `--detect` for one file.
#[derive(Clone, Debug, Default)]
pub struct DetectionRow<'a> {
    /// The detector's answer; `None` if the file is empty.
    pub detection: Option<&'a Detection>,
    /// Bytes read.
    pub bytes: u64,
    /// Its line endings.
    pub line_ends: LineEnds,
    /// Ill-formed subsequences of the file in that encoding.
    pub ill_formed: u64,
    /// The offset of the first of them, in bytes.
    pub first_ill_formed: Option<u64>,
    /// How many of them are other text within UTF-16 or UTF-32, or extra bytes between their code units.
    pub interrupted: u64,
}

impl DetectionRow<'_> {
    /// Whether the encoding is known. It is not if the file is binary, or if the answer is not sure enough.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.detection.is_none_or(|detection| {
            detection.evidence != Evidence::Binary
                && (detection.is_enough() || detection.of_lines().is_some())
        })
    }

    /// Whether the file begins with a byte order mark or signature.
    pub(super) fn has_mark(&self) -> bool {
        self.detection.is_some_and(|detection| detection.evidence == Evidence::Mark)
    }
}

/// The result of `--detect --lines` for one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedLine {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its encoding; `None` if no encoding reads it as text.
    pub encoding: Option<&'static Encoding>,
    /// The encoding of stray bytes in UTF-8, if it has any.
    pub fallback: Option<&'static Encoding>,
}

/// The number of each kind of line ending in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineEnds {
    /// U+000A alone.
    pub lf: u64,
    /// U+000D and U+000A.
    pub crlf: u64,
    /// U+000D alone.
    pub cr: u64,
    /// U+0085, the line ending of EBCDIC.
    pub nel: u64,
}

impl LineEnds {
    /// Returns the name and the number of each line ending, in a fixed order.
    pub(super) const fn counts(&self) -> [(&'static str, u64); 4] {
        [("LF", self.lf), ("CRLF", self.crlf), ("CR", self.cr), ("NEL", self.nel)]
    }

    pub(super) fn style(&self) -> LineEndStyle {
        let mut used = self.counts().into_iter().filter(|(_, count)| *count > 0);
        match (used.next(), used.next()) {
            (None, _) => LineEndStyle::None,
            (Some((name, _)), None) => LineEndStyle::One(name),
            (Some(_), Some(_)) => LineEndStyle::Mixed,
        }
    }
}

/// The style of the line endings of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEndStyle {
    /// No line endings.
    None,
    One(&'static str),
    Mixed,
}
