//! Escapes: the value of a byte or character that cannot be converted, written as text.
//!
//! Every escape is a [`SubstitutionFormat`], which is text with at most one printf directive: `\x%02X`, `&#%u;`. A
//! user's own is one too. A notation has one form for bytes. For code points past U+FFFF it may have another form than
//! for the others, or write two UTF-16 code units ([`Supplementary`]). The notations are those of ICU's callbacks
//! (ucnv_err.h), and `\u{20AC}` of Rust and ECMAScript.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use super::policy::{OnIllFormed, OnUnmappable, code_points};
use crate::diagnostic::Outcome;
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::CodePoint;

/// The greatest width and precision: the length that every printf must be able to write (C11, 7.21.6.1, paragraph 15).
const MAX_WIDTH: usize = 4095;

/// Text that contains a value: `<U+%04X>` writes U+20AC as `<U+20AC>`.
///
/// It is parsed from the form that C's printf has for one unsigned integer: at most one directive out of `%o`, `%u`,
/// `%x` and `%X`, with the flags `#`, `0`, `-`, `+`, the space and `'`, a width and a precision; `%%` is a percent
/// sign. These are the formats that GNU libiconv's iconv takes in `--byte-subst` and `--unicode-subst`. As in C, `+`
/// and the space mean nothing for unsigned values, and `'` separates no groups in the locale "C".
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, OnUnmappable, Options};
///
/// let options = Options::new()
///     .on_unmappable(OnUnmappable::Escape)
///     .unmappable_format("<U+%04X>".parse()?);
/// let (text, _) =
///     oxiconv::convert("5 €".as_bytes(), Encoding::UTF_8, Encoding::US_ASCII, &options)?;
/// assert_eq!(text, b"5 <U+20AC>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubstitutionFormat {
    before: String,
    directive: Option<Directive>,
    after: String,
}

/// A string that is not a [`SubstitutionFormat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubstitutionFormatError {
    /// It ends inside a directive.
    #[error("the format ends inside a directive (a percent sign is written %%)")]
    Unfinished,
    /// The character that ends a directive is not one of those possible.
    #[error("'{0}' cannot end a directive (possible: %o, %u, %x, %X and %%)")]
    Conversion(char),
    /// A size, such as the `l` of `%lx`.
    #[error("a directive must not have a size, such as the '{0}' here")]
    Size(char),
    /// A width or precision that is an argument: `%*x`.
    #[error("a directive must not take its width or precision from an argument ('*')")]
    Variable,
    /// A width or precision of more than 4095.
    #[error("a width or precision must be at most 4095")]
    TooWide,
    /// More than one value.
    #[error("the format has more than one value")]
    Values,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Directive {
    base: Base,
    alternative: bool,
    zeros: bool,
    left: bool,
    width: usize,
    precision: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Octal,
    Decimal,
    Lower,
    Upper,
}

impl Directive {
    /// Formats a value as C's printf does (C11, 7.21.6.1), whatever its size. Three rules of the standard decide the
    /// rest:
    ///
    /// * A precision of 0 writes no digit for the value 0 (`%.0u`).
    /// * `#` puts a 0 before an octal number that does not begin with one, and `0x` before a hexadecimal one that is
    ///   not 0.
    /// * `0` pads with zeros, between the prefix and the digits. A precision or `-` makes it void.
    fn text(self, value: CodeValue) -> String {
        let digits = match self.base {
            Base::Octal => format!("{value:o}"),
            Base::Decimal => value.to_string(),
            Base::Lower => format!("{value:x}"),
            Base::Upper => format!("{value:X}"),
        };
        let digits = match self.precision {
            Some(0) if value == 0 => String::new(),
            precision => format!("{digits:0>width$}", width = precision.unwrap_or(1)),
        };
        let prefix = match self.base {
            Base::Octal if self.alternative && !digits.starts_with('0') => "0",
            Base::Lower if self.alternative && value != 0 => "0x",
            Base::Upper if self.alternative && value != 0 => "0X",
            _ => "",
        };
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        match (self.left, self.zeros && self.precision.is_none()) {
            (true, _) => format!("{prefix}{digits}{:missing$}", ""),
            (false, true) => format!("{prefix}{:0>missing$}{digits}", ""),
            (false, false) => format!("{:missing$}{prefix}{digits}", ""),
        }
    }

    /// Returns every character that it may write, to check that the target has them. The characters are possible ones:
    /// which of them occur depends on the values, and the text that will be converted is not known yet.
    fn characters(self) -> String {
        let digits = match self.base {
            Base::Octal => "01234567",
            Base::Decimal => "0123456789",
            Base::Lower => "0123456789abcdef",
            Base::Upper => "0123456789ABCDEF",
        };
        let prefix = match self.base {
            Base::Lower if self.alternative => "x",
            Base::Upper if self.alternative => "X",
            _ => "",
        };
        let pads = self.width > 0 && (self.left || !self.zeros || self.precision.is_some());
        format!("{digits}{prefix}{}", if pads { " " } else { "" })
    }
}

impl SubstitutionFormat {
    pub(super) fn text(&self, value: CodeValue) -> String {
        let shown = self.directive.map(|directive| directive.text(value)).unwrap_or_default();
        format!("{}{shown}{}", self.before, self.after)
    }

    pub(super) fn characters(&self) -> String {
        let shown = self.directive.map(Directive::characters).unwrap_or_default();
        format!("{}{shown}{}", self.before, self.after)
    }
}

impl FromStr for SubstitutionFormat {
    type Err = SubstitutionFormatError;

    fn from_str(format: &str) -> Result<Self, Self::Err> {
        let mut read = Self { before: String::new(), directive: None, after: String::new() };
        let mut rest = format.chars().peekable();
        while let Some(next) = rest.next() {
            let text = if read.directive.is_none() { &mut read.before } else { &mut read.after };
            if next != '%' {
                text.push(next);
                continue;
            }
            match directive(&mut rest)? {
                None => text.push('%'),
                Some(_) if read.directive.is_some() => return Err(SubstitutionFormatError::Values),
                given => read.directive = given,
            }
        }
        Ok(read)
    }
}

/// Reads what follows a percent sign; `None` is another percent sign.
fn directive(rest: &mut Peekable<Chars<'_>>) -> Result<Option<Directive>, SubstitutionFormatError> {
    let (mut alternative, mut zeros, mut left) = (false, false, false);
    while let Some(flag) = rest.next_if(|flag| "#0- +'".contains(*flag)) {
        alternative |= flag == '#';
        zeros |= flag == '0';
        left |= flag == '-';
    }
    let width = number(rest)?;
    let precision = rest.next_if_eq(&'.').map(|_| number(rest)).transpose()?;
    let base = match rest.next().ok_or(SubstitutionFormatError::Unfinished)? {
        '%' => return Ok(None),
        'o' => Base::Octal,
        'u' => Base::Decimal,
        'x' => Base::Lower,
        'X' => Base::Upper,
        size @ ('h' | 'l' | 'L' | 'q' | 'j' | 'z' | 'Z' | 't') => {
            return Err(SubstitutionFormatError::Size(size));
        }
        other => return Err(SubstitutionFormatError::Conversion(other)),
    };
    Ok(Some(Directive { base, alternative, zeros, left, width, precision }))
}

/// Reads a width or a precision; 0 without a digit.
fn number(rest: &mut Peekable<Chars<'_>>) -> Result<usize, SubstitutionFormatError> {
    if rest.peek() == Some(&'*') {
        return Err(SubstitutionFormatError::Variable);
    }
    let mut number = 0;
    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
        number = number * 10 + digit.to_digit(10).map_or(0, |digit| digit as usize);
        if number > MAX_WIDTH {
            return Err(SubstitutionFormatError::TooWide);
        }
    }
    Ok(number)
}

/// How a notation writes code points past U+FFFF.
#[derive(Clone, Copy, Debug)]
enum Supplementary {
    /// Like the others.
    Same,
    /// As the two code units of UTF-16.
    Pair,
    /// In this form, with the value.
    Form(&'static str),
}

/// Returns the form in which a mode writes code points, the one past U+FFFF, and the outcome.
fn character_form(mode: OnUnmappable) -> Option<(&'static str, Supplementary, Outcome)> {
    use Supplementary::{Form, Pair, Same};
    Some(match mode {
        OnUnmappable::Escape => (r"\u{%X}", Same, Outcome::Escaped),
        OnUnmappable::Xml => ("&#x%X;", Same, Outcome::Reference),
        OnUnmappable::XmlDecimal => ("&#%u;", Same, Outcome::Reference),
        OnUnmappable::Java => (r"\u%04X", Pair, Outcome::Escaped),
        OnUnmappable::C => (r"\u%04X", Form(r"\U%08X"), Outcome::Escaped),
        OnUnmappable::Percent => ("%%U%04X", Pair, Outcome::Escaped),
        OnUnmappable::Unicode => ("{U+%04X}", Same, Outcome::Escaped),
        OnUnmappable::Stop | OnUnmappable::Replace | OnUnmappable::Skip => return None,
    })
}

/// Returns the form in which a mode writes bytes, and the outcome.
fn byte_form(mode: OnIllFormed) -> Option<(&'static str, Outcome)> {
    Some(match mode {
        OnIllFormed::Escape => (r"\x%02X", Outcome::Escaped),
        OnIllFormed::Xml => ("&#x%X;", Outcome::Reference),
        OnIllFormed::XmlDecimal => ("&#%u;", Outcome::Reference),
        OnIllFormed::Percent => ("%%X%02X", Outcome::Escaped),
        OnIllFormed::Stop | OnIllFormed::Replace | OnIllFormed::Skip => return None,
    })
}

fn known(form: &str) -> SubstitutionFormat {
    form.parse().expect("the forms above are well-formed")
}

#[derive(Debug)]
pub(super) struct CharacterEscape {
    form: SubstitutionFormat,
    supplementary: Supplementary,
    pub(super) outcome: Outcome,
}

impl CharacterEscape {
    /// Returns the notation of a mode, if it is one that escapes. `given` replaces that of `Escape`.
    pub(super) fn of(mode: OnUnmappable, given: Option<&SubstitutionFormat>) -> Option<Self> {
        let (form, supplementary, outcome) = character_form(mode)?;
        let given = given.filter(|_| mode == OnUnmappable::Escape);
        let form = given.cloned().unwrap_or_else(|| known(form));
        Some(Self { form, supplementary, outcome })
    }

    /// Returns the text for a value. `None` if the notation has none for so large a value.
    pub(super) fn text(&self, value: CodeValue) -> Option<String> {
        match self.supplementary {
            _ if value <= 0xFFFF => Some(self.form.text(value)),
            Supplementary::Same => Some(self.form.text(value)),
            Supplementary::Pair => {
                let character = char::from_u32(value.try_into().ok()?)?;
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units).iter();
                Some(units.map(|unit| self.form.text(CodeValue::from(*unit))).collect())
            }
            // The notation has eight digits.
            Supplementary::Form(form) => {
                u32::try_from(value).ok().map(|value| known(form).text(value.into()))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct ByteEscape {
    texts: Vec<Vec<CodePoint>>,
    pub(super) outcome: Outcome,
}

impl ByteEscape {
    /// Returns the notation of a mode, if it is one that escapes. `given` replaces that of `Escape`.
    pub(super) fn of(mode: OnIllFormed, given: Option<&SubstitutionFormat>) -> Option<Self> {
        let (form, outcome) = byte_form(mode)?;
        let given = given.filter(|_| mode == OnIllFormed::Escape);
        let form = given.cloned().unwrap_or_else(|| known(form));
        let texts = (0..=u8::MAX).map(|byte| code_points(&form.text(byte.into()))).collect();
        Some(Self { texts, outcome })
    }

    pub(super) fn text(&self, bytes: &[u8]) -> Cow<'_, [CodePoint]> {
        match bytes {
            [byte] => (&self.texts[usize::from(*byte)]).into(),
            bytes => {
                bytes.iter().flat_map(|byte| &self.texts[usize::from(*byte)]).copied().collect()
            }
        }
    }
}
