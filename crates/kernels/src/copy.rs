//! Conversions that keep the characters as they are, or only swap their bytes: a part is validated, and the valid bytes
//! are copied while they are still in the L1 cache.

use super::contract::{Progress, Validate};

/// The most bytes that the end of a part can cut off from a character.
const MAX_TRUNCATED: usize = 3;

/// Validates with `validate`, and copies what is valid with `copy`, which must write as many bytes as it is given.
#[inline(always)]
pub(super) fn copy_valid(
    input: &[u8],
    output: &mut [u8],
    validate: Validate,
    copy: impl Fn(&[u8], &mut [u8]),
) -> Progress {
    /// Bytes of a part: it fits twice into the nearest cache.
    const CHUNK: usize = 16 * 1024;
    let (all, mut done) = (input.len().min(output.len()), 0);
    loop {
        let end = all.min(done + CHUNK);
        let len = validate(&input[done..end]);
        copy(&input[done..done + len], &mut output[done..done + len]);
        done += len;
        // A character that the end of this part cuts begins the next one.
        if len == 0 || done + MAX_TRUNCATED < end || end == all {
            return Progress { read: done, written: done };
        }
    }
}

/// Copies byte for byte.
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
