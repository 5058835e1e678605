//! What of a file is examined: its start, its end if it is long, and the bytes in between that matter.

use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

use super::wide_parts::{has_end_in_utf8, is_of_bytes, wide_parts};

/// The bytes of a file that are examined. For a short file, `start` and `bytes` are all of it.
#[derive(Debug)]
pub(crate) struct Excerpt<'b> {
    /// The first bytes of the file.
    pub(crate) start: &'b [u8],
    /// Whether `start` is the whole file.
    pub(crate) is_whole: bool,
    /// The bytes that matter: the lines that contain them, or everything from the first one on.
    pub(crate) bytes: &'b [u8],
    /// Whether `bytes` reach to the end of the file.
    pub(crate) is_end: bool,
    /// The last bytes of a longer file, aligned to code units.
    pub(crate) end: &'b [u8],
    /// Whether the whole file is well-formed UTF-8.
    pub(crate) is_utf8: bool,
    /// Whether the whole file is ASCII.
    pub(crate) is_ascii: bool,
}

impl<'b> Excerpt<'b> {
    /// Examines the start of a file, or all of it if `is_end`.
    pub(crate) fn at_start(bytes: &'b [u8], is_end: bool) -> Self {
        let is_utf8 = match std::str::from_utf8(bytes) {
            Ok(_) => true,
            // Only a character that the end of the sample truncates.
            Err(error) => !is_end && error.error_len().is_none(),
        };
        let is_ascii = bytes.is_ascii();
        Self { start: bytes, is_whole: is_end, bytes, is_end, end: &[], is_utf8, is_ascii }
    }

    /// Whether the start is hardly wide units: it has no controls other than those of text in bytes, and either at
    /// least 16 bytes or, as a whole file, an odd number of them.
    ///
    /// Any text in wide units that has more than a few words contains control bytes. Spaces and line ends have a byte
    /// 00, and every letter of Cyrillic or Devanagari has a byte 04 or 09. The converse is not used: bytes with
    /// controls may be anything.
    ///
    /// Tabs and line ends are controls that text in bytes has too. If they are more than a quarter of all bytes, they
    /// are rather halves of letters: 09 in Devanagari, 0A in Gurmukhi.
    pub(super) fn is_in_bytes(&self) -> bool {
        const FEW_WORDS: usize = 16;
        const BYTES_PER_SPACE: usize = 4;
        let controls = || self.start.iter().filter(|byte| byte.is_ascii_control());
        let is_odd = self.is_whole && !self.start.len().is_multiple_of(2);
        (is_odd || self.start.len() >= FEW_WORDS)
            && controls().all(|byte| is_of_bytes(*byte))
            && controls().count() <= self.start.len() / BYTES_PER_SPACE
    }

    /// Returns the encoding of wide units that the start or the end of the file contains.
    pub(super) fn wide_parts(&self) -> Option<&'static Encoding> {
        self.ends().find_map(wide_parts)
    }

    /// Whether the start or the end of a file in wide units contains UTF-8.
    pub(super) fn has_parts_in_utf8(&self, wide: &Encoding, order: ByteOrder) -> bool {
        self.ends().any(|bytes| has_end_in_utf8(bytes, wide, order))
    }

    fn ends(&self) -> impl Iterator<Item = &'b [u8]> {
        [self.start, self.end].into_iter()
    }
}
