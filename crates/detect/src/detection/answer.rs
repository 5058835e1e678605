//! The answer of a detector, and its evidence.

use std::fmt;

use crate::language::{Language, LanguageFamily};
use oxiconv_encodings::encoding::{Encoding, Family};

/// The result of detecting the encoding of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// The most likely encoding. [`US-ASCII`](Encoding::US_ASCII) with [`Evidence::Ascii`] means that the text is pure
    /// ASCII so far, so that it can be read as UTF-8. With [`Evidence::Binary`], the data is not text, and this says
    /// nothing.
    pub encoding: &'static Encoding,
    /// The confidence in that encoding, in percent.
    pub confidence: u8,
    /// The kind of evidence for that encoding.
    pub evidence: Evidence,
    /// The language of the text, if its letters were examined and it is clear.
    pub language: Option<Language>,
    /// The family of the language, if that is unclear.
    pub family: Option<LanguageFamily>,
    /// Whether the language is only the likeliest of several, and the family of these. Until the answer is complete,
    /// the language is evidence for other questions.
    pub(super) unclear: Option<Option<LanguageFamily>>,
    /// The next most likely encodings, best first. There are at most four, and each of them yields different text.
    pub runners_up: Vec<RunnerUp>,
    /// What is ill-formed in the text, if it is in UTF-8 or a relative of UTF-8.
    pub others: Option<Others>,
}

/// What is ill-formed in the examined part of a UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Others {
    /// The number of bytes in another encoding.
    pub strays: u64,
    /// The most likely encoding of those bytes.
    pub fallback: Option<&'static Encoding>,
    /// The number of truncated characters.
    pub cut: u64,
    /// The number of bytes that Python's `surrogateescape` has escaped, each as a surrogate of three bytes. The other
    /// counts are those of the text with these bytes restored: no escaped byte is stray if all of them are parts of
    /// characters.
    pub escaped: u64,
}

impl Others {
    pub(super) const fn any(&self) -> bool {
        self.strays + self.cut > 0
    }

    /// Whether nothing speaks against reading the stray bytes in the fallback, if there are any.
    #[doc(hidden)]
    pub const fn are_readable(&self) -> bool {
        self.cut == 0 && (self.strays == 0 || self.fallback.is_some())
    }
}

/// Formats as `2 stray bytes that fit windows-1252 and 1 character that was cut off`.
impl fmt::Display for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strays, fallback, cut, escaped } = *self;
        // Where bytes were escaped, no others are stray.
        let shown = if escaped > 0 { escaped } else { strays };
        match (shown, escaped > 0) {
            (0, _) => {}
            (1, true) => write!(f, "1 byte escaped by Python's surrogateescape")?,
            (_, true) => write!(f, "{escaped} bytes escaped by Python's surrogateescape")?,
            (1, false) => write!(f, "1 stray byte")?,
            (_, false) => write!(f, "{strays} stray bytes")?,
        }
        if let Some(fallback) = fallback.filter(|_| strays > 0) {
            let verb = if shown == 1 { "fits" } else { "fit" };
            write!(f, " that {verb} {}", fallback.name())?;
        }
        if shown > 0 && cut > 0 {
            f.write_str(" and ")?;
        }
        match cut {
            0 => Ok(()),
            1 => write!(f, "1 character that was cut off"),
            _ => write!(f, "{cut} characters that were cut off"),
        }
    }
}

impl Detection {
    /// The least confidence, in percent, at which a text is converted.
    pub const ENOUGH: u8 = 50;

    /// Creates an answer without a language and runners-up.
    pub(super) const fn new(
        encoding: &'static Encoding,
        confidence: u8,
        evidence: Evidence,
    ) -> Self {
        Self {
            encoding,
            confidence,
            evidence,
            language: None,
            family: None,
            unclear: None,
            runners_up: Vec::new(),
            others: None,
        }
    }

    /// Creates the answer for a text that is pure ASCII.
    #[doc(hidden)]
    pub const fn nothing() -> Self {
        Self::new(Encoding::US_ASCII, 100, Evidence::Ascii)
    }

    /// Completes the answer: names the family of a language that is not clear.
    pub(super) fn complete(mut self) -> Self {
        if let Some(family) = self.unclear.take() {
            (self.language, self.family) = (None, family);
        }
        self
    }

    /// Returns the encoding to decode the text with.
    #[doc(hidden)]
    pub fn read_as(&self) -> &'static Encoding {
        match self.evidence {
            Evidence::Ascii => Encoding::UTF_8,
            _ => self.encoding,
        }
    }

    #[doc(hidden)]
    pub const fn first(&self) -> RunnerUp {
        RunnerUp { encoding: self.encoding, confidence: self.confidence }
    }

    /// Returns the value of `-f` for a text that no single encoding can read.
    #[doc(hidden)]
    pub fn of_lines(&self) -> Option<&'static str> {
        (self.evidence == Evidence::Lines).then_some("auto-lines")
    }

    /// Returns the options that read a text with ill-formed bytes; empty if no single command can.
    #[doc(hidden)]
    pub fn options(&self) -> Vec<String> {
        let Some(others) = self.others else { return Vec::new() };
        let Others { strays, fallback, cut, escaped } = others;
        if escaped > 0 {
            // The repair finds the fallback by itself.
            let repair = others.are_readable().then(|| "--repair".to_owned());
            return repair.into_iter().collect();
        }
        let fallback = fallback.filter(|_| strays > 0);
        let name = |encoding: &Encoding| encoding.name().to_lowercase();
        // A relative of UTF-8 must be named. Its fallback must be named too, and be a single-byte encoding.
        if self.evidence == Evidence::SurrogatePairs {
            let reads = |fallback: &&Encoding| cut == 0 && fallback.single_byte;
            let Some(fallback) = fallback.filter(reads) else { return Vec::new() };
            return ["-f", &name(self.encoding), "--fallback", &name(fallback)]
                .map(str::to_owned)
                .into();
        }
        let skip = (cut > 0).then(|| "-c".to_owned());
        let fallback = fallback.map(|fallback| match cut {
            0 => name(fallback),
            // A named fallback would read the truncated characters too.
            _ => "auto".to_owned(),
        });
        let fallback = fallback.map(|name| ["--fallback".to_owned(), name]);
        fallback.into_iter().flatten().chain(skip).collect()
    }

    /// Formats the answer and its runners-up as `best guess windows-1251, 41 %; then KOI8-R, 38 %`.
    #[doc(hidden)]
    pub fn ranking(&self) -> String {
        let all: Vec<_> = std::iter::once(&self.first())
            .chain(&self.runners_up)
            .enumerate()
            .filter(|(number, candidate)| *number == 0 || candidate.confidence > 0)
            // The best guess is listed, however unlikely it is.
            .map(|(_, candidate)| RunnerUp {
                confidence: candidate.confidence.max(1),
                ..*candidate
            })
            .map(|candidate| candidate.to_string())
            .collect();
        match &all[..] {
            [best, others @ ..] if !others.is_empty() => {
                format!("best guess {best}; then {}", others.join("; "))
            }
            _ => format!("best guess {}", all.concat()),
        }
    }

    /// Formats what a text is read as and why: `detected as windows-1251, 96 %, by its letter frequencies; runners-up:
    /// KOI8-R, 38 %`.
    #[doc(hidden)]
    pub fn account(&self) -> String {
        let Self { encoding, confidence, evidence, .. } = self;
        let with = self.others.map_or_else(String::new, |others| format!(", with {others}"));
        let (name, by) = (encoding.name(), evidence.words());
        let others = self.runners_up.iter().filter(|candidate| candidate.confidence > 0);
        let others: Vec<_> = others.map(RunnerUp::to_string).collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("; runners-up: {}", others.join("; ")),
        };
        format!("detected as {name}, {confidence} %, by {by}{with}{others}")
    }

    /// Whether the whole text is in a legacy charset, with enough confidence.
    pub(super) fn is_by_letters(&self) -> bool {
        matches!(self.evidence, Evidence::Letters | Evidence::Declaration)
            && self.is_enough()
            && self.encoding.family != Family::Utf8
    }

    /// Whether the confidence is enough to convert the text.
    #[must_use]
    pub const fn is_enough(&self) -> bool {
        // No single encoding reads lines in several.
        self.confidence >= Self::ENOUGH && !matches!(self.evidence, Evidence::Lines)
    }
}

/// Formats as `windows-1251, 96 %, Russian`.
impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} %", self.encoding, self.confidence)?;
        self.language.map_or(Ok(()), |language| write!(f, ", {}", language.name()))
    }
}

/// A less likely encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunnerUp {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Its probability in percent.
    pub confidence: u8,
}

impl fmt::Display for RunnerUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} %", self.encoding.name(), self.confidence)
    }
}

/// The kind of evidence for an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A byte order mark or signature at the start.
    Mark,
    /// The text is well-formed UTF-8, and not pure ASCII.
    WellFormed,
    /// The text is UTF-8 beyond chance, with stray bytes or truncated characters.
    MostlyWellFormed,
    /// The text has surrogate pairs of six bytes (CESU-8), or C0 80 (MUTF-8).
    SurrogatePairs,
    /// The lines are in several encodings. The encoding is that of most lines that are not UTF-8.
    Lines,
    /// Code units of two or four bytes form ordinary text.
    Units,
    /// The text has escape sequences or shifts that only this encoding has.
    Escapes,
    /// The text declares the encoding, and is well-formed in it.
    Declaration,
    /// The frequencies of letters and of pairs of letters.
    Letters,
    /// None: the text is pure ASCII so far.
    Ascii,
    /// The data is not text.
    Binary,
}

impl Evidence {
    /// Returns a short, stable identifier.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mark => "mark",
            Self::WellFormed => "well-formed",
            Self::MostlyWellFormed => "mostly-well-formed",
            Self::SurrogatePairs => "surrogate-pairs",
            Self::Lines => "lines",
            Self::Units => "units",
            Self::Escapes => "escapes",
            Self::Declaration => "declaration",
            Self::Letters => "letters",
            Self::Ascii => "ascii",
            Self::Binary => "binary",
        }
    }

    /// Returns the words for messages, to follow `by`.
    #[doc(hidden)]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mark => "its byte order mark",
            Self::WellFormed | Self::MostlyWellFormed => "its well-formed sequences",
            Self::SurrogatePairs => "its surrogate pairs",
            Self::Lines => "its lines",
            Self::Units => "its code units",
            Self::Escapes => "its escape sequences",
            Self::Declaration => "its declaration",
            Self::Letters => "its letter frequencies",
            Self::Ascii | Self::Binary => "its bytes",
        }
    }
}
