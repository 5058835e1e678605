//! What is known of a finding, beyond its place, for each kind that has more to say. A kind with something new to say
//! gets a variant here, and a sentence in `sentence.rs`.

use std::borrow::Cow;

use super::mojibake::Mojibake;
use oxiconv_encodings::encoding::Encoding;

/// What else is known of a finding of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Details<'a> {
    /// Nothing.
    #[default]
    None,
    /// Ill-formed bytes that a fallback encoding should have decoded.
    Lacking {
        /// That encoding.
        fallback: &'static Encoding,
        /// The first of the bytes that it does not define.
        byte: u8,
    },
    /// Ill-formed bytes, with the encoding in which their line is read instead.
    ReadAs(&'static Encoding),
    /// A character that the target lacks.
    Unmappable {
        /// The closest text that the target has.
        transliteration: Option<Cow<'a, str>>,
        /// Whether the target has the characters that escapes are made of.
        writes_escapes: bool,
    },
    /// A line that ends differently from the first one of the text, with how that ends: `LF`, `CR` or `CRLF`.
    FirstLineEnd(&'static str),
    /// A damaged part of the text, with what it was.
    Mojibake(Mojibake<'a>),
    /// A letter of an identifier that looks like another, with the identifier.
    Identifier(Cow<'a, str>),
}

impl Details<'_> {
    /// Copies everything that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Details<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Self::None => Details::None,
            Self::Lacking { fallback, byte } => Details::Lacking { fallback, byte },
            Self::ReadAs(encoding) => Details::ReadAs(encoding),
            Self::Unmappable { transliteration, writes_escapes } => {
                Details::Unmappable { transliteration: transliteration.map(owned), writes_escapes }
            }
            Self::FirstLineEnd(end) => Details::FirstLineEnd(end),
            Self::Mojibake(mojibake) => Details::Mojibake(mojibake.into_owned()),
            Self::Identifier(identifier) => Details::Identifier(owned(identifier)),
        }
    }
}
