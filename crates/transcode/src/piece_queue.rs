//! The work queue of the threads that convert one text: pieces go in, and converted pieces come out in order.
//!
//! ```text
//!               take           complete
//! SplitPieces ──────► worker ───────► PieceQueue ──► in order: write it, or convert it as one thread does
//!            └──────► worker ───────►
//! ```
//!
//! `taken` holds a slot for each piece that was handed out and is not written yet:
//!
//! ```text
//! first = 7
//! taken   [None, Some, Some, None]      pieces 7 to 10: 7 and 10 are being converted, 8 and 9 wait for 7
//! ```
//!
//! The writing thread is never idle while there is work: if piece 7 is not done, it takes a piece itself. `max_taken`
//! bounds the memory of results that wait.

use std::collections::VecDeque;
use std::sync::PoisonError;

use super::output_buffer::PieceOutput;
use super::position::RunCounts;
use super::split::{SplitPiece, SplitPieces, UnreadPiece};
use crate::io::Memory;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Condvar, Mutex, MutexGuard};
use oxiconv_encodings::codec::Lossy;

/// Pieces per thread that may be taken and not yet written: enough for one being converted and one that waits for its
/// turn.
const MAX_PER_THREAD: usize = 2;

/// The converted start of a piece, as far as it is clean: all of it, or what comes before the first fault whose place
/// is wanted.
#[derive(Debug)]
pub(super) struct CleanStart {
    pub(super) read: usize,
    pub(super) text: PieceOutput,
    pub(super) passed: RunCounts,
    /// The ill-formed subsequences replaced in it, whose places nobody wants.
    pub(super) faults: Option<Lossy>,
}

pub(super) struct PieceQueue<'t> {
    state: Mutex<QueueState<'t>>,
    /// Signalled when another piece may be taken, or when the queue closes.
    room: CountedCondvar,
    /// Signalled when the first piece in order is done.
    done: CountedCondvar,
}

struct QueueState<'t> {
    pieces: SplitPieces<'t>,
    /// Pieces taken and not yet written, in order; `None` while a thread works on one.
    taken: VecDeque<Option<ConvertedPiece<'t>>>,
    first: usize,
    max_taken: usize,
    closed: bool,
    /// The replacement for ill-formed subsequences, if their places are not wanted.
    lossy: Option<Lossy>,
    buffers: Vec<PieceBuffers>,
}

#[derive(Default)]
pub(super) struct PieceBuffers {
    pub(super) input: Vec<u8>,
    pub(super) output: Option<Memory>,
}

/// A piece as it was read, and its converted start. The outer `None` says that it could not be read or split.
pub(super) type ConvertedPiece<'t> = Option<(SplitPiece<'t>, Option<CleanStart>)>;

pub(super) struct PieceJob<'t> {
    number: usize,
    pub(super) piece: UnreadPiece<'t>,
    /// The replacement for ill-formed subsequences, if their places are not wanted.
    pub(super) lossy: Option<Lossy>,
    pub(super) buffers: PieceBuffers,
}

pub(super) enum NextStep<'t> {
    Piece(ConvertedPiece<'t>),
    /// The next piece is not done; here is another one to convert meanwhile.
    Convert(PieceJob<'t>),
    End,
}

impl<'t> PieceQueue<'t> {
    pub(super) fn new(pieces: SplitPieces<'t>, threads: usize) -> Self {
        let state = QueueState {
            pieces,
            taken: VecDeque::new(),
            first: 0,
            max_taken: threads * MAX_PER_THREAD,
            closed: false,
            lossy: None,
            buffers: Vec::new(),
        };
        Self {
            state: Mutex::new(state),
            room: CountedCondvar::default(),
            done: CountedCondvar::default(),
        }
    }

    /// Returns the next step of the writing thread. Blocks if there is none yet.
    ///
    /// The order matters. A finished piece is written before another one is converted: that frees room for the workers,
    /// and output appears as early as it can. `End` needs both: no piece to take, and none taken that is not written.
    pub(super) fn next_step(&self) -> NextStep<'t> {
        let mut state = self.lock();
        loop {
            if let Some(done) = state.taken.front_mut().and_then(Option::take) {
                state.taken.pop_front();
                state.first += 1;
                self.room.notify_one();
                return NextStep::Piece(done);
            }
            if let Some(job) = state.take() {
                return NextStep::Convert(job);
            }
            if state.taken.is_empty() {
                return NextStep::End;
            }
            state = self.done.wait(state);
        }
    }

    /// Returns the next piece for a worker; `None` at the end. Blocks while too many results are unwritten.
    pub(super) fn take(&self) -> Option<PieceJob<'t>> {
        let mut state = self.lock();
        while !state.closed && state.taken.len() >= state.max_taken {
            state = self.room.wait(state);
        }
        state.take()
    }

    /// Does a job with `convert` and records the result. The guard records one even if `convert` panics: the writing
    /// thread waits for this piece, and would wait forever.
    pub(super) fn complete(
        &self,
        job: PieceJob<'t>,
        convert: impl FnOnce(PieceJob<'t>) -> ConvertedPiece<'t>,
    ) {
        let mut guard = CompletionGuard { queue: self, number: job.number, done: None };
        guard.done = convert(job);
    }

    fn put(&self, number: usize, done: ConvertedPiece<'t>) {
        let mut state = self.lock();
        let place = number - state.first;
        state.taken[place] = Some(done);
        if place == 0 {
            self.done.notify_one();
        }
    }

    /// Returns buffers for reuse, and sets the replacement for ill-formed subsequences in the pieces to come; `None` if
    /// their places are wanted. The pieces that were taken before keep the old setting. That is never wrong, because a
    /// reporter may give up places but not ask for them again: such a piece only stops at a fault that it could have
    /// replaced.
    pub(super) fn give_back(&self, buffers: Option<PieceBuffers>, lossy: Option<&Lossy>) {
        let mut state = self.lock();
        state.buffers.extend(buffers);
        state.lossy = lossy.cloned();
    }

    pub(super) fn close_on_drop(&self) -> CloseOnDrop<'_, 't> {
        CloseOnDrop(self)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    /// Ignores poisoning: a thread that panics leaves no update half done.
    fn lock(&self) -> MutexGuard<'_, QueueState<'t>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'t> QueueState<'t> {
    /// Returns the next piece, if there is one and its result would have room.
    fn take(&mut self) -> Option<PieceJob<'t>> {
        if self.closed || self.taken.len() >= self.max_taken {
            return None;
        }
        let piece = self.pieces.next()?;
        let number = self.first + self.taken.len();
        self.taken.push_back(None);
        let (lossy, buffers) = (self.lossy.clone(), self.buffers.pop().unwrap_or_default());
        Some(PieceJob { number, piece, lossy, buffers })
    }
}

/// A condition variable that counts its waiters, so that a signal nobody waits for costs no system call. In a long
/// `--check`, nine of ten futex calls were such signals.
#[derive(Default)]
struct CountedCondvar {
    condition: Condvar,
    /// The number of waiters. It changes only under the lock that `wait` releases, and `notify_one` is called under
    /// that lock too. So Relaxed is enough, and no waiter is missed: a thread that is not counted yet checks its
    /// condition only after the notifier has released the lock.
    waiting: AtomicUsize,
}

impl CountedCondvar {
    fn wait<'s, T>(&self, state: MutexGuard<'s, T>) -> MutexGuard<'s, T> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let state = self.condition.wait(state).unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        state
    }

    /// Wakes one waiter, and returns whether there was any. The caller holds the lock.
    fn notify_one(&self) -> bool {
        let waits = self.waiting.load(Ordering::Relaxed) > 0;
        if waits {
            self.condition.notify_one();
        }
        waits
    }

    fn notify_all(&self) {
        self.condition.notify_all();
    }
}

struct CompletionGuard<'q, 't> {
    queue: &'q PieceQueue<'t>,
    number: usize,
    done: ConvertedPiece<'t>,
}

impl Drop for CompletionGuard<'_, '_> {
    fn drop(&mut self) {
        self.queue.put(self.number, self.done.take());
    }
}

/// Closes a queue when it is dropped. The writing thread holds one while it works: if it returns early or panics, the
/// workers must not wait for room forever, because the scope of the threads waits for them.
pub(super) struct CloseOnDrop<'q, 't>(&'q PieceQueue<'t>);

impl Drop for CloseOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(all(test, loom))]
mod model;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn only_who_waits_is_woken() {
        let (state, signal) = (Mutex::new(false), CountedCondvar::default());
        {
            let _state = state.lock().unwrap();
            assert!(!signal.notify_one(), "nobody waits");
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut state = state.lock().unwrap();
                while !*state {
                    state = signal.wait(state);
                }
            });
            loop {
                let mut state = state.lock().unwrap();
                *state = signal.notify_one();
                if *state {
                    break;
                }
                drop(state);
                std::thread::yield_now();
            }
        });
        let _state = state.lock().unwrap();
        assert!(!signal.notify_one(), "nobody waits any more");
    }
}
