//! Kernels for WebAssembly with 128-bit vectors: the algorithms of [`shuffle`](super::shuffle), with each lane in a
//! vector of its own.
//!
//! A module cannot detect features at run time: an engine that does not know an instruction refuses the whole module.
//! So these kernels are there only if the module is built with `-C target-feature=+simd128`.

#![expect(
    unused_unsafe,
    reason = "what other sets need it for is safe here, except loads and stores"
)]

use std::arch::wasm32::*;

use super::shuffle::{Vector, shuffle_set};

shuffle_set!("simd128", Registers, "simd128");

/// The lanes, lower and upper.
#[derive(Clone, Copy)]
struct Registers(v128, v128);

impl Registers {
    /// Returns zeros. It needs no proof of the instructions: see the header.
    #[inline]
    fn zeroed() -> Self {
        Self(u8x16_splat(0), u8x16_splat(0))
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
        let lane = instructions!(v128_load(lane.as_ptr().cast()));
        Self(lane, lane)
    }

    #[inline(always)]
    fn store_lower(self, to: &mut [u8; 16]) {
        instructions!(v128_store(to.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn store_upper(self, to: &mut [u8; 16]) {
        instructions!(v128_store(to.as_mut_ptr().cast(), self.1));
    }

    #[inline(always)]
    fn splat8(self, value: u8) -> Self {
        let lane = u8x16_splat(value);
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat16(self, value: u16) -> Self {
        let lane = u16x8_splat(value);
        Self(lane, lane)
    }

    #[inline(always)]
    fn splat32(self, value: u32) -> Self {
        let lane = u32x4_splat(value);
        Self(lane, lane)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(self, other, |a, b| v128_and(a, b))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(self, other, |a, b| v128_or(a, b))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(self, other, |a, b| v128_xor(a, b))
    }

    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0), v128_bitselect(yes.1, no.1, self.1))
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        both!(self, other, |a, b| u8x16_add(a, b))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        both!(self, other, |a, b| u16x8_add(a, b))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        both!(self, other, |a, b| u16x8_sub(a, b))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        both!(self, other, |a, b| u32x4_add(a, b))
    }

    #[inline(always)]
    fn saturating_sub8(self, other: Self) -> Self {
        both!(self, other, |a, b| u8x16_sub_sat(a, b))
    }

    #[inline(always)]
    fn shl16<const BITS: i32>(self) -> Self {
        both!(self, |a| u16x8_shl(a, BITS as u32))
    }

    #[inline(always)]
    fn shr16<const BITS: i32>(self) -> Self {
        both!(self, |a| u16x8_shr(a, BITS as u32))
    }

    #[inline(always)]
    fn shl32<const BITS: i32>(self) -> Self {
        both!(self, |a| u32x4_shl(a, BITS as u32))
    }

    #[inline(always)]
    fn shr32<const BITS: i32>(self) -> Self {
        both!(self, |a| u32x4_shr(a, BITS as u32))
    }

    #[inline(always)]
    fn cmpeq8(self, other: Self) -> Self {
        both!(self, other, |a, b| u8x16_eq(a, b))
    }

    #[inline(always)]
    fn cmpeq16(self, other: Self) -> Self {
        both!(self, other, |a, b| u16x8_eq(a, b))
    }

    #[inline(always)]
    fn cmpgt8(self, other: Self) -> Self {
        both!(self, other, |a, b| i8x16_gt(a, b))
    }

    #[inline(always)]
    fn cmpgt16(self, other: Self) -> Self {
        both!(self, other, |a, b| i16x8_gt(a, b))
    }

    #[inline(always)]
    fn cmpgt32(self, other: Self) -> Self {
        both!(self, other, |a, b| i32x4_gt(a, b))
    }

    #[inline(always)]
    fn shuffle(self, indices: Self) -> Self {
        both!(self, indices, |a, b| u8x16_swizzle(a, b))
    }

    #[inline(always)]
    fn align_right<const N: i32>(self, previous: Self) -> Self {
        both!(Registers(previous.1, self.0), self, |a, b| align_lane::<N>(a, b))
    }

    #[inline(always)]
    fn with_upper_lane(self, other: Self) -> Self {
        Self(self.0, other.1)
    }

    #[inline(always)]
    fn last_four(self) -> [u8; 4] {
        u32x4_extract_lane::<3>(self.1).to_le_bytes()
    }

    #[inline(always)]
    fn zip16(self, other: Self) -> [Self; 2] {
        [
            both!(self, other, |a, b| u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
            both!(self, other, |a, b| u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
        ]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(v128_or(self.0, self.1))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        u8x16_bitmask(v128_or(self.0, self.1)) != 0
    }

    #[inline(always)]
    fn movemask8(self) -> u32 {
        u32::from(u8x16_bitmask(self.1)) << 16 | u32::from(u8x16_bitmask(self.0))
    }

    #[inline(always)]
    fn movemask16(self) -> u16 {
        u8x16_bitmask(i8x16_narrow_i16x8(self.0, self.1))
    }

    #[inline(always)]
    fn widen8(self) -> [Self; 2] {
        let lower = both!(self, |a| u16x8_extend_low_u8x16(a));
        let upper = both!(self, |a| u16x8_extend_high_u8x16(a));
        [Self(lower.0, upper.0), Self(lower.1, upper.1)]
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        let lower = both!(self, |a| u32x4_extend_low_u16x8(a));
        let upper = both!(self, |a| u32x4_extend_high_u16x8(a));
        [Self(lower.0, upper.0), Self(lower.1, upper.1)]
    }

    #[inline(always)]
    fn narrow16([lower, upper]: [Self; 2]) -> Self {
        Self(u8x16_narrow_i16x8(lower.0, lower.1), u8x16_narrow_i16x8(upper.0, upper.1))
    }

    #[inline(always)]
    fn narrow32([lower, upper]: [Self; 2]) -> Self {
        Self(u16x8_narrow_i32x4(lower.0, lower.1), u16x8_narrow_i32x4(upper.0, upper.1))
    }
}

/// Returns the 16 bytes at offset `PLACE` of two lanes.
#[inline(always)]
fn align_lane<const PLACE: i32>(first: v128, second: v128) -> v128 {
    /// `u8x16_shuffle` takes its indices as constants, which cannot be computed from `PLACE`. So there is an arm for
    /// each, of which one remains after optimization.
    macro_rules! shuffles {
        ($($place:literal)*) => {
            match PLACE {
                $($place => u8x16_shuffle::<
                    $place, { $place + 1 }, { $place + 2 }, { $place + 3 },
                    { $place + 4 }, { $place + 5 }, { $place + 6 }, { $place + 7 },
                    { $place + 8 }, { $place + 9 }, { $place + 10 }, { $place + 11 },
                    { $place + 12 }, { $place + 13 }, { $place + 14 }, { $place + 15 },
                >(first, second),)*
                _ => unreachable!("a place in a lane"),
            }
        };
    }
    shuffles!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}
