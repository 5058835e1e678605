//! Keeps threads from being cancelled inside this library. The C library cancels a thread by unwinding it, and
//! unwinding through Rust ends the program. A thread that was cancelled meanwhile ends at its next cancellation point
//! after the call; POSIX does not require iconv() to be one.

use std::cell::Cell;
use std::ffi::c_int;
use std::hash::RandomState;
use std::ptr;

// The crate libc does not declare it on Linux.
unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
}

/// PTHREAD_CANCEL_DISABLE, the same in glibc and musl.
const DISABLED: c_int = 1;

/// Disables the cancellation of this thread until it is dropped.
pub(super) struct Uncancelled {
    before: c_int,
}

impl Uncancelled {
    pub(super) fn new() -> Self {
        let mut before = DISABLED;
        // SAFETY: `before` is valid for writes. The state is valid, so the call cannot fail.
        unsafe { pthread_setcancelstate(DISABLED, &mut before) };
        Self { before }
    }
}

impl Drop for Uncancelled {
    fn drop(&mut self) {
        if self.before != DISABLED {
            // SAFETY: `before` is a state that the C library returned. The pointer for the old state may be null.
            unsafe { pthread_setcancelstate(self.before, ptr::null_mut()) };
        }
    }
}

/// Removes the cancellation points from the conversions of this thread.
///
/// To disable cancellation in every call would take a quarter of the time of a call for one character. It is not
/// necessary: a conversion has only one cancellation point, getrandom(), which the first `HashMap` of a thread calls
/// for its keys. So this makes one `RandomState` per thread ahead of time.
pub(super) fn take_out() {
    thread_local!(static TAKEN_OUT: Cell<bool> = const { Cell::new(false) });
    if !TAKEN_OUT.get() {
        let _uncancelled = Uncancelled::new();
        let _ = RandomState::new();
        TAKEN_OUT.set(true);
    }
}
