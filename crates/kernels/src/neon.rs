//! Kernels for aarch64 with NEON: the algorithms of [`shuffle`](super::shuffle), with each lane in a register.

use std::arch::aarch64::*;

use super::shuffle::{Vector, shuffle_set};

shuffle_set!("neon", Registers, "neon");

pub(super) fn is_supported() -> bool {
    std::arch::is_aarch64_feature_detected!("neon")
}

/// The lanes, lower and upper.
#[derive(Clone, Copy)]
struct Registers(uint8x16_t, uint8x16_t);

impl Registers {
    /// Returns zeros: the first vector, and the only one that is not made from another.
    #[inline]
    #[target_feature(enable = "neon")]
    fn zeroed() -> Self {
        Self(vdupq_n_u8(0), vdupq_n_u8(0))
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
        Self(instructions!(vld1q_u8(lower.as_ptr())), instructions!(vld1q_u8(upper.as_ptr())))
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: &[u8; 16]) -> Self {
        let lane = instructions!(vld1q_u8(lane.as_ptr()));
        Self(lane, lane)
    }

    #[inline(always)]
    fn store_lower(self, to: &mut [u8; 16]) {
        instructions!(vst1q_u8(to.as_mut_ptr(), self.0));
    }

    #[inline(always)]
    fn store_upper(self, to: &mut [u8; 16]) {
        instructions!(vst1q_u8(to.as_mut_ptr(), self.1));
    }

    #[inline(always)]
    fn splat8(self, value: u8) -> Self {
        let lane = instructions!(vdupq_n_u8(value));
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat16(self, value: u16) -> Self {
        let lane = instructions!(vreinterpretq_u8_u16(vdupq_n_u16(value)));
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat32(self, value: u32) -> Self {
        let lane = instructions!(vreinterpretq_u8_u32(vdupq_n_u32(value)));
        Self(lane, lane)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(self, other, |a, b| vandq_u8(a, b))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(self, other, |a, b| vorrq_u8(a, b))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(self, other, |a, b| veorq_u8(a, b))
    }

    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        Self(
            instructions!(vbslq_u8(self.0, yes.0, no.0)),
            instructions!(vbslq_u8(self.1, yes.1, no.1)),
        )
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        both!(self, other, |a, b| vaddq_u8(a, b))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u16(vaddq_u16(
            vreinterpretq_u16_u8(a),
            vreinterpretq_u16_u8(b)
        )))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u16(vsubq_u16(
            vreinterpretq_u16_u8(a),
            vreinterpretq_u16_u8(b)
        )))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u32(vaddq_u32(
            vreinterpretq_u32_u8(a),
            vreinterpretq_u32_u8(b)
        )))
    }

    #[inline(always)]
    fn saturating_sub8(self, other: Self) -> Self {
        both!(self, other, |a, b| vqsubq_u8(a, b))
    }

    #[inline(always)]
    fn shl16<const BITS: i32>(self) -> Self {
        both!(self, |a| vreinterpretq_u8_u16(vshlq_n_u16::<BITS>(vreinterpretq_u16_u8(a))))
    }

    #[inline(always)]
    fn shl32<const BITS: i32>(self) -> Self {
        both!(self, |a| vreinterpretq_u8_u32(vshlq_n_u32::<BITS>(vreinterpretq_u32_u8(a))))
    }

    #[inline(always)]
    fn shr16<const BITS: i32>(self) -> Self {
        both!(self, |a| vreinterpretq_u8_u16(vshrq_n_u16::<BITS>(vreinterpretq_u16_u8(a))))
    }

    #[inline(always)]
    fn shr32<const BITS: i32>(self) -> Self {
        both!(self, |a| vreinterpretq_u8_u32(vshrq_n_u32::<BITS>(vreinterpretq_u32_u8(a))))
    }

    #[inline(always)]
    fn cmpeq8(self, other: Self) -> Self {
        both!(self, other, |a, b| vceqq_u8(a, b))
    }

    #[inline(always)]
    fn cmpeq16(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u16(vceqq_u16(
            vreinterpretq_u16_u8(a),
            vreinterpretq_u16_u8(b)
        )))
    }

    #[inline(always)]
    fn cmpgt8(self, other: Self) -> Self {
        both!(self, other, |a, b| vcgtq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
    }

    #[inline(always)]
    fn cmpgt16(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u16(vcgtq_s16(
            vreinterpretq_s16_u8(a),
            vreinterpretq_s16_u8(b)
        )))
    }

    #[inline(always)]
    fn cmpgt32(self, other: Self) -> Self {
        both!(self, other, |a, b| vreinterpretq_u8_u32(vcgtq_s32(
            vreinterpretq_s32_u8(a),
            vreinterpretq_s32_u8(b)
        )))
    }

    #[inline(always)]
    fn shuffle(self, indices: Self) -> Self {
        both!(self, indices, |a, b| vqtbl1q_u8(a, b))
    }

    #[inline(always)]
    fn align_right<const N: i32>(self, previous: Self) -> Self {
        Self(
            instructions!(vextq_u8::<N>(previous.1, self.0)),
            instructions!(vextq_u8::<N>(self.0, self.1)),
        )
    }

    #[inline(always)]
    fn with_upper_lane(self, other: Self) -> Self {
        Self(self.0, other.1)
    }

    #[inline(always)]
    fn last_four(self) -> [u8; 4] {
        let words = instructions!(vreinterpretq_u32_u8(self.1));
        instructions!(vgetq_lane_u32::<3>(words)).to_le_bytes()
    }

    #[inline(always)]
    fn zip16(self, other: Self) -> [Self; 2] {
        [
            both!(self, other, |a, b| vreinterpretq_u8_u16(vzip1q_u16(
                vreinterpretq_u16_u8(a),
                vreinterpretq_u16_u8(b)
            ))),
            both!(self, other, |a, b| vreinterpretq_u8_u16(vzip2q_u16(
                vreinterpretq_u16_u8(a),
                vreinterpretq_u16_u8(b)
            ))),
        ]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        instructions!(vmaxvq_u8(vorrq_u8(self.0, self.1))) == 0
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        instructions!(vmaxvq_u8(vorrq_u8(self.0, self.1))) >= 0x80
    }

    #[inline(always)]
    fn movemask8(self) -> u32 {
        // NEON has no movemask. Each byte keeps the bit that it is to have in its byte of the result; then neighbours
        // are added three times, after which the first four bytes are the sums of eight each.
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let set = both!(self, |a| vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(a))));
        let Self(lower, upper) = set.and(self.broadcast_lane(&BITS));
        let sums = instructions!(vpaddq_u8(lower, upper));
        let sums = instructions!(vpaddq_u8(sums, sums));
        let sums = instructions!(vpaddq_u8(sums, sums));
        instructions!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(sums)))
    }

    #[inline(always)]
    fn movemask16(self) -> u16 {
        // The upper byte of each element is the mask again, so 16 bytes are left. `narrow16` takes two vectors: the
        // bits of the second one, which is zeros, are cut off.
        let bytes = Self::narrow16([self.shr16::<8>(), self.splat8(0)]);
        bytes.movemask8() as u16
    }

    #[inline(always)]
    fn widen8(self) -> [Self; 2] {
        [
            Self(
                instructions!(vreinterpretq_u8_u16(vmovl_u8(vget_low_u8(self.0)))),
                instructions!(vreinterpretq_u8_u16(vmovl_high_u8(self.0))),
            ),
            Self(
                instructions!(vreinterpretq_u8_u16(vmovl_u8(vget_low_u8(self.1)))),
                instructions!(vreinterpretq_u8_u16(vmovl_high_u8(self.1))),
            ),
        ]
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        [
            Self(
                instructions!(vreinterpretq_u8_u32(vmovl_u16(vget_low_u16(vreinterpretq_u16_u8(
                    self.0
                ))))),
                instructions!(vreinterpretq_u8_u32(vmovl_high_u16(vreinterpretq_u16_u8(self.0)))),
            ),
            Self(
                instructions!(vreinterpretq_u8_u32(vmovl_u16(vget_low_u16(vreinterpretq_u16_u8(
                    self.1
                ))))),
                instructions!(vreinterpretq_u8_u32(vmovl_high_u16(vreinterpretq_u16_u8(self.1)))),
            ),
        ]
    }

    #[inline(always)]
    fn narrow16(both: [Self; 2]) -> Self {
        let [lower, upper] = both;
        both!(Self(lower.0, upper.0), Self(lower.1, upper.1), |a, b| vuzp1q_u8(a, b))
    }

    #[inline(always)]
    fn narrow32(both: [Self; 2]) -> Self {
        let [lower, upper] = both;
        both!(Self(lower.0, upper.0), Self(lower.1, upper.1), |a, b| vreinterpretq_u8_u16(
            vuzp1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))
        ))
    }

    #[inline(always)]
    fn swap_bytes16(self) -> Self {
        both!(self, |a| vrev16q_u8(a))
    }

    #[inline(always)]
    fn swap_bytes32(self) -> Self {
        both!(self, |a| vrev32q_u8(a))
    }
}
