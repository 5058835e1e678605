//! Between forms whose characters are single units or surrogate pairs: validation, widening, narrowing, byte swapping.
//!
//! ```text
//! units    0041 D83D DE00  0042
//! values   0041  —   1F600 0042   one per element; the value of a pair is at its low surrogate
//! packed   0041 1F600 0042        a shuffle from a table removes the high ones
//! ```
//!
//! Most text has no surrogates, so each loop has a fast path that only finds out whether there are any. Blocks follow
//! each other regardless of pairs, and `carry` says whether a block ended with a high surrogate.

use super::tables::{ELEMENTS, HALVES};
use super::{
    EncodingForm, Progress, Vector, align_output, at, at_mut, finish_portable,
    finish_portable_validate, utf16, utf32,
};

/// Returns which 32-bit elements are not scalar values, by one signed comparison:
///
/// ```text
///                 xor D800             + LOWEST
/// D800 … DFFF     0 … 7FF              7FFFF800 … 7FFFFFFF     the greatest numbers
/// scalar values   800 … 10FFFF         80000000 … 8010F7FF     the least
/// 110000 …        110000 … FFFFFFFF    8010F800 … 7FFFF7FF     those between
/// ```
///
/// The xor changes only the lower 16 bits, so it keeps values below 110000 below it.
#[inline(always)]
pub(super) fn not_scalar_values<V: Vector>(values: V) -> V {
    const LOWEST: u32 = 0x8000_0000_u32.wrapping_sub(0x800);
    const HIGHEST: u32 = LOWEST.wrapping_add(0x10_FFFF);
    values
        .xor(values.splat32(0xD800))
        .add32(values.splat32(LOWEST))
        .cmpgt32(values.splat32(HIGHEST))
}

/// Returns a UTF-16 code unit as it is stored in a text of that byte order.
const fn unit16<const BIG: bool>(unit: u16) -> u16 {
    if BIG { unit.swap_bytes() } else { unit }
}

/// Returns which of 16 UTF-16 code units have `bits` under `mask`. The units are in the byte order of the text: to swap
/// the two constants costs nothing, to swap the units a shuffle.
#[inline(always)]
fn are<V: Vector, const BIG: bool>(units: V, mask: u16, bits: u16) -> V {
    units.and(units.splat16(unit16::<BIG>(mask))).cmpeq16(units.splat16(unit16::<BIG>(bits)))
}

/// Whether the surrogates of 64 units, in the byte order of the text, are paired. `carry` is 1 if the unit before them
/// is a high surrogate, and is set likewise for the last of them.
///
/// `some` says whether the last block had high surrogates, so that this one probably has some too and the search for
/// them is skipped. It is set whenever `carry` is, so a block after a high surrogate never takes the early return.
#[inline(always)]
fn pairs_are_good<V: Vector, const BIG: bool>(
    [a, b, c, d]: [V; 4],
    carry: &mut u64,
    some: &mut bool,
) -> bool {
    if !*some {
        let first = are::<V, BIG>(a, 0xF800, 0xD800).or(are::<V, BIG>(b, 0xF800, 0xD800));
        let second = are::<V, BIG>(c, 0xF800, 0xD800).or(are::<V, BIG>(d, 0xF800, 0xD800));
        if first.or(second).is_zero() {
            return true;
        }
    }
    // Whether a unit is a surrogate, and which, is in its more significant byte: 64 units fit into two vectors.
    let (lower, upper) = (more_significant::<V, BIG>([a, b]), more_significant::<V, BIG>([c, d]));
    let mask = a.splat8(0xFC);
    let (lower, upper) = (lower.and(mask), upper.and(mask));
    let (high, low) = (a.splat8(0xD8), a.splat8(0xDC));
    let highs = mask64([lower.cmpeq8(high), upper.cmpeq8(high)]);
    let lows = mask64([lower.cmpeq8(low), upper.cmpeq8(low)]);
    // Well-formed if there is a low surrogate after each high one, and nowhere else:
    //
    //   units        61 D83D DE00 62
    //   highs         ·    1    ·  ·     shifted by one unit: · · 1 ·
    //   lows          ·    ·    1  ·     the same
    if highs << 1 | *carry != lows {
        return false;
    }
    *carry = highs >> 63;
    *some = highs != 0;
    true
}

#[inline(always)]
fn more_significant<V: Vector, const BIG: bool>([a, b]: [V; 2]) -> V {
    V::narrow16(if BIG {
        [a.and(a.splat16(0xFF)), b.and(a.splat16(0xFF))]
    } else {
        [a.shr16::<8>(), b.shr16::<8>()]
    })
}

#[inline(always)]
fn mask64<V: Vector>([lower, upper]: [V; 2]) -> u64 {
    u64::from(lower.movemask8()) | u64::from(upper.movemask8()) << 32
}

#[inline(always)]
fn load4<V: Vector>(simd: V, from: &[u8; 128]) -> [V; 4] {
    [
        simd.load(at(from, 0)),
        simd.load(at(from, 32)),
        simd.load(at(from, 64)),
        simd.load(at(from, 96)),
    ]
}

#[inline(always)]
fn load32<V: Vector, const BIG: bool>(simd: V, from: &[u8; 128]) -> [V; 4] {
    let [a, b, c, d] = load4(simd, from);
    if BIG {
        [a.swap_bytes32(), b.swap_bytes32(), c.swap_bytes32(), d.swap_bytes32()]
    } else {
        [a, b, c, d]
    }
}

#[inline(always)]
pub(crate) fn validate_utf16<V: Vector, const BIG: bool>(simd: V, input: &[u8]) -> usize {
    let (mut read, mut carry, mut some) = (0, 0, false);
    while let Some(block) = input[read..].first_chunk::<128>()
        && pairs_are_good::<V, BIG>(load4(simd, block), &mut carry, &mut some)
    {
        read += 128;
    }
    // A high surrogate at the end of the last block is not a whole character yet.
    read -= 2 * carry as usize;
    finish_portable_validate(utf16(BIG), read, input)
}

#[inline(always)]
pub(crate) fn validate_utf32<V: Vector, const BIG: bool>(simd: V, input: &[u8]) -> usize {
    let mut read = 0;
    while let Some(block) = input[read..].first_chunk::<128>() {
        let [a, b, c, d] = load32::<V, BIG>(simd, block);
        let lower = not_scalar_values(a).or(not_scalar_values(b));
        let upper = not_scalar_values(c).or(not_scalar_values(d));
        if lower.or(upper).any_high_bit() {
            break;
        }
        read += 128;
    }
    finish_portable_validate(utf32(BIG), read, input)
}

#[inline(always)]
pub(crate) fn validate_ascii<V: Vector>(simd: V, input: &[u8]) -> usize {
    let mut read = 0;
    while let Some(block) = input[read..].first_chunk::<128>() {
        let lower = simd.load(at(block, 0)).or(simd.load(at(block, 32)));
        let upper = simd.load(at(block, 64)).or(simd.load(at(block, 96)));
        if lower.or(upper).any_high_bit() {
            break;
        }
        read += 128;
    }
    finish_portable_validate(EncodingForm::Ascii, read, input)
}

/// Validates and swaps in one pass: what is stored are the very vectors that were found well-formed. If the last block
/// ends with a high surrogate, its unit has been stored too, but counts neither as read nor as written.
#[inline(always)]
pub(crate) fn swap_utf16<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = align_output(utf16(BIG), utf16(!BIG), input, output).read;
    let (mut carry, mut some) = (0, false);
    while let Some(from) = input[done..].first_chunk::<128>()
        && let Some(to) = output[done..].first_chunk_mut::<128>()
    {
        let units = load4(simd, from);
        if !pairs_are_good::<V, BIG>(units, &mut carry, &mut some) {
            break;
        }
        let [a, b, c, d] = units;
        a.swap_bytes16().store(at_mut(to, 0));
        b.swap_bytes16().store(at_mut(to, 32));
        c.swap_bytes16().store(at_mut(to, 64));
        d.swap_bytes16().store(at_mut(to, 96));
        done += 128;
    }
    done -= 2 * carry as usize;
    finish_portable(utf16(BIG), utf16(!BIG), Progress { read: done, written: done }, input, output)
}

/// The value of a pair is written when its low surrogate is read. If two blocks share a pair, the second one writes it.
/// So at the end, only the reading of a high surrogate may have to be undone.
///
/// The fast path does not update `before`, which is then older than the block before. That is harmless: only a low
/// surrogate looks at the unit before it. The first unit of a block is an accepted low surrogate only if `carry` is 1,
/// and then the block before was no fast one.
#[inline(always)]
pub(crate) fn utf16_to_utf32<V: Vector, const BIG: bool, const TO_BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = align_output(utf16(BIG), utf32(TO_BIG), input, output);
    let (mut before, mut carry) = (simd.splat16(0), 0);
    loop {
        while carry == 0
            && let Some(to) = output[done.written..].first_chunk_mut::<128>()
            && let Some(from) = input[done.read..].first_chunk::<64>()
        {
            let both = [simd.load(at(from, 0)), simd.load(at(from, 32))];
            let surrogates = both.map(|units| are::<V, BIG>(units, 0xF800, 0xD800));
            if surrogates[0].or(surrogates[1]).any_high_bit() {
                break;
            }
            for (place, units) in [(0, both[0]), (64, both[1])] {
                let units = if BIG { units.swap_bytes16() } else { units };
                let [lower, upper] = units.widen16();
                (if TO_BIG { lower.swap_bytes32() } else { lower }).store(at_mut(to, place));
                (if TO_BIG { upper.swap_bytes32() } else { upper }).store(at_mut(to, place + 32));
            }
            done.read += 64;
            done.written += 128;
        }
        let Some(to) = output[done.written..].first_chunk_mut::<64>() else { break };
        let Some(from) = input[done.read..].first_chunk() else { break };
        let raw = simd.load(from);
        let units = if BIG { raw.swap_bytes16() } else { raw };
        let surrogates = are::<V, false>(units, 0xF800, 0xD800);
        if carry == 0 && surrogates.is_zero() {
            let [lower, upper] = units.widen16();
            (if TO_BIG { lower.swap_bytes32() } else { lower }).store(at_mut(to, 0));
            (if TO_BIG { upper.swap_bytes32() } else { upper }).store(at_mut(to, 32));
            done.written += 64;
        } else {
            let previous = units.align_right::<14>(before);
            let joined = join_pairs::<V, TO_BIG>(units, previous, surrogates, &mut carry, to);
            let Some(written) = joined else { break };
            done.written += 4 * written;
        }
        before = units;
        done.read += 32;
    }
    // Nothing has been written yet for a high surrogate at the end of the last block.
    done.read -= 2 * usize::from(carry);
    finish_portable(utf16(BIG), utf32(TO_BIG), done, input, output)
}

/// Writes 16 units that contain surrogates, and returns the number of values; `None` if a surrogate is unpaired.
/// `previous` has the unit before each. `carry` is 1 if the unit before the first is a high surrogate, and is set
/// likewise for the last.
#[inline(always)]
fn join_pairs<V: Vector, const TO_BIG: bool>(
    units: V,
    previous: V,
    surrogates: V,
    carry: &mut u16,
    to: &mut [u8; 64],
) -> Option<usize> {
    let low = are::<V, false>(units, 0xFC00, 0xDC00);
    let lows = low.movemask16();
    let highs = surrogates.movemask16() & !lows;
    if highs << 1 | *carry != lows {
        return None;
    }
    *carry = highs >> 15;
    // The 16-bit halves of each value. That of a pair, at its low surrogate, is
    //
    //     10000 + (high & 3FF) << 10 + (low & 3FF)
    //
    // whose lower half has six bits of the high surrogate. The other four are above, with 10000: (high + 40) >> 6.
    let below = low.blend(previous.shl16::<10>().or(units.and(units.splat16(0x3FF))), units);
    let above = previous.and(units.splat16(0x3FF)).add16(units.splat16(0x40)).shr16::<6>().and(low);
    // `zip16` works within lanes: `lower` gets the values 0 to 3 and 8 to 11, `upper` 4 to 7 and 12 to 15. The four
    // stores below are in the order of the text.
    let [mut lower, mut upper] = below.zip16(above);
    if TO_BIG {
        (lower, upper) = (lower.swap_bytes32(), upper.swap_bytes32());
    }
    let kept = !highs;
    let [ab, cd] = kept.to_le_bytes();
    let shuffle = |four: u8| &ELEMENTS[usize::from(four & 0xF)];
    let lower = lower.shuffle(units.load_lanes(shuffle(ab), shuffle(cd)));
    let upper = upper.shuffle(units.load_lanes(shuffle(ab >> 4), shuffle(cd >> 4)));
    let count = |of_first: u16| 4 * (kept & of_first).count_ones() as usize;
    lower.store_lower(at_mut(to, 0));
    upper.store_lower(at_mut(to, count(0xF)));
    lower.store_upper(at_mut(to, count(0xFF)));
    upper.store_upper(at_mut(to, count(0xFFF)));
    Some(kept.count_ones() as usize)
}

/// The fast path narrows 32 values at a time, if none is above FFFF. Surrogates are looked for after that, where they
/// take half as many comparisons. If the block has either, sixteen values are converted in the general way, and then
/// the fast path is tried again.
#[inline(always)]
pub(crate) fn utf32_to_utf16<V: Vector, const BIG: bool, const TO_BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = align_output(utf32(BIG), utf16(TO_BIG), input, output);
    loop {
        while let Some(to) = output[done.written..].first_chunk_mut::<64>()
            && let Some(from) = input[done.read..].first_chunk::<128>()
        {
            let [a, b, c, d] = load32::<V, BIG>(simd, from);
            if !a.or(b).or(c.or(d)).and(simd.splat32(!0xFFFF)).is_zero() {
                break;
            }
            let (lower, upper) = (V::narrow32([a, b]), V::narrow32([c, d]));
            let surrogates = are::<V, false>(lower, 0xF800, 0xD800);
            if !surrogates.or(are::<V, false>(upper, 0xF800, 0xD800)).is_zero() {
                break;
            }
            (if TO_BIG { lower.swap_bytes16() } else { lower }).store(at_mut(to, 0));
            (if TO_BIG { upper.swap_bytes16() } else { upper }).store(at_mut(to, 32));
            done.read += 128;
            done.written += 64;
        }
        let Some(to) = output[done.written..].first_chunk_mut() else { break };
        let Some(from) = input[done.read..].first_chunk::<64>() else { break };
        let [mut lower, mut upper] = [simd.load(at(from, 0)), simd.load(at(from, 32))];
        if BIG {
            (lower, upper) = (lower.swap_bytes32(), upper.swap_bytes32());
        }
        if !not_scalar_values(lower).or(not_scalar_values(upper)).is_zero() {
            break;
        }
        done.written += split_pairs::<V, TO_BIG>([lower, upper], to);
        done.read += 64;
    }
    finish_portable(utf32(BIG), utf16(TO_BIG), done, input, output)
}

/// Writes 16 scalar values, and returns the number of bytes. Each 32-bit element gets both surrogates, or the value and
/// zeros; a shuffle from a table leaves out the zeros.
///
/// A lane of four values becomes 8 to 16 bytes and is stored as 16, so the last of the four stores ends at byte 64 at
/// the latest.
#[inline(always)]
fn split_pairs<V: Vector, const TO_BIG: bool>(values: [V; 2], to: &mut [u8; 64]) -> usize {
    let past = values[0].splat32(0xFFFF);
    let pairs = [values[0].cmpgt32(past), values[1].cmpgt32(past)];
    // `narrow32` takes elements up to FFFF, so all ones are shifted to that.
    let mask = V::narrow32([pairs[0].shr32::<16>(), pairs[1].shr32::<16>()]).movemask16();
    let [ab, cd] = mask.to_le_bytes();
    let mut written = 0;
    for (four, values, pairs) in [(ab, values[0], pairs[0]), (cd, values[1], pairs[1])] {
        // The lower half is D7C0 + (value >> 10), which is D800 + ((value - 10000) >> 10). The upper half is DC00 + the
        // last ten bits.
        let low = values.shl32::<16>().and(values.splat32(0x3FF_0000));
        let both = values.shr32::<10>().or(low).add16(values.splat32(0xDC00_D7C0));
        let units = pairs.blend(both, values);
        let units = if TO_BIG { units.swap_bytes16() } else { units };
        let (lower, upper) = (four & 0xF, four >> 4);
        let shuffle = |four: u8| &HALVES[usize::from(four)];
        let units = units.shuffle(units.load_lanes(shuffle(lower), shuffle(upper)));
        units.store_lower(at_mut(to, written));
        written += 8 + 2 * lower.count_ones() as usize;
        units.store_upper(at_mut(to, written));
        written += 8 + 2 * upper.count_ones() as usize;
    }
    written
}

const fn bytes_form(max: u16) -> EncodingForm {
    if max == 0x7F { EncodingForm::Ascii } else { EncodingForm::Latin1 }
}

/// Widens US-ASCII (`MAX` is 7F) or Latin-1 (FF), where no byte can stop it. To the big-endian forms, a shift moves the
/// byte to the other end of its unit.
#[inline(always)]
pub(crate) fn bytes_to_utf16<V: Vector, const MAX: u16, const TO_BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while let Some(to) = output[done.written..].first_chunk_mut::<64>()
        && let Some(from) = input[done.read..].first_chunk()
    {
        let bytes = simd.load(from);
        if MAX == 0x7F && bytes.any_high_bit() {
            break;
        }
        let [lower, upper] = bytes.widen8();
        (if TO_BIG { lower.shl16::<8>() } else { lower }).store(at_mut(to, 0));
        (if TO_BIG { upper.shl16::<8>() } else { upper }).store(at_mut(to, 32));
        done.read += 32;
        done.written += 64;
    }
    finish_portable(bytes_form(MAX), utf16(TO_BIG), done, input, output)
}

#[inline(always)]
pub(crate) fn bytes_to_utf32<V: Vector, const MAX: u16, const TO_BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while let Some(to) = output[done.written..].first_chunk_mut::<128>()
        && let Some(from) = input[done.read..].first_chunk()
    {
        let bytes = simd.load(from);
        if MAX == 0x7F && bytes.any_high_bit() {
            break;
        }
        let [lower, upper] = bytes.widen8();
        let ([a, b], [c, d]) = (lower.widen16(), upper.widen16());
        (if TO_BIG { a.shl32::<24>() } else { a }).store(at_mut(to, 0));
        (if TO_BIG { b.shl32::<24>() } else { b }).store(at_mut(to, 32));
        (if TO_BIG { c.shl32::<24>() } else { c }).store(at_mut(to, 64));
        (if TO_BIG { d.shl32::<24>() } else { d }).store(at_mut(to, 96));
        done.read += 32;
        done.written += 128;
    }
    finish_portable(bytes_form(MAX), utf32(TO_BIG), done, input, output)
}

/// Narrows to US-ASCII or Latin-1, as long as no unit has a bit above `MAX`, which is all ones. The units are tested in
/// the byte order of the text. Those of a big-endian text are only then shifted, so that the byte is the lower one.
#[inline(always)]
pub(crate) fn utf16_to_bytes<V: Vector, const MAX: u16, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while let Some(to) = output[done.written..].first_chunk_mut()
        && let Some(from) = input[done.read..].first_chunk::<64>()
    {
        let [mut lower, mut upper] = [simd.load(at(from, 0)), simd.load(at(from, 32))];
        if !lower.or(upper).and(simd.splat16(unit16::<BIG>(!MAX))).is_zero() {
            break;
        }
        if BIG {
            (lower, upper) = (lower.shr16::<8>(), upper.shr16::<8>());
        }
        V::narrow16([lower, upper]).store(to);
        done.read += 64;
        done.written += 32;
    }
    finish_portable(utf16(BIG), bytes_form(MAX), done, input, output)
}

#[inline(always)]
pub(crate) fn utf32_to_bytes<V: Vector, const MAX: u16, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    while let Some(to) = output[done.written..].first_chunk_mut()
        && let Some(from) = input[done.read..].first_chunk::<128>()
    {
        let [a, b, c, d] = load32::<V, BIG>(simd, from);
        if !a.or(b).or(c.or(d)).and(simd.splat32(!u32::from(MAX))).is_zero() {
            break;
        }
        V::narrow16([V::narrow32([a, b]), V::narrow32([c, d])]).store(to);
        done.read += 128;
        done.written += 32;
    }
    finish_portable(utf32(BIG), bytes_form(MAX), done, input, output)
}
