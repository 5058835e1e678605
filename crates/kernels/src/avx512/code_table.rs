//! Decoding with a table of 256 codes, for single-byte charsets.
//!
//! `vpermi2b` looks up 64 bytes in 128 entries of one byte, which two registers hold. A code has two bytes, so half of
//! the table is four registers and two lookups: one for the lower bytes of the codes, one for the upper. The highest
//! bit of each text byte then selects one half or the other. If the lower half is US-ASCII, it needs no lookup at all.
//!
//! ```text
//! text         41 E9 C4            E9 is looked up as 69 in the upper half
//! lower bytes  41 39 14            windows-1251: 0041 0439 0414
//! upper bytes  00 04 04
//! ```

use std::arch::x86_64::*;

use super::registers::{BLOCK, load, store};
use crate::code_point::CodePoint;
use crate::contract::Codes;
use crate::portable;

/// See [`Table`](crate::contract::Table).
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(super) fn decode(codes: &Codes, input: &[u8], output: &mut [CodePoint]) -> usize {
    if codes.is_ascii() {
        decode_over::<true>(codes, input, output)
    } else {
        decode_over::<false>(codes, input, output)
    }
}

/// Half of a table, 128 entries: their lower and their upper bytes.
struct Half {
    lower: (__m512i, __m512i),
    upper: (__m512i, __m512i),
}

impl Half {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
    fn new(entries: &[u16]) -> Self {
        let entries: &[u8] = bytemuck::cast_slice(entries);
        let quarter = |number: usize| load(&entries[number * BLOCK..]);
        let lower = |number: usize| {
            let half = |number| _mm512_cvtepi16_epi8(quarter(number));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(number)), half(number + 1))
        };
        let upper = |number: usize| {
            let half = |number| _mm512_cvtepi16_epi8(_mm512_srli_epi16::<8>(quarter(number)));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(number)), half(number + 1))
        };
        Self { lower: (lower(0), lower(2)), upper: (upper(0), upper(2)) }
    }

    /// Looks up the lower seven bits of each byte, which is all that the instruction takes of an index. Returns the
    /// lower and the upper bytes of the entries.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i) {
        (
            _mm512_permutex2var_epi8(self.lower.0, bytes, self.lower.1),
            _mm512_permutex2var_epi8(self.upper.0, bytes, self.upper.1),
        )
    }
}

/// Looks up a block in both halves of the table, and then selects by the highest bit of each byte. If the lower half is
/// US-ASCII, the bytes below 80 are their own characters, and only bytes from 80 on can be undefined.
///
/// A block is written as a whole, even if only a part of it counts: the code points of an undefined byte and of all
/// bytes after it, or after the end of the input, are scratch.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
fn decode_over<const ASCII: bool>(codes: &Codes, input: &[u8], output: &mut [CodePoint]) -> usize {
    let (first, second) = codes.characters().split_at(0x80);
    let (first, second) = (Half::new(first), Half::new(second));

    let mut done = 0;
    while done < input.len() && output.len() - done >= BLOCK {
        let from = &input[done..];
        let to = &mut output[done..done + BLOCK];
        let bytes = load(from);
        let past_7f = _mm512_movepi8_mask(bytes);
        let (low, high) = second.look_up(bytes);
        let (low, high, may_be_holes) = if ASCII {
            let low = _mm512_mask_mov_epi8(bytes, past_7f, low);
            (low, _mm512_maskz_mov_epi8(past_7f, high), past_7f)
        } else {
            let (first_low, first_high) = first.look_up(bytes);
            let low = _mm512_mask_mov_epi8(first_low, past_7f, low);
            (low, _mm512_mask_mov_epi8(first_high, past_7f, high), !0)
        };
        // `Codes::NONE` is FFFF: only where a byte is undefined are all bits of both bytes set.
        let ones = _mm512_set1_epi8(-1);
        let holes = _mm512_mask_cmpeq_epi8_mask(may_be_holes, _mm512_and_si512(low, high), ones);
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

/// Returns 16 of 64 bytes, each widened to 32 bits.
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
