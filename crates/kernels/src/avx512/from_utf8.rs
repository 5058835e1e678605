//! From UTF-8. A block begins at the start of a character. Masks give the start and the length of each character.
//!
//! ```text
//! bytes      41 | C3 A9 | E2 82 AC | F0 9F 98 80 | E2 82   (the block ends here)
//! multi       ·   1       1          1             1       bytes that begin a multi-byte sequence
//! expected    ·   ·  1    ·  1  1    ·  1  1  1    ·  1    where continuation bytes are expected
//! good        1   1  1    1  1  1    1  1  1  1    ·  ·    up to the last whole, well-formed character
//! ```
//!
//! By Table 3-7 a text is well-formed if it has continuation bytes exactly where they are expected, none of C0, C1 and
//! F5 to FF, and no second byte outside the narrower range after E0, ED, F0 and F4. In terms of masks: `expected`
//! equals `tail`, and `out_of_range` is 0.
//!
//! To convert, the first bytes of all characters are packed, then the bytes after them, and so on, which gives columns:
//! the same lane of each has the bytes of one character. Only validation and the copy of UTF-8 do without: their blocks
//! follow each other regardless of characters, and [`BlockCarry`] passes on what the next block must know.

use std::arch::x86_64::*;

use super::registers::{
    BLOCK, compress8, last_byte, load, low_mask, ordered16, ordered32, store, store_first,
};
use crate::contract::{EncodingForm, Progress};
use crate::portable::finish_portable;
use crate::shuffle::validate::{BYTE_1_HIGH, BYTE_1_LOW, BYTE_2_HIGH};

/// Where the characters of a block are.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Continuation bytes.
    tail: u64,
    /// First bytes of sequences of at least two bytes, of at least three, and of four. Bytes from F5 on are among them,
    /// as `out_of_range` refuses them.
    multi: u64,
    three: u64,
    four: u64,
}

impl Shape {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn of(bytes: __m512i) -> Self {
        let at_least = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8));
        // As signed numbers, 80 to BF are less than C0, and ASCII is not.
        let tail = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        Self {
            tail,
            multi: _mm512_movepi8_mask(bytes) & !tail,
            three: at_least(0xE0),
            four: at_least(0xF0),
        }
    }

    #[inline]
    fn expected(self) -> u64 {
        self.multi << 1 | self.three << 2 | self.four << 3
    }

    /// Returns the places that break Table 3-7 in another way than by the number of continuation bytes. Each branch
    /// leaves out comparisons for bytes that most text does not have.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn out_of_range(self, bytes: __m512i) -> u64 {
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let below = |byte: u8| _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let from_c0 = _mm512_sub_epi8(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        let mut wrong = _mm512_cmple_epu8_mask(from_c0, _mm512_set1_epi8(1));
        if self.three != 0 {
            let (e0, ed) = (is(0xE0) << 1, is(0xED) << 1);
            if e0 | ed != 0 {
                let low = below(0xA0);
                wrong |= e0 & low | ed & !low;
            }
            if self.four != 0 {
                let low = below(0x90);
                wrong |= is(0xF0) << 1 & low;
                let last = !below(0xF4);
                if last != 0 {
                    wrong |= is(0xF4) << 1 & !low | last & !is(0xF4);
                }
            }
        }
        wrong
    }

    /// Returns how many of the first bytes of `from`, within its first block, are whole, well-formed characters.
    ///
    /// A truncated character costs a well-formed block three bytes at most. So if fewer than 61 are good, a fault or
    /// the end of the input is next, and the loops of this file stop there. No portable kernel has to confirm it, since
    /// the last, short block is examined like the others, and its padding is not counted.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,lzcnt")]
    fn good(self, bytes: __m512i, from: &[u8]) -> usize {
        let wrong = self.expected() ^ self.tail | self.out_of_range(bytes);
        if let Some(block) = from.first_chunk() {
            // Where the next block begins is read from memory, and only confirmed by the masks: see `last_byte`.
            let len = whole_len(block);
            if wrong == 0 && self.whole() == len {
                return len;
            }
        }
        self.good_before(wrong, from.len())
    }

    /// Returns how many bytes of a well-formed block are whole characters: up to the first byte that expects more
    /// continuation bytes than there are after it.
    #[inline]
    #[target_feature(enable = "bmi1")]
    fn whole(self) -> usize {
        let truncated = self.multi & 1 << 63 | self.three & 0b11 << 62 | self.four & 0b111 << 61;
        truncated.trailing_zeros() as usize
    }

    /// Handles a block that has a fault, or is shorter than 64 bytes and padded with zeros. A sequence that the padding
    /// truncates is a fault like any other, so the result never includes a part of one.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,lzcnt")]
    fn good_before(self, wrong: u64, available: usize) -> usize {
        let whole = self.whole().min(available);
        if wrong == 0 {
            return whole;
        }
        let place = wrong.trailing_zeros();
        // A wrong byte where a continuation byte is expected is a fault of the character to which it would belong, and
        // that one is not converted either.
        let start = if self.expected() >> place & 1 == 1 {
            let firsts = !self.tail & ((1 << place) - 1);
            63 - firsts.leading_zeros()
        } else {
            place
        };
        whole.min(start as usize)
    }
}

/// Returns how many bytes of a well-formed block are whole characters, from its last three bytes.
#[inline]
fn whole_len(block: &[u8; BLOCK]) -> usize {
    let [.., third, second, last] = *block;
    let truncated = if last >= 0xC0 {
        1
    } else if second >= 0xE0 {
        2
    } else if third >= 0xF0 {
        3
    } else {
        0
    };
    BLOCK - truncated
}

/// The characters of a block, packed: the lanes of a column hold their first bytes, second bytes, and so on. Of a
/// character that is shorter, the lane in a later column is arbitrary.
struct PackedColumns {
    first: __m512i,
    second: __m512i,
    third: __m512i,
    /// Lanes with first bytes of sequences of at least two bytes, of at least three, and of four.
    multi: u64,
    three: u64,
    four: u64,
}

impl PackedColumns {
    /// Gathers the bytes at `lanes`, and those after them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2")]
    fn gather(bytes: __m512i, shape: Shape, lanes: u64) -> Self {
        Self {
            first: compress8(lanes, bytes),
            second: compress8(lanes << 1, bytes),
            third: compress8(lanes << 2, bytes),
            multi: _pext_u64(shape.multi, lanes),
            three: _pext_u64(shape.three, lanes),
            four: _pext_u64(shape.four, lanes),
        }
    }

    /// Returns half of the lanes, each byte widened to 16 bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn half(&self, upper: bool) -> [__m512i; 3] {
        [self.first, self.second, self.third].map(|column| {
            _mm512_cvtepu8_epi16(if upper {
                _mm512_extracti64x4_epi64::<1>(column)
            } else {
                _mm512_castsi512_si256(column)
            })
        })
    }
}

/// The sum of the marker bits in sequences of two, three and four bytes, when each byte is shifted left by six bits and
/// the next one added: C0 << 6 + 80 = 3080. The bits of a value are then the sum of the bytes without this.
const MARKERS: [i32; 3] = [0x3080, 0xE_2080, 0x3C8_2080];

/// Converts 32 lanes of columns to UTF-16 code units. A four-byte sequence has two lanes: one begins at its first byte
/// and becomes the high surrogate, the other begins at its second byte, is set in `low`, and becomes the low one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn utf16_units(columns: &PackedColumns, low: u64, upper: bool) -> __m512i {
    let all = |value: i32| _mm512_set1_epi16(value as i16);
    let lanes = |mask: u64| (mask >> if upper { 32 } else { 0 }) as __mmask32;
    let [first, second, third] = columns.half(upper);
    let two = _mm512_add_epi16(_mm512_slli_epi16::<6>(first), second);
    let three = _mm512_add_epi16(_mm512_slli_epi16::<6>(two), third);
    let units = _mm512_mask_sub_epi16(first, lanes(columns.multi), two, all(MARKERS[0]));
    let units = _mm512_mask_sub_epi16(units, lanes(columns.three), three, all(MARKERS[1]));
    if columns.four == 0 {
        return units;
    }
    // D7C0 + (value >> 10), which is D800 + ((value - 10000) >> 10). Three bits come from the first byte, six from the
    // second, two from the third; their markers add up to F208.
    let high = _mm512_add_epi16(
        _mm512_add_epi16(_mm512_slli_epi16::<8>(first), _mm512_slli_epi16::<2>(second)),
        _mm512_srli_epi16::<4>(third),
    );
    let units = _mm512_mask_add_epi16(units, lanes(columns.four), high, all(0xD7C0 - 0xF208));
    // DC00 + ten bits, of the third byte of the sequence, which is the second of this lane, and of the fourth.
    let ten = _mm512_and_si512(_mm512_sub_epi16(three, all(MARKERS[1])), all(0x3FF));
    _mm512_mask_mov_epi16(units, lanes(low), _mm512_or_si512(ten, all(0xDC00)))
}

/// Converts the sequences of one or two bytes that begin at `lanes` to UTF-16 code units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn two_byte_units(bytes: __m512i, lanes: u64) -> [__m512i; 2] {
    let first = compress8(lanes, bytes);
    let multi = _mm512_movepi8_mask(first);
    // Both columns are interleaved, the second byte lower. The instructions that do so work within 128 bits, so the
    // 64-bit parts are put in an order in which the results are consecutive.
    let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    let first = _mm512_permutexvar_epi64(order, first);
    let second = _mm512_permutexvar_epi64(order, compress8(lanes << 1, bytes));
    let units = |pairs: __m512i, multi: u32| {
        let all = |value: i32| _mm512_set1_epi16(value as i16);
        // One multiplication and addition: 64 times the first byte plus the second, or the first byte alone. The sum is
        // far below 7FFF, at which the instruction would saturate.
        let weights = _mm512_mask_mov_epi16(all(0x0100), multi, all(0x4001));
        let sum = _mm512_maddubs_epi16(pairs, weights);
        _mm512_mask_sub_epi16(sum, multi, sum, all(MARKERS[0]))
    };
    [
        units(_mm512_unpacklo_epi8(second, first), multi as u32),
        units(_mm512_unpackhi_epi8(second, first), (multi >> 32) as u32),
    ]
}

/// Converts blocks as long as they are well-formed, none has a sequence of more than two bytes, and none is all ASCII:
/// text in Cyrillic, Greek, Hebrew or Arabic.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
fn two_byte_blocks<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let all = |byte: u8| _mm512_set1_epi8(byte as i8);
    let mut done = Progress::default();
    while let Some(block) = input[done.read..].first_chunk::<BLOCK>()
        && let Some(to) = output[done.written..].first_chunk_mut::<{ 2 * BLOCK }>()
    {
        let bytes = load(block);
        let high = _mm512_movepi8_mask(bytes);
        let tail = _mm512_cmplt_epi8_mask(bytes, all(0xC0));
        let two = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, all(0xC2)), all(0xE0 - 0xC2));
        // Half of the blocks truncate a character, at random, so a branch would be mispredicted. As a number, it
        // shortens the progress instead. The truncated character has been stored as a unit too; the next block
        // overwrites it.
        let truncated = usize::from(last_byte(block) >= 0xC0);
        // Every byte beyond ASCII is a continuation byte or C2 to DF; there is a continuation byte after each of these,
        // and nowhere else; and the registers agree with memory about the last one.
        let well_formed =
            high == tail | two && tail == two << 1 && (two >> 63) as usize == truncated;
        if high == 0 || !well_formed {
            break;
        }
        let [lower, upper] = two_byte_units(bytes, !tail);
        store(to, ordered16::<BIG>(lower));
        store(&mut to[BLOCK..], ordered16::<BIG>(upper));
        done.read += BLOCK - truncated;
        done.written += 2 * ((!tail).count_ones() as usize - truncated);
    }
    done
}

/// Tries three ways for each block, the cheapest first: US-ASCII is widened, a run of blocks with characters of at most
/// two bytes has a loop of its own (`two_byte_blocks`), and everything else goes through columns.
///
/// At most 64 lanes are wanted, since each is a byte of the block. They become 128 bytes, which is the room that the
/// loop asks for.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn to_utf16<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= 2 * BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + 2 * BLOCK];
        let bytes = load(from);
        if from.len() >= BLOCK {
            if _mm512_movepi8_mask(bytes) == 0 {
                store(to, widened::<BIG>(bytes, false));
                store(&mut to[BLOCK..], widened::<BIG>(bytes, true));
                done.read += BLOCK;
                done.written += 2 * BLOCK;
                continue;
            }
            let run = two_byte_blocks::<BIG>(from, &mut output[done.written..]);
            if run.read != 0 {
                done.read += run.read;
                done.written += run.written;
                continue;
            }
        }
        let to = &mut output[done.written..done.written + 2 * BLOCK];
        let shape = Shape::of(bytes);
        let good = shape.good(bytes, from);
        // A four-byte sequence has a lane at its second byte, too, for the low surrogate.
        let lanes = (!shape.tail | shape.four << 1) & low_mask(good);
        let columns = PackedColumns::gather(bytes, shape, lanes);
        let low = if columns.four == 0 { 0 } else { _pext_u64(shape.four << 1, lanes) };
        let units = lanes.count_ones() as usize;
        store(to, ordered16::<BIG>(utf16_units(&columns, low, false)));
        if units > 32 {
            store(&mut to[BLOCK..], ordered16::<BIG>(utf16_units(&columns, low, true)));
        }
        done.read += good;
        done.written += 2 * units;
        if good + 3 < BLOCK {
            return done;
        }
    }
    finish_portable(
        EncodingForm::Utf8,
        if BIG { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le },
        done,
        input,
        output,
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widened<const BIG: bool>(bytes: __m512i, upper: bool) -> __m512i {
    let half =
        if upper { _mm512_extracti64x4_epi64::<1>(bytes) } else { _mm512_castsi512_si256(bytes) };
    let units = _mm512_cvtepu8_epi16(half);
    if BIG { _mm512_slli_epi16::<8>(units) } else { units }
}

/// Without four-byte sequences, the characters of a block fit into 16 bits and are computed as for UTF-16, 32 at a
/// time; only then they are widened. Otherwise they are computed in 32 bits, sixteen at a time. Either way, vectors
/// that have no characters are not stored.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn to_utf32<const BIG: bool>(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= 4 * BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + 4 * BLOCK];
        let bytes = load(from);
        if from.len() >= BLOCK && _mm512_movepi8_mask(bytes) == 0 {
            for (group, to) in to.chunks_exact_mut(BLOCK).enumerate() {
                store(to, ordered32::<BIG>(_mm512_cvtepu8_epi32(sixteen(bytes, group))));
            }
            done.read += BLOCK;
            done.written += 4 * BLOCK;
            continue;
        }
        let shape = Shape::of(bytes);
        let good = shape.good(bytes, from);
        let lanes = !shape.tail & low_mask(good);
        let columns = PackedColumns::gather(bytes, shape, lanes);
        let units = lanes.count_ones() as usize;
        if columns.four == 0 {
            for (half, to) in to.chunks_exact_mut(2 * BLOCK).enumerate() {
                if units > 32 * half {
                    let units = utf16_units(&columns, 0, half == 1);
                    let lower = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
                    let upper = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(units));
                    store(to, ordered32::<BIG>(lower));
                    store(&mut to[BLOCK..], ordered32::<BIG>(upper));
                }
            }
        } else {
            let fourth = compress8(lanes << 3, bytes);
            for (group, to) in to.chunks_exact_mut(BLOCK).enumerate() {
                if units > 16 * group {
                    store(to, ordered32::<BIG>(values(&columns, fourth, group)));
                }
            }
        }
        done.read += good;
        done.written += 4 * units;
        if good + 3 < BLOCK {
            return done;
        }
    }
    finish_portable(
        EncodingForm::Utf8,
        if BIG { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le },
        done,
        input,
        output,
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn values(columns: &PackedColumns, fourth: __m512i, group: usize) -> __m512i {
    let all = |value: i32| _mm512_set1_epi32(value);
    let lanes = |mask: u64| (mask >> (16 * group)) as __mmask16;
    let wide = |column: __m512i| _mm512_cvtepu8_epi32(sixteen(column, group));
    let and_next = |value: __m512i, column: __m512i| {
        _mm512_add_epi32(_mm512_slli_epi32::<6>(value), wide(column))
    };
    let first = wide(columns.first);
    let two = and_next(first, columns.second);
    let three = and_next(two, columns.third);
    let four = and_next(three, fourth);
    let value = _mm512_mask_sub_epi32(first, lanes(columns.multi), two, all(MARKERS[0]));
    let value = _mm512_mask_sub_epi32(value, lanes(columns.three), three, all(MARKERS[1]));
    _mm512_mask_sub_epi32(value, lanes(columns.four), four, all(MARKERS[2]))
}

/// Returns 16 of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen(bytes: __m512i, group: usize) -> __m128i {
    match group {
        0 => _mm512_castsi512_si128(bytes),
        1 => _mm512_extracti32x4_epi32::<1>(bytes),
        2 => _mm512_extracti32x4_epi32::<2>(bytes),
        _ => _mm512_extracti32x4_epi32::<3>(bytes),
    }
}

/// A character is its last byte: C2 adds nothing to the continuation byte after it, and C3 adds 40. So bytes that begin
/// a sequence are dropped, and the rest is packed.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn to_latin1(input: &[u8], output: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while output.len() - done.written >= BLOCK {
        let from = &input[done.read..];
        let to = &mut output[done.written..done.written + BLOCK];
        let bytes = load(from);
        if from.len() >= BLOCK && _mm512_movepi8_mask(bytes) == 0 {
            store(to, bytes);
            done.read += BLOCK;
            done.written += BLOCK;
            continue;
        }
        let shape = Shape::of(bytes);
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let c3 = is(0xC3);
        let other = shape.multi & !(c3 | is(0xC2));
        let good = shape.good(bytes, from).min(other.trailing_zeros() as usize);
        let lanes = !shape.multi & low_mask(good);
        let bytes = _mm512_mask_add_epi8(bytes, c3 << 1, bytes, _mm512_set1_epi8(0x40));
        store(to, compress8(lanes, bytes));
        done.read += good;
        done.written += lanes.count_ones() as usize;
        if good + 3 < BLOCK {
            return done;
        }
    }
    finish_portable(EncodingForm::Utf8, EncodingForm::Latin1, done, input, output)
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn validate(input: &[u8]) -> usize {
    blocks(input, |_, _, _| {})
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn copy(input: &[u8], output: &mut [u8]) -> Progress {
    let input = &input[..input.len().min(output.len())];
    let len = blocks(input, |at, bytes, len| store_first(&mut output[at..], bytes, len));
    Progress { read: len, written: len }
}

/// What the next block must know of a block. Vectors are kept as they were rotated for the block itself, so that only
/// their lowest lanes have to be merged into those of the next.
struct BlockCarry {
    /// Its bytes, rotated by one place: the lowest is its last one.
    bytes: __m512i,
    /// Where a continuation byte is expected two places further on (the highest bit), rotated by two places.
    expects: __m512i,
}

impl BlockCarry {
    /// Before the first block, or after US-ASCII.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        Self { bytes: _mm512_setzero_si512(), expects: _mm512_setzero_si512() }
    }

    /// Whether the block truncates a character.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn is_truncated(&self) -> bool {
        let first = _mm512_cmpge_epu8_mask(self.bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        first & 0b1 | _mm512_movepi8_mask(self.expects) & 0b11 != 0
    }

    /// Returns a vector that is not 0 where `bytes` are ill-formed, by the lookups of [`crate::shuffle::validate`].
    ///
    /// A permutation of 64 bytes takes the lowest six bits of its index. With the tables repeated four times, the two
    /// bits above the four that matter need not be masked out.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
    fn faults(&mut self, bytes: __m512i) -> __m512i {
        const fn rotation(by: u8) -> [u8; BLOCK] {
            let (mut indices, mut place) = ([0; BLOCK], 0);
            while place < BLOCK {
                indices[place] = (place as u8).wrapping_sub(by) % BLOCK as u8;
                place += 1;
            }
            indices
        }
        const fn repeated(table: [u8; 16]) -> [u8; BLOCK] {
            let (mut entries, mut place) = ([0; BLOCK], 0);
            while place < BLOCK {
                entries[place] = table[place % 16];
                place += 1;
            }
            entries
        }
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let look_up = |table: &[u8; BLOCK], bits| _mm512_permutexvar_epi8(bits, load(table));

        let rotated = _mm512_permutexvar_epi8(load(const { &rotation(1) }), bytes);
        let first = _mm512_mask_mov_epi8(rotated, 0b1, self.bytes);
        self.bytes = rotated;
        let pair = _mm512_and_si512(
            _mm512_and_si512(
                look_up(const { &repeated(BYTE_1_HIGH) }, _mm512_srli_epi16::<4>(first)),
                look_up(const { &repeated(BYTE_1_LOW) }, first),
            ),
            look_up(const { &repeated(BYTE_2_HIGH) }, _mm512_srli_epi16::<4>(bytes)),
        );
        // Two places after E0 to FF, and three after F0 to FF: by a single rotation, as `first` is rotated by one
        // already.
        let expects = _mm512_or_si512(
            _mm512_subs_epu8(bytes, all(0xE0 - 0x80)),
            _mm512_subs_epu8(first, all(0xF0 - 0x80)),
        );
        let rotated = _mm512_permutexvar_epi8(load(const { &rotation(2) }), expects);
        let expected = _mm512_mask_mov_epi8(rotated, 0b11, self.expects);
        self.expects = rotated;
        // (a & b) ^ c
        _mm512_ternarylogic_epi32::<0x6A>(expected, all(0x80), pair)
    }
}

/// Validates block after block, and calls `good` for each with its offset, its bytes, and the number of well-formed
/// bytes. Blocks follow each other regardless of where characters begin, two at a time.
///
/// The copy from UTF-8 to UTF-8 stores a block from the registers in which it was validated, so nothing is loaded
/// twice.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn blocks(input: &[u8], mut good: impl FnMut(usize, __m512i, usize)) -> usize {
    let mut read = 0;
    let (mut before, mut last) = (BlockCarry::new(), _mm512_setzero_si512());
    while let Some(two) = input.get(read..read + 2 * BLOCK) {
        let (mut lower, mut upper) = (load(two), load(&two[BLOCK..]));
        if _mm512_movepi8_mask(_mm512_or_si512(lower, upper)) == 0 {
            if before.is_truncated() {
                break;
            }
            before = BlockCarry::new();
            // Most of what follows is US-ASCII too. Nothing is carried over within it, so `before` stays as it is.
            while let Some(four) = input.get(read + 2 * BLOCK..read + 6 * BLOCK) {
                let [a, b] = [load(four), load(&four[BLOCK..])];
                let [c, d] = [load(&four[2 * BLOCK..]), load(&four[3 * BLOCK..])];
                let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
                if _mm512_movepi8_mask(any) != 0 {
                    break;
                }
                good(read, lower, BLOCK);
                good(read + BLOCK, upper, BLOCK);
                good(read + 2 * BLOCK, a, BLOCK);
                good(read + 3 * BLOCK, b, BLOCK);
                (lower, upper) = (c, d);
                read += 4 * BLOCK;
            }
        } else {
            let faults = _mm512_or_si512(before.faults(lower), before.faults(upper));
            if _mm512_test_epi8_mask(faults, faults) != 0 {
                break;
            }
        }
        good(read, lower, BLOCK);
        good(read + BLOCK, upper, BLOCK);
        last = upper;
        read += 2 * BLOCK;
    }
    // Back to the start of the character that the end of the last good block truncates.
    if read != 0 {
        read -= BLOCK - Shape::of(last).whole();
    }
    loop {
        let bytes = load(&input[read..]);
        let len = Shape::of(bytes).good(bytes, &input[read..]);
        good(read, bytes, len);
        read += len;
        if len + 3 < BLOCK {
            return read;
        }
    }
}
