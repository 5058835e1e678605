//! UTF-8 straight to charsets, without code points in between.
//!
//! ```text
//! US-ASCII ─► copied or looked up, some bytes at a time;   a character of two or three bytes ─► its code
//! ```
//!
//! This is for text that is mostly US-ASCII. Of other text, kernels make code points faster than this loop would, so it
//! stops. It also stops in front of characters above U+FFFF.

use std::hint::select_unpredictable;

use super::Encoded;
use super::charset_to_utf8::{copy_ascii, first_equal, translate};
use super::encode_table::EncodeTable;
use crate::unicode::CodePoint;
use oxiconv_kernels::Progress;

/// Bytes that are read for each character.
const WORD: usize = 4;
/// Bytes at the start of which half must be US-ASCII.
const SAMPLE: usize = 256;
/// How many characters other than US-ASCII there may be, at the start or after much US-ASCII, without more of it.
const PATIENCE: usize = 64;
/// How much US-ASCII makes up for another character.
const SHARE: usize = 2;

/// Returns the character of at most three bytes at the start of a word, the first byte lowest, and its length. A
/// surrogate is returned as a character.
#[inline(always)]
fn character(word: u32) -> Option<(CodePoint, usize)> {
    // Table 3-7, except for surrogates and for characters of four bytes.
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
    /// Converts a run of UTF-8, and what this table lacks with `other`, under the contract of [`oxiconv_kernels`], except
    /// that it may stop early.
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
        let mut patience = PATIENCE;
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
            patience = (patience + done / SHARE).min(PATIENCE);
            if patience == 0 {
                break;
            }
            let Some(from) = input[read..].first_chunk::<WORD>() else { break };
            let Some(to) = output[written..].first_chunk_mut::<WORD>() else { break };
            let Some((cp, len)) = character(u32::from_le_bytes(*from)) else { break };
            patience -= usize::from(len > 1);
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
