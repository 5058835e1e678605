//! The vector operations that the algorithms of this folder are written in: 32 bytes, and some forty operations on
//! them.
//!
//! A vector is two *lanes* of 16 bytes, because 16 bytes is what one shuffle covers on every supported processor. AVX2
//! keeps both lanes in one register, and even there `vpshufb` and `vpunpck` work within a lane. The other sets use two
//! registers. So `shuffle` and `zip16` stay within lanes. Everything else follows the order of the bytes.
//!
//! ```text
//! byte     0 1 2 3 4 5 6 7 8 9 A B C D E F | 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F
//!          lower lane                      | upper lane
//! ```
//!
//! A mask is a vector too: an element of it has all bits set, or none. A number in a method name is the width of an
//! element in bits. `movemask` turns a mask into an integer.

/// 32 bytes, in two lanes.
///
/// A value is also a token: it proves that the processor has the instructions of the set. Only `zeroed`, which each
/// backend has beside this trait, makes a vector from nothing. It is a `#[target_feature]` function, so safe code can
/// call it only where the instructions are enabled. In `simd128.rs` it is a plain function, because that file is
/// compiled only if the whole module has the instructions. All other vectors come from existing ones. That is why
/// `load` and `splat` take a `self` that they do not read, and why the methods can be safe.
pub(crate) trait Vector: Copy {
    fn load(self, from: &[u8; 32]) -> Self;
    fn store(self, to: &mut [u8; 32]);
    /// Loads each lane from a place of its own.
    fn load_lanes(self, lower: &[u8; 16], upper: &[u8; 16]) -> Self;
    /// Loads the same 16 bytes into both lanes.
    fn broadcast_lane(self, lane: &[u8; 16]) -> Self;
    fn store_lower(self, to: &mut [u8; 16]);
    fn store_upper(self, to: &mut [u8; 16]);

    fn splat8(self, value: u8) -> Self;
    fn splat16(self, value: u16) -> Self;
    fn splat32(self, value: u32) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Takes the elements of `yes` where the mask `self` is set, and those of `no` elsewhere.
    fn blend(self, yes: Self, no: Self) -> Self;

    fn add8(self, other: Self) -> Self;
    fn add16(self, other: Self) -> Self;
    fn sub16(self, other: Self) -> Self;
    fn add32(self, other: Self) -> Self;
    /// Unsigned: 0 where `other` is greater.
    fn saturating_sub8(self, other: Self) -> Self;
    fn shl16<const BITS: i32>(self) -> Self;
    fn shr16<const BITS: i32>(self) -> Self;
    fn shl32<const BITS: i32>(self) -> Self;
    fn shr32<const BITS: i32>(self) -> Self;

    fn cmpeq8(self, other: Self) -> Self;
    fn cmpeq16(self, other: Self) -> Self;
    // These compare signed elements: x86 below AVX-512 has no unsigned comparison. As signed numbers, bytes from 80 on
    // are below 0. So what is greater than BF is C0 to FF, and ASCII: the first bytes of all characters of UTF-8.
    fn cmpgt8(self, other: Self) -> Self;
    fn cmpgt16(self, other: Self) -> Self;
    fn cmpgt32(self, other: Self) -> Self;

    /// Within each lane, selects the bytes at `indices`.
    ///
    /// An index must be below 16, or have its highest bit set: then it gives 0. The sets differ for the other indices,
    /// 10 to 7F: x86 takes them modulo 16, NEON and WebAssembly give 0.
    fn shuffle(self, indices: Self) -> Self;
    /// Shifts 64 bytes, `previous` followed by `self`, to the right by `16 + N` bytes, and returns the lowest 32. With
    /// `N` 15, each byte is the one before it in the text; with 0, the upper lane of `previous` is followed by the
    /// lower lane of `self`. It is `palignr` across both lanes.
    fn align_right<const N: i32>(self, previous: Self) -> Self;
    /// Combines the lower lane of `self` and the upper lane of `other`.
    fn with_upper_lane(self, other: Self) -> Self;
    /// Returns the last four bytes.
    fn last_four(self) -> [u8; 4];
    /// Within each lane, interleaves the 16-bit elements of `self` and `other`: those of the lower halves, and those of
    /// the upper.
    fn zip16(self, other: Self) -> [Self; 2];

    fn is_zero(self) -> bool;
    /// Whether the highest bit of any byte is set.
    fn any_high_bit(self) -> bool;
    /// Returns the highest bit of each byte. The first byte gives the lowest bit.
    fn movemask8(self) -> u32;
    /// Returns a bit for each 16-bit element of a mask.
    fn movemask16(self) -> u16;

    /// Zero-extends bytes to 16-bit elements.
    fn widen8(self) -> [Self; 2];
    /// Zero-extends 16-bit elements to 32-bit elements.
    fn widen16(self) -> [Self; 2];
    /// Narrows 16-bit elements to bytes. All must be at most FF: beyond that, some sets saturate and others truncate.
    fn narrow16(both: [Self; 2]) -> Self;
    /// Narrows 32-bit elements to 16-bit elements. All must be at most FFFF.
    fn narrow32(both: [Self; 2]) -> Self;

    #[inline(always)]
    fn swap_bytes16(self) -> Self {
        self.shuffle(self.broadcast_lane(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
    }

    #[inline(always)]
    fn swap_bytes32(self) -> Self {
        self.shuffle(self.broadcast_lane(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
    }
}
