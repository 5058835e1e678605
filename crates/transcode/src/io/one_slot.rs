//! The channel from the thread that reads ahead to the thread that converts. It holds one block.
//!
//! Three blocks circulate. Each thread has one, and the third is in the channel, either full (`block`) or empty
//! (`empty`), so a thread always gets a block for the one that it gives away:
//!
//! ```text
//!                 reading thread   channel    converting thread
//! at the start    A                B empty    C
//! put(A)          B                A full     C
//! exchange(C)     B                C empty    A
//! put(B)          C                B full     A
//! ```
//! So no block is ever allocated after the start, and memory stays at three blocks however much is read. The one in the
//! channel is what lets both threads work at the same time: one is converted while the next is filled.
//!
//! Received bytes must never be held back. The program at the other end may wait for an answer to what it has written,
//! and if this one waits for more at the same time, neither continues. So whenever the next read might block, the block
//! is handed over, however little is in it.
//!
//! The model at the end of this file is run by loom in every order with at most three preemptions (`ci/loom`).

use std::io;
use std::sync::PoisonError;

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A block of bytes that is passed through the channel.
pub(super) trait Exchanged {
    fn is_empty(&self) -> bool;
    /// Whether more can be read into it.
    fn has_room(&self) -> bool;
    /// Moves the unread bytes of `old` in front of its own.
    fn take_unread(&mut self, old: &mut Self);
}

pub(super) struct OneSlotChannel<B> {
    state: Mutex<SlotState<B>>,
    /// Notified of every change. `notify_one` is enough, since the two threads never wait at the same time: the reading
    /// thread waits only while the slot is full, and the converting thread only while it is empty.
    changed: Condvar,
}

struct SlotState<B> {
    /// The full block.
    block: Option<B>,
    /// How reading ended, once it has. The converting thread sees it after the last block.
    end: Option<io::Result<()>>,
    /// The block to fill next, while there is no full one.
    empty: Option<B>,
    /// Whether the converting thread waits for a block.
    wanted: bool,
    /// Whether the converting thread is gone.
    closed: bool,
}

impl<B: Exchanged> OneSlotChannel<B> {
    pub(super) fn new(empty: B) -> Self {
        let state =
            SlotState { block: None, end: None, empty: Some(empty), wanted: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Offers `block` after a read; `end` is the result of reading if that read was the last. Returns the block to read
    /// into next, or `None` if the reading thread is done.
    /// ```text
    ///              more can be read at once     the next read may block, the block is full, or nothing follows
    /// slot free    handed over if wanted,       handed over
    ///              returned otherwise
    /// slot full    returned                     waits until the slot is free
    /// ```
    ///
    /// While more can be read into the block without blocking, it stays with the reading thread, unless the converting
    /// thread waits for it: fewer and larger blocks are better for a window of several threads. Otherwise the block is
    /// handed over before the next read, as soon as the slot is free. After each wait everything is looked at again,
    /// because more may have arrived meanwhile.
    ///
    /// A block without bytes is not handed over, but the end that comes with it is recorded. An error thus reaches the
    /// converting thread after all bytes that were read before it.
    pub(super) fn put(
        &self,
        block: B,
        end: Option<io::Result<()>>,
        is_readable: impl Fn() -> bool,
    ) -> Option<B> {
        let mut state = self.lock();
        while !state.closed {
            let grows = end.is_none() && block.has_room() && is_readable();
            if state.block.is_none() && (state.wanted || !grows) {
                break;
            }
            if grows {
                return Some(block);
            }
            state = self.wait(state);
        }
        let over = end.is_some() || state.closed;
        if !block.is_empty() {
            state.block = Some(block);
        }
        state.end = end;
        let next = state.empty.take();
        drop(state);
        self.changed.notify_one();
        next.filter(|_| !over)
    }

    /// Waits for a full block and exchanges `old` for it, moving the unread bytes of `old` in front. Returns `false` at
    /// the end of the input.
    ///
    /// # Errors
    ///
    /// If reading failed: once, after all bytes that were read before. Later calls report the end.
    pub(super) fn exchange(&self, old: &mut B) -> io::Result<bool> {
        let mut state = self.lock();
        loop {
            if let Some(mut block) = state.block.take() {
                block.take_unread(old);
                state.empty = Some(std::mem::replace(old, block));
                drop(state);
                self.changed.notify_one();
                return Ok(true);
            }
            if let Some(end) = state.end.take() {
                state.end = Some(Ok(()));
                return end.map(|()| false);
            }
            state.wanted = true;
            state = self.wait(state);
            state.wanted = false;
        }
    }

    /// Whether [`OneSlotChannel::exchange`] would return without waiting.
    pub(super) fn has_something(&self) -> bool {
        let state = self.lock();
        state.block.is_some() || state.end.is_some()
    }

    /// Makes the reading thread end at its next [`OneSlotChannel::put`], or now if it waits in one. A thread that is
    /// blocked in a read ends when that returns.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Ignores poisoning: no code that holds the lock can leave the state half changed.
    fn lock(&self) -> MutexGuard<'_, SlotState<B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, SlotState<B>>) -> MutexGuard<'s, SlotState<B>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, loom))]
mod model {
    use std::io::ErrorKind;

    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    #[derive(Default)]
    struct TwoByteBlock(Vec<u8>);

    impl Exchanged for TwoByteBlock {
        fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        fn has_room(&self) -> bool {
            self.0.len() < 2
        }

        fn take_unread(&mut self, old: &mut Self) {
            old.0.append(&mut self.0);
            std::mem::swap(&mut self.0, &mut old.0);
        }
    }

    /// A pipe that another program writes to.
    #[derive(Default)]
    struct ModelPipe {
        state: Mutex<(Vec<u8>, bool)>,
        written: Condvar,
    }

    impl ModelPipe {
        fn write(&self, byte: u8) {
            self.state.lock().unwrap().0.push(byte);
            self.written.notify_one();
        }

        fn close(&self) {
            self.state.lock().unwrap().1 = true;
            self.written.notify_one();
        }

        fn is_readable(&self) -> bool {
            let state = self.state.lock().unwrap();
            !state.0.is_empty() || state.1
        }

        /// Waits for a byte; `None` at the end.
        fn read(&self) -> Option<u8> {
            let mut state = self.state.lock().unwrap();
            while state.0.is_empty() && !state.1 {
                state = self.written.wait(state).unwrap();
            }
            (!state.0.is_empty()).then(|| state.0.remove(0))
        }
    }

    /// The reading thread, as in `read_ahead.rs`. The input ends with an error if it `fails`.
    fn fill_blocks(pipe: &ModelPipe, channel: &OneSlotChannel<TwoByteBlock>, fails: bool) {
        let mut block = TwoByteBlock::default();
        loop {
            let end = match pipe.read() {
                Some(byte) => {
                    block.0.push(byte);
                    None
                }
                None if fails => Some(Err(ErrorKind::Other.into())),
                None => Some(Ok(())),
            };
            match channel.put(block, end, || pipe.is_readable()) {
                Some(next) => block = next,
                None => return,
            }
        }
    }

    fn shared() -> (Arc<ModelPipe>, Arc<OneSlotChannel<TwoByteBlock>>) {
        (Arc::new(ModelPipe::default()), Arc::new(OneSlotChannel::new(TwoByteBlock::default())))
    }

    #[test]
    fn all_bytes_come_in_order_and_then_the_end() {
        for fails in [false, true] {
            loom::model(move || {
                let (pipe, channel) = shared();
                (1..=3).for_each(|byte| pipe.write(byte));
                pipe.close();
                let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
                let reading = thread::spawn(move || fill_blocks(&theirs, &same, fails));
                let mut block = TwoByteBlock::default();
                let end = loop {
                    match channel.exchange(&mut block) {
                        Ok(true) => {}
                        end => break end,
                    }
                };
                assert_eq!(block.0, [1, 2, 3]);
                assert_eq!(end.is_err(), fails);
                assert!(!channel.exchange(&mut block).unwrap(), "an error comes once");
                reading.join().unwrap();
            });
        }
    }

    /// The writing program waits for an answer to each byte, so holding one back would be a deadlock.
    #[test]
    fn what_has_come_is_never_held_back() {
        loom::model(|| {
            let (pipe, channel) = shared();
            let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
            let reading = thread::spawn(move || fill_blocks(&theirs, &same, false));
            for byte in [1, 2] {
                pipe.write(byte);
                let mut block = TwoByteBlock::default();
                assert!(channel.exchange(&mut block).unwrap());
                assert_eq!(block.0, [byte]);
            }
            pipe.close();
            assert!(!channel.exchange(&mut TwoByteBlock::default()).unwrap());
            reading.join().unwrap();
        });
    }

    #[test]
    fn the_reading_thread_ends_when_nobody_wants_more() {
        loom::model(|| {
            let (pipe, channel) = shared();
            let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
            let reading = thread::spawn(move || fill_blocks(&theirs, &same, false));
            (1..=3).for_each(|byte| pipe.write(byte));
            channel.close();
            // The thread may be waiting in a read as well.
            pipe.close();
            reading.join().unwrap();
        });
    }
}
