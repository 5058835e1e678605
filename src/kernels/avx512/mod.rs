//! Kernels for x86-64 with AVX-512 (F, BW, VL, VBMI, VBMI2): a block of 64 bytes at a time.
//!
//! Every function here is `unsafe` only because the processor must have those instructions; [`KERNELS`] is handed out by
//! [`super::active`] only where it has them. All loads and stores stay inside the slices: each loop turns only while
//! what it may touch is there, and the rest goes through the portable kernel.

mod utf16;
mod utf32;
mod utf8;

use std::arch::x86_64::*;

use super::{Kernels, Progress, portable};

/// The set. What has no function of its own here is quick enough as the compiler makes it.
pub(super) const KERNELS: Kernels = Kernels {
    name: "avx512",
    utf8_to_code_points,
    utf16le_to_code_points: utf16_to_code_points::<false>,
    utf16be_to_code_points: utf16_to_code_points::<true>,
    utf32le_to_code_points: utf32_to_code_points::<false>,
    utf32be_to_code_points: utf32_to_code_points::<true>,
    code_points_to_utf8,
    code_points_to_utf16le: code_points_to_utf16::<false>,
    code_points_to_utf16be: code_points_to_utf16::<true>,
    code_points_to_utf32le: code_points_to_utf32::<false>,
    code_points_to_utf32be: code_points_to_utf32::<true>,
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
    // SAFETY: the set is handed out only where `is_here`; so for all of these.
    unsafe { utf8::to_code_points(input, output) }
}

fn code_points_to_utf8(input: &[u32], output: &mut [u8]) -> Progress {
    // SAFETY: as above.
    unsafe { utf8::from_code_points(input, output) }
}

fn utf16_to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    // SAFETY: as above.
    unsafe { utf16::to_code_points::<BIG>(input, output) }
}

fn code_points_to_utf16<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    // SAFETY: as above.
    unsafe { utf16::from_code_points::<BIG>(input, output) }
}

fn utf32_to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    // SAFETY: as above.
    unsafe { utf32::to_code_points::<BIG>(input, output) }
}

fn code_points_to_utf32<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    // SAFETY: as above.
    unsafe { utf32::from_code_points::<BIG>(input, output) }
}

/// Adds what another kernel makes of the next stretch to what is done, and says whether it came to its end.
fn then<From, To>(
    kernel: fn(&[From], &mut [To]) -> Progress,
    input: &[From],
    output: &mut [To],
    done: &mut Progress,
) -> bool {
    let more = kernel(input, output);
    done.read += more.read;
    done.written += more.written;
    more.read == input.len()
}

/// The first 64 bytes of `from`.
#[target_feature(enable = "avx512f")]
fn load_bytes(from: &[u8]) -> __m512i {
    let from = &from[..64];
    // SAFETY: the slice has the 64 bytes that are read; the load is unaligned.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Writes the first 64 bytes of `to`.
#[target_feature(enable = "avx512f")]
fn store_bytes(to: &mut [u8], bytes: __m512i) {
    let to = &mut to[..64];
    // SAFETY: the slice has the 64 bytes that are written; the store is unaligned.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bytes) }
}

/// The first 16 code points of `from`.
#[target_feature(enable = "avx512f")]
fn load_code_points(from: &[u32]) -> __m512i {
    let from = &from[..16];
    // SAFETY: the slice has the 16 values that are read; the load is unaligned.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Writes the first 16 code points of `to`.
#[target_feature(enable = "avx512f")]
fn store_code_points(to: &mut [u32], values: __m512i) {
    let to = &mut to[..16];
    // SAFETY: the slice has the 16 places that are written; the store is unaligned.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), values) }
}

/// Which of 16 values are surrogate code points.
#[target_feature(enable = "avx512f")]
fn surrogates(values: __m512i) -> __mmask16 {
    let block = _mm512_and_si512(values, _mm512_set1_epi32(!0x7FF));
    _mm512_cmpeq_epi32_mask(block, _mm512_set1_epi32(0xD800))
}

/// Which of 16 values are no scalar values.
#[target_feature(enable = "avx512f")]
fn no_scalar_values(values: __m512i) -> __mmask16 {
    surrogates(values) | _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(0x10_FFFF))
}
