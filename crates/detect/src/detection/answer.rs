//! The answer of a detector.

use std::fmt;

use crate::language::Language;
use oxiconv_encodings::encoding::{Encoding, Family};

/// What a detector says of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// The most likely encoding. [`US-ASCII`](Encoding::US_ASCII) says that nothing tells: it can be read as UTF-8.
    pub encoding: &'static Encoding,
    /// How sure that is, in percent.
    pub confidence: u8,
    /// What it is judged by.
    pub evidence: Evidence,
    /// The language of the text, if it was looked at.
    pub language: Option<Language>,
    /// The next most likely encodings, best first: at most four, each of which reads the text differently.
    pub runners_up: Vec<RunnerUp>,
    /// What the text has that is not in that encoding, if it is UTF-8 or a relative of UTF-8.
    pub others: Option<Others>,
}

/// What a text in UTF-8 has that is ill-formed, as far as it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Others {
    /// Bytes of another encoding.
    pub strays: u64,
    /// The encoding that most likely reads them.
    pub fallback: Option<&'static Encoding>,
    /// Characters that were cut off.
    pub cut: u64,
}

impl Others {
    /// Whether there is any.
    pub(super) const fn any(&self) -> bool {
        self.strays + self.cut > 0
    }
}

/// What there is: `2 stray bytes that fit windows-1252 and 1 character that was cut off`.
impl fmt::Display for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strays, fallback, cut } = *self;
        match strays {
            0 => {}
            1 => write!(f, "1 stray byte")?,
            _ => write!(f, "{strays} stray bytes")?,
        }
        if let Some(fallback) = fallback.filter(|_| strays > 0) {
            let verb = if strays == 1 { "fits" } else { "fit" };
            write!(f, " that {verb} {}", fallback.name())?;
        }
        if strays > 0 && cut > 0 {
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
    /// The least confidence, in percent, with which a text is converted.
    pub const ENOUGH: u8 = 50;

    /// Creates an answer without language and runners-up.
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
            runners_up: Vec::new(),
            others: None,
        }
    }

    /// Creates the answer for a text that is ASCII to its end.
    #[doc(hidden)]
    pub const fn nothing() -> Self {
        Self::new(Encoding::US_ASCII, 100, Evidence::Ascii)
    }

    /// Returns the encoding that the text is read in.
    #[doc(hidden)]
    pub fn read_as(&self) -> &'static Encoding {
        match self.evidence {
            Evidence::Ascii => Encoding::UTF_8,
            _ => self.encoding,
        }
    }

    /// Returns the answer as it stands among its runners-up.
    #[doc(hidden)]
    pub const fn first(&self) -> RunnerUp {
        RunnerUp { encoding: self.encoding, confidence: self.confidence }
    }

    /// Returns the value of `-f` that reads the text, if no single encoding does.
    #[doc(hidden)]
    pub fn of_lines(&self) -> Option<&'static str> {
        (self.evidence == Evidence::Lines).then_some("auto-lines")
    }

    /// Returns the options that read a text with ill-formed bytes; none if no single command does.
    #[doc(hidden)]
    pub fn options(&self) -> Vec<String> {
        let Some(Others { strays, fallback, cut }) = self.others else { return Vec::new() };
        let fallback = fallback.filter(|_| strays > 0);
        let name = |encoding: &Encoding| encoding.name().to_lowercase();
        // A relative of UTF-8 must be named, and takes a fallback that is named, of single bytes.
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
            // A fallback that is named would read those too.
            _ => "auto".to_owned(),
        });
        let fallback = fallback.map(|name| ["--fallback".to_owned(), name]);
        fallback.into_iter().flatten().chain(skip).collect()
    }

    /// Lists the answer and the runners-up: `best guess windows-1251, 41 %; then KOI8-R, 38 %`.
    #[doc(hidden)]
    pub fn ranking(&self) -> String {
        let all: Vec<_> = std::iter::once(&self.first())
            .chain(&self.runners_up)
            .enumerate()
            .filter(|(number, candidate)| *number == 0 || candidate.confidence > 0)
            // The best guess is named, however unlikely it is.
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

    /// Says what a text is read in and why: `detected as windows-1251, 96 %, by its letter frequencies; runners-up:
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

    /// Whether it is a charset that the text is in as a whole, and that is sure enough.
    pub(super) fn is_by_letters(&self) -> bool {
        matches!(self.evidence, Evidence::Letters | Evidence::Declaration)
            && self.is_enough()
            && self.encoding.family != Family::Utf8
    }

    /// Whether it is sure enough to convert the text.
    #[must_use]
    pub const fn is_enough(&self) -> bool {
        // One encoding does not read lines in several.
        self.confidence >= Self::ENOUGH && !matches!(self.evidence, Evidence::Lines)
    }
}

/// The encoding, the confidence and the language: `windows-1251, 96 %, Russian`.
impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} %", self.encoding, self.confidence)?;
        self.language.map_or(Ok(()), |language| write!(f, ", {}", language.name()))
    }
}

/// An encoding that a text may also be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunnerUp {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// How likely it is, in percent.
    pub confidence: u8,
}

impl fmt::Display for RunnerUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} %", self.encoding.name(), self.confidence)
    }
}

/// What an encoding is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The byte order mark or signature at the start.
    Mark,
    /// The text is well-formed in UTF-8, and not only in ASCII.
    WellFormed,
    /// The text is UTF-8, by no chance, with stray bytes or with characters that were cut off.
    MostlyWellFormed,
    /// It has surrogate pairs of six bytes (CESU-8), or C0 80 (MUTF-8).
    SurrogatePairs,
    /// Its lines are in several encodings: the encoding is that of most which are not UTF-8.
    Lines,
    /// Code units of two or four bytes are characters of one script.
    Units,
    /// Escape sequences or shifts that only this encoding has.
    Escapes,
    /// The text names it, and is well-formed in it.
    Declaration,
    /// The frequency of its letters and of their pairs.
    Letters,
    /// None: it is ASCII up to here.
    Ascii,
    /// It is no text.
    Binary,
}

impl Evidence {
    /// Returns the stable short id.
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

    /// Returns the same for people, after `by`.
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
