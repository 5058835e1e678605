//! To UTF-8. Each character gets a lane of the maximum length. Its bits are moved to the bytes of the lane, the markers
//! are set, and unused bytes are removed by one compression.
//!
//! ```text
//! units    0041        00E9        20AC
//! spread   41 00 00 00 C3 A9 00 00 E2 82 AC 00
//! used      1  ·  ·  ·  1  1  ·  ·  1  1  1  ·
//! bytes    41 C3 A9 E2 82 AC
//! ```
//!
//! An unused byte is 0, and a used one is not, except for U+0000. So the mask of the used bytes is one comparison, plus
//! the byte that every lane has.
//!
//! From UTF-16, a lane has three bytes: the two surrogates of a pair become two bytes each, in lanes of their own. Most
//! of the work is done for 32 units at a time in 16 bits, namely the last two bytes of each. The first byte of
//! sequences of three is added last. UTF-32 takes the same path if its values have 16 bits.

use std::arch::x86_64::*;

use super::paired_block::PairedBlock;
use super::registers::{
    BLOCK, any_surrogates, bytes_of, compress8, good, load, low_mask, not_scalar_values,
    one_before, ordered16, ordered32, store, unit16,
};
use crate::contract::{EncodingForm, Progress};
use crate::portable::finish_portable;

/// Bytes of free output that every iteration of a loop here needs: 64 units of at most three bytes, and what the last
/// store of 64 bytes writes beyond them.
const ROOM: usize = 4 * BLOCK;

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
fn store_compressed(to: &mut [u8], bytes: __m512i, used: u64) -> usize {
    store(to, compress8(used, bytes));
    used.count_ones() as usize
}

/// Returns which bytes are used: the first of each lane, which may be U+0000, and all that are not 0.
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
    // Unsigned, per byte: a lower byte is at least 00, so all are used; an upper byte must be at least 01.
    let used = _mm512_cmpge_epu8_mask(bytes, all(0x0100));
    store_compressed(to, bytes, used & low_mask(2 * available))
}

/// Returns the control of `multishift`: for each byte of two 32-bit lanes, the bit of the 64 at which its eight bits
/// begin. `bytes` are the shifts within a lane, first byte lowest; the upper lane begins at bit 32. A byte that is to
/// be 0 takes its bits from above the value, where there are only zeros.
const fn shifts(bytes: [u8; 4]) -> i64 {
    let [a, b, c, d] = bytes;
    let (e, f, g, h) = (32 + a, 32 + b, 32 + c, 32 + d);
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Returns sequences of Table 3-6, one per 32-bit lane: moves the bits of the values to their bytes, keeps `BITS` of
/// them, and adds the markers.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn form<const SHIFTS: i64, const BITS: i32, const MARKERS: i32>(values: __m512i) -> __m512i {
    let bytes = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SHIFTS), values);
    // (a & b) | c
    _mm512_ternarylogic_epi32::<0xEA>(bytes, _mm512_set1_epi32(BITS), _mm512_set1_epi32(MARKERS))
}

/// Returns the sequences of 16 values up to FFFF.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn spread_three(values: __m512i) -> __m512i {
    let at_least = |value: i32| _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(value));
    let two = form::<{ shifts([6, 0, 16, 16]) }, 0x3F1F, 0x80C0>(values);
    let three = form::<{ shifts([12, 6, 0, 20]) }, 0x3F_3F0F, 0x80_80E0>(values);
    let bytes = _mm512_mask_mov_epi32(values, at_least(0x80), two);
    _mm512_mask_mov_epi32(bytes, at_least(0x800), three)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn form_four(values: __m512i) -> __m512i {
    form::<{ shifts([18, 12, 6, 0]) }, 0x3F3F_3F07, { 0x8080_80F0_u32 as i32 }>(values)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn spread_four(values: __m512i) -> __m512i {
    let four = form_four(values);
    let longest = _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(0x1_0000));
    _mm512_mask_mov_epi32(spread_three(values), longest, four)
}

/// Returns a mask of the first byte of each 32-bit lane in `lanes`.
#[inline]
#[target_feature(enable = "bmi2")]
fn firsts(lanes: u16) -> u64 {
    _pdep_u64(lanes.into(), 0x1111_1111_1111_1111)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn from_utf16<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let input = &input[..input.len() & !1];
    let past = |bits: u16| _mm512_set1_epi16(unit16::<BIG>(bits));
    let mut done = Progress::default();
    let (mut carry, mut paired, mut before) = (0, false, _mm512_setzero_si512());
    while output.len() - done.written >= ROOM {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + ROOM];
        // Fast path: two blocks at a time, without surrogates. After a block with pairs, the next one probably has some
        // too, and the attempt would be wasted.
        if !paired && from.len() >= 2 * BLOCK {
            let (raw, more) = (load(from), load(&from[BLOCK..]));
            let plain = if _mm512_test_epi16_mask(_mm512_or_si512(raw, more), past(0xFF80)) == 0 {
                store(to, bytes_of(raw, more, BIG));
                Some(BLOCK)
            } else {
                put_plain(ordered16::<BIG>(raw), ordered16::<BIG>(more), to)
            };
            if let Some(written) = plain {
                done.read += 2 * BLOCK;
                done.written += written;
                continue;
            }
        }
        let Some(whole) = from.first_chunk::<BLOCK>() else { break };
        let block = PairedBlock::load::<BIG>(whole, carry);
        if block.wrong != 0 {
            break;
        }
        done.read += BLOCK;
        done.written += put_pairs(&block, before, 32, to);
        (carry, paired, before) = (block.carry(), block.has_pairs(), block.units);
    }
    let from = &input[done.read..];
    let block = PairedBlock::load::<BIG>(from, carry);
    // The last block ended with a high surrogate, and no low one follows: take its two bytes back.
    if carry == 1 && block.wrong & 1 == 1 {
        done.read -= 2;
        done.written -= 2;
        return done;
    }
    if output.len() - done.written >= ROOM {
        let good = block.good(from.len() / 2);
        done.read += 2 * good;
        done.written += put_pairs(&block, before, good, &mut output[done.written..]);
        return done;
    }
    done.read -= 2 * carry as usize;
    done.written -= 2 * carry as usize;
    finish_portable(
        if BIG { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le },
        EncodingForm::Utf8,
        done,
        input,
        output,
    )
}

/// Converts 64 units in the shortest way that fits the greatest of them; `None` if there are surrogates. They are not
/// all ASCII: the callers have handled that.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_plain(lower: __m512i, upper: __m512i, to: &mut [u8]) -> Option<usize> {
    let past = |bits: u16| _mm512_set1_epi16(bits as i16);
    let any = _mm512_or_si512(lower, upper);
    if _mm512_test_epi16_mask(any, past(0xF800)) == 0 {
        let written = put_two(lower, 32, to);
        return Some(written + put_two(upper, 32, &mut to[written..]));
    }
    if any_surrogates::<false, _>([lower, upper]) {
        return None;
    }
    let written = put_three(lower, to);
    Some(written + put_three(upper, &mut to[written..]))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_three(units: __m512i, to: &mut [u8]) -> usize {
    let wide = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
    let longest = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800));
    let last = last_two(units, units, wide, longest);
    put_lanes(last, first_of_three(units, longest), 32, to)
}

/// Converts the first `good` of 32 units. `before` is the block before.
///
/// Both surrogates of a pair become two bytes each:
///
/// ```text
/// D83D          ten bits 0 0011 1101, + 40 for the offset of 10000     F0 9F     the upper nine bits
/// DE00          ten bits 10 0000 0000, after the lowest two of D83D    98 80
/// ```
///
/// They go through `last_two` like the last two bytes of a sequence of three. Setting 70 then turns the marker 80 of
/// the first byte into F0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_pairs(block: &PairedBlock, before: __m512i, good: usize, to: &mut [u8]) -> usize {
    const ONE_BEFORE: [u16; 32] = one_before();
    let all = |value: u16| _mm512_set1_epi16(value as i16);
    let &PairedBlock { units, high, low, .. } = block;
    let wide = _mm512_cmpge_epu16_mask(units, all(0x80));
    let longest = _mm512_cmpge_epu16_mask(units, all(0x800));
    let indices = load(bytemuck::cast_slice(&ONE_BEFORE));
    let previous = _mm512_permutex2var_epi16(before, indices, units);
    let ten = _mm512_and_si512(units, all(0x3FF));
    let of_high = _mm512_srli_epi16::<2>(_mm512_add_epi16(ten, all(0x40)));
    let of_low = _mm512_or_si512(ten, _mm512_slli_epi16::<10>(previous));
    let bits = _mm512_mask_mov_epi16(units, high, of_high);
    let bits = _mm512_mask_mov_epi16(bits, low, of_low);
    let last = last_two(units, bits, wide, longest);
    let last = _mm512_or_si512(last, _mm512_maskz_mov_epi16(high, all(0x70)));
    put_lanes(last, first_of_three(units, longest & !(high | low)), good, to)
}

/// Returns the last two bytes of each sequence, the first of them lower, from its last twelve `bits`. One shift for
/// each byte puts both halves of the twelve bits where they belong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn last_two(units: __m512i, bits: __m512i, wide: u32, longest: u32) -> __m512i {
    // Bits 6 to 13 in the lower byte, and bits 0 to 7 in the upper.
    const SHIFTS: i64 = i64::from_le_bytes([6, 0, 22, 16, 38, 32, 54, 48]);
    let all = |value: u16| _mm512_set1_epi16(value as i16);
    let bits = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SHIFTS), bits);
    // (a & b) | c
    let form = |markers| _mm512_ternarylogic_epi32::<0xEA>(bits, all(0x3F3F), all(markers));
    let last = _mm512_mask_mov_epi16(_mm512_slli_epi16::<8>(units), wide, form(0x80C0));
    _mm512_mask_mov_epi16(last, longest, form(0x8080))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn first_of_three(units: __m512i, longest: u32) -> __m512i {
    let first = _mm512_or_si512(_mm512_srli_epi16::<12>(units), _mm512_set1_epi16(0xE0));
    _mm512_maskz_mov_epi16(longest, first)
}

/// Stores the first `good` of 32 sequences. A permutation of the first bytes and the last two makes lanes of three
/// bytes, 16 at a time, in which unused bytes are 0. They are compressed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_lanes(last: __m512i, first: __m512i, good: usize, to: &mut [u8]) -> usize {
    /// Bytes of 16 lanes.
    const HALF: usize = 48;
    /// The indices of 16 lanes in the last bytes, which are 0 to 63, and the first bytes, which are 64 to 127.
    const fn lanes(start: usize) -> [u8; BLOCK] {
        let (mut indices, mut place) = ([0; BLOCK], 0);
        while place < HALF {
            let unit = 2 * (start + place / 3);
            indices[place] = [BLOCK + unit, unit, unit + 1][place % 3] as u8;
            place += 1;
        }
        indices
    }
    /// The least value of a used byte, for one comparison of all: the last byte of a lane is always used, the others
    /// are if they are not 0. After all lanes is an arbitrary byte of UTF-8, which is never FF.
    const LEAST: [u8; BLOCK] = {
        let (mut least, mut place) = ([0xFF; BLOCK], 0);
        while place < HALF {
            least[place] = [1, 1, 0][place % 3];
            place += 1;
        }
        least
    };
    let mut written = 0;
    for upper in [false, true] {
        let indices = if upper { const { lanes(16) } } else { const { lanes(0) } };
        let bytes = _mm512_permutex2var_epi8(last, load(&indices), first);
        let mut used = _mm512_cmpge_epu8_mask(bytes, load(&LEAST));
        if good < 32 {
            used &= low_mask(3 * good.saturating_sub(if upper { 16 } else { 0 }));
        }
        written += store_compressed(&mut to[written..], bytes, used);
    }
    written
}

/// Narrows 32 values up to FFFF to 16 bits, in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn halved(lower: __m512i, upper: __m512i) -> __m512i {
    const PLACES: [u8; BLOCK] = {
        let (mut indices, mut place) = ([0; BLOCK], 0);
        while place < BLOCK {
            indices[place] = place as u8;
            place += 2;
        }
        indices
    };
    _mm512_permutex2var_epi16(lower, load(&PLACES), upper)
}

/// Outside the fast path, a block has 16 lanes of four bytes. Values that are not good are set to 0, and their lanes
/// are not among the firsts, so the compression leaves them out without a mask of its own.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn from_utf32<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= ROOM {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + ROOM];
        // Fast path: four blocks at a time, in the way of UTF-16, if no character needs a surrogate pair.
        if from.len() >= 4 * BLOCK {
            let block = |number: usize| ordered32::<BIG>(load(&from[number * BLOCK..]));
            let (a, b, c, d) = (block(0), block(1), block(2), block(3));
            let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            let none_past = |bits: i32| _mm512_test_epi32_mask(any, _mm512_set1_epi32(!bits)) == 0;
            if none_past(0xFFFF) {
                let (lower, upper) = (halved(a, b), halved(c, d));
                let plain = if none_past(0x7F) {
                    store(to, bytes_of(lower, upper, false));
                    Some(BLOCK)
                } else {
                    put_plain(lower, upper, to)
                };
                if let Some(written) = plain {
                    done.read += 4 * BLOCK;
                    done.written += written;
                    continue;
                }
            }
        }
        let values = ordered32::<BIG>(load(from));
        let good = good::<16>(not_scalar_values(values), from.len() / 4);
        let lanes = low_mask(good) as u16;
        let values = _mm512_maskz_mov_epi32(lanes, values);
        let bytes = if _mm512_test_epi32_mask(values, _mm512_set1_epi32(!0xFFFF)) == 0 {
            spread_three(values)
        } else {
            spread_four(values)
        };
        done.written += store_compressed(to, bytes, used(bytes, firsts(lanes)));
        done.read += 4 * good;
        if good < 16 {
            return done;
        }
    }
    finish_portable(
        if BIG { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le },
        EncodingForm::Utf8,
        done,
        input,
        output,
    )
}

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
    finish_portable(EncodingForm::Latin1, EncodingForm::Utf8, done, input, output)
}
