//! Kernels for x86-64 with AVX2: the algorithms of [`shuffle`](super::shuffle), with both lanes in one register.

use std::arch::x86_64::*;

use super::shuffle::{Vector, shuffle_set};

shuffle_set!("avx2", Avx2Vector, "avx2,bmi1,bmi2,lzcnt,popcnt");

pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Both lanes, in one register.
#[derive(Clone, Copy)]
struct Avx2Vector(__m256i);

impl Avx2Vector {
    /// Returns zeros: the first vector, and the only one that is not made from another.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn zeroed() -> Self {
        Self(_mm256_setzero_si256())
    }
}

impl Vector for Avx2Vector {
    #[inline(always)]
    fn load(self, from: &[u8; 32]) -> Self {
        // `lddqu` loads the same as `loadu`, but the compiler does not know what it reads. It would otherwise replace
        // other loads of these bytes by long chains of shifts of this register. Besides, `from_utf8` reads the last
        // bytes of a block once more in order not to wait for the register.
        Self(instructions!(_mm256_lddqu_si256(from.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, to: &mut [u8; 32]) {
        instructions!(_mm256_storeu_si256(to.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn load_lanes(self, lower: &[u8; 16], upper: &[u8; 16]) -> Self {
        Self(instructions!(_mm256_loadu2_m128i(upper.as_ptr().cast(), lower.as_ptr().cast())))
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: &[u8; 16]) -> Self {
        Self(instructions!(_mm256_broadcastsi128_si256(_mm_loadu_si128(lane.as_ptr().cast()))))
    }

    #[inline(always)]
    fn store_lower(self, to: &mut [u8; 16]) {
        let lane = instructions!(_mm256_castsi256_si128(self.0));
        instructions!(_mm_storeu_si128(to.as_mut_ptr().cast(), lane));
    }

    #[inline(always)]
    fn store_upper(self, to: &mut [u8; 16]) {
        let lane = instructions!(_mm256_extracti128_si256::<1>(self.0));
        instructions!(_mm_storeu_si128(to.as_mut_ptr().cast(), lane));
    }

    #[inline(always)]
    fn splat8(self, value: u8) -> Self {
        Self(instructions!(_mm256_set1_epi8(value as i8)))
    }

    #[inline(always)]
    fn splat16(self, value: u16) -> Self {
        Self(instructions!(_mm256_set1_epi16(value as i16)))
    }

    #[inline(always)]
    fn splat32(self, value: u32) -> Self {
        Self(instructions!(_mm256_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instructions!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instructions!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instructions!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        Self(instructions!(_mm256_blendv_epi8(no.0, yes.0, self.0)))
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        Self(instructions!(_mm256_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        Self(instructions!(_mm256_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        Self(instructions!(_mm256_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        Self(instructions!(_mm256_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn saturating_sub8(self, other: Self) -> Self {
        Self(instructions!(_mm256_subs_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn shl16<const BITS: i32>(self) -> Self {
        Self(instructions!(_mm256_slli_epi16::<BITS>(self.0)))
    }

    #[inline(always)]
    fn shr16<const BITS: i32>(self) -> Self {
        Self(instructions!(_mm256_srli_epi16::<BITS>(self.0)))
    }

    #[inline(always)]
    fn shl32<const BITS: i32>(self) -> Self {
        Self(instructions!(_mm256_slli_epi32::<BITS>(self.0)))
    }

    #[inline(always)]
    fn shr32<const BITS: i32>(self) -> Self {
        Self(instructions!(_mm256_srli_epi32::<BITS>(self.0)))
    }

    #[inline(always)]
    fn cmpeq8(self, other: Self) -> Self {
        Self(instructions!(_mm256_cmpeq_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn cmpeq16(self, other: Self) -> Self {
        Self(instructions!(_mm256_cmpeq_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn cmpgt8(self, other: Self) -> Self {
        Self(instructions!(_mm256_cmpgt_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn cmpgt16(self, other: Self) -> Self {
        Self(instructions!(_mm256_cmpgt_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn cmpgt32(self, other: Self) -> Self {
        Self(instructions!(_mm256_cmpgt_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn shuffle(self, indices: Self) -> Self {
        Self(instructions!(_mm256_shuffle_epi8(self.0, indices.0)))
    }

    #[inline(always)]
    fn align_right<const N: i32>(self, previous: Self) -> Self {
        // `vpalignr` works within lanes: give it, for each lane, the 16 bytes before it. Those are the upper lane of
        // `previous`, and the lower lane of `self`.
        let between = instructions!(_mm256_permute2x128_si256::<0x21>(previous.0, self.0));
        Self(instructions!(_mm256_alignr_epi8::<N>(self.0, between)))
    }

    #[inline(always)]
    fn with_upper_lane(self, other: Self) -> Self {
        Self(instructions!(_mm256_blend_epi32::<0xF0>(self.0, other.0)))
    }

    #[inline(always)]
    fn last_four(self) -> [u8; 4] {
        instructions!(_mm256_extract_epi32::<7>(self.0)).to_le_bytes()
    }

    #[inline(always)]
    fn zip16(self, other: Self) -> [Self; 2] {
        [
            Self(instructions!(_mm256_unpacklo_epi16(self.0, other.0))),
            Self(instructions!(_mm256_unpackhi_epi16(self.0, other.0))),
        ]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        instructions!(_mm256_testz_si256(self.0, self.0)) == 1
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        self.movemask8() != 0
    }

    #[inline(always)]
    fn movemask8(self) -> u32 {
        instructions!(_mm256_movemask_epi8(self.0)) as u32
    }

    #[inline(always)]
    fn movemask16(self) -> u16 {
        // There is a movemask for bytes only. Packing saturates signed elements, so FFFF, which is -1, becomes FF. It
        // is done with two halves of 128 bits, because packing 256 bits would interleave the lanes.
        let lower = instructions!(_mm256_castsi256_si128(self.0));
        let upper = instructions!(_mm256_extracti128_si256::<1>(self.0));
        instructions!(_mm_movemask_epi8(_mm_packs_epi16(lower, upper))) as u16
    }

    #[inline(always)]
    fn widen8(self) -> [Self; 2] {
        let lower = instructions!(_mm256_castsi256_si128(self.0));
        let upper = instructions!(_mm256_extracti128_si256::<1>(self.0));
        [
            Self(instructions!(_mm256_cvtepu8_epi16(lower))),
            Self(instructions!(_mm256_cvtepu8_epi16(upper))),
        ]
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        let lower = instructions!(_mm256_castsi256_si128(self.0));
        let upper = instructions!(_mm256_extracti128_si256::<1>(self.0));
        [
            Self(instructions!(_mm256_cvtepu16_epi32(lower))),
            Self(instructions!(_mm256_cvtepu16_epi32(upper))),
        ]
    }

    #[inline(always)]
    fn narrow16([lower, upper]: [Self; 2]) -> Self {
        // Packing works within lanes, so the quarters come out in the order 0, 2, 1, 3.
        let in_lanes = instructions!(_mm256_packus_epi16(lower.0, upper.0));
        Self(instructions!(_mm256_permute4x64_epi64::<0b11_01_10_00>(in_lanes)))
    }

    #[inline(always)]
    fn narrow32([lower, upper]: [Self; 2]) -> Self {
        let in_lanes = instructions!(_mm256_packus_epi32(lower.0, upper.0));
        Self(instructions!(_mm256_permute4x64_epi64::<0b11_01_10_00>(in_lanes)))
    }
}
