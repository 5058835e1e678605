//! UTF-8 straight to charsets, without code points in between.
//!
//! ```text
//! US-ASCII ─► copied or looked up, some bytes at a time;   a character of two or three bytes ─► its code
//! ```
//!
//! This pays for text that is mostly US-ASCII, which it converts three times as fast. Text in which it is not is
//! converted faster in two steps, by the kernels to code points and then by the encode table. So the loop samples the
//! start of the text, keeps a budget of other characters that US-ASCII replenishes, and stops once it is used up. It
//! also stops before characters above U+FFFF.

use std::hint::select_unpredictable;

use super::Encoded;
use super::charset_to_utf8::{copy_ascii, first_equal, translate};
use super::encode_table::EncodeTable;
use crate::unicode::CodePoint;
use oxiconv_kernels::Progress;

/// Bytes loaded for each character.
const WORD: usize = 4;
/// Bytes at the start, at least half of which must be US-ASCII.
const SAMPLE: usize = 256;
/// The most characters beyond US-ASCII in a row.
const MAX_BUDGET: usize = 64;
/// Bytes of US-ASCII that buy one other character.
const ASCII_PER_CHARACTER: usize = 2;

/// Returns the character of at most three bytes at the start of a word, the first byte lowest, and its length.
///
/// A surrogate is returned as if it were a character. No set has one, so its lookup finds nothing and the loop stops
/// there, as the contract asks.
///
/// One comparison tests the markers of all bytes. With the first byte lowest, E2 82 AC is AC82E2, whose markers are the
/// bits C0C0F0; they must be 8080E0.
#[inline(always)]
fn character(word: u32) -> Option<(CodePoint, usize)> {
    if word & 0x80 == 0 {
        Some((word & 0x7F, 1))
    } else if word & 0xC0_C0F0 == 0x80_80E0 {
        let cp = (word & 0xF) << 12 | (word >> 8 & 0x3F) << 6 | word >> 16 & 0x3F;
        (cp >= 0x800).then_some((cp, 3))
    } else if word & 0xC0E0 == 0x80C0 {
        let cp = (word & 0x1F) << 6 | word >> 8 & 0x3F;
        (cp >= 0x80).then_some((cp, 2))
    } else {
        None
    }
}

impl EncodeTable {
    /// Converts a run of UTF-8 with this table, and what it lacks with `other`, under the contract of
    /// [`oxiconv_kernels`], except that it may stop early.
    pub(super) fn convert(
        &self,
        input: &[u8],
        output: &mut [u8],
        other: impl Fn(CodePoint) -> Option<Encoded>,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        let sample = &input[..input.len().min(SAMPLE)];
        if 2 * sample.iter().filter(|byte| byte.is_ascii()).count() < sample.len() {
            return Progress { read, written };
        }
        let mut budget = MAX_BUDGET;
        loop {
            let (from, to) = (&input[read..], &mut output[written..]);
            let done = match &self.of_ascii {
                _ if self.plain_below > 0 => copy_ascii(from, to),
                Some(ascii) => {
                    translate(from, to, &ascii.bytes, |bytes| first_equal(bytes, ascii.none))
                }
                None => 0,
            };
            read += done;
            written += done;
            budget = (budget + done / ASCII_PER_CHARACTER).min(MAX_BUDGET);
            if budget == 0 {
                break;
            }
            let Some(from) = input[read..].first_chunk::<WORD>() else { break };
            let Some(to) = output[written..].first_chunk_mut::<WORD>() else { break };
            let Some((cp, len)) = character(u32::from_le_bytes(*from)) else { break };
            budget -= usize::from(len > 1);
            let code = self.codes[cp as usize];
            if code != 0 {
                let pair = code > 0xFF;
                to[..2].copy_from_slice(&select_unpredictable(pair, code, code << 8).to_be_bytes());
                written += 1 + usize::from(pair);
            } else {
                let Some(one) = self.bytes(cp).or_else(|| other(cp)) else { break };
                let Some(to) = to.get_mut(..one.as_slice().len()) else { break };
                to.copy_from_slice(one.as_slice());
                written += to.len();
            }
            read += len;
        }
        Progress { read, written }
    }
}
