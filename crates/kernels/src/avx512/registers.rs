//! Loads and stores of 64-byte blocks, compression, byte order, and the search for surrogates and for values that are
//! not scalar values.
//!
//! All access to memory in this folder is in the four functions below. Each is bounded by its slice: by a length that
//! is checked, or by a mask. A masked-out byte is not accessed, not even if its page is not mapped.

use std::arch::x86_64::*;

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Loads the first 64 bytes of `from`, padded with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn load(from: &[u8]) -> __m512i {
    if from.len() >= BLOCK {
        // SAFETY: the slice has the 64 bytes to read; the load may be unaligned.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    } else {
        // SAFETY: the mask limits the load to bytes of the slice; masked-out bytes are not accessed.
        unsafe { _mm512_maskz_loadu_epi8(low_mask(from.len()), from.as_ptr().cast()) }
    }
}

/// Returns the last byte of a block, read from memory.
///
/// It tells where the next block begins. Taken from the register with the block, or from a mask, it would come many
/// cycles later, and the load of the next block would wait for it. The masks only confirm it, in a predicted branch.
/// The read is volatile because the compiler knows that the byte is also in the register, and may prefer to extract it.
#[inline]
pub(super) fn last_byte(block: &[u8; BLOCK]) -> u8 {
    // SAFETY: it is a reference to a byte.
    unsafe { std::ptr::from_ref(&block[BLOCK - 1]).read_volatile() }
}

/// Stores 64 bytes at the start of `to`, which must be long enough.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [u8], bytes: __m512i) {
    let to = &mut to[..BLOCK];
    // SAFETY: the slice has the 64 bytes to write; the store may be unaligned.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bytes) }
}

/// Stores the first `len` of 64 bytes at the start of `to`, which must be long enough.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn store_first(to: &mut [u8], bytes: __m512i, len: usize) {
    let to = &mut to[..len.min(BLOCK)];
    // SAFETY: the mask limits the store to bytes of the slice; masked-out bytes are not accessed.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), low_mask(to.len()), bytes) }
}

/// Packs the bytes at `lanes`. Those after them are arbitrary.
///
/// This merges instead of zeroing what is left. Processors take equally long for both, but Bochs 2.7, under which
/// `ci/avx512` tests this, has a bug in the zeroing form: it returns zeros if every lane is set.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
pub(super) fn compress8(lanes: u64, bytes: __m512i) -> __m512i {
    _mm512_mask_compress_epi8(bytes, lanes, bytes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
pub(super) fn compress16(lanes: u32, units: __m512i) -> __m512i {
    _mm512_mask_compress_epi16(units, lanes, units)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn compress32(lanes: u16, values: __m512i) -> __m512i {
    _mm512_mask_compress_epi32(values, lanes, values)
}

/// Returns one byte of each of 64 units: the second in memory, or the first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn bytes_of(lower: __m512i, upper: __m512i, second: bool) -> __m512i {
    const fn indices(start: u8) -> [u8; BLOCK] {
        let (mut indices, mut place) = ([0; BLOCK], 0);
        while place < BLOCK {
            indices[place] = 2 * place as u8 + start;
            place += 1;
        }
        indices
    }
    let indices = if second { const { &indices(1) } } else { const { &indices(0) } };
    _mm512_permutex2var_epi8(lower, load(indices), upper)
}

/// Returns the indices of the unit before each of 32, for a permutation of the block before and this one.
pub(super) const fn one_before() -> [u16; 32] {
    let (mut indices, mut place) = ([0; 32], 0);
    while place < 32 {
        indices[place] = 31 + place as u16;
        place += 1;
    }
    indices
}

/// Returns a mask with the `len` lowest bits set; 64 or more set all.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn low_mask(len: usize) -> u64 {
    _bzhi_u64(u64::MAX, len.min(BLOCK) as u32)
}

/// Converts 16-bit code units between the byte order of the text and that of the processor.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn ordered16<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        let pairs = _mm_set_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(pairs))
    } else {
        units
    }
}

/// Converts 32-bit code units between the byte order of the text and that of the processor.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn ordered32<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        let fours = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(fours))
    } else {
        units
    }
}

/// Returns a UTF-16 code unit as it is stored in a text of that byte order.
pub(super) const fn unit16<const BIG: bool>(unit: u16) -> i16 {
    (if BIG { unit.swap_bytes() } else { unit }) as i16
}

/// Returns which of 32 UTF-16 code units, in the byte order of the text, are surrogates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn surrogates<const BIG: bool>(units: __m512i) -> __mmask32 {
    let block = _mm512_and_si512(units, _mm512_set1_epi16(unit16::<BIG>(0xF800)));
    _mm512_cmpeq_epi16_mask(block, _mm512_set1_epi16(unit16::<BIG>(0xD800)))
}

/// The surrogates of a block of UTF-16, for kernels whose blocks begin with a whole character.
#[derive(Clone, Copy)]
pub(super) struct Surrogates {
    pub(super) high: __mmask32,
    pub(super) low: __mmask32,
}

impl Surrogates {
    /// Classifies 32 units in the byte order of the text; `all` are the surrogates among them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn of<const BIG: bool>(units: __m512i, all: __mmask32) -> Self {
        let bit = _mm512_set1_epi16(unit16::<BIG>(0x0400));
        let low = _mm512_mask_test_epi16_mask(all, units, bit);
        Self { high: all & !low, low }
    }

    /// Returns how many of the first units of `from`, within its first block, are whole, well-formed characters.
    #[inline]
    #[target_feature(enable = "avx512f,bmi1")]
    pub(super) fn good<const BIG: bool>(self, from: &[u8]) -> usize {
        // Well-formed if there is a low surrogate after each high one, and nowhere else.
        let wrong = self.high << 1 ^ self.low;
        if let Some([.., a, b]) = from.first_chunk::<BLOCK>() {
            // Whether the last unit begins a pair is read from memory, and only confirmed by the masks: see
            // `last_byte`.
            let truncated = (if BIG { a } else { b }) & 0xFC == 0xD8;
            if wrong == 0 && (self.high >> 31 == 1) == truncated {
                return 32 - usize::from(truncated);
            }
        }
        self.good_before(wrong, from.len() / 2)
    }

    /// Handles a block that has a fault, or is shorter than 64 bytes and padded with zeros. It is not inlined, so that
    /// the loops around it stay short.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,bmi1")]
    pub(super) fn good_before(self, wrong: u32, available: usize) -> usize {
        let place = (wrong.trailing_zeros() as usize).min(available.min(32));
        // Stop before a high surrogate whose low one is missing, wrong, or beyond the end.
        let after_high = place > 0 && self.high >> (place - 1) & 1 == 1;
        place - usize::from(after_high)
    }
}

/// Returns how many of the first `available` of `N` units are in front of the first one that is `wrong`.
///
/// Nearly always it is all of them. A branch says so, which is predicted, and the next load does not wait for the mask.
/// Counting the zeros of the mask would give the same number, but each load would depend on the block before.
#[inline]
pub(super) fn good<const N: usize>(wrong: impl Into<u64>, available: usize) -> usize {
    #[cold]
    #[inline(never)]
    fn before(wrong: u64, available: usize) -> usize {
        (wrong.trailing_zeros() as usize).min(available)
    }
    let wrong = wrong.into();
    if wrong == 0 && available >= N { N } else { before(wrong, available.min(N)) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn not_scalar_values(values: __m512i) -> __mmask16 {
    past_scalar_values(mapped(values))
}

/// Maps scalar values to the numbers below [`SCALAR_VALUES`], and all others to the numbers from there on. So the
/// maximum of many mapped values shows whether one of them is not a scalar value:
///
/// ```text
///                 xor D800             - 800
/// D800 … DFFF     0 … 7FF              FFFFF800 … FFFFFFFF
/// scalar values   800 … 10FFFF         0 … 10F7FF
/// 110000 …        110000 … FFFFFFFF    10F800 … FFFFF7FF
/// ```
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn mapped(values: __m512i) -> __m512i {
    let surrogates_first = _mm512_xor_si512(values, _mm512_set1_epi32(0xD800));
    _mm512_sub_epi32(surrogates_first, _mm512_set1_epi32(0x800))
}

const SCALAR_VALUES: i32 = 0x11_0000 - 0x800;

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn past_scalar_values(mapped: __m512i) -> __mmask16 {
    _mm512_cmpge_epu32_mask(mapped, _mm512_set1_epi32(SCALAR_VALUES))
}

/// Whether any unit of these blocks, in the byte order of the text, is a surrogate.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn any_surrogates<const BIG: bool, const N: usize>(blocks: [__m512i; N]) -> bool {
    // The distances above the first surrogate, with wraparound: a surrogate has one below 800. The minimum of all
    // blocks needs only one comparison, which goes to the same port as the shuffles of the conversion.
    let first = _mm512_set1_epi16(unit16::<false>(0xD800));
    let mut least = _mm512_set1_epi16(-1);
    for raw in blocks {
        least = _mm512_min_epu16(least, _mm512_sub_epi16(ordered16::<BIG>(raw), first));
    }
    _mm512_cmplt_epu16_mask(least, _mm512_set1_epi16(0x0800)) != 0
}
