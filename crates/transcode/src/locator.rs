//! Maps the index of a code point in a run back to the bytes that it came from.
//!
//! ```text
//! bytes    61 C3 A9 62 E2 82 AC        locate(1) = 1..3    decodes one code point
//! run      a  é     b  €               locate(3) = 4..7    decodes two more
//! ```
//!
//! The run is decoded again, only as far as needed and only once: the locator keeps its decoder and advances it. So
//! text in which nothing is reported pays nothing for offsets.

use std::ops::Range;

use oxiconv_encodings::codec::{Decoder, MIN_PIVOT};
use oxiconv_encodings::unicode::CodePoint;

/// Locates the code points of one run. Every call takes the same bytes, those that the run was decoded from.
pub(super) struct Locator {
    decoder: Box<dyn Decoder>,
    at: usize,
    index: usize,
}

impl Locator {
    /// Creates a locator for a run; `decoder` is in the state before it.
    pub(super) fn new(decoder: Box<dyn Decoder>) -> Self {
        Self { decoder, at: 0, index: 0 }
    }

    /// Returns the bytes of the `index`th code point; `index` must not decrease between calls. Shift sequences before
    /// it are not part of them. For a sequence that stands for several code points, the result is the whole sequence.
    ///
    /// A decoder with room for many code points would read on behind this one. So it gets room for one, and if that is
    /// not enough for the sequence, for two, and so on: the first call that reads anything reads exactly this sequence.
    pub(super) fn locate(&mut self, bytes: &[u8], index: usize) -> Range<usize> {
        self.advance(bytes, index);
        self.advance_past_shifts(bytes);
        let mut room = [0; MIN_PIVOT];
        let mut decoder = self.decoder.fork();
        let len = (1..=MIN_PIVOT)
            .map(|room_for| decoder.decode(&bytes[self.at..], &mut room[..room_for], true).read)
            .find(|read| *read > 0);
        self.at..self.at + len.unwrap_or(0)
    }

    /// Decodes up to the sequence of the `index`th code point. If that is in the middle of a sequence for several code
    /// points, this stops before the sequence: there is no room for all of them, so the decoder makes no progress.
    pub(super) fn advance(&mut self, bytes: &[u8], index: usize) {
        let mut room = [0; 256];
        while self.index < index {
            let wanted = room.len().min(index - self.index);
            if self.step(bytes, &mut room[..wanted]) == (0, 0) {
                break;
            }
        }
    }

    pub(super) fn advance_past_shifts(&mut self, bytes: &[u8]) {
        // With an empty output, the decoder reads only what yields no code point.
        self.step(bytes, &mut []);
    }

    /// Returns the decoder in its state after what is decoded, and the number of bytes decoded.
    #[cfg(feature = "transliteration")]
    pub(super) fn into_decoder(self) -> (Box<dyn Decoder>, usize) {
        (self.decoder, self.at)
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Returns a decoder in the state after the code point located last.
    pub(super) fn decoder_after(&self, bytes: &[u8]) -> Box<dyn Decoder> {
        let (mut decoder, mut room) = (self.decoder.fork(), [0; MIN_PIVOT]);
        for room_for in 1..=MIN_PIVOT {
            if decoder.decode(&bytes[self.at..], &mut room[..room_for], true).read > 0 {
                break;
            }
        }
        decoder
    }

    fn step(&mut self, bytes: &[u8], room: &mut [CodePoint]) -> (usize, usize) {
        let decoded = self.decoder.decode(&bytes[self.at..], room, true);
        self.at += decoded.read;
        self.index += decoded.written;
        (decoded.read, decoded.written)
    }
}
