//! The choices of a conversion: what becomes of what cannot be converted, or is not wanted.

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
    /// Whichever the start of the text looks like: see [`detect`](crate::detect).
    #[cfg(feature = "detection")]
    Detected,
}

impl InputEncoding {
    /// The encoding of a text that begins with `start`; `None` if more of it is needed. `last` says that this is all of it.
    pub(super) fn of(self, start: &[u8], last: bool) -> Option<&'static Encoding> {
        #[cfg(not(feature = "detection"))]
        let _ = (start, last);
        match self {
            Self::Named(encoding) => Some(encoding),
            #[cfg(feature = "detection")]
            Self::Detected => crate::encoding::detect(start, last),
        }
    }

    /// Whether it is guessed.
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
    /// The replacement stands for it: one for a maximal subpart.
    Replace,
    /// It is left out.
    Skip,
    /// Its bytes are written out: `\xE2\x82`.
    Escape,
}

/// What becomes of a character that the target has no room for.
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
    /// Its code point is written out: `\u{20AC}`.
    Escape,
    /// A character reference stands for it: `&#x20AC;`.
    Xml,
    /// The nearest text that the target has stands for it: `EUR`. Where there is none, it is replaced.
    #[cfg(feature = "transliteration")]
    Transliterate,
    /// The same, but where there is none, it is left out.
    #[cfg(feature = "transliteration")]
    TransliterateOrSkip,
}

/// What becomes of byte order marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkMode {
    /// As the encodings have it. An unmarked encoding (UTF-16) takes its byte order from a mark, which is no part of the text,
    /// and is written after one; in the LE and BE schemes U+FEFF is a character. UTF-8 to UTF-8 keeps what is there.
    #[default]
    Auto,
    /// One at the start of the input goes through as U+FEFF into whatever the target is.
    Keep,
    /// None at the start of the output.
    Strip,
    /// Exactly one at the start of the output.
    Add,
    /// As `Auto`; one at the start of the input is a finding.
    Forbid,
    /// As `Auto`; none at the start of the input is a finding.
    Require,
}

/// What becomes of what is denied ([`Options::deny`](super::Options::deny)). It is a finding in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDenied {
    /// It goes through as it is.
    #[default]
    Pass,
    /// The conversion stops in front of it.
    Stop,
}

/// What U+FEFF inside a text is, as files joined with their marks have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInnerMark {
    /// A character like any other.
    #[default]
    Ignore,
    /// A character, and a note: [`Kind::MarkInside`](crate::diagnostic::Kind::MarkInside), which is no fault.
    Note,
}

/// What the byte order mark of UTF-16 or UTF-32 at the start of a text in another encoding is, if the text is well-formed
/// there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnForeignMark {
    /// Bytes like any other.
    #[default]
    Ignore,
    /// A finding: [`Kind::OtherEncoding`](crate::diagnostic::Kind::OtherEncoding).
    Report,
}

/// How many threads may work on one input. The result is that of one thread in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Threads {
    /// The one that calls.
    #[default]
    One,
    /// So many, if they are worth it.
    AtMost(NonZeroUsize),
    /// As many as the machine has processors, if they are worth it.
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
