//! Validation, following Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte", whose names the
//! constants have.
//!
//! Nearly all faults show in two adjacent bytes, and which faults are possible depends only on the upper and lower four
//! bits of the first byte and the upper four bits of the second. Each is looked up in a table of sixteen bytes, which
//! is one shuffle. An entry has a bit for each fault that its four bits allow. A fault that all three allow is present.
//!
//! ```text
//! bytes    E2 28         byte 1: E.   byte 1: .2   byte 2: 2.   all three
//! faults   TOO_SHORT     yes          yes          yes          yes: a fault
//!          SURROGATE     yes          no           no           no
//!
//! bytes    ED A0         byte 1: E.   byte 1: .D   byte 2: A.
//! faults   TOO_SHORT     yes          yes          no           no
//!          SURROGATE     yes          yes          yes          yes: a fault
//! ```
//!
//! Two adjacent continuation bytes are the one thing that two bytes do not decide. They are a fault unless the byte two
//! or three places before the second one begins a sequence of at least three or four bytes. So `TWO_CONTS` is compared
//! with that instead: it is a fault if exactly one of the two is the case.

use super::{EncodingForm, Vector, at, finish_portable_validate};

// Faults of two adjacent bytes, by Table 3-7. F5 to FF have no bit of their own, although they begin nothing: after
// them, 80 to 8F is `OVERLONG_4`, 90 to BF is `TOO_LARGE`, and everything else is `TOO_SHORT`.
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
/// Two continuation bytes. It is the highest bit because that of an expected continuation byte is, too.
const TWO_CONTS: u8 = 1 << 7;

/// The faults that the upper four bits of the first byte allow.
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

/// Those that its lower four bits allow. TOO_SHORT, TOO_LONG and TWO_CONTS do not depend on them, so every entry has
/// them.
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

/// Those that the upper four bits of the second byte allow.
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

/// Returns a vector that is not 0 in bytes that are ill-formed after those before them. `before` is the vector before
/// `bytes`. A sequence that the end of `bytes` truncates is no fault yet: that shows in the next vector.
#[inline(always)]
pub(super) fn faults<V: Vector>(bytes: V, before: V) -> V {
    // x86 has no shift of 8-bit elements. A shift of 16-bit elements moves bits of the neighbour into each byte, and
    // the mask removes them.
    let low = bytes.splat8(0x0F);
    let first = bytes.align_right::<15>(before);
    let pair = bytes
        .broadcast_lane(&BYTE_1_HIGH)
        .shuffle(first.shr16::<4>().and(low))
        .and(bytes.broadcast_lane(&BYTE_1_LOW).shuffle(first.and(low)))
        .and(bytes.broadcast_lane(&BYTE_2_HIGH).shuffle(bytes.shr16::<4>().and(low)));
    // 80 or more where a sequence of at least three bytes began two bytes before, or one of four bytes three bytes
    // before. Elsewhere less, so the highest bit alone says so.
    let third = bytes.align_right::<14>(before).saturating_sub8(bytes.splat8(0xE0 - 0x80));
    let fourth = bytes.align_right::<13>(before).saturating_sub8(bytes.splat8(0xF0 - 0x80));
    third.or(fourth).and(bytes.splat8(0x80)).xor(pair)
}

/// Returns the index of the first nonzero byte.
#[inline(always)]
pub(super) fn first_of<V: Vector>(faults: V) -> usize {
    (!faults.cmpeq8(faults.splat8(0)).movemask8()).trailing_zeros() as usize
}

/// Returns the length of the whole characters of `bytes`, which are well-formed except that the end may truncate the
/// last one.
#[inline(always)]
pub(super) fn whole(bytes: &[u8]) -> usize {
    let truncated = match *bytes {
        [.., last] if last >= 0xC0 => 1,
        [.., second, _] if second >= 0xE0 => 2,
        [.., third, _, _] if third >= 0xF0 => 3,
        _ => 0,
    };
    bytes.len() - truncated
}

/// Returns a vector that is not 0 if the end of `bytes` truncates a character. Only the last three bytes can begin one:
/// the last any sequence, the one before it one of three bytes, the one before that one of four.
#[inline(always)]
fn truncates<V: Vector>(bytes: V) -> V {
    const MAX: [u8; 32] = {
        let mut greatest = [0xFF; 32];
        (greatest[29], greatest[30], greatest[31]) = (0xEF, 0xDF, 0xBF);
        greatest
    };
    bytes.saturating_sub8(bytes.load(&MAX))
}

/// Blocks follow each other regardless of where characters begin: the last 32 bytes of one are `before` of the next. So
/// the address of a block never depends on the text, and loads run ahead of the lookups.
///
/// The price is that a fault is only known to be somewhere in a block, or in the character that the block before
/// truncated. So the loop goes back to the start of that character, and searches the same bytes again, 32 at a time.
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
            // All of it is ASCII, so nothing here completes a character. Only the block before can be at fault, by
            // having left one incomplete.
            if !truncates(before).is_zero() {
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
    // Back to the start of the character that the end of the last good block truncates: what follows may not complete
    // it.
    if read > 0 {
        let mut last = [0; 32];
        before.store(&mut last);
        read -= last.len() - whole(&last);
    }
    // The next `BLOCK` bytes contain a fault, or are fewer. They are searched by vectors once more, so that the
    // portable kernel has only a few bytes left to validate in front of the fault.
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
