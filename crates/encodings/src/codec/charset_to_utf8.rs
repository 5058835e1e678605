//! Charsets straight to UTF-8, without code points in between.
//!
//! ```text
//! US-ASCII      ─► copied, sixteen bytes at a time, or looked up, eight at a time
//! single bytes  ─► eight lookups, each stored as four bytes that overlap those of the one before
//! pairs         ─► four lookups, of pairs or of both;      what has no entry ─► decoded by the codec, and then encoded
//! ```
//!
//! The tables of `set/utf8_tables.rs` have the UTF-8 of each code. As in `encode_table.rs`, no branch within a block
//! depends on the text. Against decoding to code points and encoding these, this is 1.3 to 2.1 times as fast.

use std::hint::select_unpredictable;

use super::encode_table::BLOCK;
use super::pair_runs::LEADS;
use super::set::{PairIndex, Utf8Bytes, Utf8Entry, Utf8Pairs, entry};
use crate::unicode::CodePoint;
use oxiconv_kernels::Progress;

const ASCII_BLOCK: usize = 16;
/// Bytes stored for each entry, of which only its length counts.
const ENTRY_LEN: usize = size_of::<Utf8Entry>();
/// The high bit of each byte, and the low bit of each.
const HIGH_BITS: u64 = u64::MAX / 0xFF * 0x80;
const LOW_BITS: u64 = u64::MAX / 0xFF;
/// The most characters that the codec decodes in one call.
const BATCH: usize = 32;

/// Copies US-ASCII up to the first other byte, or until less than [`ASCII_BLOCK`] bytes are left. Returns its length.
#[inline(always)]
pub(super) fn copy_ascii(input: &[u8], output: &mut [u8]) -> usize {
    const HIGH: u128 = u128::MAX / 0xFF * 0x80;
    let mut done = 0;
    while let Some(from) = input[done..].first_chunk::<ASCII_BLOCK>()
        && let Some(to) = output[done..].first_chunk_mut()
    {
        // The store comes before the test, and so writes the bytes after the end of the run too. The contract allows
        // such scratch bytes after the written part.
        let word = u128::from_le_bytes(*from);
        *to = word.to_le_bytes();
        if word & HIGH != 0 {
            return done + (word & HIGH).trailing_zeros() as usize / 8;
        }
        done += ASCII_BLOCK;
    }
    done
}

/// Converts the US-ASCII at the start of a run: copies it if it `is_itself`, and looks it up otherwise. Returns its
/// length.
#[inline(always)]
fn convert_ascii(is_itself: bool, of_ascii: &[u8; 256], input: &[u8], output: &mut [u8]) -> usize {
    match is_itself {
        true => copy_ascii(input, output),
        false => translate(input, output, of_ascii, |bytes| bytes),
    }
}

/// Maps bytes through a table, [`BLOCK`] at a time, until fewer are left or `stops` sets the high bit of one. `stops`
/// gets the mapped bytes of a block, the first one lowest. Returns the number of bytes before that one.
///
/// The bytes before it in the same block count, and are not done again one by one. In German, with an umlaut in many
/// blocks, that made converting to IBM1047 eight times as fast.
#[inline(always)]
pub(super) fn translate(
    input: &[u8],
    output: &mut [u8],
    table: &[u8; 256],
    stops: impl Fn(u64) -> u64,
) -> usize {
    let mut done = 0;
    while let Some(from) = input[done..].first_chunk::<BLOCK>()
        && let Some(to) = output[done..].first_chunk_mut::<BLOCK>()
    {
        *to = from.map(|byte| table[usize::from(byte)]);
        let stops = stops(u64::from_le_bytes(*to)) & HIGH_BITS;
        if stops != 0 {
            return done + stops.trailing_zeros() as usize / 8;
        }
        done += BLOCK;
    }
    done
}

/// Sets the high bit of the first byte that is `wanted`, and none before it.
///
/// This is the well-known test for a zero byte: subtracting 1 from each byte borrows into the high bit only of those
/// that are 0, or had it set, which `!differences` excludes. A borrow may also set the bit of a byte 01 after a zero
/// byte, but the lowest bit set is right.
#[inline(always)]
pub(super) fn first_equal(bytes: u64, wanted: u8) -> u64 {
    let differences = bytes ^ (LOW_BITS * u64::from(wanted));
    differences.wrapping_sub(LOW_BITS) & !differences & HIGH_BITS
}

/// Stores an entry, and returns its length, which is 0 if there is no character.
#[inline(always)]
fn put<const LEN: usize>(entry: Utf8Entry, output: &mut [u8; LEN], at: usize) -> usize {
    output[at..at + ENTRY_LEN].copy_from_slice(&entry.to_le_bytes());
    usize::from(entry != 0) + usize::from(entry > 0xFF) + usize::from(entry > 0xFFFF)
}

impl Utf8Bytes {
    /// Converts a run, under the contract of [`oxiconv_kernels`], except that it may stop early.
    pub(super) fn convert(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            let (from, to) = (&input[read..], &mut output[written..]);
            let done = convert_ascii(self.ascii, &self.of_ascii, from, to);
            read += done;
            written += done;
            loop {
                let (Some(from), Some(to)) = (
                    input[read..].first_chunk::<BLOCK>(),
                    output[written..].first_chunk_mut::<{ ENTRY_LEN * BLOCK }>(),
                ) else {
                    return Progress { read, written };
                };
                let (mut len, mut none) = (0, false);
                for byte in from {
                    let entry = self.entries[usize::from(*byte)];
                    none |= entry == 0;
                    len += put(entry, to, len);
                }
                if none {
                    return Progress { read, written };
                }
                read += BLOCK;
                written += len;
                // All US-ASCII: copying is faster.
                if len == BLOCK {
                    break;
                }
            }
        }
    }
}

impl PairIndex {
    /// Converts a run of bytes below 80 and of pairs to UTF-8, as [`PairIndex::decode`] decodes it. It may stop early.
    /// Two bytes for which `is_other` holds go to `other` without a lookup that would fail.
    pub(super) fn convert(
        &self,
        input: &[u8],
        output: &mut [u8],
        is_other: impl Fn([u8; 2]) -> bool,
        other: impl Fn(&[u8], &mut [CodePoint]) -> Progress,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        let entries = self.entries();
        loop {
            let (from, to) = (&input[read..], &mut output[written..]);
            let done = convert_ascii(self.ascii, &self.of_ascii, from, to);
            read += done;
            written += done;
            if let Some(from) = input[read..].first_chunk::<BLOCK>()
                && !is_other([from[0], from[1]])
                && let Some(to) = output[written..].first_chunk_mut::<{ ENTRY_LEN * BLOCK }>()
            {
                let (bytes, len, whole) = convert_block(entries, *from, to);
                read += bytes;
                written += len;
                if whole {
                    continue;
                }
            }
            let Some(to) = output[written..].first_chunk_mut::<{ ENTRY_LEN * BATCH }>() else {
                break;
            };
            let mut characters = [0; BATCH];
            let some = other(&input[read..], &mut characters);
            if some.read == 0 {
                break;
            }
            read += some.read;
            written += put_characters(&characters[..some.written], to);
        }
        Progress { read, written }
    }
}

/// Writes characters as UTF-8, and returns the length. They must be scalar values, as those of a charset are.
#[inline(always)]
fn put_characters(characters: &[CodePoint], to: &mut [u8; ENTRY_LEN * BATCH]) -> usize {
    let mut len = 0;
    for cp in characters {
        let word = match u16::try_from(*cp) {
            Ok(cp) => entry(cp),
            Err(_) => {
                let bytes = [0xF0 | cp >> 18, cp >> 12 & 0x3F, cp >> 6 & 0x3F, cp & 0x3F];
                0x8080_8000 | bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24
            }
        };
        to[len..len + ENTRY_LEN].copy_from_slice(&word.to_le_bytes());
        let past = [word > 0xFF, word > 0xFFFF, word > 0xFF_FFFF].map(usize::from);
        len += 1 + past[0] + past[1] + past[2];
    }
    len
}

/// Converts characters up to the first without an entry. Returns the number of bytes read and written, and whether all
/// had one.
#[inline(always)]
fn convert_block(
    entries: &Utf8Pairs,
    from: [u8; BLOCK],
    to: &mut [u8; ENTRY_LEN * BLOCK],
) -> (usize, usize, bool) {
    const CHARACTERS: usize = BLOCK / 2;
    let mut word = u64::from_le_bytes(from);
    let mut len = 0;
    if word & LEADS == LEADS {
        let mut none = false;
        for pair in from.as_chunks().0 {
            let entry = entries[usize::from(u16::from_be_bytes(*pair))];
            none |= entry == 0;
            len += put(entry, to, len);
        }
        if !none {
            return (BLOCK, len, true);
        }
        // One has no entry: start over, to learn which.
        len = 0;
    }
    let mut bits = 0;
    for _ in 0..CHARACTERS {
        let pair = word & 0x80 != 0;
        let code = select_unpredictable(pair, (word as u16).swap_bytes(), word as u16 & 0xFF);
        let entry = entries[usize::from(code)];
        if entry == 0 {
            return (bits as usize / 8, len, false);
        }
        len += put(entry, to, len);
        let width = select_unpredictable(pair, 16, 8);
        word = word.wrapping_shr(width);
        bits += width;
    }
    (bits as usize / 8, len, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_equal_byte_is_found_whatever_comes_after_it() {
        for wanted in [0, 1, 0x7F, 0x80, 0xFF] {
            for at in 0..BLOCK {
                for other in [0u8, 1, 0x7F, 0x80, 0xFE, 0xFF] {
                    let mut bytes = [other; BLOCK];
                    bytes[at] = wanted;
                    let expected = bytes.iter().position(|byte| *byte == wanted).unwrap();
                    let found = first_equal(u64::from_le_bytes(bytes), wanted);
                    assert_eq!(found.trailing_zeros() as usize / 8, expected, "{bytes:x?}");
                }
                let bytes = [wanted.wrapping_add(1); BLOCK];
                assert_eq!(first_equal(u64::from_le_bytes(bytes), wanted), 0);
            }
        }
    }
}
