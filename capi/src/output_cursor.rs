//! The output buffer of a call, as a cursor and not as a slice.
//! Kernels may write scratch bytes after their result: a vector store is wider than the bytes that it is for. In the
//! buffers of this project that does no harm, but in those of a program it does. Programs rely on the zeros that their
//! buffers begin with, for instance as the end of a string. And some pass a length beyond the end of their buffer, for
//! which a slice must not exist at all. So a conversion writes elsewhere, and only its result is copied here.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::ptr;

/// The unwritten part of a buffer.
pub(super) struct OutputCursor<'a> {
    start: *mut u8,
    left: usize,
    buffer: PhantomData<&'a mut [u8]>,
}

impl OutputCursor<'_> {
    /// A buffer without room.
    pub(super) const NOTHING: Self = Self { start: ptr::null_mut(), left: 0, buffer: PhantomData };

    /// Creates the output from a buffer of this many bytes.
    ///
    /// # Safety
    ///
    /// As many of its first bytes as are [put](Self::put) must be valid for writes during `'a`, and no slice may borrow
    /// them.
    pub(super) const unsafe fn new(start: *mut c_char, left: usize) -> Self {
        Self { start: start.cast(), left, buffer: PhantomData }
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Writes `bytes`.
    ///
    /// # Panics
    ///
    /// If there are more than are left.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.left = self.left.checked_sub(bytes.len()).expect("no more than are left");
        // SAFETY: by the contract of `new`, that many bytes are valid; `bytes` are not among them.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.start, bytes.len());
            self.start = self.start.add(bytes.len());
        }
    }
}
