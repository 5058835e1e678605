//! Conversions that keep the bytes of characters, or only swap them. A chunk is validated, and what is well-formed is
//! copied while it is still in the L1 cache.
//!
//! The input is read twice, which is sound because kernels get private memory. A mapped file, which another program
//! could change between validation and copy, is copied first (`map.rs` of `crates/os`).

use super::contract::{Progress, Validate};

/// The most bytes of a character that the end of a chunk can truncate.
const MAX_TRUNCATED: usize = 3;

/// Copies what `validate` accepts with `copy`, which must write as many bytes as it is given.
#[inline(always)]
pub(super) fn copy_valid(
    input: &[u8],
    output: &mut [u8],
    validate: Validate,
    copy: impl Fn(&[u8], &mut [u8]),
) -> Progress {
    /// It fits into an L1 cache of 32 KiB twice: as input and as output.
    const CHUNK: usize = 16 * 1024;
    let (all, mut done) = (input.len().min(output.len()), 0);
    loop {
        let end = all.min(done + CHUNK);
        let len = validate(&input[done..end]);
        copy(&input[done..done + len], &mut output[done..done + len]);
        done += len;
        // A stop in the last few bytes may be a character that the end of the chunk truncates. It begins the next
        // chunk. If it is a fault instead, that chunk makes no progress.
        if len == 0 || done + MAX_TRUNCATED < end || end == all {
            return Progress { read: done, written: done };
        }
    }
}

#[inline(always)]
pub(super) fn copy_bytes(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

/// Copies and reverses every four bytes.
#[inline(always)]
pub(super) fn swap_bytes32(from: &[u8], to: &mut [u8]) {
    for (to, [a, b, c, d]) in to.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
        *to = [*d, *c, *b, *a];
    }
}
