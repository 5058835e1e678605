//! Locks, condition variables and atomics: those of the standard library, or those of loom in tests built with `--cfg
//! loom`, which run every order in which threads can interleave.
//!
//! Code that shares state between threads beyond what one lock of the standard library covers imports them from here,
//! and has a module `model` beside it: the work queue, the channel of the thread that reads ahead, the list of
//! unfinished files. The models run with `ci/loom`.

#[cfg(all(test, loom))]
pub use loom::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(all(test, loom)))]
pub use std::sync::{Condvar, Mutex, MutexGuard, atomic};
