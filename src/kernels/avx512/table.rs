//! From a set of 256 codes. The 128 entries of its upper half stand in registers, their lower and upper bytes apart; one
//! instruction looks up 64 bytes in 128 entries.

use std::arch::x86_64::*;

use super::{BLOCK, Codes, load, portable, store};
use crate::unicode::CodePoint;

/// On the contract of [`crate::kernels::Table`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(super) fn decode(codes: &Codes, input: &[u8], output: &mut [CodePoint]) -> usize {
    let entries: &[u8] = bytemuck::cast_slice(&codes[0x80..]);
    let quarter = |number: usize| load(&entries[number * BLOCK..]);
    let lower_bytes = |number: usize| {
        let half = |number| _mm512_cvtepi16_epi8(quarter(number));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(number)), half(number + 1))
    };
    let upper_bytes = |number: usize| {
        let half = |number| _mm512_cvtepi16_epi8(_mm512_srli_epi16::<8>(quarter(number)));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(number)), half(number + 1))
    };
    let lows = (lower_bytes(0), lower_bytes(2));
    let highs = (upper_bytes(0), upper_bytes(2));

    let mut done = 0;
    while done < input.len() && output.len() - done >= BLOCK {
        let from = &input[done..];
        let to = &mut output[done..done + BLOCK];
        let bytes = load(from);
        let past_ascii = _mm512_movepi8_mask(bytes);
        let low = _mm512_permutex2var_epi8(lows.0, bytes, lows.1);
        let high = _mm512_permutex2var_epi8(highs.0, bytes, highs.1);
        let holes =
            past_ascii & _mm512_testn_epi8_mask(_mm512_or_si512(low, high), _mm512_set1_epi8(-1));
        let low = _mm512_mask_mov_epi8(bytes, past_ascii, low);
        let high = _mm512_maskz_mov_epi8(past_ascii, high);
        for (group, to) in to.chunks_exact_mut(BLOCK / 4).enumerate() {
            let values =
                _mm512_or_si512(sixteen(low, group), _mm512_slli_epi32::<8>(sixteen(high, group)));
            store(bytemuck::cast_slice_mut(to), values);
        }
        let good = (holes.trailing_zeros() as usize).min(from.len()).min(BLOCK);
        done += good;
        if good < BLOCK {
            return done;
        }
    }
    done + portable::table(codes, &input[done..], &mut output[done..])
}

/// 16 of 64 bytes, each in 32 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen(bytes: __m512i, group: usize) -> __m512i {
    _mm512_cvtepu8_epi32(match group {
        0 => _mm512_castsi512_si128(bytes),
        1 => _mm512_extracti32x4_epi32::<1>(bytes),
        2 => _mm512_extracti32x4_epi32::<2>(bytes),
        _ => _mm512_extracti32x4_epi32::<3>(bytes),
    })
}
