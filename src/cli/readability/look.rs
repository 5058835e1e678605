//! The bytes of a file that are examined.

use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

use super::wide_parts::{has_end_in_utf8, is_of_bytes, wide_parts};

/// The bytes of a file that are looked at.
#[derive(Debug)]
pub(crate) struct Look<'b> {
    /// The first ones.
    pub(crate) start: &'b [u8],
    /// Whether these are all of the file.
    pub(crate) is_whole: bool,
    /// Those that matter: the lines that they are in, or all from the first one on.
    pub(crate) bytes: &'b [u8],
    /// Whether these are the end of the file.
    pub(crate) is_end: bool,
    /// The last ones of a longer file, from a whole unit on.
    pub(crate) end: &'b [u8],
    /// Whether all of the file is well-formed UTF-8.
    pub(crate) is_utf8: bool,
    /// Whether all of the file is ASCII.
    pub(crate) is_ascii: bool,
}

impl<'b> Look<'b> {
    /// Looks at the start of a file, or all of it.
    pub(crate) fn at_start(bytes: &'b [u8], is_end: bool) -> Self {
        let is_utf8 = match std::str::from_utf8(bytes) {
            Ok(_) => true,
            // A character that the end of the sample cuts.
            Err(error) => !is_end && error.error_len().is_none(),
        };
        let is_ascii = bytes.is_ascii();
        Self { start: bytes, is_whole: is_end, bytes, is_end, end: &[], is_utf8, is_ascii }
    }

    /// Whether its bytes are hardly wide units: there is an odd number of them, or none is a control. Those of a text of more
    /// than a few words have controls: 00 in line ends, and 04 or 09 in each letter of Cyrillic or Devanagari.
    pub(super) fn is_in_bytes(&self) -> bool {
        const FEW_WORDS: usize = 16;
        const BYTES_PER_SPACE: usize = 4;
        let controls = || self.start.iter().filter(|byte| byte.is_ascii_control());
        let is_odd = self.is_whole && !self.start.len().is_multiple_of(2);
        (is_odd || self.start.len() >= FEW_WORDS)
            && controls().all(|byte| is_of_bytes(*byte))
            && controls().count() <= self.start.len() / BYTES_PER_SPACE
    }

    /// Returns the encoding of parts in wide units that its ends have.
    pub(super) fn wide_parts(&self) -> Option<&'static Encoding> {
        self.ends().find_map(wide_parts)
    }

    /// Whether its ends are in wide units, and have parts in UTF-8.
    pub(super) fn has_parts_in_utf8(&self, wide: &Encoding, order: ByteOrder) -> bool {
        self.ends().any(|bytes| has_end_in_utf8(bytes, wide, order))
    }

    fn ends(&self) -> impl Iterator<Item = &'b [u8]> {
        [self.start, self.end].into_iter()
    }
}
