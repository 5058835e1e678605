//! Decodes long runs in character sets with one- and two-byte codes. `encode_table.rs` explains the idea.

use std::hint::select_unpredictable;

use super::Decoded;
use super::encode_table::BLOCK;
use super::set::{CELLS, Cells, PairIndex, SEQUENCE, plane};
use crate::unicode::CodePoint;
use oxiconv_kernels::Progress;

/// The high bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The high bit of each lead byte, if a word is four pairs.
pub(super) const LEADS: u64 = 0x0080_0080_0080_0080;

impl PairIndex {
    /// Decodes a run of bytes below 80 and of pairs whose lead byte is at least 80, under the contract of
    /// [`oxiconv_kernels`]. The set must have no lead byte below 80. Where the run ends, `other` decodes some
    /// characters before the loop continues.
    pub(super) fn decode(
        &self,
        input: &[u8],
        output: &mut [CodePoint],
        other: impl Fn(&[u8], &mut [CodePoint]) -> Progress,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        let cells = self.cells_for(input.len());
        loop {
            if let Some(cells) = cells
                && let Some(from) = input[read..].first_chunk::<BLOCK>()
                && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
            {
                // A block without a failure has four characters, or eight of US-ASCII. With fewer, the next character
                // is not in the table.
                let (bytes, characters) = self.decode_block(cells, *from, to);
                read += bytes;
                written += characters;
                if characters >= BLOCK / 2 {
                    continue;
                }
            }
            let some = other(&input[read..], &mut output[written..]);
            read += some.read;
            written += some.written;
            if some.read == 0 {
                return Progress { read, written };
            }
        }
    }

    /// Decodes a run of pairs of any bytes, up to the first without a character, under the contract of
    /// [`oxiconv_kernels`].
    pub(super) fn decode_pairs(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        const PAIRS: usize = BLOCK / 2;
        let cells = self.cells();
        let (pairs, room) = (input.as_chunks::<2>().0, output.len());
        let (pairs, output) =
            (&pairs[..pairs.len().min(room)], &mut output[..pairs.len().min(room)]);
        let mut done = 0;
        let look = |pair: &[u8; 2]| {
            let code = u16::from_be_bytes(*pair);
            let (cp, none) = self.look_up(cells, code);
            // Row 0 has the single bytes, which are no pairs.
            (cp, none || code < 0x100)
        };
        // Four pairs share one branch. Four that include a failure are looked up again one by one, up to the failure.
        let fours = pairs.as_chunks::<PAIRS>().0.iter().zip(output.as_chunks_mut::<PAIRS>().0);
        for (from, to) in fours {
            let mut any = false;
            for (from, to) in from.iter().zip(to) {
                let (cp, none) = look(from);
                *to = cp;
                any |= none;
            }
            if any {
                break;
            }
            done += PAIRS;
        }
        for (from, to) in pairs[done..].iter().zip(&mut output[done..]) {
            let (cp, none) = look(from);
            if none {
                break;
            }
            *to = cp;
            done += 1;
        }
        Progress { read: 2 * done, written: done }
    }

    /// Decodes characters up to the first that is not in the table. Returns the number of bytes read and of characters
    /// written.
    #[inline(always)]
    fn decode_block(
        &self,
        cells: &Cells,
        from: [u8; BLOCK],
        to: &mut [CodePoint; BLOCK],
    ) -> (usize, usize) {
        const CHARACTERS: usize = BLOCK / 2;
        let mut word = u64::from_le_bytes(from);
        if word & HIGH == 0 && self.ascii {
            *to = from.map(CodePoint::from);
            return (BLOCK, BLOCK);
        }
        if word & LEADS == LEADS {
            let mut any = false;
            for (to, pair) in to.iter_mut().zip(from.as_chunks().0) {
                let (cp, none) = self.look_up(cells, u16::from_be_bytes(*pair));
                *to = cp;
                any |= none;
            }
            if !any {
                return (BLOCK, CHARACTERS);
            }
        }
        // Four characters of one or two bytes each: `word` is shifted by the length of each, which is selected and not
        // branched on. Eight bytes always hold four characters, so none is incomplete.
        let mut bits = 0;
        for (number, to) in to[..CHARACTERS].iter_mut().enumerate() {
            let pair = word & 0x80 != 0;
            let code = (word as u16).swap_bytes();
            let (cp, none) =
                self.look_up(cells, select_unpredictable(pair, code, word as u16 & 0xFF));
            if none {
                return (bits as usize / 8, number);
            }
            *to = cp;
            let len = select_unpredictable(pair, 16, 8);
            word = word.wrapping_shr(len);
            bits += len;
        }
        (bits as usize / 8, CHARACTERS)
    }

    /// Returns the character of a code, or anything and `true` if it has none, or two. No branch depends on the code.
    #[inline(always)]
    pub(super) fn look_up(&self, cells: &Cells, code: u16) -> (CodePoint, bool) {
        let cell = cells[usize::from(code)];
        let plane = if self.wide {
            plane(self.blocks[usize::from(code) / CELLS].into(), usize::from(code) % CELLS)
        } else {
            0
        };
        (plane | CodePoint::from(cell), cell >= SEQUENCE)
    }
}

/// Decodes a few characters with `one`, up to the first that it does not decode. Only a few, because the text after
/// them may be fit for the fast loop again.
#[inline(always)]
pub(super) fn one_by_one(
    input: &[u8],
    output: &mut [CodePoint],
    one: impl Fn(&[u8]) -> Decoded,
) -> Progress {
    let mut read = 0;
    for (written, slot) in output.iter_mut().take(BLOCK / 2).enumerate() {
        let rest = &input[read..];
        if !rest.is_empty()
            && let Decoded::Character { cp, len } = one(rest)
        {
            *slot = cp;
            read += len;
        } else {
            return Progress { read, written };
        }
    }
    Progress { read, written: output.len().min(BLOCK / 2) }
}
