//! What a finding says beyond its kind and place. To let a kind say something new, add a variant here and a sentence in
//! `sentence.rs`.

use std::borrow::Cow;

use super::mojibake::Mojibake;
use oxiconv_encodings::encoding::Encoding;

/// What else is known of a finding, depending on its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Details<'a> {
    /// Nothing.
    #[default]
    None,
    /// Ill-formed bytes that the fallback encoding cannot decode either.
    Lacking {
        /// The fallback encoding.
        fallback: &'static Encoding,
        /// The first of the bytes that is not assigned in it.
        byte: u8,
    },
    /// Ill-formed bytes in a line that is read in this encoding instead.
    ReadAs(&'static Encoding),
    /// A character that the target lacks.
    Unmappable {
        /// The closest text that the target can encode.
        transliteration: Option<Cow<'a, str>>,
        /// Whether the target can encode the characters of which escapes consist.
        writes_escapes: bool,
    },
    /// A line that ends differently from the first one of the text, which ends with this: `LF`, `CR` or `CRLF`.
    FirstLineEnd(&'static str),
    /// A damaged part of the text, with what it was.
    Mojibake(Mojibake<'a>),
    /// A letter of this identifier, which looks like another identifier.
    Identifier(Cow<'a, str>),
    /// Bytes that Python's `surrogateescape` has escaped, with the text that they are.
    Escaped(Cow<'a, str>),
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
            Self::Escaped(meant) => Details::Escaped(owned(meant)),
        }
    }
}
