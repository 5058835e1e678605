//! The direct path: if a kernel converts from the input's form to the output's, clean text never becomes code points.
//!
//! A kernel stops in front of anything that is not clean, and leaves it to the decoder and the encoder. So nothing that
//! a conversion finds or writes depends on this path.

use super::position::{Position, RunCounts};
use crate::codec::{Decoder, Encoder};
use crate::kernels::{Measured, Pair, Progress};

/// The kernels for a pair of encodings.
#[derive(Clone, Copy)]
pub(super) struct Direct(pub(super) Pair);

impl Direct {
    /// Returns the kernels from what `decoder` reads to what `encoder` writes, or to nothing; `None` if there are none.
    pub(super) fn of(decoder: &dyn Decoder, encoder: Option<&dyn Encoder>) -> Option<Self> {
        let from = decoder.form()?;
        let to = match encoder {
            Some(encoder) => Some(encoder.form()?),
            None => None,
        };
        Some(Self(Pair::new(from, to)))
    }

    /// Converts a run from the start of `input`, under the contract of [`crate::kernels`].
    pub(super) fn run(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.0.run(input, output)
    }

    /// Returns an upper bound for the output of this many bytes of input.
    pub(super) fn at_most(&self, bytes: usize) -> usize {
        self.0.to.map_or(0, |to| self.0.from.at_most(bytes, to))
    }

    /// Returns the counts of `run`, which [`Direct::run`] has converted.
    pub(super) fn counts(&self, run: &[u8]) -> RunCounts {
        let Measured { characters, line_feeds } = self.0.measure(run);
        let mut moved = Position::START;
        let last_line = if line_feeds == 0 {
            characters
        } else {
            moved.line += line_feeds as u64;
            let start = self.0.from.after_last_line_feed(run).unwrap_or(0);
            self.0.measure(&run[start..]).characters
        };
        moved.column += last_line as u64;
        RunCounts { characters: characters as u64, moved }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{ByteOrder, Stateless, Utf8, Utf16};

    fn moved(decoder: &dyn Decoder, runs: &[&[u8]]) -> (u64, u64, u64) {
        let direct = Direct::of(decoder, None).unwrap();
        let mut all = RunCounts::default();
        for run in runs {
            all.add(direct.counts(run));
        }
        (all.moved.line, all.moved.column, all.characters)
    }

    #[test]
    fn positions_move_as_by_code_points() {
        let decoder = Stateless(Utf8);
        assert_eq!(moved(&decoder, &[b""]), (1, 1, 0));
        assert_eq!(moved(&decoder, &["aé".as_bytes(), "€".as_bytes()]), (1, 4, 3));
        assert_eq!(moved(&decoder, &["a\né".as_bytes(), "😀\n\nb".as_bytes()]), (4, 2, 7));
        // U+0A0A and U+0A00 contain the byte of a line feed, but are not one.
        let big: Vec<u8> = "\u{A0A}\n\u{A00}😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(moved(&Stateless(Utf16(ByteOrder::Big)), &[&big]), (2, 3, 4));
        let little: Vec<u8> =
            "\u{A0A}\n\u{A00}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(moved(&Stateless(Utf16(ByteOrder::Little)), &[&little, &little]), (3, 2, 6));
    }
}
