//! The parallel road: a long input that is all at hand, in pieces, by several threads, with the result of one.
//!
//! ```text
//!            ┌─ piece 0, 2, 4 … ─► worker ─► Clean, or not ─┐
//! cut ───────┤                                              ├─► in order: write it, or convert it as one thread does
//!            └─ piece 1, 3, 5 … ─► worker ─► Clean, or not ─┘
//! ```
//!
//! A worker deals with nothing but clean pieces: no fault, nothing to note. At the first fault it gives the piece back,
//! and the thread that writes, which goes through the pieces in order, converts it by the one chunk loop. So findings,
//! offsets, lines and columns, and the place of a stop, are those of one thread by construction.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use super::policy::Conversion;
use super::position::Position;
use crate::codec::{DecodeStop, Decoder, EncodeStop, Encoder};
use crate::encoding::{Cut, Encoding};
use crate::io::Chunk;
use crate::unicode::CodePoint;

/// Bytes of a piece, but for the way to the next place where the text may be cut.
pub(super) const PIECE: usize = 512 * 1024;
/// A piece that has become longer than this, for want of a place to cut, is not for a worker's memory.
const LONGEST: usize = 4 * PIECE;
/// An input is worth the threads from this length on.
const WORTH: usize = 4 * 1024 * 1024;
/// More threads than this do not help the one that writes, and each takes memory.
const MOST_THREADS: usize = 4;
/// Pieces that each worker has before it, done or not.
pub(super) const AHEAD: usize = 2;
/// Code points of a run.
const PIVOT: usize = 4096;

/// A clean piece, converted.
#[derive(Debug, Default)]
pub(super) struct Clean {
    buffer: Vec<u8>,
    filled: usize,
    /// Its characters.
    pub(super) characters: u64,
    /// How far it moves a position.
    pub(super) moved: Position,
}

impl Clean {
    /// Its text in the target.
    pub(super) fn output(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Its buffer, to be used again.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }
}

/// The first place at or after byte `at` where `text` may be cut in two that are decoded each by itself, whatever the
/// bytes are.
pub(super) fn next_cut(cut: Cut, text: &[u8], at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    match cut {
        Cut::Never => text.len(),
        Cut::Units(unit) => at.next_multiple_of(unit).min(text.len()),
        // Before a byte that begins a sequence, or behind three that do not: no sequence is longer.
        Cut::Utf8 => {
            let tail = text[at..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80);
            at + tail.count()
        }
        // Between two code units, but not in front of what may be the second half of a pair.
        Cut::Utf16(high) => {
            let at = at.next_multiple_of(2);
            let second = text.get(at + high).is_some_and(|byte| byte & 0xFC == 0xDC);
            (at + if second { 2 } else { 0 }).min(text.len())
        }
        Cut::AfterLineFeed => {
            memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |found| at + found + 1)
        }
    }
}

/// The pieces of a stretch of text, each from one cut to the next.
pub(super) struct Pieces<'t> {
    cut: Cut,
    stretch: &'t Chunk<'t>,
    at: usize,
}

impl<'t> Pieces<'t> {
    /// Of `stretch`; where that is not the last one, what follows its last cut is left to the next.
    pub(super) fn new(cut: Cut, stretch: &'t Chunk<'t>) -> Self {
        Self { cut, stretch, at: 0 }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (text, start) = (self.stretch.bytes, self.at);
        let end = next_cut(self.cut, text, start + PIECE);
        let whole = end < text.len() || self.stretch.last;
        self.at = if whole { end } else { text.len() };
        (whole && start < end).then_some(start..end)
    }
}

/// How many threads are worth it for so many bytes; 1 is the thread that is there anyway.
pub(super) fn threads(conversion: &Conversion, from: &Encoding, bytes: usize) -> usize {
    let joinable =
        conversion.to.is_none_or(|to| to.in_order(conversion.output_order()).cut != Cut::Never);
    if from.cut == Cut::Never || !joinable || conversion.sees_characters() || bytes < WORTH {
        return 1;
    }
    conversion.threads.clamp(1, MOST_THREADS)
}

/// A thread's way to be told of pieces and to answer.
pub(super) struct Worker<'t> {
    pieces: SyncSender<(&'t [u8], Vec<u8>)>,
    answers: Receiver<Option<Clean>>,
}

/// A worker, and the errand that its thread runs.
pub(super) fn worker<'t>() -> (Worker<'t>, Errand<'t>) {
    let (to_worker, pieces) = sync_channel(AHEAD);
    let (answer, answers) = channel();
    (Worker { pieces: to_worker, answers }, Errand { pieces, answer })
}

impl<'t> Worker<'t> {
    /// Gives it a piece, and a buffer to use again.
    pub(super) fn give(&self, piece: &'t [u8], buffer: Vec<u8>) {
        // A worker ends only when this is dropped.
        let _ = self.pieces.send((piece, buffer));
    }

    /// Its answer to the piece given the longest time ago; `None` where it is not clean.
    pub(super) fn take(&self) -> Option<Clean> {
        self.answers.recv().ok().flatten()
    }
}

/// A worker's side.
pub(super) struct Errand<'t> {
    pieces: Receiver<(&'t [u8], Vec<u8>)>,
    answer: Sender<Option<Clean>>,
}

impl Errand<'_> {
    /// Converts pieces as long as some come.
    pub(super) fn run(self, mut decoder: Box<dyn Decoder>, mut encoder: Option<Box<dyn Encoder>>) {
        let mut pivot = vec![0; PIVOT];
        for (piece, buffer) in self.pieces {
            let clean = (piece.len() <= LONGEST)
                .then(|| convert(piece, buffer, &mut *decoder, encoder.as_deref_mut(), &mut pivot))
                .flatten();
            if self.answer.send(clean).is_err() {
                return;
            }
        }
    }
}

/// Converts a piece, if it is clean.
fn convert(
    piece: &[u8],
    mut output: Vec<u8>,
    decoder: &mut dyn Decoder,
    mut encoder: Option<&mut (dyn Encoder + 'static)>,
    pivot: &mut [CodePoint],
) -> Option<Clean> {
    /// Bytes that the longest encoded character takes, and a little to go.
    const LONGEST_CHARACTER: usize = 32;
    let mut clean = Clean { moved: Position::START, ..Clean::default() };
    let (mut at, mut filled) = (0, 0);
    loop {
        // To this decoder the piece is the whole text: where that is not so, its end is no clean one either.
        let decoded = decoder.decode(&piece[at..], pivot, true);
        let run = &pivot[..decoded.written];
        at += decoded.read;
        clean.characters += run.len() as u64;
        clean.moved.pass(run);
        if let Some(encoder) = &mut encoder {
            let mut read = 0;
            loop {
                let room = filled + 4 * (run.len() - read) + LONGEST_CHARACTER;
                if output.len() < room {
                    output.resize(room.max(2 * piece.len()), 0);
                }
                let encoded = encoder.encode(&run[read..], &mut output[filled..]);
                read += encoded.read;
                filled += encoded.written;
                match encoded.stop {
                    EncodeStop::InputEmpty => break,
                    EncodeStop::OutputFull => {}
                    EncodeStop::Unmappable => return None,
                }
            }
        }
        match decoded.stop {
            DecodeStop::InputEmpty => break,
            DecodeStop::OutputFull => {}
            DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => return None,
        }
    }
    (clean.buffer, clean.filled) = (output, filled);
    Some(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_each_part_can_be_decoded_by_itself() {
        let utf8 = "aé€😀".as_bytes();
        let cuts: Vec<_> = (0..=utf8.len()).map(|at| next_cut(Cut::Utf8, utf8, at)).collect();
        assert_eq!(cuts, [0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10]);
        assert_eq!(next_cut(Cut::Utf8, &[0x80; 9], 2), 5, "never further than three bytes");
        let utf16 = [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x42];
        let cuts: Vec<_> = (0..=8).map(|at| next_cut(Cut::Utf16(0), &utf16, at)).collect();
        assert_eq!(cuts, [0, 2, 2, 6, 6, 6, 6, 8, 8]);
        assert_eq!(next_cut(Cut::Units(4), &[0; 9], 5), 8);
        assert_eq!(next_cut(Cut::Units(4), &[0; 9], 9), 9);
        assert_eq!(next_cut(Cut::AfterLineFeed, b"ab\ncd", 1), 3);
        assert_eq!(next_cut(Cut::AfterLineFeed, b"ab\ncd", 3), 5);
        assert_eq!(next_cut(Cut::Never, b"abc", 1), 3);
    }
}
