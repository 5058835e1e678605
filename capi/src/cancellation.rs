//! No thread is cancelled inside this library: the C library would unwind it through Rust, which ends the program. A thread
//! that was cancelled meanwhile ends at its next cancellation point after the call. POSIX does not ask iconv() to be one.

use std::cell::Cell;
use std::ffi::c_int;
use std::hash::RandomState;
use std::ptr;

// The crate libc lacks it on Linux.
unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
}

/// PTHREAD_CANCEL_DISABLE of glibc and musl.
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
            // SAFETY: it is a state that the C library has returned, and that of before need not be returned.
            unsafe { pthread_setcancelstate(self.before, ptr::null_mut()) };
        }
    }
}

/// Takes the cancellation points out of the conversions of this thread. To disable cancellation would take a quarter of the
/// time of a short call, and there can be only one point: the first `HashMap` of a thread calls getrandom().
pub(super) fn take_out() {
    thread_local!(static TAKEN_OUT: Cell<bool> = const { Cell::new(false) });
    if !TAKEN_OUT.get() {
        let _uncancelled = Uncancelled::new();
        let _ = RandomState::new();
        TAKEN_OUT.set(true);
    }
}
