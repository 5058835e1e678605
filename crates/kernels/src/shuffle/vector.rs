//! The operations that the algorithms of this folder need from a processor: 32 bytes in two lanes of 16, and some
//! twenty operations on them. A lane is what one shuffle covers: `shuffle` and `zip16` stay within lanes, everything
//! else follows the order of the bytes. A backend has one register (AVX2) or two (the others).
//!
//! Masks are vectors too: all bits of an element are set, or none.

/// 32 bytes, in two lanes.
///
/// A value proves that the processor has the instructions: the first one is created by a function that requires them
/// (`simd` of a backend), and all others from existing values. So some methods take `self` only as that proof.
pub(crate) trait Vector: Copy {
    fn load(self, from: &[u8; 32]) -> Self;
    fn store(self, to: &mut [u8; 32]);
    /// Loads two lanes from two places.
    fn load_lanes(self, lower: &[u8; 16], upper: &[u8; 16]) -> Self;
    /// Puts the same bytes in both lanes.
    fn broadcast_lane(self, lane: &[u8; 16]) -> Self;
    fn store_lower(self, to: &mut [u8; 16]);
    fn store_upper(self, to: &mut [u8; 16]);

    fn splat8(self, value: u8) -> Self;
    fn splat16(self, value: u16) -> Self;
    fn splat32(self, value: u32) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Selects the elements of `yes` where the mask is set, otherwise those of `no`.
    fn blend(self, yes: Self, no: Self) -> Self;

    fn add8(self, other: Self) -> Self;
    fn add16(self, other: Self) -> Self;
    fn sub16(self, other: Self) -> Self;
    fn add32(self, other: Self) -> Self;
    /// Saturating subtraction of unsigned bytes.
    fn saturating_sub8(self, other: Self) -> Self;
    fn shl16<const BITS: i32>(self) -> Self;
    fn shr16<const BITS: i32>(self) -> Self;
    fn shl32<const BITS: i32>(self) -> Self;
    fn shr32<const BITS: i32>(self) -> Self;

    fn cmpeq8(self, other: Self) -> Self;
    fn cmpeq16(self, other: Self) -> Self;
    /// Compares signed elements.
    fn cmpgt8(self, other: Self) -> Self;
    /// Compares signed elements.
    fn cmpgt16(self, other: Self) -> Self;
    /// Compares signed elements.
    fn cmpgt32(self, other: Self) -> Self;

    /// Within each lane, selects the bytes at the indices in `places`; 0 if the index is 80.
    fn shuffle(self, places: Self) -> Self;
    /// Returns the 32 bytes that end `16 - PLACE` bytes before the end of `self`, preceded by the last bytes of
    /// `before`.
    fn align_right<const PLACE: i32>(self, before: Self) -> Self;
    /// Combines the lower lane of `self` and the upper lane of `other`.
    fn with_upper_lane(self, other: Self) -> Self;
    /// Returns the last four bytes.
    fn last_four(self) -> [u8; 4];
    /// Within each lane, interleaves the 16-bit elements of both: of the lower halves, and of the upper.
    fn zip16(self, other: Self) -> [Self; 2];

    fn is_zero(self) -> bool;
    /// Whether the highest bit of any byte is set.
    fn any_high_bit(self) -> bool;
    /// Returns the highest bit of each byte, the first byte lowest.
    fn movemask8(self) -> u32;
    /// Returns a bit for each 16-bit element of a mask.
    fn movemask16(self) -> u16;

    /// Widens bytes to 16-bit elements.
    fn widen8(self) -> [Self; 2];
    /// Widens 16-bit elements to 32-bit elements.
    fn widen16(self) -> [Self; 2];
    /// Narrows 16-bit elements up to FF to bytes.
    fn narrow16(both: [Self; 2]) -> Self;
    /// Narrows 32-bit elements up to FFFF to 16-bit elements.
    fn narrow32(both: [Self; 2]) -> Self;

    /// Swaps the bytes of each 16-bit element.
    #[inline(always)]
    fn swap_bytes16(self) -> Self {
        self.shuffle(self.broadcast_lane(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
    }

    /// Swaps the bytes of each 32-bit element.
    #[inline(always)]
    fn swap_bytes32(self) -> Self {
        self.shuffle(self.broadcast_lane(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
    }
}
