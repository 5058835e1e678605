//! The choices of a conversion: what happens to text that cannot be converted, or must not be.

use std::num::NonZeroUsize;

pub use crate::diagnostic::Detail;
use crate::diagnostic::Outcome;
#[cfg(feature = "detection")]
use oxiconv_detect::detection::Detector;
#[cfg(feature = "detection")]
use oxiconv_detect::mojibake::Misreading;
use oxiconv_encodings::encoding::Encoding;
#[cfg(feature = "detection")]
use oxiconv_encodings::encoding::Family;
use oxiconv_encodings::unicode::{CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE};

/// The encoding of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputEncoding {
    /// This one.
    Named(&'static Encoding),
    /// Detected from the text by this detector.
    #[cfg(feature = "detection")]
    Detected(Detector),
    /// Each line by itself, as in a log with several writers: UTF-8 if it is well-formed, and otherwise the stateless
    /// encoding that its letters and the lines before it indicate. Of the detector, only the language matters. A line
    /// is written when it is complete; of a line longer than 64 KiB, the first 64 KiB from its first non-ASCII byte
    /// on decide. A line that no encoding can read is ill-formed UTF-8. [`Summary::lines_read_as`] counts the others.
    ///
    /// [`Summary::lines_read_as`]: crate::Summary::lines_read_as
    #[cfg(feature = "detection")]
    Lines(Detector),
}

impl From<&'static Encoding> for InputEncoding {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Named(encoding)
    }
}

/// The encoding in which ill-formed subsequences are read instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// This one.
    Named(&'static Encoding),
    /// The one that most likely reads the stray bytes of a UTF-8 text: judged by the letters of the rest of it, at most
    /// 64 KiB from its start and 128 KiB from the first stray byte on.
    #[cfg(feature = "detection")]
    Detected,
}

impl Fallback {
    /// Returns the encoding, if it is named.
    #[doc(hidden)]
    pub fn named(self) -> Option<&'static Encoding> {
        match self {
            Self::Named(encoding) => Some(encoding),
            #[cfg(feature = "detection")]
            Self::Detected => None,
        }
    }
}

impl From<&'static Encoding> for Fallback {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Named(encoding)
    }
}

/// What happens to an ill-formed subsequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnIllFormed {
    /// The conversion stops before it.
    #[default]
    Stop,
    /// The replacement is written, once for each maximal subpart.
    Replace,
    /// It is left out.
    Skip,
    /// Its bytes are escaped: `\xE2\x82`, or as [`Options::ill_formed_format`](super::Options::ill_formed_format) says.
    Escape,
    /// Its bytes are written as character references, as ICU does: `&#xE2;&#x82;`. A reader that resolves them gets the
    /// bytes as ISO-8859-1.
    Xml,
    /// The same in decimal: `&#226;&#130;`.
    XmlDecimal,
    /// Its bytes are escaped as ICU does: `%XE2%X82`.
    Percent,
}

impl OnIllFormed {
    /// Returns the outcome of a subsequence that does not stop the conversion, if the target can write everything.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Skip => Outcome::Dropped,
            Self::Stop | Self::Replace => Outcome::Replaced,
            Self::Escape | Self::Percent => Outcome::Escaped,
            Self::Xml | Self::XmlDecimal => Outcome::Reference,
        }
    }
}

/// What happens to a character that the target cannot represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnUnmappable {
    /// The conversion stops before it.
    #[default]
    Stop,
    /// The replacement is written instead.
    Replace,
    /// It is left out.
    Skip,
    /// Its code point is escaped: `\u{20AC}`, or as [`Options::unmappable_format`](super::Options::unmappable_format)
    /// says.
    Escape,
    /// A character reference is written: `&#x20AC;`.
    Xml,
    /// A decimal character reference is written: `&#8364;`.
    XmlDecimal,
    /// Its UTF-16 code units are escaped as in Java: `\u20AC`, `\uD83D\uDE00`. A value past 10FFFF is replaced.
    Java,
    /// Its code point is escaped as in C: `\u20AC`, `\U0001F600`. A value of more than 32 bits is replaced.
    C,
    /// Its UTF-16 code units are escaped as ICU does: `%U20AC`, `%UD83D%UDE00`. A value past 10FFFF is replaced.
    Percent,
    /// Its code point is written in Unicode's notation in braces: `{U+20AC}`.
    Unicode,
}

/// What happens to a text whose encoding cannot be told: its detection has a confidence of less than 50 %
/// ([`Detection::ENOUGH`]), or it does not look like text at all.
///
/// [`Detection::ENOUGH`]: oxiconv_detect::Detection::ENOUGH
#[cfg(feature = "detection")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnUncertain {
    /// The conversion ends with [`Error::Undetected`](super::Error::Undetected).
    #[default]
    Stop,
    /// It is read in the most likely encoding.
    Guess,
}

/// What happens to byte order marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkMode {
    /// What the encodings call for. Unmarked UTF-16 and UTF-32 take the byte order from a mark, which is not part of
    /// the text, and are written with one. In the LE and BE schemes U+FEFF is a character. UTF-8 to UTF-8 keeps a mark.
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

/// What happens to a denied character ([`Options::deny`](super::Options::deny)). It is a finding in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDenied {
    /// It is passed through unchanged.
    #[default]
    Pass,
    /// The conversion stops before it.
    Stop,
    /// It is left out.
    Skip,
    /// The replacement is written instead.
    Replace,
    /// Its code point is escaped, as [`OnUnmappable::Escape`] does.
    Escape,
}

/// What happens to parts of a UTF-8 text that were damaged before: UTF-8 that was read in a charset and encoded again,
/// such as `Ã©` for `é`, or text in one charset that was read in another.
#[cfg(feature = "detection")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMojibake {
    /// They are text like any other.
    #[default]
    Ignore,
    /// What was meant is written instead, if it is at least 90 % certain. Each repair is a note:
    /// [`Kind::Mojibake`](crate::diagnostic::Kind::Mojibake).
    Repair,
    /// What was meant is written instead, however uncertain, if the reporter accepts it:
    /// [`Reporter::accepts`](crate::Reporter::accepts).
    Ask,
    /// The text was in one encoding and was read in another: each word whose bytes are valid in both is read again.
    Undo(Misreading),
}

#[cfg(feature = "detection")]
impl OnMojibake {
    /// Whether damaged text is looked for in this encoding. It is in those that software writes UTF-8 as when it has
    /// misread it.
    #[doc(hidden)]
    pub fn is_found_in(encoding: &Encoding) -> bool {
        matches!(encoding.family, Family::Utf8 | Family::Utf16 | Family::Utf32)
    }
}

/// What happens to a declaration in the text that a conversion to another encoding makes wrong: the XML declaration, a
/// meta element of HTML, `@charset` of CSS, the coding cookies of Python, Ruby and Emacs, a Vim modeline, the header of
/// a PO file or of a mail. It is looked for in the first 4 KiB.
#[cfg(feature = "detection")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDeclaration {
    /// It stays.
    #[default]
    Keep,
    /// It stays, and the reporter gets a note: [`Message::Note`](crate::Message::Note).
    Note,
    /// It is changed to name the encoding of the output, as far as its form allows; the rest of the declaration stays
    /// as it is. That of a mail stays, and is noted. Nothing is written before the first 4 KiB have been read.
    Update,
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

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newline {
    /// With U+000A.
    LineFeed,
    /// With U+000D.
    CarriageReturn,
    /// With U+000D and U+000A.
    Both,
}

/// How the lines of the output end.
///
/// LF, CR and CR LF end a line of the input; in EBCDIC, so do U+0085 and CR U+0085. Nothing else does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewlineMode {
    /// As in the input.
    #[default]
    Keep,
    /// With U+000A.
    LineFeed,
    /// With U+000D and U+000A.
    Both,
    /// With U+000D.
    CarriageReturn,
    /// With U+0085, as in EBCDIC.
    NextLine,
}

impl NewlineMode {
    /// Returns the name of the line end, and its characters; `None` if they are kept.
    pub(super) const fn written(self) -> Option<(&'static str, &'static [CodePoint])> {
        match self {
            Self::Keep => None,
            Self::LineFeed => Some(("LF", &[LINE_FEED])),
            Self::Both => Some(("CRLF", &[CARRIAGE_RETURN, LINE_FEED])),
            Self::CarriageReturn => Some(("CR", &[CARRIAGE_RETURN])),
            Self::NextLine => Some(("NEL", &[NEXT_LINE])),
        }
    }
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
