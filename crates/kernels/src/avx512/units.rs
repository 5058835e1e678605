//! Between forms whose characters are single units or surrogate pairs: validation, widening, narrowing, byte swapping.
//!
//! Most text has no surrogates and no values past FFFF, so each loop first asks that of several blocks together.
//!
//! ```text
//! units         0041 D83D DE00 0042
//! and the next  D83D DE00 0042 ....     the lanes of a unit and the one after it
//! values        0041 1F600  ·  0042     of a pair at its high surrogate; the lane of the low one is dropped
//! ```
//!
//! The last, short block takes the same path with a masked load. Its zeros are well-formed, so the number of good units
//! is limited to what the input has, and a block that is not full ends the run.

use std::arch::x86_64::*;

use super::paired_block::PairedBlock;
use super::registers::{
    BLOCK, Surrogates, any_surrogates, bytes_of, compress16, compress32, good, load, low_mask,
    mapped, not_scalar_values, ordered16, ordered32, past_scalar_values, store, surrogates,
};
use crate::contract::{EncodingForm, Progress};
use crate::portable::finish_portable;

const fn utf16(big: bool) -> EncodingForm {
    if big { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le }
}

const fn utf32(big: bool) -> EncodingForm {
    if big { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn halves(bytes: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_four(from: &[u8]) -> [__m512i; 4] {
    [load(from), load(&from[BLOCK..]), load(&from[2 * BLOCK..]), load(&from[3 * BLOCK..])]
}

/// Returns how many of the first bytes are at most `MAX`, which is 7F or FF.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1")]
fn good8<const MAX: u32>(bytes: __m512i, available: usize) -> usize {
    let others = if MAX == 0x7F { _mm512_movepi8_mask(bytes) } else { 0 };
    good::<BLOCK>(others, available)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn validate_ascii(input: &[u8]) -> usize {
    let mut read = 0;
    while let Some(block) = input.get(read..read + 4 * BLOCK) {
        let lower = _mm512_or_si512(load(block), load(&block[BLOCK..]));
        let upper = _mm512_or_si512(load(&block[2 * BLOCK..]), load(&block[3 * BLOCK..]));
        if _mm512_movepi8_mask(_mm512_or_si512(lower, upper)) != 0 {
            break;
        }
        read += 4 * BLOCK;
    }
    loop {
        let good = good8::<0x7F>(load(&input[read..]), input.len() - read);
        read += good;
        if good < BLOCK {
            return read;
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(super) fn validate_utf16<const BIG: bool>(input: &[u8]) -> usize {
    let mut read = blocks_of_utf16::<BIG>(input, |_, _| {});
    loop {
        let from = &input[read..];
        let raw = load(from);
        let good = Surrogates::of::<BIG>(raw, surrogates::<BIG>(raw)).good::<BIG>(from);
        read += 2 * good;
        if good + 1 < 32 {
            return read;
        }
    }
}

/// Validates UTF-16, four whole blocks at a time, and calls `good` for each block with its offset and its bytes.
/// Returns the length of the whole characters.
///
/// Blocks follow each other regardless of pairs. A high surrogate at the end of one is carried over, but at the very
/// end it is not part of the length. The caller validates the rest.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
fn blocks_of_utf16<const BIG: bool>(input: &[u8], mut good: impl FnMut(usize, __m512i)) -> usize {
    let (mut read, mut carry, mut paired) = (0, 0, false);
    while let Some(from) = input.get(read..read + 4 * BLOCK) {
        let four @ [a, b, c, d] = load_four(from);
        if paired || any_surrogates::<BIG, _>(four) {
            // Whether a unit is a surrogate, and which, is in its more significant byte: 64 units fit into one
            // register.
            let mut last = carry;
            let mut faults = |lower, upper| {
                let all = |byte: u8| _mm512_set1_epi8(byte as i8);
                let tops = _mm512_and_si512(bytes_of(lower, upper, !BIG), all(0xFC));
                let high = _mm512_cmpeq_epi8_mask(tops, all(0xD8));
                let low = _mm512_cmpeq_epi8_mask(tops, all(0xDC));
                // Well-formed if there is a low surrogate after each high one, and nowhere else.
                let wrong = (high << 1 | last) ^ low;
                last = high >> 63;
                paired = high | low != 0;
                wrong
            };
            if faults(a, b) | faults(c, d) != 0 {
                break;
            }
            carry = last;
        }
        for raw in four {
            good(read, raw);
            read += BLOCK;
        }
    }
    read - 2 * carry as usize
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn validate_utf32<const BIG: bool>(input: &[u8]) -> usize {
    let mut read = 0;
    while let Some(blocks) = input.get(read..read + 8 * BLOCK) {
        let mut most = _mm512_setzero_si512();
        for block in blocks.as_chunks::<BLOCK>().0 {
            most = _mm512_max_epu32(most, mapped(ordered32::<BIG>(load(block))));
        }
        if past_scalar_values(most) != 0 {
            break;
        }
        read += 8 * BLOCK;
    }
    loop {
        let from = &input[read..];
        let good = good::<16>(not_scalar_values(ordered32::<BIG>(load(from))), from.len() / 4);
        read += 4 * good;
        if good < 16 {
            return read;
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(super) fn swap_utf16<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let whole = input.len().min(output.len()) / BLOCK * BLOCK;
    let read = blocks_of_utf16::<BIG>(&input[..whole], |at, raw| {
        store(&mut output[at..], ordered16::<true>(raw));
    });
    let mut done = Progress { read, written: read };
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let raw = load(from);
        store(&mut output[done.written..], ordered16::<true>(raw));
        let good = Surrogates::of::<BIG>(raw, surrogates::<BIG>(raw)).good::<BIG>(from);
        done.read += 2 * good;
        done.written += 2 * good;
        if good + 1 < 32 {
            return done;
        }
    }
    finish_portable(utf16(BIG), utf16(!BIG), done, input, output)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn swap_utf32<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let raw = load(from);
        store(&mut output[done.written..], ordered32::<true>(raw));
        let good = good::<16>(not_scalar_values(ordered32::<BIG>(raw)), from.len() / 4);
        done.read += 4 * good;
        done.written += 4 * good;
        if good < 16 {
            return done;
        }
    }
    finish_portable(utf32(BIG), utf32(!BIG), done, input, output)
}

/// Widens half of 32 UTF-16 code units without surrogates to UTF-32, both in the byte order of their texts. It is one
/// permutation, which also swaps the bytes if the orders differ, and writes the zeros where its mask has none.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn widened<const BIG: bool, const TO_BIG: bool>(units: __m512i, upper: bool) -> __m512i {
    const fn indices(swapped: bool, to_big: bool, start: u8) -> [u8; BLOCK] {
        let (mut indices, mut unit) = ([0; BLOCK], 0);
        while unit < 16 {
            let low = if to_big { 4 * unit + 2 } else { 4 * unit };
            indices[low + swapped as usize] = start + 2 * unit as u8;
            indices[low + !swapped as usize] = start + 2 * unit as u8 + 1;
            unit += 1;
        }
        indices
    }
    let indices = if upper {
        const { indices(BIG != TO_BIG, TO_BIG, 32) }
    } else {
        const { indices(BIG != TO_BIG, TO_BIG, 0) }
    };
    let lanes = if TO_BIG { 0xCCCC_CCCC_CCCC_CCCC } else { 0x3333_3333_3333_3333 };
    _mm512_maskz_permutexvar_epi8(lanes, load(&indices), units)
}

/// Converts the first `good` of 32 units to UTF-32. `next` has the unit after each of them, in the byte order of the
/// text.
///
/// A 32-bit lane gets a unit and the one after it. Of a pair, that is all of it: the lane of the high surrogate becomes
/// its value, and the lane of the low one is left out by the compression.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
fn put_values<const BIG: bool, const TO_BIG: bool>(
    block: &PairedBlock,
    next: __m512i,
    good: usize,
    to: &mut [u8],
) -> usize {
    const fn indices(start: usize) -> [u16; 32] {
        let (mut indices, mut place) = ([0; 32], 0);
        while place < 16 {
            indices[2 * place] = (start + place) as u16;
            indices[2 * place + 1] = (32 + start + place) as u16;
            place += 1;
        }
        indices
    }
    // The value of a pair is high * 400 + low - MARKERS (D91), and `madd` computes the products and their sum. It takes
    // the units as signed numbers, so surrogates are too small by 10000, which MARKERS accounts for.
    const MARKERS: i32 = ((0xD800 - 0x1_0000) << 10) + (0xDC00 - 0x1_0000) - 0x1_0000;

    let next = ordered16::<BIG>(next);
    let lanes = low_mask(good) as u32 & !block.low;
    let mut written = 0;
    for upper in [false, true] {
        let indices = if upper { const { &indices(16) } } else { const { &indices(0) } };
        let shift = if upper { 16 } else { 0 };
        let indices = load(bytemuck::cast_slice(indices));
        let both = _mm512_permutex2var_epi16(block.units, indices, next);
        let single = _mm512_and_si512(both, _mm512_set1_epi32(0xFFFF));
        let high = (block.high >> shift) as u16;
        let sums = _mm512_madd_epi16(both, _mm512_set1_epi32(0x0001_0400));
        let values = _mm512_mask_sub_epi32(single, high, sums, _mm512_set1_epi32(MARKERS));
        let lanes = (lanes >> shift) as u16;
        store(&mut to[written..], compress32(lanes, ordered32::<TO_BIG>(values)));
        written += 4 * lanes.count_ones() as usize;
    }
    written
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn utf16_to_utf32<const BIG: bool, const TO_BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let input = &input[..input.len() & !1];
    let mut done = Progress::default();
    let (mut carry, mut paired) = (0, false);
    while output.len() - done.written >= 2 * BLOCK {
        let from = &input[done.read..];
        // Fast path: four blocks at a time, without surrogates. After a block with pairs, the next one probably has
        // some too, and the attempt would be wasted.
        if !paired
            && let Some(four) = from.get(..4 * BLOCK)
            && let Some(to) = output[done.written..].get_mut(..8 * BLOCK)
        {
            let four = load_four(four);
            if !any_surrogates::<BIG, _>(four) {
                for (raw, to) in four.into_iter().zip(to.chunks_exact_mut(2 * BLOCK)) {
                    store(to, widened::<BIG, TO_BIG>(raw, false));
                    store(&mut to[BLOCK..], widened::<BIG, TO_BIG>(raw, true));
                }
                done.read += 4 * BLOCK;
                done.written += 8 * BLOCK;
                continue;
            }
        }
        // The low surrogate of the last pair may be the first unit after the block, so it must be there.
        let Some(whole) = from.first_chunk::<{ BLOCK + 2 }>() else { break };
        let block = PairedBlock::load::<BIG>(&whole[..BLOCK], carry);
        if block.wrong != 0 {
            break;
        }
        let to = &mut output[done.written..done.written + 2 * BLOCK];
        done.read += BLOCK;
        done.written += put_values::<BIG, TO_BIG>(&block, load(&whole[2..]), 32, to);
        (carry, paired) = (block.carry(), block.has_pairs());
    }
    let from = &input[done.read..];
    let block = PairedBlock::load::<BIG>(from, carry);
    // No low surrogate follows the last block: take back the value of its last unit.
    if carry == 1 && block.wrong & 1 == 1 {
        done.read -= 2;
        done.written -= 4;
        return done;
    }
    if output.len() - done.written >= 2 * BLOCK {
        let good = block.good(from.len() / 2);
        let next = load(from.get(2..).unwrap_or_default());
        done.read += 2 * good;
        done.written += put_values::<BIG, TO_BIG>(&block, next, good, &mut output[done.written..]);
        return done;
    }
    done.read -= 2 * carry as usize;
    done.written -= 4 * carry as usize;
    finish_portable(utf16(BIG), utf32(TO_BIG), done, input, output)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn utf32_to_utf16<const BIG: bool, const TO_BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + BLOCK];
        let values = ordered32::<BIG>(load(from));
        if from.len() >= 2 * BLOCK {
            let more = ordered32::<BIG>(load(&from[BLOCK..]));
            let units = _mm512_inserti64x4::<1>(
                _mm512_castsi256_si512(_mm512_cvtepi32_epi16(values)),
                _mm512_cvtepi32_epi16(more),
            );
            let beyond = _mm512_set1_epi32(!0xFFFF);
            let beyond = _mm512_test_epi32_mask(_mm512_or_si512(values, more), beyond);
            if surrogates::<false>(units) == 0 && beyond == 0 {
                store(to, ordered16::<TO_BIG>(units));
                done.read += 2 * BLOCK;
                done.written += BLOCK;
                continue;
            }
        }
        let good = good::<16>(not_scalar_values(values), from.len() / 4);
        // A lane has room for both surrogates: D7C0 + (value >> 10), which is D800 + ((value - 10000) >> 10), and DC00
        // + the last ten bits. The upper half of any other value is left out by the compression.
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let pairs = _mm512_cmpgt_epu32_mask(values, all(0xFFFF));
        let low = _mm512_slli_epi32::<16>(_mm512_and_si512(values, all(0x3FF)));
        let high = _mm512_srli_epi32::<10>(values);
        let pair = _mm512_add_epi32(_mm512_or_si512(high, low), all(0xDC00_D7C0));
        let units = _mm512_mask_mov_epi32(values, pairs, pair);
        let lanes = low_mask(good) as u32;
        let firsts = _pdep_u32(lanes, 0x5555_5555);
        let seconds = _pdep_u32(lanes & u32::from(pairs), 0xAAAA_AAAA);
        let units = compress16(firsts | seconds, units);
        store(to, ordered16::<TO_BIG>(units));
        done.read += 4 * good;
        done.written += 2 * (firsts | seconds).count_ones() as usize;
        if good < 16 {
            return done;
        }
    }
    finish_portable(utf32(BIG), utf16(TO_BIG), done, input, output)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn bytes_to_utf16<const MAX: u32, const TO_BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= 2 * BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + 2 * BLOCK];
        let bytes = load(from);
        let good = good8::<MAX>(bytes, from.len());
        for (half, to) in halves(bytes).into_iter().zip(to.chunks_exact_mut(BLOCK)) {
            store(to, ordered16::<TO_BIG>(_mm512_cvtepu8_epi16(half)));
        }
        done.read += good;
        done.written += 2 * good;
        if good < BLOCK {
            return done;
        }
    }
    finish_portable(bytes_form(MAX), utf16(TO_BIG), done, input, output)
}

const fn bytes_form(max: u32) -> EncodingForm {
    if max == 0x7F { EncodingForm::Ascii } else { EncodingForm::Latin1 }
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn bytes_to_utf32<const MAX: u32, const TO_BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= 4 * BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + 4 * BLOCK];
        let bytes = load(from);
        let good = good8::<MAX>(bytes, from.len());
        let parts = [
            _mm512_castsi512_si128(bytes),
            _mm512_extracti32x4_epi32::<1>(bytes),
            _mm512_extracti32x4_epi32::<2>(bytes),
            _mm512_extracti32x4_epi32::<3>(bytes),
        ];
        for (part, to) in parts.into_iter().zip(to.chunks_exact_mut(BLOCK)) {
            store(to, ordered32::<TO_BIG>(_mm512_cvtepu8_epi32(part)));
        }
        done.read += good;
        done.written += 4 * good;
        if good < BLOCK {
            return done;
        }
    }
    finish_portable(bytes_form(MAX), utf32(TO_BIG), done, input, output)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn utf16_to_bytes<const MAX: u32, const BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let units = ordered16::<BIG>(load(from));
        let others = _mm512_cmpgt_epu16_mask(units, _mm512_set1_epi16(MAX as i16));
        let good = good::<32>(others, from.len() / 2);
        let bytes = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(units));
        store(&mut output[done.written..], bytes);
        done.read += 2 * good;
        done.written += good;
        if good < 32 {
            return done;
        }
    }
    finish_portable(utf16(BIG), bytes_form(MAX), done, input, output)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(super) fn utf32_to_bytes<const MAX: u32, const BIG: bool>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let values = ordered32::<BIG>(load(from));
        let others = _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(MAX as i32));
        let good = good::<16>(others, from.len() / 4);
        let bytes = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(values));
        store(&mut output[done.written..], bytes);
        done.read += 4 * good;
        done.written += good;
        if good < 16 {
            return done;
        }
    }
    finish_portable(utf32(BIG), bytes_form(MAX), done, input, output)
}
