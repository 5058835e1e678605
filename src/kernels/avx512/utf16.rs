//! UTF-16 to and from code points: 32 at a time where all are one code unit each and no surrogates. Where one is not,
//! the portable kernel does that stretch.

use std::arch::x86_64::*;

use super::{
    Progress, load_bytes, load_code_points, portable, store_bytes, store_code_points, surrogates,
    then,
};

/// Code units, and code points, of a block.
const BLOCK: usize = 32;

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    let kernel = if BIG {
        portable::KERNELS.utf16be_to_code_points
    } else {
        portable::KERNELS.utf16le_to_code_points
    };
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= 2 * BLOCK && output.len() - done.written >= BLOCK {
        let from = &input[done.read..done.read + 2 * BLOCK];
        let to = &mut output[done.written..done.written + BLOCK];
        let units = ordered::<BIG>(load_bytes(from));
        let block = _mm512_and_si512(units, _mm512_set1_epi16(!0x7FF));
        if _mm512_cmpeq_epi16_mask(block, _mm512_set1_epi16(0xD800_u16 as i16)) == 0 {
            store_code_points(to, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units)));
            let high = _mm512_extracti64x4_epi64::<1>(units);
            store_code_points(&mut to[16..], _mm512_cvtepu16_epi32(high));
            done.read += 2 * BLOCK;
            done.written += BLOCK;
        } else {
            let before = done.read;
            then(kernel, from, to, &mut done);
            // A pair that the block cuts begins the next one.
            if done.read - before < 2 * BLOCK - 2 {
                return done;
            }
        }
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn from_code_points<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    let kernel = if BIG {
        portable::KERNELS.code_points_to_utf16be
    } else {
        portable::KERNELS.code_points_to_utf16le
    };
    let mut done = Progress { read: 0, written: 0 };
    // Twice the room: a stretch with surrogate pairs takes up to four bytes a code point.
    while input.len() - done.read >= BLOCK && output.len() - done.written >= 4 * BLOCK {
        let from = &input[done.read..done.read + BLOCK];
        let to = &mut output[done.written..done.written + 4 * BLOCK];
        let (low, high) = (load_code_points(from), load_code_points(&from[16..]));
        if other(low) | other(high) == 0 {
            let (low, high) = (_mm512_cvtepi32_epi16(low), _mm512_cvtepi32_epi16(high));
            let units = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            store_bytes(to, ordered::<BIG>(units));
            done.read += BLOCK;
            done.written += 2 * BLOCK;
        } else if !then(kernel, from, to, &mut done) {
            return done;
        }
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

/// Code units from or to the byte order of the text.
#[target_feature(enable = "avx512f,avx512bw")]
fn ordered<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units))
    } else {
        units
    }
}

/// Which of 16 code points are not one code unit: surrogates, and those past U+FFFF.
#[target_feature(enable = "avx512f")]
fn other(values: __m512i) -> __mmask16 {
    surrogates(values) | _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(0xFFFF))
}
