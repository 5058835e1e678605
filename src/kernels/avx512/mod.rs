//! Kernels for x86-64 with AVX-512 (F, BW, VL, VBMI, VBMI2): a block of 64 bytes at a time, the last one by a masked
//! load, after the ideas of Clausecker and Lemire, "Transcoding Unicode characters with AVX-512 instructions".
//!
//! Every function here is `unsafe` only because the processor must have those instructions; [`KERNELS`] is handed out by
//! [`super::active`] only where it has them. All loads and stores stay inside the slices: see [`load`] and [`store`].
//! Where the output has no room for all that a block may become, the portable kernel goes on.

mod from_utf8;
mod measure;
mod table;
mod to_utf8;
mod units;

use std::arch::x86_64::*;

use super::once;
use super::portable::{self, then_portable};
use super::{Codes, Convert, EncodingForm, Kernels, Measure, Measured, Progress, Validate};
use crate::unicode::CodePoint;

/// The set.
pub(super) const KERNELS: Kernels = Kernels { name: "avx512", convert, validate, measure, table };

/// Bytes of a block.
const BLOCK: usize = 64;

/// Whether this processor has the instructions.
pub(super) fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// A kernel as the table has it, of a function that needs the instructions.
macro_rules! kernel {
    ($function:expr) => {
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: the set is handed out only where `is_here`.
            unsafe { $function(input, output) }
        }
    };
}

fn convert(from: EncodingForm, to: EncodingForm) -> Convert {
    use EncodingForm::*;
    match (from, to) {
        (Utf8, Utf16Le) => kernel!(from_utf8::to_utf16::<false>),
        (Utf8, Utf16Be) => kernel!(from_utf8::to_utf16::<true>),
        (Utf8, Utf32Le) => kernel!(from_utf8::to_utf32::<false>),
        (Utf8, Utf32Be) => kernel!(from_utf8::to_utf32::<true>),
        (Utf8, Latin1) => kernel!(from_utf8::to_latin1),
        (Latin1, Utf8) => kernel!(to_utf8::from_latin1),
        (Utf16Le, Utf8) => kernel!(to_utf8::from_utf16::<false>),
        (Utf16Be, Utf8) => kernel!(to_utf8::from_utf16::<true>),
        (Utf32Le, Utf8) => kernel!(to_utf8::from_utf32::<false>),
        (Utf32Be, Utf8) => kernel!(to_utf8::from_utf32::<true>),

        (Utf8, Utf8) => kernel!(from_utf8::copy),
        (Latin1, Latin1)
        | (Utf16Le, Utf16Le)
        | (Utf16Be, Utf16Be)
        | (Utf32Le, Utf32Le)
        | (Utf32Be, Utf32Be) => copy_of(from),
        (Ascii, Ascii | Latin1 | Utf8) | (Latin1 | Utf8, Ascii) => copy_of(Ascii),

        (Utf16Le, Utf16Be) => kernel!(units::swap_utf16::<false>),
        (Utf16Be, Utf16Le) => kernel!(units::swap_utf16::<true>),
        (Utf32Le, Utf32Be) => kernel!(units::swap_utf32::<false>),
        (Utf32Be, Utf32Le) => kernel!(units::swap_utf32::<true>),

        (Utf16Le, Utf32Le) => kernel!(units::utf16_to_utf32::<false, false>),
        (Utf16Le, Utf32Be) => kernel!(units::utf16_to_utf32::<false, true>),
        (Utf16Be, Utf32Le) => kernel!(units::utf16_to_utf32::<true, false>),
        (Utf16Be, Utf32Be) => kernel!(units::utf16_to_utf32::<true, true>),
        (Utf32Le, Utf16Le) => kernel!(units::utf32_to_utf16::<false, false>),
        (Utf32Le, Utf16Be) => kernel!(units::utf32_to_utf16::<false, true>),
        (Utf32Be, Utf16Le) => kernel!(units::utf32_to_utf16::<true, false>),
        (Utf32Be, Utf16Be) => kernel!(units::utf32_to_utf16::<true, true>),

        (Ascii, Utf16Le) => kernel!(units::bytes_to_utf16::<0x7F, false>),
        (Ascii, Utf16Be) => kernel!(units::bytes_to_utf16::<0x7F, true>),
        (Latin1, Utf16Le) => kernel!(units::bytes_to_utf16::<0xFF, false>),
        (Latin1, Utf16Be) => kernel!(units::bytes_to_utf16::<0xFF, true>),
        (Ascii, Utf32Le) => kernel!(units::bytes_to_utf32::<0x7F, false>),
        (Ascii, Utf32Be) => kernel!(units::bytes_to_utf32::<0x7F, true>),
        (Latin1, Utf32Le) => kernel!(units::bytes_to_utf32::<0xFF, false>),
        (Latin1, Utf32Be) => kernel!(units::bytes_to_utf32::<0xFF, true>),

        (Utf16Le, Ascii) => kernel!(units::utf16_to_bytes::<0x7F, false>),
        (Utf16Be, Ascii) => kernel!(units::utf16_to_bytes::<0x7F, true>),
        (Utf16Le, Latin1) => kernel!(units::utf16_to_bytes::<0xFF, false>),
        (Utf16Be, Latin1) => kernel!(units::utf16_to_bytes::<0xFF, true>),
        (Utf32Le, Ascii) => kernel!(units::utf32_to_bytes::<0x7F, false>),
        (Utf32Be, Ascii) => kernel!(units::utf32_to_bytes::<0x7F, true>),
        (Utf32Le, Latin1) => kernel!(units::utf32_to_bytes::<0xFF, false>),
        (Utf32Be, Latin1) => kernel!(units::utf32_to_bytes::<0xFF, true>),
    }
}

fn validate(form: EncodingForm) -> Validate {
    macro_rules! kernel {
        ($function:expr) => {
            |input: &[u8]| {
                // SAFETY: the set is handed out only where `is_here`.
                unsafe { $function(input) }
            }
        };
    }
    match form {
        EncodingForm::Ascii => kernel!(units::validate_ascii),
        EncodingForm::Latin1 => <[u8]>::len,
        EncodingForm::Utf8 => kernel!(from_utf8::validate),
        EncodingForm::Utf16Le => kernel!(units::validate_utf16::<false>),
        EncodingForm::Utf16Be => kernel!(units::validate_utf16::<true>),
        EncodingForm::Utf32Le => kernel!(units::validate_utf32::<false>),
        EncodingForm::Utf32Be => kernel!(units::validate_utf32::<true>),
    }
}

fn table(codes: &Codes, input: &[u8], output: &mut [CodePoint]) -> usize {
    // SAFETY: the set is handed out only where `is_here`.
    unsafe { table::decode(codes, input, output) }
}

fn measure(form: EncodingForm) -> Measure {
    macro_rules! kernel {
        ($function:expr) => {
            |input: &[u8]| {
                // SAFETY: the set is handed out only where `is_here`.
                unsafe { $function(input) }
            }
        };
    }
    match form {
        EncodingForm::Ascii | EncodingForm::Latin1 => kernel!(measure::bytes),
        EncodingForm::Utf8 => kernel!(measure::utf8),
        EncodingForm::Utf16Le => kernel!(measure::utf16::<false>),
        EncodingForm::Utf16Be => kernel!(measure::utf16::<true>),
        EncodingForm::Utf32Le => kernel!(measure::utf32::<false>),
        EncodingForm::Utf32Be => kernel!(measure::utf32::<true>),
    }
}

/// A copy of what is well-formed.
fn copy_of(form: EncodingForm) -> Convert {
    use once::{copied, same};
    match form {
        EncodingForm::Ascii => {
            |input, output| copied(input, output, same, validate(EncodingForm::Ascii))
        }
        EncodingForm::Latin1 => {
            |input, output| copied(input, output, same, validate(EncodingForm::Latin1))
        }
        EncodingForm::Utf8 => {
            |input, output| copied(input, output, same, validate(EncodingForm::Utf8))
        }
        EncodingForm::Utf16Le => {
            |input, output| copied(input, output, same, validate(EncodingForm::Utf16Le))
        }
        EncodingForm::Utf16Be => {
            |input, output| copied(input, output, same, validate(EncodingForm::Utf16Be))
        }
        EncodingForm::Utf32Le => {
            |input, output| copied(input, output, same, validate(EncodingForm::Utf32Le))
        }
        EncodingForm::Utf32Be => {
            |input, output| copied(input, output, same, validate(EncodingForm::Utf32Be))
        }
    }
}

/// The first 64 bytes of `from`; zeros after its end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load(from: &[u8]) -> __m512i {
    if from.len() >= BLOCK {
        // SAFETY: the slice has the 64 bytes that are read; the load is unaligned.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    } else {
        // SAFETY: the mask lets only bytes of the slice be read; what it leaves out is not touched.
        unsafe { _mm512_maskz_loadu_epi8(first_bits(from.len()), from.as_ptr().cast()) }
    }
}

/// Writes the first 64 bytes of `to`, which must have them.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u8], bytes: __m512i) {
    let to = &mut to[..BLOCK];
    // SAFETY: the slice has the 64 bytes that are written; the store is unaligned.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bytes) }
}

/// Writes the first `len` of 64 bytes to `to`, which must have them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn store_first(to: &mut [u8], bytes: __m512i, len: usize) {
    let to = &mut to[..len.min(BLOCK)];
    // SAFETY: the mask lets only bytes of the slice be written; what it leaves out is not touched.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), first_bits(to.len()), bytes) }
}

/// A mask whose `len` lowest bits are set; 64 or more set all.
#[inline]
#[target_feature(enable = "bmi2")]
fn first_bits(len: usize) -> u64 {
    _bzhi_u64(u64::MAX, len.min(BLOCK) as u32)
}

/// 16-bit code units between the byte order of the text and that of the processor.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn ordered16<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        let pairs = _mm_set_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(pairs))
    } else {
        units
    }
}

/// 32-bit code units between the byte order of the text and that of the processor.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn ordered32<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        let fours = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(fours))
    } else {
        units
    }
}

/// A unit of UTF-16 as it stands in a text of that byte order.
const fn unit16<const BIG: bool>(unit: u16) -> i16 {
    (if BIG { unit.swap_bytes() } else { unit }) as i16
}

/// Which of 32 units of UTF-16, in the byte order of the text, are surrogates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn surrogates<const BIG: bool>(units: __m512i) -> __mmask32 {
    let block = _mm512_and_si512(units, _mm512_set1_epi16(unit16::<BIG>(0xF800)));
    _mm512_cmpeq_epi16_mask(block, _mm512_set1_epi16(unit16::<BIG>(0xD800)))
}

/// The surrogates of a block of UTF-16.
#[derive(Clone, Copy)]
struct Surrogates {
    high: __mmask32,
    low: __mmask32,
}

impl Surrogates {
    /// Of 32 units in the byte order of the text, of which `all` are surrogates.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn of<const BIG: bool>(units: __m512i, all: __mmask32) -> Self {
        let bit = _mm512_set1_epi16(unit16::<BIG>(0x0400));
        let low = _mm512_mask_test_epi16_mask(all, units, bit);
        Self { high: all & !low, low }
    }

    /// How many of the first units of `from` are whole, well-formed characters, of the block that its start is.
    #[inline]
    #[target_feature(enable = "avx512f,bmi1")]
    fn good<const BIG: bool>(self, from: &[u8]) -> usize {
        // A low one stands exactly after each high one.
        let wrong = self.high << 1 ^ self.low;
        if let Some([.., a, b]) = from.first_chunk::<BLOCK>() {
            // Foretold by bytes in memory: so the place of the next block is known before the masks are. They confirm it.
            let cut = (if BIG { a } else { b }) & 0xFC == 0xD8;
            if wrong == 0 && (self.high >> 31 == 1) == cut {
                return 32 - usize::from(cut);
            }
        }
        self.good_before(wrong, from.len() / 2)
    }

    /// The same of a block that has a fault, or is not all of 64 bytes: then zeros stand after it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,bmi1")]
    fn good_before(self, wrong: u32, available: usize) -> usize {
        let place = (wrong.trailing_zeros() as usize).min(available.min(32));
        // In front of a high one whose low one is missing, wrong, or beyond the end.
        let after_high = place > 0 && self.high >> (place - 1) & 1 == 1;
        place - usize::from(after_high)
    }
}

/// How many of the first `available` of `N` units are good, where some may be `wrong`.
#[inline]
fn good<const N: usize>(wrong: impl Into<u64>, available: usize) -> usize {
    #[cold]
    #[inline(never)]
    fn before(wrong: u64, available: usize) -> usize {
        (wrong.trailing_zeros() as usize).min(available)
    }
    let wrong = wrong.into();
    // Known before the mask is, where it is foreseen to be none.
    if wrong == 0 && available >= N { N } else { before(wrong, available.min(N)) }
}

/// Which of 16 values are no scalar values.
#[inline]
#[target_feature(enable = "avx512f")]
fn no_scalar_values(values: __m512i) -> __mmask16 {
    let block = _mm512_and_si512(values, _mm512_set1_epi32(!0x7FF));
    _mm512_cmpeq_epi32_mask(block, _mm512_set1_epi32(0xD800))
        | _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(0x10_FFFF))
}
