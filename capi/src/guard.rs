//! Keeps panics inside this library: C cannot unwind, and a panic that reached it would abort the program. The call
//! fails instead. A value during whose use a panic occurred is not used again, because its state is unknown; later
//! calls fail in the same way.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls `work`; `None` if it panics.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    // Unwind safety: whatever a panic leaves in an unknown state is dropped, or is inside a `Guarded`, which then
    // refuses to be used.
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// A value that cannot be used any more after a panic.
pub(super) struct Guarded<T> {
    value: T,
    panicked: bool,
}

impl<T> Guarded<T> {
    pub(super) fn new(value: T) -> Self {
        Self { value, panicked: false }
    }

    /// Calls `work` with the value; `None` if it panics, or if anything panicked before.
    pub(super) fn call<R>(&mut self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if self.panicked {
            return None;
        }
        let done = catch(|| work(&mut self.value));
        self.panicked = done.is_none();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_stays_inside_and_ends_the_use_of_the_value() {
        let mut guarded = Guarded::new(1);
        assert_eq!(guarded.call(|value| *value + 1), Some(2));
        assert_eq!(guarded.call(|_| -> i32 { panic!("on purpose, in a test") }), None);
        assert_eq!(guarded.call(|value| *value), None);
        assert_eq!(catch(|| -> i32 { panic!("on purpose, in a test") }), None);
    }
}
