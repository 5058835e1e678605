//! The inner loops. All vector code, and nearly all `unsafe`, is in this crate.
//!
//! ```text
//! Kernels (a set, one for each kind of processor) ─► convert(from, to)   bytes to bytes
//!                                                 ─► validate(form)      bytes
//!                                                 ─► measure(form)       characters and line feeds of valid bytes
//! ```
//!
//! The pivot of the codecs, a slice of code points, is one of the forms: UTF-32 in the byte order of the host
//! ([`EncodingForm::PIVOT`], [`decode`], [`encode`]).
//!
//! # The contract of a kernel
//!
//! A kernel converts a *well-formed run*: it starts at the first unit of `input`, and stops in front of the first
//! character that it cannot convert, that the end of the input cuts, or that does not fit in the output. It returns the
//! number of bytes read and written ([`Progress`]).
//!
//! * What it has written corresponds exactly to what it has read: no sequence is half read or half written.
//! * It stops for no other reason: if the set has no vector code for the last few units, it calls the portable kernel.
//! * It never says what is wrong where it stopped. The scalar decoder does, so the rule of the maximal subpart is
//!   written once, and a finding cannot differ between processors.
//! * It writes only to `output[..written]`, or leaves what it wrote after that to be overwritten; it never touches
//!   anything outside the two slices.

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[macro_use]
mod compiled;

mod automaton;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod code_point;
mod contract;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod copy;
mod measure;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
pub mod portable;
mod select;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod shuffle;
mod signs;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse41;
mod string;

pub use contract::{Codes, EncodingForm, Kernels, Measured, Progress};
pub use select::{Pair, active, available, decode, encode, suited};
pub use signs::{MANY, is_of_ascii};
pub use string::{as_str, into_string};

#[cfg(test)]
mod tests;
