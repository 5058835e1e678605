//! Kernels for x86-64 processors with SSE4.1 but without AVX2: the algorithms of [`shuffle`](super::shuffle), with each
//! lane in a register.

use std::arch::x86_64::*;

use super::shuffle::{Vector, shuffle_set};

shuffle_set!("sse41", Registers, "sse3,ssse3,sse4.1,popcnt");

pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("sse3")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("popcnt")
}

/// The lanes, lower and upper.
#[derive(Clone, Copy)]
struct Registers(__m128i, __m128i);

impl Registers {
    /// Returns zeros: the first vector, and the only one that is not made from another.
    #[inline]
    #[target_feature(enable = "sse3,ssse3,sse4.1,popcnt")]
    fn zeroed() -> Self {
        Self(_mm_setzero_si128(), _mm_setzero_si128())
    }
}

impl Vector for Registers {
    #[inline(always)]
    fn load(self, from: &[u8; 32]) -> Self {
        let [lower, upper] = from.as_chunks::<16>().0 else { unreachable!("two lanes") };
        self.load_lanes(lower, upper)
    }

    #[inline(always)]
    fn store(self, to: &mut [u8; 32]) {
        let [lower, upper] = to.as_chunks_mut::<16>().0 else { unreachable!("two lanes") };
        self.store_lower(lower);
        self.store_upper(upper);
    }

    #[inline(always)]
    fn load_lanes(self, lower: &[u8; 16], upper: &[u8; 16]) -> Self {
        Self(self.broadcast_lane(lower).0, self.broadcast_lane(upper).1)
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: &[u8; 16]) -> Self {
        let lane = instructions!(_mm_loadu_si128(lane.as_ptr().cast()));
        Self(lane, lane)
    }

    #[inline(always)]
    fn store_lower(self, to: &mut [u8; 16]) {
        instructions!(_mm_storeu_si128(to.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn store_upper(self, to: &mut [u8; 16]) {
        instructions!(_mm_storeu_si128(to.as_mut_ptr().cast(), self.1));
    }

    #[inline(always)]
    fn splat8(self, value: u8) -> Self {
        let lane = instructions!(_mm_set1_epi8(value as i8));
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat16(self, value: u16) -> Self {
        let lane = instructions!(_mm_set1_epi16(value as i16));
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat32(self, value: u32) -> Self {
        let lane = instructions!(_mm_set1_epi32(value as i32));
        Self(lane, lane)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_and_si128(a, b))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_or_si128(a, b))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_xor_si128(a, b))
    }

    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        Self(
            instructions!(_mm_blendv_epi8(no.0, yes.0, self.0)),
            instructions!(_mm_blendv_epi8(no.1, yes.1, self.1)),
        )
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_add_epi8(a, b))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_add_epi16(a, b))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_sub_epi16(a, b))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_add_epi32(a, b))
    }

    #[inline(always)]
    fn saturating_sub8(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_subs_epu8(a, b))
    }

    #[inline(always)]
    fn shl16<const BITS: i32>(self) -> Self {
        both!(self, |a| _mm_slli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn shr16<const BITS: i32>(self) -> Self {
        both!(self, |a| _mm_srli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn shl32<const BITS: i32>(self) -> Self {
        both!(self, |a| _mm_slli_epi32::<BITS>(a))
    }

    #[inline(always)]
    fn shr32<const BITS: i32>(self) -> Self {
        both!(self, |a| _mm_srli_epi32::<BITS>(a))
    }

    #[inline(always)]
    fn cmpeq8(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_cmpeq_epi8(a, b))
    }

    #[inline(always)]
    fn cmpeq16(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_cmpeq_epi16(a, b))
    }

    #[inline(always)]
    fn cmpgt8(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_cmpgt_epi8(a, b))
    }

    #[inline(always)]
    fn cmpgt16(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_cmpgt_epi16(a, b))
    }

    #[inline(always)]
    fn cmpgt32(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm_cmpgt_epi32(a, b))
    }

    #[inline(always)]
    fn shuffle(self, indices: Self) -> Self {
        both!(self, indices, |a, b| _mm_shuffle_epi8(a, b))
    }

    #[inline(always)]
    fn align_right<const N: i32>(self, previous: Self) -> Self {
        Self(
            instructions!(_mm_alignr_epi8::<N>(self.0, previous.1)),
            instructions!(_mm_alignr_epi8::<N>(self.1, self.0)),
        )
    }

    #[inline(always)]
    fn with_upper_lane(self, other: Self) -> Self {
        Self(self.0, other.1)
    }

    #[inline(always)]
    fn last_four(self) -> [u8; 4] {
        instructions!(_mm_extract_epi32::<3>(self.1)).to_le_bytes()
    }

    #[inline(always)]
    fn zip16(self, other: Self) -> [Self; 2] {
        [
            both!(self, other, |a, b| _mm_unpacklo_epi16(a, b)),
            both!(self, other, |a, b| _mm_unpackhi_epi16(a, b)),
        ]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let any = instructions!(_mm_or_si128(self.0, self.1));
        instructions!(_mm_testz_si128(any, any)) == 1
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        instructions!(_mm_movemask_epi8(_mm_or_si128(self.0, self.1))) != 0
    }

    #[inline(always)]
    fn movemask8(self) -> u32 {
        let lower = instructions!(_mm_movemask_epi8(self.0)) as u32;
        let upper = instructions!(_mm_movemask_epi8(self.1)) as u32;
        upper << 16 | lower
    }

    #[inline(always)]
    fn movemask16(self) -> u16 {
        // There is a movemask for bytes only. Packing saturates signed elements, so FFFF, which is -1, becomes FF.
        instructions!(_mm_movemask_epi8(_mm_packs_epi16(self.0, self.1))) as u16
    }

    /// Unpacking works within a lane: its first result has the lower half of each lane, its second the upper half. So
    /// they are regrouped by lanes. The same goes for `widen16` and, in reverse, for `narrow16` and `narrow32`.
    #[inline(always)]
    fn widen8(self) -> [Self; 2] {
        let zero = self.splat8(0);
        let [lower, upper] = [
            both!(self, zero, |a, b| _mm_unpacklo_epi8(a, b)),
            both!(self, zero, |a, b| _mm_unpackhi_epi8(a, b)),
        ];
        [Self(lower.0, upper.0), Self(lower.1, upper.1)]
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        let zero = self.splat8(0);
        let [lower, upper] = [
            both!(self, zero, |a, b| _mm_unpacklo_epi16(a, b)),
            both!(self, zero, |a, b| _mm_unpackhi_epi16(a, b)),
        ];
        [Self(lower.0, upper.0), Self(lower.1, upper.1)]
    }

    #[inline(always)]
    fn narrow16([lower, upper]: [Self; 2]) -> Self {
        both!(Self(lower.0, upper.0), Self(lower.1, upper.1), |a, b| _mm_packus_epi16(a, b))
    }

    #[inline(always)]
    fn narrow32([lower, upper]: [Self; 2]) -> Self {
        both!(Self(lower.0, upper.0), Self(lower.1, upper.1), |a, b| _mm_packus_epi32(a, b))
    }
}
