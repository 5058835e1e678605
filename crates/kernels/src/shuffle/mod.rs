//! The algorithms of the sets that have a shuffle of sixteen bytes: SSE4.1, AVX2, NEON and simd128. They are written
//! once over the trait [`Vector`], and compiled for each set by [`shuffle_set`].
//!
//! ```text
//! tables     a mask of eight bits ─► the shuffle that gathers the wanted bytes, computed at compile time
//! from_utf8  every eight bytes give the characters that begin in them    validate  three lookups per byte
//! to_utf8    every four or eight units give their bytes                  units     widening, narrowing, pairs
//! ```
//!
//! All of them follow Lemire and Muła, "Transcoding billions of Unicode characters per second with SIMD instructions":
//! a mask of the wanted bytes is the index of a table of shuffles. There, a table entry also says how many bytes of the
//! input it consumes, so the load of the next step waits for the load, the mask and the lookup of this one. Here, the
//! offsets of the shuffles are constants within a block. Only the place of the output depends on the steps before, and
//! that is a sum of bit counts.
//!
//! A vector loop handles whole, well-formed blocks. When it meets a fault, or has too little input or output left for a
//! block, it hands over to the portable kernel, which stops at the exact character. Only `from_utf8` and `validate`
//! look for the place of a fault, so that the portable kernel starts close to it.
//!
//! Functions are `#[inline(always)]`, because only code that is inlined into an entry point is compiled with the
//! instructions of its set. For the same reason none of them takes a closure: whether a closure is inlined is up to the
//! compiler, and one that is not calls each instruction as a function.

pub(super) mod from_utf8;
pub(super) mod measure;
pub(super) mod tables;
pub(super) mod to_utf8;
pub(super) mod units;
pub(super) mod validate;
mod vector;

pub(super) use vector::Vector;

use super::contract::{EncodingForm, Progress};
use super::portable::{self, finish_portable};

/// Continues after the `read` bytes with the portable kernel. Returns the sum.
#[inline(never)]
fn finish_portable_validate(form: EncodingForm, read: usize, input: &[u8]) -> usize {
    read + portable::validate(form)(&input[read..])
}

/// Converts the start of a long run with the portable kernel, so that the output continues at a multiple of 32 bytes.
///
/// A store of 32 bytes that crosses the end of a cache line takes two accesses, and half of them do if the output is
/// badly aligned. That matters to kernels which do little else than load and store. Those whose output has a variable
/// length cannot keep an alignment.
///
/// Nothing depends on the alignment. If the portable kernel stops early, at a fault or because a unit does not fit in
/// what is left before the boundary, the vectors start from there.
#[inline(always)]
fn align_output(from: EncodingForm, to: EncodingForm, input: &[u8], output: &mut [u8]) -> Progress {
    /// A shorter run does not repay the detour.
    const MIN_RUN: usize = 4096;
    let room = output.as_ptr().align_offset(32);
    if input.len() < MIN_RUN || room == 0 || room > output.len() {
        return Progress::default();
    }
    portable::convert(from, to)(input, &mut output[..room])
}

const fn utf16(big: bool) -> EncodingForm {
    if big { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le }
}

const fn utf32(big: bool) -> EncodingForm {
    if big { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le }
}

/// Returns the `LEN` bytes at `place`. With constant arguments, the bounds check is optimized out.
#[inline(always)]
fn at<const LEN: usize>(bytes: &[u8], place: usize) -> &[u8; LEN] {
    bytes[place..].first_chunk().expect("the caller has seen to it")
}

#[inline(always)]
fn at_mut<const LEN: usize>(bytes: &mut [u8], place: usize) -> &mut [u8; LEN] {
    bytes[place..].first_chunk_mut().expect("the caller has seen to it")
}

/// Defines `KERNELS` of a backend: the functions of this folder for its vector, compiled with its instructions.
macro_rules! shuffle_set {
    ($name:literal, $vector:ty, $features:literal) => {
        pub(super) const KERNELS: $crate::contract::Kernels = $crate::contract::Kernels {
            name: $name,
            convert,
            validate,
            measure,
            skip_neutral: scan_with!($features, $crate::skip_neutral::skip_neutral, usize),
            table: $crate::portable::table,
        };

        $crate::measure::measure_with!($features, $vector);

        fn convert(
            from: $crate::EncodingForm,
            to: $crate::EncodingForm,
        ) -> $crate::contract::Convert {
            use $crate::EncodingForm::*;
            use $crate::copy;
            use $crate::shuffle::{from_utf8, to_utf8, units};
            type V = $vector;
            match (from, to) {
                (Utf8, Utf16Le) => {
                    convert_with!($features, $vector, from_utf8::to_utf16::<V, false>)
                }
                (Utf8, Utf16Be) => {
                    convert_with!($features, $vector, from_utf8::to_utf16::<V, true>)
                }
                (Utf8, Utf32Le) => {
                    convert_with!($features, $vector, from_utf8::to_utf32::<V, false>)
                }
                (Utf8, Utf32Be) => {
                    convert_with!($features, $vector, from_utf8::to_utf32::<V, true>)
                }
                (Utf8, Latin1) => {
                    convert_with!($features, $vector, from_utf8::to_latin1::<V>)
                }
                (Latin1, Utf8) => {
                    convert_with!($features, $vector, to_utf8::from_latin1::<V>)
                }
                (Utf16Le, Utf8) => {
                    convert_with!($features, $vector, to_utf8::from_utf16::<V, false>)
                }
                (Utf16Be, Utf8) => {
                    convert_with!($features, $vector, to_utf8::from_utf16::<V, true>)
                }
                (Utf32Le, Utf8) => {
                    convert_with!($features, $vector, to_utf8::from_utf32::<V, false>)
                }
                (Utf32Be, Utf8) => {
                    convert_with!($features, $vector, to_utf8::from_utf32::<V, true>)
                }

                (Utf8, Utf8) => copy_with!($features, copy::copy_bytes, Utf8),
                (Latin1, Latin1) => copy_with!($features, copy::copy_bytes, Latin1),
                (Utf16Le, Utf16Le) => copy_with!($features, copy::copy_bytes, Utf16Le),
                (Utf16Be, Utf16Be) => copy_with!($features, copy::copy_bytes, Utf16Be),
                (Utf32Le, Utf32Le) => copy_with!($features, copy::copy_bytes, Utf32Le),
                (Utf32Be, Utf32Be) => copy_with!($features, copy::copy_bytes, Utf32Be),
                (Ascii, Ascii | Latin1 | Utf8) | (Latin1 | Utf8, Ascii) => {
                    copy_with!($features, copy::copy_bytes, Ascii)
                }

                (Utf16Le, Utf16Be) => {
                    convert_with!($features, $vector, units::swap_utf16::<V, false>)
                }
                (Utf16Be, Utf16Le) => {
                    convert_with!($features, $vector, units::swap_utf16::<V, true>)
                }
                (Utf32Le, Utf32Be) => copy_with!($features, copy::swap_bytes32, Utf32Le),
                (Utf32Be, Utf32Le) => copy_with!($features, copy::swap_bytes32, Utf32Be),

                (Utf16Le, Utf32Le) => {
                    convert_with!($features, $vector, units::utf16_to_utf32::<V, false, false>)
                }
                (Utf16Le, Utf32Be) => {
                    convert_with!($features, $vector, units::utf16_to_utf32::<V, false, true>)
                }
                (Utf16Be, Utf32Le) => {
                    convert_with!($features, $vector, units::utf16_to_utf32::<V, true, false>)
                }
                (Utf16Be, Utf32Be) => {
                    convert_with!($features, $vector, units::utf16_to_utf32::<V, true, true>)
                }
                (Utf32Le, Utf16Le) => {
                    convert_with!($features, $vector, units::utf32_to_utf16::<V, false, false>)
                }
                (Utf32Le, Utf16Be) => {
                    convert_with!($features, $vector, units::utf32_to_utf16::<V, false, true>)
                }
                (Utf32Be, Utf16Le) => {
                    convert_with!($features, $vector, units::utf32_to_utf16::<V, true, false>)
                }
                (Utf32Be, Utf16Be) => {
                    convert_with!($features, $vector, units::utf32_to_utf16::<V, true, true>)
                }

                (Ascii, Utf16Le) => {
                    convert_with!($features, $vector, units::bytes_to_utf16::<V, 0x7F, false>)
                }
                (Ascii, Utf16Be) => {
                    convert_with!($features, $vector, units::bytes_to_utf16::<V, 0x7F, true>)
                }
                (Latin1, Utf16Le) => {
                    convert_with!($features, $vector, units::bytes_to_utf16::<V, 0xFF, false>)
                }
                (Latin1, Utf16Be) => {
                    convert_with!($features, $vector, units::bytes_to_utf16::<V, 0xFF, true>)
                }
                (Ascii, Utf32Le) => {
                    convert_with!($features, $vector, units::bytes_to_utf32::<V, 0x7F, false>)
                }
                (Ascii, Utf32Be) => {
                    convert_with!($features, $vector, units::bytes_to_utf32::<V, 0x7F, true>)
                }
                (Latin1, Utf32Le) => {
                    convert_with!($features, $vector, units::bytes_to_utf32::<V, 0xFF, false>)
                }
                (Latin1, Utf32Be) => {
                    convert_with!($features, $vector, units::bytes_to_utf32::<V, 0xFF, true>)
                }

                (Utf16Le, Ascii) => {
                    convert_with!($features, $vector, units::utf16_to_bytes::<V, 0x7F, false>)
                }
                (Utf16Be, Ascii) => {
                    convert_with!($features, $vector, units::utf16_to_bytes::<V, 0x7F, true>)
                }
                (Utf16Le, Latin1) => {
                    convert_with!($features, $vector, units::utf16_to_bytes::<V, 0xFF, false>)
                }
                (Utf16Be, Latin1) => {
                    convert_with!($features, $vector, units::utf16_to_bytes::<V, 0xFF, true>)
                }
                (Utf32Le, Ascii) => {
                    convert_with!($features, $vector, units::utf32_to_bytes::<V, 0x7F, false>)
                }
                (Utf32Be, Ascii) => {
                    convert_with!($features, $vector, units::utf32_to_bytes::<V, 0x7F, true>)
                }
                (Utf32Le, Latin1) => {
                    convert_with!($features, $vector, units::utf32_to_bytes::<V, 0xFF, false>)
                }
                (Utf32Be, Latin1) => {
                    convert_with!($features, $vector, units::utf32_to_bytes::<V, 0xFF, true>)
                }
            }
        }

        fn validate(form: $crate::EncodingForm) -> $crate::contract::Validate {
            use $crate::EncodingForm::*;
            use $crate::shuffle::{units, validate as utf8};
            type V = $vector;
            match form {
                Ascii => validate_with!($features, $vector, units::validate_ascii::<V>),
                Latin1 => <[u8]>::len,
                Utf8 => validate_with!($features, $vector, utf8::utf8::<V>),
                Utf16Le => {
                    validate_with!($features, $vector, units::validate_utf16::<V, false>)
                }
                Utf16Be => {
                    validate_with!($features, $vector, units::validate_utf16::<V, true>)
                }
                Utf32Le => {
                    validate_with!($features, $vector, units::validate_utf32::<V, false>)
                }
                Utf32Be => {
                    validate_with!($features, $vector, units::validate_utf32::<V, true>)
                }
            }
        }
    };
}
pub(super) use shuffle_set;
