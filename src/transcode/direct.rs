//! The direct path: where a kernel leads from the input's form to the output's, clean text never becomes code points.
//!
//! ```text
//! direct run ─► stops in front of anything else ─► a step of the pivot path, which deals with it ─► direct run …
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
pub(super) struct RunCounts {
    /// Its characters.
    pub(super) characters: u64,
    /// How far it moves a position from the start of a text.
    pub(super) moved: Position,
}

impl RunCounts {
    /// Goes on by another run.
    pub(super) fn add(&mut self, more: Self) {
        self.characters += more.characters;
        self.moved.pass_all(more.moved);
    }
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
    pub(super) fn passed(&self, run: &[u8]) -> RunCounts {
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
        RunCounts { characters: measured.characters as u64, moved }
    }
}

/// How many code points a step of the pivot path takes before the direct path is tried again: few, unless it led
/// nowhere.
pub(super) struct Backoff {
    step: usize,
    most: usize,
}

impl Backoff {
    const LEAST: usize = 1;
    /// Bytes of a run that is worth it.
    const WORTH: usize = 64;

    /// With steps of `most` code points where there is no direct path.
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
mod tests;
