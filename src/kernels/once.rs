//! One read of the input, for kernels that access a byte more than once.
//!
//! The input may be a mapped file, which another program may change at any moment: a byte that was validated may differ
//! when it is read again. Such kernels work on a copy, which nobody else can change.
//!
//! ```text
//! windowed   input ──copy──► window, in the nearest cache ──kernel──► output
//! copied     input ──copy──► output ──validate──► how much of it is valid
//! ```

use std::hint::black_box;
use std::mem::MaybeUninit;

use super::contract::Progress;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use super::contract::Validate;

/// The most bytes that the end of a part can cut off from a character.
const CUT: usize = 3;
/// Bytes of the first part: many runs are short. Each part is twice as long as the one before it.
const FIRST: usize = 256;

/// Runs `kernel` on copies of the input, one window after another, under the contract of [`crate::kernels`].
#[inline(always)]
pub(super) fn windowed(
    input: &[u8],
    output: &mut [u8],
    kernel: impl Fn(&[u8], &mut [u8]) -> Progress,
) -> Progress {
    /// Bytes of the longest window.
    const MOST: usize = 4096;
    let mut memory = [const { MaybeUninit::<u8>::uninit() }; MOST];
    let (mut done, mut room) = (Progress::default(), FIRST);
    loop {
        let rest = &input[done.read..];
        let len = rest.len().min(room);
        // Opaque: the compiler must not read the input again instead of the copy.
        let start = black_box(memory.as_mut_ptr()).cast::<u8>();
        // SAFETY: both are valid for `len` bytes, which is at most MOST, and do not overlap.
        unsafe { rest.as_ptr().copy_to_nonoverlapping(start, len) };
        // SAFETY: these bytes were just written, and `memory` is not accessed until the window has been used.
        let window = unsafe { std::slice::from_raw_parts(start, len) };
        let run = kernel(window, &mut output[done.written..]);
        done.read += run.read;
        done.written += run.written;
        // A character that the end of this window cuts begins the next window.
        if run.read == 0 || run.read + CUT < len || len == rest.len() {
            return done;
        }
        room = MOST.min(2 * room);
    }
}

/// Copies with `copy`, which must write as many bytes as it is given, and then validates the output with `validate`.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(super) fn copied(
    input: &[u8],
    output: &mut [u8],
    copy: impl Fn(&[u8], &mut [u8]),
    validate: Validate,
) -> Progress {
    /// Bytes of the longest part: it fits twice into the nearest cache.
    const MOST: usize = 16 * 1024;
    let (all, mut done, mut part) = (input.len().min(output.len()), 0, FIRST);
    loop {
        let end = all.min(done + part);
        copy(&input[done..end], &mut output[done..end]);
        let len = validate(&output[done..end]);
        done += len;
        if len == 0 || done + CUT < end || end == all {
            return Progress { read: done, written: done };
        }
        part = MOST.min(2 * part);
    }
}

/// Copies byte for byte.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(super) fn same(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

/// Copies and reverses every four bytes.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(super) fn swapped32(from: &[u8], to: &mut [u8]) {
    for (to, [a, b, c, d]) in to.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
        *to = [*d, *c, *b, *a];
    }
}
