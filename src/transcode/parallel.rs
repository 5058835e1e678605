//! The parallel path: a long input that is all at hand, in pieces, by several threads, with the result of one.
//!
//! ```text
//!         take           put
//! Pieces ──────► thread ─────► WorkQueue ──► in order: write it, or convert it as one thread does
//!        └─────► thread ─────►
//! ```
//!
//! The thread that writes takes pieces too, while the next in order is not done. A thread that takes a piece deals with
//! nothing but clean text: nothing to note, and no fault of which the place is wanted. At the first such fault it hands
//! over what it has, and the thread that writes, which goes through the pieces in order, converts the rest by the one
//! chunk loop. So findings, offsets, lines and columns, and the place of a stop, are those of one thread by construction.
//!
//! A text that cannot be cut for a long way, or whose pieces have little that is clean, goes on by one thread for a while
//! ([`WindowBackoff`]).

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::direct::{Backoff, Direct, RunCounts};
use super::policy::Conversion;
use super::position::Position;
use crate::codec::{DecodeStop, Decoder, EncodeStop, Encoder, Lossy, MIN_OUTPUT};
use crate::encoding::{Encoding, SplitRule};
use crate::io::{Arena, Chunk, Memory, SplicedPages};
use crate::unicode::CodePoint;

/// Bytes of a piece, but for the way to the next place where the text may be cut.
pub(super) const PIECE: usize = 512 * 1024;
/// Bytes after which no place to cut is looked for any more: then the text goes on by one thread.
const SEARCH: usize = PIECE;
/// A window is worth the threads from this length on.
const WORTH: usize = 3 * 1024 * 1024;
/// More threads than this do not help the one that writes, and each takes memory.
const MOST_THREADS: usize = 4;
/// Pieces for each thread that may be taken and not yet written.
const AHEAD: usize = 2;
/// Code points of a run.
const PIVOT: usize = 4096;

/// The clean start of a piece, converted: all of it, or what stands before the first fault of which the place is wanted.
#[derive(Debug)]
pub(super) struct Clean {
    /// Its bytes.
    pub(super) read: usize,
    /// Its text in the target.
    pub(super) text: Converted,
    /// What it held.
    pub(super) passed: RunCounts,
    /// The ill-formed subsequences in it, of which nobody wanted to know the place.
    pub(super) lossy: Option<Lossy>,
}

/// The text of a piece in the target.
#[derive(Debug)]
pub(super) enum Converted {
    /// So many bytes of a buffer that is to be used again.
    Buffer(Memory, usize),
    /// Memory for a pipe to keep.
    SplicedPages(SplicedPages),
}

/// The first place at or after byte `at` where `text` may be cut in two that are decoded each by itself, whatever the
/// bytes are; the end is one. `None` if there is none near.
pub(super) fn next_split(split: SplitRule, text: &[u8], at: usize) -> Option<usize> {
    if at >= text.len() {
        return Some(text.len());
    }
    match split {
        SplitRule::Never => None,
        SplitRule::Units(unit) => Some(at.next_multiple_of(unit).min(text.len())),
        // Before a byte that begins a sequence, or after three that do not: no sequence is longer.
        SplitRule::Utf8 => {
            let tail = text[at..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80);
            Some(at + tail.count())
        }
        // Between two code units, but not in front of what may be the second half of a pair.
        SplitRule::Utf16(high) => {
            let at = at.next_multiple_of(2);
            let second = text.get(at + high).is_some_and(|byte| byte & 0xFC == 0xDC);
            Some((at + if second { 2 } else { 0 }).min(text.len()))
        }
        SplitRule::AfterLow => {
            let near = &text[at..text.len().min(at + SEARCH)];
            let to_end = near.len() == text.len() - at;
            first_low(near).map(|found| at + found + 1).or(to_end.then_some(text.len()))
        }
    }
}

/// The place of the first byte below 30.
fn first_low(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_low = |byte: &u8| *byte < 0x30;
    // Without a branch for each byte of a block.
    let block =
        bytes.chunks(BLOCK).position(|block| block.iter().fold(false, |any, b| any | is_low(b)))?;
    let start = block * BLOCK;
    bytes[start..].iter().position(is_low).map(|found| start + found)
}

/// The pieces of a window of text, each from one cut to the next.
#[derive(Clone)]
pub(super) struct Pieces<'t> {
    split: SplitRule,
    window: &'t Chunk<'t>,
    at: usize,
}

impl<'t> Pieces<'t> {
    /// Of `window`, up to where no place to cut is near; if it is not the last one, what follows its last cut is left to
    /// the next.
    pub(super) fn new(split: SplitRule, window: &'t Chunk<'t>) -> Self {
        Self { split, window, at: 0 }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (text, start) = (self.window.bytes, self.at);
        let end = next_split(self.split, text, start + PIECE)
            .filter(|end| *end < text.len() || self.window.last);
        self.at = end.unwrap_or(text.len());
        end.filter(|end| start < *end).map(|end| start..end)
    }
}

/// When several threads are tried again after it led nowhere: after twice as many bytes each time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WindowBackoff {
    /// The offset in bytes from which they may be.
    next: u64,
    /// Bytes that it was put off by the last time; 0 if it led somewhere.
    last: u64,
}

impl WindowBackoff {
    const LEAST: u64 = 2 * 1024 * 1024;
    const MOST: u64 = 64 * 1024 * 1024;

    /// Whether they are tried at byte `offset` of the text.
    pub(super) fn allows(self, offset: u64) -> bool {
        offset >= self.next
    }

    /// Takes note of whether it `led` anywhere, up to byte `offset`.
    pub(super) fn after(&mut self, led: bool, offset: u64) {
        self.last = if led { 0 } else { (2 * self.last).clamp(Self::LEAST, Self::MOST) };
        self.next = offset + self.last;
    }
}

/// How many threads are worth it for so many bytes, `busy` ones aside; 1 is the thread that is there anyway.
pub(super) fn threads(
    conversion: &Conversion,
    from: &Encoding,
    bytes: usize,
    busy: usize,
) -> usize {
    let joinable = conversion
        .to
        .is_none_or(|to| to.in_order(conversion.output_order()).split != SplitRule::Never);
    if from.split == SplitRule::Never || !joinable || conversion.sees_characters() || bytes < WORTH
    {
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

/// Where the threads that work on a window take pieces and put what they made of them.
pub(super) struct WorkQueue<'t> {
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

/// What became of a piece; `None` if nothing did.
type Done = Option<Clean>;

/// A piece to convert.
pub(super) struct Job<'t> {
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
    Convert(Job<'t>),
    /// There is none left.
    End,
}

impl<'t> WorkQueue<'t> {
    /// For the pieces of a window that so many threads work on.
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
            if let Some(job) = state.take() {
                return Next::Convert(job);
            }
            if state.taken.is_empty() {
                return Next::End;
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next piece for another thread, which waits where there is no room for what it makes; `None` at the end.
    fn take(&self) -> Option<Job<'t>> {
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
    fn take(&mut self) -> Option<Job<'t>> {
        if self.closed || self.taken.len() >= self.most {
            return None;
        }
        let range = self.pieces.next()?;
        let number = self.first + self.taken.len();
        let piece = &self.pieces.window.bytes[range.clone()];
        self.taken.push_back((range, None));
        let buffer = self.buffers.pop();
        Some(Job { number, piece, lossy: self.lossy.clone(), buffer })
    }
}

/// What is put on the queue in the end, however that comes, so that nobody waits for it for ever.
struct CompletionGuard<'d, 't> {
    queue: &'d WorkQueue<'t>,
    number: usize,
    done: Done,
}

impl Drop for CompletionGuard<'_, '_> {
    fn drop(&mut self) {
        self.queue.put(self.number, self.done.take());
    }
}

/// A thread's own way from the input's encoding to the output's.
pub(super) struct PieceConverter {
    decoder: Box<dyn Decoder>,
    encoder: Option<Box<dyn Encoder>>,
    direct: Option<Direct>,
    pivot: Vec<CodePoint>,
    /// Whether the texts are given away.
    splices: bool,
    arena: Option<Arena>,
}

impl PieceConverter {
    /// With `splices`, the texts are made in memory for a pipe to keep.
    pub(super) fn new(
        decoder: Box<dyn Decoder>,
        encoder: Option<Box<dyn Encoder>>,
        direct: Option<Direct>,
        splices: bool,
    ) -> Self {
        Self { decoder, encoder, direct, pivot: vec![0; PIVOT], splices, arena: None }
    }

    /// Converts pieces as long as some come.
    pub(super) fn work(&mut self, queue: &WorkQueue<'_>) {
        while let Some(job) = queue.take() {
            self.convert_for(queue, job);
        }
    }

    /// Converts one piece, and puts what it has become on the queue.
    pub(super) fn convert_for<'t>(&mut self, queue: &WorkQueue<'t>, job: Job<'t>) {
        let mut guard = CompletionGuard { queue, number: job.number, done: None };
        guard.done = self.convert(job);
    }

    /// Converts a piece, as far as it is clean, into memory of the kind that is wanted.
    fn convert(&mut self, job: Job<'_>) -> Option<Clean> {
        let Job { piece, lossy, buffer, .. } = job;
        let most = self.at_most(piece.len(), lossy.is_some());
        // Where there is no memory, the thread that writes does without.
        if let Some(mut arena) = self.arena_for(most) {
            let Part { read, written, passed, lossy } =
                self.convert_into(piece, lossy, arena.room());
            let text = Converted::SplicedPages(arena.split_off(written));
            self.arena = Some(arena);
            return Some(Clean { read, text, passed, lossy });
        }
        let buffer = buffer.filter(|buffer| buffer.len() >= most);
        let mut buffer = buffer.or_else(|| Memory::new(most).ok())?;
        let Part { read, written, passed, lossy } = self.convert_into(piece, lossy, &mut buffer);
        Some(Clean { read, text: Converted::Buffer(buffer, written), passed, lossy })
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
        if !self.splices || most > Arena::SIZE {
            return None;
        }
        let enough = |arena: &mut Arena| arena.room().len() >= most;
        self.arena.take_if(enough).or_else(|| Arena::new().ok())
    }

    /// Converts a piece as far as it is clean. What its end cuts is not for this decoder to judge, which does not know
    /// whether it is the end of the text.
    fn convert_into(&mut self, piece: &[u8], mut lossy: Option<Lossy>, output: &mut [u8]) -> Part {
        let mut passed = RunCounts { characters: 0, moved: Position::START };
        let mut backoff = Backoff::new(self.direct.is_some(), self.pivot.len());
        let (mut read, mut written) = (0, 0);
        while read < piece.len() {
            if let Some(direct) = &self.direct {
                let (from, to) = (&piece[read..], &mut output[written..]);
                let run = if let Some(lossy) = &mut lossy {
                    self.decoder.convert_lossy(&direct.0, from, to, lossy)
                } else {
                    let run = direct.run(from, to);
                    passed.add(direct.passed(&from[..run.read]));
                    run
                };
                read += run.read;
                written += run.written;
                backoff.after(run.read);
            }
            let step = &mut self.pivot[..backoff.step()];
            let decoded = self.decoder.decode(&piece[read..], step, false);
            let run = &step[..decoded.written];
            if let Some(encoder) = &mut self.encoder {
                let encoded = encoder.encode(run, &mut output[written..]);
                if encoded.stop != EncodeStop::InputEmpty {
                    // What of this run could be written is forgotten: its bytes are not known.
                    break;
                }
                written += encoded.written;
            }
            read += decoded.read;
            passed.characters += run.len() as u64;
            passed.moved.pass(run);
            match decoded.stop {
                DecodeStop::OutputFull => {}
                DecodeStop::InputEmpty if read == piece.len() => {}
                DecodeStop::InputEmpty | DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => {
                    break;
                }
            }
        }
        Part { read, written, passed, lossy }
    }
}

/// How far a piece was converted.
struct Part {
    /// Bytes read, and bytes written for them.
    read: usize,
    written: usize,
    passed: RunCounts,
    lossy: Option<Lossy>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_each_part_can_be_decoded_by_itself() {
        let cuts = |cut, text: &[u8], places: std::ops::RangeInclusive<usize>| -> Vec<_> {
            places.map(|at| next_split(cut, text, at).unwrap()).collect()
        };
        let utf8 = "aé€😀".as_bytes();
        assert_eq!(cuts(SplitRule::Utf8, utf8, 0..=10), [0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10]);
        let never_further = next_split(SplitRule::Utf8, &[0x80; 9], 2);
        assert_eq!(never_further, Some(5), "never further than three bytes");
        let utf16 = [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x42];
        assert_eq!(cuts(SplitRule::Utf16(0), &utf16, 0..=8), [0, 2, 2, 6, 6, 6, 6, 8, 8]);
        assert_eq!(cuts(SplitRule::Units(4), &[0; 9], 5..=9), [8, 8, 8, 8, 9]);
        assert_eq!(cuts(SplitRule::Units(1), &[0xFF; 3], 0..=3), [0, 1, 2, 3]);
        assert_eq!(cuts(SplitRule::AfterLow, b"ab\ncd !0", 0..=8), [3, 3, 3, 6, 6, 6, 7, 8, 8]);
        assert_eq!(next_split(SplitRule::Never, b"abc", 1), None);
        let long = [&[0x81; SEARCH][..], b" ", &[0x81; SEARCH + 1]].concat();
        assert_eq!(next_split(SplitRule::AfterLow, &long, 0), None);
        assert_eq!(next_split(SplitRule::AfterLow, &long, 1), Some(SEARCH + 1));
        assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 1), None);
        assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 2), Some(long.len()), "the end");
        for (before, len) in [(0, 64), (63, 64), (64, 65), (130, 200), (5, 6)] {
            let mut bytes = vec![0x30; len];
            bytes[before] = 0x2F;
            assert_eq!(first_low(&bytes), Some(before));
        }
        assert_eq!(first_low(&[0x30; 200]), None);
    }

    #[test]
    fn a_stretch_without_a_place_to_cut_has_no_pieces() {
        let text = vec![0x81; 5 * PIECE];
        let nothing: Vec<Range<usize>> = Vec::new();
        for (last, expected) in [(false, &nothing), (true, &nothing)] {
            let mut window = Chunk::new(&text, last);
            let pieces: Vec<_> = Pieces::new(SplitRule::AfterLow, &window).collect();
            assert_eq!(&pieces, expected);
            window.bytes = &text[..PIECE + 5];
            let short: Vec<_> = Pieces::new(SplitRule::AfterLow, &window).collect();
            assert_eq!(short.len(), usize::from(last), "up to the end of the text, or none");
        }
    }

    #[test]
    fn what_leads_nowhere_is_tried_again_after_twice_as_long() {
        let mut backoff = WindowBackoff::default();
        let mut tried = Vec::new();
        for mebibyte in 0..100 {
            if backoff.allows(mebibyte << 20) {
                tried.push(mebibyte);
                backoff.after(false, mebibyte << 20);
            }
        }
        assert_eq!(tried, [0, 2, 6, 14, 30, 62]);
        backoff.after(true, 100 << 20);
        assert!(backoff.allows(100 << 20));
        backoff.after(false, 100 << 20);
        assert!(!backoff.allows(101 << 20) && backoff.allows(102 << 20));
    }
}
