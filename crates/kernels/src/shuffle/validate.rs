//! Validation, following Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte": the faults of two
//! adjacent bytes depend on the upper and lower four bits of the first byte and the upper four bits of the second.
//! Three lookups each return the possible faults; a fault that all three return is present.
//!
//! ```text
//! bytes    E2 | 28             first: top E   first: bottom 2   second: top 2   all three
//! faults   LEAD_WITHOUT_TAIL   yes            yes               yes             yes: a fault
//!          SURROGATE           yes            no                no              no
//! ```
//!
//! Two adjacent continuation bytes are a fault unless a byte two or three places before the second one expects it.

use super::{EncodingForm, Vector, at, then_portable_validates};

// Faults of two adjacent bytes, by Table 3-7.
/// C0 to FF without a continuation byte after it.
const LEAD_WITHOUT_TAIL: u8 = 1 << 0;
/// A continuation byte after 00 to 7F.
const TAIL_WITHOUT_LEAD: u8 = 1 << 1;
/// E0, then 80 to 9F.
const OVERLONG_THREE: u8 = 1 << 2;
/// ED, then A0 to BF.
const SURROGATE: u8 = 1 << 3;
/// C0 or C1, then a continuation byte.
const OVERLONG_TWO: u8 = 1 << 4;
/// F4 to FF, then 90 to BF.
const TOO_LARGE: u8 = 1 << 5;
/// F0 or F5 to FF, then 80 to 8F.
const OVERLONG_FOUR: u8 = 1 << 6;
/// Two continuation bytes. It is the top bit, like that of an expected continuation byte.
const TWO_TAILS: u8 = 1 << 7;

/// For each value of four bits, the faults that `allow` returns: for both lanes.
pub(crate) const FIRST_TOP: [u8; 16] = {
    let mut table = [TAIL_WITHOUT_LEAD; 16];
    let mut bits = 8;
    while bits < 16 {
        table[bits] = match bits {
            0x8..=0xB => TWO_TAILS,
            0xC => LEAD_WITHOUT_TAIL | OVERLONG_TWO,
            0xD => LEAD_WITHOUT_TAIL,
            0xE => LEAD_WITHOUT_TAIL | OVERLONG_THREE | SURROGATE,
            _ => LEAD_WITHOUT_TAIL | TOO_LARGE | OVERLONG_FOUR,
        };
        bits += 1;
    }
    table
};

pub(crate) const FIRST_BOTTOM: [u8; 16] = {
    let mut table = [LEAD_WITHOUT_TAIL | TAIL_WITHOUT_LEAD | TWO_TAILS; 16];
    let mut bits = 0;
    while bits < 16 {
        table[bits] |= match bits {
            0x0 => OVERLONG_TWO | OVERLONG_THREE | OVERLONG_FOUR,
            0x1 => OVERLONG_TWO,
            0x2 | 0x3 => 0,
            0x4 => TOO_LARGE,
            0xD => TOO_LARGE | OVERLONG_FOUR | SURROGATE,
            _ => TOO_LARGE | OVERLONG_FOUR,
        };
        bits += 1;
    }
    table
};

pub(crate) const SECOND_TOP: [u8; 16] = {
    let mut table = [LEAD_WITHOUT_TAIL; 16];
    let mut bits = 0x8;
    while bits < 0xC {
        table[bits] = TAIL_WITHOUT_LEAD | TWO_TAILS | OVERLONG_TWO;
        table[bits] |= if bits < 0xA { OVERLONG_THREE } else { SURROGATE };
        table[bits] |= if bits < 0x9 { OVERLONG_FOUR } else { TOO_LARGE };
        bits += 1;
    }
    table
};

/// Returns a vector that is not 0 in bytes that, after the bytes before them, are not well-formed UTF-8. A sequence
/// that the end cuts is not a fault yet.
#[inline(always)]
pub(super) fn faults<V: Vector>(bytes: V, before: V) -> V {
    let low = bytes.all8(0x0F);
    let first = bytes.after::<15>(before);
    let pair = bytes
        .twice(&FIRST_TOP)
        .shuffle(first.shr16::<4>().and(low))
        .and(bytes.twice(&FIRST_BOTTOM).shuffle(first.and(low)))
        .and(bytes.twice(&SECOND_TOP).shuffle(bytes.shr16::<4>().and(low)));
    // 80 or more if a three-byte sequence began two bytes before, or a four-byte one three bytes before.
    let third = bytes.after::<14>(before).sub8_to_zero(bytes.all8(0xE0 - 0x80));
    let fourth = bytes.after::<13>(before).sub8_to_zero(bytes.all8(0xF0 - 0x80));
    third.or(fourth).and(bytes.all8(0x80)).xor(pair)
}

/// Returns the place of the first nonzero byte.
#[inline(always)]
pub(super) fn first_of<V: Vector>(faults: V) -> usize {
    (!faults.equal8(faults.all8(0)).mask8()).trailing_zeros() as usize
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
    bytes.sub8_to_zero(bytes.load(&GREATEST))
}

/// A kernel under the contract of [`crate`]. Blocks follow each other regardless of where characters begin.
#[inline(always)]
pub(crate) fn utf8<V: Vector>(here: V, input: &[u8]) -> usize {
    const BLOCK: usize = 128;
    let zero = here.all8(0);
    let (mut read, mut before) = (0, zero);
    while let Some(block) = input[read..].first_chunk::<BLOCK>() {
        let bytes = [
            here.load(at(block, 0)),
            here.load(at(block, 32)),
            here.load(at(block, 64)),
            here.load(at(block, 96)),
        ];
        let any = bytes[0].or(bytes[1]).or(bytes[2].or(bytes[3]));
        if !any.any_high() {
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
        let bytes = here.load(quarter);
        let faults = faults(bytes, before);
        if !faults.is_zero() {
            let good = whole(&rest[..32 * number + first_of(faults)]);
            return then_portable_validates(EncodingForm::Utf8, read + good, input);
        }
        before = bytes;
    }
    then_portable_validates(EncodingForm::Utf8, read + len, input)
}
