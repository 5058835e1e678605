//! Code points to UTF-16: 32 at a time where all are of the Basic Multilingual Plane and no surrogates. Where one is
//! not, the portable kernel does that stretch.

use std::arch::x86_64::*;

use super::{Progress, portable, rest};

/// Code points of a block.
const BLOCK: usize = 32;

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn from_code_points<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    let kernel = match BIG {
        true => portable::KERNELS.code_points_to_utf16be,
        false => portable::KERNELS.code_points_to_utf16le,
    };
    let mut done = Progress { read: 0, written: 0 };
    // Twice the room: a stretch with surrogate pairs takes up to four bytes a code point.
    while input.len() - done.read >= BLOCK && output.len() - done.written >= 4 * BLOCK {
        let from = &input[done.read..done.read + BLOCK];
        let to = &mut output[done.written..done.written + 4 * BLOCK];
        if convert::<BIG>(from, to) {
            done.read += BLOCK;
            done.written += 2 * BLOCK;
        } else {
            let block = kernel(from, to);
            done.read += block.read;
            done.written += block.written;
            if block.read < BLOCK {
                return done;
            }
        }
    }
    rest(kernel, input, output, done)
}

/// Converts a block, if each of its code points is one code unit.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
fn convert<const BIG: bool>(from: &[u32], to: &mut [u8]) -> bool {
    let (low, high) = (load(&from[..16]), load(&from[16..]));
    if other(low) | other(high) != 0 {
        return false;
    }
    let halves = (_mm512_cvtepi32_epi16(low), _mm512_cvtepi32_epi16(high));
    let units = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(halves.0), halves.1);
    let units = if BIG {
        _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units))
    } else {
        units
    };
    let place = &mut to[..2 * BLOCK];
    // SAFETY: the slice has the 64 bytes that are written; the store is unaligned.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), units) };
    true
}

/// Which of 16 code points are not one code unit: surrogates, and those past U+FFFF.
#[target_feature(enable = "avx512f")]
fn other(values: __m512i) -> __mmask16 {
    let block = _mm512_and_si512(values, _mm512_set1_epi32(!0x7FF));
    _mm512_cmpeq_epi32_mask(block, _mm512_set1_epi32(0xD800))
        | _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(0xFFFF))
}

#[target_feature(enable = "avx512f")]
fn load(from: &[u32]) -> __m512i {
    let from = &from[..16];
    // SAFETY: the slice has the 16 values that are read; the load is unaligned.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}
