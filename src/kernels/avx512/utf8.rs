//! UTF-8 to code points, after the idea of Clausecker and Lemire, "Transcoding Unicode characters with AVX-512
//! instructions": gather the first bytes of all characters of a block, then their second bytes, and so on.
//!
//! ```text
//! block     41 | C3 A9 | E2 82 AC | …      begins with a character, and is taken up to the last whole one
//! firsts    41   C3      E2                compressed out of the block at the places of first bytes
//! seconds   C3   A9      82                the same places, one byte further; thirds and fourths likewise
//! values    41, (C3, A9), (E2, 82, AC)     16 at a time: shift, add, take the marker bits off
//! ```
//!
//! Well-formed is: continuation bytes stand exactly where the first bytes call for them, and every value lies in the
//! range of its length (so no overlong forms) and is a scalar value. A block that is not goes to the portable kernel,
//! which stops at the very place.

use std::arch::x86_64::*;

use super::{
    Progress, load_bytes, load_code_points, no_scalar_values, portable, store_bytes,
    store_code_points, then,
};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes that are loaded from the start of a block on: the block, and once more three bytes further.
const LOADED: usize = BLOCK + 3;

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    let kernel = portable::KERNELS.utf8_to_code_points;
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= LOADED && output.len() - done.written >= BLOCK {
        let from = &input[done.read..done.read + LOADED];
        let to = &mut output[done.written..done.written + BLOCK];
        let bytes = load_bytes(from);
        if _mm512_movepi8_mask(bytes) == 0 {
            widen(bytes, to);
            done.read += BLOCK;
            done.written += BLOCK;
        } else if let Some(block) = convert(bytes, from, to) {
            done.read += block.read;
            done.written += block.written;
        } else {
            let before = done.read;
            then(kernel, from, to, &mut done);
            if done.read - before < BLOCK - 3 {
                return done;
            }
        }
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

#[target_feature(enable = "avx512f")]
fn widen(bytes: __m512i, to: &mut [u32]) {
    store_code_points(to, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<0>(bytes)));
    store_code_points(&mut to[16..], _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<1>(bytes)));
    store_code_points(&mut to[32..], _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<2>(bytes)));
    store_code_points(&mut to[48..], _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<3>(bytes)));
}

/// Converts the whole characters of a block; `None` where something in it is ill-formed.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
fn convert(bytes: __m512i, from: &[u8], to: &mut [u32]) -> Option<Progress> {
    let at_least = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8));
    let continuation = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
    let (two, three, four) = (at_least(0xC0), at_least(0xE0), at_least(0xF0));

    // Up to the first character that the end of the block cuts.
    let cut = (two & 1 << 63) | (three & 0b11 << 62) | (four & 0b111 << 61);
    let read = if cut == 0 { BLOCK } else { cut.trailing_zeros() as usize };
    let whole = u64::MAX >> (BLOCK - read);
    let called_for = (two & whole) << 1 | (three & whole) << 2 | (four & whole) << 3;
    if called_for & !continuation | continuation & whole & !called_for != 0 {
        return None;
    }

    let firsts = !continuation & whole;
    let written = firsts.count_ones() as usize;
    let gather = |at: usize| _mm512_maskz_compress_epi8(firsts, load_bytes(&from[at..]));
    let none = _mm512_setzero_si512();
    let columns = Columns {
        first: _mm512_maskz_compress_epi8(firsts, bytes),
        second: gather(1),
        third: if three == 0 { none } else { gather(2) },
        fourth: if four == 0 { none } else { gather(3) },
    };
    let mut bad = 0;
    for group in 0..written.div_ceil(16) {
        let lanes = u16::MAX >> 16_usize.saturating_sub(written - 16 * group);
        let (values, wrong) = match (three, four) {
            (0, _) => columns.group(group).up_to_two(),
            (_, 0) => columns.group(group).up_to_three(),
            _ => columns.group(group).up_to_four(),
        };
        bad |= wrong & lanes;
        store_code_points(&mut to[16 * group..], values);
    }
    (bad == 0).then_some(Progress { read, written })
}

/// The first, second, third and fourth bytes of the characters of a block.
struct Columns {
    first: __m512i,
    second: __m512i,
    third: __m512i,
    fourth: __m512i,
}

impl Columns {
    /// Sixteen characters of it, each byte in 32 bits.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
    fn group(&self, group: usize) -> Group {
        let sixteen = |column: __m512i| {
            let part = match group {
                0 => _mm512_extracti32x4_epi32::<0>(column),
                1 => _mm512_extracti32x4_epi32::<1>(column),
                2 => _mm512_extracti32x4_epi32::<2>(column),
                _ => _mm512_extracti32x4_epi32::<3>(column),
            };
            _mm512_cvtepu8_epi32(part)
        };
        Group {
            first: sixteen(self.first),
            second: sixteen(self.second),
            third: sixteen(self.third),
            fourth: sixteen(self.fourth),
        }
    }
}

struct Group {
    first: __m512i,
    second: __m512i,
    third: __m512i,
    fourth: __m512i,
}

/// What the marker bits of a form add up to when its bytes are shifted and added.
const MARKERS: [i32; 3] = [0x3080, 0xE_2080, 0x3C8_2080];

impl Group {
    /// The values of characters of up to two bytes, and which of them are out of their range.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn up_to_two(&self) -> (__m512i, __mmask16) {
        let two = _mm512_cmpge_epu32_mask(self.first, _mm512_set1_epi32(0x80));
        let joined = add(self.first, self.second);
        let value = _mm512_sub_epi32(joined, _mm512_set1_epi32(MARKERS[0]));
        let overlong = _mm512_mask_cmplt_epu32_mask(two, value, _mm512_set1_epi32(0x80));
        (_mm512_mask_mov_epi32(self.first, two, value), overlong)
    }

    /// The same for characters of up to three bytes.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn up_to_three(&self) -> (__m512i, __mmask16) {
        let (shorter, wrong) = self.up_to_two();
        let three = _mm512_cmpge_epu32_mask(self.first, _mm512_set1_epi32(0xE0));
        let joined = add(add(self.first, self.second), self.third);
        let value = _mm512_sub_epi32(joined, _mm512_set1_epi32(MARKERS[1]));
        let overlong = _mm512_mask_cmplt_epu32_mask(three, value, _mm512_set1_epi32(0x800));
        let block = _mm512_and_si512(value, _mm512_set1_epi32(!0x7FF));
        let surrogate = _mm512_mask_cmpeq_epi32_mask(three, block, _mm512_set1_epi32(0xD800));
        (_mm512_mask_mov_epi32(shorter, three, value), wrong & !three | overlong | surrogate)
    }

    /// The same for characters of up to four bytes.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn up_to_four(&self) -> (__m512i, __mmask16) {
        let (shorter, wrong) = self.up_to_three();
        let four = _mm512_cmpge_epu32_mask(self.first, _mm512_set1_epi32(0xF0));
        let joined = add(add(add(self.first, self.second), self.third), self.fourth);
        let value = _mm512_sub_epi32(joined, _mm512_set1_epi32(MARKERS[2]));
        let above = _mm512_sub_epi32(value, _mm512_set1_epi32(0x1_0000));
        let outside = _mm512_mask_cmpge_epu32_mask(four, above, _mm512_set1_epi32(0x10_0000));
        (_mm512_mask_mov_epi32(shorter, four, value), wrong & !four | outside)
    }
}

/// Appends the six bits of a continuation byte, its marker still on it.
#[target_feature(enable = "avx512f")]
fn add(value: __m512i, continuation: __m512i) -> __m512i {
    _mm512_add_epi32(_mm512_slli_epi32::<6>(value), continuation)
}

/// Code points to UTF-8, 16 at a time: the bytes of each stand in its own 32 bits, those that it does not use are
/// squeezed out.
///
/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn from_code_points(input: &[u32], output: &mut [u8]) -> Progress {
    let kernel = portable::KERNELS.code_points_to_utf8;
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= 16 && output.len() - done.written >= BLOCK {
        let from = &input[done.read..done.read + 16];
        let to = &mut output[done.written..done.written + BLOCK];
        let values = load_code_points(from);
        if _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(0x80)) == 0 {
            let bytes = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(values));
            store_bytes(to, bytes);
            done.read += 16;
            done.written += 16;
        } else if no_scalar_values(values) == 0 {
            let (bytes, used) = spread(values);
            store_bytes(to, _mm512_maskz_compress_epi8(used, bytes));
            done.read += 16;
            done.written += used.count_ones() as usize;
        } else if !then(kernel, from, to, &mut done) {
            return done;
        }
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

/// The UTF-8 bytes of each of 16 scalar values in its own 32 bits, first byte lowest (Table 3-6), and which are used.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn spread(values: __m512i) -> (__m512i, __mmask64) {
    let all = _mm512_set1_epi32;
    let two = _mm512_cmpge_epu32_mask(values, all(0x80));
    let three = _mm512_cmpge_epu32_mask(values, all(0x800));
    let four = _mm512_cmpge_epu32_mask(values, all(0x1_0000));
    // Six bits of the value to the low end of each byte but the first: 0b00zzzzzz_00yyyyyy_00xxxxxx_wwwwwwww.
    let six = |shifted: __m512i, place: i32| _mm512_and_si512(shifted, all(0x3F << place));
    let form2 =
        _mm512_or_si512(_mm512_srli_epi32::<6>(values), six(_mm512_slli_epi32::<8>(values), 8));
    let form3 = _mm512_or_si512(
        _mm512_or_si512(_mm512_srli_epi32::<12>(values), six(_mm512_slli_epi32::<2>(values), 8)),
        six(_mm512_slli_epi32::<16>(values), 16),
    );
    let form4 = _mm512_or_si512(
        _mm512_or_si512(_mm512_srli_epi32::<18>(values), six(_mm512_srli_epi32::<4>(values), 8)),
        _mm512_or_si512(
            six(_mm512_slli_epi32::<10>(values), 16),
            six(_mm512_slli_epi32::<24>(values), 24),
        ),
    );
    let bytes = _mm512_mask_or_epi32(values, two, form2, all(0x80C0));
    let bytes = _mm512_mask_or_epi32(bytes, three, form3, all(0x80_80E0));
    let bytes = _mm512_mask_or_epi32(bytes, four, form4, all(0x8080_80F0_u32 as i32));
    let used = _mm512_mask_mov_epi32(all(0x80), two, all(0x8080));
    let used = _mm512_mask_mov_epi32(used, three, all(0x80_8080));
    let used = _mm512_mask_mov_epi32(used, four, all(0x8080_8080_u32 as i32));
    (bytes, _mm512_movepi8_mask(used))
}
