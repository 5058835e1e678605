//! What bytes say in an encoding, and how likely that is as text.

use oxiconv_detect::language;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Bytes whose readings are compared.
pub(super) const PART: usize = 512;
/// The bits by which a reading is clearly likelier than another one.
pub(super) const CLEAR: u32 = 8;

/// What some bytes say in an encoding.
#[derive(Default)]
pub(super) struct DecodedPart {
    pub(super) text: Vec<CodePoint>,
    pub(super) errors: usize,
    /// How many bytes they are, and characters beyond Unicode.
    pub(super) ill_formed: usize,
}

impl DecodedPart {
    /// Stands for what is ill-formed.
    pub(super) const ERROR: CodePoint = 0xFFFF;

    /// Reads a part of a text, each of whose pieces begins as a text does. Their ends may be cut.
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

    pub(super) fn cost(&self) -> u32 {
        language::cost(&self.text)
    }

    /// Returns how many of its characters have no place in a text.
    pub(super) fn strange(&self) -> usize {
        self.text.iter().filter(|cp| **cp == Self::ERROR || language::is_foreign(**cp)).count()
    }
}
