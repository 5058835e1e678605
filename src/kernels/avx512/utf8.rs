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

use super::{Progress, portable, rest};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes that are loaded from the start of a block on: the block, and once more three bytes further.
const LOADED: usize = BLOCK + 3;

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= LOADED && output.len() - done.written >= BLOCK {
        let from = &input[done.read..done.read + LOADED];
        let to = &mut output[done.written..done.written + BLOCK];
        let bytes = load(from, 0);
        if _mm512_movepi8_mask(bytes) == 0 {
            widen(bytes, to);
            done.read += BLOCK;
            done.written += BLOCK;
        } else if let Some(block) = convert(bytes, from, to) {
            done.read += block.read;
            done.written += block.written;
        } else {
            let block = (portable::KERNELS.utf8_to_code_points)(from, to);
            let stopped = block.read < BLOCK - 3;
            done.read += block.read;
            done.written += block.written;
            if stopped {
                return done;
            }
        }
    }
    rest(portable::KERNELS.utf8_to_code_points, input, output, done)
}

/// The 64 bytes of `from` from byte `at` on.
#[target_feature(enable = "avx512f")]
fn load(from: &[u8], at: usize) -> __m512i {
    let bytes = &from[at..at + BLOCK];
    // SAFETY: the slice has the 64 bytes that are read; the load is unaligned.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Writes 16 code points to the `group`th sixteen of `to`.
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u32], group: usize, values: __m512i) {
    let place = &mut to[16 * group..16 * group + 16];
    // SAFETY: the slice has the 16 places that are written; the store is unaligned.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), values) }
}

#[target_feature(enable = "avx512f")]
fn widen(bytes: __m512i, to: &mut [u32]) {
    store(to, 0, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<0>(bytes)));
    store(to, 1, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<1>(bytes)));
    store(to, 2, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<2>(bytes)));
    store(to, 3, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<3>(bytes)));
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
    let gather = |at: usize| _mm512_maskz_compress_epi8(firsts, load(from, at));
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
        store(to, group, values);
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
