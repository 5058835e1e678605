//! Kernels for x86-64 with AVX-512 (F, BW, VL, VBMI, VBMI2): a block of 64 bytes at a time.
//!
//! Every function here is `unsafe` only because the processor must have those instructions; [`KERNELS`] is handed out by
//! [`super::active`] only where it has them. All loads and stores stay inside the slices: each loop turns only while
//! what it may touch is there, and the rest goes through the portable kernel.

mod utf16;
mod utf8;

use super::{Kernels, Progress, portable};

/// The set. What has no function of its own here is quick enough as the compiler makes it.
pub(super) const KERNELS: Kernels = Kernels {
    name: "avx512",
    utf8_to_code_points,
    code_points_to_utf16le: code_points_to_utf16::<false>,
    code_points_to_utf16be: code_points_to_utf16::<true>,
    ..portable::KERNELS
};

/// Whether this processor has the instructions.
pub(super) fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
}

fn utf8_to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    // SAFETY: the set is handed out only where `is_here`.
    unsafe { utf8::to_code_points(input, output) }
}

fn code_points_to_utf16<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    // SAFETY: the set is handed out only where `is_here`.
    unsafe { utf16::from_code_points::<BIG>(input, output) }
}

/// What the portable kernel makes of the rest, added to what is done.
fn rest<From, To>(
    kernel: fn(&[From], &mut [To]) -> Progress,
    input: &[From],
    output: &mut [To],
    done: Progress,
) -> Progress {
    let more = kernel(&input[done.read..], &mut output[done.written..]);
    Progress { read: done.read + more.read, written: done.written + more.written }
}
