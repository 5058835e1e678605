//! From UTF-8. A block of 64 bytes begins at the start of a character. It has eight groups of eight bytes, at fixed
//! offsets, and a group gives the characters that *begin* in it. Two groups are converted at a time, one per lane:
//!
//! ```text
//! group    41 C3 A9 E2 82 AC 42 43 | 44 …     eight bytes, and the eight after them as lookahead
//! wanted    1  1  ·  1  ·  ·  1  1            bytes that begin a character: the index of the shuffle
//! first    41 C3 E2 42 43   · · ·             the wanted bytes, in 16-bit elements with the byte after each
//! second   C3 A9 82 43 44
//! third    A9 E2 AC 44 ..                     the same shuffle, two bytes further on
//! units    41 E9 20AC 42 43                   shifted and added, the marker bits subtracted at once
//! ```
//!
//! Each step computes all three lengths and blends them by the first byte. Bytes that a shorter character does not have
//! are gathered too, and ignored.
//!
//! Characters before a step decide only where its output goes. The output of a step is stored in whole lanes: what a
//! store writes beyond the last character is overwritten by the next store, and `ROOM` has space for that of the last.
//!
//! Two kinds of blocks take a shortcut: US-ASCII is only widened, and a block that begins with sixteen characters of
//! three bytes, as in Chinese or Japanese, needs no table, since their places are known.

use super::tables::COMPRESS;
use super::validate::{faults, first_of, whole};
use super::{EncodingForm, Progress, Vector, at, at_mut, finish_portable, utf16, utf32};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes whose characters fit into one lane, as at most eight begin in them.
const GROUP: usize = 8;

/// The form to convert to.
trait FromUtf8Target<V: Vector> {
    /// Bytes of a unit.
    const UNIT: usize;
    /// Bytes of free output that a block needs: for its characters, and for what is stored beyond the last of them.
    ///
    /// A block takes four steps, each of which writes at most 16 units. So the last step begins after 48 units at the
    /// latest. It stores the lower lane as a whole, and then the upper one after the units of the lower, which are at
    /// most 8:
    ///
    /// ```text
    /// UTF-16     48 × 2 + 8 × 2 + 16   =  2 × BLOCK
    /// UTF-32     48 × 4 + 8 × 4 + 32   =  4 × BLOCK         a lane becomes two
    /// Latin-1    48     + 8     + 16   =  BLOCK + GROUP
    /// ```
    const ROOM: usize;
    /// Whether a four-byte sequence becomes two units.
    const SURROGATES: bool;
    /// The greatest byte that begins a character of the form: C3 for Latin-1.
    const MAX_LEAD: u8;
    const FORM: EncodingForm;

    /// Writes 32 ASCII characters.
    fn put_ascii(bytes: V, to: &mut [u8]);

    /// Writes characters of up to three bytes: the first `lower` values of the lower lane, then those of the upper.
    fn put(values: V, lower: usize, to: &mut [u8]);

    /// Writes characters of which some have four bytes.
    fn put_four(columns: &SequenceColumns<V>, lower: usize, to: &mut [u8]);

    /// Writes 16 values of 32 bits that are at most FFFF.
    fn put_wide(values: [V; 2], to: &mut [u8]);
}

/// The characters of two groups, one group per lane, by columns: the same element of each vector holds the first byte
/// of a character, the second, and so on. The elements have 16 bits, so sums of bytes do not overflow into the next.
///
/// The bytes are added with their marker bits, and the sum of the markers is subtracted once:
///
/// ```text
/// E2 82 AC    E2 << 12 + 82 << 6 + AC = E412C        markers E0 << 12 + 80 << 6 + 80 = E2080
///             E412C - E2080           = 20AC         (of which 16 bits are kept: 412C - 2080)
/// ```
///
/// The first byte of an element selects its length: above BF two bytes, above DF three, above EF four. It is at most
/// FF, so a signed comparison of 16 bits is right.
struct SequenceColumns<V> {
    first: V,
    second: V,
    third: V,
    fourth: V,
}

impl<V: Vector> SequenceColumns<V> {
    #[inline(always)]
    fn up_to_three(&self) -> V {
        let three = self.second.add16(self.first.shl16::<6>()).shl16::<6>().add16(self.third);
        let is = self.first.cmpgt16(self.first.splat16(0xDF));
        is.blend(three.sub16(self.first.splat16(0x2080)), self.up_to_two())
    }

    #[inline(always)]
    fn up_to_two(&self) -> V {
        let two = self.first.shl16::<6>().add16(self.second).sub16(self.first.splat16(0x3080));
        self.first.cmpgt16(self.first.splat16(0xBF)).blend(two, self.first)
    }

    #[inline(always)]
    fn are_four(&self) -> V {
        self.first.cmpgt16(self.first.splat16(0xEF))
    }
}

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
            // The last few bytes, padded with zeros: NUL is well-formed, and `available` ends before it.
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
                if T::MAX_LEAD >= 0xE0 && begins_with_threes(bytes) {
                    T::put_wide(threes(bytes), to);
                    done.read += 3 * THREES;
                    done.written += THREES * T::UNIT;
                    continue;
                }
                // The next block begins where the last whole character of this one ends, which the last three bytes
                // tell. Taken from the register, that would be a chain from one block to the next: load, extract,
                // compare, add. So the length is computed from the same bytes in memory, by a scalar load, and the
                // register only confirms it, in a branch that is always predicted.
                //
                // The two are always equal, but the compiler must not use that: see `mispredicted`.
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

/// Characters of three bytes that are converted together if a block begins with as many.
const THREES: usize = 16;

/// Whether a well-formed block begins with `THREES` characters of three bytes.
#[inline(always)]
fn begins_with_threes<V: Vector>([lower, upper]: [V; 2]) -> bool {
    /// A bit for every third byte, from 0 to 48. In a well-formed block, the distance to the next first byte is the
    /// length of a character, so no lead byte has to be examined. The last bit rules out that the sixteenth character
    /// has four bytes. What begins after it does not matter, so the masks are shifted before they are compared.
    const FIRSTS: u64 = 0x1_2492_4924_9249;
    let first = lower.splat8(0xBF);
    mask([lower.cmpgt8(first), upper.cmpgt8(first)]) << 15 == FIRSTS << 15
}

/// Returns the values of `THREES` characters of three bytes.
#[inline(always)]
fn threes<V: Vector>([lower, upper]: [V; 2]) -> [V; 2] {
    /// Spreads the first 12 bytes of a lane to four 32-bit elements, three to each, the last byte lowest.
    const FROM_0: [u8; 16] = [2, 1, 0, 0x80, 5, 4, 3, 0x80, 8, 7, 6, 0x80, 11, 10, 9, 0x80];
    /// The same for the last 12 bytes.
    const FROM_4: [u8; 16] = [6, 5, 4, 0x80, 9, 8, 7, 0x80, 12, 11, 10, 0x80, 15, 14, 13, 0x80];
    let [at_0_8, at_16_24, _, _] = sixteens([lower, upper]);
    // Four lanes, of which each gives the next 12 bytes of the block:
    //
    //              lower lane                 upper lane
    //   bytes[0]   0 … 15: FROM_0, 0 … 11     8 … 23: FROM_4, 12 … 23
    //   bytes[1]   24 … 39: FROM_0, 24 … 35   32 … 47: FROM_4, 36 … 47
    let bytes = [at_0_8, upper.align_right::<0>(at_16_24)];
    let indices = lower.load_lanes(&FROM_0, &FROM_4);
    [value_of_three(bytes[0].shuffle(indices)), value_of_three(bytes[1].shuffle(indices))]
}

/// Returns the values of characters of three bytes, each in a 32-bit element with its last byte lowest. The masks leave
/// out the marker bits:
///
/// ```text
/// 00E282AC   >> 4 & F000   2000
///            >> 2 & 0FC0   0080
///                 & 003F   002C     together 20AC
/// ```
#[inline(always)]
fn value_of_three<V: Vector>(bytes: V) -> V {
    let first = bytes.shr32::<4>().and(bytes.splat32(0xF000));
    let second = bytes.shr32::<2>().and(bytes.splat32(0x0FC0));
    first.or(second).or(bytes.and(bytes.splat32(0x3F)))
}

/// Returns `len`. The call keeps two values apart that the compiler knows to be equal on one side of a branch: it would
/// turn `if len == predicted { predicted } else { len }` into `len`, and the next load would wait for the register.
#[cold]
#[inline(never)]
fn mispredicted(len: usize) -> usize {
    len
}

/// Returns how many bytes of a well-formed block are whole characters, from its last four bytes. It has no branches:
/// where characters end within a block is random in most text, so they would be mispredicted.
///
/// At most one of the three conditions holds, so their sum is the number of bytes: after the first byte of the
/// truncated character there are only continuation bytes.
#[inline(always)]
fn whole_len([_, third, second, last]: [u8; 4]) -> usize {
    let truncated = usize::from(last >= 0xC0)
        + 2 * usize::from(second >= 0xE0)
        + 3 * usize::from(third >= 0xF0);
    BLOCK - truncated
}

/// Returns how many bytes before the fault at `place` are whole characters.
#[inline(always)]
fn before_fault<V: Vector>([lower, upper]: [V; 2], place: usize) -> usize {
    let mut bytes = [0; BLOCK];
    lower.store(at_mut(&mut bytes, 0));
    upper.store(at_mut(&mut bytes, 32));
    whole(&bytes[..place])
}

/// Returns the place of the first byte of a block that is ill-formed, or that begins a character the target lacks. The
/// block begins at the start of a character, so nothing before it matters.
#[inline(always)]
fn fault_in<V: Vector, T: FromUtf8Target<V>>([lower, upper]: [V; 2]) -> Option<usize> {
    let mut wrong = [faults(lower, lower.splat8(0)), faults(upper, lower)];
    if T::MAX_LEAD < 0xFF {
        // `beyond` returns whole bytes, among them those of ASCII. A fault is any byte that is not 0, so only the high
        // bits may be merged.
        let high = lower.splat8(0x80);
        wrong[0] = wrong[0].or(beyond(lower, T::MAX_LEAD).and(high));
        wrong[1] = wrong[1].or(beyond(upper, T::MAX_LEAD).and(high));
    }
    if wrong[0].or(wrong[1]).is_zero() {
        return None;
    }
    let place = first_of(wrong[0]);
    Some(if place < 32 { place } else { 32 + first_of(wrong[1]) })
}

/// Converts the first `len` bytes of a block, which are whole, well-formed characters, at least one. Returns the number
/// of bytes written.
///
/// The bytes after `len` may be padding, a fault, or the start of the next character. They are cut off the masks of
/// first bytes, and then no step writes anything for them. They still take part in the choice between two bytes and
/// more, where they can only make it too cautious.
///
/// To UTF-16, the second byte of a four-byte sequence is wanted as well: it gives the low surrogate (`put_four`).
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

/// Returns the 16 bytes at every eighth byte of a block, two groups per vector, padded with zeros.
///
/// Byte shifts in registers replace eight overlapping loads. `a`, `b` and `c` are the block from byte -8, 24 and 56 on:
///
/// ```text
/// lower  00 … 0F | 10 … 1F      a  -8 … 07 | 08 … 17      result  00 … 0F | 08 … 17
/// upper  20 … 2F | 30 … 3F      b  18 … 27 | 28 … 37               10 … 1F | 18 … 27
///                               c  38 …    | ·                     20 … 2F | 28 … 37
///                                                                  30 … 3F | 38 …
/// ```
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

/// Returns the bytes that are greater than `limit`, which is at least 80, and 0 or ASCII for the others: their highest
/// bits are a mask. To the signed comparison, ASCII is greater than any `limit`, which is why the bytes themselves are
/// returned and not the mask.
#[inline(always)]
fn beyond<V: Vector>(bytes: V, limit: u8) -> V {
    bytes.and(bytes.cmpgt8(bytes.splat8(limit)))
}

#[inline(always)]
fn mask<V: Vector>([lower, upper]: [V; 2]) -> u64 {
    u64::from(lower.movemask8()) | u64::from(upper.movemask8()) << 32
}

/// Writes an element for each wanted byte: a character, or half of a surrogate pair. `MAX_LEN` is the length of the
/// longest sequence.
///
/// A lane has the eight bytes of a group and the eight after them. A character that begins with the last byte of the
/// group ends at most three bytes later, so the lookahead is always long enough.
///
/// A group waits for those before it only to know where to store: their output is as long as their bits are many.
#[inline(always)]
fn groups<V: Vector, T: FromUtf8Target<V>, const MAX_LEN: usize>(
    lanes: [V; 4],
    wanted: u64,
    to: &mut [u8],
) -> usize {
    let mut written = 0;
    for (number, bytes) in lanes.into_iter().enumerate() {
        let [lower, upper] = ((wanted >> (2 * GROUP * number)) as u16).to_le_bytes();
        let indices =
            bytes.load_lanes(&COMPRESS[usize::from(lower)], &COMPRESS[usize::from(upper)]);
        // An index that gives 0 has its highest bit set, and keeps it when 2 is added.
        let start = bytes.shuffle(indices);
        let end = if MAX_LEN > 2 { bytes.shuffle(indices.add8(bytes.splat8(2))) } else { start };
        let byte = bytes.splat16(0xFF);
        let columns = SequenceColumns {
            first: start.and(byte),
            second: start.shr16::<8>(),
            third: end.and(byte),
            fourth: end.shr16::<8>(),
        };
        let to = &mut to[written..];
        let lower = lower.count_ones() as usize;
        match MAX_LEN {
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
    const MAX_LEAD: u8 = 0xFF;
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

    /// A four-byte sequence has two elements, which become its surrogates:
    ///
    /// ```text
    /// F0 9F 98 80   wanted 1 1 · ·     first F0   second 9F   third 98     the high surrogate
    ///                                  first 9F   second 98   third 80     the low one: ten bits of the last two bytes
    /// ```
    ///
    /// So a first byte from 80 to BF marks a low surrogate. Nothing else has one, since the block is well-formed.
    #[inline(always)]
    fn put_four(columns: &SequenceColumns<V>, lower: usize, to: &mut [u8]) {
        let SequenceColumns { first, second, third, .. } = columns;
        // D7C0 + (value >> 10), which is D800 + ((value - 10000) >> 10). Three bits come from the first byte, six from
        // the second, two from the third; their markers add up to F208.
        let high = first
            .shl16::<8>()
            .add16(second.shl16::<2>())
            .add16(third.shr16::<4>())
            .add16(first.splat16(0xD7C0_u16.wrapping_sub(0xF208)));
        // The twelve bits of the last two bytes, of a three-byte sequence or of a low surrogate.
        let last = second.shl16::<6>().add16(*third).sub16(first.splat16(0x2080));
        let low = last.and(first.splat16(0x3FF)).or(first.splat16(0xDC00));
        let three = first.shl16::<12>().add16(last);
        // From the lowest first bytes to the highest, so that each blend overrides the one before.
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
    const MAX_LEAD: u8 = 0xFF;
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
        // The 16-bit halves of a value are computed apart. The upper one has three bits of the first byte and two of
        // the second, with the markers F0 << 2 and 80 >> 4; the lower one has the rest.
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
    const MAX_LEAD: u8 = 0xC3;
    const FORM: EncodingForm = EncodingForm::Latin1;

    #[inline(always)]
    fn put_ascii(bytes: V, to: &mut [u8]) {
        bytes.store(at_mut(to, 0));
    }

    /// The values are at most FF, so the lower byte of each is the character. The upper half of `EVEN` only has to be
    /// valid: what it gathers is beyond the last character, and is overwritten.
    #[inline(always)]
    fn put(values: V, lower: usize, to: &mut [u8]) {
        const EVEN: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 1, 1, 1, 1, 1, 1, 1];
        let bytes = values.shuffle(values.broadcast_lane(&EVEN));
        bytes.store_lower(at_mut(to, 0));
        bytes.store_upper(at_mut(to, lower));
    }

    // Neither of these is ever called: `MAX_LEAD` makes every sequence of more than two bytes a fault.
    #[inline(always)]
    fn put_four(_: &SequenceColumns<V>, _: usize, _: &mut [u8]) {}

    #[inline(always)]
    fn put_wide(_: [V; 2], _: &mut [u8]) {}
}

#[inline(always)]
pub(crate) fn to_utf16<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    run::<V, Utf16Target<BIG>>(simd, input, output)
}

#[inline(always)]
pub(crate) fn to_utf32<V: Vector, const BIG: bool>(
    simd: V,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    run::<V, Utf32Target<BIG>>(simd, input, output)
}

#[inline(always)]
pub(crate) fn to_latin1<V: Vector>(simd: V, input: &[u8], output: &mut [u8]) -> Progress {
    run::<V, Latin1Target>(simd, input, output)
}
