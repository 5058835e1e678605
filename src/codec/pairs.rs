//! The loop over long runs in character sets with one- and two-byte codes. `codes.rs` has the idea.

use std::hint::select_unpredictable;

use super::Decoded;
use super::codes::BLOCK;
use super::set::{Block, CELLS, PairIndex, SEQUENCE, blocks, plane};
use crate::kernels::Progress;
use crate::unicode::CodePoint;

/// The high bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The high bit of each first byte, if a word is four pairs.
const LEADS: u64 = 0x0080_0080_0080_0080;

impl PairIndex {
    /// Decodes a run of bytes below 80, and of pairs whose first byte is at least 80; what is not in the set is passed to
    /// `other`. No byte below 80 may be the first of a pair. This is under the contract of [`crate::kernels`].
    pub(super) fn decode(
        &self,
        input: &[u8],
        output: &mut [CodePoint],
        other: impl Fn(&[u8]) -> Decoded,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        let blocks = blocks();
        loop {
            if let Some(from) = input[read..].first_chunk::<BLOCK>()
                && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
                && let Some((bytes, characters)) = self.decode_block(blocks, *from, to)
            {
                read += bytes;
                written += characters;
                continue;
            }
            for _ in 0..BLOCK / 2 {
                let rest = &input[read..];
                if rest.is_empty() || written == output.len() {
                    return Progress { read, written };
                }
                let Decoded::Character { cp, len } = other(rest) else {
                    return Progress { read, written };
                };
                output[written] = cp;
                written += 1;
                read += len;
            }
        }
    }

    /// Returns the number of bytes read and of characters written; `None` if something is not in the table.
    #[inline(always)]
    fn decode_block(
        &self,
        blocks: &[Block],
        from: [u8; BLOCK],
        to: &mut [CodePoint; BLOCK],
    ) -> Option<(usize, usize)> {
        let mut word = u64::from_le_bytes(from);
        if word & HIGH == 0 && self.ascii {
            *to = from.map(CodePoint::from);
            return Some((BLOCK, BLOCK));
        }
        const CHARACTERS: usize = BLOCK / 2;
        let mut none = false;
        let mut look = |code: u16| {
            let block = usize::from(self.blocks[usize::from(code) / CELLS]);
            let cell = u16::from_le_bytes(blocks[block][usize::from(code) % CELLS]);
            none |= cell >= SEQUENCE;
            let plane = if self.wide { plane(block, usize::from(code) % CELLS) } else { 0 };
            plane | CodePoint::from(cell)
        };
        if word & LEADS == LEADS {
            for (to, pair) in to.iter_mut().zip(from.as_chunks().0) {
                *to = look(u16::from_be_bytes(*pair));
            }
            return (!none).then_some((BLOCK, CHARACTERS));
        }
        let mut bits = 0;
        for to in &mut to[..CHARACTERS] {
            let pair = word & 0x80 != 0;
            let code = (word as u16).swap_bytes();
            *to = look(select_unpredictable(pair, code, word as u16 & 0xFF));
            let len = select_unpredictable(pair, 16, 8);
            word = word.wrapping_shr(len);
            bits += len;
        }
        (!none).then_some((bits as usize / 8, CHARACTERS))
    }
}
