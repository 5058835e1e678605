//! The inner loops. All vector code, and nearly all `unsafe`, lives in this room.
//!
//! # The contract of a kernel
//!
//! A kernel converts a *well-formed run*: it starts at the first unit of `input`, and stops in front of the first thing
//! that it does not convert, or where a side is used up. It returns ([`Progress`]) how many units of each side are done.
//!
//! * What it has read is exactly what it has written: no sequence is half read, none half written.
//! * It may stop early, near the end of a side, in front of something that it could have converted only where the
//!   input left or the room left is under [`SLACK`] units; a caller that needs the rest finishes it one by one.
//!   (The portable kernels stop at nothing but what they cannot convert.)
//! * It never says what is wrong where it stopped. The scalar decoder does, so the rule of the maximal subpart is
//!   written once, and a finding cannot differ between processors.
//! * It writes only to `output[..written]`, or leaves what it wrote past there to be overwritten; it never touches
//!   anything outside the two slices.
//!
//! Units: bytes where a slice is of `u8` (for UTF-16 and UTF-32 too: those slices are encoding schemes, in the byte
//! order that the kernel's name gives), code points where it is of `u32`.

#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod portable;

use std::sync::OnceLock;

/// Units short of the end of a side at which a kernel may give up.
pub const SLACK: usize = 64;

/// How far a kernel came, in units of its slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units of the input read.
    pub read: usize,
    /// Units of the output written.
    pub written: usize,
}

/// From bytes to code points.
pub type Decode = fn(&[u8], &mut [u32]) -> Progress;
/// From code points to bytes.
pub type Encode = fn(&[u32], &mut [u8]) -> Progress;

/// One set of kernels: a function for each job, all of them on the contract above.
#[derive(Debug)]
pub struct Kernels {
    /// The name of the set.
    pub name: &'static str,
    /// US-ASCII: stops in front of bytes past 7F.
    pub ascii_to_code_points: Decode,
    /// ISO-8859-1: stops at nothing.
    pub latin1_to_code_points: Decode,
    /// UTF-8 (D92): stops in front of ill-formed and of incomplete sequences.
    pub utf8_to_code_points: Decode,
    /// UTF-16LE (D98): stops in front of unpaired surrogates and of incomplete units and pairs.
    pub utf16le_to_code_points: Decode,
    /// UTF-16BE (D97): the same.
    pub utf16be_to_code_points: Decode,
    /// UTF-32LE (D100): stops in front of what is no scalar value and of an incomplete unit.
    pub utf32le_to_code_points: Decode,
    /// UTF-32BE (D99): the same.
    pub utf32be_to_code_points: Decode,
    /// US-ASCII: stops in front of what is past 7F.
    pub code_points_to_ascii: Encode,
    /// ISO-8859-1: stops in front of what is past FF.
    pub code_points_to_latin1: Encode,
    /// UTF-8: stops in front of what is no scalar value.
    pub code_points_to_utf8: Encode,
    /// UTF-16LE: stops in front of what is no scalar value.
    pub code_points_to_utf16le: Encode,
    /// UTF-16BE: the same.
    pub code_points_to_utf16be: Encode,
    /// UTF-32LE: stops in front of what is no scalar value.
    pub code_points_to_utf32le: Encode,
    /// UTF-32BE: the same.
    pub code_points_to_utf32be: Encode,
}

/// The sets that this processor can run, the best first.
pub fn available() -> Vec<&'static Kernels> {
    let mut sets = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if avx512::is_here() {
        sets.push(&avx512::KERNELS);
    }
    sets.push(&portable::KERNELS);
    sets
}

/// The set in use: the best that there is, or the one that the environment variable `OXICONV_KERNELS` names, for tests
/// and comparisons. Chosen once a process; a name that this processor has no set for changes nothing.
pub fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&'static Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let sets = available();
        let wanted = std::env::var("OXICONV_KERNELS").unwrap_or_default();
        sets.iter().find(|set| set.name == wanted).unwrap_or(&sets[0])
    })
}

#[cfg(test)]
mod tests;
