//! Kernels for x86-64 with AVX-512 (F, BW, VL, VBMI, VBMI2), following Clausecker and Lemire, "Transcoding Unicode
//! characters with AVX-512 instructions".
//!
//! They are not written over the trait of `shuffle/`, because three things make other algorithms possible:
//!
//! * Comparisons give masks in registers of their own, one bit per element. Where the characters of a block of 64 bytes
//!   are is arithmetic on four `u64`.
//! * VBMI2 compresses: it packs the elements whose mask bit is set. So no table of shuffles is needed, and no limit of
//!   eight bytes per step.
//! * Loads and stores can be masked. The last, short block takes the same path as the others, and the kernel stops at
//!   the exact character without the portable one.
//!
//! If the output is too small for everything that a block may become, the portable kernel continues.
//!
//! The functions are safe within `#[target_feature]`; to call them from outside is `unsafe`, because the processor must
//! have the instructions. [`super::active`] returns [`KERNELS`] only if it does. All loads and stores stay inside the
//! slices: see `registers.rs`.

mod code_table;
mod from_utf8;
mod measure;
mod paired_block;
mod registers;
mod to_utf8;
mod units;

use super::contract::{Codes, Convert, EncodingForm, Kernels, Measure, Validate};
use super::copy;
use super::skip_neutral;
use crate::code_point::CodePoint;

pub(super) const KERNELS: Kernels = Kernels {
    name: "avx512",
    convert,
    validate,
    measure,
    skip_neutral: scan_with!("avx512f,avx512bw", skip_neutral::skip_neutral, usize),
    table,
};

pub(super) fn is_supported() -> bool {
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

/// A function pointer without `#[target_feature]`, as [`Kernels`] has them.
macro_rules! kernel {
    ($function:expr) => {
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: the set is returned only if `is_supported`.
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
                // SAFETY: the set is returned only if `is_supported`.
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
    // SAFETY: the set is returned only if `is_supported`.
    unsafe { code_table::decode(codes, input, output) }
}

fn measure(form: EncodingForm) -> Measure {
    macro_rules! kernel {
        ($function:expr) => {
            |input: &[u8]| {
                // SAFETY: the set is returned only if `is_supported`.
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

/// Returns the kernel that copies what is well-formed. A [`Convert`] is a plain function pointer, and a closure that
/// captured the form would be none, so each form has a closure of its own. That of UTF-8 only completes the `match`: it
/// is copied by `from_utf8::copy`, which reads the input once.
fn copy_of(form: EncodingForm) -> Convert {
    use copy::{copy_bytes, copy_valid};
    match form {
        EncodingForm::Ascii => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Ascii), copy_bytes)
        }
        EncodingForm::Latin1 => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Latin1), copy_bytes)
        }
        EncodingForm::Utf8 => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Utf8), copy_bytes)
        }
        EncodingForm::Utf16Le => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Utf16Le), copy_bytes)
        }
        EncodingForm::Utf16Be => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Utf16Be), copy_bytes)
        }
        EncodingForm::Utf32Le => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Utf32Le), copy_bytes)
        }
        EncodingForm::Utf32Be => {
            |input, output| copy_valid(input, output, validate(EncodingForm::Utf32Be), copy_bytes)
        }
    }
}
