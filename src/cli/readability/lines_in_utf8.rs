//! Lines in UTF-8 within a text in another encoding, as in the log of a program that was switched to UTF-8.
//!
//! ```text
//! caf\xE9 closed\n           not UTF-8: the file is in a legacy encoding
//! caf\xC3\xA9 closed\n      UTF-8: -f windows-1252 would write "cafÃ©"
//! ```
//!
//! Such lines may begin anywhere, so the whole file is searched. A legacy line is seldom well-formed UTF-8, and one
//! that is by chance is hardly text in it: only if the collected lines are clearly more plausible text in UTF-8 are
//! they reported. Both kinds must occur. A file that has only UTF-8 is judged elsewhere.

use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

use super::decoded_part::{CLEAR, DecodedPart, PART};

/// How much of a line is examined, in bytes.
const MAX_LINE: usize = 4 * 1024;

/// The search for such lines, over the chunks of a file.
#[derive(Default)]
pub(crate) struct LinesInUtf8 {
    /// The start of the current line, if a chunk ended within it.
    line: Vec<u8>,
    /// Whether any line is not UTF-8.
    has_others: bool,
    /// The lines beyond ASCII that are well-formed UTF-8, up to about [`PART`] bytes.
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
            // Fast path: most lines lie within one chunk, and are not copied.
            if self.line.is_empty() && is_ended(part) {
                self.look(part);
                continue;
            }
            self.line.extend_from_slice(&part[..part.len().min(MAX_LINE - self.line.len())]);
            if is_ended(part) {
                self.end();
            }
        }
    }

    /// Whether more of the file cannot change the answer.
    pub(crate) fn is_full(&self) -> bool {
        self.has_others && self.found.len() >= PART
    }

    /// Ends the current line, at the end of the file as well.
    pub(crate) fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.look(&line);
    }

    /// Whether some lines are clearly more plausible text in UTF-8 than in `from`, and others are not UTF-8.
    pub(crate) fn are_in(&self, from: &'static Encoding) -> bool {
        let cost = |encoding| DecodedPart::of(encoding, ByteOrder::Big, &[&self.found]).cost();
        let is_likelier = || cost(Encoding::UTF_8) + CLEAR < cost(from);
        self.has_others && !self.found.is_empty() && is_likelier()
    }

    fn look(&mut self, line: &[u8]) {
        let line = &line[..line.len().min(MAX_LINE)];
        if line.is_ascii() {
            return;
        }
        match std::str::from_utf8(line) {
            Ok(_) if self.found.len() < PART => self.found.extend_from_slice(line),
            Ok(_) => {}
            // A character truncated by `MAX_LINE` or by the end of the file is no evidence of another encoding.
            Err(error) => self.has_others |= error.error_len().is_some(),
        }
    }
}
