//! From the index of a code point in a run back to the bytes that it came from: the run is decoded a second time, as far
//! as needed and never twice, so that the usual case pays nothing for offsets.

use std::ops::Range;

use crate::codec::{Decoder, MIN_PIVOT};
use crate::unicode::CodePoint;

/// Where the code points of a run come from.
pub(super) enum Origin<'a> {
    /// Nobody wants to know.
    Unknown,
    /// Each from bytes of its own.
    Each {
        /// Where those of the run begin in the chunk.
        start: usize,
        /// Finds the bytes of each.
        locator: Locator<'a>,
    },
    /// All of them from these bytes of the chunk.
    Whole(Range<usize>),
}

impl<'a> Origin<'a> {
    /// Of a run decoded from the `bytes` of a chunk, by a decoder that was in the state of `before`.
    pub(super) fn of_run(
        before: Option<Box<dyn Decoder>>,
        chunk: &'a [u8],
        bytes: &Range<usize>,
    ) -> Self {
        before.map_or(Self::Unknown, |decoder| Self::Each {
            start: bytes.start,
            locator: Locator::new(decoder, &chunk[bytes.clone()]),
        })
    }

    /// The bytes of the `index`th code point in the chunk. Indices must be asked for in ascending order.
    pub(super) fn locate(&mut self, index: usize) -> Option<Range<usize>> {
        match self {
            Self::Unknown => None,
            Self::Whole(range) => Some(range.clone()),
            Self::Each { start, locator } => {
                let range = locator.locate(index);
                Some(*start + range.start..*start + range.end)
            }
        }
    }

    /// A decoder in the state after the code point asked for the last time.
    pub(super) fn decoder_after(&self) -> Option<Box<dyn Decoder>> {
        match self {
            Self::Each { locator, .. } => Some(locator.decoder_after()),
            Self::Unknown | Self::Whole(_) => None,
        }
    }
}

pub(super) struct Locator<'a> {
    decoder: Box<dyn Decoder>,
    bytes: &'a [u8],
    /// Bytes and code points passed.
    at: usize,
    index: usize,
}

impl<'a> Locator<'a> {
    fn new(decoder: Box<dyn Decoder>, bytes: &'a [u8]) -> Self {
        Self { decoder, bytes, at: 0, index: 0 }
    }

    /// The bytes of the `index`th code point, which must not lie before the one asked for the last time.
    fn locate(&mut self, index: usize) -> Range<usize> {
        let mut room = [0; 256];
        while self.index < index {
            let wanted = room.len().min(index - self.index);
            if self.step(&mut room[..wanted]) == (0, 0) {
                // Several code points come from one sequence, and the one looked for is not the first of them.
                break;
            }
        }
        // With no room at all, only what yields no code point is read: a change of state.
        self.step(&mut []);
        let mut decoder = self.decoder.fork();
        let len = (1..=MIN_PIVOT)
            .map(|room_for| {
                decoder.decode(&self.bytes[self.at..], &mut room[..room_for], true).read
            })
            .find(|read| *read > 0);
        self.at..self.at + len.unwrap_or(0)
    }

    fn decoder_after(&self) -> Box<dyn Decoder> {
        let (mut decoder, mut room) = (self.decoder.fork(), [0; MIN_PIVOT]);
        for room_for in 1..=MIN_PIVOT {
            if decoder.decode(&self.bytes[self.at..], &mut room[..room_for], true).read > 0 {
                break;
            }
        }
        decoder
    }

    fn step(&mut self, room: &mut [CodePoint]) -> (usize, usize) {
        let decoded = self.decoder.decode(&self.bytes[self.at..], room, true);
        self.at += decoded.read;
        self.index += decoded.written;
        (decoded.read, decoded.written)
    }
}
