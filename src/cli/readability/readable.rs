//! The findings about a text that a conversion would make unreadable.

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::Repair;

use super::super::fallback::{LostLetters, WholeTextEncoding};

/// What a text is, if not what it would be read as.
#[derive(Debug)]
pub(crate) enum Readable {
    /// UTF-8, or ASCII, which the encoding of the input would misread.
    Utf8 { is_ascii: bool },
    /// UTF-8 except for some bytes.
    NearlyUtf8 { ill_formed: u64, repair: Option<Repair> },
    /// The output of an earlier run.
    Target,
    /// Text with the byte order mark of another encoding.
    Marked(&'static Encoding),
    /// Text in another encoding.
    Other(Repair),
    /// Text whose ill-formed bytes are not those of `--fallback`.
    NotStray(WholeTextEncoding),
    /// Text whose letters would be lost in part.
    Lost(LostLetters),
    /// Text in `of` with lines in UTF-8.
    Lines { of: &'static Encoding },
    /// Text in `of` with parts in another encoding.
    Parts { of: &'static Encoding, other: &'static Encoding },
    /// Text with parts that are none, which the conversion would destroy.
    Damaged(String),
}
