//! Lines in UTF-8 within a text in another encoding, as in the log of a program that was changed to UTF-8.
//!
//! The whole file is searched, since such lines may begin anywhere. Few lines of other text are well-formed UTF-8, and
//! those that are by chance are hardly text in it.

use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

use super::decoded_part::{CLEAR, DecodedPart, PART};

/// Bytes of a line that are looked at.
const LONGEST: usize = 4 * 1024;

/// The search for such lines.
#[derive(Default)]
pub(crate) struct LinesInUtf8 {
    /// The present line, as far as it was read and is of use.
    line: Vec<u8>,
    /// Whether a line is not UTF-8.
    has_others: bool,
    /// Those that may be UTF-8, as many as are compared.
    found: Vec<u8>,
}

impl LinesInUtf8 {
    /// Searches more of the file.
    pub(crate) fn add(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let part;
            let is_ended = |part: &[u8]| matches!(part.last(), Some(b'\n' | b'\r'));
            let end = memchr::memchr2(b'\n', b'\r', rest).map_or(rest.len(), |at| at + 1);
            (part, rest) = rest.split_at(end);
            // Most lines come whole, and are not copied.
            if self.line.is_empty() && is_ended(part) {
                self.look(part);
                continue;
            }
            self.line.extend_from_slice(&part[..part.len().min(LONGEST - self.line.len())]);
            if is_ended(part) {
                self.end();
            }
        }
    }

    /// Whether enough is known.
    pub(crate) fn is_full(&self) -> bool {
        self.has_others && self.found.len() >= PART
    }

    /// Ends the present line.
    pub(crate) fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.look(&line);
    }

    /// Whether some lines are clearly likelier text in UTF-8 than in `from`, and others are not UTF-8.
    pub(crate) fn are_in(&self, from: &'static Encoding) -> bool {
        let cost = |encoding| DecodedPart::of(encoding, ByteOrder::Big, &[&self.found]).cost();
        let is_likelier = || cost(Encoding::UTF_8) + CLEAR < cost(from);
        self.has_others && !self.found.is_empty() && is_likelier()
    }

    fn look(&mut self, line: &[u8]) {
        let line = &line[..line.len().min(LONGEST)];
        if line.is_ascii() {
            return;
        }
        match std::str::from_utf8(line) {
            Ok(_) if self.found.len() < PART => self.found.extend_from_slice(line),
            Ok(_) => {}
            // A character that is cut is no other text.
            Err(error) => self.has_others |= error.error_len().is_some(),
        }
    }
}
