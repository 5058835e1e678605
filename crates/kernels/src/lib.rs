//! The inner loops: conversion and validation with vector instructions. All vector code, and nearly all `unsafe`, is in
//! this crate.
//!
//! ```text
//! Kernels (one set per instruction set) ─► convert(from, to)   bytes to bytes
//!                                       ─► validate(form)      bytes
//!                                       ─► measure(form)       characters and line feeds of valid bytes
//! ```
//!
//! The pivot of the codecs, a slice of code points, is one of the forms: UTF-32 in the byte order of the host
//! ([`EncodingForm::PIVOT`], [`decode`], [`encode`]).
//!
//! # The contract of a kernel
//!
//! A kernel converts a *well-formed run*: it starts at the first unit of `input`, and stops in front of the first
//! character that it cannot convert, that the end of the input truncates, or that does not fit in the output. It
//! returns the number of bytes read and written ([`Progress`]).
//!
//! * What it has written corresponds exactly to what it has read: no sequence is half read or half written.
//! * It stops for no other reason. If the set has no vector code for the last few units, it calls the portable kernel.
//! * It never says what is wrong where it stopped. The scalar decoder does, so the rule of the maximal subpart is
//!   written once, and a finding cannot differ between processors.
//! * It may write scratch bytes after `output[..written]`, which the next call overwrites. It never touches anything
//!   outside the two slices.
//!
//! From UTF-8 to UTF-16LE, for example:
//!
//! ```text
//! input             output has     read    written
//! 61 C3 A9 FF 62    12 bytes       3       61 00 E9 00     FF begins no character
//! 61 C3 A9 E2 82    12 bytes       3       61 00 E9 00     the input ends within a character
//! 61 C3 A9          3 bytes        1       61 00           a second unit would not fit
//! ```
//!
//! In all three cases the kernel returns only the two numbers. Its caller knows whether input and output are left, and
//! asks the scalar decoder if they are.
//!
//! # The sets
//!
//! `portable.rs` converts every pair of forms. It is the reference for the other sets, and their fallback: a set names
//! only the pairs for which it is faster. SSE4.1, AVX2, NEON and simd128 share algorithms that are written once over a
//! small trait (`shuffle/`); AVX-512 has its own (`avx512/`). `select.rs` picks a set once per process. The environment
//! variable `OXICONV_KERNELS` (`portable`, `sse41`, `avx2`, `avx512`, `neon`) forces one, in tests and in the program.
//!
//! # Adding a kernel
//!
//! 1. Write the function beside those of its kind, `#[inline(always)]`, with its idea in a few lines above it: in
//!    `avx512/`, or in `shuffle/`, where every set with 16-byte shuffles gets it.
//! 2. Name it in the table of the set: the `match` in `convert` (`avx512/mod.rs`, `shuffle/mod.rs`).
//! 3. Run `cargo test -p oxiconv-kernels`. It compares every pair of every set that the machine has with the standard
//!    library: between protected pages, at every length up to some blocks, with every kind of bad unit. `ci/cross` runs
//!    the same for other processors and WebAssembly, `ci/avx512` for AVX-512 under Bochs, and `ci/fuzz kernels` the
//!    fuzz target.
//! 4. Measure it: `cd benches && cargo bench --bench kernels -- 'Utf16Le>Utf8'`, or `benches/instructions` if the
//!    processor is only emulated. Remove a kernel that is not faster than the one before it.
//!
//! A new instruction set with a 16-byte shuffle is a file like `avx2.rs`, which implements `shuffle::Vector`. A new
//! encoding form is a row of [`EncodingForm`], with a `UnitReader` and a `UnitWriter` in `portable.rs`; it then has
//! every pair.

// This condition is that of all modules which only sets with vectors use: elsewhere they would be dead code. The macros
// come first, because a macro exists only below its definition.
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
mod interruption_signs;
mod measure;
#[cfg(target_arch = "aarch64")]
mod neon;
pub mod portable;
mod select;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod shuffle;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod skip_neutral;
#[cfg(target_arch = "x86_64")]
mod sse41;
mod string;

pub use contract::{Codes, EncodingForm, Kernels, Measured, Progress};
pub use interruption_signs::{MIN_ASCII_UNITS, is_of_ascii};
pub use select::{FormPair, active, available, decode, encode, suited};
pub use string::{as_str, into_string, str_prefix};

#[cfg(test)]
mod tests;
