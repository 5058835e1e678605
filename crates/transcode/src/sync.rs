//! Locks, conditions and atomics: those of the standard library, or those of loom in tests built with `--cfg loom`,
//! which run every order in which threads can meet.
//!
//! What several threads share and no lock of the standard library covers alone imports them from here, and has a module
//! `model` beside it: the work queue, the channel of the thread that reads ahead, the list of unfinished files. The
//! models run with `ci/loom`.

#[cfg(all(test, loom))]
pub use loom::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(all(test, loom)))]
pub use std::sync::{Condvar, Mutex, MutexGuard, atomic};
