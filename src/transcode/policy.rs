//! The choices of a conversion: what becomes of text that cannot be converted, or is not wanted.

use std::num::NonZeroUsize;

use crate::codec::{ByteOrder, EncodeStop, MIN_OUTPUT};
pub use crate::diagnostic::Detail;
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// The encoding of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputEncoding {
    /// This one.
    Named(&'static Encoding),
    /// Detected from the start of the text: see [`detect`](crate::detect).
    #[cfg(feature = "detection")]
    Detected,
}

impl InputEncoding {
    /// Returns the encoding of a text that begins with `start`; `None` if more of it is needed. `last` says that this
    /// is all of it.
    pub(super) fn of(self, start: &[u8], last: bool) -> Option<&'static Encoding> {
        #[cfg(not(feature = "detection"))]
        let _ = (start, last);
        match self {
            Self::Named(encoding) => Some(encoding),
            #[cfg(feature = "detection")]
            Self::Detected => crate::encoding::detect_in(start, last),
        }
    }

    /// Whether it is detected.
    pub(super) fn is_detected(self) -> bool {
        !matches!(self, Self::Named(_))
    }
}

impl From<&'static Encoding> for InputEncoding {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Named(encoding)
    }
}

/// What becomes of an ill-formed subsequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnIllFormed {
    /// The conversion stops in front of it.
    #[default]
    Stop,
    /// The replacement stands for it, once for each maximal subpart.
    Replace,
    /// It is left out.
    Skip,
    /// Its bytes are escaped: `\xE2\x82`.
    Escape,
}

/// What becomes of a character that the target cannot represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnUnmappable {
    /// The conversion stops in front of it.
    #[default]
    Stop,
    /// The replacement stands for it.
    Replace,
    /// It is left out.
    Skip,
    /// Its code point is escaped: `\u{20AC}`.
    Escape,
    /// A character reference stands for it: `&#x20AC;`.
    Xml,
    /// A text that says the same and that the target can represent stands for it: `EUR`. If there is none, it is
    /// replaced. A letter keeps the marks that the target has. The letter is written once the next character is known.
    #[cfg(feature = "transliteration")]
    Transliterate,
    /// As `Transliterate`, but if there is no such text, it is left out.
    #[cfg(feature = "transliteration")]
    TransliterateOrSkip,
}

/// What becomes of byte order marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkMode {
    /// Whatever is right for the encodings. Unmarked UTF-16 and UTF-32 take the byte order from a mark, which is not part of
    /// the text, and are written with one; in the LE and BE schemes U+FEFF is a character. UTF-8 to UTF-8 keeps a mark.
    #[default]
    Auto,
    /// A mark at the start of the input is passed through as U+FEFF, whatever the target.
    Keep,
    /// The output starts with no mark.
    Strip,
    /// The output starts with exactly one mark.
    Add,
    /// As `Auto`, but a mark at the start of the input is a finding.
    Forbid,
    /// As `Auto`, but a missing mark at the start of the input is a finding.
    Require,
}

/// What becomes of a denied character ([`Options::deny`](super::Options::deny)). It is a finding in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDenied {
    /// It is passed through unchanged.
    #[default]
    Pass,
    /// The conversion stops in front of it.
    Stop,
}

/// How U+FEFF inside a text is treated. Concatenated files that each had a mark contain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInnerMark {
    /// A character like any other.
    #[default]
    Ignore,
    /// A character, and a note: [`Kind::MarkInside`](crate::diagnostic::Kind::MarkInside), which is not a fault.
    Note,
}

/// How the byte order mark of UTF-16 or UTF-32 at the start of a text in another encoding is treated, if the text is
/// well-formed in that encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnForeignMark {
    /// Bytes like any other.
    #[default]
    Ignore,
    /// A finding: [`Kind::OtherEncoding`](crate::diagnostic::Kind::OtherEncoding).
    Report,
}

/// How many threads may work on one input. The result does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread only.
    #[default]
    One,
    /// At most this many, if they are worthwhile.
    AtMost(NonZeroUsize),
    /// As many as the machine has processors, if they are worthwhile.
    All,
}

pub(super) fn code_points(text: &str) -> Vec<CodePoint> {
    text.chars().map(CodePoint::from).collect()
}

pub(super) fn encodes(encoding: &Encoding, text: &[CodePoint]) -> bool {
    let mut room = vec![0; MIN_OUTPUT + 16 * text.len()];
    let encoded = encoding.new_encoder(ByteOrder::Little).encode(text, &mut room);
    encoded.stop == EncodeStop::InputEmpty
}
