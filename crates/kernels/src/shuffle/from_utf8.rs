//! From UTF-8. A block of 64 bytes begins at the start of a character. Every eight of its bytes, at fixed offsets, give
//! the characters that begin in them: a shuffle, applied again two bytes further on, gathers the bytes of each
//! character.
//!
//! ```text
//! bytes    41 C3 A9 E2 82 AC 42 43 | …        wanted: 1 1 · 1 · · 1 1
//! first    41 C3 E2 42 43   · · ·             the wanted bytes, each with the byte after it
//! second   C3 A9 82 43 ..
//! third    A9 E2 AC .. ..                     the same shuffle, two bytes further on
//! units    41 E9 20AC 42 43                   shifted, added, the marker bits subtracted
//! ```
//!
//! A block that begins with sixteen characters of three bytes needs no table: their places are known.
//!
//! The number of characters says where the next ones are written; where the next bytes are is known before. Memory is
//! read once per block; everything else happens in registers.

use super::tables::COMPRESS;
use super::validate::{faults, first_of, whole};
use super::{EncodingForm, Progress, Vector, at, at_mut, finish_portable, utf16, utf32};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes whose characters fit into one lane.
const GROUP: usize = 8;

/// The target form.
trait FromUtf8Target<V: Vector> {
    /// Bytes of a unit.
    const UNIT: usize;
    /// Bytes of free output that a block needs.
    const ROOM: usize;
    /// Whether a four-byte sequence becomes two units.
    const SURROGATES: bool;
    /// The greatest first byte of a character that the form has.
    const GREATEST: u8;
    const FORM: EncodingForm;

    /// Writes 32 ASCII characters.
    fn put_ascii(bytes: V, to: &mut [u8]);

    /// Writes 16-bit values: `lower` of them from the lower lane, then those of the upper.
    fn put(values: V, lower: usize, to: &mut [u8]);

    /// The same if some have four bytes.
    fn put_four(columns: &SequenceColumns<V>, lower: usize, to: &mut [u8]);

    /// Writes two times eight values of 32 bits, none of which is past FFFF.
    fn put_wide(values: [V; 2], to: &mut [u8]);
}

/// The characters of two groups, one group per lane. Each 16-bit element holds one byte of a sequence.
struct SequenceColumns<V> {
    first: V,
    second: V,
    third: V,
    fourth: V,
}

impl<V: Vector> SequenceColumns<V> {
    /// Returns the values of characters of up to three bytes.
    #[inline(always)]
    fn up_to_three(&self) -> V {
        let three = self.second.add16(self.first.shl16::<6>()).shl16::<6>().add16(self.third);
        let is = self.first.cmpgt16(self.first.splat16(0xDF));
        is.blend(three.sub16(self.first.splat16(0x2080)), self.up_to_two())
    }

    /// Returns the values of characters of up to two bytes.
    #[inline(always)]
    fn up_to_two(&self) -> V {
        let two = self.first.shl16::<6>().add16(self.second).sub16(self.first.splat16(0x3080));
        self.first.cmpgt16(self.first.splat16(0xBF)).blend(two, self.first)
    }

    /// Those of four.
    #[inline(always)]
    fn are_four(&self) -> V {
        self.first.cmpgt16(self.first.splat16(0xEF))
    }
}

/// The kernel of every target.
#[inline(always)]
fn run<V: Vector, T: FromUtf8Target<V>>(simd: V, input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    let mut padded = [0; BLOCK];
    while output.len() - done.written >= T::ROOM {
        let to = &mut output[done.written..done.written + T::ROOM];
        let rest = &input[done.read..];
        let (from, available) = if let Some(from) = rest.first_chunk::<BLOCK>() {
            (from, BLOCK)
        } else {
            // The last few bytes, padded with zeros.
            padded[..rest.len()].copy_from_slice(rest);
            padded[rest.len()..].fill(0);
            (&padded, whole(&padded[..rest.len()]))
        };
        let bytes = [simd.load(at(from, 0)), simd.load(at(from, 32))];
        if available == BLOCK && !bytes[0].or(bytes[1]).any_high_bit() {
            T::put_ascii(bytes[0], to);
            T::put_ascii(bytes[1], &mut to[32 * T::UNIT..]);
            done.read += BLOCK;
            done.written += BLOCK * T::UNIT;
            continue;
        }
        let (len, ends) = match fault_in::<V, T>(bytes) {
            None if available == BLOCK => {
                if T::GREATEST >= 0xE0 && begins_with_threes(bytes) {
                    T::put_wide(threes(bytes), to);
                    done.read += 3 * THREES;
                    done.written += THREES * T::UNIT;
                    continue;
                }
                // Predicted from bytes in memory, so that the place of the next block is known early; the register
                // confirms it.
                let predicted = whole_len(*at(from, BLOCK - 4));
                let len = whole_len(bytes[1].last_four());
                (if len == predicted { predicted } else { mispredicted(len) }, false)
            }
            None => (available, true),
            Some(place) => (before_fault(bytes, place).min(available), true),
        };
        if len > 0 {
            done.written += block::<V, T>(bytes, len, to);
            done.read += len;
        }
        if ends {
            break;
        }
    }
    finish_portable(EncodingForm::Utf8, T::FORM, done, input, output)
}

/// Characters of three bytes that are converted at once if a block begins with as many: text in Chinese, Japanese or
/// Korean.
const THREES: usize = 16;

/// Whether a good block begins with `THREES` characters of three bytes.
#[inline(always)]
fn begins_with_threes<V: Vector>([lower, upper]: [V; 2]) -> bool {
    /// Where they begin, and the character after them.
    const FIRSTS: u64 = 0x1_2492_4924_9249;
    let first = lower.splat8(0xBF);
    mask([lower.cmpgt8(first), upper.cmpgt8(first)]) << 15 == FIRSTS << 15
}

/// Returns the values of `THREES` characters of three bytes.
#[inline(always)]
fn threes<V: Vector>([lower, upper]: [V; 2]) -> [V; 2] {
    /// Of 12 bytes, every three as a 32-bit element, the last byte lowest.
    const FROM_0: [u8; 16] = [2, 1, 0, 0x80, 5, 4, 3, 0x80, 8, 7, 6, 0x80, 11, 10, 9, 0x80];
    /// The same, four bytes further on.
    const FROM_4: [u8; 16] = [6, 5, 4, 0x80, 9, 8, 7, 0x80, 12, 11, 10, 0x80, 15, 14, 13, 0x80];
    let [at_0_8, at_16_24, _, _] = sixteens([lower, upper]);
    // Bytes 0 to 23; then those from 24 to 47, in lanes that begin at 24 and at 32.
    let bytes = [at_0_8, upper.align_right::<0>(at_16_24)];
    let places = lower.load_lanes(&FROM_0, &FROM_4);
    [value_of_three(bytes[0].shuffle(places)), value_of_three(bytes[1].shuffle(places))]
}

/// Returns the values of characters of three bytes, each in a 32-bit element.
#[inline(always)]
fn value_of_three<V: Vector>(bytes: V) -> V {
    let first = bytes.shr32::<4>().and(bytes.splat32(0xF000));
    let second = bytes.shr32::<2>().and(bytes.splat32(0x0FC0));
    first.or(second).or(bytes.and(bytes.splat32(0x3F)))
}

/// Returns `len`, through a call that the processor does not predict: memory has changed since the block was read.
#[cold]
#[inline(never)]
fn mispredicted(len: usize) -> usize {
    len
}

/// Returns how many bytes of a good block are whole characters, from its last four bytes. It has no branches, so that
/// the place of the next block is known before this one is judged, whatever the text.
#[inline(always)]
fn whole_len([_, third, second, last]: [u8; 4]) -> usize {
    let cut = usize::from(last >= 0xC0)
        + 2 * usize::from(second >= 0xE0)
        + 3 * usize::from(third >= 0xF0);
    BLOCK - cut
}

/// Returns how many bytes before the fault at `place` are whole characters.
#[inline(always)]
fn before_fault<V: Vector>([lower, upper]: [V; 2], place: usize) -> usize {
    let mut bytes = [0; BLOCK];
    lower.store(at_mut(&mut bytes, 0));
    upper.store(at_mut(&mut bytes, 32));
    whole(&bytes[..place])
}

/// Returns the place of the first byte of a block that is wrong, or that begins a character the target lacks.
#[inline(always)]
fn fault_in<V: Vector, T: FromUtf8Target<V>>([lower, upper]: [V; 2]) -> Option<usize> {
    let mut wrong = [faults(lower, lower.splat8(0)), faults(upper, lower)];
    if T::GREATEST < 0xFF {
        // Only the high bits: a byte is 0 if nothing is wrong with it.
        let high = lower.splat8(0x80);
        wrong[0] = wrong[0].or(beyond(lower, T::GREATEST).and(high));
        wrong[1] = wrong[1].or(beyond(upper, T::GREATEST).and(high));
    }
    if wrong[0].or(wrong[1]).is_zero() {
        return None;
    }
    let place = first_of(wrong[0]);
    Some(if place < 32 { place } else { 32 + first_of(wrong[1]) })
}

/// Converts the characters of the first `len` bytes of a block: at least one byte, whole and good.
#[inline(always)]
fn block<V: Vector, T: FromUtf8Target<V>>(
    [lower, upper]: [V; 2],
    len: usize,
    to: &mut [u8],
) -> usize {
    let first = lower.splat8(0xBF);
    let within = u64::MAX >> (BLOCK - len);
    let firsts = mask([lower.cmpgt8(first), upper.cmpgt8(first)]) & within;
    let lanes = sixteens([lower, upper]);
    if !beyond(lower, 0xDF).or(beyond(upper, 0xDF)).any_high_bit() {
        return groups::<V, T, 2>(lanes, firsts, to);
    }
    let fours = mask([beyond(lower, 0xEF), beyond(upper, 0xEF)]) & within;
    if fours == 0 {
        groups::<V, T, 3>(lanes, firsts, to)
    } else {
        groups::<V, T, 4>(lanes, if T::SURROGATES { firsts | fours << 1 } else { firsts }, to)
    }
}

/// Returns the sixteen bytes that begin at every eighth byte of a block, two groups per vector, padded with zeros.
#[inline(always)]
fn sixteens<V: Vector>([lower, upper]: [V; 2]) -> [V; 4] {
    let zero = lower.splat8(0);
    let [a, b, c] =
        [lower.align_right::<8>(zero), upper.align_right::<8>(lower), zero.align_right::<8>(upper)];
    [
        lower.with_upper_lane(a),
        b.align_right::<0>(lower),
        upper.with_upper_lane(b),
        c.align_right::<0>(upper),
    ]
}

/// Sets the highest bit of bytes greater than `limit`, which is at least 80. The comparison is signed, so ASCII is
/// masked out.
#[inline(always)]
fn beyond<V: Vector>(bytes: V, limit: u8) -> V {
    bytes.and(bytes.cmpgt8(bytes.splat8(limit)))
}

/// Returns the highest bits of 64 bytes.
#[inline(always)]
fn mask<V: Vector>([lower, upper]: [V; 2]) -> u64 {
    u64::from(lower.movemask8()) | u64::from(upper.movemask8()) << 32
}

/// Writes the characters, or halves of pairs, that begin at the wanted bytes. `LONGEST` is the longest sequence among
/// them.
#[inline(always)]
fn groups<V: Vector, T: FromUtf8Target<V>, const LONGEST: usize>(
    lanes: [V; 4],
    wanted: u64,
    to: &mut [u8],
) -> usize {
    let mut written = 0;
    for (number, bytes) in lanes.into_iter().enumerate() {
        let [lower, upper] = ((wanted >> (2 * GROUP * number)) as u16).to_le_bytes();
        let places = bytes.load_lanes(&COMPRESS[usize::from(lower)], &COMPRESS[usize::from(upper)]);
        // Two bytes of each character at a time.
        let start = bytes.shuffle(places);
        let end = if LONGEST > 2 { bytes.shuffle(places.add8(bytes.splat8(2))) } else { start };
        let byte = bytes.splat16(0xFF);
        let columns = SequenceColumns {
            first: start.and(byte),
            second: start.shr16::<8>(),
            third: end.and(byte),
            fourth: end.shr16::<8>(),
        };
        let to = &mut to[written..];
        let lower = lower.count_ones() as usize;
        match LONGEST {
            2 => T::put(columns.up_to_two(), lower, to),
            3 => T::put(columns.up_to_three(), lower, to),
            _ => T::put_four(&columns, lower, to),
        }
        written += T::UNIT * (lower + upper.count_ones() as usize);
    }
    written
}

struct Utf16Target<const BIG: bool>;

impl<V: Vector, const BIG: bool> FromUtf8Target<V> for Utf16Target<BIG> {
    const UNIT: usize = 2;
    const ROOM: usize = 2 * BLOCK;
    const SURROGATES: bool = true;
    const GREATEST: u8 = 0xFF;
    const FORM: EncodingForm = utf16(BIG);

    #[inline(always)]
    fn put_ascii(bytes: V, to: &mut [u8]) {
        let [lower, upper] = bytes.widen8();
        (if BIG { lower.shl16::<8>() } else { lower }).store(at_mut(to, 0));
        (if BIG { upper.shl16::<8>() } else { upper }).store(at_mut(to, 32));
    }

    #[inline(always)]
    fn put(values: V, lower: usize, to: &mut [u8]) {
        let units = if BIG { values.swap_bytes16() } else { values };
        units.store_lower(at_mut(to, 0));
        units.store_upper(at_mut(to, 2 * lower));
    }

    #[inline(always)]
    fn put_wide(values: [V; 2], to: &mut [u8]) {
        let units = V::narrow32(values);
        (if BIG { units.swap_bytes16() } else { units }).store(at_mut(to, 0));
    }

    /// Returns UTF-16 units. An element whose first byte is a continuation byte is the second byte of a four-byte
    /// sequence and becomes the low surrogate: the third and fourth bytes follow it.
    #[inline(always)]
    fn put_four(columns: &SequenceColumns<V>, lower: usize, to: &mut [u8]) {
        let SequenceColumns { first, second, third, .. } = columns;
        // D7C0 + (value >> 10): three bits come from the first byte, six from the second, two from the third.
        let high = first
            .shl16::<8>()
            .add16(second.shl16::<2>())
            .add16(third.shr16::<4>())
            .add16(first.splat16(0xD7C0_u16.wrapping_sub(0xF208)));
        // The last two bytes: of a three-byte sequence, and of a low surrogate.
        let last = second.shl16::<6>().add16(*third).sub16(first.splat16(0x2080));
        let low = last.and(first.splat16(0x3FF)).or(first.splat16(0xDC00));
        let three = first.shl16::<12>().add16(last);
        let units = first.cmpgt16(first.splat16(0x7F)).blend(low, *first);
        let two = first.shl16::<6>().add16(*second).sub16(first.splat16(0x3080));
        let units = first.cmpgt16(first.splat16(0xBF)).blend(two, units);
        let units = first.cmpgt16(first.splat16(0xDF)).blend(three, units);
        Self::put(columns.are_four().blend(high, units), lower, to);
    }
}

struct Utf32Target<const BIG: bool>;

impl<V: Vector, const BIG: bool> FromUtf8Target<V> for Utf32Target<BIG> {
    const UNIT: usize = 4;
    const ROOM: usize = 4 * BLOCK;
    const SURROGATES: bool = false;
    const GREATEST: u8 = 0xFF;
    const FORM: EncodingForm = utf32(BIG);

    #[inline(always)]
    fn put_ascii(bytes: V, to: &mut [u8]) {
        let [lower, upper] = bytes.widen8();
        let [a, b] = lower.widen16();
        let [c, d] = upper.widen16();
        (if BIG { a.shl32::<24>() } else { a }).store(at_mut(to, 0));
        (if BIG { b.shl32::<24>() } else { b }).store(at_mut(to, 32));
        (if BIG { c.shl32::<24>() } else { c }).store(at_mut(to, 64));
        (if BIG { d.shl32::<24>() } else { d }).store(at_mut(to, 96));
    }

    #[inline(always)]
    fn put(values: V, lower: usize, to: &mut [u8]) {
        let [a, b] = values.widen16();
        (if BIG { a.swap_bytes32() } else { a }).store(at_mut(to, 0));
        (if BIG { b.swap_bytes32() } else { b }).store(at_mut(to, 4 * lower));
    }

    #[inline(always)]
    fn put_wide([a, b]: [V; 2], to: &mut [u8]) {
        (if BIG { a.swap_bytes32() } else { a }).store(at_mut(to, 0));
        (if BIG { b.swap_bytes32() } else { b }).store(at_mut(to, 32));
    }

    #[inline(always)]
    fn put_four(columns: &SequenceColumns<V>, lower: usize, to: &mut [u8]) {
        let SequenceColumns { first, second, third, fourth } = columns;
        // The upper half of a value: three bits come from the first byte and two from the second; then the lower half.
        let above = first.shl16::<2>().add16(second.shr16::<4>()).sub16(first.splat16(0x3C8));
        let below = second.shl16::<6>().add16(*third).shl16::<6>().add16(*fourth);
        let are = columns.are_four();
        let below = are.blend(below.sub16(first.splat16(0x2080)), columns.up_to_three());
        let [a, b] = below.zip16(above.and(are));
        let (a, b) = if BIG { (a.swap_bytes32(), b.swap_bytes32()) } else { (a, b) };
        a.store_lower(at_mut(to, 0));
        b.store_lower(at_mut(to, 16));
        a.store_upper(at_mut(to, 4 * lower));
        b.store_upper(at_mut(to, 4 * lower + 16));
    }
}

struct Latin1Target;

impl<V: Vector> FromUtf8Target<V> for Latin1Target {
    const UNIT: usize = 1;
    const ROOM: usize = BLOCK + GROUP;
    const SURROGATES: bool = false;
    const GREATEST: u8 = 0xC3;
    const FORM: EncodingForm = EncodingForm::Latin1;

    #[inline(always)]
    fn put_ascii(bytes: V, to: &mut [u8]) {
        bytes.store(at_mut(to, 0));
    }

    #[inline(always)]
    fn put(values: V, lower: usize, to: &mut [u8]) {
        const EVEN: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 1, 1, 1, 1, 1, 1, 1];
        let bytes = values.shuffle(values.broadcast_lane(&EVEN));
        bytes.store_lower(at_mut(to, 0));
        bytes.store_upper(at_mut(to, lower));
    }

    #[inline(always)]
    fn put_four(_: &SequenceColumns<V>, _: usize, _: &mut [u8]) {}

    #[inline(always)]
    fn put_wide(_: [V; 2], _: &mut [u8]) {}
}

/// A kernel under the contract of [`crate`].
#[inline(always)]
pub(crate) fn to_utf16<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    run::<V, Utf16Target<BIG>>(simd, input, output)
}

/// A kernel under the contract of [`crate`].
#[inline(always)]
pub(crate) fn to_utf32<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    run::<V, Utf32Target<BIG>>(simd, input, output)
}

/// A kernel under the contract of [`crate`].
#[inline(always)]
pub(crate) fn to_latin1<V: Vector>(simd: V, input: &[u8], output: &mut [u8]) -> Progress {
    run::<V, Latin1Target>(simd, input, output)
}
