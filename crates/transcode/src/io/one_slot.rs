//! The channel from the thread that reads ahead to the thread that converts: it holds one block, and lets the other
//! thread have it as soon as reading more might block.

use std::io;
use std::sync::PoisonError;

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A block of bytes that goes through the channel.
pub(super) trait Exchanged {
    /// Whether it holds no bytes.
    fn is_empty(&self) -> bool;
    /// Whether more can be read into it.
    fn has_room(&self) -> bool;
    /// Puts the unread bytes of `old` in front of its own, and empties `old`.
    fn take_unread(&mut self, old: &mut Self);
}

/// The channel.
pub(super) struct OneSlotChannel<B> {
    state: Mutex<SlotState<B>>,
    /// Notified of every change. At most one of the two threads waits.
    changed: Condvar,
}

struct SlotState<B> {
    block: Option<B>,
    /// The result of reading, after the last block.
    end: Option<io::Result<()>>,
    /// The empty block. There are three blocks: one for each thread, and one here, full or empty.
    empty: Option<B>,
    /// Whether the converting thread waits for a block.
    wanted: bool,
    /// Whether the converting thread is gone.
    closed: bool,
}

impl<B: Exchanged> OneSlotChannel<B> {
    /// Creates a channel that holds an empty block.
    pub(super) fn new(empty: B) -> Self {
        let state =
            SlotState { block: None, end: None, empty: Some(empty), wanted: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Puts `block` into the channel once the other thread waits for it, or once nothing can be added to it without
    /// blocking; `end` is the result of reading, if it ended. Returns the block to read into next, or the same block if
    /// it can grow; `None` if there is no more to read.
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

    /// Waits for a block, and exchanges `old` for it, with the unread bytes of `old` in front; `false` at the end.
    ///
    /// # Errors
    ///
    /// Once, if reading failed, after what was read before.
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

    /// Whether [`OneSlotChannel::exchange`] would return at once.
    pub(super) fn has_something(&self) -> bool {
        let state = self.lock();
        state.block.is_some() || state.end.is_some()
    }

    /// Says that the converting thread wants nothing more: the reading thread ends.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Ignores poisoning: neither thread leaves anything half done here.
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

    /// A block of at most two bytes.
    #[derive(Default)]
    struct Small(Vec<u8>);

    impl Exchanged for Small {
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

    /// The thread that reads ahead, as in `read_ahead.rs`; `fails` says how the input ends.
    fn read_on(pipe: &ModelPipe, channel: &OneSlotChannel<Small>, fails: bool) {
        let mut block = Small::default();
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

    fn shared() -> (Arc<ModelPipe>, Arc<OneSlotChannel<Small>>) {
        (Arc::new(ModelPipe::default()), Arc::new(OneSlotChannel::new(Small::default())))
    }

    #[test]
    fn all_bytes_come_in_order_and_then_the_end() {
        for fails in [false, true] {
            loom::model(move || {
                let (pipe, channel) = shared();
                (1..=3).for_each(|byte| pipe.write(byte));
                pipe.close();
                let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
                let reading = thread::spawn(move || read_on(&theirs, &same, fails));
                let mut block = Small::default();
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

    /// The other program waits for an answer after each byte: to hold one back would be a deadlock.
    #[test]
    fn what_has_come_is_never_held_back() {
        loom::model(|| {
            let (pipe, channel) = shared();
            let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
            let reading = thread::spawn(move || read_on(&theirs, &same, false));
            for byte in [1, 2] {
                pipe.write(byte);
                let mut block = Small::default();
                assert!(channel.exchange(&mut block).unwrap());
                assert_eq!(block.0, [byte]);
            }
            pipe.close();
            assert!(!channel.exchange(&mut Small::default()).unwrap());
            reading.join().unwrap();
        });
    }

    #[test]
    fn the_reading_thread_ends_when_nobody_wants_more() {
        loom::model(|| {
            let (pipe, channel) = shared();
            let (theirs, same) = (Arc::clone(&pipe), Arc::clone(&channel));
            let reading = thread::spawn(move || read_on(&theirs, &same, false));
            (1..=3).for_each(|byte| pipe.write(byte));
            channel.close();
            // What it waits for beside the channel.
            pipe.close();
            reading.join().unwrap();
        });
    }
}
