//! What the algorithms of this folder ask of a processor: 32 bytes in two lanes of 16, and some twenty operations on
//! them. A lane is as wide as a shuffle reaches: `shuffle` and `zip16` stay within lanes, all else goes by the order of
//! the bytes. A backend is one register (AVX2) or two (NEON).
//!
//! Masks are vectors too: all bits of an element are set, or none.

/// 32 bytes, in two lanes.
///
/// A value proves that the processor has the instructions: the first one is made by a function that needs them to be
/// called (`here` of a backend), and all others are made of values. So `self` may say nothing but that.
pub(in crate::kernels) trait Vector: Copy {
    fn load(self, from: &[u8; 32]) -> Self;
    fn store(self, to: &mut [u8; 32]);
    /// Two lanes from two places.
    fn pair(self, lower: &[u8; 16], upper: &[u8; 16]) -> Self;
    /// The same bytes in both lanes.
    fn twice(self, lane: &[u8; 16]) -> Self;
    fn store_lower(self, to: &mut [u8; 16]);
    fn store_upper(self, to: &mut [u8; 16]);

    fn all8(self, value: u8) -> Self;
    fn all16(self, value: u16) -> Self;
    fn all32(self, value: u32) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The elements of `yes` where the mask is set, of `no` elsewhere.
    fn choose(self, yes: Self, no: Self) -> Self;

    fn add8(self, other: Self) -> Self;
    fn add16(self, other: Self) -> Self;
    fn sub16(self, other: Self) -> Self;
    fn add32(self, other: Self) -> Self;
    /// Down to 0 and no further, of unsigned bytes.
    fn sub8_to_zero(self, other: Self) -> Self;
    fn shl16<const BITS: i32>(self) -> Self;
    fn shr16<const BITS: i32>(self) -> Self;
    fn shl32<const BITS: i32>(self) -> Self;
    fn shr32<const BITS: i32>(self) -> Self;

    fn equal8(self, other: Self) -> Self;
    fn equal16(self, other: Self) -> Self;
    /// Signed.
    fn greater8(self, other: Self) -> Self;
    /// Signed.
    fn greater16(self, other: Self) -> Self;
    /// Signed.
    fn greater32(self, other: Self) -> Self;

    /// Within each lane, the bytes at the places that `places` names; 0 where it is 80.
    fn shuffle(self, places: Self) -> Self;
    /// The 32 bytes that end `16 - PLACE` bytes before the end of this, with the last bytes of `before` in front.
    fn after<const PLACE: i32>(self, before: Self) -> Self;
    /// The lower lane of this, and the upper lane of `other`.
    fn with_upper(self, other: Self) -> Self;
    /// The last four bytes.
    fn last_four(self) -> [u8; 4];
    /// Within each lane, the 16-bit elements of both in turn: of the lower halves, and of the upper.
    fn zip16(self, other: Self) -> [Self; 2];

    fn is_zero(self) -> bool;
    /// Whether the highest bit of any byte is set.
    fn any_high(self) -> bool;
    /// The highest bit of each byte, the first lowest.
    fn mask8(self) -> u32;
    /// A bit for each 16-bit element of a mask.
    fn mask16(self) -> u16;

    /// Bytes as 16-bit elements.
    fn widen8(self) -> [Self; 2];
    /// 16-bit elements as 32-bit elements.
    fn widen16(self) -> [Self; 2];
    /// 16-bit elements up to FF as bytes.
    fn narrow16(both: [Self; 2]) -> Self;
    /// 32-bit elements up to FFFF as 16-bit elements.
    fn narrow32(both: [Self; 2]) -> Self;

    /// The other byte order of each 16-bit element.
    #[inline(always)]
    fn swap16(self) -> Self {
        self.shuffle(self.twice(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
    }

    /// The other byte order of each 32-bit element.
    #[inline(always)]
    fn swap32(self) -> Self {
        self.shuffle(self.twice(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
    }
}
