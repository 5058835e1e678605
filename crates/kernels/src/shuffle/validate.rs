//! Validation, following Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte": the faults of two
//! adjacent bytes depend on the upper and lower four bits of the first byte and the upper four bits of the second.
//! Three lookups each return the possible faults; a fault that all three return is present.
//!
//! ```text
//! bytes    E2 | 28             first: top E   first: bottom 2   second: top 2   all three
//! faults   TOO_SHORT   yes            yes               yes             yes: a fault
//!          SURROGATE           yes            no                no              no
//! ```
//!
//! Two adjacent continuation bytes are a fault unless a byte two or three places before the second one expects it.

use super::{EncodingForm, Vector, at, finish_portable_validate};

// Faults of two adjacent bytes, by Table 3-7.
/// C0 to FF without a continuation byte after it.
const TOO_SHORT: u8 = 1 << 0;
/// A continuation byte after 00 to 7F.
const TOO_LONG: u8 = 1 << 1;
/// E0, then 80 to 9F.
const OVERLONG_3: u8 = 1 << 2;
/// ED, then A0 to BF.
const SURROGATE: u8 = 1 << 3;
/// C0 or C1, then a continuation byte.
const OVERLONG_2: u8 = 1 << 4;
/// F4 to FF, then 90 to BF.
const TOO_LARGE: u8 = 1 << 5;
/// F0 or F5 to FF, then 80 to 8F.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes. It is the top bit, like that of an expected continuation byte.
const TWO_CONTS: u8 = 1 << 7;

/// For each value of four bits, the faults that `allow` returns: for both lanes.
pub(crate) const BYTE_1_HIGH: [u8; 16] = {
    let mut table = [TOO_LONG; 16];
    let mut bits = 8;
    while bits < 16 {
        table[bits] = match bits {
            0x8..=0xB => TWO_CONTS,
            0xC => TOO_SHORT | OVERLONG_2,
            0xD => TOO_SHORT,
            0xE => TOO_SHORT | OVERLONG_3 | SURROGATE,
            _ => TOO_SHORT | TOO_LARGE | OVERLONG_4,
        };
        bits += 1;
    }
    table
};

pub(crate) const BYTE_1_LOW: [u8; 16] = {
    let mut table = [TOO_SHORT | TOO_LONG | TWO_CONTS; 16];
    let mut bits = 0;
    while bits < 16 {
        table[bits] |= match bits {
            0x0 => OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
            0x1 => OVERLONG_2,
            0x2 | 0x3 => 0,
            0x4 => TOO_LARGE,
            0xD => TOO_LARGE | OVERLONG_4 | SURROGATE,
            _ => TOO_LARGE | OVERLONG_4,
        };
        bits += 1;
    }
    table
};

pub(crate) const BYTE_2_HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    let mut bits = 0x8;
    while bits < 0xC {
        table[bits] = TOO_LONG | TWO_CONTS | OVERLONG_2;
        table[bits] |= if bits < 0xA { OVERLONG_3 } else { SURROGATE };
        table[bits] |= if bits < 0x9 { OVERLONG_4 } else { TOO_LARGE };
        bits += 1;
    }
    table
};

/// Returns a vector that is not 0 in bytes that, after the bytes before them, are not well-formed UTF-8. A sequence
/// that the end cuts is not a fault yet.
#[inline(always)]
pub(super) fn faults<V: Vector>(bytes: V, before: V) -> V {
    let low = bytes.splat8(0x0F);
    let first = bytes.align_right::<15>(before);
    let pair = bytes
        .broadcast_lane(&BYTE_1_HIGH)
        .shuffle(first.shr16::<4>().and(low))
        .and(bytes.broadcast_lane(&BYTE_1_LOW).shuffle(first.and(low)))
        .and(bytes.broadcast_lane(&BYTE_2_HIGH).shuffle(bytes.shr16::<4>().and(low)));
    // 80 or more if a three-byte sequence began two bytes before, or a four-byte one three bytes before.
    let third = bytes.align_right::<14>(before).saturating_sub8(bytes.splat8(0xE0 - 0x80));
    let fourth = bytes.align_right::<13>(before).saturating_sub8(bytes.splat8(0xF0 - 0x80));
    third.or(fourth).and(bytes.splat8(0x80)).xor(pair)
}

/// Returns the place of the first nonzero byte.
#[inline(always)]
pub(super) fn first_of<V: Vector>(faults: V) -> usize {
    (!faults.cmpeq8(faults.splat8(0)).movemask8()).trailing_zeros() as usize
}

/// Returns how many of `bytes` are whole characters, if they are well-formed except for a last one that the end may
/// cut.
#[inline(always)]
pub(super) fn whole(bytes: &[u8]) -> usize {
    let cut = match *bytes {
        [.., last] if last >= 0xC0 => 1,
        [.., second, _] if second >= 0xE0 => 2,
        [.., third, _, _] if third >= 0xF0 => 3,
        _ => 0,
    };
    bytes.len() - cut
}

/// Returns a vector that is not 0 in bytes that begin a character which the end of `bytes` cuts.
#[inline(always)]
fn cut<V: Vector>(bytes: V) -> V {
    /// The greatest bytes allowed at each place.
    const GREATEST: [u8; 32] = {
        let mut greatest = [0xFF; 32];
        (greatest[29], greatest[30], greatest[31]) = (0xEF, 0xDF, 0xBF);
        greatest
    };
    bytes.saturating_sub8(bytes.load(&GREATEST))
}

/// A kernel under the contract of [`crate`]. Blocks follow each other regardless of where characters begin.
#[inline(always)]
pub(crate) fn utf8<V: Vector>(simd: V, input: &[u8]) -> usize {
    const BLOCK: usize = 128;
    let zero = simd.splat8(0);
    let (mut read, mut before) = (0, zero);
    while let Some(block) = input[read..].first_chunk::<BLOCK>() {
        let bytes = [
            simd.load(at(block, 0)),
            simd.load(at(block, 32)),
            simd.load(at(block, 64)),
            simd.load(at(block, 96)),
        ];
        let any = bytes[0].or(bytes[1]).or(bytes[2].or(bytes[3]));
        if !any.any_high_bit() {
            if !cut(before).is_zero() {
                break;
            }
        } else {
            let lower = faults(bytes[0], before).or(faults(bytes[1], bytes[0]));
            let upper = faults(bytes[2], bytes[1]).or(faults(bytes[3], bytes[2]));
            if !lower.or(upper).is_zero() {
                break;
            }
        }
        before = bytes[3];
        read += BLOCK;
    }
    // Back to the start of the character that the last good block cuts.
    if read > 0 {
        let mut last = [0; 32];
        before.store(&mut last);
        read -= last.len() - whole(&last);
    }
    // The rest is short, or contains a fault.
    let mut rest = [0; BLOCK];
    let len = whole(&input[read..][..(input.len() - read).min(BLOCK)]);
    rest[..len].copy_from_slice(&input[read..read + len]);
    let mut before = zero;
    for (number, quarter) in rest.as_chunks::<32>().0.iter().enumerate() {
        let bytes = simd.load(quarter);
        let faults = faults(bytes, before);
        if !faults.is_zero() {
            let good = whole(&rest[..32 * number + first_of(faults)]);
            return finish_portable_validate(EncodingForm::Utf8, read + good, input);
        }
        before = bytes;
    }
    finish_portable_validate(EncodingForm::Utf8, read + len, input)
}
