//! To UTF-8. Each character gets a lane of the maximum length. Its bits are moved to the bytes of the lane, the markers
//! are set, and unused bytes are squeezed out.
//!
//! ```text
//! units    0041        00E9        20AC        (16 bits each)
//! spread   41 00 00 00 C3 A9 00 00 E2 82 AC 00
//! used      1  ·  ·  ·  1  1  ·  ·  1  1  1  ·
//! bytes    41 C3 A9 E2 82 AC
//! ```

use std::arch::x86_64::*;

use super::registers::{
    BLOCK, Surrogates, first_bits, good, load, no_scalar_values, ordered16, ordered32, packed8,
    packed16, store, surrogates, unit16,
};
use crate::kernels::contract::{EncodingForm, Progress};
use crate::kernels::portable::then_portable;

/// Bytes of free output that every iteration of a loop here needs.
const ROOM: usize = 3 * BLOCK;

/// Stores the used bytes, and returns how many there are.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
fn squeeze(to: &mut [u8], bytes: __m512i, used: u64) -> usize {
    store(to, packed8(used, bytes));
    used.count_ones() as usize
}

/// Returns which bytes are used: the first one of each lane in `firsts`, and all that are not 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn used(bytes: __m512i, firsts: u64) -> u64 {
    _mm512_test_epi8_mask(bytes, bytes) | firsts
}

/// Converts the first `available` of 32 values below 800, 16 bits each, to UTF-8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
fn put_two(values: __m512i, available: usize, to: &mut [u8]) -> usize {
    let all = |value: u16| _mm512_set1_epi16(value as i16);
    let wide = _mm512_cmpge_epu16_mask(values, all(0x80));
    // (a & b) | c
    let form = _mm512_ternarylogic_epi32::<0xEA>(
        _mm512_slli_epi16::<8>(values),
        all(0x3F00),
        _mm512_srli_epi16::<6>(values),
    );
    let bytes = _mm512_mask_add_epi16(values, wide, form, all(0x80C0));
    // Every first byte, and every second byte that is not 0.
    let used = _mm512_cmpge_epu8_mask(bytes, all(0x0100));
    squeeze(to, bytes, used & first_bits(2 * available))
}

/// Computes where the bits for each byte of a 32-bit lane begin, first byte lowest. Bits beyond the value are zeros.
const fn shifts(bytes: [u8; 4]) -> i64 {
    let [a, b, c, d] = bytes;
    let (e, f, g, h) = (32 + a, 32 + b, 32 + c, 32 + d);
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Returns the bytes of the UTF-8 sequence (Table 3-6) of each of 16 values in its 32 bits: selects the bits, then adds
/// the markers.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn form<const SHIFTS: i64, const BITS: i32, const MARKERS: i32>(values: __m512i) -> __m512i {
    let bytes = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SHIFTS), values);
    // (a & b) | c
    _mm512_ternarylogic_epi32::<0xEA>(bytes, _mm512_set1_epi32(BITS), _mm512_set1_epi32(MARKERS))
}

/// Spreads 16 values up to U+FFFF over their 32-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn spread_three(values: __m512i) -> __m512i {
    let at_least = |value: i32| _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(value));
    let two = form::<{ shifts([6, 0, 16, 16]) }, 0x3F1F, 0x80C0>(values);
    let three = form::<{ shifts([12, 6, 0, 20]) }, 0x3F_3F0F, 0x80_80E0>(values);
    let bytes = _mm512_mask_mov_epi32(values, at_least(0x80), two);
    _mm512_mask_mov_epi32(bytes, at_least(0x800), three)
}

/// Spreads 16 values over their 32-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn spread_four(values: __m512i) -> __m512i {
    let four = form::<{ shifts([18, 12, 6, 0]) }, 0x3F3F_3F07, { 0x8080_80F0_u32 as i32 }>(values);
    let longest = _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(0x1_0000));
    _mm512_mask_mov_epi32(spread_three(values), longest, four)
}

/// Returns the first byte of each 32-bit lane in `lanes`.
#[inline]
#[target_feature(enable = "bmi2")]
fn firsts(lanes: u16) -> u64 {
    _pdep_u64(lanes.into(), 0x1111_1111_1111_1111)
}

/// A kernel under the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn from_utf16<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let input = &input[..input.len() & !1];
    let past = |bits: u16| _mm512_set1_epi16(unit16::<BIG>(bits));
    let mut done = Progress::default();
    while output.len() - done.written >= ROOM {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + ROOM];
        let raw = load(from);
        if from.len() >= 2 * BLOCK {
            let more = load(&from[BLOCK..]);
            let any = _mm512_or_si512(raw, more);
            if _mm512_test_epi16_mask(any, past(0xFF80)) == 0 {
                store(to, _mm512_inserti64x4::<1>(ascii::<BIG>(raw), narrowed::<BIG>(more)));
                done.read += 2 * BLOCK;
                done.written += BLOCK;
                continue;
            }
            if _mm512_test_epi16_mask(any, past(0xF800)) == 0 {
                let written = put_two(ordered16::<BIG>(raw), 32, to);
                done.read += 2 * BLOCK;
                done.written += written;
                done.written += put_two(ordered16::<BIG>(more), 32, &mut to[written..]);
                continue;
            }
        }
        let units = ordered16::<BIG>(raw);
        let available = (from.len() / 2).min(32);
        let all = surrogates::<BIG>(raw);
        let (good, written) = if _mm512_test_epi16_mask(raw, past(0xF800)) == 0 {
            (available, put_two(units, available, to))
        } else if all == 0 {
            (available, put_three(units, available, to))
        } else {
            let surrogates = Surrogates::of::<BIG>(raw, all);
            let good = surrogates.good::<BIG>(from);
            (good, put_pairs(units, surrogates, good, to))
        };
        done.read += 2 * good;
        done.written += written;
        if good + 1 < 32 {
            return done;
        }
    }
    then_portable(
        if BIG { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le },
        EncodingForm::Utf8,
        done,
        input,
        output,
    )
}

/// Narrows 32 units below 100, in the byte order of the text, to bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn narrowed<const BIG: bool>(units: __m512i) -> __m256i {
    _mm512_cvtepi16_epi8(if BIG { _mm512_srli_epi16::<8>(units) } else { units })
}

/// The same, in the lower half of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn ascii<const BIG: bool>(units: __m512i) -> __m512i {
    _mm512_castsi256_si512(narrowed::<BIG>(units))
}

/// Converts the first `available` of 32 units without surrogates to UTF-8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_three(units: __m512i, available: usize, to: &mut [u8]) -> usize {
    let lanes = first_bits(available) as u32;
    let lower = spread_three(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units)));
    let upper = spread_three(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(units)));
    let written = squeeze(to, lower, used(lower, firsts(lanes as u16)));
    written + squeeze(&mut to[written..], upper, used(upper, firsts((lanes >> 16) as u16)))
}

/// Converts the first `good` of 32 units to UTF-8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_pairs(units: __m512i, surrogates: Surrogates, good: usize, to: &mut [u8]) -> usize {
    let characters = Characters::of(units, surrogates, good);
    let mut written = 0;
    for upper in [false, true] {
        let len = characters.len.saturating_sub(16 * usize::from(upper));
        if len != 0 {
            let bytes = spread_four(characters.values(upper));
            let used = used(bytes, firsts(u16::MAX)) & first_bits(4 * len);
            written += squeeze(&mut to[written..], bytes, used);
        }
    }
    written
}

/// The characters of a block of UTF-16, packed.
pub(super) struct Characters {
    /// The first unit of each, and the unit after it.
    first: __m512i,
    next: __m512i,
    /// Which of them are surrogate pairs.
    pairs: __mmask32,
    /// Their number, at most 32.
    pub(super) len: usize,
}

impl Characters {
    /// Packs the first `good` of 32 units.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
    pub(super) fn of(units: __m512i, surrogates: Surrogates, good: usize) -> Self {
        let rotated = _mm512_alignr_epi32::<1>(units, units);
        // The upper half of each 32 bits, and the lower half of the next.
        let next =
            _mm512_or_si512(_mm512_srli_epi32::<16>(units), _mm512_slli_epi32::<16>(rotated));
        let lanes = first_bits(good) as u32 & !surrogates.low;
        Self {
            first: packed16(lanes, units),
            next: packed16(lanes, next),
            pairs: _pext_u32(surrogates.high, lanes),
            len: lanes.count_ones() as usize,
        }
    }

    /// Returns the values of 16 of them; those after the last are arbitrary.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn values(&self, upper: bool) -> __m512i {
        let half = |units: __m512i| {
            _mm512_cvtepu16_epi32(if upper {
                _mm512_extracti64x4_epi64::<1>(units)
            } else {
                _mm512_castsi512_si256(units)
            })
        };
        let pairs = self.pairs >> if upper { 16 } else { 0 };
        let first = half(self.first);
        let pair = _mm512_add_epi32(_mm512_slli_epi32::<10>(first), half(self.next));
        const MARKERS: i32 = (0xD800 << 10) + 0xDC00 - 0x1_0000;
        _mm512_mask_sub_epi32(first, pairs as u16, pair, _mm512_set1_epi32(MARKERS))
    }
}

/// A kernel under the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn from_utf32<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= ROOM {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + ROOM];
        let values = ordered32::<BIG>(load(from));
        // Two blocks at a time if both are entirely below 800.
        if from.len() >= 2 * BLOCK {
            let more = ordered32::<BIG>(load(&from[BLOCK..]));
            let any = _mm512_or_si512(values, more);
            if _mm512_test_epi32_mask(any, _mm512_set1_epi32(!0x7FF)) == 0 {
                let units = _mm512_inserti64x4::<1>(
                    _mm512_castsi256_si512(_mm512_cvtepi32_epi16(values)),
                    _mm512_cvtepi32_epi16(more),
                );
                done.written += if _mm512_test_epi32_mask(any, _mm512_set1_epi32(!0x7F)) == 0 {
                    store(to, _mm512_castsi256_si512(_mm512_cvtepi16_epi8(units)));
                    32
                } else {
                    put_two(units, 32, to)
                };
                done.read += 2 * BLOCK;
                continue;
            }
        }
        let good = good::<16>(no_scalar_values(values), from.len() / 4);
        let lanes = first_bits(good) as u16;
        let values = _mm512_maskz_mov_epi32(lanes, values);
        let bytes = if _mm512_test_epi32_mask(values, _mm512_set1_epi32(!0xFFFF)) == 0 {
            spread_three(values)
        } else {
            spread_four(values)
        };
        done.written += squeeze(to, bytes, used(bytes, firsts(lanes)));
        done.read += 4 * good;
        if good < 16 {
            return done;
        }
    }
    then_portable(
        if BIG { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le },
        EncodingForm::Utf8,
        done,
        input,
        output,
    )
}

/// A kernel under the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn from_latin1(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= ROOM && done.read < input.len() {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + ROOM];
        let bytes = load(from);
        let available = from.len().min(BLOCK);
        if _mm512_movepi8_mask(bytes) == 0 {
            store(to, bytes);
            done.written += available;
        } else {
            let lower = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
            let upper = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes));
            let written = put_two(lower, available.min(32), to);
            done.written += written;
            done.written += put_two(upper, available.saturating_sub(32), &mut to[written..]);
        }
        done.read += available;
    }
    then_portable(EncodingForm::Latin1, EncodingForm::Utf8, done, input, output)
}
