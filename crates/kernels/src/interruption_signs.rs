//! Signs that a text in UTF-16 or UTF-32 is interrupted by text in single bytes, or by a byte too many or too few.
//!
//! ```text
//! 61 00 0A 00           U+000A: a line end
//! 0A 4E                 U+4E0A: an ideograph
//! 68 69 0D 0A           U+6968, U+0A0D: CR LF of a line in single bytes
//! 0D 00 0D 0A 00 61     U+0A0D: 0D was put before the byte 0A, and shifts what follows
//! ```
//!
//! Each such line has a byte 0A in another unit than U+000A. Nearly all of those are ideographs, or letters of Gurmukhi
//! (U+0Axx) next to each other, which the bytes around them rule out. Kernels count the rest while they count
//! characters. If a text has more such bytes than line feeds, which is rare, each is examined: `interrupted.rs` of
//! detection judges it.

use std::ops::Range;

use super::contract::EncodingForm;
use crate::code_point::LINE_FEED;

/// Units of ASCII before a line feed that no text in ideographs has.
pub const MIN_ASCII_UNITS: usize = 7;
/// Pairs of neighbours among them that share a high byte, as most in a word of a script do.
const MAX_SHARED_HIGH_BYTES: usize = 2;

/// Whether all bytes of a unit are characters of ASCII that text has. ESC begins the colours of terminals.
pub fn is_of_ascii(unit: &[u8]) -> bool {
    unit.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B))
}

impl EncodingForm {
    /// Whether the most significant byte of a unit is the first.
    pub const fn is_big_endian(self) -> bool {
        matches!(self, Self::Utf16Be | Self::Utf32Be)
    }

    /// Returns the value of a unit.
    pub fn value(self, unit: &[u8]) -> u32 {
        let value = match *unit {
            [a, b] => u32::from(u16::from_le_bytes([a, b])) << 16,
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => unreachable!("units of two or four bytes"),
        };
        match self.is_big_endian() {
            true => value.swap_bytes(),
            false => value >> (32 - 8 * unit.len()),
        }
    }

    /// Returns the unit at byte `at`, if it is whole.
    pub fn unit_at(self, text: &[u8], at: usize) -> Option<u32> {
        text.get(at..at + self.unit()).map(|unit| self.value(unit))
    }

    /// Returns the unit before byte `at`.
    pub fn unit_before(self, text: &[u8], at: usize) -> Option<u32> {
        at.checked_sub(self.unit()).and_then(|at| self.unit_at(text, at))
    }

    /// Whether text may be interrupted at the unit at byte `at`: by CR LF in single bytes, by a line feed that is
    /// shifted, or by one after many bytes of ASCII. `at_ends` is the answer where that depends on what is before or
    /// after `text`.
    pub fn is_sign(self, text: &[u8], at: usize, at_ends: bool) -> bool {
        let Some(unit) = text.get(at..at + self.unit()) else { return false };
        // Below are line feeds, and letters of alphabets.
        let value = self.value(unit);
        let Some(in_unit) = unit.iter().position(|byte| *byte == b'\n').filter(|_| value >= 0x800)
        else {
            return false;
        };
        // In a word and in a chart of characters, neighbours are close to each other.
        let neighbours = [self.unit_before(text, at), self.unit_at(text, at + self.unit())];
        if neighbours.into_iter().flatten().any(|other| other >> 8 == value >> 8) {
            return false;
        }
        let follows_return = match (at + in_unit).checked_sub(1) {
            Some(before) => text[before] == b'\r',
            None => at_ends,
        };
        value == LINE_FEED << 8
            || follows_return
            || self.is_shifted_line_feed(text, at, at_ends)
            || self.follows_ascii(text, at, at_ends)
    }

    /// Whether a unit is 0A of a line feed next to a byte of another unit.
    pub fn is_shifted_line_feed(self, text: &[u8], at: usize, at_ends: bool) -> bool {
        let (high, neighbour) = match self.is_big_endian() {
            true => (at, at.checked_sub(1)),
            false => (at + self.unit() - 1, Some(at + self.unit())),
        };
        let neighbour = neighbour.and_then(|at| text.get(at));
        text[high] == b'\n' && neighbour.map_or(at_ends, |byte| *byte == 0)
    }

    /// Whether many units before byte `at` are of ASCII, and not of one script. If there are fewer, and those are, it
    /// is `at_ends`.
    fn follows_ascii(self, text: &[u8], at: usize, at_ends: bool) -> bool {
        let many = MIN_ASCII_UNITS * self.unit();
        let units = || text[at.saturating_sub(many)..at].chunks_exact(self.unit());
        let high = |unit: &[u8]| self.value(unit) >> (8 * (self.unit() - 1));
        let same = units().zip(units().skip(1)).filter(|(one, next)| high(one) == high(next));
        (at >= many || at_ends)
            && units().rev().all(is_of_ascii)
            && same.count() <= MAX_SHARED_HIGH_BYTES
    }
}

/// Bytes of a block whose masks are judged together.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) const BLOCK: usize = 64;

/// Which bytes of a block are 0A, 00, 0D, and 09 to 7E: the lowest bit is the first byte.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[derive(Clone, Copy)]
pub(super) struct SignMasks {
    pub(super) found: u64,
    pub(super) zeros: u64,
    pub(super) returns: u64,
    pub(super) ascii: u64,
}

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
impl SignMasks {
    /// Whether some of the bytes 0A may be signs in UTF-16: after CR, next to a zero byte, or after many bytes of
    /// ASCII. What the block does not tell may be so. The common ideographs that have this byte are settled here.
    #[inline(always)]
    pub(super) const fn may_be_signs(self, big: bool) -> bool {
        /// The first bytes of units.
        const FIRST: u64 = 0x5555_5555_5555_5555;
        let Self { found, zeros, returns, ascii } = self;
        // What follows one, two, four, eight and fourteen of them.
        let after = ascii << 1 | 1;
        let after = after & (after << 1 | 1);
        let after = after & (after << 2 | 3);
        let after = after & (after << 4 | 15);
        let after = after & (after << 6 | 63) & FIRST;
        let high = if big { FIRST } else { !FIRST };
        let line_feeds = if big { (zeros & high) << 1 } else { (zeros & high) >> 1 };
        let shifted = high & (zeros << 1 | 1 | zeros >> 1 | 1 << 63);
        found & !line_feeds & (after | after << 1 | returns << 1 | 1 | shifted) != 0
    }
}

/// Returns how many units at `range` of a text are signs, of which `line_feeds` are U+000A.
#[inline(never)]
pub(super) fn among(
    form: EncodingForm,
    text: &[u8],
    range: Range<usize>,
    line_feeds: usize,
) -> usize {
    let bytes = text[range.clone()].iter().filter(|byte| **byte == b'\n').count();
    if bytes == line_feeds { 0 } else { count(form, text, range) }
}

/// Returns how many units at `range` of a text are signs. What is not known at its ends is one.
#[cold]
#[inline(never)]
pub(super) fn count(form: EncodingForm, text: &[u8], range: Range<usize>) -> usize {
    let whole = range.start..range.end - range.len() % form.unit();
    let mut last = None;
    let mut units =
        memchr::memchr_iter(b'\n', &text[whole]).map(|at| range.start + at - at % form.unit());
    units
        .by_ref()
        .filter(|at| last.replace(*at) != Some(*at) && form.is_sign(text, *at, true))
        .count()
}
