//! The work queue of the threads that convert one text: pieces in, converted pieces out, in order.
//!
//! ```text
//!         take           put
//! Pieces ──────► worker ─────► WorkQueue ──► in order: write it, or convert it as one thread does
//!        └─────► worker ─────►
//! ```
//!
//! The thread that writes takes pieces too, while the next in order is not done.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::buffer::Converted;
use super::position::RunCounts;
use super::split::Pieces;
use crate::codec::Lossy;
use crate::io::Memory;

/// Pieces for each thread that may be taken and not yet written.
const AHEAD: usize = 2;

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
    pub(super) faults: Option<Lossy>,
}

/// Where the threads that work on a window take pieces and put what they made of them.
pub(super) struct WorkQueue<'t> {
    state: Mutex<QueueState<'t>>,
    /// Signalled when there is room for another piece, or no more to come.
    room: Condvar,
    /// Signalled when the first piece is done.
    done: Condvar,
}

struct QueueState<'t> {
    pieces: Pieces<'t>,
    /// Those that have been taken and not yet handed out again, in order; `None` while somebody works on them.
    taken: VecDeque<(Range<usize>, Option<Done>)>,
    /// The number of the first of them.
    first: usize,
    /// How many they may be.
    most: usize,
    /// Whether no more are given.
    closed: bool,
    /// What becomes of ill-formed subsequences, if their places are not wanted.
    lossy: Option<Lossy>,
    /// To be used again.
    buffers: Vec<Memory>,
}

/// What became of a piece; `None` if nothing did.
pub(super) type Done = Option<Clean>;

/// A piece to convert.
pub(super) struct Job<'t> {
    number: usize,
    pub(super) piece: &'t [u8],
    /// What becomes of ill-formed subsequences, if their places are not wanted.
    pub(super) lossy: Option<Lossy>,
    /// Memory to use again, if there is some.
    pub(super) buffer: Option<Memory>,
}

/// What the thread that writes does next.
pub(super) enum NextStep<'t> {
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
        let state = QueueState {
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

    /// What there is to do for the thread that writes, which waits if that is nothing now.
    pub(super) fn next_step(&self) -> NextStep<'t> {
        let mut state = self.lock();
        loop {
            if let Some((_, Some(_))) = state.taken.front() {
                let (range, done) = state.taken.pop_front().expect("looked at just before");
                state.first += 1;
                self.room.notify_one();
                return NextStep::Piece(range, done.flatten());
            }
            if let Some(job) = state.take() {
                return NextStep::Convert(job);
            }
            if state.taken.is_empty() {
                return NextStep::End;
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next piece for another thread, which waits if there is no room for what it makes; `None` at the end.
    pub(super) fn take(&self) -> Option<Job<'t>> {
        let mut state = self.lock();
        while !state.closed && state.taken.len() >= state.most {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.take()
    }

    /// Does a job by `convert`, and takes what the piece has become; however that ends, nobody waits for it for ever.
    pub(super) fn complete(&self, job: Job<'t>, convert: impl FnOnce(Job<'t>) -> Done) {
        let mut guard = CompletionGuard { queue: self, number: job.number, done: None };
        guard.done = convert(job);
    }

    fn put(&self, number: usize, done: Done) {
        let mut state = self.lock();
        let place = number - state.first;
        state.taken[place].1 = Some(done);
        if place == 0 {
            self.done.notify_one();
        }
    }

    /// Takes back a buffer, and what stands for ill-formed subsequences from now on, if their places are not wanted.
    pub(super) fn give_back(&self, buffer: Option<Memory>, lossy: Option<&Lossy>) {
        let mut state = self.lock();
        state.buffers.extend(buffer);
        state.lossy = lossy.cloned();
    }

    /// Closes it when the guard is dropped.
    pub(super) fn close_on_drop(&self) -> CloseOnDrop<'_, 't> {
        CloseOnDrop(self)
    }

    /// Ends the work of the other threads.
    fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    /// A thread that panics leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, QueueState<'t>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'t> QueueState<'t> {
    /// The next piece, if there is one and room for what it becomes.
    fn take(&mut self) -> Option<Job<'t>> {
        if self.closed || self.taken.len() >= self.most {
            return None;
        }
        let range = self.pieces.next()?;
        let number = self.first + self.taken.len();
        let piece = self.pieces.bytes(range.clone());
        self.taken.push_back((range, None));
        let buffer = self.buffers.pop();
        Some(Job { number, piece, lossy: self.lossy.clone(), buffer })
    }
}

/// Puts what a piece has become when it is dropped.
struct CompletionGuard<'q, 't> {
    queue: &'q WorkQueue<'t>,
    number: usize,
    done: Done,
}

impl Drop for CompletionGuard<'_, '_> {
    fn drop(&mut self) {
        self.queue.put(self.number, self.done.take());
    }
}

/// Closes a queue when it is dropped, so that no thread waits for ever.
pub(super) struct CloseOnDrop<'q, 't>(&'q WorkQueue<'t>);

impl Drop for CloseOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
