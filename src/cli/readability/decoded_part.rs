//! Part of a text, decoded in one encoding, and its cost as text.
//!
//! Two encodings are compared by decoding the same bytes in both:
//!
//! ```text
//! CF F0 E8 E2 E5 F2   windows-1251: "Привет", cheap
//!                     KOI8-R:       "оПХБЕР", expensive: in no language do these letters follow each other so often
//! ```

use oxiconv_detect::language;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// How much of a text is decoded and compared, in bytes.
pub(super) const PART: usize = 512;
/// The bits by which a reading must cost less than another one to be clearly more plausible.
pub(super) const CLEAR: u32 = 8;

/// The text of some bytes in an encoding.
#[derive(Default)]
pub(super) struct DecodedPart {
    pub(super) text: Vec<CodePoint>,
    pub(super) errors: usize,
    /// The bytes in these errors, plus the number of values beyond U+10FFFF. A long ill-formed run is one error and
    /// costs little, so its length must count separately.
    pub(super) ill_formed: usize,
}

impl DecodedPart {
    /// What replaces an ill-formed subsequence in the text: a noncharacter, which no text contains.
    pub(super) const ERROR: CodePoint = 0xFFFF;

    /// Decodes the pieces of a part one by one, each from the initial state. Their ends may be truncated: an incomplete
    /// character there is no error.
    pub(super) fn of(encoding: &Encoding, order: ByteOrder, part: &[&[u8]]) -> Self {
        let mut reading = Self::default();
        for piece in part {
            reading.add(encoding, order, piece);
        }
        reading
    }

    fn add(&mut self, encoding: &Encoding, order: ByteOrder, bytes: &[u8]) {
        let mut decoder = encoding.new_decoder(order);
        let mut pivot = [0; 64 * MIN_PIVOT];
        let mut at = 0;
        loop {
            let decoded = decoder.decode(&bytes[at..], &mut pivot, false);
            at += decoded.read;
            let text = &pivot[..decoded.written];
            self.text.extend_from_slice(text);
            self.ill_formed += text.iter().filter(|cp| **cp > 0x10_FFFF).count();
            let len = match decoded.stop {
                DecodeStop::OutputFull => continue,
                DecodeStop::InputEmpty => return,
                DecodeStop::IllFormed(ill_formed) => ill_formed.len,
                DecodeStop::Large { len, .. } => len,
            };
            at += len;
            self.text.push(Self::ERROR);
            self.errors += 1;
            self.ill_formed += len;
        }
    }

    /// Returns the cost of the text in bits: the lower, the more plausible.
    pub(super) fn cost(&self) -> u32 {
        language::cost(&self.text)
    }

    /// Returns how many of its characters have no place in any text.
    pub(super) fn strange(&self) -> usize {
        self.text.iter().filter(|cp| **cp == Self::ERROR || language::is_foreign(**cp)).count()
    }
}
