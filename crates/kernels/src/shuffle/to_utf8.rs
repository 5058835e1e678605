//! To UTF-8. Each unit gets an element of the maximum length, and a shuffle from a table leaves out the unused bytes.
//!
//! ```text
//! units    0041         00E9         20AC
//! spread   41 .. .. ..  A9 C3 .. ..  AC 82 E2 ..   last byte lowest, so that it is always at the same place
//! lengths  00           01           11            one bit is set for each byte after the first
//! bytes    41 C3 A9 E2 82 AC                       the shuffle reverses the bytes of an element
//! ```
//!
//! The two bits of a length come out of comparisons, one bit each. The eight bits of four elements are the index of the
//! shuffle, and counting them gives the number of additional bytes, so no table of lengths is needed.
//!
//! Text without surrogates is converted in the shortest of three ways that fits the greatest unit of a block: ASCII is
//! narrowed, units below 800 need elements of only two bytes, and anything else takes the above.
//!
//! A surrogate pair becomes four bytes, two for each of its units. The high surrogate has all bits of the first two.
//! The low one has those of the last two, except for two bits that are the lowest of the high one:
//!
//! ```text
//! D83D DE00     D83D ─► F0 9F        D83D, DE00 ─► 98 80
//! ```
//!
//! So a pair is an element of length two, twice, and needs no special shuffle.

use super::tables::{FORMS, PAIRS};
use super::{EncodingForm, Progress, Vector, at, at_mut, finish_portable, utf16, utf32};

/// Units of 16 bits in a vector.
const UNITS: usize = 16;
/// Bytes of free output for what they become, and for what is stored beyond it: four stores of a lane, the last one at
/// most 48 bytes after the first.
const ROOM: usize = 4 * UNITS;

/// Writes 16 units below 800, and returns the number of bytes. Each unit already has room for its two bytes, so nothing
/// has to be widened.
#[inline(always)]
fn put_two<V: Vector>(units: V, to: &mut [u8; ROOM]) -> usize {
    let ascii = units.and(units.splat16(0xFF80)).cmpeq16(units.splat16(0));
    let lasts = units.shl16::<8>().and(units.splat16(0x3F00));
    let bytes = ascii.blend(units, units.shr16::<6>().or(lasts).or(units.splat16(0x80C0)));
    let wide = !ascii.movemask16();
    let [lower, upper] = wide.to_le_bytes();
    let indices = units.load_lanes(&PAIRS[usize::from(lower)], &PAIRS[usize::from(upper)]);
    let bytes = bytes.shuffle(indices);
    bytes.store_lower(at_mut(to, 0));
    bytes.store_upper(at_mut(to, 8 + lower.count_ones() as usize));
    UNITS + wide.count_ones() as usize
}

/// Writes the sequences of 16 units, and returns the number of bytes. `lasts` has the last two bytes of each, and
/// `firsts` the first of three. `lengths` has two bits per unit: 00, 01 or 11.
///
/// `zip16` works within lanes, so the first of its results has the units 0 to 3 and 8 to 11, and the other one 4 to 7
/// and 12 to 15. The four stores are in the order of the text.
#[inline(always)]
fn put_spread<V: Vector>(lasts: V, firsts: V, lengths: u32, to: &mut [u8; ROOM]) -> usize {
    let spread = lasts.zip16(firsts);
    let [a, b, c, d] = lengths.to_le_bytes();
    let shuffle = |index: u8| &FORMS[usize::from(index)];
    let lower = spread[0].shuffle(lasts.load_lanes(shuffle(a), shuffle(c)));
    let upper = spread[1].shuffle(lasts.load_lanes(shuffle(b), shuffle(d)));
    lower.store_lower(at_mut(to, 0));
    upper.store_lower(at_mut(to, 4 + a.count_ones() as usize));
    let half = 8 + (lengths as u16).count_ones() as usize;
    lower.store_upper(at_mut(to, half));
    upper.store_upper(at_mut(to, half + 4 + c.count_ones() as usize));
    UNITS + lengths.count_ones() as usize
}

/// Returns the last two bytes of each sequence, the last one lowest. `small` marks units below 800: the upper of their
/// two bytes begins the sequence, so its marker is C0 and not 80.
#[inline(always)]
fn last_two<V: Vector>(units: V, ascii: V, small: V) -> V {
    let bits = units.shl16::<2>().and(units.splat16(0x3F00)).or(units.and(units.splat16(0x3F)));
    ascii.blend(units, bits.or(units.splat16(0x8080)).or(small.and(units.splat16(0x4000))))
}

#[inline(always)]
fn first_of_three<V: Vector>(units: V) -> V {
    units.shr16::<12>().or(units.splat16(0xE0))
}

/// Returns two bits for each unit: 00 for one byte, 01 for two, 11 for three. One bit comes from each byte of a mask:
/// the lower says that the unit is not ASCII, the upper that it is not below 800.
#[inline(always)]
fn lengths<V: Vector>(ascii: V, small: V) -> u32 {
    !ascii.and(ascii.splat16(0x00FF)).or(small.and(ascii.splat16(0xFF00))).movemask8()
}

#[inline(always)]
fn put_three<V: Vector>(units: V, to: &mut [u8; ROOM]) -> usize {
    let zero = units.splat16(0);
    let ascii = units.and(units.splat16(0xFF80)).cmpeq16(zero);
    let small = units.and(units.splat16(0xF800)).cmpeq16(zero);
    put_spread(last_two(units, ascii, small), first_of_three(units), lengths(ascii, small), to)
}

/// Writes 16 units without surrogates in the shortest way that fits the greatest of them. Returns the number of bytes.
#[inline(always)]
fn put_plain<V: Vector>(units: V, to: &mut [u8; ROOM]) -> usize {
    if units.and(units.splat16(0xFF80)).is_zero() {
        V::narrow16([units; 2]).store(at_mut(to, 0));
        UNITS
    } else if units.and(units.splat16(0xF800)).is_zero() {
        put_two(units, to)
    } else {
        put_three(units, to)
    }
}

#[inline(always)]
fn surrogates<V: Vector>(units: V) -> V {
    units.and(units.splat16(0xF800)).cmpeq16(units.splat16(0xD800))
}

/// Writes 16 units that contain surrogates, and returns the number of bytes; `None` if a surrogate is unpaired.
/// `previous` has the unit before each. `carry` is 1 if the unit before the first is a high surrogate, and is set
/// likewise for the last.
///
/// ```text
/// high + 40    aaabbbbbbcc             ten bits of the high surrogate; 40 is the offset of 10000
/// low                     ddddeeeeee   ten bits of the low one
/// bytes        11110aaa 10bbbbbb       of the element of the high surrogate
///              10ccdddd 10eeeeee       of the element of the low one; adding 40 has not changed cc
/// ```
///
/// A high surrogate at the end is written although its low surrogate has not been seen: its two bytes do not depend on
/// it. If the next block turns out not to begin with one, the caller takes them back.
#[inline(always)]
fn put_pairs<V: Vector>(
    units: V,
    previous: V,
    surrogates: V,
    carry: &mut u16,
    to: &mut [u8; ROOM],
) -> Option<usize> {
    let zero = units.splat16(0);
    let low = units.and(units.splat16(0xFC00)).cmpeq16(units.splat16(0xDC00));
    let lows = low.movemask16();
    // Well-formed if there is a low surrogate after each high one, and nowhere else.
    let highs = surrogates.movemask16() & !lows;
    if highs << 1 | *carry != lows {
        return None;
    }
    *carry = highs >> (UNITS - 1);
    let ascii = units.and(units.splat16(0xFF80)).cmpeq16(zero);
    let small = units.and(units.splat16(0xF800)).cmpeq16(zero);
    // value >> 10, of which 10000 contributes 40.
    let above = units.and(units.splat16(0x3FF)).add16(units.splat16(0x40));
    let of_high = above
        .and(units.splat16(0x700))
        .or(above.shr16::<2>().and(units.splat16(0x3F)))
        .or(units.splat16(0xF080));
    let of_low = previous
        .shl16::<12>()
        .and(units.splat16(0x3000))
        .or(units.shl16::<2>().and(units.splat16(0x0F00)))
        .or(units.and(units.splat16(0x3F)))
        .or(units.splat16(0x8080));
    let of_pair = low.blend(of_low, of_high);
    let lasts = surrogates.blend(of_pair, last_two(units, ascii, small));
    // A surrogate counts as small, so it has two bytes. What is computed as its first of three bytes is left out.
    let lengths = lengths(ascii, small.or(surrogates));
    Some(put_spread(lasts, first_of_three(units), lengths, to))
}

#[inline(always)]
fn load16<V: Vector, const BIG: bool>(simd: V, from: &[u8; 32]) -> V {
    let units = simd.load(from);
    if BIG { units.swap_bytes16() } else { units }
}

/// Blocks follow each other regardless of surrogate pairs. If a block that ends within a pair were to end one unit
/// earlier, the address of each block would depend on the masks of the one before. Instead, `carry` passes the high
/// surrogate on.
///
/// The fast path does not update `before`. Only a low surrogate needs the unit before it, and one at the start of a
/// block is accepted only if `carry` is 1, which the fast path excludes.
#[inline(always)]
pub(crate) fn from_utf16<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    let (mut before, mut carry) = (simd.splat16(0), 0);
    loop {
        // Fast path: two blocks at a time, as long as there are no surrogates.
        while carry == 0
            && let Some(to) = output[done.written..].first_chunk_mut::<{ 2 * ROOM }>()
            && let Some(from) = input[done.read..].first_chunk::<64>()
        {
            let [a, b] =
                [load16::<V, BIG>(simd, at(from, 0)), load16::<V, BIG>(simd, at(from, 32))];
            if a.or(b).and(simd.splat16(0xFF80)).is_zero() {
                V::narrow16([a, b]).store(at_mut(to, 0));
                done.written += 32;
            } else if surrogates(a).or(surrogates(b)).is_zero() {
                let written = put_plain(a, at_mut(to, 0));
                done.written += written + put_plain(b, at_mut(to, written));
            } else {
                break;
            }
            done.read += 64;
        }
        let Some(to) = output[done.written..].first_chunk_mut::<ROOM>() else { break };
        let Some(from) = input[done.read..].first_chunk::<32>() else { break };
        let units = load16::<V, BIG>(simd, from);
        let surrogates = surrogates(units);
        done.written += if carry == 0 && surrogates.is_zero() {
            put_plain(units, to)
        } else {
            let previous = units.align_right::<14>(before);
            let Some(written) = put_pairs(units, previous, surrogates, &mut carry, to) else {
                break;
            };
            written
        };
        before = units;
        done.read += 32;
    }
    // A high surrogate at the end of the last block is not a whole character: take it back, and let the portable kernel
    // decide. Its low surrogate may come after the last whole block, or not at all.
    done.read -= 2 * usize::from(carry);
    done.written -= 2 * usize::from(carry);
    finish_portable(utf16(BIG), EncodingForm::Utf8, done, input, output)
}

/// No character of Latin-1 takes more than two bytes, so there are only two ways, and nothing can be ill-formed.
#[inline(always)]
pub(crate) fn from_latin1<V: Vector>(simd: V, input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while let Some(to) = output[done.written..].first_chunk_mut::<{ 2 * ROOM }>()
        && let Some(from) = input[done.read..].first_chunk()
    {
        let bytes = simd.load(from);
        if !bytes.any_high_bit() {
            bytes.store(at_mut(to, 0));
            done.written += 32;
        } else {
            let [lower, upper] = bytes.widen8();
            let written = put_two(lower, at_mut(to, 0));
            done.written += written + put_two(upper, at_mut(to, written));
        }
        done.read += 32;
    }
    finish_portable(EncodingForm::Latin1, EncodingForm::Utf8, done, input, output)
}

#[inline(always)]
fn load32<V: Vector, const BIG: bool>(simd: V, from: &[u8; 32]) -> V {
    let units = simd.load(from);
    if BIG { units.swap_bytes32() } else { units }
}

/// Values up to FFFF are narrowed to 16 bits and take the ways of UTF-16 without pairs. Text with greater ones takes
/// elements of 32 bits (`put_four`), which also judges whether they are scalar values.
#[inline(always)]
pub(crate) fn from_utf32<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    loop {
        // Fast path: 32 values at a time, as long as all are scalar values up to FFFF, in the way of UTF-16.
        while let Some(to) = output[done.written..].first_chunk_mut::<{ 2 * ROOM }>()
            && let Some(from) = input[done.read..].first_chunk::<128>()
        {
            let lower = [load32::<V, BIG>(simd, at(from, 0)), load32::<V, BIG>(simd, at(from, 32))];
            let upper =
                [load32::<V, BIG>(simd, at(from, 64)), load32::<V, BIG>(simd, at(from, 96))];
            let any = lower[0].or(lower[1]).or(upper[0].or(upper[1]));
            if !any.and(simd.splat32(!0xFFFF)).is_zero() {
                break;
            }
            let (a, b) = (V::narrow32(lower), V::narrow32(upper));
            if any.and(simd.splat32(!0x7F)).is_zero() {
                V::narrow16([a, b]).store(at_mut(to, 0));
                done.written += 32;
            } else if surrogates(a).or(surrogates(b)).is_zero() {
                let written = put_plain(a, at_mut(to, 0));
                done.written += written + put_plain(b, at_mut(to, written));
            } else {
                break;
            }
            done.read += 128;
        }
        let Some(to) = output[done.written..].first_chunk_mut::<ROOM>() else { break };
        let Some(from) = input[done.read..].first_chunk::<64>() else { break };
        let both = [load32::<V, BIG>(simd, at(from, 0)), load32::<V, BIG>(simd, at(from, 32))];
        let Some(written) = put_four(both, to) else { break };
        done.written += written;
        done.read += 64;
    }
    finish_portable(utf32(BIG), EncodingForm::Utf8, done, input, output)
}

/// Writes 16 values and returns the number of bytes; `None` if some are not scalar values.
#[inline(always)]
fn put_four<V: Vector>([lower, upper]: [V; 2], to: &mut [u8; ROOM]) -> Option<usize> {
    if super::units::not_scalar_values(lower)
        .or(super::units::not_scalar_values(upper))
        .any_high_bit()
    {
        return None;
    }
    let (lower, lower_lengths) = spread_four(lower);
    let (upper, upper_lengths) = spread_four(upper);
    // The two bits of each length are the highest of two bytes; narrowed, these are in the order of the values.
    let lengths = V::narrow32([lower_lengths, upper_lengths]).movemask8();
    let [a, b, c, d] = lengths.to_le_bytes();
    let shuffle = |index: u8| &FORMS[usize::from(index)];
    // The length code of a four-byte sequence, 10, counts as one bit instead of three, so two are added for each.
    let len = |index: u8| {
        let fours = index >> 1 & !index & 0x55;
        (4 + index.count_ones() + 2 * fours.count_ones()) as usize
    };
    let lower = lower.shuffle(lower.load_lanes(shuffle(a), shuffle(b)));
    let upper = upper.shuffle(lower.load_lanes(shuffle(c), shuffle(d)));
    let mut written = 0;
    lower.store_lower(at_mut(to, written));
    written += len(a);
    lower.store_upper(at_mut(to, written));
    written += len(b);
    upper.store_lower(at_mut(to, written));
    written += len(c);
    upper.store_upper(at_mut(to, written));
    Some(written + len(d))
}

/// Returns the UTF-8 sequences of eight scalar values, last byte lowest, and their lengths: the highest bits of the two
/// lowest bytes are 00, 01, 11 or 10 for one to four bytes.
#[inline(always)]
fn spread_four<V: Vector>(values: V) -> (V, V) {
    let past = |value: u32| values.cmpgt32(values.splat32(value));
    let (two, three, four) = (past(0x7F), past(0x7FF), past(0xFFFF));
    let six = values.splat32(0x3F);
    let tails = values
        .and(six)
        .or(values.shl32::<2>().and(values.splat32(0x3F00)))
        .or(values.shl32::<4>().and(values.splat32(0x3F_0000)))
        .or(values.shl32::<6>().and(values.splat32(0x0700_0000)));
    // The markers of two bytes, C0 80. With each further byte, what was the first byte becomes a continuation byte, and
    // a new one comes before it: xor turns C0 into 80 (4000) and adds E0, then E0 into 80 (60_0000) and adds F0.
    let markers = values
        .splat32(0xC080)
        .xor(three.and(values.splat32(0x00E0_4000)))
        .xor(four.and(values.splat32(0xF060_0000)));
    let lengths = two.xor(four).and(values.splat32(0x00FF)).or(three.and(values.splat32(0xFF00)));
    (two.blend(tails.or(markers), values), lengths)
}
