//! Signs that a text in UTF-16 or UTF-32 is interrupted by text in single bytes, or by a byte too many or too few.
//!
//! ```text
//! 61 00 0A 00           U+000A: a line end
//! 0A 4E                 U+4E0A: an ideograph
//! 68 69 0D 0A           U+6968, U+0A0D: CR LF of a line in single bytes
//! 0D 00 0D 0A 00 61     U+0A0D: 0D was put before the byte 0A, and shifts what follows
//! ```
//!
//! In all but the first, a byte 0A is in another unit than U+000A. Most such units are ordinary text: ideographs, or
//! letters of Gurmukhi (U+0Axx). What is a sign and what is not is decided in three steps, each for less text than the
//! one before:
//!
//! 1. A kernel that counts characters counts bytes 0A and U+000A. In most blocks the two are equal, and there is no
//!    sign.
//! 2. Masks of the bytes around them, or the scalar [`EncodingForm::is_sign`], rule out ordinary text. The kernel
//!    returns how many units are left.
//! 3. If there are any, detection judges whether the text is interrupted (`unit_interruptions.rs` of `detect`).
//!
//! So the price for text without such bytes is one more comparison per block.

use std::ops::Range;

use super::contract::EncodingForm;
use crate::code_point::LINE_FEED;

/// So many units in a row that consist of ASCII bytes are a line of text in single bytes, and not ideographs.
pub const MIN_ASCII_UNITS: usize = 7;
/// The most neighbours among them that may share a high byte. In a word of an alphabet most do, since the letters are
/// from one block of Unicode. In text of single bytes the high bytes are every second letter (in UTF-32 every fourth),
/// and seldom the same twice in a row.
const MAX_SHARED_HIGH_BYTES: usize = 2;

/// Whether all bytes of a unit are ASCII characters that occur in text. ESC does, as it begins the colours of
/// terminals.
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

    /// Returns the unit at byte offset `at`, if it is whole.
    pub fn unit_at(self, text: &[u8], at: usize) -> Option<u32> {
        text.get(at..at + self.unit()).map(|unit| self.value(unit))
    }

    /// Returns the unit before byte offset `at`.
    pub fn unit_before(self, text: &[u8], at: usize) -> Option<u32> {
        at.checked_sub(self.unit()).and_then(|at| self.unit_at(text, at))
    }

    /// Whether text may be interrupted at the unit at byte `at`: by CR LF in single bytes, by a line feed that is
    /// shifted, or by one after many bytes of ASCII. `at_ends` is the answer where that depends on what is before or
    /// after `text`.
    pub fn is_sign(self, text: &[u8], at: usize, at_ends: bool) -> bool {
        let Some(unit) = text.get(at..at + self.unit()) else { return false };
        // Below 800 are U+000A itself, and letters of alphabets such as U+010A.
        let value = self.value(unit);
        let Some(in_unit) = unit.iter().position(|byte| *byte == b'\n').filter(|_| value >= 0x800)
        else {
            return false;
        };
        // In a word of Gurmukhi and in a chart of characters, neighbours are from the same row of 100 characters.
        let neighbours = [self.unit_before(text, at), self.unit_at(text, at + self.unit())];
        if neighbours.into_iter().flatten().any(|other| other >> 8 == value >> 8) {
            return false;
        }
        let follows_return = match (at + in_unit).checked_sub(1) {
            Some(before) => text[before] == b'\r',
            None => at_ends,
        };
        // U+0A00 is U+000A with its bytes swapped, and is no character.
        value == LINE_FEED << 8
            || follows_return
            || self.is_shifted_line_feed(text, at, at_ends)
            || self.follows_ascii(text, at, at_ends)
    }

    /// Whether the byte 0A of the unit at `at` makes U+000A with the adjacent byte of another unit, as in text that is
    /// shifted by a byte. `at_ends` is the answer if that byte is outside `text`.
    pub fn is_shifted_line_feed(self, text: &[u8], at: usize, at_ends: bool) -> bool {
        let (high, neighbour) = match self.is_big_endian() {
            true => (at, at.checked_sub(1)),
            false => (at + self.unit() - 1, Some(at + self.unit())),
        };
        let neighbour = neighbour.and_then(|at| text.get(at));
        text[high] == b'\n' && neighbour.map_or(at_ends, |byte| *byte == 0)
    }

    /// Whether the [`MIN_ASCII_UNITS`] units before byte offset `at` consist of ASCII bytes, and are not a word of one
    /// script. If there are fewer, and those do, it is `at_ends`.
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

/// Bytes of a block, a bit of each mask for each.
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
    /// ASCII. What depends on bytes outside the block may be so. This rules out most ideographs with a byte 0A, without
    /// looking at units.
    #[inline(always)]
    pub(super) const fn may_be_signs(self, big: bool) -> bool {
        /// The first bytes of units.
        const FIRST: u64 = 0x5555_5555_5555_5555;
        let Self { found, zeros, returns, ascii } = self;
        // Bits that follow 14 bytes of ASCII, which are seven units. Each step combines a mask with itself, shifted by
        // as many bytes as it covers: 1, 2, 4, 8, then by 6 to 14. What is shifted in is unknown, and taken for ASCII.
        let after = ascii << 1 | 1;
        let after = after & (after << 1 | 1);
        let after = after & (after << 2 | 3);
        let after = after & (after << 4 | 15);
        let after = after & (after << 6 | 63) & FIRST;
        // `line_feeds` are the bytes 0A of U+000A: the high byte of the same unit is zero. `shifted` are high bytes
        // with a zero on either side, so that a 0A there makes U+000A in text that is shifted by a byte.
        let high = if big { FIRST } else { !FIRST };
        let line_feeds = if big { (zeros & high) << 1 } else { (zeros & high) >> 1 };
        let shifted = high & (zeros << 1 | 1 | zeros >> 1 | 1 << 63);
        found & !line_feeds & (after | after << 1 | returns << 1 | 1 | shifted) != 0
    }
}

/// Returns how many units at `range` of a text are signs, where `line_feeds` units are U+000A.
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

/// Returns how many units at `range` of a text are signs. A unit counts as one if that depends on what is before or
/// after the text.
#[cold]
#[inline(never)]
pub(super) fn count(form: EncodingForm, text: &[u8], range: Range<usize>) -> usize {
    let whole = range.start..range.end - range.len() % form.unit();
    let mut last = None;
    let mut units =
        memchr::memchr_iter(b'\n', &text[whole]).map(|at| range.start + at - at % form.unit());
    // U+0A0A has two of the bytes, but is one unit.
    units
        .by_ref()
        .filter(|at| last.replace(*at) != Some(*at) && form.is_sign(text, *at, true))
        .count()
}
