//! Blocks of UTF-16 in which there may be surrogate pairs, for the kernels that decode them.
//!
//! Blocks follow each other regardless of pairs. The alternative, to let a block end before a high surrogate in its
//! last unit, makes the address of each block depend on the masks of the one before, and the loads wait for each other.
//!
//! A high surrogate at the end of a block is converted, and carried over to the next block. If that does not begin with
//! a low surrogate, the kernel takes back what it has written for the high one.

use std::arch::x86_64::*;

use super::registers::{Surrogates, load, ordered16};

pub(super) struct PairedBlock {
    /// 32 units, in the byte order of the processor.
    pub(super) units: __m512i,
    pub(super) high: __mmask32,
    pub(super) low: __mmask32,
    /// Low surrogates without a high one before them, and units that are not a low surrogate although they follow a
    /// high one.
    pub(super) wrong: u32,
}

impl PairedBlock {
    /// Loads the first block of `from`, padded with zeros. `carry` is 1 if the unit before is a high surrogate,
    /// otherwise 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    pub(super) fn load<const BIG: bool>(from: &[u8], carry: u32) -> Self {
        let units = ordered16::<BIG>(load(from));
        // The distance above the first of 400 surrogates, with wraparound, is below 400.
        let from = |first: u16| {
            let distances = _mm512_sub_epi16(units, _mm512_set1_epi16(first as i16));
            _mm512_cmplt_epu16_mask(distances, _mm512_set1_epi16(0x400))
        };
        let (high, low) = (from(0xD800), from(0xDC00));
        let wrong = (high << 1 | carry) ^ low;
        Self { units, high, low, wrong }
    }

    #[inline]
    pub(super) const fn has_pairs(&self) -> bool {
        self.high | self.low != 0
    }

    /// Returns 1 if the last unit is a high surrogate, otherwise 0.
    #[inline]
    pub(super) const fn carry(&self) -> u32 {
        self.high >> 31
    }

    /// Returns how many of the first `available` units are whole, well-formed characters.
    #[inline]
    #[target_feature(enable = "avx512f,bmi1")]
    pub(super) fn good(&self, available: usize) -> usize {
        Surrogates { high: self.high, low: self.low }.good_before(self.wrong, available)
    }
}
