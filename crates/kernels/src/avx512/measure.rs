//! Counting characters, line feeds and signs of interruption: the masks of a block have a bit for each.
//!
//! To count the bits of a mask, it has to be moved to a general register. In long texts, counting in the lanes of a
//! vector is faster.

use std::arch::x86_64::*;

use super::registers::{BLOCK, load, unit16};
use crate::contract::{EncodingForm, Measured};
use crate::interruption_signs::{self, SignMasks};
use crate::measure as bodies;

/// Counts the units selected by `tails` (those that begin no character) and by `line_feeds` (U+000A), in blocks of 64
/// bytes. The zeros with which the last block is padded are neither.
macro_rules! count {
    ($text:expr, $tails:expr, $line_feeds:expr) => {{
        let (mut tails, mut line_feeds) = (0, 0);
        let (blocks, rest) = $text.as_chunks::<BLOCK>();
        for block in blocks {
            let bytes = load(block);
            tails += $tails(bytes).count_ones() as usize;
            line_feeds += $line_feeds(bytes).count_ones() as usize;
        }
        if !rest.is_empty() {
            let bytes = load(rest);
            tails += $tails(bytes).count_ones() as usize;
            line_feeds += $line_feeds(bytes).count_ones() as usize;
        }
        (tails, line_feeds)
    }};
}

#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn bytes(text: &[u8]) -> Measured {
    let line_feed = _mm512_set1_epi8(b'\n' as i8);
    let (_, line_feeds) = count!(text, |_| 0_u64, |bytes| _mm512_cmpeq_epi8_mask(bytes, line_feed));
    Measured { characters: text.len(), line_feeds, signs: 0 }
}

/// Continuation bytes begin no character. A long run is faster if it is counted in lanes, as the portable loop does,
/// and the compiler vectorizes that loop best with vectors half as wide.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf8(text: &[u8]) -> Measured {
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn in_lanes(text: &[u8]) -> Measured {
        bodies::utf8(text)
    }
    const MIN_LONG_RUN: usize = 64 * BLOCK;
    if text.len() >= MIN_LONG_RUN {
        return in_lanes(text);
    }
    let line_feed = _mm512_set1_epi8(b'\n' as i8);
    let first = _mm512_set1_epi8(0xC0_u8 as i8);
    let (tails, line_feeds) =
        count!(text, |bytes| _mm512_cmplt_epi8_mask(bytes, first), |bytes| _mm512_cmpeq_epi8_mask(
            bytes, line_feed
        ));
    Measured { characters: text.len() - tails, line_feeds, signs: 0 }
}

/// A low surrogate begins no character.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf16<const BIG: bool>(text: &[u8]) -> Measured {
    /// Blocks whose low surrogates are counted in lanes of 16 bits. A lane counts one per block. `madd` takes the lanes
    /// as signed, so the limit is 7FFF.
    const MAX_LANE_BLOCKS: usize = 1024;

    let form = if BIG { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le };
    let unit = |unit| _mm512_set1_epi16(unit16::<BIG>(unit));
    let (line_feed, surrogates, low) = (unit(0x0A), unit(0xFC00), unit(0xDC00));
    let (byte, one) = (_mm512_set1_epi8(b'\n' as i8), _mm512_set1_epi16(1));
    // Rounded up, because the zeros after half a unit at the end may make a low surrogate of it, and the difference
    // must not be negative. Only ill-formed text has that, and the contract allows any count for it.
    let mut all = Measured { characters: text.len().div_ceil(2), ..Measured::default() };
    let mut at = 0;
    for part in text.chunks(MAX_LANE_BLOCKS * BLOCK) {
        let mut tails = _mm512_setzero_si512();
        let mut add = |bytes: &[u8]| {
            let units = load(bytes);
            let is_low = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, surrogates), low);
            tails = _mm512_mask_add_epi16(tails, is_low, tails, one);
            let line_feeds = _mm512_cmpeq_epi16_mask(units, line_feed).count_ones();
            all.line_feeds += line_feeds as usize;
            let found = _mm512_cmpeq_epi8_mask(units, byte);
            if found.count_ones() != line_feeds && sign_masks(units, found).may_be_signs(BIG) {
                all.signs += interruption_signs::count(form, text, at..at + bytes.len());
            }
            at += bytes.len();
        };
        let (blocks, rest) = part.as_chunks::<BLOCK>();
        for block in blocks {
            add(block);
        }
        if !rest.is_empty() {
            add(rest);
        }
        all.characters -= _mm512_reduce_add_epi32(_mm512_madd_epi16(tails, one)) as usize;
    }
    all
}

/// Returns the masks that tell whether the bytes 0A at `found` may be signs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sign_masks(units: __m512i, found: u64) -> SignMasks {
    let from_tab = _mm512_sub_epi8(units, _mm512_set1_epi8(b'\t' as i8));
    SignMasks {
        found,
        zeros: _mm512_testn_epi8_mask(units, units),
        returns: _mm512_cmpeq_epi8_mask(units, _mm512_set1_epi8(b'\r' as i8)),
        ascii: _mm512_cmplt_epu8_mask(from_tab, _mm512_set1_epi8(0x7F - b'\t' as i8)),
    }
}

#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf32<const BIG: bool>(text: &[u8]) -> Measured {
    let form = if BIG { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le };
    let line_feed = _mm512_set1_epi32(if BIG { 0x0A00_0000 } else { 0x0A });
    let byte = _mm512_set1_epi8(b'\n' as i8);
    let mut all = Measured { characters: text.len() / 4, ..Measured::default() };
    for at in (0..text.len()).step_by(BLOCK) {
        let end = text.len().min(at + BLOCK);
        let units = load(&text[at..end]);
        let line_feeds = _mm512_cmpeq_epi32_mask(units, line_feed).count_ones();
        all.line_feeds += line_feeds as usize;
        if _mm512_cmpeq_epi8_mask(units, byte).count_ones() != line_feeds {
            all.signs += interruption_signs::count(form, text, at..end);
        }
    }
    all
}
