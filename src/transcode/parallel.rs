//! The parallel road: a long input that is all at hand, in pieces, by several threads, with the result of one.
//!
//! ```text
//!         take           put
//! Pieces ──────► thread ─────► Desk ──► in order: write it, or convert it as one thread does
//!        └─────► thread ─────►
//! ```
//!
//! The thread that writes takes pieces too, while the next in order is not done. A thread that takes a piece deals with nothing but clean pieces: nothing to note, and no fault of which the place is wanted. At the first
//! such fault it gives the piece back, and the thread that writes, which goes through the pieces in order, converts it by
//! the one chunk loop. So findings, offsets, lines and columns, and the place of a stop, are those of one thread by
//! construction.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::direct::{Direct, Pace, Passed};
use super::policy::Conversion;
use super::position::Position;
use crate::codec::{DecodeStop, Decoder, EncodeStop, Encoder, Lossy, MIN_OUTPUT};
use crate::encoding::{Cut, Encoding};
use crate::io::{Arena, Chunk, Gift, Memory};
use crate::unicode::CodePoint;

/// Bytes of a piece, but for the way to the next place where the text may be cut.
pub(super) const PIECE: usize = 512 * 1024;
/// A piece that has become longer than this, for want of a place to cut, is not for a buffer in memory.
const LONGEST: usize = 4 * PIECE;
/// A stretch is worth the threads from this length on.
const WORTH: usize = 3 * 1024 * 1024;
/// More threads than this do not help the one that writes, and each takes memory.
const MOST_THREADS: usize = 4;
/// Pieces for each thread that may be taken and not yet written.
const AHEAD: usize = 2;
/// Code points of a run.
const PIVOT: usize = 4096;

/// A clean piece, converted.
#[derive(Debug)]
pub(super) struct Clean {
    /// Its text in the target.
    pub(super) text: Converted,
    /// What it held.
    pub(super) passed: Passed,
    /// The ill-formed subsequences in it, of which nobody wanted to know the place.
    pub(super) lossy: Option<Lossy>,
}

/// The text of a piece in the target.
#[derive(Debug)]
pub(super) enum Converted {
    /// So many bytes of a buffer that is to be used again.
    Buffer(Memory, usize),
    /// Memory for a pipe to keep.
    Gift(Gift),
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

/// How many threads are worth it for so many bytes, `busy` ones aside; 1 is the thread that is there anyway.
pub(super) fn threads(
    conversion: &Conversion,
    from: &Encoding,
    bytes: usize,
    busy: usize,
) -> usize {
    let joinable =
        conversion.to.is_none_or(|to| to.in_order(conversion.output_order()).cut != Cut::Never);
    if from.cut == Cut::Never || !joinable || conversion.sees_characters() || bytes < WORTH {
        return 1;
    }
    allowed_threads(conversion).saturating_sub(busy).min(MOST_THREADS)
}

/// How many threads may work, on whatever.
pub(super) fn allowed_threads(conversion: &Conversion) -> usize {
    // Asked once: the system looks into several files for it.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    conversion.threads.map_or_else(|| *PROCESSORS.get_or_init(processors), NonZeroUsize::get)
}

/// Where the threads that work on a stretch take pieces and put what they made of them.
pub(super) struct Desk<'t> {
    state: Mutex<State<'t>>,
    /// Told when there is room for another piece, or no more to come.
    room: Condvar,
    /// Told when the first piece is done.
    done: Condvar,
}

struct State<'t> {
    pieces: Pieces<'t>,
    /// Those that have been taken and not yet handed out again, in order; `None` while somebody works on them.
    taken: VecDeque<(Range<usize>, Option<Done>)>,
    /// The number of the first of them.
    first: usize,
    /// How many they may be.
    most: usize,
    /// Whether no more are given.
    closed: bool,
    /// What becomes of ill-formed subsequences, where their places are not wanted.
    lossy: Option<Lossy>,
    /// To be used again.
    buffers: Vec<Memory>,
}

/// What became of a piece; `None` where it is not clean.
type Done = Option<Clean>;

/// A piece to convert.
pub(super) struct Order<'t> {
    number: usize,
    piece: &'t [u8],
    lossy: Option<Lossy>,
    buffer: Option<Memory>,
}

/// What the thread that writes does next.
pub(super) enum Next<'t> {
    /// The next piece is done.
    Piece(Range<usize>, Done),
    /// It is not, and there is another one to convert.
    Convert(Order<'t>),
    /// There is none left.
    End,
}

impl<'t> Desk<'t> {
    /// For the pieces of a stretch that so many threads work on.
    pub(super) fn new(pieces: Pieces<'t>, threads: usize) -> Self {
        let state = State {
            pieces,
            taken: VecDeque::new(),
            first: 0,
            most: threads * AHEAD,
            closed: false,
            lossy: None,
            buffers: Vec::new(),
        };
        Self { state: Mutex::new(state), room: Condvar::new(), done: Condvar::new() }
    }

    /// What there is to do for the thread that writes, which waits where that is nothing now.
    pub(super) fn next(&self) -> Next<'t> {
        let mut state = self.lock();
        loop {
            if let Some((_, Some(_))) = state.taken.front() {
                let (range, done) = state.taken.pop_front().expect("looked at just before");
                state.first += 1;
                self.room.notify_one();
                return Next::Piece(range, done.flatten());
            }
            if let Some(order) = state.take() {
                return Next::Convert(order);
            }
            if state.taken.is_empty() {
                return Next::End;
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next piece for another thread, which waits where there is no room for what it makes; `None` at the end.
    fn take(&self) -> Option<Order<'t>> {
        let mut state = self.lock();
        while !state.closed && state.taken.len() >= state.most {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.take()
    }

    /// Takes what a piece has become.
    fn put(&self, number: usize, done: Done) {
        let mut state = self.lock();
        let place = number - state.first;
        state.taken[place].1 = Some(done);
        if place == 0 {
            self.done.notify_one();
        }
    }

    /// Takes back a buffer, and how pieces are to be converted from now on.
    pub(super) fn give_back(&self, buffer: Option<Memory>, lossy: Option<Lossy>) {
        let mut state = self.lock();
        state.buffers.extend(buffer);
        state.lossy = lossy;
    }

    /// Ends the work of the other threads.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    /// A thread that panics leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State<'t>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'t> State<'t> {
    /// The next piece, if there is one and room for what it becomes.
    fn take(&mut self) -> Option<Order<'t>> {
        if self.closed || self.taken.len() >= self.most {
            return None;
        }
        let range = self.pieces.next()?;
        let number = self.first + self.taken.len();
        let piece = &self.pieces.stretch.bytes[range.clone()];
        self.taken.push_back((range, None));
        let buffer = self.buffers.pop();
        Some(Order { number, piece, lossy: self.lossy.clone(), buffer })
    }
}

/// What is put on the desk in the end, however that comes, so that nobody waits for it for ever.
struct Owed<'d, 't> {
    desk: &'d Desk<'t>,
    number: usize,
    done: Done,
}

impl Drop for Owed<'_, '_> {
    fn drop(&mut self) {
        self.desk.put(self.number, self.done.take());
    }
}

/// A thread's own way from the input's encoding to the output's.
pub(super) struct Road {
    decoder: Box<dyn Decoder>,
    encoder: Option<Box<dyn Encoder>>,
    direct: Option<Direct>,
    pivot: Vec<CodePoint>,
    /// Whether the texts are given away.
    gives: bool,
    arena: Option<Arena>,
}

impl Road {
    /// With `gives`, the texts are made in memory for a pipe to keep.
    pub(super) fn new(
        decoder: Box<dyn Decoder>,
        encoder: Option<Box<dyn Encoder>>,
        direct: Option<Direct>,
        gives: bool,
    ) -> Self {
        Self { decoder, encoder, direct, pivot: vec![0; PIVOT], gives, arena: None }
    }

    /// Converts pieces as long as some come.
    pub(super) fn work(&mut self, desk: &Desk<'_>) {
        while let Some(order) = desk.take() {
            self.convert_for(desk, order);
        }
    }

    /// Converts one piece, and puts what it has become on the desk.
    pub(super) fn convert_for<'t>(&mut self, desk: &Desk<'t>, order: Order<'t>) {
        let mut owed = Owed { desk, number: order.number, done: None };
        if order.piece.len() <= LONGEST {
            owed.done = self.convert(order);
        }
    }

    /// Converts a piece, if it is clean, into memory of the kind that is wanted.
    fn convert(&mut self, order: Order<'_>) -> Option<Clean> {
        let Order { piece, lossy, buffer, .. } = order;
        let most = self.at_most(piece.len(), lossy.is_some());
        // Where there is no memory, the thread that writes does without.
        let (text, passed, lossy) = if let Some(mut arena) = self.arena_for(most) {
            let converted = self.convert_into(piece, lossy, arena.room());
            let given = converted.map(|(filled, passed, lossy)| {
                (Converted::Gift(arena.give(filled)), passed, lossy)
            });
            self.arena = Some(arena);
            given?
        } else {
            let buffer = buffer.filter(|buffer| buffer.len() >= most);
            let mut buffer = buffer.or_else(|| Memory::new(most).ok())?;
            let (filled, passed, lossy) = self.convert_into(piece, lossy, &mut buffer)?;
            (Converted::Buffer(buffer, filled), passed, lossy)
        };
        Some(Clean { text, passed, lossy })
    }

    /// The most bytes that a piece of so many may become and still be clean.
    fn at_most(&self, piece: usize, lossy: bool) -> usize {
        let most = match (&self.direct, &self.encoder) {
            (_, None) => 0,
            // What is ill-formed may become longer: U+FFFD of three bytes, in UTF-8, for one.
            (Some(direct), _) => direct.at_most(piece).max(if lossy { 3 * piece } else { 0 }),
            (None, Some(encoder)) if encoder.form().is_some() => 4 * piece,
            // Escapes.
            (None, Some(_)) => 8 * piece,
        };
        most + MIN_OUTPUT
    }

    /// An arena with so much room, if texts are given away and it is not too much.
    fn arena_for(&mut self, most: usize) -> Option<Arena> {
        if !self.gives || most > Arena::SIZE {
            return None;
        }
        let enough = |arena: &mut Arena| arena.room().len() >= most;
        self.arena.take_if(enough).or_else(|| Arena::new().ok())
    }

    /// Converts a piece, if it is clean: what its end cuts is not for this decoder to judge, which does not know whether
    /// it is the end of the text. Returns the bytes written.
    fn convert_into(
        &mut self,
        piece: &[u8],
        mut lossy: Option<Lossy>,
        output: &mut [u8],
    ) -> Option<(usize, Passed, Option<Lossy>)> {
        let mut passed = Passed { characters: 0, moved: Position::START };
        let mut pace = Pace::new(self.direct.is_some(), self.pivot.len());
        let (mut at, mut filled) = (0, 0);
        while at < piece.len() {
            if let Some(direct) = &self.direct {
                let (from, to) = (&piece[at..], &mut output[filled..]);
                let run = if let Some(lossy) = &mut lossy {
                    self.decoder.convert_lossy(&direct.0, from, to, lossy)
                } else {
                    let run = direct.run(from, to);
                    let more = direct.passed(&from[..run.read]);
                    passed.characters += more.characters;
                    passed.moved.pass_all(more.moved);
                    run
                };
                at += run.read;
                filled += run.written;
                pace.after(run.read);
            }
            let step = &mut self.pivot[..pace.step()];
            let decoded = self.decoder.decode(&piece[at..], step, false);
            let run = &step[..decoded.written];
            at += decoded.read;
            passed.characters += run.len() as u64;
            passed.moved.pass(run);
            if let Some(encoder) = &mut self.encoder {
                let encoded = encoder.encode(run, &mut output[filled..]);
                filled += encoded.written;
                if encoded.stop != EncodeStop::InputEmpty {
                    return None;
                }
            }
            match decoded.stop {
                DecodeStop::OutputFull => {}
                DecodeStop::InputEmpty if at == piece.len() => {}
                DecodeStop::InputEmpty | DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => {
                    return None;
                }
            }
        }
        Some((filled, passed, lossy))
    }
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
