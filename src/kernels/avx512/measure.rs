//! Counting characters and line feeds: the masks of a block have a bit for each.

use std::arch::x86_64::*;

use super::registers::{BLOCK, load, unit16};
use crate::kernels::contract::Measured;
use crate::kernels::measure as bodies;

/// Counts the units selected by `tails` (those that begin no character) and by `line_feeds` (U+000A), in blocks of 64
/// bytes. Zeros after the end are neither.
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

/// One byte per character.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn bytes(text: &[u8]) -> Measured {
    let line_feed = _mm512_set1_epi8(b'\n' as i8);
    let (_, line_feeds) = count!(text, |_| 0_u64, |bytes| _mm512_cmpeq_epi8_mask(bytes, line_feed));
    Measured { characters: text.len(), line_feeds }
}

/// UTF-8: continuation bytes begin no character. A long run is faster if counted in lanes, for which the compiler does
/// best with half as wide vectors.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf8(text: &[u8]) -> Measured {
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn in_lanes(text: &[u8]) -> Measured {
        bodies::utf8(text)
    }
    const LONG: usize = 64 * BLOCK;
    if text.len() >= LONG {
        return in_lanes(text);
    }
    let line_feed = _mm512_set1_epi8(b'\n' as i8);
    let first = _mm512_set1_epi8(0xC0_u8 as i8);
    let (tails, line_feeds) =
        count!(text, |bytes| _mm512_cmplt_epi8_mask(bytes, first), |bytes| _mm512_cmpeq_epi8_mask(
            bytes, line_feed
        ));
    Measured { characters: text.len() - tails, line_feeds }
}

/// UTF-16: low surrogates begin no character.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf16<const BIG: bool>(text: &[u8]) -> Measured {
    let unit = |unit| _mm512_set1_epi16(unit16::<BIG>(unit));
    let (line_feed, block, low) = (unit(0x0A), unit(0xFC00), unit(0xDC00));
    let (tails, line_feeds) = count!(
        text,
        |units| _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, block), low),
        |units| _mm512_cmpeq_epi16_mask(units, line_feed)
    );
    // Of text that is not well-formed, half a unit at the end may be counted as well.
    Measured { characters: text.len().div_ceil(2) - tails, line_feeds }
}

/// UTF-32.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn utf32<const BIG: bool>(text: &[u8]) -> Measured {
    let line_feed = _mm512_set1_epi32(if BIG { 0x0A00_0000 } else { 0x0A });
    let (_, line_feeds) =
        count!(text, |_| 0_u16, |units| _mm512_cmpeq_epi32_mask(units, line_feed));
    Measured { characters: text.len() / 4, line_feeds }
}
