//! What a damaged part of a text was before.

use std::borrow::Cow;

use oxiconv_encodings::encoding::Encoding;

/// What a part of a text was before its bytes were read in the wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mojibake<'a> {
    /// The text that was meant.
    pub meant: Cow<'a, str>,
    /// The encoding that its bytes were in.
    pub written_in: &'static Encoding,
    /// The encoding in which they were read by mistake; the last one if that happened several times.
    pub read_as: &'static Encoding,
    /// How many times that happened.
    pub times: u32,
    /// The confidence in all of this, in percent.
    pub confidence: u8,
}

impl<'a> Mojibake<'a> {
    #[cfg(feature = "detection")]
    pub(crate) fn of(damage: &'a oxiconv_detect::mojibake::Damage) -> Self {
        let oxiconv_detect::mojibake::Damage {
            meant, written_in, read_as, times, confidence, ..
        } = damage;
        let (meant, times, confidence) = (Cow::Borrowed(&**meant), *times, *confidence);
        Self { meant, written_in, read_as, times, confidence }
    }

    /// Copies the text that was meant.
    #[must_use]
    pub fn into_owned(self) -> Mojibake<'static> {
        let Self { meant, written_in, read_as, times, confidence } = self;
        let meant = Cow::Owned(meant.into_owned());
        Mojibake { meant, written_in, read_as, times, confidence }
    }

    /// Formats it in a few words: `"é": UTF-8 read as windows-1252 twice, 99 %`.
    pub(super) fn words(&self) -> String {
        let Self { meant, written_in, read_as, times, confidence } = self;
        let times = match times {
            0 | 1 => String::new(),
            2 => " twice".to_owned(),
            more => format!(" {more} times"),
        };
        let (meant, written_in, read_as) = (quoted(meant), written_in.name(), read_as.name());
        format!("{meant}: {written_in} read as {read_as}{times}, {confidence} %")
    }
}

/// Quotes the start of a text, with escapes for unprintable characters. U+00A0 is escaped too. It looks like a space,
/// and damaged text often has it: à is C3 A0 in UTF-8, which read as windows-1252 is Ã and U+00A0.
pub(super) fn quoted(text: &str) -> String {
    const MAX_SHOWN: usize = 40;
    let mut quoted = String::from("\"");
    for (index, c) in text.chars().enumerate() {
        if index == MAX_SHOWN {
            quoted.push('…');
            break;
        }
        if oxiconv_encodings::unicode::is_unprintable(c.into()) || c == '"' || c == '\u{A0}' {
            quoted.extend(c.escape_unicode());
        } else {
            quoted.push(c);
        }
    }
    quoted.push('"');
    quoted
}
