//! What is printed about one file whose encoding was detected.

use oxiconv_detect::detection::{Detection, Evidence};

/// What a file looks like.
#[derive(Clone, Debug, Default)]
pub struct DetectionRow<'a> {
    /// The answer of the detector; `None` if the file is empty.
    pub detection: Option<&'a Detection>,
    /// Bytes read.
    pub bytes: u64,
    /// How its lines end.
    pub line_ends: LineEnds,
    /// Ill-formed subsequences of the file in that encoding.
    pub ill_formed: u64,
    /// The offset of the first of them, in bytes.
    pub first_ill_formed: Option<u64>,
    /// How many of them are bytes of other text, or between code units, in UTF-16 or UTF-32.
    pub interrupted: u64,
}

impl DetectionRow<'_> {
    /// Whether the encoding is known. It is not if the file is binary, or the answer is not sure enough.
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

/// How the lines of a text end: how many with each line end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineEnds {
    /// U+000A alone.
    pub lf: u64,
    /// U+000D and U+000A.
    pub crlf: u64,
    /// U+000D alone.
    pub cr: u64,
    /// U+0085, the line end of EBCDIC.
    pub nel: u64,
}

impl LineEnds {
    /// Returns each line end with its name and its number, in a fixed order.
    pub(super) const fn counts(&self) -> [(&'static str, u64); 4] {
        [("LF", self.lf), ("CRLF", self.crlf), ("CR", self.cr), ("NEL", self.nel)]
    }

    /// Returns the style of the text.
    pub(super) fn style(&self) -> LineEndStyle {
        let mut used = self.counts().into_iter().filter(|(_, count)| *count > 0);
        match (used.next(), used.next()) {
            (None, _) => LineEndStyle::None,
            (Some((name, _)), None) => LineEndStyle::One(name),
            (Some(_), Some(_)) => LineEndStyle::Mixed,
        }
    }
}

/// How lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEndStyle {
    /// There are no line ends.
    None,
    /// All are this one.
    One(&'static str),
    /// They differ.
    Mixed,
}
