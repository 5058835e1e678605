//! The direct road: where a kernel leads from the input's form to the output's, clean text never becomes code points.
//!
//! ```text
//! direct run ─► stops in front of anything else ─► a step of the pivot road, which deals with it ─► direct run …
//! ```
//!
//! What it stops at is for the decoder and the encoder, so nothing of what a conversion finds or writes depends on it.

use super::position::Position;
use crate::codec::{Decoder, Encoder};
use crate::kernels::{Pair, Progress};

/// The kernels of a pair of encodings.
#[derive(Clone, Copy)]
pub(super) struct Direct(pub(super) Pair);

/// What a run held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// Its characters.
    pub(super) characters: u64,
    /// How far it moves a position from the start of a text.
    pub(super) moved: Position,
}

impl Direct {
    /// From what `decoder` reads to what `encoder` writes, or to nothing; `None` where no kernel leads there.
    pub(super) fn of(decoder: &dyn Decoder, encoder: Option<&dyn Encoder>) -> Option<Self> {
        let from = decoder.form()?;
        let to = match encoder {
            Some(encoder) => Some(encoder.form()?),
            None => None,
        };
        Some(Self(Pair::new(from, to)))
    }

    /// Takes a run from the start of `input`, on the contract of [`crate::kernels`].
    pub(super) fn run(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.0.run(input, output)
    }

    /// The most bytes that so many bytes of input become.
    pub(super) fn at_most(&self, bytes: usize) -> usize {
        self.0.to.map_or(0, |to| self.0.from.at_most(bytes, to))
    }

    /// Counts in `run`, which [`Direct::run`] has taken.
    pub(super) fn passed(&self, run: &[u8]) -> Passed {
        let measured = self.0.measure(run);
        let mut moved = Position::START;
        let last_line = if measured.line_feeds == 0 {
            measured.characters
        } else {
            moved.line += measured.line_feeds as u64;
            let start = self.0.from.after_last_line_feed(run).unwrap_or(0);
            self.0.measure(&run[start..]).characters
        };
        moved.column += last_line as u64;
        Passed { characters: measured.characters as u64, moved }
    }
}

/// How many code points a step of the pivot road takes before the direct road is tried again: few, unless it led
/// nowhere.
pub(super) struct Pace {
    step: usize,
    most: usize,
}

impl Pace {
    const LEAST: usize = 1;
    /// Bytes of a run that is worth it.
    const WORTH: usize = 64;

    /// With steps of `most` code points where there is no direct road.
    pub(super) fn new(direct: bool, most: usize) -> Self {
        Self { step: if direct { Self::LEAST } else { most }, most }
    }

    /// Takes note of a run of `read` bytes.
    pub(super) fn after(&mut self, read: usize) {
        self.step = if read >= Self::WORTH { Self::LEAST } else { self.most.min(2 * self.step) };
    }

    /// Code points of the next step.
    pub(super) fn step(&self) -> usize {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{ByteOrder, Stateless, Utf8, Utf16};

    fn moved(decoder: &dyn Decoder, runs: &[&[u8]]) -> (u64, u64, u64) {
        let direct = Direct::of(decoder, None).unwrap();
        let (mut position, mut characters) = (Position::START, 0);
        for run in runs {
            let passed = direct.passed(run);
            position.pass_all(passed.moved);
            characters += passed.characters;
        }
        (position.line, position.column, characters)
    }

    #[test]
    fn positions_move_as_by_code_points() {
        let decoder = Stateless(Utf8);
        assert_eq!(moved(&decoder, &[b""]), (1, 1, 0));
        assert_eq!(moved(&decoder, &["aé".as_bytes(), "€".as_bytes()]), (1, 4, 3));
        assert_eq!(moved(&decoder, &["a\né".as_bytes(), "😀\n\nb".as_bytes()]), (4, 2, 7));
        // U+0A0A and U+0A00 hold the byte of a line feed, and are none.
        let big: Vec<u8> = "\u{A0A}\n\u{A00}😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(moved(&Stateless(Utf16(ByteOrder::Big)), &[&big]), (2, 3, 4));
        let little: Vec<u8> =
            "\u{A0A}\n\u{A00}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(moved(&Stateless(Utf16(ByteOrder::Little)), &[&little, &little]), (3, 2, 6));
    }

    #[test]
    fn the_pivot_road_takes_longer_steps_where_the_direct_one_leads_nowhere() {
        let mut pace = Pace::new(true, 100);
        let steps: Vec<_> = [0, 0, 0, 500, 0]
            .into_iter()
            .map(|read| {
                pace.after(read);
                pace.step()
            })
            .collect();
        assert_eq!(steps, [2, 4, 8, 1, 2]);
        (0..9).for_each(|_| pace.after(3));
        assert_eq!(pace.step(), 100);
        assert_eq!(Pace::new(false, 100).step(), 100);
    }
}
