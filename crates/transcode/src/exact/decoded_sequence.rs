//! The next sequence of bytes, decoded by itself.

use super::super::remedy::Remedies;
use oxiconv_encodings::codec::{DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::unicode::CodePoint;

/// The characters of one sequence of bytes.
pub(super) struct DecodedSequence {
    characters: [CodePoint; MIN_PIVOT],
    count: usize,
    /// Its length in bytes.
    pub(super) len: usize,
    /// The decoder after it.
    pub(super) after: Box<dyn Decoder>,
}

impl DecodedSequence {
    /// Decodes the next sequence; `None` if it is incomplete or ill-formed.
    ///
    /// The room for characters grows by one until the decoder makes progress: so it reads one sequence, and not also
    /// the next.
    pub(super) fn next(decoder: &dyn Decoder, bytes: &[u8], last: bool) -> Option<Self> {
        let mut characters = [0; MIN_PIVOT];
        let mut after = decoder.fork();
        for most in 1..=MIN_PIVOT {
            let decoded = after.decode(bytes, &mut characters[..most], last);
            if decoded.written > 0 {
                return Some(Self { characters, count: decoded.written, len: decoded.read, after });
            }
            if decoded.stop != DecodeStop::OutputFull {
                return None;
            }
        }
        None
    }

    /// As [`next`](Self::next), but if the target lacks what a letter and its marks compose to, returns the letter with
    /// as many of the marks as the target has. So the result does not depend on whether the input ends there.
    ///
    /// Take `e` and a mark in UTF-8-MAC, and a target that has `e` and lacks the composed letter. A call whose input
    /// ends after `e` reads `e`, because nothing says that a mark follows. A call that has both must therefore read `e`
    /// too, and stop at the mark. The search is from the longest part to the shortest. A part counts only if it could
    /// go on, which makes it a prefix of the composition and not a sequence of its own.
    pub(super) fn next_written(
        decoder: &dyn Decoder,
        bytes: &[u8],
        remedies: &Remedies,
    ) -> Option<Self> {
        let is_written = |it: &Self| remedies.stops_at(it.characters().iter().copied()).is_none();
        let sequence = Self::next(decoder, bytes, false)?;
        if is_written(&sequence) {
            return Some(sequence);
        }
        let shorter = (1..sequence.len).rev().find_map(|len| {
            let part = &bytes[..len];
            let shorter = Self::next(decoder, part, true).filter(|it| it.len == len)?;
            let goes_on = Self::next(decoder, part, false).is_none();
            (goes_on && is_written(&shorter)).then_some(shorter)
        });
        Some(shorter.unwrap_or(sequence))
    }

    pub(super) fn characters(&self) -> &[CodePoint] {
        &self.characters[..self.count]
    }
}
